//! The live suite against a Sonarr of one's own: `just live`.
//!
//! `SONARR_URL` and `SONARR_API_KEY` say which. Every read is called; with `SONARR_WRITE_TESTS=1` a scratch tag, a
//! scratch custom filter and a scratch release profile are created, read, changed and deleted as well. The tests run
//! the very same suite against the embedded Sonarr.
#![allow(clippy::print_stdout, reason = "the report is what the command is for")]

mod client;
mod reads;
mod suite;

use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let variable = |name: &str| std::env::var(name).map_err(|_| format!("{name} says which Sonarr to test; set it"));
    let (url, key) = (variable("SONARR_URL")?, variable("SONARR_API_KEY")?);
    let writes = std::env::var("SONARR_WRITE_TESTS").is_ok_and(|value| value == "1");
    let example = std::env::current_exe()?;
    let program = example
        .parent()
        .and_then(|folder| folder.parent())
        .map(|folder| folder.join(format!("sonarr-mcp{}", std::env::consts::EXE_SUFFIX)))
        .ok_or("the example lies beside the program")?;
    let report = suite::run(&program, &url, &key, writes)?;
    println!("{} calls answered as they should", report.passed.len());
    println!("{} reads with nothing to read: {}", report.empty.len(), report.empty.join(", "));
    println!("writes: {}", if writes { "tried" } else { "not tried; SONARR_WRITE_TESTS=1 tries them" });
    println!("{} failures", report.failed.len());
    for failure in &report.failed {
        println!("  {failure}");
    }
    Ok(if report.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
