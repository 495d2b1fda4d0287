//! Reads, edits and writes a quality profile without losing anything: `cargo run --example quality_profile`.
//!
//! It is put back at the end.

mod common;

use std::error::Error;
use std::io::Write;

use sonarr_client::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sonarr = common::sonarr().await?;
    quality_profile(&sonarr.client, &mut std::io::stdout()).await
}

/// Turns upgrades of the first quality profile on or off, compares the rest, and turns them back.
pub async fn quality_profile(client: &Client, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let profiles = client.list_quality_profiles().send().await?;
    let id = profiles.first().and_then(|profile| profile.id).ok_or("there is no quality profile")?;

    let before = client.get_quality_profile().id(id).send().await?.into_inner();
    // A PUT replaces the record, so the whole of it goes back, with what this version does not know in `extra`.
    let mut edited = before.clone();
    edited.upgrade_allowed = Some(!before.upgrade_allowed.unwrap_or_default());
    client.update_quality_profile().id(id).body(edited.clone()).send().await?;
    let after = client.get_quality_profile().id(id).send().await?.into_inner();
    client.update_quality_profile().id(id).body(before.clone()).send().await?;

    if after != edited {
        return Err("Sonarr stored something else than it was sent".into());
    }
    writeln!(
        out,
        "{}: upgrades {:?} -> {:?}; {} qualities, {} custom formats and {} further members as before",
        before.name.as_deref().unwrap_or("?"),
        before.upgrade_allowed.unwrap_or_default(),
        after.upgrade_allowed.unwrap_or_default(),
        after.items.as_ref().map_or(0, Vec::len),
        after.format_items.as_ref().map_or(0, Vec::len),
        after.extra.len(),
    )?;
    Ok(())
}
