//! Audits: sweeps over the whole library that find what needs a person, and name the call that mends it.
//!
//! Detection is code, correction is judgment: an audit reads, and for each thing it found it has the exact call that
//! would mend it ready to send. [`Library`] asks Sonarr for each thing once, in bulk; an audit is a function from it to
//! a [`Worklist`]; [`run`] makes the answer. Each audit is a workflow of its group.

mod finding;
mod grabs;
mod indexers;
mod library;
mod monitoring;
mod queue;
mod report;
mod series;

use futures::FutureExt;
use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

pub use finding::{Finding, Kind, Mend, Worklist};
pub use grabs::AUDIT as GRABS;
pub use indexers::AUDIT as INDEXERS;
pub use library::{Episode, Episodes, Event, File, Library, Media};
pub use monitoring::AUDIT as MONITORING;
pub use queue::AUDIT as QUEUE;
pub use series::AUDIT as SERIES;

use crate::failure::Failure;
use crate::workflows::Plan;
use crate::write::Reader;

/// One sweep.
#[derive(Debug)]
pub struct Audit {
    /// The name of its operation: `audit_…`.
    pub name: &'static str,
    /// What it can find, the most pressing first.
    pub kinds: &'static [Kind],
    /// Looks, and changes nothing.
    pub look: LookFn,
}

/// See [`Audit::look`].
pub type LookFn = for<'a> fn(&'a Library<'a>, &'a Scope) -> BoxFuture<'a, Result<Worklist, Failure>>;

/// What an audit is confined to.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {}

/// All of them, in the order in which a person would go through them.
pub static AUDITS: &[&Audit] = &[&QUEUE, &GRABS, &INDEXERS, &MONITORING, &SERIES];

/// Makes one audit, as a workflow does.
pub fn plan<'a>(
    audit: &'static Audit,
    reader: &'a dyn Reader,
    arguments: Map<String, Value>,
) -> BoxFuture<'a, Result<Plan, Failure>> {
    async move {
        let scope: Scope = crate::workflows::given(arguments)?;
        let library = Library::new(reader.client()?);
        let worklist = (audit.look)(&library, &scope).await?;
        Ok(Plan::Answer(report::answer(audit, &library, worklist)))
    }
    .boxed()
}
