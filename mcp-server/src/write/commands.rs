//! Which commands take something away that may be missed.

use serde_json::{Map, Value};

use crate::command::find;

/// What is said of a command that is not known here.
const UNKNOWN: &str = "this server does not know the command, so it cannot tell what it does";

/// The name of the command in a body of `run_command`.
pub fn name(body: Option<&Value>) -> Option<&str> {
    let body: &Map<String, Value> = body?.as_object()?;
    let (_, name) = body.iter().find(|(member, _)| member.eq_ignore_ascii_case("name"))?;
    Some(name.as_str()?.trim())
}

/// What a command takes away, when it is asked about: it is known to destroy something, or it is
/// not known at all.
pub fn takes(body: Option<&Value>) -> Option<&'static str> {
    match name(body).and_then(find) {
        Some(command) => command.destructive,
        None => Some(UNKNOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::takes;
    use serde_json::json;

    #[test]
    fn neither_case_nor_ignorance_helps() {
        for body in [
            json!({"name": "restart"}),
            json!({"Name": "ResetAPIKey"}),
            json!({"name": " clearlog "}),
            json!({"name": "EraseEverything"}),
            json!({"name": 3}),
            json!({}),
            json!(3),
        ] {
            assert!(takes(Some(&body)).is_some(), "{body}");
        }
        for body in [json!({"name": "RefreshSeries"}), json!({"NAME": "backup"})] {
            assert!(takes(Some(&body)).is_none(), "{body}");
        }
        assert!(takes(None).is_some());
    }

    /// What stops Sonarr, locks out, deletes for good or overwrites is asked about.
    #[test]
    fn the_dangerous_commands_are_asked_about() {
        for name in [
            "ManualImport",
            "DownloadedEpisodesScan",
            "CleanUpRecycleBin",
            "DeleteSeriesFiles",
            "ResetQualityDefinitions",
            "ClearBlocklist",
            "ClearLog",
            "DeleteLogFiles",
            "DeleteUpdateLogFiles",
            "ApplicationUpdateCheck",
            "ApplicationUpdate",
            "ResetApiKey",
            "Restart",
            "Shutdown",
        ] {
            assert!(takes(Some(&json!({"name": name}))).is_some(), "{name}");
        }
    }
}
