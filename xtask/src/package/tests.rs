//! The workflows name commands, recipes, targets and paths: each is held against the one it means.

use super::platform;
use crate::{Cli, document};
use clap::Parser;
use packaging::Table;

const WORKFLOWS: [&str; 2] = [".github/workflows/ci.yml", ".github/workflows/release.yml"];

fn read(path: &str) -> String {
    let path = document::root().unwrap().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_binary_is_packed_under_the_name_of_a_platform() {
    let table = Table::load(&document::root().unwrap()).unwrap();
    for (target, due) in [
        ("x86_64-unknown-linux-gnu", Some("x86_64-unknown-linux-musl")),
        ("aarch64-apple-darwin", Some("aarch64-apple-darwin")),
        ("riscv64gc-unknown-linux-gnu", None),
    ] {
        assert_eq!(platform(&table, target).ok().as_deref(), due);
    }
}

#[test]
fn every_command_of_ours_in_workflows_and_recipes_is_one() {
    let files = ["justfile", ".ci/run", ".ci/deny", ".ci/manifests", "README.md"];
    let mut seen = Vec::new();
    for path in WORKFLOWS.iter().chain(&files) {
        for line in read(path).lines().filter(|line| !line.trim_start().starts_with('#')) {
            let Some((_, command)) = line.split_once("cargo xtask ") else { continue };
            // In prose the command ends with its quotes. A recipe's `flags` may be none.
            let command = command
                .split(['`', ';', '|', '&', ')'])
                .next()
                .unwrap_or_default()
                .replace("{{flags}}", "")
                .replace(['{', '}'], "");
            let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches('"')).collect();
            let parsed = Cli::try_parse_from(["xtask"].iter().chain(&words));
            assert!(parsed.is_ok(), "{path}: cargo xtask {command}: {}", parsed.err().unwrap());
            seen.push(words[0].to_owned());
        }
    }
    for due in ["regen", "package", "releasable", "decode"] {
        assert!(seen.iter().any(|word| word == due), "{due} in {seen:?}");
    }
    let recipes = read("justfile");
    for path in WORKFLOWS {
        for line in read(path).lines().filter_map(|line| line.split_once("just ")) {
            let recipe = line.1.split_whitespace().next().unwrap();
            assert!(recipes.lines().any(|line| line.split([' ', ':']).next() == Some(recipe)), "{path}: just {recipe}");
        }
    }
}

#[test]
fn the_crates_that_are_published_are_those_that_may_be() {
    let workspace: toml::Value = toml::from_str(&read("Cargo.toml")).unwrap();
    let mut due = Vec::new();
    for member in workspace["workspace"]["members"].as_array().unwrap() {
        let manifest: toml::Value = toml::from_str(&read(&format!("{}/Cargo.toml", member.as_str().unwrap()))).unwrap();
        let package = &manifest["package"];
        if package.get("publish").and_then(toml::Value::as_bool) != Some(false) {
            due.push(package["name"].as_str().unwrap().to_owned());
        }
    }
    let workflow = read(".github/workflows/release.yml");
    let command = workflow.lines().find_map(|line| line.split_once("cargo publish ")).unwrap().1;
    let mut words = command.split_whitespace();
    let mut named = Vec::new();
    while let Some(word) = words.next() {
        if word == "-p" {
            named.push(words.next().unwrap().to_owned());
        }
    }
    due.sort();
    named.sort();
    assert_eq!(named, due);
}
