//! What the SDK's docs say of an operation beyond its summary and its arguments.

use crate::document::Document;
use crate::facade::{Operation, Place};
use crate::names::{group_trait, pascal};
use crate::notes::{Note, Notes};
use crate::table::{Row, Table};
use anyhow::{Context, Result};
use std::fmt::Write as _;

/// The table of a group's operations, for the docs of its module.
pub fn contents(group: &str, table: &Table) -> String {
    let group_trait = group_trait(group);
    let mut out = String::from("\n\n | operation | what it does |\n |---|---|\n");
    for row in table.in_group(group) {
        let link = if crate::normalise::BY_HAND.contains(&row.name.as_str()) {
            format!("[`{0}`](crate::Client::{0})", row.name)
        } else {
            format!("[`{0}`]({group}::{group_trait}::{0})", row.name)
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, " | {link} | {} |", row.summary.replace('|', "\\|"));
    }
    out
}

/// The rest of an operation's docs, from the tables.
pub fn of(row: &Row, document: &Document, notes: &Notes, is_paged: bool) -> Result<String> {
    let note = notes.get(&row.name).with_context(|| format!("no note on {}", row.name))?;
    let has_body = Operation::read(document, row)?.arguments.iter().any(|argument| argument.place == Place::Body);
    let mut out = String::new();
    let mut part = |text: String| out.push_str(&format!("\n\n{text}"));
    if let Some(what) = &row.destructive {
        part(format!("**Destroys:** {}.", what.trim_end_matches('.')));
    }
    if let Some(instead) = &row.deprecated {
        part(format!("**Deprecated:** {}.", instead.trim_end_matches('.')));
    }
    if row.long_running {
        part("May take minutes: see [`ClientBuilder::timeout`](crate::ClientBuilder::timeout).".into());
    }
    if is_paged {
        let stream = format!("[`stream`](builder::{}::stream)", pascal(&row.name));
        part(format!("{stream} in place of `send` gives the records of all pages (feature `stream`)."));
    }
    part(format!("# Errors\n\n{}", errors(row, note, has_body)));
    let known = differences(note);
    if !known.is_empty() {
        part(format!("# Where Sonarr differs\n\n{known}"));
    }
    Ok(out)
}

fn errors(row: &Row, note: &Note, has_body: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (status, when) in &note.errors {
        lines.push(format!("- {status} ({}) when {when}.", kind(*status)));
    }
    if !row.requires.is_empty() {
        let what = if has_body { "Sonarr checks of the body" } else { "Sonarr checks" };
        lines.push(format!("- {what}: {}.", row.requires.join("; ")));
    }
    lines.push("- All that any call can end in: [`Error`](crate::Error).".into());
    lines.join("\n")
}

/// The kind that the SDK gives a refusal of this status.
fn kind(status: u16) -> String {
    let name = match status {
        400 => "Validation",
        404 => "NotFound",
        409 => "Conflict",
        500.. => "ServerError",
        _ => "Refused",
    };
    // A 400 without failures is another kind, so the docs name both.
    match status {
        400 => "[`Validation`](crate::ErrorKind::Validation), or [`Refused`](crate::ErrorKind::Refused)".into(),
        _ => format!("[`{name}`](crate::ErrorKind::{name})"),
    }
}

fn differences(note: &Note) -> String {
    let document = note.document.iter().map(|reason| format!("- From its document: {reason}"));
    let versions = note.versions.iter().map(|(since, text)| format!("- From Sonarr {since} on: {text}"));
    document.chain(versions).collect::<Vec<_>>().join("\n")
}
