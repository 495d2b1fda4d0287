//! The guide to a refresh, walked as a new maintainer would: its commands run, and the report is all there is to go by.
//!
//! It happens in a copy of the folders that import and regen read and write.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too; the lints' own exception covers test functions only"
)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GUIDE: &str = include_str!("../../docs/refresh.md");

/// What is copied, from the workspace root.
const FOLDERS: [&str; 10] = [
    "",
    "openapi",
    "docs",
    "packaging",
    "packaging/mcpb",
    "packaging/npm",
    "sonarr-client/mock/src/generated",
    "sonarr-client/src/generated",
    "mcp-server/src/generated",
    "mcp-server/tests/it",
];

/// A copy that goes when the test ends.
struct Copy(PathBuf);

impl Copy {
    fn make(name: &str) -> Self {
        let copy = Self(std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id())));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for folder in FOLDERS {
            std::fs::create_dir_all(copy.0.join(folder)).unwrap();
            for entry in std::fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_file() {
                    std::fs::copy(entry.path(), copy.0.join(folder).join(entry.file_name())).unwrap();
                }
            }
        }
        copy
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }

    fn edit(&self, file: &str, change: impl FnOnce(String) -> String) {
        let (before, path) = (self.read(file), self.0.join(file));
        let after = change(before.clone());
        assert_ne!(before, after, "{file}: the edit changed nothing");
        std::fs::write(path, after).unwrap();
    }

    /// Runs `cargo xtask …`, a line of the guide.
    fn run(&self, line: &str) -> Output {
        let words = line.strip_prefix("cargo xtask ").unwrap().split(' ');
        Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(words)
            .env("CARGO_MANIFEST_DIR", self.0.join("xtask"))
            .current_dir(&self.0)
            .output()
            .unwrap()
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// The guide's lines in blocks of shell.
fn commands() -> Vec<&'static str> {
    let blocks = GUIDE.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```"));
    blocks.flat_map(|(block, _)| block.lines()).collect()
}

/// A document with five inventions, as upstream might publish it.
fn upstream(copy: &Copy) -> Value {
    let mut document: Value = serde_json::from_str(&copy.read("openapi/sonarr-v3.json")).unwrap();
    let changes: Value = serde_json::from_str(include_str!("invented.json")).unwrap();
    for (pointer, now) in changes.as_object().unwrap() {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/");
        match document.pointer_mut(parent).unwrap() {
            Value::Array(items) if key == "-" => items.push(now.clone()),
            Value::Array(items) => items.retain(|item| item["name"] != *key),
            members => members[key] = now.clone(),
        }
    }
    document
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Pastes every row the report proposes into its table.
fn paste(copy: &Copy, report: &str) {
    for section in report.split("\n### `").skip(1) {
        let (file, rest) = section.split_once('`').unwrap();
        let rest = rest.split("\n## ").next().unwrap();
        for block in rest.split("```toml\n").skip(1) {
            let block: Vec<&str> = block.split("```").next().unwrap().lines().map(str::trim_start).collect();
            copy.edit(file, |table| format!("{table}\n{}\n", block.join("\n").trim_end()));
        }
    }
}

#[test]
fn the_guide_leads_from_a_file_to_generated_code() {
    let copy = Copy::make("refresh");
    std::fs::write(copy.0.join("openapi.json"), upstream(&copy).to_string()).unwrap();
    let all = commands();
    let xtask: Vec<&str> = all.iter().copied().filter(|line| line.starts_with("cargo xtask ")).collect();
    let [check, take, regen, regen_check] = *xtask.as_slice() else { panic!("{xtask:?}") };

    // Reported, refused and not written.
    let vendored = copy.read("openapi/sonarr-v3.json");
    let first = copy.run(check);
    let report = text(&first.stdout);
    assert!(!first.status.success() && report.contains("## To do"), "{report}");
    assert!(!copy.run(take).status.success());
    assert_eq!(copy.read("openapi/sonarr-v3.json"), vendored);

    // What the report says, and nothing else.
    paste(&copy, &report);
    for (line, file, out) in [
        (
            "take `PUT /api/v3/indexer/bulk` out of the correction `bulk-updates-answer-lists`",
            "openapi/corrections.toml",
            "\"PUT /api/v3/indexer/bulk\" = { was = \"IndexerResource\", now = \"IndexerResource[]\" }\n",
        ),
        (
            "take `[parameter.allowFoldersWithoutTrailingSlashes]` out",
            "openapi/parameters.toml",
            "[parameter.allowFoldersWithoutTrailingSlashes]\n",
        ),
    ] {
        assert!(report.contains(line), "{line} in\n{report}");
        copy.edit(file, |table| match table.split_once(out) {
            // A table ends where the next begins.
            Some((before, after)) if out.starts_with('[') => {
                let next = after.find("\n[").map_or("", |at| &after[at + 1..]);
                format!("{before}{next}")
            }
            _ => table.replace(out, ""),
        });
    }
    // The one text nobody can guess.
    assert!(report.contains("regen refuses an empty one"), "{report}");
    copy.edit("openapi/parameters.toml", |table| {
        let empty = "[parameter.withinDays]\nsummary = \"\"";
        table.replace(empty, "[parameter.withinDays]\nsummary = \"Days from today in which the first episode airs.\"")
    });

    let second = copy.run(check);
    let report = text(&second.stdout);
    assert!(second.status.success(), "{report}\n{}", text(&second.stderr));
    assert!(report.contains("Nothing: the tables say what to do with everything"), "{report}");

    for line in [take, regen, regen_check] {
        let output = copy.run(line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    }
    assert!(copy.read("openapi/origin.toml").contains("0123456789abcdef0123456789abcdef01234567"));
    for file in
        ["mcp-server/src/generated/calendar.rs", "sonarr-client/src/generated/calendar.rs", "docs/operations.md"]
    {
        assert!(copy.read(file).contains("list_calendar_premieres"), "{file}");
    }

    // Done is quiet.
    let last = copy.run(check);
    assert_eq!((last.status.success(), text(&last.stdout)), (true, String::new()));
}

#[test]
fn the_guide_speaks_of_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let origin = std::fs::read_to_string(root.join("openapi/origin.toml")).unwrap();
    for key in ["repository", "path"] {
        let line = origin.lines().find(|line| line.starts_with(key)).unwrap();
        assert!(GUIDE.contains(line.split('"').nth(1).unwrap()), "{line}");
    }
    for entry in std::fs::read_dir(root.join("openapi")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(GUIDE.contains(&name), "{name}");
    }
    for line in commands() {
        for word in line.split(' ').filter(|word| word.starts_with(".ci/")) {
            assert!(root.join(word).is_file(), "{word}");
        }
    }
}

/// All Rust below a folder in one text.
fn rust(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            all.push_str(&rust(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    all
}

#[test]
fn the_tests_the_guide_names_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = ["mcp-server/src", "mcp-server/tests", "sonarr-client/embedded-sonarr/tests"];
    let code: String = folders.iter().map(|folder| rust(&root.join(folder))).collect();
    let section = GUIDE.split("## ").find(|section| section.starts_with("5.")).unwrap();
    let word =
        |name: &&str| name.matches('_').count() > 2 && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
    let names: Vec<&str> = section.split('`').filter(word).collect();
    assert_eq!(names.len(), 9);
    for name in names {
        assert!(code.contains(&format!("fn {name}(")), "{name}");
    }
}
