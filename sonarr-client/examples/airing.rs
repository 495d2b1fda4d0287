//! Lists what airs within a week: `cargo run --example airing`.

mod common;

use std::error::Error;
use std::io::Write;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use sonarr_client::prelude::*;

const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sonarr = common::sonarr().await?;
    airing(&sonarr.client, &mut std::io::stdout()).await
}

/// Writes a line for each episode, in the order in which they air.
pub async fn airing(client: &Client, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let start: DateTime<Utc> = SystemTime::now().into();
    // Without `include_series` an episode knows its series by id only.
    let episodes = client.list_calendar().start(start).end(start + WEEK).include_series(true).send().await?;
    for episode in episodes.iter() {
        let airs = episode.air_date_utc.map(|airs| airs.format("%a %H:%M").to_string());
        let series = episode.series.as_ref().and_then(|series| series.title.as_deref());
        writeln!(
            out,
            "{} UTC  {} S{:02}E{:02} {}",
            airs.unwrap_or_default(),
            series.unwrap_or("?"),
            episode.season_number.unwrap_or_default(),
            episode.episode_number.unwrap_or_default(),
            episode.title.as_deref().unwrap_or("TBA"),
        )?;
    }
    writeln!(out, "{} episodes air within a week", episodes.len())?;
    Ok(())
}
