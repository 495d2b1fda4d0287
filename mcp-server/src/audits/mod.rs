//! Audits: sweeps over the whole library that find what needs a person, and name the call that mends it.
//!
//! Detection is code, correction is judgment: an audit reads, and for each thing it found it has the exact call that
//! would mend it ready to send. [`Library`] asks Sonarr for each thing once, in bulk; an audit is a function from it to
//! a [`Worklist`]; [`report`] makes the answer. A new audit is a file with its [`Audit`] and a line in the table below:
//! the operations, the command line, the documents and the tests are made from that table.

mod bytes;
mod cutoff;
mod files;
mod finding;
mod forecast;
mod grabs;
pub mod guide;
mod health;
mod indexers;
mod library;
mod media;
mod missing;
mod monitoring;
mod names;
mod overview;
mod queue;
mod report;
mod searching;
mod series;
mod settings;

use futures::FutureExt;
use futures::future::BoxFuture;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value};
use sonarr_client::Client;

pub use finding::{Finding, Kind, Mend, Worklist};
pub use forecast::WORKFLOW as FORECAST;
pub use library::{DAYS, Episode, Episodes, Event, File, Library, Media};
pub use overview::OVERVIEW;

use crate::answer::Answer;
use crate::arguments::schema;
use crate::failure::Failure;
use crate::operation::{Kind as Type, Parameter, Place};
use crate::workflows::{self, Plan, Workflow};
use crate::write::Reader;

/// One sweep, and the row of its operation.
#[derive(Debug)]
pub struct Audit {
    /// The name of its operation: `audit_…`.
    pub name: &'static str,
    /// The group in which that is.
    pub group: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// What else a caller should know.
    pub details: &'static str,
    /// The arguments of a call that works, as JSON.
    pub example: &'static str,
    /// What it takes; see [`Scope`].
    pub parameters: &'static [Parameter],
    /// The schema of that.
    pub arguments: fn() -> Schema,
    /// What it can find, the most pressing first.
    pub kinds: &'static [Kind],
    /// Looks, and changes nothing.
    pub look: LookFn,
}

/// See [`Audit::look`].
pub type LookFn = for<'a> fn(&'a Library<'a>, &'a Scope) -> BoxFuture<'a, Result<Worklist, Failure>>;

impl Audit {
    /// What most audits have in common: they take no argument.
    pub const PLAIN: Audit = Audit {
        name: "",
        group: "",
        summary: "",
        details: DETAILS,
        example: "{}",
        parameters: &[],
        arguments: schema::<Whole>,
        kinds: &[],
        look: |_, _| async { Ok(Worklist::default()) }.boxed(),
    };

    /// The same for an audit of the history, which takes `days`.
    pub const RECENT: Audit =
        Audit { example: r#"{"days": 30}"#, parameters: &[DAYS_BACK], arguments: schema::<Recent>, ..Audit::PLAIN };
}

/// What is to be known about the answer of any audit.
const DETAILS: &str = "Changes nothing. `kinds` counts what was found and says what it means; each of `findings` has a \
                       `reason` and, in `mend`, the call that mends it, ready to send. `unseen` names what could not be \
                       looked at. The query \"findings[?kind=='KIND'] | [:20]\" selects.";

const DAYS_BACK: Parameter = Parameter {
    name: "days",
    place: Place::Query,
    kind: Type::Integer,
    required: false,
    summary: "How far the history is looked at. Default: 30.",
    values: &[],
};

/// What an audit is confined to.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {
    /// How far back the history is looked at, in days; [`DAYS`] unless it is given.
    pub days: Option<u32>,
    /// Whether what would need a request a series is done for some of them only. No caller can say so: it is set where
    /// all audits are made at once.
    #[serde(skip)]
    pub sample: bool,
}

/// The arguments of [`Audit::PLAIN`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Whole {}

/// The arguments of [`Audit::RECENT`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used; Scope is what the arguments are read into")]
struct Recent {
    days: Option<u32>,
}

/// Makes the table, and of each row the workflow that is its operation.
macro_rules! audits {
    ($($module:ident),* $(,)?) => {
        /// All of them, in the order in which a person would go through them.
        pub static AUDITS: &[&Audit] = &[$(&$module::AUDIT),*];

        /// The same as operations, after the one that makes all of them.
        pub static WORKFLOWS: &[Workflow] = &[OVERVIEW, $(Workflow {
            operation: workflows::audits::row(&$module::AUDIT),
            example: $module::AUDIT.example,
            plan: |reader, arguments| plan(&$module::AUDIT, reader, arguments),
        }),*];
    };
}

audits![health, queue, missing, grabs, indexers, monitoring, series, files, media, names, cutoff, settings];

/// The audit behind an operation, if it is one.
pub fn of(name: &str) -> Option<&'static Audit> {
    AUDITS.iter().copied().find(|audit| audit.name == name)
}

/// Makes several audits of a whole library within `scope`; the answer has all of their findings.
///
/// # Errors
/// Where not even the series can be read.
pub async fn survey(client: &Client, audits: &[&'static Audit], scope: &Scope) -> Result<Answer, Failure> {
    let library = Library::new(client).with_days(scope.days.unwrap_or(DAYS));
    let made = overview::all(&library, audits, scope).await?;
    Ok(report::survey(&library, made))
}

/// Makes one audit, as a workflow does.
fn plan<'a>(
    audit: &'static Audit,
    reader: &'a dyn Reader,
    arguments: Map<String, Value>,
) -> BoxFuture<'a, Result<Plan, Failure>> {
    async move {
        let scope: Scope = workflows::given(arguments)?;
        let library = Library::new(reader.client()?).with_days(scope.days.unwrap_or(DAYS));
        let worklist = (audit.look)(&library, &scope).await?;
        Ok(Plan::Answer(report::answer(audit, &library, worklist)))
    }
    .boxed()
}

#[cfg(test)]
mod tests;
