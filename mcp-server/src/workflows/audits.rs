//! The audits, as workflows of the groups in which they belong.

use super::row as plain;
use crate::audits::Audit;
use crate::operation::{Effect, Operation};

/// The operation of an audit.
pub const fn row(audit: &Audit) -> Operation {
    Operation {
        summary: audit.summary,
        details: audit.details,
        idempotent: true,
        arguments: audit.arguments,
        ..plain(audit.name, audit.group, Effect::Read, audit.parameters)
    }
}

/// The operation of something that reads all of the library and is no audit: it takes nothing.
pub const fn reading(
    name: &'static str,
    group: &'static str,
    summary: &'static str,
    details: &'static str,
) -> Operation {
    Operation { summary, details, idempotent: true, ..plain(name, group, Effect::Read, &[]) }
}
