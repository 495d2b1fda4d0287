//! A client of `sonarr-mcp` over its pipes, one call after the other.

use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program and the ends of its pipes.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Client {
    /// Starts the program with these variables added, and shakes hands.
    ///
    /// # Errors
    /// What kept it from starting or from answering.
    pub fn start(program: &Path, variables: &[(&str, &str)]) -> Result<Self, String> {
        let mut child = Command::new(program)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the program has no pipes".to_owned());
        };
        let mut client = Self { child, input, output: BufReader::new(output), last_id: 0 };
        client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "live-suite", "version": env!("CARGO_PKG_VERSION") }
            }),
        )?;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// Makes one call and gives its structured content.
    ///
    /// # Errors
    /// The text of a failure, or what was wrong with the answer.
    pub fn call(&mut self, tool: &str, operation: &str, arguments: &Map<String, Value>) -> Result<Value, String> {
        let result = self.request(
            "tools/call",
            json!({ "name": tool, "arguments": { "operation": operation, "arguments": arguments } }),
        )?;
        let text = result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default();
        if result.get("isError").and_then(Value::as_bool).unwrap_or(false) {
            return Err(text.to_owned());
        }
        result.get("structuredContent").cloned().ok_or_else(|| format!("no structured content beside {text:?}"))
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.output.read_line(&mut line).map_err(|error| error.to_string())?;
            if read == 0 {
                return Err(format!("the program ended before it answered {method}"));
            }
            let message: Value = serde_json::from_str(&line).map_err(|error| format!("{error} in {line}"))?;
            // Notifications may come in between.
            if message.get("id").and_then(Value::as_u64) == Some(id) {
                return match (message.get("result"), message.get("error")) {
                    (Some(result), None) => Ok(result.clone()),
                    (_, error) => Err(format!("{method}: {error:?}")),
                };
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.input, "{message}").and_then(|()| self.input.flush()).map_err(|error| error.to_string())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A program that has ended already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
