//! What stands between the document and the tables: found all at once, so that all can be mended at once.

use crate::corrections::Misfit;
use anyhow::{Result, bail};
use std::fmt::{self, Display, Formatter};

/// Something a table says wrongly or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The table.
    pub file: &'static str,
    /// What is wrong, in one sentence.
    pub text: String,
    pub kind: Kind,
}

/// What kind of problem it is, and where.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// An operation without a row.
    NoRow { at: String },
    /// A row without an operation.
    StrayRow { name: String },
    /// A correction that does not fit.
    Misfit(Misfit),
    /// What holds for every other operation of the corrected document does not hold for this one.
    Uncorrected { at: String },
    /// A parameter nothing is said of.
    NoParameter { operation: String, name: String },
    /// An entry that describes no parameter; `operation` is empty where it holds for all.
    StrayParameter { operation: String, name: String },
    /// A resource that is listed and has no columns.
    NoColumns { schema: String },
    /// Columns of something that is not listed.
    StrayColumns { schema: String },
    /// A column that is no member.
    StrayColumn { schema: String, column: String },
    /// An operation without an example.
    NoExample { operation: String },
    /// An example of nothing.
    StrayExample { operation: String },
    /// Anything else that has to be mended where the sentence says.
    Mend,
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.text)
    }
}

impl Problem {
    /// A problem of `file`.
    pub fn new(file: &'static str, kind: Kind, text: impl Into<String>) -> Self {
        Self { file, text: text.into(), kind }
    }
}

/// Fails with every problem, a line each.
pub fn none(problems: &[Problem]) -> Result<()> {
    match problems {
        [] => Ok(()),
        [one] => bail!("{one}"),
        all => {
            bail!("{} problems\n  {}", all.len(), all.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n  "))
        }
    }
}
