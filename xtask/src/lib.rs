//! `cargo xtask`: makes the SDK, the facade and the reference from the vendored document.

mod bench;
mod columns;
mod commands;
mod corrections;
mod decode;
pub mod document;
mod examples;
mod facade;
pub mod import;
mod invariants;
mod jobs;
mod names;
mod normalise;
mod output;
mod problems;
mod reference;
mod regen;
mod requests;
mod rust_types;
mod sdk;
mod table;
mod tokens;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Maintenance of sonarr-mcp")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measures the release build beside the least that is possible and beside other servers; writes docs/performance.md.
    Bench {
        /// A Python of version 3.12 or newer, to install those of the other servers that need one.
        #[arg(long)]
        python: Option<PathBuf>,
    },
    /// Reads upstream's OpenAPI document and writes openapi/sonarr-v3.json and its origin.
    Import {
        /// Upstream's openapi.json.
        file: PathBuf,
        /// The upstream commit the file was taken from; needed when the file is not the one vendored now.
        #[arg(long)]
        commit: Option<String>,
    },
    /// Writes every generated file: the SDK, the facade, the reference, the request table of the tests.
    Regen {
        /// Write nothing; fail and name the file when one is not what regen would write.
        #[arg(long)]
        check: bool,
    },
    /// Decodes captured responses into the generated types, encodes them again and compares.
    Decode {
        /// A folder of responses; index.tsv in it names the operation of each file.
        folder: PathBuf,
    },
    /// Does twelve everyday jobs on an embedded library, counts the tokens they take and writes docs/jobs.md.
    Jobs,
    /// Prints what the server's list of tools costs a model, in tokens; fails when that is too much.
    Tokens {
        /// How many tokens all tools may cost.
        #[arg(long, default_value_t = tokens::MAX_TOTAL)]
        limit: usize,
        /// Flags for the server, behind `--`.
        #[arg(last = true)]
        flags: Vec<String>,
    },
}

/// Runs the command line.
pub fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let root = document::root()?;
    match Cli::parse().task {
        Task::Bench { python } => bench::run(&root, python.as_deref()),
        Task::Import { file, commit } => import::run(&root, &file, commit.as_deref()),
        Task::Regen { check } => {
            let files = regen::generate(&regen::Sources::load(&root)?)?;
            if check { output::check(&root, &files) } else { output::write(&root, &files) }
        }
        Task::Decode { folder } => decode::run(&root, &folder),
        Task::Jobs => jobs::run(&root),
        Task::Tokens { limit, flags } => tokens::run(&root, limit, &flags),
    }
}
