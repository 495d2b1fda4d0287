//! What docs/trust-boundary.md names is there.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use sonarr_fuzz::TARGETS;
use sonarr_mcp::cli::Cli;
use sonarr_mcp::config::{API_KEY, AUTH_TOKEN};

const GUIDE: &str = include_str!("../../../docs/trust-boundary.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What stands between backticks.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The rows of the tables, without their heads.
fn rows() -> Vec<&'static str> {
    GUIDE.lines().filter(|line| line.starts_with("| ") && line.contains('`')).collect()
}

#[test]
fn every_file_flag_constant_and_test_is_there() {
    let command = Cli::command();
    let is_flag = |name: &str| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    let mut tests = 0;
    for row in rows() {
        let files: Vec<&str> = names(row).filter(|name| name.contains(".rs")).collect();
        let sources: Vec<String> = files
            .iter()
            .map(|file| std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}")))
            .collect();
        let holds = |text: &str| sources.iter().any(|source| source.contains(text));
        for name in names(row).filter(|name| !name.contains(".rs")) {
            let is_there = match name.strip_prefix("--") {
                Some(flag) => is_flag(flag),
                None if [API_KEY, AUTH_TOKEN].contains(&name) => true,
                None if name.chars().all(|character| character.is_ascii_uppercase() || character == '_') => {
                    holds(&format!("const {name}:"))
                }
                None if name.contains('_') => {
                    tests += 1;
                    holds(&format!("fn {name}(")) && holds("#[test]") | holds("#[tokio::test]")
                }
                // A word of HTTP, of Rust or of Cargo.
                None => ["Host", "Debug", "cargo xtask"].contains(&name),
            };
            assert!(is_there, "`{name}` of the row: {row}");
        }
    }
    assert!(tests > 35, "{tests} tests are named");
}

#[test]
fn every_path_outside_the_tables_is_there() {
    for line in GUIDE.lines().filter(|line| !line.starts_with('|')) {
        for path in names(line).filter(|name| name.contains('/') && !name.contains(' ')) {
            assert!(root().join(path).exists(), "{path}");
        }
    }
}

#[test]
fn every_target_is_told_and_run_by_the_command_of_the_guide() {
    let script = std::fs::read_to_string(root().join(".ci/fuzz")).unwrap();
    let all: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert!(script.contains(&format!("all=({})\n", all.join(" "))));
    assert!(GUIDE.contains("\n.ci/fuzz 60 ") && include_str!("../../../.ci/run").contains("\n.ci/fuzz \""));
    for target in all {
        assert!(GUIDE.contains(&format!("| `fuzz/src/{target}.rs` |")), "{target}");
        let written = GUIDE.lines().find(|line| line.starts_with(&format!("| {target} | ")));
        let numbers: Vec<&str> = written.unwrap_or_else(|| panic!("{target}")).split('|').map(str::trim).collect();
        assert!(numbers[3].parse::<u64>().unwrap() > 0, "{target}: {numbers:?}");
    }
}
