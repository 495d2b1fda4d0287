//! What a new operation could be called, and where it belongs: read off the rows that are there.
//!
//! Most names follow from the method and the place: what kind of place it is says the verb, the path and its
//! neighbours the noun. How often that gives the name which people chose is measured, row by row.

mod nouns;
mod shapes;

use crate::columns::listed;
use crate::document::{Document, content, success};
use crate::table::{Effect, GROUPS, Row, Table};
use anyhow::Result;
use nouns::Words;
use shapes::{Shape, Suffix};
use std::collections::BTreeMap;

/// A row to start from. What it says is a guess; `group` is empty where nothing hints at one.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub name: String,
    pub at: String,
    pub group: String,
    pub effect: Effect,
    pub status: u16,
    pub idempotent: bool,
    pub destructive: Option<String>,
    pub summary: String,
}

/// How many proposals equal the row that people wrote, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub rows: usize,
    pub names: usize,
    pub groups: usize,
    pub effects: usize,
    pub statuses: usize,
    pub summaries: usize,
}

/// Proposes a row for the operation at `at`, which the document has and the table has not.
pub fn propose<'a>(table: &'a Table, document: &'a Document, at: &'a str) -> Result<Proposal> {
    let rows: Vec<&Row> = table.rows.iter().collect();
    Rules::learn(table, document, rows).propose(at)
}

/// Takes each row out of the table, proposes it anew and compares.
pub fn score(table: &Table, document: &Document) -> Result<Score> {
    let mut score = Score { rows: table.rows.len(), ..Score::default() };
    for row in &table.rows {
        let others = table.rows.iter().filter(|other| other.at != row.at).collect();
        let proposal = Rules::learn(table, document, others).propose(&row.at)?;
        score.names += usize::from(proposal.name == row.name);
        score.groups += usize::from(proposal.group == row.group);
        score.effects += usize::from(proposal.effect == row.effect);
        score.statuses += usize::from(proposal.status == row.status);
        score.summaries += usize::from(proposal.summary == row.summary);
    }
    Ok(score)
}

/// The rows that are there, and what their names are made of.
struct Rules<'a> {
    table: &'a Table,
    document: &'a Document,
    rows: Vec<(Shape<'a>, &'a Row)>,
    words: Words,
}

impl<'a> Rules<'a> {
    fn learn(table: &'a Table, document: &'a Document, rows: Vec<&'a Row>) -> Self {
        let schemas = document.schemas().into_iter().flat_map(|schemas| schemas.keys());
        let words = Words::learn(rows.iter().map(|row| row.name.as_str()), schemas.map(String::as_str));
        let mut rules =
            Self { table, document, rows: rows.into_iter().map(|row| (Shape::of(&row.at), row)).collect(), words };
        rules.rows = rules.rows.iter().map(|(shape, row)| (rules.sure(shape.clone()), *row)).collect();
        rules
    }

    /// What looks like a verb and can be read is a resource: `tag/detail`, not `queue/grab`.
    fn sure(&self, shape: Shape<'a>) -> Shape<'a> {
        let (Suffix::Verb(word) | Suffix::VerbId(word)) = shape.suffix else { return shape };
        let resource: Vec<&str> = shape.resource.iter().copied().chain([word]).collect();
        if !self.rows.iter().any(|(row, _)| row.method == "GET" && row.resource == resource) {
            return shape;
        }
        let suffix = if shape.ends_in_id() { Suffix::Id } else { Suffix::None };
        Shape { resource, suffix, ..shape }
    }

    fn propose(&self, at: &'a str) -> Result<Proposal> {
        let shape = self.sure(Shape::of(at));
        let lists = self.lists(at)?;
        let name = self.free(self.name(&shape, lists), &shape);
        let alike = |row: &Shape| row.method == shape.method && row.suffix.alike(&shape.suffix);
        let (effect, idempotent) = self
            .most(alike, |row| (row.effect, row.idempotent()))
            .or_else(|| {
                self.most(
                    |row| row.method == shape.method && row.ends_in_id() == shape.ends_in_id(),
                    |row| (row.effect, row.idempotent()),
                )
            })
            .unwrap_or(match shape.method {
                "GET" => (Effect::Read, true),
                "DELETE" => (Effect::Delete, true),
                "PUT" => (Effect::Update, true),
                _ => (Effect::Action, false),
            });
        let same = |row: &Row| row.method() == shape.method && row.effect == effect;
        let status = most(self.rows.iter().filter(|(_, row)| same(row)).map(|(_, row)| row.status)).unwrap_or(200);
        let noun = spoken(&self.noun(&shape));
        let many = matches!(shape.suffix, Suffix::Bulk | Suffix::VerbBulk(_));
        let destructive = (effect == Effect::Delete).then(|| {
            if many { format!("the {} are lost", nouns::plural(&noun)) } else { format!("the {noun} is lost") }
        });
        let summary = summary(&name, &noun, &shape, self.is_paged(at));
        Ok(Proposal {
            name,
            at: at.to_owned(),
            group: self.group(&shape, at),
            effect,
            status,
            idempotent,
            destructive,
            summary,
        })
    }

    /// Verb and noun.
    fn name(&self, shape: &Shape, lists: bool) -> String {
        let noun = self.noun(shape);
        let many = nouns::plural(&noun);
        let verb = |usual: &str| {
            let alike = |row: &Shape| {
                row.method == shape.method && row.suffix.alike(&shape.suffix) && row.resource == shape.resource
            };
            let counterpart =
                |row: &Shape| row.method == shape.method && row.resource == shape.resource && row.ends_in_id();
            self.most(alike, first_word)
                .or_else(|| self.most(counterpart, first_word).filter(|_| matches!(shape.suffix, Suffix::Bulk)))
                .or_else(|| self.most(|row| row.method == shape.method && row.suffix == shape.suffix, first_word))
                .unwrap_or_else(|| usual.to_owned())
        };
        match (shape.method, &shape.suffix) {
            ("GET", Suffix::None) if lists => format!("list_{many}"),
            ("GET", Suffix::Id) if shape.resource.first() == Some(&"config") => format!("get_{noun}_by_id"),
            // One answer of many parts keeps its plural: `get_quality_definition_limits`.
            ("GET", Suffix::None) if self.nouns(shape).is_none() => format!("get_{}", self.words_of(shape)),
            ("GET", Suffix::None | Suffix::Id) => format!("get_{noun}"),
            ("GET", Suffix::Schema) if lists => format!("list_{noun}_schemas"),
            ("GET", Suffix::Schema) => format!("get_{noun}_schema"),
            ("POST", Suffix::None) => format!("{}_{noun}", verb("create")),
            ("PUT", Suffix::None | Suffix::Id) => format!("{}_{noun}", verb("update")),
            ("DELETE", Suffix::None | Suffix::Id) => format!("{}_{noun}", verb("delete")),
            (_, Suffix::Bulk) => format!("{}_{many}", verb(if shape.method == "PUT" { "update" } else { "delete" })),
            (_, Suffix::Test) => format!("test_{noun}"),
            (_, Suffix::TestAll) => format!("test_all_{many}"),
            (_, Suffix::Action) => format!("run_{noun}_action"),
            (_, Suffix::Verb(word) | Suffix::VerbId(word)) => format!("{}_{noun}", self.words.split(word)),
            (_, Suffix::VerbBulk(word)) => format!("{}_{many}", self.words.split(word)),
            (method, _) => format!("{}_{noun}", method.to_lowercase()),
        }
    }

    /// The noun of a place in the singular, as its neighbours' names have it, or else as its path has it.
    fn noun(&self, shape: &Shape) -> String {
        self.nouns(shape).unwrap_or_else(|| nouns::singular(&self.words_of(shape)))
    }

    /// The noun that most neighbours have.
    fn nouns(&self, shape: &Shape) -> Option<String> {
        let neighbours = self.rows.iter().filter(|(row, _)| row.resource == shape.resource);
        most(neighbours.filter_map(|(row, it)| {
            let (_, noun) = it.name.split_once('_')?;
            match (row.method, &row.suffix) {
                (_, Suffix::Id) => Some(noun.strip_suffix("_by_id").unwrap_or(noun).to_owned()),
                ("POST", Suffix::None) | (_, Suffix::Test) => Some(noun.to_owned()),
                ("GET", Suffix::None) if it.name.starts_with("list_") => Some(nouns::singular(noun)),
                ("GET", Suffix::None) => Some(noun.to_owned()),
                ("DELETE" | "PUT", Suffix::Bulk) => Some(nouns::singular(noun)),
                _ => None,
            }
        }))
    }

    /// The words of the path; `config/ui` is the `ui_config`.
    fn words_of(&self, shape: &Shape) -> String {
        let words: Vec<String> = shape.resource.iter().map(|segment| self.words.split(segment)).collect();
        match words.split_first() {
            Some((first, rest)) if first == "config" && !rest.is_empty() => format!("{}_config", rest.join("_")),
            _ => words.join("_"),
        }
    }

    /// A name that no row has: what tells the place from its neighbour is added.
    fn free(&self, name: String, shape: &Shape) -> String {
        let taken = |name: &str| self.rows.iter().any(|(_, row)| row.name == name);
        let mut free = if name.contains('_') { name } else { format!("get_{name}") };
        if taken(&free) {
            free = format!("{free}_{}", if shape.ends_in_id() { "by_id" } else { "again" });
        }
        while taken(&free) {
            free.push_str("_again");
        }
        free
    }

    /// The group of the nearest neighbours, of the operations that deal in the same resource, or of the same words.
    fn group(&self, shape: &Shape, at: &str) -> String {
        let start = &shape.resource;
        for shared in (1..=start.len()).rev() {
            let neighbours = self
                .rows
                .iter()
                .filter(|(row, _)| row.resource.iter().zip(start).take_while(|(a, b)| a == b).count() >= shared);
            if let Some(group) = most(neighbours.map(|(_, row)| row.group.clone())) {
                return group;
            }
        }
        if let Some(resource) = self.resource(at) {
            let same = self.rows.iter().filter(|(_, row)| self.resource(&row.at).as_ref() == Some(&resource));
            if let Some(group) = most(same.map(|(_, row)| row.group.clone())) {
                return group;
            }
        }
        self.group_by_words(shape)
    }

    /// The group whose title, summary and names have most of the words; none where no word is known.
    fn group_by_words(&self, shape: &Shape) -> String {
        let noun = self.noun(shape);
        let words: Vec<&str> = noun.split('_').filter(|word| word.len() > 3).collect();
        let mut best = (0, String::new());
        for group in GROUPS {
            let Some(about) = self.table.groups.get(group) else { continue };
            let text = format!("{} {}", about.title, about.summary).to_lowercase();
            let names = self.rows.iter().filter(|(_, row)| row.group == group).map(|(_, row)| row.name.as_str());
            let names: Vec<&str> = names.collect();
            let score = words
                .iter()
                .map(|word| {
                    let stem = nouns::singular(word);
                    2 * usize::from(text.contains(&stem)) + usize::from(names.iter().any(|name| name.contains(&stem)))
                })
                .sum::<usize>();
            if score > best.0 {
                best = (score, group.to_owned());
            }
        }
        best.1
    }

    /// The schema an operation answers with, or takes.
    fn resource(&self, at: &str) -> Option<String> {
        let operation = self.document.operation(at).ok()?;
        if let Ok(Some(listed)) = listed(self.document, at) {
            return Some(listed);
        }
        let json = |value| content(value)?.get("application/json")?.get("schema").and_then(crate::document::reference);
        let answer = success(operation).ok().and_then(|(_, answer)| json(answer));
        answer.or_else(|| operation.get("requestBody").and_then(json)).map(str::to_owned)
    }

    fn lists(&self, at: &str) -> Result<bool> {
        Ok(success(self.document.operation(at)?).is_ok() && {
            let answer = success(self.document.operation(at)?)?.1;
            let schema = content(answer).and_then(|content| content.get("application/json")?.get("schema"));
            schema.is_some_and(|schema| schema.get("items").is_some()) || listed(self.document, at)?.is_some()
        })
    }

    fn is_paged(&self, at: &str) -> bool {
        self.document.operation(at).is_ok_and(|operation| {
            crate::document::parameters(operation).any(|it| it.get("name").is_some_and(|name| name == "pageSize"))
        })
    }

    /// What most of the rows say whose shape is like that.
    fn most<T: Ord + Clone>(&self, alike: impl Fn(&Shape) -> bool, says: impl Fn(&Row) -> T) -> Option<T> {
        most(self.rows.iter().filter(|(shape, _)| alike(shape)).map(|(_, row)| says(row)))
    }
}

fn first_word(row: &Row) -> String {
    row.name.split('_').next().unwrap_or_default().to_owned()
}

/// The most frequent value, the first in order where two are as frequent.
fn most<T: Ord>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

fn spoken(noun: &str) -> String {
    noun.replace('_', " ")
}

/// One sentence that is true of what the name says.
fn summary(name: &str, noun: &str, shape: &Shape, paged: bool) -> String {
    let many = nouns::plural(noun);
    let a = nouns::with_article(noun);
    let (verb, rest) = name.split_once('_').unwrap_or((name, ""));
    match (verb, &shape.suffix) {
        ("list", Suffix::Schema) => format!("Templates of all kinds of {noun}, to build a new one from."),
        ("list", _) if paged => format!("A page of the {many}."),
        ("list", _) => format!("Every {noun}."),
        ("get", Suffix::Id) if rest.ends_with("_by_id") => format!("The same {noun}, whatever the id."),
        ("get", Suffix::Id) => format!("One {noun} by id."),
        ("get", _) => format!("The {}.", spoken(rest)),
        ("create" | "add", _) => format!("Adds {a}."),
        ("update", Suffix::Bulk) => format!("Changes common settings of several {many}."),
        ("update", _) => format!("Replaces {a} with the one sent."),
        ("delete" | "remove", Suffix::Bulk) => format!("Removes several {many}."),
        ("delete" | "remove", _) => format!("Removes {a}."),
        ("test", Suffix::TestAll) => format!("Tests every enabled {noun}."),
        ("test", _) => format!("Tests the settings of {a} without saving them."),
        (_, Suffix::Action) => format!("Runs a helper of the form of {a}."),
        (_, Suffix::VerbBulk(_)) => format!("{} several {many}.", nouns::third_person(verb)),
        _ => format!("{} {a}.", nouns::third_person(verb)),
    }
}

#[cfg(test)]
mod tests;
