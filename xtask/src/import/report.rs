//! The report: Markdown that reads on a terminal and in a pull request.

use super::differences::{Changes, Differences};
use super::fit::Fit;
use super::proposals::{self, Score};
use super::surface::{Impact, Surface};
use super::todo;
use crate::document::Document;
use crate::problems::Kind;
use crate::regen::{self, Sources};
use crate::sdk;
use anyhow::Result;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a maintainer has to know of a newer document.
pub struct Report {
    /// Markdown; empty where there is nothing to tell.
    pub text: String,
    /// How many things the tables do not say yet.
    pub left: usize,
}

impl Report {
    /// Compares `new` with the vendored document, and what it would generate with `generated`.
    pub fn make(sources: &Sources, new: &Document, generated: &BTreeMap<String, String>) -> Result<Self> {
        let old = sources.vendored()?;
        let differences = Differences::between(&old, new)?;
        let fit = Fit::of(sources, new)?;
        let left = fit.problems.len();
        if differences.is_empty() && left == 0 {
            return Ok(Self { text: String::new(), left });
        }
        let mut text = format!(
            "# A newer document\n\n{} → {} operations, {} → {} schemas.\n",
            old.operations().count(),
            new.operations().count(),
            old.schemas()?.len(),
            new.schemas()?.len()
        );
        for line in &differences.head {
            writeln!(text, "- {line}")?;
        }
        to_do(&mut text, &fit, sources)?;
        changes(&mut text, "Operations", &differences.operations)?;
        changes(&mut text, "Schemas", &differences.schemas)?;
        api(&mut text, &fit, generated)?;
        Ok(Self { text, left })
    }
}

/// What is left to do, first: it decides whether the document can be taken.
fn to_do(text: &mut String, fit: &Fit, sources: &Sources) -> Result<()> {
    text.push_str("\n## To do\n\n");
    if fit.problems.is_empty() {
        text.push_str("Nothing: the tables say what to do with everything.\n");
        return Ok(());
    }
    text.push_str(
        "Until this is done the document is not taken. `cargo xtask import FILE --check` shows what is left, and may \
         show more once this is done.\n",
    );
    if fit.problems.iter().any(|problem| matches!(problem.kind, Kind::NoRow { .. })) {
        // Without a fitting table there is nothing to measure with; then the figure is left out.
        if let Ok((table, document)) = regen::described(sources) {
            score(text, proposals::score(&table, &document)?)?;
        }
    }
    text.push_str(&todo::lines(fit)?);
    Ok(())
}

fn score(text: &mut String, score: Score) -> Result<()> {
    let Score { rows, names, groups, effects, statuses, summaries } = score;
    writeln!(
        text,
        "\nHow far to trust the proposed rows: with each of the {rows} rows taken out and proposed anew, the proposal \
         equals the name {names} times, the group {groups}, the effect {effects}, the status {statuses}, the summary \
         {summaries}."
    )?;
    Ok(())
}

fn changes(text: &mut String, title: &str, changes: &Changes) -> Result<()> {
    if changes.is_empty() {
        writeln!(text, "\n## {title}\n\nAs they were.")?;
        return Ok(());
    }
    let Changes { added, removed, changed } = changes;
    writeln!(text, "\n## {title}\n\n{} added, {} removed, {} changed.", added.len(), removed.len(), changed.len())?;
    for (word, items) in [("added", added), ("changed", changed)] {
        for (name, lines) in items {
            writeln!(text, "\n- {word}: **{name}**")?;
            for line in lines {
                writeln!(text, "  - {line}")?;
            }
        }
        if word == "added" && !removed.is_empty() {
            text.push('\n');
            for name in removed {
                writeln!(text, "- removed: **{name}**")?;
            }
        }
    }
    Ok(())
}

fn api(text: &mut String, fit: &Fit, generated: &BTreeMap<String, String>) -> Result<()> {
    text.push_str("\n## The public API of sonarr-client\n\n");
    let files = match &fit.sdk {
        Ok(files) => files.below(sdk::FOLDER),
        Err(error) => {
            writeln!(text, "Cannot be told before this is mended: {error:#}.")?;
            return Ok(());
        }
    };
    let impact = Surface::read(generated)?.becomes(&Surface::read(&files)?);
    if !fit.problems.is_empty() && impact != Impact::default() {
        text.push_str("As it would be with everything proposed above.\n\n");
    }
    if impact.breaks.is_empty() {
        text.push_str("Nothing breaks.\n");
    } else {
        writeln!(text, "### Breaks ({})\n", impact.breaks.len())?;
        for line in &impact.breaks {
            writeln!(text, "- {line}")?;
        }
    }
    if !impact.adds.is_empty() {
        writeln!(
            text,
            "\n### Adds ({})\n\nA new member or value breaks only code that names all members of a type without \
             `..Default::default()`, or\nmatches all values without `_`.\n",
            impact.adds.len()
        )?;
        for line in &impact.adds {
            writeln!(text, "- {line}")?;
        }
    }
    Ok(())
}
