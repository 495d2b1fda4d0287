//! A document held against the tables: what they do not say yet, and what the SDK would become.
//!
//! Where a table is silent, the proposal stands in, so that one look shows everything. The stand-ins live in memory
//! only: nothing is written with them.

use super::proposals::{self, Proposal};
use crate::corrections::{self, Candidate};
use crate::document::Document;
use crate::notes::{self, Notes};
use crate::output::Files;
use crate::problems::{Kind, Problem};
use crate::regen::Sources;
use crate::table::{GROUPS, Row, Table};
use crate::{columns, commands, examples, invariants, sdk};
use anyhow::{Context, Result};
use std::collections::BTreeMap;

/// How a document and the tables go together.
pub struct Fit {
    /// What the tables do not say, or say of what is gone.
    pub problems: Vec<Problem>,
    /// A row for each operation that has none.
    pub proposals: Vec<Proposal>,
    /// Corrections that operations without a cure may need, by place.
    pub candidates: BTreeMap<String, Vec<Candidate>>,
    /// The document with corrections and descriptions, stand-ins included.
    pub described: Document,
    /// The rows of this document, stand-ins included.
    pub table: Table,
    /// The SDK's generated files, or why they cannot be made.
    pub sdk: Result<Files>,
}

impl Fit {
    /// Holds the document against the tables.
    pub fn of(sources: &Sources, document: &Document) -> Result<Self> {
        let mut table = Table::parse(&sources.operations, &sources.parameters)?;
        let mut problems = table.coverage(document);
        let (corrected, misfits) = corrections::apply(&sources.corrections, document.clone())?;
        problems.extend(misfits);

        // What a gone operation was called is free again, for it may only have moved.
        table.rows.retain(|row| document.operation(&row.at).is_ok());
        let mut proposals = Vec::new();
        for problem in &problems {
            if let Kind::NoRow { at } = &problem.kind {
                proposals.push(proposals::propose(&table, &corrected, at)?);
            }
        }
        distinct(&mut proposals);
        table.rows.extend(proposals.iter().map(stand_in));

        let uncorrected = invariants::check(&corrected, &table)?;
        let mut cured = corrected;
        let mut candidates = BTreeMap::new();
        for row in &table.rows {
            let is_new = proposals.iter().any(|proposal| proposal.at == row.at);
            let is_odd = uncorrected.iter().any(|problem| problem.kind == Kind::Uncorrected { at: row.at.clone() });
            if is_new || is_odd {
                let found = corrections::candidates(&sources.corrections, &mut cured, &row.at, row.status)?;
                candidates.insert(row.at.clone(), found);
            }
        }
        problems.extend(uncorrected);
        let (described, undescribed) = table.describe(cured)?;
        problems.extend(undescribed);
        problems.extend(tables(sources, &described, &table));
        let odd = invariants::check(&described, &table)?;
        let sdk = match odd.first() {
            // progenitor panics on some of what the rules forbid.
            Some(problem) => Err(anyhow::anyhow!("{problem}")),
            None => generated(sources, &described, &table),
        };
        Ok(Self { problems, proposals, candidates, described, table, sdk })
    }
}

/// What the tables of columns, commands and examples lack, or have too much.
fn tables(sources: &Sources, described: &Document, table: &Table) -> Vec<Problem> {
    let mut files = Files::default();
    let checks = [
        (columns::FILE, columns::generate(&sources.columns, described, table, &mut files)),
        (commands::FILE, commands::generate(&sources.commands, described, &mut files)),
        (examples::FILE, examples::generate(&sources.examples, described, table, &mut files)),
    ];
    let mend = |file: &'static str, error: anyhow::Error| Problem::new(file, Kind::Mend, format!("{error:#}"));
    let found = checks.into_iter().flat_map(|(file, found)| found.unwrap_or_else(|error| vec![mend(file, error)]));
    let mut problems: Vec<Problem> = found.collect();
    problems.extend(noted(sources, described, table).err().map(|error| mend(notes::ERRORS, error)));
    problems
}

/// What the tables of refusals and versions tell of each operation.
fn noted(sources: &Sources, described: &Document, table: &Table) -> Result<Notes> {
    let reasons = corrections::reasons(&sources.corrections)?;
    notes::read(&sources.errors, &sources.versions, &reasons, described, table)
}

fn generated(sources: &Sources, described: &Document, table: &Table) -> Result<Files> {
    let mut files = Files::default();
    // Notes are docs: without them the SDK has the same surface.
    let silent = || table.rows.iter().map(|row| (row.name.clone(), Default::default())).collect();
    let notes = noted(sources, described, table).unwrap_or_else(|_| silent());
    sdk::generate(described, table, &notes, &mut files).context("the SDK cannot be made")?;
    commands::generate(&sources.commands, described, &mut files)?;
    Ok(files)
}

/// Two operations proposed at once may hit on one name.
fn distinct(proposals: &mut [Proposal]) {
    let mut taken: Vec<String> = Vec::new();
    for proposal in proposals {
        while taken.contains(&proposal.name) {
            proposal.name.push_str("_again");
        }
        taken.push(proposal.name.clone());
    }
}

/// The row a proposal would be; in some group, where none is proposed.
fn stand_in(proposal: &Proposal) -> Row {
    let [.., last] = GROUPS;
    let group = if proposal.group.is_empty() { last.to_owned() } else { proposal.group.clone() };
    Row {
        name: proposal.name.clone(),
        at: proposal.at.clone(),
        group,
        effect: proposal.effect,
        status: proposal.status,
        summary: proposal.summary.clone(),
        destructive: proposal.destructive.clone(),
        idempotent: Some(proposal.idempotent),
        long_running: false,
        accepts: Vec::new(),
        deprecated: None,
        details: String::new(),
        requires: Vec::new(),
    }
}
