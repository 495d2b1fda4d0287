//! From the counts of the audits to mended items.

use rmcp::model::ErrorData;
use serde_json::json;

use super::{Argument, Given, Job};
use crate::arguments::nearest;
use crate::audits::{AUDITS, Audit, OVERVIEW};
use crate::completions::Source;

pub(super) const JOB: Job = Job {
    name: "check_library",
    title: "Check my library",
    description: "Find what is wrong in the library, say what would mend it, and mend what I agree to",
    arguments: &[Argument {
        name: "audit",
        description: "One audit, such as audit_missing; all of them unless given",
        required: false,
        source: Source::Audits,
    }],
    write,
};

fn write(given: &Given) -> Result<String, ErrorData> {
    let chosen = given.text("audit").map(named).transpose()?;
    let list = |audit: &Audit| given.call(&format!("sonarr_{}", audit.group), audit.name, &json!({}));
    let mut lines = vec!["Check my library, and mend what I agree to.".to_owned()];
    match chosen {
        Some(audit) => {
            lines.push(format!("1. The worklist. {} Tell me the counts in `kinds`.", audit.summary));
            lines.push(list(audit));
        }
        None => {
            let overview = OVERVIEW.operation;
            lines.push(
                "1. The counts. Tell me in a few lines how many of what kind there are, the most pressing first, each \
                 with one example of `worst`; if `total` is 0, say so and stop. Ask me which kind to go through."
                    .to_owned(),
            );
            lines.push(given.call(&format!("sonarr_{}", overview.group), overview.name, &json!({})));
            lines.push("2. The worklist of the audit that I choose: one of these calls, and only that.".to_owned());
            lines.extend(AUDITS.iter().map(|audit| list(audit)));
        }
    }
    let next = if chosen.is_some() { 2 } else { 3 };
    lines.push(format!(
        "{next}. Show me the findings of the worklist, ten at a time: what it is about, the `reason`, and in plain words \
         what the call in `mend` would change. Where there is no `mend`, say what I would have to do myself. Whatever \
         `unseen` names was not looked at; say so. Ask me which ones to mend; mend nothing that I have not named."
    ));
    lines.push(format!(
        "{}. For each that I agree to, send `mend` as it stands: its `operation` and `arguments` to its `tool`. If the \
         answer has a `confirm`, nothing was changed yet: show me what it would do, and only when I say yes send the \
         same call again with `confirm`.",
        next + 1
    ));
    lines.push(format!(
        "{}. Ask the same audit again and tell me what is left. A command or a download takes its time: if one is \
         still under way, say so instead of sending it twice. Then go on with the next kind, or end when I say so.",
        next + 2
    ));
    Ok(lines.join("\n"))
}

/// The audit of this name, which may come without its `audit_`.
fn named(name: &str) -> Result<&'static Audit, ErrorData> {
    let found = AUDITS.iter().find(|audit| audit.name == name || audit.name.strip_prefix("audit_") == Some(name));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = AUDITS.iter().map(|audit| audit.name).collect();
        let meant = nearest(name, names.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
        let message = format!("`audit` must be one of {}{}", names.join(", "), meant.unwrap_or_default());
        ErrorData::invalid_params(message, None)
    })
}
