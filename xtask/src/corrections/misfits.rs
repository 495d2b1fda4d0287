//! Where a correction does not fit the document, and what became of its cause.

use super::{Correction, FILE, Place, shorthand, target};
use crate::document::{Document, content, success};
use crate::problems::{Kind, Problem};
use anyhow::{Context, Result, anyhow};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A correction that does not fit the document, at one of its targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    pub correction: String,
    pub target: String,
    /// How many targets the correction has in all.
    pub targets: usize,
    /// What was expected and what stands there.
    pub fault: String,
    pub cause: Cause,
}

/// What became of the cause of a correction.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// What it corrects is no longer in the document.
    Gone,
    /// The document says itself now what the correction would put there.
    Mended,
    /// The document says something third: as the correction's `was` would spell it, empty for nothing.
    Other(String),
}

impl Misfit {
    pub(super) fn into_problem(self) -> Problem {
        let Self { correction, target, fault, .. } = &self;
        let text = format!(
            "correction `{correction}` does not fit the document any more (mended upstream?): {target}: {fault}"
        );
        Problem::new(FILE, Kind::Misfit(self), text)
    }
}

impl Correction {
    /// Tells why the correction failed at a target; an error where the table itself is wrong.
    pub(super) fn misfit(&self, document: &Document, at: &str, fault: &anyhow::Error) -> Result<Misfit> {
        let targets = self.responses.as_ref().map_or(self.at.len(), BTreeMap::len);
        let cause = self.cause(document, at).with_context(|| at.to_owned())?;
        Ok(Misfit { correction: self.name.clone(), target: at.into(), targets, fault: format!("{fault:#}"), cause })
    }

    fn cause(&self, document: &Document, at: &str) -> Result<Cause> {
        let pointer = match target(document, at) {
            Ok(pointer) => pointer,
            // A parameter of an operation that went with it.
            Err(_) if at.starts_with("parameter ") => return Ok(Cause::Gone),
            Err(error) => return Err(error),
        };
        let Some(stands) = document.0.pointer(&pointer) else { return Ok(Cause::Gone) };
        if self.pointer.is_some() {
            return self.cause_at_pointer(stands);
        }
        let Some((stands, now)) = self.stands_and_now(at, stands) else { return Ok(Cause::Other(String::new())) };
        Ok(if stands == now { Cause::Mended } else { Cause::Other(stands) })
    }

    fn cause_at_pointer(&self, holder: &Value) -> Result<Cause> {
        Ok(match (holder.pointer(self.pointer.as_deref().unwrap_or_default()), &self.now) {
            (None, None) => Cause::Gone,
            (Some(stands), Some(now)) if stands == now => Cause::Mended,
            (Some(stands), _) => Cause::Other(spelt(stands)?),
            (None, Some(_)) => Cause::Other(String::new()),
        })
    }

    /// What stands at the target and what the correction puts there, both as the table spells them.
    fn stands_and_now(&self, at: &str, operation: &Value) -> Option<(String, String)> {
        let answer = || success(operation.as_object()?).ok();
        if let Some(change) = &self.status {
            return Some((answer()?.0.to_owned(), change.now.to_string()));
        }
        if let Some(change) = self.response.as_ref().or_else(|| self.responses.as_ref()?.get(at)) {
            return Some((quoted(&shorthand(answer()?.1).ok()?), quoted(&change.now)));
        }
        let change = self.media_types.as_ref()?;
        let holder = match change.place {
            Place::Request => operation.get("requestBody")?,
            Place::Response => answer()?.1,
        };
        let stands: BTreeSet<String> = content(holder).into_iter().flat_map(Map::keys).cloned().collect();
        Some((list(&stands), list(&change.now)))
    }
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn list(names: &BTreeSet<String>) -> String {
    format!("{:?}", names.iter().collect::<Vec<_>>())
}

/// A JSON value as the table spells it.
fn spelt(value: &Value) -> Result<String> {
    let value = toml::Value::try_from(value).map_err(|error| anyhow!("{value} has no place in TOML: {error}"))?;
    Ok(value.to_string())
}
