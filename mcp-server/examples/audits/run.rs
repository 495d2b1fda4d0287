//! One audit in a server of its own.

use std::error::Error;
use std::process::Stdio;
use std::time::{Duration, Instant};

use embedded_sonarr::EmbeddedSonarr;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};

use crate::proxy::Proxy;

/// What one audit costs.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// What was found.
    pub found: u64,
    /// Requests to Sonarr.
    pub requests: usize,
    /// From sending the call to its answer.
    pub took: Duration,
    /// Bytes that Sonarr sent, headers included.
    pub bytes: u64,
    /// The most memory the server held at any time, in bytes.
    pub peak: u64,
}

/// Starts the server, makes the audit and looks at what it took.
pub async fn measure(sonarr: &EmbeddedSonarr, proxy: &Proxy, name: &str, group: &str) -> Result<Cost, Box<dyn Error>> {
    let examples = std::env::current_exe()?;
    let program = examples.ancestors().nth(2).ok_or("this program has no place")?.join("sonarr-mcp");
    let mut child = Command::new(&program)
        .env("SONARR_URL", &proxy.url)
        .env("SONARR_API_KEY", sonarr.api_key())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no output")?);
    let greeting = json!({
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "audits", "version": env!("CARGO_PKG_VERSION")},
    });
    exchange(&mut input, &mut output, 1, "initialize", greeting).await?;
    say(&mut input, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
    sonarr.clear_requests();
    proxy.take();
    let begun = Instant::now();
    let call = json!({"name": format!("sonarr_{group}"), "arguments": {"operation": name}});
    let answer = exchange(&mut input, &mut output, 2, "tools/call", call).await?;
    let took = begun.elapsed();
    let peak = peak(child.id().ok_or("the server has gone")?)?;
    // A worklist that was cut stands in `result`.
    let total = |told: &Value| told.pointer("/result/total").or_else(|| told.get("total"))?.as_u64();
    let told = answer.pointer("/result/structuredContent").unwrap_or(&Value::Null);
    let found = total(told).ok_or_else(|| format!("{name}: {answer}"))?;
    Ok(Cost { found, requests: sonarr.requests().len(), took, bytes: proxy.take(), peak })
}

async fn say(input: &mut ChildStdin, message: &Value) -> Result<(), Box<dyn Error>> {
    input.write_all(format!("{message}\n").as_bytes()).await?;
    Ok(input.flush().await?)
}

async fn exchange(
    input: &mut ChildStdin,
    output: &mut BufReader<ChildStdout>,
    id: u64,
    method: &str,
    params: Value,
) -> Result<Value, Box<dyn Error>> {
    say(input, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
    let mut line = String::new();
    loop {
        line.clear();
        if output.read_line(&mut line).await? == 0 {
            return Err("the server has gone".into());
        }
        let message: Value = serde_json::from_str(&line)?;
        if message.get("id").and_then(Value::as_u64) == Some(id) {
            return Ok(message);
        }
    }
}

/// The high-water mark of a process's memory.
fn peak(process: u32) -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes * 1024)
}
