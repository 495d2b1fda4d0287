//! What a problem asks for, as lines of Markdown with the rows to paste.

use super::fit::Fit;
use super::proposals::Proposal;
use super::samples;
use crate::corrections::{Candidate, Cause, Misfit};
use crate::problems::{Kind, Problem};
use crate::table::{Effect, OPERATIONS};
use crate::{columns, commands, corrections, examples, table};
use anyhow::Result;
use std::fmt::Write as _;

/// The order in which the tables are best edited.
const FILES: [&str; 6] =
    [OPERATIONS, corrections::FILE, table::PARAMETERS, columns::FILE, commands::FILE, examples::FILE];

/// A section a table; empty where nothing is to do.
pub fn lines(fit: &Fit) -> Result<String> {
    let mut out = String::new();
    for file in FILES {
        let problems: Vec<&Problem> = fit.problems.iter().filter(|problem| place(problem) == file).collect();
        if problems.is_empty() {
            continue;
        }
        writeln!(out, "\n### `{file}`\n")?;
        let mut told = Vec::new();
        for problem in problems {
            let line = item(problem, fit)?;
            // Several faults of one operation may ask for the same.
            if !told.contains(&line) {
                writeln!(out, "- [ ] {line}")?;
                told.push(line);
            }
        }
    }
    // A block ends in a blank line, and a heading begins with one.
    Ok(out.replace("\n\n\n", "\n\n"))
}

/// The table that is to be edited.
fn place(problem: &Problem) -> &'static str {
    match problem.kind {
        Kind::Uncorrected { .. } => corrections::FILE,
        _ => problem.file,
    }
}

fn item(problem: &Problem, fit: &Fit) -> Result<String> {
    let text = &problem.text;
    Ok(match &problem.kind {
        Kind::NoRow { at } => match fit.proposals.iter().find(|proposal| proposal.at == *at) {
            Some(proposal) => format!("{at} is new. Add a row; what it says is a guess.{}", row(proposal)),
            None => text.clone(),
        },
        Kind::StrayRow { name } => {
            let moved = fit.proposals.iter().find(|proposal| proposal.name == *name);
            let moved = moved.map(|proposal| format!(" If it is {} now, keep the row and change `at`.", proposal.at));
            format!("{text}. Take the row of `{name}` out.{}", moved.unwrap_or_default())
        }
        Kind::Misfit(misfit) => self::misfit(misfit),
        Kind::Uncorrected { at } => uncorrected(text, at, fit.candidates.get(at).map_or(&[], Vec::as_slice)),
        Kind::NoParameter { operation, name } => {
            let summary = samples::parameter(name);
            let hint = if summary.is_empty() { " Write the summary: regen refuses an empty one." } else { "" };
            let block = format!("[parameter.{name}]\nsummary = \"{summary}\"");
            format!("{operation} takes `{name}`, of which nothing is said. Add it.{hint}{}", fenced(&block))
        }
        Kind::StrayParameter { operation, name } => {
            let table = if operation.is_empty() { "parameter" } else { operation };
            format!("No operation takes that any more: take `[{table}.{name}]` out.")
        }
        Kind::NoColumns { schema } => {
            let columns = samples::columns(&fit.described, schema)?;
            let block = format!("[{schema}]\ncolumns = [{}]", columns.join(", "));
            format!("{text}. Add them, the most telling first.{}", fenced(&block))
        }
        Kind::StrayColumns { schema } => format!("{text} any more: take `[{schema}]` out."),
        Kind::StrayColumn { schema, column } => format!("{text} any more: take `{column}` out of `[{schema}]`."),
        Kind::NoExample { operation } => {
            format!("{text}. Add one.{}", fenced(&samples::example(&fit.described, &fit.table, operation)?))
        }
        Kind::StrayExample { operation } => format!("{text} any more: take `[{operation}]` out."),
        Kind::Mend => format!("{text}."),
    })
}

fn misfit(misfit: &Misfit) -> String {
    let Misfit { correction, target, targets, cause, .. } = misfit;
    let out = if *targets == 1 {
        format!("take the correction `{correction}` out")
    } else {
        format!("take `{target}` out of the correction `{correction}` ({} more stay)", targets - 1)
    };
    match cause {
        Cause::Gone => format!("What `{correction}` corrects at `{target}` is gone: {out}."),
        Cause::Mended => format!("Upstream has mended what `{correction}` corrects at `{target}`: {out}."),
        Cause::Other(stands) => {
            let stands = if stands.is_empty() { "nothing".to_owned() } else { format!("`{stands}`") };
            let keep = if *targets == 1 {
                "set its `was` to that".to_owned()
            } else {
                "give this target a correction of its own with that as `was`".to_owned()
            };
            format!(
                "Where `{correction}` corrects `{target}`, the document says {stands} now. If that is true, {out}; if the server \
                 still does what the correction says, {keep}{}.",
                if stands == "nothing" { " (leave `was` out)" } else { "" }
            )
        }
    }
}

fn uncorrected(text: &str, at: &str, candidates: &[Candidate]) -> String {
    if candidates.is_empty() {
        let block = format!(
            "[[correction]]\nname = \"\"\nreason = \"\"\nat = [\"{at}\"]\nresponse = {{ was = \"none\", now = \"\" }}"
        );
        let example = if text.contains("does not say what is answered") { fenced(&block) } else { String::new() };
        return format!("{text}. It needs a correction, or the other way round its row is wrong.{example}");
    }
    let adds = candidates
        .iter()
        .map(|Candidate { correction, target, .. }| format!("\n  - add `\"{target}\",` to `at` of `{correction}`"));
    format!(
        "{at} shows faults that others of its kind are corrected for. Unless upstream is right here:{}",
        adds.collect::<String>()
    )
}

/// The row to paste.
fn row(proposal: &Proposal) -> String {
    let Proposal { name, at, group, effect, status, idempotent, destructive, summary } = proposal;
    let mut block = format!(
        "[[operation]]\nname = \"{name}\"\nat = \"{at}\"\ngroup = \"{group}\"\neffect = \"{}\"\nstatus = {status}\nsummary = \"{summary}\"",
        format!("{effect:?}").to_lowercase()
    );
    if let Some(what) = destructive {
        block.push_str(&format!("\ndestructive = \"{what}\""));
    }
    if *effect != Effect::Read {
        block.push_str(&format!("\nidempotent = {idempotent}"));
    }
    let group = if group.is_empty() { " Nothing hints at its group: choose one of the fifteen." } else { "" };
    format!("{group}{}", fenced(&block))
}

/// A block of TOML below an item of a list.
fn fenced(block: &str) -> String {
    let lines: Vec<String> = block.lines().map(|line| format!("  {line}")).collect();
    format!("\n\n  ```toml\n{}\n  ```\n", lines.join("\n"))
}
