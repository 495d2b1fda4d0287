//! `sonarr-mcp audit`: what needs a person, for people and for scripts.

mod bar;
mod tables;

use std::io::IsTerminal;
use std::process::ExitCode;

use serde_json::Value;

use super::{AuditArgs, CommandError, print};
use crate::answer::Content;
use crate::arguments::nearest;
use crate::audits::{AUDITS, Audit, DAYS, Scope};
use crate::config::switch;
use crate::instances::Instances;

/// What the name of every audit begins with.
const PREFIX: &str = "audit_";

/// The longest history that can be looked at, in days.
const MOST_DAYS: u32 = 3_650;

/// Makes the audits and prints what they found.
pub async fn audit(instances: &Instances, arguments: &AuditArgs) -> Result<ExitCode, CommandError> {
    let audits = chosen(&arguments.names)?;
    // Whoever names an audit waits for all of it.
    let scope = Scope { days: Some(days(arguments.days.as_deref())?), sample: arguments.names.is_empty() };
    let as_json = switch("json", arguments.json.as_deref())? || !std::io::stdout().is_terminal();
    let name = arguments.on.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let dispatcher = instances.named(name).map_err(|failure| CommandError::Usage(failure.text()))?;
    let surveyed = bar::during(dispatcher.survey(&audits, &scope)).await;
    let answer = surveyed.map_err(|failure| CommandError::Unseen(failure.text()))?;
    let Content::Json(survey) = &answer.content else {
        return Err(CommandError::Unseen(answer.text()));
    };
    print(&if as_json { survey.to_string() } else { tables::of(survey, tables::width()) })?;
    Ok(status(survey))
}

/// The audits of these names; all of them where none is named.
fn chosen(names: &[String]) -> Result<Vec<&'static Audit>, CommandError> {
    let short = |audit: &&'static Audit| audit.name.trim_start_matches(PREFIX);
    let find = |name: &String| {
        let wanted = name.trim().to_lowercase().replace('-', "_");
        let wanted = wanted.trim_start_matches(PREFIX);
        if let Some(found) = AUDITS.iter().find(|audit| short(audit) == wanted) {
            return Ok(*found);
        }
        let known: Vec<&str> = AUDITS.iter().map(short).collect();
        let hint = match nearest(wanted, known.iter().copied()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        Err(CommandError::Usage(format!("there is no audit `{name}`{hint} There are: {}", known.join(", "))))
    };
    let mut found: Vec<&'static Audit> = names.iter().map(find).collect::<Result<_, _>>()?;
    if found.is_empty() {
        return Ok(AUDITS.to_vec());
    }
    // In the order of the table, each once.
    found = AUDITS.iter().copied().filter(|audit| found.iter().any(|one| one.name == audit.name)).collect();
    Ok(found)
}

fn days(given: Option<&str>) -> Result<u32, CommandError> {
    let Some(text) = given.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(DAYS) };
    text.parse().ok().filter(|days| (1..=MOST_DAYS).contains(days)).ok_or_else(|| {
        CommandError::Usage(format!("--days {text}: expected a whole number of days from 1 to {MOST_DAYS}"))
    })
}

/// 1 where something needs a person; 2 where nothing was found and not everything could be looked at.
fn status(survey: &Value) -> ExitCode {
    let failed = survey["audits"].as_array().into_iter().flatten().any(|audit| audit.get("error").is_some());
    match survey["total"].as_u64() {
        Some(0) if failed => ExitCode::from(2),
        Some(0) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str]) -> Result<Vec<&'static str>, String> {
        let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
        let chosen = chosen(&given).map_err(|error| error.to_string())?;
        Ok(chosen.into_iter().map(|audit| audit.name).collect())
    }

    #[test]
    fn an_audit_is_named_with_or_without_what_all_begin_with() {
        assert_eq!(names(&[]).unwrap().len(), AUDITS.len());
        assert_eq!(names(&["cutoff", "AUDIT_MISSING", "missing"]).unwrap(), ["audit_missing", "audit_cutoff"]);
        let refused = names(&["mising"]).unwrap_err();
        assert!(refused.contains("did you mean `missing`?") && refused.contains("cutoff"), "{refused}");
    }

    #[test]
    fn days_are_a_number_of_days() {
        assert_eq!((days(None).unwrap(), days(Some(" 7 ")).unwrap()), (30, 7));
        for wrong in ["0", "-1", "soon", "99999"] {
            assert!(days(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
