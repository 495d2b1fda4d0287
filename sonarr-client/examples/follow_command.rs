//! Runs the health checks and follows them to their end: `cargo run --example follow_command`.

mod common;

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use sonarr_client::WaitError;
use sonarr_client::commands::CheckHealth;
use sonarr_client::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sonarr = common::sonarr().await?;
    follow_command(&sonarr.client, &mut std::io::stdout()).await
}

/// Writes a line whenever the command has changed, and what the checks found.
pub async fn follow_command(client: &Client, out: &mut (impl Write + Send)) -> Result<(), Box<dyn Error>> {
    let command = client.run(&CheckHealth {}).await?;
    let mut lines = Vec::new();
    let end = client
        .wait(&command)
        .timeout(Duration::from_secs(120))
        .on_change(|command| lines.extend(command.status.as_ref().map(|status| format!("CheckHealth is {status}"))))
        .await;
    writeln!(out, "{}", lines.join("\n"))?;
    match end {
        Ok(_) => {}
        Err(WaitError::TimedOut { .. }) => writeln!(out, "it goes on without being followed")?,
        Err(error) => return Err(error.into()),
    }
    for finding in client.list_health().send().await?.iter() {
        writeln!(out, "{}", finding.message.as_deref().unwrap_or_default())?;
    }
    Ok(())
}
