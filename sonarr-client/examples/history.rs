//! Walks all pages of the history and counts its events: `cargo run --example history`.

mod common;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;

use futures::TryStreamExt as _;
use sonarr_client::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sonarr = common::sonarr().await?;
    history(&sonarr.client, &mut std::io::stdout()).await
}

/// Writes a line for each kind of event.
pub async fn history(client: &Client, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut counts = BTreeMap::new();
    // A page is asked for when the one before it is used up.
    let mut records = client.list_history().page_size(25).stream();
    while let Some(record) = records.try_next().await? {
        let event = record.event_type.map(|event| event.to_string()).unwrap_or_default();
        *counts.entry(event).or_insert(0) += 1;
    }
    for (event, count) in &counts {
        writeln!(out, "{count:5} {event}")?;
    }
    writeln!(out, "{:5} records in all", counts.values().sum::<i32>())?;
    Ok(())
}
