//! Files written by hand that name what the table names: the container file and the workflows.

use crate::Table;
use crate::manifests::tests::{read, root};
use serde_yaml_ng::Value;
use std::collections::BTreeSet;

const CONTAINER: &str = "packaging/Containerfile";
const RELEASE: &str = ".github/workflows/release.yml";
const CI: &str = ".github/workflows/ci.yml";

/// The instructions of the container file, each on one line.
fn instructions() -> Vec<(String, String)> {
    let text: String =
        read(CONTAINER).lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
    text.replace("\\\n", " ")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(word, rest)| (word.to_owned(), rest.to_owned()))
        .collect()
}

fn of<'a>(instructions: &'a [(String, String)], word: &str) -> Vec<&'a str> {
    instructions.iter().filter(|(name, _)| name == word).map(|(_, rest)| rest.as_str()).collect()
}

fn minor(version: &str) -> u32 {
    let digits = |part: &str| part.split(|letter: char| !letter.is_ascii_digit()).next().unwrap().parse().unwrap();
    version.split('.').nth(1).map(digits).unwrap()
}

#[test]
fn the_container_runs_the_program_as_nobody_in_an_image_of_this_name() {
    let table = Table::load(&root()).unwrap();
    let instructions = instructions();
    let path = format!("/{}", table.name);
    assert_eq!(of(&instructions, "ENTRYPOINT"), [format!("[\"{path}\"]")]);
    assert_eq!(of(&instructions, "USER"), ["65532:65532"]);
    let labels = of(&instructions, "LABEL");
    for (label, value) in [
        ("io.modelcontextprotocol.server.name", table.registry_name()),
        ("org.opencontainers.image.source", table.url()),
        ("org.opencontainers.image.licenses", table.license.clone()),
    ] {
        assert!(labels.contains(&format!("{label}=\"{value}\"").as_str()), "{label}: {labels:?}");
    }
    let copies = of(&instructions, "COPY");
    assert!(copies.contains(&format!("--from=build {path} {path}").as_str()), "{copies:?}");
    // A stage that is copied from is one of those above.
    let stages: Vec<&str> = of(&instructions, "FROM")
        .into_iter()
        .filter_map(|from| from.split_once(" AS "))
        .map(|(_, name)| name)
        .collect();
    assert_eq!(stages, ["build", "run"]);
    let from = copies.iter().filter_map(|copy| copy.strip_prefix("--from=")?.split(' ').next());
    assert!(from.clone().count() > 0 && from.clone().all(|stage| stages.contains(&stage)), "{copies:?}");
    let built = of(&instructions, "RUN").into_iter().any(|run| run.contains("--package sonarr-mcp"));
    assert!(built && !of(&instructions, "CMD").iter().any(|command| command.contains("http")));
}

#[test]
fn the_container_is_built_with_a_toolchain_that_is_new_enough() {
    let instructions = instructions();
    let image = of(&instructions, "FROM")[0].split_once("rust:").unwrap().1.to_owned();
    let workspace: toml::Value = toml::from_str(&read("Cargo.toml")).unwrap();
    let oldest = workspace["workspace"]["package"]["rust-version"].as_str().unwrap();
    assert!(image.starts_with("1.") && minor(&image.replace("-alpine", "")) >= minor(oldest), "{image}, {oldest}");
}

fn workflow(path: &str) -> Value {
    serde_yaml_ng::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every `run` of a job's steps.
fn runs(job: &Value) -> Vec<&str> {
    let steps = job["steps"].as_sequence().unwrap();
    steps.iter().filter_map(|step| step.get("run")?.as_str()).collect()
}

#[test]
fn a_release_builds_every_platform_of_the_table() {
    let table = Table::load(&root()).unwrap();
    let release = workflow(RELEASE);
    let matrix = release["jobs"]["build"]["strategy"]["matrix"]["include"].as_sequence().unwrap();
    let built: BTreeSet<&str> = matrix.iter().map(|row| row["target"].as_str().unwrap()).collect();
    let due: BTreeSet<&str> = table.platforms.iter().map(|platform| platform.target.as_str()).collect();
    assert_eq!(built, due);
    assert_eq!(matrix.len(), due.len());
    // What only the bundle carries is put together in a job of its own, and handed on under its name.
    let universal = read(RELEASE);
    for platform in &table.platforms {
        for only in platform.bundle.iter().filter(|target| !due.contains(target.as_str())) {
            assert!(universal.contains(&format!("name: {only}\n")), "{only}");
        }
    }
    for upload in ["sonarr-mcp${{", "target/package"] {
        assert!(universal.contains(upload), "{upload}");
    }
}

#[test]
fn each_job_waits_for_one_that_is_there_and_ends_in_the_order_of_what_refers_to_what() {
    let release = workflow(RELEASE);
    let jobs = release["jobs"].as_mapping().unwrap();
    let mut order = Vec::new();
    for (name, job) in jobs {
        let needs: Vec<&str> = match &job["needs"] {
            Value::String(one) => vec![one],
            Value::Sequence(many) => many.iter().map(|one| one.as_str().unwrap()).collect(),
            _ => Vec::new(),
        };
        // The file has them in the order they run in.
        assert!(needs.iter().all(|need| order.contains(need)), "{name:?} needs {needs:?}");
        order.push(name.as_str().unwrap());
    }
    assert_eq!((order.first(), order.last()), (Some(&"check"), Some(&"registry")));
    assert!(runs(&release["jobs"]["check"]).iter().any(|run| run.starts_with("cargo xtask releasable ")));
}

#[test]
fn the_files_workflows_name_are_there_and_ci_is_what_people_run() {
    assert!(runs(&workflow(CI)["jobs"]["run"]).contains(&"bash .ci/run"));
    let mut found = 0;
    for path in [CI, RELEASE] {
        for (_, job) in workflow(path)["jobs"].as_mapping().unwrap() {
            for word in runs(job).iter().flat_map(|run| run.split_whitespace()) {
                if word.starts_with("packaging/") || word.starts_with(".ci/") {
                    assert!(root().join(word).is_file(), "{path}: {word}");
                    found += 1;
                }
            }
        }
    }
    assert!(found >= 4, "{found}");
    assert!(read(RELEASE).contains("ghcr.io/${GITHUB_REPOSITORY,,}"));
}
