//! Corrections that a new operation may need as well: it shows the fault they cure.

use super::{Correction, CorrectionsFile, FILE};
use crate::document::{Document, parameters, text};
use anyhow::{Context, Result};

/// A target that may have to join a correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub correction: String,
    pub target: String,
}

/// The corrections whose fault the operation at `at` shows, with the target to add; `status` is the one its row gives.
/// The document is cured of what is found.
///
/// A correction of answers counts only for operations of the method and the last word of one it names already, one of
/// parameters only for parameters of a name it names already.
pub fn candidates(corrections: &str, document: &mut Document, at: &str, status: u16) -> Result<Vec<Candidate>> {
    let file: CorrectionsFile = toml::from_str(corrections).context(FILE)?;
    let operation = document.operation(at)?;
    let mut targets = vec![at.to_owned()];
    for parameter in parameters(operation) {
        targets.push(format!("parameter {at} {}", text(parameter, "name")?));
    }
    let mut found = Vec::new();
    for correction in &file.correction {
        for target in &targets {
            if correction.suits(target, status) && correction.apply_at(document, target).is_ok() {
                found.push(Candidate { correction: correction.name.clone(), target: target.clone() });
            }
        }
    }
    Ok(found)
}

impl Correction {
    /// Whether the correction is one for targets like this.
    fn suits(&self, target: &str, status: u16) -> bool {
        let alike = |alike: fn(&str) -> Option<(&str, &str)>| {
            alike(target).is_some_and(|target| self.at.iter().any(|known| alike(known) == Some(target)))
        };
        if target.starts_with("parameter ") {
            return self.was.is_some() && alike(|target| target.rsplit_once(' ').map(|(_, name)| ("", name)));
        }
        if self
            .at
            .iter()
            .any(|known| known == target || known.starts_with("parameter ") || known.starts_with("schema "))
        {
            return false;
        }
        match &self.status {
            Some(change) => change.now == status && alike(|at| at.split_once(' ').map(|(method, _)| (method, ""))),
            None if self.response.is_some() => alike(|at| Some((at.split_once(' ')?.0, at.rsplit_once('/')?.1))),
            // What one operation needs is no rule for others.
            None => self.at.len() > 1,
        }
    }
}
