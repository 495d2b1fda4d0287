//! What `run_command` is asked to run, held against the table of commands before anything is sent.
//!
//! Sonarr passes over a parameter it does not know and takes a missing one for 0, so that a search
//! of a misspelt series would search nothing, or everything.

use serde_json::{Map, Number, Value};

use super::{Command, CommandParameter, find};
use crate::arguments::ArgumentError;
use crate::generated::commands::COMMANDS;

/// Where the command stands in a call.
const PATH: &str = "arguments.body";

/// What every command takes: whether the web UI shows that it runs.
const COMMON: CommandParameter = CommandParameter {
    name: "sendUpdatesToClient",
    type_name: "boolean",
    required: false,
    default: None,
    values: &[],
    summary: "Whether the web UI shows that it runs.",
    members: &[],
};

/// Brings the body of `run_command` to the names, types and spelling Sonarr uses.
///
/// The name and the parameters may be written in any case, and with `_` between words.
///
/// # Errors
/// A command or a parameter that does not exist, one that is missing, and a value that does not
/// fit, each with its path and what is accepted there.
pub fn check(body: &Value) -> Result<Value, ArgumentError> {
    let parsed;
    let given = match body {
        Value::Object(given) => given,
        Value::String(text) => {
            parsed = serde_json::from_str::<Map<String, Value>>(text).map_err(|_| no_object())?;
            &parsed
        }
        _ => return Err(no_object()),
    };
    let (spelled, name) = given.iter().find(|(member, _)| folded(member) == "name").ok_or_else(|| {
        ArgumentError::new(format!("{PATH}.name"), "the name of a command is required").accepting(names())
    })?;
    let path = format!("{PATH}.{spelled}");
    let Some(name) = name.as_str() else {
        return Err(ArgumentError::new(path, "expected the name of a command as text").accepting(names()));
    };
    let Some(command) = named(name) else {
        let shown: String = name.chars().take(60).collect();
        return Err(ArgumentError::new(path, format!("`{shown}` is no command"))
            .resembling(name, COMMANDS.iter().map(|command| command.name))
            .accepting(names()));
    };
    let mut parameters = given.clone();
    parameters.shift_remove(spelled);
    if let Some(body) = parameters.keys().find(|member| folded(member) == "body") {
        return Err(ArgumentError::new(
            format!("{PATH}.{body}"),
            "parameters stand beside `name`; a member `body` can bring Sonarr down, so it is never sent",
        )
        .accepting(signature(command.parameters)));
    }
    let mut settled = Map::from_iter([("name".to_owned(), Value::from(command.name))]);
    settled.extend(members(parameters, command, command.parameters, PATH)?);
    Ok(Value::Object(settled))
}

fn no_object() -> ArgumentError {
    ArgumentError::new(PATH, "expected an object with the `name` of a command and its parameters beside it")
}

/// The command of a name, also one in other words: `season_search`, `Season Search`.
fn named(name: &str) -> Option<&'static Command> {
    find(name.trim()).or_else(|| COMMANDS.iter().find(|command| folded(command.name) == folded(name)))
}

/// The commands that serve a caller.
fn names() -> Vec<String> {
    COMMANDS.iter().filter(|command| !command.internal).map(|command| command.name.to_owned()).collect()
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The members of an object by the names Sonarr uses, none unknown and none missing.
fn members(
    given: Map<String, Value>,
    command: &Command,
    parameters: &[CommandParameter],
    path: &str,
) -> Result<Map<String, Value>, ArgumentError> {
    let outermost = path == PATH;
    let common = [COMMON];
    let mut settled = Map::new();
    for (spelled, value) in given {
        let path = format!("{path}.{spelled}");
        let known = parameters.iter().chain(common.iter().filter(|_| outermost));
        let Some(parameter) = known.clone().find(|one| folded(one.name) == folded(&spelled)) else {
            if !outermost {
                // A row of a list may come from another answer, with more than the command takes.
                settled.insert(spelled, value);
                continue;
            }
            let problem = match parameters {
                [] => format!("`{}` takes no parameters", command.name),
                _ => format!("`{}` has no parameter of this name", command.name),
            };
            return Err(ArgumentError::new(path, problem)
                .resembling(&spelled, parameters.iter().map(|one| one.name))
                .accepting(signature(parameters)));
        };
        if value.is_null() && !parameter.required {
            continue;
        }
        let value = fitting(value, command, parameter, &path)?;
        if settled.insert(parameter.name.to_owned(), value).is_some() {
            return Err(ArgumentError::new(path, format!("`{}` is given twice", parameter.name)));
        }
    }
    let missing = parameters.iter().find(|one| one.required && settled.get(one.name).is_none_or(is_nothing));
    match missing {
        Some(missing) => Err(ArgumentError::new(
            format!("{path}.{}", missing.name),
            format!("`{}` needs `{}`. What it is: {}", command.name, missing.name, missing.summary),
        )
        .accepting(signature(parameters))),
        None => Ok(settled),
    }
}

/// Whether a required value says nothing.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.trim().is_empty(),
        other => other.is_null(),
    }
}

/// `seriesId (integer, required)`
fn signature(parameters: &[CommandParameter]) -> Vec<String> {
    let told = |one: &CommandParameter| {
        let required = if one.required { ", required" } else { "" };
        format!("{} ({}{required})", one.name, one.type_name)
    };
    parameters.iter().map(told).collect()
}

fn fitting(value: Value, command: &Command, parameter: &CommandParameter, path: &str) -> Result<Value, ArgumentError> {
    let Some(item) = parameter.type_name.strip_suffix("[]") else {
        return one(value, command, parameter, parameter.type_name, path);
    };
    let items = match value {
        Value::Array(items) => items,
        only => vec![only],
    };
    let items = items.into_iter().enumerate();
    items.map(|(index, value)| one(value, command, parameter, item, &format!("{path}[{index}]"))).collect()
}

fn one(
    value: Value,
    command: &Command,
    parameter: &CommandParameter,
    type_name: &str,
    path: &str,
) -> Result<Value, ArgumentError> {
    let refused = |expected: &str| {
        let problem = format!("expected {expected}. What it is: {}", parameter.summary);
        ArgumentError::new(path, problem).accepting(parameter.values.iter().map(|value| (*value).to_owned()).collect())
    };
    match (type_name, value) {
        ("integer", value) => whole(&value).map(Value::from).ok_or_else(|| refused("a whole number")),
        ("boolean", Value::Bool(flag)) => Ok(Value::Bool(flag)),
        ("boolean", Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(refused("true or false")),
        },
        ("boolean", _) => Err(refused("true or false")),
        (_, Value::String(text)) if !parameter.values.is_empty() => {
            let known = parameter.values.iter().find(|value| value.eq_ignore_ascii_case(text.trim()));
            match known {
                Some(known) => Ok(Value::from(*known)),
                None => Err(refused("one of the known values").resembling(&text, parameter.values.iter().copied())),
            }
        }
        ("string", Value::String(text)) => Ok(Value::String(text)),
        ("string", _) => Err(refused("a text")),
        ("object", Value::Object(given)) => members(given, command, parameter.members, path).map(Value::Object),
        ("object", _) => Err(refused("an object")),
        // A type of Sonarr's own, which is read by Sonarr.
        (_, value) => Ok(value),
    }
}

fn whole(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) if number.is_i64() => Some(number.clone()),
        Value::Number(number) => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15)?;
            format!("{float:.0}").parse::<i64>().ok().map(Number::from)
        }
        Value::String(text) => text.trim().parse::<i64>().ok().map(Number::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::{Value, json};

    fn settled(body: Value) -> Value {
        check(&body).unwrap()
    }

    #[test]
    fn names_and_parameters_are_taken_in_any_spelling() {
        let due = json!({"name": "SeasonSearch", "seriesId": 1, "seasonNumber": 2});
        for body in [
            json!({"name": "SeasonSearch", "seriesId": 1, "seasonNumber": 2}),
            json!({"Name": "seasonsearch", "SeriesId": "1", "season_number": 2.0}),
            json!({"seriesId": 1, "seasonNumber": 2, "name": " season_search "}),
            json!("{\"name\": \"Season Search\", \"seriesId\": 1, \"seasonNumber\": 2}"),
        ] {
            assert_eq!(settled(body), due);
        }
        assert_eq!(
            settled(json!({"name": "EpisodeSearch", "episodeIds": "7"})),
            json!({"name": "EpisodeSearch", "episodeIds": [7]})
        );
        assert_eq!(
            settled(json!({"name": "RefreshSeries", "seriesIds": null, "isNewSeries": "TRUE"})),
            json!({"name": "RefreshSeries", "isNewSeries": true})
        );
        assert_eq!(
            settled(json!({"name": "Backup", "sendUpdatesToClient": false})),
            json!({"name": "Backup", "sendUpdatesToClient": false})
        );
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_path_and_what_does() {
        for (body, path, says, accepted) in [
            (json!({}), "arguments.body.name", "required", "SeriesSearch"),
            (json!({"name": 3}), "arguments.body.name", "as text", "Backup"),
            (json!({"name": "SeriesSerch", "seriesId": 1}), "arguments.body.name", "no command", "SeriesSearch"),
            (
                json!({"name": "SeriesSearch"}),
                "arguments.body.seriesId",
                "needs `seriesId`",
                "seriesId (integer, required)",
            ),
            (
                json!({"name": "SeriesSearch", "series": 1}),
                "arguments.body.series",
                "no parameter",
                "seriesId (integer, required)",
            ),
            (json!({"name": "SeriesSearch", "seriesId": [1]}), "arguments.body.seriesId", "a whole number", ""),
            (
                json!({"name": "EpisodeSearch", "episodeIds": []}),
                "arguments.body.episodeIds",
                "needs",
                "episodeIds (integer[], required)",
            ),
            (
                json!({"name": "EpisodeSearch", "episodeIds": [1, "x"]}),
                "arguments.body.episodeIds[1]",
                "a whole number",
                "",
            ),
            (json!({"name": "SeriesSearch", "seriesId": 1, "series_id": 1}), "arguments.body.series_id", "twice", ""),
            (json!({"name": "Backup", "what": 1}), "arguments.body.what", "no parameters", ""),
            (
                json!({"name": "DownloadedEpisodesScan", "path": "/d", "importMode": "hardlink"}),
                "arguments.body.importMode",
                "known values",
                "move",
            ),
            (
                json!({"name": "ManualImport", "files": [{"path": "/a"}]}),
                "arguments.body.files[0].seriesId",
                "needs",
                "seriesId (integer, required)",
            ),
            (json!([1]), "arguments.body", "an object", ""),
        ] {
            let error = check(&body).unwrap_err();
            assert_eq!(error.path, path, "{error}");
            assert!(error.problem.contains(says), "{error}");
            assert!(accepted.is_empty() || error.accepted.iter().any(|one| one == accepted), "{error}");
        }
        let misspelt = check(&json!({"name": "SeriesSerch"})).unwrap_err();
        assert_eq!(misspelt.nearest.as_deref(), Some("SeriesSearch"));
        assert!(!misspelt.accepted.iter().any(|name| name == "Test"));
    }

    #[test]
    fn a_body_within_is_never_sent() {
        for inner in ["body", "Body", "BODY"] {
            let error = check(&json!({"name": "SeriesSearch", inner: {"seriesId": 1}})).unwrap_err();
            assert_eq!(error.path, format!("arguments.body.{inner}"));
            assert!(error.problem.contains("beside `name`"), "{error}");
        }
    }
}
