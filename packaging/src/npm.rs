//! The npm packages: one that people install, and one for each platform that carries the binary.
//!
//! The first names the others as optional dependencies, so npm fetches the one that fits and nothing is downloaded by a
//! script.

use crate::manifests::{npm, npm_platform, text};
use crate::pack::{Binary, LICENCES, copy};
use crate::table::Table;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packs the package people install and those of the platforms there are binaries for, into `out`. A binary of another
/// target, such as the one for both architectures of macOS, is passed over. Returns the tarballs, the main one first.
///
/// # Errors
/// When a file cannot be copied, or npm is missing or fails.
pub fn pack(root: &Path, table: &Table, binaries: &[Binary], out: &Path) -> Result<Vec<PathBuf>> {
    // Beside the packages: what lies in `out` is what is shipped.
    let stage = out.with_extension("npm");
    let folder = stage.join(&table.name);
    let source = root.join("packaging/npm");
    for file in ["launcher.js", "README.md"] {
        copy(&source.join(file), &folder.join(file))?;
    }
    let mut tarballs = vec![tarball(root, &folder, &npm(table), out)?];
    for platform in &table.platforms {
        let Some(binary) = binaries.iter().find(|binary| binary.target == platform.target) else { continue };
        let folder = stage.join(&platform.target);
        copy(&binary.file, &folder.join("bin").join(table.program(&platform.os)))?;
        let manifest = npm_platform(table, platform);
        let description = manifest.get("description").and_then(Value::as_str).unwrap_or_default();
        let readme = format!("# {}\n\n{description}; install {} instead.\n", table.name, table.npm_name());
        std::fs::write(folder.join("README.md"), readme)?;
        tarballs.push(tarball(root, &folder, &manifest, out)?);
    }
    std::fs::remove_dir_all(&stage)?;
    Ok(tarballs)
}

fn tarball(root: &Path, folder: &Path, manifest: &Value, out: &Path) -> Result<PathBuf> {
    std::fs::write(folder.join("package.json"), text(manifest)?)?;
    for licence in LICENCES {
        copy(&root.join(licence), &folder.join(licence))?;
    }
    // No script of a package runs here, and none is there.
    let output = Command::new("npm")
        .args(["pack", "--json", "--ignore-scripts", "--pack-destination"])
        .args([out, folder])
        .output()
        .context("npm cannot be run; the packages are made with Node 18 or newer and its npm")?;
    ensure!(output.status.success(), "npm pack: {}", String::from_utf8_lossy(&output.stderr));
    let packed: Value = serde_json::from_slice(&output.stdout).context("the report of npm pack")?;
    let name = packed.pointer("/0/filename").and_then(Value::as_str).context("npm pack names no file")?;
    Ok(out.join(name))
}
