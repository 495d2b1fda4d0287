//! The live suite: every read of the table, and scratch objects through their whole life.

use super::client::Client;
use super::reads::Finder;
use serde_json::{Map, Value, json};
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::operation::Effect;
use std::path::Path;

/// What the scratch objects are called, so that one left behind is known and removed.
const SCRATCH: &str = "sonarr-mcp-live-scratch";

/// What became of each operation.
#[derive(Debug, Default)]
pub struct Report {
    /// Answered as they should.
    pub passed: Vec<&'static str>,
    /// Not called: the instance has nothing to read there.
    pub empty: Vec<&'static str>,
    /// What went wrong, with the operation's name.
    pub failed: Vec<String>,
}

/// Runs the suite through `program`; with `writes` the scratch objects as well.
///
/// # Errors
/// Only when the program does not start or does not speak; everything else is in the report.
pub fn run(program: &Path, url: &str, key: &str, writes: bool) -> Result<Report, String> {
    // The suite deletes what it made itself, so nobody needs to be asked.
    let variables = [("SONARR_URL", url), ("SONARR_API_KEY", key), ("SONARR_MCP_CONFIRM", "never")];
    let mut client = Client::start(program, &variables)?;
    let mut report = Report::default();
    let mut finder = Finder::default();
    for group in GROUPS {
        let tool = format!("sonarr_{}", group.name);
        for operation in group.operations.iter().filter(|operation| operation.effect == Effect::Read) {
            let arguments = match finder.arguments(&mut client, operation) {
                Ok(Some(arguments)) => arguments,
                Ok(None) => {
                    report.empty.push(operation.name);
                    continue;
                }
                Err(error) => {
                    report.failed.push(format!("{}: {error}", operation.name));
                    continue;
                }
            };
            match client.call(&tool, operation.name, &arguments) {
                Ok(_) => report.passed.push(operation.name),
                Err(error) => report.failed.push(format!("{} {}: {error}", operation.name, Value::from(arguments))),
            }
        }
    }
    if writes {
        for scratch in scratches() {
            scratch.live(&mut client, &mut report);
        }
    }
    Ok(report)
}

/// A kind of object that may be made, changed and removed without anybody noticing.
struct Scratch {
    tool: &'static str,
    list: &'static str,
    get: &'static str,
    create: &'static str,
    update: &'static str,
    delete: &'static str,
    /// The member that holds [`SCRATCH`].
    label: &'static str,
    body: Value,
}

fn scratches() -> [Scratch; 3] {
    [
        Scratch {
            tool: "sonarr_tags",
            list: "list_tags",
            get: "get_tag",
            create: "create_tag",
            update: "update_tag",
            delete: "delete_tag",
            label: "label",
            body: json!({ "label": SCRATCH }),
        },
        Scratch {
            tool: "sonarr_profiles_formats",
            list: "list_custom_filters",
            get: "get_custom_filter",
            create: "create_custom_filter",
            update: "update_custom_filter",
            delete: "delete_custom_filter",
            label: "label",
            body: json!({
                "type": "series",
                "label": SCRATCH,
                "filters": [{ "key": "monitored", "value": [true], "type": "equal" }]
            }),
        },
        Scratch {
            tool: "sonarr_profiles_formats",
            list: "list_release_profiles",
            get: "get_release_profile",
            create: "create_release_profile",
            update: "update_release_profile",
            delete: "delete_release_profile",
            label: "name",
            body: json!({
                "name": SCRATCH,
                "enabled": false,
                "required": [SCRATCH],
                "ignored": [],
                "indexerId": 0,
                "tags": []
            }),
        },
    ]
}

impl Scratch {
    /// Create → read → update → read → delete → gone; what was made is removed whatever happens.
    fn live(&self, client: &mut Client, report: &mut Report) {
        // What an earlier run that was broken off left behind.
        self.sweep(client, report);
        if let Err((step, error)) = self.steps(client, report) {
            report.failed.push(format!("{step}: {error}"));
        }
        self.sweep(client, report);
    }

    fn steps(&self, client: &mut Client, report: &mut Report) -> Result<(), (&'static str, String)> {
        let mut step = |operation: &'static str, arguments: Value| {
            let answer = client.call(self.tool, operation, &object(arguments)).map_err(|error| (operation, error))?;
            report.passed.push(operation);
            Ok::<Value, (&'static str, String)>(answer)
        };
        let made = step(self.create, json!({ "body": self.body }))?;
        let id = made.get("id").and_then(Value::as_i64).ok_or((self.create, format!("no id in {made}")))?;
        self.holds(self.get, &step(self.get, json!({ "id": id }))?, SCRATCH)?;
        let renamed = format!("{SCRATCH}-renamed");
        step(self.update, json!({ "id": id, "patch": { self.label: renamed } }))?;
        self.holds(self.update, &step(self.get, json!({ "id": id }))?, &renamed)?;
        step(self.delete, json!({ "id": id }))?;
        let left = rows(&step(self.list, json!({}))?).iter().any(|row| row.get("id") == Some(&json!(id)));
        if left { Err((self.delete, format!("{id} is still listed"))) } else { Ok(()) }
    }

    fn holds(&self, step: &'static str, object: &Value, label: &str) -> Result<(), (&'static str, String)> {
        let found = object.get(self.label).and_then(Value::as_str).unwrap_or_default();
        if found.eq_ignore_ascii_case(label) {
            Ok(())
        } else {
            Err((step, format!("`{}` is {found:?}, not {label:?}", self.label)))
        }
    }

    /// Removes every scratch object of this kind.
    fn sweep(&self, client: &mut Client, report: &mut Report) {
        let listed = client.call(self.tool, self.list, &Map::new());
        let listed = match listed {
            Ok(listed) => rows(&listed),
            Err(error) => return report.failed.push(format!("{}: {error}", self.list)),
        };
        for row in listed {
            let label = row.get(self.label).and_then(Value::as_str).unwrap_or_default();
            if !label.to_lowercase().starts_with(SCRATCH) {
                continue;
            }
            let arguments = object(json!({ "id": row.get("id") }));
            if let Err(error) = client.call(self.tool, self.delete, &arguments) {
                report.failed.push(format!("{} (left behind: {label}): {error}", self.delete));
            }
        }
    }
}

/// The records of a list or a page.
pub fn rows(answer: &Value) -> Vec<Value> {
    let list = answer.get("result").or_else(|| answer.get("records")).and_then(Value::as_array);
    list.cloned().unwrap_or_default()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
