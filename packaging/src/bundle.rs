//! The MCPB bundle: one file for all systems, which a host installs with a click.

use crate::manifests::{bundle, bundle_path, bundled, text};
use crate::pack::{Binary, LICENCES};
use crate::table::Table;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Packs a bundle of the binaries it can carry, into `out`. Its manifest names the systems it has a binary for and no
/// other. Returns the file, or nothing when no binary is for a bundle.
///
/// # Errors
/// When a file cannot be read or written.
pub fn pack(root: &Path, table: &Table, binaries: &[Binary], out: &Path) -> Result<Option<PathBuf>> {
    let carried: Vec<_> = bundled(table)
        .into_iter()
        .filter_map(|platform| {
            let binary = binaries.iter().find(|binary| platform.bundle.as_ref() == Some(&binary.target))?;
            Some((platform, binary))
        })
        .collect();
    if carried.is_empty() {
        return Ok(None);
    }
    let path = out.join(table.bundle_name());
    let file = std::fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut zip = ZipWriter::new(file);
    // A fixed time, which is the default of these options, so that the same binaries make the same bundle.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).unix_permissions(0o644);
    let platforms: Vec<_> = carried.iter().map(|(platform, _)| *platform).collect();
    zip.start_file("manifest.json", plain)?;
    zip.write_all(text(&bundle(table, &platforms))?.as_bytes())?;
    for licence in LICENCES {
        zip.start_file(licence, plain)?;
        zip.write_all(&read(&root.join(licence))?)?;
    }
    for (platform, binary) in carried {
        let content = read(&binary.file)?;
        ensure!(!content.is_empty(), "{} is empty", binary.file.display());
        // Hosts keep the mode when they unpack.
        zip.start_file(bundle_path(table, platform), plain.unix_permissions(0o755))?;
        zip.write_all(&content)?;
    }
    zip.finish()?;
    Ok(Some(path))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
