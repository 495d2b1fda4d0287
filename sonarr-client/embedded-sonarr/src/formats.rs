//! Custom formats: which of them a release or a file matches, and what they score.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};

use crate::state::{Row, State, int, text};

/// What custom formats look at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subject<'a> {
    pub title: &'a str,
    pub quality: i64,
    pub languages: Vec<i64>,
    pub size: i64,
    pub group: &'a str,
    pub flags: i64,
    /// 1 single episode, 2 several episodes, 3 season pack.
    pub release_type: i64,
}

/// Formats that match, as `{id, name}`, and their score in a quality profile.
pub(crate) fn evaluate(state: &State, profile: Option<&Row>, subject: &Subject<'_>) -> (Vec<Value>, i64) {
    let mut matching = Vec::new();
    let mut score = 0;
    for format in state.table("customformat").rows() {
        if matches(format, subject) {
            let id = int(format, "id");
            matching.push(json!({"id": id, "name": text(format, "name")}));
            score += profile.map_or(0, |profile| format_score(profile, id));
        }
    }
    (matching, score)
}

fn format_score(profile: &Row, format: i64) -> i64 {
    let items = profile.get("formatItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .find(|item| item.get("format").and_then(Value::as_i64) == Some(format))
        .and_then(|item| item.get("score").and_then(Value::as_i64))
        .unwrap_or(0)
}

/// Every required condition holds, and of each kind of condition at least one.
fn matches(format: &Row, subject: &Subject<'_>) -> bool {
    let conditions = format.get("specifications").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut kinds: Vec<(&str, bool)> = Vec::new();
    for condition in conditions {
        let kind = condition.get("implementation").and_then(Value::as_str).unwrap_or_default();
        let negate = condition.get("negate").and_then(Value::as_bool).unwrap_or(false);
        let holds = holds(kind, condition, subject) != negate;
        if condition.get("required").and_then(Value::as_bool).unwrap_or(false) && !holds {
            return false;
        }
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, any)) => *any |= holds,
            None => kinds.push((kind, holds)),
        }
    }
    !kinds.is_empty() && kinds.iter().all(|(_, any)| *any)
}

fn holds(kind: &str, condition: &Value, subject: &Subject<'_>) -> bool {
    let field = |name: &str| {
        let fields = condition.get("fields").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        fields
            .iter()
            .find(|field| field.get("name").and_then(Value::as_str) == Some(name))
            .and_then(|field| field.get("value"))
    };
    let number = || field("value").and_then(Value::as_i64).unwrap_or(0);
    let pattern = |text: &str| {
        let pattern = field("value").and_then(Value::as_str).unwrap_or_default();
        compiled(pattern).is_some_and(|regex| regex.is_match(text))
    };
    let quality = crate::quality::by_id(subject.quality);
    match kind {
        "ReleaseTitleSpecification" => pattern(subject.title),
        "ReleaseGroupSpecification" => pattern(subject.group),
        "LanguageSpecification" => subject.languages.contains(&number()),
        "ResolutionSpecification" => quality.is_some_and(|quality| quality.resolution == number()),
        "SourceSpecification" => {
            const SOURCES: [&str; 8] =
                ["unknown", "television", "televisionRaw", "web", "webRip", "dvd", "bluray", "blurayRaw"];
            let wanted = usize::try_from(number()).ok().and_then(|index| SOURCES.get(index));
            quality.is_some_and(|quality| Some(&quality.source) == wanted)
        }
        "SizeSpecification" => {
            let gigabytes = subject.size as f64 / 1_073_741_824.0;
            let bound = |name| field(name).and_then(Value::as_f64).unwrap_or(0.0);
            gigabytes > bound("min") && gigabytes <= bound("max")
        }
        "IndexerFlagSpecification" => subject.flags & number() != 0,
        "ReleaseTypeSpecification" => subject.release_type == number(),
        _ => false,
    }
}

/// A pattern made ready. Patterns with look-around are .NET's alone and count as not matching.
///
/// Formats are evaluated for every file and release that is written, and making a pattern ready takes far longer than
/// applying it. A clone of a `Regex` starts without the caches of its original, so it is shared instead.
fn compiled(pattern: &str) -> Option<Arc<Regex>> {
    static READY: OnceLock<Mutex<HashMap<String, Option<Arc<Regex>>>>> = OnceLock::new();
    let mut ready = crate::lock(READY.get_or_init(Mutex::default));
    if let Some(known) = ready.get(pattern) {
        return known.clone();
    }
    let make = || RegexBuilder::new(pattern).case_insensitive(true).build().ok().map(Arc::new);
    ready.entry(pattern.to_owned()).or_insert_with(make).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::object;

    fn format(kind: &str, value: Value, negate: bool, required: bool) -> Row {
        object(json!({"specifications": [{
            "implementation": kind, "negate": negate, "required": required, "fields": [{"name": "value", "value": value}],
        }]}))
    }

    #[test]
    fn conditions_look_at_the_release() {
        let subject = Subject {
            title: "A.S01E01.REPACK.1080p.WEB.x265-NEST",
            quality: 3,
            group: "NEST",
            languages: vec![1],
            ..Subject::default()
        };
        assert!(matches(&format("ReleaseTitleSpecification", json!("x265"), false, false), &subject));
        assert!(!matches(&format("ReleaseTitleSpecification", json!("x265"), true, false), &subject));
        assert!(matches(&format("ResolutionSpecification", json!(1080), false, true), &subject));
        assert!(matches(&format("SourceSpecification", json!(3), false, true), &subject));
        assert!(!matches(&format("LanguageSpecification", json!(4), false, true), &subject));
        assert!(!matches(&format("ReleaseTitleSpecification", json!("(?=x)"), false, false), &subject));
        assert!(!matches(&Row::new(), &subject));
    }
}
