//! Adds the first series that a look-up finds: `cargo run --example add_series -- TERM`.
//!
//! A term is part of a title, or an id such as `tvdb:81189`. The series gets the first quality profile and the first root
//! folder, and nothing is searched for.

mod common;

use std::error::Error;
use std::io::Write;

use sonarr_client::prelude::*;
use sonarr_client::types::{AddSeriesOptions, MonitorTypes};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sonarr = common::sonarr().await?;
    let term = match std::env::args().nth(1) {
        Some(term) => term,
        None if sonarr.is_real => return Err("which series? give a term to look it up with".into()),
        // The in-memory Sonarr can look up some series by this word.
        None => "letters".to_owned(),
    };
    add_series(&sonarr.client, &term, &mut std::io::stdout()).await
}

/// Looks a series up and adds it; refuses one that is in the library.
pub async fn add_series(client: &Client, term: &str, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let found = client.lookup_series().term(term).send().await?.into_inner();
    // What is in the library already comes with its id.
    let mut series = found.into_iter().find(|series| series.id.is_none()).ok_or("no series that is not there yet")?;

    let profiles = client.list_quality_profiles().send().await?;
    let folders = client.list_root_folders().send().await?;
    series.quality_profile_id = profiles.first().ok_or("there is no quality profile")?.id;
    series.root_folder_path = folders.first().ok_or("there is no root folder")?.path.clone();
    series.monitored = Some(true);
    series.season_folder = Some(true);
    series.add_options = Some(AddSeriesOptions {
        monitor: Some(MonitorTypes::Future),
        search_for_missing_episodes: Some(false),
        ..Default::default()
    });

    // The rest of the record goes to Sonarr as the look-up gave it.
    let added = client.add_series().body(series).send().await?;
    writeln!(
        out,
        "added {} as id {} in {}",
        added.title.as_deref().unwrap_or("?"),
        added.id.unwrap_or_default(),
        added.path.as_deref().unwrap_or("?"),
    )?;
    Ok(())
}
