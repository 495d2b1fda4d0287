//! `sonarr-mcp check`: does the configuration work, and if not, what to change.

use serde_json::{Map, Value, json};

use crate::answer::Content;
use crate::dispatch::Dispatcher;
use crate::failure::{Code, Failure};
use crate::instances::Instances;

/// The tool and the operation that need the right address and the right key, and change nothing.
const TOOL: &str = "sonarr_system_commands";
const STATUS: &str = "get_system_status";
/// The operation that tells which APIs there are.
const VERSIONS: &str = "get_api_versions";
/// The operation that needs no key.
const PING: &str = "ping";

/// The API this server speaks.
const API: &str = "v3";

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// A line each, for people.
    pub lines: Vec<String>,
    /// Whether everything is right.
    pub passed: bool,
}

/// Asks each instance for its status. Where there are several, each line begins with a name.
pub async fn check_all(instances: &Instances) -> Report {
    let mut all = Report { lines: Vec::new(), passed: true };
    for (name, dispatcher) in instances.all() {
        let report = check(dispatcher).await;
        all.passed &= report.passed;
        all.lines.extend(report.lines.into_iter().map(|line| match name {
            Some(name) => format!("{name}: {}", line.replace('\n', &format!("\n{name}: "))),
            None => line,
        }));
    }
    all
}

/// Asks Sonarr for its status.
pub async fn check(dispatcher: &Dispatcher) -> Report {
    match ask(dispatcher, STATUS).await {
        Ok(status) => passed(&status, ask(dispatcher, VERSIONS).await.ok().as_ref()),
        Err(failure) => failed(dispatcher, failure).await,
    }
}

async fn ask(dispatcher: &Dispatcher, operation: &str) -> Result<Value, Failure> {
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(operation));
    let answer = dispatcher.call(TOOL, call).await?;
    Ok(match answer.content {
        Content::Json(value) => value,
        Content::Text(text) => Value::String(text),
        Content::Image { .. } => Value::Null,
    })
}

fn passed(status: &Value, versions: Option<&Value>) -> Report {
    let text = |name: &str| status.get(name).and_then(Value::as_str);
    match text("version") {
        Some(version) => Report {
            lines: vec![
                "address: right".to_owned(),
                "API key: accepted".to_owned(),
                format!("{} {version} answers", text("appName").unwrap_or("Sonarr")),
                api(versions),
            ],
            passed: true,
        },
        None => Report {
            lines: vec![
                "address: something answers there, but not with Sonarr's status".to_owned(),
                "What to do: correct SONARR_URL (or --url)".to_owned(),
            ],
            passed: false,
        },
    }
}

/// The API that this server speaks, in the server's own words.
fn api(versions: Option<&Value>) -> String {
    let listed = |name: &str| {
        let list = versions.and_then(|versions| versions.get(name)).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|api| api == API))
    };
    let current = versions.and_then(|versions| versions.get("current")).and_then(Value::as_str);
    match current {
        Some(API) => format!("API: {API}, the current one"),
        Some(current) if listed("deprecated") => {
            format!("API: {API}, which this Sonarr calls deprecated; {current} is the current one")
        }
        Some(current) => format!("API: {current} is the current one; {API} is not named any more"),
        None => format!("API: {API}; Sonarr does not tell which one is current"),
    }
}

async fn failed(dispatcher: &Dispatcher, failure: Failure) -> Report {
    let mut lines = Vec::new();
    match failure.code {
        Code::NotConfigured => {}
        Code::KeyRefused => {
            // Who answers `ping` without a key is a Sonarr, so the address is right.
            lines.push(match ask(dispatcher, PING).await {
                Ok(_) => "address: right".to_owned(),
                Err(_) => "address: it answers, but perhaps not as Sonarr".to_owned(),
            });
            lines.push("API key: refused".to_owned());
        }
        Code::StartingUp => lines.push("address: right; Sonarr is starting up".to_owned()),
        _ => lines.push("address: no usable answer".to_owned()),
    }
    lines.push(failure.text());
    Report { lines, passed: false }
}
