//! `cargo xtask decode`: hands over to the SDK's own example.
//!
//! The generator must build while the SDK does not, so it cannot link it.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Decodes every file of `folder`; fails when something was lost.
pub fn run(root: &Path, folder: &Path) -> Result<()> {
    let folder = folder.canonicalize().with_context(|| format!("there is no folder {}", folder.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--package", "sonarr-client", "--example", "decode", "--"])
        .arg(folder)
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "some responses did not survive decoding and encoding");
    Ok(())
}
