//! Decodes captured responses into the generated types, encodes them again, and says what was lost.
//!
//! `cargo run --example decode -- FOLDER`. A file `index.tsv` in the folder names the operation of each
//! file (`file<TAB>GET /api/v3/series`, a header line, further columns are ignored). Without it a file is
//! named for its operation: `list_series.json`, `list_series.my-server.json`.
#![allow(clippy::print_stdout, reason = "the report is what the command is for")]

use serde_json::Value;
use sonarr_client::{RoundTrip, round_trip};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: decode FOLDER")?;
    let folder = Path::new(&folder);
    let mut tally = Tally::default();
    for (file, operation) in captured(folder)? {
        tally.check(&file, &operation, &std::fs::read(folder.join(&file)).map_err(|error| format!("{file}: {error}"))?);
    }
    println!(
        "{} files: {} decoded and encoded again, {} text, {} not answers of an operation; {} operations; {} losses",
        tally.files,
        tally.decoded,
        tally.text,
        tally.others.len(),
        tally.operations.len(),
        tally.losses.len()
    );
    for (heading, lines) in [("not answers of an operation", &tally.others), ("losses", &tally.losses)] {
        if !lines.is_empty() {
            println!("{heading}:\n  {}", lines.join("\n  "));
        }
    }
    if tally.decoded == 0 {
        println!("nothing was decoded: is {} a folder of responses?", folder.display());
    }
    Ok(if tally.losses.is_empty() && tally.decoded > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// File names and operations.
fn captured(folder: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    if let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) {
        let rows = index.lines().skip(1).filter_map(|line| {
            let mut columns = line.split('\t');
            let (file, operation) = (columns.next()?, columns.next()?);
            // «DELETE /api/v3/indexer/{id} and other deletes»: the first two words are the operation.
            Some((file.to_owned(), operation.split(' ').take(2).collect::<Vec<_>>().join(" ")))
        });
        return Ok(rows.collect());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let operation = name.split('.').next().unwrap_or_default().to_owned();
        files.push((name, operation));
    }
    files.sort();
    Ok(files)
}

#[derive(Default)]
struct Tally {
    files: usize,
    decoded: usize,
    text: usize,
    others: Vec<String>,
    losses: Vec<String>,
    operations: BTreeSet<String>,
}

impl Tally {
    fn check(&mut self, file: &str, operation: &str, bytes: &[u8]) {
        self.files += 1;
        let again = match round_trip(operation, bytes) {
            RoundTrip::Json(again) => again,
            RoundTrip::NotJson => {
                self.text += 1;
                self.operations.insert(operation.to_owned());
                return;
            }
            RoundTrip::Misfit(why) => return self.losses.push(format!("{file} ({operation}): {why}")),
            RoundTrip::Unknown => return self.others.push(format!("{file} ({operation})")),
        };
        self.decoded += 1;
        self.operations.insert(operation.to_owned());
        match serde_json::from_slice::<Value>(bytes) {
            Ok(original) => differences(&original, &again, file, &mut self.losses),
            Err(error) => self.losses.push(format!("{file}: {error}")),
        }
    }
}

/// Where two values differ; numbers are compared as numbers, so that 100 equals 100.0.
fn differences(original: &Value, again: &Value, at: &str, found: &mut Vec<String>) {
    match (original, again) {
        (Value::Object(left), Value::Object(right)) => {
            for (name, value) in left {
                match right.get(name) {
                    Some(other) => differences(value, other, &format!("{at}/{name}"), found),
                    None => found.push(format!("{at}/{name}: lost")),
                }
            }
            found.extend(right.keys().filter(|name| !left.contains_key(*name)).map(|name| format!("{at}/{name}: new")));
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (value, other)) in left.iter().zip(right).enumerate() {
                differences(value, other, &format!("{at}/{index}"), found);
            }
        }
        (Value::Number(left), Value::Number(right)) if left.as_f64() == right.as_f64() => {}
        (left, right) if left == right => {}
        (left, right) => found.push(format!("{at}: {left} became {right}")),
    }
}
