//! The public items of a crate, read from its source: what a program that uses it can name.
//!
//! The source is read as it stands, so a plain stable compiler will do and no other crate is built. What a macro of the
//! crate implements is read from the macro. What is not seen: auto traits such as `Send`, and blanket implementations
//! of other crates.

mod items;
mod modules;
mod text;

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// The crates with a promised surface: the folder of the source, and the folder of the snapshot.
const CRATES: [(&str, &str); 1] = [("sonarr-client/src", "snapshots/api/sonarr-client")];

/// What is said of each public path.
#[derive(Debug, Default, PartialEq)]
pub struct Surface(pub BTreeMap<String, String>);

impl Surface {
    /// Reads the crate of which `read` gives the files, by their path within `src`.
    ///
    /// # Errors
    /// When a file is missing or is not Rust.
    pub fn of(read: &dyn Fn(&str) -> Option<String>) -> Result<Self> {
        let modules = modules::Modules::load(read)?;
        Ok(Self(items::list(&modules)))
    }

    /// One line an item, by the name of the file: each public module has one, `crate.txt` is the rest.
    fn pages(&self) -> BTreeMap<String, String> {
        let mut pages: BTreeMap<String, String> = BTreeMap::new();
        for (path, what) in &self.0 {
            // A module begins with a small letter; functions do, too, but nothing is below them.
            let module = path.split_once("::").map(|(first, _)| first);
            let module = module.filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()));
            let page = pages.entry(format!("{}.txt", module.unwrap_or("crate"))).or_default();
            page.push_str(&format!("{path}: {what}\n"));
        }
        pages
    }
}

/// Writes the snapshots, or with `check` compares them.
///
/// # Errors
/// With `check`, when the public items are not those of the snapshots; the error names the first of them.
pub fn run(root: &Path, check: bool) -> Result<()> {
    let mut different = Vec::new();
    for (source, folder) in CRATES {
        let source = root.join(source);
        let pages = Surface::of(&|path| std::fs::read_to_string(source.join(path)).ok())?.pages();
        let lines: usize = pages.values().map(|page| page.lines().count()).sum();
        let there = snapshots(&root.join(folder))?;
        for name in pages.keys().chain(there.keys().filter(|name| !pages.contains_key(*name))) {
            let (before, after) = (there.get(name), pages.get(name));
            if before == after {
                continue;
            }
            different.extend(differences(before, after).into_iter().map(|line| format!("{folder}/{name} {line}")));
            let target = root.join(folder).join(name);
            match after {
                _ if check => {}
                Some(page) => {
                    std::fs::create_dir_all(root.join(folder))?;
                    std::fs::write(&target, page).with_context(|| format!("cannot write {}", target.display()))?;
                }
                None => std::fs::remove_file(&target)?,
            }
        }
        eprintln!("{folder}: {lines} public items in {} files, {} lines differ", pages.len(), different.len());
    }
    if check && !different.is_empty() {
        let shown: Vec<_> = different.iter().take(40).map(String::as_str).collect();
        bail!(
            "the public items are not those of the snapshots; {} lines differ:\n  {}\n\
             A line that goes or changes breaks programs: it belongs in CHANGELOG.md. To accept all of them, run \
             `cargo xtask api` and commit what it writes.",
            different.len(),
            shown.join("\n  ")
        );
    }
    Ok(())
}

fn snapshots(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut there = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(there) };
    for entry in entries {
        let entry = entry?;
        there.insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read_to_string(entry.path())?);
    }
    Ok(there)
}

/// The lines that are in one of the pages alone: `- ` before, `+ ` after.
fn differences(before: Option<&String>, after: Option<&String>) -> Vec<String> {
    let lines = |page: Option<&String>| -> Vec<String> {
        page.map(|page| page.lines().map(str::to_owned).collect()).unwrap_or_default()
    };
    let (before, after) = (lines(before), lines(after));
    let gone = before.iter().filter(|line| !after.contains(line)).map(|line| format!("- {line}"));
    let come = after.iter().filter(|line| !before.contains(line)).map(|line| format!("+ {line}"));
    gone.chain(come).collect()
}

#[cfg(test)]
mod tests;
