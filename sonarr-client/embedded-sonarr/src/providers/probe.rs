//! Validation and connection test of a provider's settings.
//!
//! No connection is made: a host under `unreachable.example` cannot be reached, one under `warning.example` answers with
//! a warning, every other one is well.

use serde_json::Value;

use super::field;
use crate::http::{Rule, Severity};
use crate::state::{Row, text};

fn failure(property: &str, message: String, severity: Severity, info_link: Option<String>) -> Rule {
    Rule {
        property: property.to_owned(),
        message,
        attempted: Value::Null,
        severity,
        code: None,
        provider: true,
        info_link,
    }
}

/// The rules of the settings themselves.
pub(crate) fn settings_rules(path: &str, row: &Row) -> Vec<Rule> {
    let mut failed = Vec::new();
    let Some(implementation) = super::implementation(path, text(row, "implementation")) else { return failed };
    for template in implementation.fields.iter().filter(|template| template.required) {
        let empty = match field(row, &template.name) {
            None => true,
            Some(Value::String(value)) => value.trim().is_empty(),
            Some(_) => false,
        };
        if empty {
            let message = format!("'{}' must not be empty.", template.label);
            let rule = failure(&pascal(&template.name), message, Severity::Error, None);
            failed.push(Rule { code: Some("NotEmptyValidator"), ..rule });
        }
    }
    if let Some(ratio) = field(row, "seedCriteria.seedRatio").and_then(Value::as_f64).filter(|ratio| *ratio < 1.0) {
        let message = format!("A seed ratio of {ratio} is below 1.0 and may count as hit and run");
        let rule = failure("SeedCriteria.SeedRatio", message, Severity::Warning, None);
        failed.push(Rule { attempted: ratio.into(), code: Some("PredicateValidator"), ..rule });
    }
    let category = implementation.fields.iter().any(|template| template.name == "tvCategory");
    if category && field(row, "tvCategory").and_then(Value::as_str).is_none_or(str::is_empty) {
        failed.push(failure("TvCategory", "A category is recommended".to_owned(), Severity::Warning, None));
    }
    failed
}

/// The connection test.
pub(crate) fn probe(path: &str, row: &Row) -> Vec<Rule> {
    let display = text(row, "implementationName");
    let hosts = ["host", "baseUrl", "server", "url", "webHookUrl"];
    let Some((name, host)) = hosts.iter().find_map(|name| Some((*name, field(row, name)?.as_str()?))) else {
        return Vec::new();
    };
    let link = text(row, "infoLink");
    let link = (!link.is_empty()).then(|| link.to_owned());
    if host.contains("unreachable.example") {
        // Indexers report their failures for the provider as a whole.
        let property = if path == "indexer" { String::new() } else { pascal(name) };
        return vec![failure(&property, format!("Unable to connect to {display}"), Severity::Error, link)];
    }
    if host.contains("warning.example") {
        return vec![failure(
            &pascal(name),
            format!("{display} answers, but not as recommended"),
            Severity::Warning,
            link,
        )];
    }
    Vec::new()
}

fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::state::object;

    fn client(host: &str, category: &str) -> Row {
        object(json!({
            "implementation": "Sabnzbd", "implementationName": "SABnzbd",
            "fields": [{"name": "host", "value": host}, {"name": "tvCategory", "value": category}],
        }))
    }

    #[test]
    fn hosts_decide_the_test() {
        assert!(probe("downloadclient", &client("sab.example", "tv")).is_empty());
        assert_eq!(probe("downloadclient", &client("sab.unreachable.example", "tv"))[0].severity, Severity::Error);
        assert_eq!(probe("downloadclient", &client("sab.warning.example", "tv"))[0].severity, Severity::Warning);
    }

    #[test]
    fn settings_have_errors_and_warnings() {
        assert!(settings_rules("downloadclient", &client("a", "tv")).is_empty());
        assert_eq!(settings_rules("downloadclient", &client("", "tv"))[0].property, "Host");
        assert_eq!(settings_rules("downloadclient", &client("a", ""))[0].severity, Severity::Warning);
    }
}
