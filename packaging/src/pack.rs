//! Everything that is shipped, of binaries that were built.

use crate::table::Table;
use crate::{bundle, manifests, npm};
use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The texts that go with every package.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The file with the sums of all the others.
const SUMS: &str = "SHA256SUMS";

/// A binary that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binary {
    /// Rust's name of what it is for.
    pub target: String,
    /// Where it lies.
    pub file: PathBuf,
}

impl Binary {
    /// The binaries of a release: one folder for each target, named like it.
    ///
    /// # Errors
    /// Names every target that is missing; a release is of all or of none.
    pub fn complete(table: &Table, folder: &Path) -> Result<Vec<Self>> {
        let mut targets: Vec<(&str, &str)> = Vec::new();
        for platform in &table.platforms {
            for target in std::iter::once(&platform.target).chain(&platform.bundle) {
                if !targets.iter().any(|(known, _)| known == target) {
                    targets.push((target, &platform.os));
                }
            }
        }
        let file = |(target, os): (&str, &str)| Binary {
            target: target.to_owned(),
            file: folder.join(target).join(table.program(os)),
        };
        let binaries: Vec<Self> = targets.into_iter().map(file).collect();
        let missing: Vec<String> = binaries
            .iter()
            .filter(|binary| !binary.file.is_file())
            .map(|binary| binary.file.display().to_string())
            .collect();
        ensure!(missing.is_empty(), "a release needs every binary; missing: {}", missing.join(", "));
        Ok(binaries)
    }
}

/// Makes `out` anew with the npm packages, the bundle, the binaries themselves, the manifest for the MCP registry and
/// the sums of all. Returns the files.
///
/// # Errors
/// When there is no binary for any platform, or something cannot be packed.
pub fn pack(root: &Path, table: &Table, binaries: &[Binary], out: &Path) -> Result<Vec<PathBuf>> {
    if out.exists() {
        std::fs::remove_dir_all(out).with_context(|| format!("cannot clear {}", out.display()))?;
    }
    std::fs::create_dir_all(out)?;
    let mut files = npm::pack(root, table, binaries, out)?;
    if files.len() == 1 {
        let known: Vec<&str> = table.platforms.iter().map(|platform| platform.target.as_str()).collect();
        bail!("no binary is for a platform that packages are made for: {}", known.join(", "));
    }
    let bundle = bundle::pack(root, table, binaries, out)?;
    let sum = bundle.as_deref().map(sha256).transpose()?;
    files.extend(bundle);
    for binary in binaries {
        let ending = binary.file.extension().map(|ending| format!(".{}", ending.display())).unwrap_or_default();
        let to = out.join(format!("{}-{}-{}{ending}", table.name, table.version, binary.target));
        copy(&binary.file, &to)?;
        files.push(to);
    }
    let server = out.join("server.json");
    std::fs::write(&server, manifests::text(&manifests::server(table, sum.as_deref()))?)?;
    files.push(server);
    let mut sums = String::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().display();
        // The form `sha256sum --check` reads.
        writeln!(sums, "{}  {name}", sha256(file)?)?;
    }
    let path = out.join(SUMS);
    std::fs::write(&path, sums)?;
    files.push(path);
    Ok(files)
}

/// Copies a file with its mode, into a folder that need not be there yet.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

fn sha256(file: &Path) -> Result<String> {
    let content = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut sum = String::new();
    for byte in Sha256::digest(content) {
        write!(sum, "{byte:02x}")?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests;
