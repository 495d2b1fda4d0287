//! `cargo xtask import`: what a newer document of upstream's changes, and what the tables have to say before it is taken.

mod canonical;
mod differences;
mod facts;
mod fit;
mod proposals;
mod report;
mod samples;
mod surface;
mod todo;

pub use canonical::canonical;

use crate::document::{Document, VENDORED};
use crate::regen::Sources;
use crate::sdk;
use anyhow::{Context, Result, bail};
use report::Report;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

const ORIGIN: &str = "openapi/origin.toml";

/// Reports what `file` changes; writes it to the repository, unless `check` is set, once the tables fit it.
///
/// # Errors
/// When the tables do not fit the document yet: then nothing is written.
pub fn run(root: &Path, file: &Path, commit: Option<&str>, check: bool) -> Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let upstream: Value = serde_json::from_slice(&bytes).with_context(|| format!("{} is not JSON", file.display()))?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let document = Document(canonical(&upstream).with_context(|| file.display().to_string())?);
    // Asked for first: a report that ends in a refusal has been read for nothing.
    let origin = if check { String::new() } else { origin(root, &sha256, commit)? };

    let sources = Sources::load(root)?;
    let report = Report::make(&sources, &document, &generated(root)?)?;
    std::io::stdout().write_all(report.text.as_bytes())?;
    match report.left {
        0 => {}
        left => bail!("{left} things are left to do in the tables; nothing was written"),
    }
    if check && report.text.is_empty() {
        eprintln!("{} says what {VENDORED} says", file.display());
        return Ok(());
    }
    if check {
        eprintln!("the tables fit the document; `cargo xtask import {} --commit SHA` takes it", file.display());
        return Ok(());
    }
    std::fs::write(root.join(VENDORED), crate::output::json(&document.0)?)?;
    std::fs::write(root.join(ORIGIN), origin)?;
    eprintln!("{VENDORED}: {} operations; now run `cargo xtask regen`", document.operations().count());
    Ok(())
}

/// The SDK's generated files as they lie there, by name.
fn generated(root: &Path) -> Result<BTreeMap<String, String>> {
    let folder = root.join(sdk::FOLDER);
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", sdk::FOLDER))? {
        let path = entry?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".rs")) {
            files.insert(name.to_owned(), std::fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

/// The origin's text: kept as it is when the very same file is imported again.
fn origin(root: &Path, sha256: &str, commit: Option<&str>) -> Result<String> {
    let path = root.join(ORIGIN);
    let now = std::fs::read_to_string(&path).unwrap_or_default();
    let before: toml::Table = now.parse().with_context(|| format!("{ORIGIN} is not TOML"))?;
    let same = before.get("sha256").and_then(toml::Value::as_str) == Some(sha256);
    let known = before.get("commit").and_then(toml::Value::as_str);
    let commit = match (commit, known) {
        (Some(commit), Some(known)) if same && commit == known => return Ok(now),
        (None, Some(_)) if same => return Ok(now),
        (Some(commit), _) => commit,
        (None, _) => bail!("this is not the document vendored now: name its upstream commit with --commit SHA"),
    };
    if commit.len() != 40 || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        bail!("--commit takes the 40 hexadecimal digits of an upstream commit, not `{commit}`");
    }
    let date = chrono::Utc::now().date_naive();
    Ok(format!(
        "# Where {VENDORED} comes from. Written by `cargo xtask import`.\n\
         repository = \"Sonarr/Sonarr\"\npath = \"src/Sonarr.Api.V3/openapi.json\"\n\
         commit = \"{commit}\"\nsha256 = \"{sha256}\"\nimported = {date}\n"
    ))
}

#[cfg(test)]
mod tests;
