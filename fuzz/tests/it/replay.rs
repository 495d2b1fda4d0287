//! The committed seeds, and an input for each operation, through the very functions the fuzzer calls.

use std::path::{Path, PathBuf};

use sonarr_fuzz::{TARGETS, inputs};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files of a folder by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Replays a target's seeds; the name of the one that fails is in the test's output.
fn replay(name: &str, at_least: usize) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let seeds = files(&folder("seeds").join(name));
    assert!(seeds.len() >= at_least, "{} seeds of {name}", seeds.len());
    for seed in seeds {
        eprintln!("{}", seed.display());
        (target.run)(&std::fs::read(&seed).unwrap());
    }
    for (operation, input) in inputs::of(name) {
        eprintln!("{operation}");
        (target.run)(&input);
    }
}

#[test]
fn stdio() {
    replay("stdio", 25);
}

#[test]
fn answers() {
    replay("answers", 25);
}

#[test]
fn selection() {
    replay("selection", 20);
}

#[test]
fn settings() {
    replay("settings", 14);
}

#[test]
fn document() {
    replay("document", 9);
}

#[test]
fn every_target_is_replayed_and_has_a_binary() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, ["stdio", "answers", "selection", "settings", "document"]);
    let stems = |folder: &Path| -> Vec<String> {
        files(folder).iter().map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(stems(&folder("fuzz_targets")), sorted);
    assert_eq!(stems(&folder("seeds")), sorted);
    let manifest = include_str!("../../Cargo.toml");
    for name in names {
        assert!(manifest.contains(&format!("[[bin]]\nname = \"{name}\"\n")), "{name}");
        let binary = std::fs::read_to_string(folder("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(binary.contains(&format!("sonarr_fuzz::{name}::run(bytes)")), "{name}");
    }
}
