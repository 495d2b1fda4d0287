//! Findings as tables.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{ContentArrangement, Table};
use serde_json::Value;

/// The rows of one table, at most: the rest is for a program to read.
const MOST_ROWS: usize = 20;

/// Columns of text where the terminal does not say how many it has.
const USUAL_WIDTH: u16 = 100;

/// What a finding is about, the most telling member first.
const SUBJECTS: [&str; 9] =
    ["title", "seriesTitle", "name", "label", "path", "indexer", "sourceTitle", "downloadId", "id"];

/// The columns of the terminal.
pub fn width() -> u16 {
    console::Term::stdout().size_checked().map_or(USUAL_WIDTH, |(_, columns)| columns)
}

/// A survey as text of at most `width` columns: a table for each audit that found something, then what was looked at.
pub fn of(survey: &Value, width: u16) -> String {
    let audits = survey["audits"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut parts: Vec<String> = audits.iter().filter_map(|audit| part(audit, width)).collect();
    let quiet: Vec<&str> =
        audits.iter().filter(|audit| audit["total"] == 0).filter_map(|audit| audit["operation"].as_str()).collect();
    if !quiet.is_empty() {
        parts.push(format!("Nothing found by {}.", quiet.join(", ")));
    }
    let unseen: Vec<&str> = survey["unseen"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !unseen.is_empty() {
        parts.push(format!("Not looked at:\n  {}", unseen.join("\n  ")));
    }
    let total = survey["total"].as_u64().unwrap_or(0);
    let requests = survey["requests"].as_u64().unwrap_or(0);
    parts.push(match total {
        0 => format!("Nothing needs a person ({requests} requests)."),
        _ => format!("{total} findings ({requests} requests). With --json each has the call that mends it."),
    });
    parts.join("\n\n")
}

/// What one audit found; nothing where it found nothing.
fn part(audit: &Value, width: u16) -> Option<String> {
    let name = audit["operation"].as_str().unwrap_or_default();
    if let Some(error) = audit["error"].as_str() {
        return Some(format!("{name} could not be made: {error}"));
    }
    let findings = audit["findings"].as_array().filter(|findings| !findings.is_empty())?;
    let mut text = format!("{name}: {}", counts(audit));
    let mut table = Table::new();
    table.load_preset(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table.set_header(["What", "Kind", "Why", "Mended by"]);
    for finding in findings.iter().take(MOST_ROWS) {
        let word = |member: &str| finding[member].as_str().unwrap_or_default().to_owned();
        table.add_row([subject(finding), word("kind"), word("reason"), mend(finding)]);
    }
    text.push('\n');
    text.push_str(&table.to_string());
    let more = findings.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        text.push_str(&format!("\nand {more} more; --json has all of them"));
    }
    Some(text)
}

/// `3 missing_not_found, 1 missing_never_searched`
fn counts(audit: &Value) -> String {
    let kinds = audit["kinds"].as_array().into_iter().flatten();
    let counts: Vec<String> =
        kinds.map(|kind| format!("{} {}", kind["count"], kind["kind"].as_str().unwrap_or_default())).collect();
    counts.join(", ")
}

fn subject(finding: &Value) -> String {
    let member = |name: &&str| match finding.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    SUBJECTS.iter().find_map(member).unwrap_or_default()
}

/// The operation, with the command's name where it is one.
fn mend(finding: &Value) -> String {
    let operation = finding.pointer("/mend/operation").and_then(Value::as_str).unwrap_or("-");
    match finding.pointer("/mend/arguments/body/name").and_then(Value::as_str) {
        Some(command) if operation == "run_command" => format!("{operation} {command}"),
        _ => operation.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use serde_json::{Value, json};

    fn survey(findings: usize) -> Value {
        let finding = json!({
            "kind": "missing_not_found", "seriesId": 3, "title": "Some Show",
            "reason": "2 episodes without a file though last searched for: S01E01 on 2024-03-01, S01E02 on 2024-03-01",
            "mend": {"tool": "sonarr_system_commands", "operation": "run_command",
                     "arguments": {"body": {"name": "EpisodeSearch", "episodeIds": [1, 2]}}},
        });
        json!({
            "total": findings, "requests": 7, "unseen": ["audit_names: Other Show: Sonarr failed"],
            "audits": [
                {"tool": "sonarr_wanted", "operation": "audit_missing", "total": findings,
                 "kinds": [{"kind": "missing_not_found", "count": findings, "meaning": "…"}],
                 "findings": vec![finding; findings]},
                {"operation": "audit_cutoff", "total": 0, "kinds": [], "findings": []},
                {"operation": "audit_queue", "error": "Sonarr failed"},
            ],
        })
    }

    #[test]
    fn findings_are_rows_within_the_width() {
        let text = of(&survey(2), 80);
        for words in [
            "audit_missing: 2 missing_not_found",
            "Some Show",
            "EpisodeSearch",
            "Nothing found by audit_cutoff.",
            "audit_queue could not be made: Sonarr failed",
            "Not looked at:\n  audit_names: Other Show: Sonarr failed",
            "2 findings (7 requests).",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let table = text.lines().skip(1).take_while(|line| !line.is_empty());
        assert!(table.clone().count() > 5 && table.clone().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn a_long_table_is_cut_and_says_so() {
        let text = of(&survey(33), 120);
        assert!(text.contains("and 13 more; --json has all of them"), "{text}");
        assert!(of(&json!({"total": 0, "audits": [], "requests": 3}), 80).contains("Nothing needs a person"));
    }
}
