//! Everyday jobs, as prompts a person picks: what to look at, in which order, with the calls.
//!
//! A prompt asks nothing of Sonarr itself. Each call it recommends stands on a line of its own,
//! the tool's name and the input, so that the tests make all of them.

mod airing;
mod episode;
mod health;
mod library;
mod queue;
mod series;

use chrono::{NaiveDate, Utc};
use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value, json};

use crate::arguments::nearest;
use crate::completions::Source;
use crate::instances::{Instances, MEMBER};

/// One job.
struct Job {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    write: fn(&Given) -> Result<String, ErrorData>,
}

/// What a job needs to know.
struct Argument {
    name: &'static str,
    description: &'static str,
    required: bool,
    source: Source,
}

const JOBS: [&Job; 6] = [&airing::JOB, &series::JOB, &episode::JOB, &queue::JOB, &health::JOB, &library::JOB];

/// What was filled in, and what the calls need beside it.
struct Given<'a> {
    arguments: Map<String, Value>,
    instance: Option<&'a str>,
    today: NaiveDate,
}

impl Given<'_> {
    /// An argument that was filled in.
    fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// An argument without which there is no job.
    fn required(&self, name: &str) -> Result<&str, ErrorData> {
        self.text(name).ok_or_else(|| ErrorData::invalid_params(format!("`{name}` is missing"), None))
    }

    /// A whole number within `range`.
    fn number(&self, name: &str, range: std::ops::RangeInclusive<u32>) -> Result<Option<u32>, ErrorData> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.parse() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(ErrorData::invalid_params(
                format!("`{name}` must be a whole number from {} to {}", range.start(), range.end()),
                None,
            )),
        }
    }

    /// One call on a line of its own.
    fn call(&self, tool: &str, operation: &str, arguments: &Value) -> String {
        let mut call = Map::new();
        call.insert("operation".to_owned(), json!(operation));
        if let Some(instance) = self.instance {
            call.insert(MEMBER.to_owned(), json!(instance));
        }
        if arguments.as_object().is_some_and(|arguments| !arguments.is_empty()) {
            call.insert("arguments".to_owned(), arguments.clone());
        }
        format!("{tool} {}", Value::Object(call))
    }
}

/// What a person filled in, as it may stand in a text for a model: in quotes, on one line.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

/// The prompts as the protocol lists them.
pub fn list(instances: &Instances) -> Vec<Prompt> {
    JOBS.into_iter()
        .map(|job| {
            let arguments = arguments(job, instances).map(|(name, description, required, _)| {
                PromptArgument::new(name).with_description(description).with_required(required)
            });
            Prompt::new(job.name, Some(job.description), Some(arguments.collect())).with_title(job.title)
        })
        .collect()
}

/// The arguments of a job; with several instances one more.
fn arguments(
    job: &'static Job,
    instances: &Instances,
) -> impl Iterator<Item = (&'static str, &'static str, bool, Source)> + use<> {
    let which =
        (!instances.names().is_empty()).then_some((MEMBER, "Which Sonarr it is about", true, Source::Instances));
    let own = job.arguments.iter().map(|one| (one.name, one.description, one.required, one.source));
    own.chain(which)
}

/// Where the values of a prompt's argument come from; `None` when there is no such argument.
pub fn source(instances: &Instances, prompt: &str, argument: &str) -> Option<Source> {
    let job = JOBS.into_iter().find(|job| job.name == prompt)?;
    arguments(job, instances).find(|(name, ..)| *name == argument).map(|(.., source)| source)
}

/// One prompt, filled in.
///
/// # Errors
/// An unknown prompt or argument, a missing one, or one that cannot be used.
pub fn get(instances: &Instances, name: &str, given: Option<JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let job = JOBS.into_iter().find(|job| job.name == name).ok_or_else(|| unknown_prompt(name))?;
    let given = given.unwrap_or_default();
    let known: Vec<&str> = arguments(job, instances).map(|(name, ..)| name).collect();
    if let Some(stray) = given.keys().find(|name| !known.contains(&name.as_str())) {
        let known =
            if known.is_empty() { "it takes none".to_owned() } else { format!("it takes {}", known.join(", ")) };
        let message = format!("`{}` has no argument `{}`: {known}", job.name, shortened(stray));
        return Err(ErrorData::invalid_params(message, None));
    }
    if let Some((name, _)) = given.iter().find(|(_, value)| !value.is_string() && !value.is_null()) {
        return Err(ErrorData::invalid_params(format!("`{name}` must be a string"), None));
    }
    let mut given = Given { arguments: given, instance: None, today: Utc::now().date_naive() };
    if !instances.names().is_empty() {
        let named = given.required(MEMBER)?;
        let known = instances.names().iter().find(|name| name.eq_ignore_ascii_case(named));
        let Some(known) = known else {
            let message = format!("`{MEMBER}` must be one of {}", instances.names().join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        given.instance = Some(known);
    }
    let text = (job.write)(&given)?;
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(job.description))
}

fn unknown_prompt(name: &str) -> ErrorData {
    let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
    let meant = nearest(name, names.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
    let message =
        format!("there is no prompt `{}`{}: {}", shortened(name), meant.unwrap_or_default(), names.join(", "));
    ErrorData::invalid_params(message, None)
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}

#[cfg(test)]
mod tests;
