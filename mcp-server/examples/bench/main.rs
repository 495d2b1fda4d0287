//! How fast and how small the server is, each figure beside another one of the same run, as JSON on standard output.
//!
//! `cargo xtask bench` builds everything, runs this and writes `docs/performance.md`. The first argument is a file
//! that names other MCP servers to measure as well.
#![allow(clippy::print_stdout, reason = "the record is what the command is for")]

mod bare;
mod calls;
mod figures;
mod growth;
mod list;
mod peers;
mod process;
mod replay;
mod start;

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use process::{Result, during};

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().ok_or("a file that names other servers is needed")?;
    if first == "replay" {
        return replay::serve(&PathBuf::from(arguments.next().ok_or("a file to replay is needed")?));
    }
    println!("{}", measure(Path::new(&first))?);
    Ok(())
}

fn measure(others: &Path) -> Result<Value> {
    let mut figures = Vec::new();
    say("start");
    figures.extend(start::figures()?);
    say("calls");
    figures.extend(calls::figures()?);
    say("a long list");
    figures.extend(list::figures()?);
    say("growth");
    let growth = growth::measure()?;
    say("other servers");
    let peers = peers::measure(others)?;
    let figures: Vec<Value> = figures.iter().map(figures::Figure::to_json).collect();
    Ok(json!({"figures": figures, "growth": growth, "peers": peers}))
}

/// Tells whoever waits what is going on.
fn say(what: &str) {
    // Nobody has to listen.
    let _ = writeln!(std::io::stderr(), "measuring: {what}");
}

/// A folder for what is recorded, beside the program.
fn scratch(name: &str) -> Result<PathBuf> {
    let folder = process::built("bench-scratch")?;
    std::fs::create_dir_all(&folder).map_err(during(&folder.display().to_string()))?;
    Ok(folder.join(name))
}
