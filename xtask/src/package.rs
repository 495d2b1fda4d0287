//! Packs what is shipped, of the binaries it is given or of one it builds.

use anyhow::{Context, Result, ensure};
use packaging::{Binary, Table};
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the packages go, below the root. Build folders may lie elsewhere; this does not move with them.
const OUT: &str = "target/package";

/// Packs the binaries of `folder`, which has to hold all of a release, or else the one this machine builds for
/// `target`.
///
/// # Errors
/// When a binary is missing or cannot be built, or npm is not there.
pub fn run(root: &Path, folder: Option<&Path>, target: Option<&str>) -> Result<()> {
    let table = Table::load(root)?;
    let binaries = match folder {
        Some(folder) => Binary::complete(&table, folder)?,
        None => vec![build(root, &table, target)?],
    };
    let files = packaging::pack(root, &table, &binaries, &root.join(OUT))?;
    let mut output = std::io::stdout().lock();
    for file in files {
        let size = std::fs::metadata(&file)?.len();
        writeln!(output, "{size:>10} {}", file.strip_prefix(root).unwrap_or(&file).display())?;
    }
    Ok(())
}

fn build(root: &Path, table: &Table, target: Option<&str>) -> Result<Binary> {
    let host = host()?;
    let target = target.unwrap_or(&host);
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--package", "sonarr-mcp", "--bin", &table.name])
        .args(["--target", target, "--message-format", "json-render-diagnostics"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo build")?;
    ensure!(output.status.success(), "sonarr-mcp could not be built for {target}: {}", output.status);
    let file = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .next_back()
        .context("cargo built no executable")?;
    Ok(Binary { target: platform(table, target)?, file })
}

/// The target packages are named for: one linked against the system's C library stands in for the static one, which is
/// good enough for a trial on this machine and nothing else.
fn platform(table: &Table, target: &str) -> Result<String> {
    let name = target.replace("-linux-gnu", "-linux-musl");
    if name != target {
        writeln!(
            std::io::stderr(),
            "package: this binary needs the C library of a system like this one; a release has --target {name}"
        )?;
    }
    let known = table.platforms.iter().any(|platform| platform.target == name);
    ensure!(known, "{target} is none of the platforms in packaging/packages.toml");
    Ok(name)
}

fn host() -> Result<String> {
    let output = Command::new("rustc").args(["--version", "--verbose"]).output().context("rustc")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    Ok(host.to_owned())
}

#[cfg(test)]
mod tests;
