//! What is wrong with an argument, where, and what is accepted there.

use std::fmt;

/// A refused argument. Nothing has been sent when this is returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    /// Where, as in `arguments.body.seasons[1].monitored`.
    pub path: String,
    /// What is wrong there.
    pub problem: String,
    /// The accepted name or value that resembles the one sent.
    pub nearest: Option<String>,
    /// What is accepted there; empty where `problem` says it.
    pub accepted: Vec<String>,
}

impl ArgumentError {
    /// A problem at a path.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        ArgumentError { path: path.into(), problem: problem.into(), nearest: None, accepted: Vec::new() }
    }

    /// Adds what is accepted.
    #[must_use]
    pub fn accepting(mut self, accepted: Vec<String>) -> Self {
        self.accepted = accepted;
        self
    }

    /// Adds the accepted name or value that resembles `given`, if there is one.
    #[must_use]
    pub fn resembling<'a>(mut self, given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        self.nearest = nearest(given, candidates).map(str::to_owned);
        self
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)?;
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean `{nearest}`?")?;
        }
        if !self.accepted.is_empty() {
            write!(f, "; accepted: {}", self.accepted.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for ArgumentError {}

/// The candidate that resembles `given` enough to be what was meant.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this likeness a suggestion misleads more than it helps.
    const ALIKE: f64 = 0.72;
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_lowercase();
    let given = plain(given);
    candidates
        .into_iter()
        .map(|name| {
            let name_plain = plain(name);
            let likeness = if name_plain == given {
                1.0
            } else {
                strsim::normalized_damerau_levenshtein(&given, &name_plain)
                    .max(strsim::jaro_winkler(&given, &name_plain) - 0.12)
            };
            (name, likeness)
        })
        .filter(|(_, likeness)| *likeness >= ALIKE)
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(name, _)| name)
}
