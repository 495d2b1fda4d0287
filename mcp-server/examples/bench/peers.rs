//! Other servers, and this one among them, at a library of 500 series.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::figures::{median, megabytes, milliseconds};
use crate::process::{Program, Result, Server, Sonarr, during};

/// How often each is started.
const STARTS: usize = 3;

/// How often each lists the series.
const LISTS: usize = 5;

/// A server, as the file names it. In its variables `{url}` and `{key}` stand for those of Sonarr.
#[derive(Deserialize)]
struct Peer {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    /// The tool that lists series.
    tool: String,
    call: Value,
}

/// What each takes: to start, to list its tools, to list the series; or why it could not be measured.
///
/// # Errors
/// When the file cannot be read, or there is no Sonarr.
pub fn measure(file: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(file).map_err(during(&file.display().to_string()))?;
    let mut peers: Vec<Peer> = serde_json::from_str(&text).map_err(during(&file.display().to_string()))?;
    let sonarr = Sonarr::start(500)?;
    let Program { file, arguments, variables } = Program::ours(&sonarr.url, &sonarr.key)?;
    let ours = Peer {
        name: "sonarr-mcp".to_owned(),
        program: file,
        arguments,
        variables,
        tool: "sonarr_media_library".to_owned(),
        call: json!({"operation": "list_series"}),
    };
    peers.insert(0, ours);
    Ok(peers.iter().map(|peer| measured(peer, &sonarr)).collect())
}

fn measured(peer: &Peer, sonarr: &Sonarr) -> Value {
    match measure_one(peer, sonarr) {
        Ok(value) => value,
        Err(error) => json!({"name": peer.name, "error": error}),
    }
}

fn measure_one(peer: &Peer, sonarr: &Sonarr) -> Result<Value> {
    let filled = |text: &String| text.replace("{url}", &sonarr.url).replace("{key}", &sonarr.key);
    let variables = peer.variables.iter().map(|(name, value)| (name.clone(), filled(value))).collect();
    let program = Program { file: peer.program.clone(), arguments: peer.arguments.clone(), variables };
    let mut starts = Vec::new();
    for _ in 1..STARTS {
        starts.push(milliseconds(Server::start(&program)?.took));
    }
    let mut server = Server::start(&program)?;
    starts.push(milliseconds(server.took));
    let tools = server.request("tools/list", json!({}))?;
    let before = megabytes(server.memory()?.now);
    let (mut times, mut answer) = (Vec::new(), String::new());
    for _ in 0..LISTS {
        let begun = Instant::now();
        answer = server.call(&peer.tool, &peer.call)?;
        times.push(milliseconds(begun.elapsed()));
    }
    Ok(json!({
        "name": peer.name, "start": median(&starts), "memory": before,
        "tools": result(&tools, "/result/tools")?,
        "list": median(&times), "answer": answer.trim_end().len(),
        "text": result(&answer, "/result/content/0/text")?,
        "memoryAfter": megabytes(server.memory()?.now)
    }))
}

/// A part of the answer to a request.
fn result(line: &str, pointer: &str) -> Result<Value> {
    let answer: Value = serde_json::from_str(line).map_err(during("an answer"))?;
    answer.pointer(pointer).cloned().ok_or_else(|| format!("an answer has no {pointer}"))
}
