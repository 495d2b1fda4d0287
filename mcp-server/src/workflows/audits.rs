//! The audits, as workflows of the groups in which they belong.

use super::{Workflow, row};
use crate::arguments::schema;
use crate::audits::{self, Scope};
use crate::operation::{Effect, Operation};

/// The row of an audit.
const fn audit(name: &'static str, group: &'static str, summary: &'static str, details: &'static str) -> Operation {
    Operation { summary, details, idempotent: true, arguments: schema::<Scope>, ..row(name, group, Effect::Read, &[]) }
}

pub const MONITORING: Workflow = Workflow {
    operation: audit(
        "audit_monitoring",
        "media_library",
        "Finds series whose monitoring will miss episodes.",
        "Each finding has a reason and, in `mend`, the call that mends it.",
    ),
    example: "{}",
    plan: |reader, arguments| audits::plan(&audits::MONITORING, reader, arguments),
};
