//! All audits in one call: the place to start.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt;
use futures::future::join_all;

use super::{AUDITS, Audit, Library, Scope, Worklist, report};
use crate::failure::Failure;
use crate::workflows::audits::reading;
use crate::workflows::{Plan, Workflow};
use crate::write::Reader;

/// The operation.
pub const OVERVIEW: Workflow = Workflow {
    operation: reading(
        "audit_library",
        "system_commands",
        "Makes all audits of the library: what needs a person, with the worst examples. The place to start.",
        "Changes nothing. `audits` counts what each audit found by kind; calling its operation in its tool gives all of \
         its findings. `worst` has the first of each kind, each with a `reason` and, in `mend`, the call that mends it, \
         ready to send. `unseen` names what could not be looked at. What would need a request for every series is done \
         for some of them.",
    ),
    example: "{}",
    plan: |reader, _| plan(reader).boxed(),
};

async fn plan(reader: &dyn Reader) -> Result<Plan, Failure> {
    let library = &Library::new(reader.client()?);
    let made = all(library, AUDITS, &Scope { sample: true, ..Scope::default() }).await?;
    Ok(Plan::Answer(report::overview(library, made)))
}

/// What came of several audits, in their order.
pub type Made = Vec<(&'static Audit, Result<Worklist, Failure>)>;

/// Makes several audits over one library.
///
/// # Errors
/// Where not even the series can be read: there is one reason for it, and not one for each audit.
pub async fn all(library: &Library<'_>, audits: &[&'static Audit], scope: &Scope) -> Result<Made, Failure> {
    library.series().await?;
    let (done, count) = (&AtomicUsize::new(0), audits.len());
    library.stage(0, count);
    let made = audits.iter().map(|audit| async move {
        let outcome = (audit.look)(library, scope).await;
        library.stage(done.fetch_add(1, Ordering::Relaxed) + 1, count);
        (*audit, outcome)
    });
    Ok(join_all(made).await)
}
