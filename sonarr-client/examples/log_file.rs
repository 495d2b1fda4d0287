//! Downloads the newest log file piece by piece: `cargo run --example log_file -- [FILE]`.

mod common;

use std::error::Error;
use std::fs::File;
use std::io::Write;

use futures::TryStreamExt as _;
use sonarr_client::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sonarr = common::sonarr().await?;
    let mut stdout = std::io::stdout();
    match std::env::args().nth(1) {
        Some(path) => log_file(&sonarr.client, &mut File::create(path)?, &mut stdout).await,
        None => log_file(&sonarr.client, &mut std::io::sink(), &mut stdout).await,
    }
}

/// Writes the log file to `file`, and what was done to `out`.
pub async fn log_file(client: &Client, file: &mut impl Write, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let files = client.list_log_files().send().await?;
    let newest = files.iter().max_by_key(|file| file.last_write_time).ok_or("there is no log file")?;
    let name = newest.filename.as_deref().ok_or("the log file has no name")?;

    // The body is not held in memory; the client's time-out counts for the whole of it.
    let mut pieces = client.get_log_file().filename(name).send().await?.into_inner_stream();
    let mut bytes = 0;
    while let Some(piece) = pieces.try_next().await? {
        file.write_all(&piece)?;
        bytes += piece.len();
    }
    writeln!(out, "{name}: {bytes} bytes")?;
    Ok(())
}
