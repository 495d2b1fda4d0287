//! `cargo xtask`: makes the SDK, the facade and the reference from the vendored document, and packs what is shipped.

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
mod notes;
mod output;
mod package;
mod problems;
mod reference;
mod regen;
mod requests;
mod rust_types;
mod sdk;
mod surface;
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
    /// Writes the public items of the published libraries to snapshots/api/.
    Api {
        /// Write nothing; fail and name the items that are not those of the snapshots.
        #[arg(long)]
        check: bool,
    },
    /// Measures the release build beside the least that is possible and beside other servers; writes docs/performance.md.
    Bench {
        /// A Python of version 3.12 or newer, to install those of the other servers that need one.
        #[arg(long)]
        python: Option<PathBuf>,
        /// Measure the release build that is there, instead of building it first.
        #[arg(long)]
        no_build: bool,
    },
    /// Reports what a newer OpenAPI document of upstream's changes, and takes it once the tables fit.
    Import {
        /// Upstream's openapi.json.
        file: PathBuf,
        /// The upstream commit the file was taken from; needed when the file is not the one vendored now.
        #[arg(long)]
        commit: Option<String>,
        /// Only report: write nothing.
        #[arg(long)]
        check: bool,
    },
    /// Writes every generated file: the SDK, the facade, the reference, the request table of the tests, the manifests.
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
    /// Packs what is shipped into target/package: npm packages, the bundle, checksums.
    Package {
        /// A folder with the binaries of a release, each in a folder named for its target. Without it, one is built here.
        #[arg(long, value_name = "FOLDER")]
        binaries: Option<PathBuf>,
        /// What to build the one for, instead of this machine's own target.
        #[arg(long, conflicts_with = "binaries")]
        target: Option<String>,
    },
    /// Fails unless a tag can be released: it is the version, this is its repository, and the changelog has a section.
    Releasable {
        /// The tag, such as v1.0.0.
        tag: String,
        /// OWNER/NAME on GitHub.
        repository: String,
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
        Task::Api { check } => surface::run(&root, check),
        Task::Bench { python, no_build } => bench::run(&root, python.as_deref(), !no_build),
        Task::Import { file, commit, check } => import::run(&root, &file, commit.as_deref(), check),
        Task::Regen { check } => {
            let mut files = regen::generate(&regen::Sources::load(&root)?)?;
            for (path, manifest) in packaging::manifests::all(&root)? {
                files.add(path, manifest);
            }
            if check { output::check(&root, &files) } else { output::write(&root, &files) }
        }
        Task::Decode { folder } => decode::run(&root, &folder),
        Task::Package { binaries, target } => package::run(&root, binaries.as_deref(), target.as_deref()),
        Task::Releasable { tag, repository } => {
            packaging::release::check(&root, &packaging::Table::load(&root)?, &tag, &repository)
        }
        Task::Jobs => jobs::run(&root),
        Task::Tokens { limit, flags } => tokens::run(&root, limit, &flags),
    }
}
