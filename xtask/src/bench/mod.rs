//! How fast and how small the server is: builds it, measures it beside others and writes the figures down.

mod chart;
mod page;
mod peers;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the figures are written, below the root.
const PAGE: &str = "docs/performance.md";

/// Where the chart is, below the root.
const CHART: &str = "docs/performance.svg";

/// What the measuring program records.
#[derive(Deserialize)]
struct Record {
    figures: Vec<Figure>,
    growth: Vec<Point>,
    peers: Vec<Peer>,
}

/// A figure of ours beside another of the same run.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Figure {
    what: String,
    unit: String,
    ours: f64,
    beside: String,
    theirs: f64,
    /// The goal for the ratio of the two.
    at_most: Option<f64>,
    at_least: Option<f64>,
}

impl Figure {
    fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }

    /// Whether the goal is met, where there is one.
    fn met(&self) -> bool {
        self.at_most.is_none_or(|most| self.ratio() <= most) && self.at_least.is_none_or(|least| self.ratio() >= least)
    }
}

/// What a path takes at a size of the library.
#[derive(Deserialize)]
struct Point {
    path: String,
    series: u32,
    ms: f64,
    /// Of memory, beyond what is taken before the first call; nothing where no server is measured.
    bytes: Option<f64>,
}

/// A server, and what it takes; or why that is not known.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Peer {
    name: String,
    error: Option<String>,
    /// Milliseconds from spawning it to the answer to `initialize`.
    #[serde(default)]
    start: f64,
    /// Megabytes after the tools were listed.
    #[serde(default)]
    memory: f64,
    /// Its tools as it lists them.
    #[serde(default)]
    tools: Value,
    /// Milliseconds to list the series.
    #[serde(default)]
    list: f64,
    /// Bytes of the answer's line.
    #[serde(default)]
    answer: usize,
    /// The text in it.
    #[serde(default)]
    text: String,
    /// Megabytes after it.
    #[serde(default)]
    memory_after: f64,
}

/// Measures and writes the page and its chart.
///
/// # Errors
/// When something cannot be built or measured. Another server that cannot be installed is no error: the page says so.
pub fn run(root: &Path, python: Option<&Path>, build: bool) -> Result<()> {
    let built = if build { built(root)? } else { root.join("target/release/sonarr-mcp") };
    let peers = peers::install(&built.with_file_name("peers"), python)?;
    let mut record = measure(&built, &peers.file)?;
    record.peers.extend(peers.missing);
    record.figures.push(size(&built)?);
    let tokenizer = tiktoken_rs::o200k_base()?;
    let tables = page::tables(&record, &page::Machine::this()?, |text| tokenizer.encode_ordinary(text).len());
    std::fs::write(root.join(CHART), chart::draw(&record.growth)?).with_context(|| CHART.to_owned())?;
    let page = std::fs::read_to_string(root.join(PAGE)).with_context(|| PAGE.to_owned())?;
    std::fs::write(root.join(PAGE), page::with_tables(&page, &tables)?).with_context(|| PAGE.to_owned())?;
    std::io::stdout().write_all(tables.as_bytes())?;
    Ok(())
}

/// Builds all that is measured and gives the server's file, which the others lie beside.
fn built(root: &Path) -> Result<PathBuf> {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--message-format=json", "-p", "sonarr-mcp", "-p", "embedded-sonarr"])
        .args(["--bin", "sonarr-mcp", "--example", "smallest", "--example", "bench", "--example", "serve"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo build --release")?;
    ensure!(output.status.success(), "the release build failed: {}", output.status);
    let lines = String::from_utf8(output.stdout)?;
    let programs = lines.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        message.get("executable")?.as_str().map(PathBuf::from)
    });
    let server = programs.into_iter().find(|program| program.file_stem().is_some_and(|name| name == "sonarr-mcp"));
    server.context("cargo names no program sonarr-mcp")
}

fn measure(built: &Path, peers: &Path) -> Result<Record> {
    let output = Command::new(built.with_file_name("examples").join("bench"))
        .arg(peers)
        .stderr(Stdio::inherit())
        .output()
        .context("the measuring program")?;
    ensure!(output.status.success(), "the measuring program failed: {}", output.status);
    serde_json::from_slice(&output.stdout).context("the record of the measuring program")
}

/// The program's size beside that of the smallest server.
fn size(built: &Path) -> Result<Figure> {
    #[expect(clippy::cast_precision_loss, reason = "no program has 2^52 bytes")]
    let megabytes = |file: &Path| -> Result<f64> {
        Ok(std::fs::metadata(file).with_context(|| file.display().to_string())?.len() as f64 / 1e6)
    };
    Ok(Figure {
        what: "size of the program".to_owned(),
        unit: "MB".to_owned(),
        ours: megabytes(built)?,
        beside: "the smallest server on the SDK".to_owned(),
        theirs: megabytes(&built.with_file_name("examples").join("smallest"))?,
        at_most: None,
        at_least: None,
    })
}
