//! Commands.

use chrono::TimeDelta;
use serde_json::Value;

use super::Call;
use crate::commands::definition;
use crate::http::{Failure, Reply, rule, rules};

/// For how long a finished command is listed.
const LISTED: TimeDelta = TimeDelta::minutes(5);
/// For how long a finished command is found by its id.
const KEPT: TimeDelta = TimeDelta::days(1);

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let oldest = call.state.now - LISTED;
    let commands = call.state.commands.items.iter().filter(|command| command.ended.is_none_or(|ended| ended > oldest));
    Ok(Reply::ok(commands.map(|command| command.json()).collect()))
}

pub(super) fn get(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let oldest = call.state.now - KEPT;
    match call.state.commands.get(call.id()).filter(|command| command.ended.is_none_or(|ended| ended > oldest)) {
        Some(command) => Ok(Reply::ok(command.json())),
        None => Err(call.not_found()),
    }
}

pub(super) fn post(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let body = match &call.given {
        Value::Object(body) => body.clone(),
        _ => {
            let message = "The JSON value could not be converted to Sonarr.Api.V3.Commands.CommandResource. Path: $ | LineNumber: 0 | BytePositionInLine: 0.";
            return Err(Failure::Problem { path: "$".into(), message: message.into() });
        }
    };
    if let Some((_, sent)) =
        body.iter().find(|(name, _)| name.eq_ignore_ascii_case("body")).filter(|(_, sent)| !sent.is_null())
    {
        let report = format!(
            "POST /command with a `body` member ({} bytes): a real server would have died here",
            sent.to_string().len()
        );
        tracing::error!("{report}");
        call.state.fatal.push(report);
        return Err(Failure::internal(
            "System.StackOverflowException",
            "the process of a real server ends at a `body` member in POST /command",
        ));
    }
    let name = match body.iter().find(|(name, _)| name.eq_ignore_ascii_case("name")).map(|(_, name)| name) {
        Some(Value::String(name)) => name.clone(),
        None | Some(Value::Null) => String::new(),
        Some(_) => {
            let message = "The JSON value could not be converted to System.String. Path: $.name | LineNumber: 0 | BytePositionInLine: 0.";
            return Err(Failure::Problem { path: "$.name".into(), message: message.into() });
        }
    };
    if name.trim().is_empty() {
        rules(vec![rule("Name", "NotBlankValidator", "'Name' must not be empty.", name.as_str().into())])?;
    }
    let Some(definition) = definition(&name, call.state.next_version) else {
        return Err(call.invalid_operation("Sequence contains no matching element"));
    };
    let mut given = body.clone();
    // RefreshSeries takes a single id as well.
    if definition.name == "RefreshSeries"
        && let Some(id) = given.shift_remove("seriesId").filter(Value::is_i64)
    {
        given.entry("seriesIds").or_insert_with(|| vec![id].into());
    }
    let parameters = definition.read(&given).map_err(|parameter| {
        Failure::internal(
            "System.Text.Json.JsonException",
            format!(
                "The JSON value could not be converted. Path: $.{parameter} | LineNumber: 0 | BytePositionInLine: 0."
            ),
        )
    })?;
    let quiet = body.get("sendUpdatesToClient") == Some(&Value::Bool(false));
    let agent = call.incoming.header("user-agent").map(str::to_owned);
    let id = call.state.queue(definition, parameters, "manual", quiet, agent);
    let location = format!("{}/api/v3/command/{id}", call.state.url_base);
    let command = call.state.commands.get(id).ok_or_else(|| Failure::model("Command", id))?;
    Ok(Reply::created(command.json(), location))
}

pub(super) fn cancel(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.positive_id()?;
    let now = call.state.now;
    let command = call.state.commands.items.iter_mut().find(|command| command.id == id && command.status == "queued");
    let Some(command) = command else {
        return Err(Failure::Exception {
            status: 409,
            class: "NzbDrone.Core.Exceptions.NzbDroneClientException",
            message: "Unable to cancel task".into(),
        });
    };
    command.status = "cancelled";
    command.ended = Some(now);
    Ok(Reply::empty())
}

/// The display name of a task's command, which the web UI shows.
pub(super) fn task_name(name: &str) -> String {
    definition(name, false).map_or_else(|| name.to_owned(), |definition| definition.display())
}
