//! Published servers to stand beside, installed from their registries in the versions named here.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Peer;

/// The npm package, its version, and the program in it.
const NPM: (&str, &str, &str) = ("mcp-arr-server", "1.7.3", "mcp-arr");

/// A package of PyPI.
struct PyPi {
    name: &'static str,
    /// What pip is asked for.
    requirement: &'static str,
    version: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
    /// A file that the program is told of by `--config`.
    config: Option<&'static str>,
    tool: &'static str,
}

const PYPI: [PyPi; 2] = [
    PyPi {
        name: "arr-stack-mcp",
        requirement: "arr-stack-mcp==0.2.1",
        version: "0.2.1",
        program: "arr-stack-mcp",
        arguments: &["serve"],
        variables: &[("BENCH_SONARR_URL", "{url}"), ("BENCH_SONARR_KEY", "{key}")],
        config: Some(
            "services:\n  sonarr:\n    enabled: true\n    url: ${BENCH_SONARR_URL}\n    api_key: ${BENCH_SONARR_KEY}\n",
        ),
        tool: "sonarr.series_search",
    },
    PyPi {
        name: "arr-py-client",
        requirement: "arr-py-client[mcp]==0.11.0",
        version: "0.11.0",
        program: "arr-py-mcp",
        arguments: &[],
        // It does not start without a Radarr; nothing is asked of it.
        variables: &[
            ("SONARR_BASE_URL", "{url}"),
            ("SONARR_API_KEY", "{key}"),
            ("RADARR_BASE_URL", "{url}"),
            ("RADARR_API_KEY", "{key}"),
        ],
        config: None,
        tool: "call_tool",
    },
];

/// What was installed, and what could not be.
pub(super) struct Peers {
    /// Names those to measure.
    pub(super) file: PathBuf,
    pub(super) missing: Vec<Peer>,
}

/// Installs them into `folder`, unless they are there already.
///
/// # Errors
/// When the folder cannot be written to.
pub(super) fn install(folder: &Path, python: Option<&Path>) -> Result<Peers> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut found: Vec<Value> = Vec::new();
    let mut missing = Vec::new();
    let mut take = |name: String, installed: Result<Value>| match installed {
        Ok(mut peer) => {
            if let Some(members) = peer.as_object_mut() {
                members.insert("name".to_owned(), name.into());
            }
            found.push(peer);
        }
        Err(error) => missing.push(absent(name, &error)),
    };
    let (name, version, _) = NPM;
    take(format!("{name} {version} (npm)"), npm(folder));
    for package in &PYPI {
        take(format!("{} {} (PyPI)", package.name, package.version), pypi(folder, package, python));
    }
    let file = folder.join("peers.json");
    std::fs::write(&file, Value::from(found).to_string()).with_context(|| file.display().to_string())?;
    Ok(Peers { file, missing })
}

fn absent(name: String, error: &anyhow::Error) -> Peer {
    Peer {
        name,
        error: Some(format!("{error:#}")),
        start: 0.0,
        memory: 0.0,
        tools: Value::Null,
        list: 0.0,
        answer: 0,
        text: String::new(),
        memory_after: 0.0,
    }
}

fn npm(folder: &Path) -> Result<Value> {
    let (name, version, program) = NPM;
    let place = folder.join(name);
    let file = place.join("node_modules/.bin").join(program);
    if !file.exists() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&place).arg(format!("{name}@{version}"));
        succeed(&mut npm)?;
    }
    // It gives 100 series at most.
    Ok(json!({
        "program": file, "arguments": [], "variables": [["SONARR_URL", "{url}"], ["SONARR_API_KEY", "{key}"]],
        "tool": "sonarr_get_series", "call": {"limit": 100}
    }))
}

fn pypi(folder: &Path, package: &PyPi, python: Option<&Path>) -> Result<Value> {
    let place = folder.join(package.name);
    let file = place.join("bin").join(package.program);
    if !file.exists() {
        // Both want Python 3.12 or newer.
        let python = python.unwrap_or(Path::new("python3"));
        succeed(Command::new(python).args(["-m", "venv"]).arg(&place))?;
        succeed(Command::new(place.join("bin/pip")).args(["install", "--quiet", package.requirement]))?;
    }
    let mut arguments: Vec<String> = package.arguments.iter().map(|&argument| argument.to_owned()).collect();
    if let Some(text) = package.config {
        let config = place.join("bench.yaml");
        std::fs::write(&config, text).with_context(|| config.display().to_string())?;
        arguments.extend(["--config".to_owned(), config.display().to_string()]);
    }
    let call = match package.tool {
        "call_tool" => json!({"name": "sonarr_series_list", "arguments": {}}),
        _ => json!({"args": {"query": "the"}}),
    };
    Ok(json!({
        "program": file, "arguments": arguments, "variables": package.variables, "tool": package.tool, "call": call
    }))
}

/// Runs a command; its output is told only when it fails.
fn succeed(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| name.clone())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{name}: {}", text.trim().lines().last().unwrap_or("it failed and said nothing"));
    }
    Ok(())
}
