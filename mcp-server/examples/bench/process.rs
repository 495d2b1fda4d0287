//! Servers in processes of their own: MCP servers over pipes, and the Sonarrs they speak to.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What goes wrong, as text.
pub type Result<T> = std::result::Result<T, String>;

/// Adds what was done to an error.
pub fn during<E: std::fmt::Display>(what: &str) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// A program built together with this one: an example by its name, or `sonarr-mcp`.
///
/// # Errors
/// When this program's own place is not known.
pub fn built(name: &str) -> Result<PathBuf> {
    let examples = std::env::current_exe().map_err(during("this program"))?;
    let folder = if name == "sonarr-mcp" { examples.ancestors().nth(2) } else { examples.parent() };
    Ok(folder.unwrap_or(Path::new(".")).join(name))
}

/// How an MCP server is started.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program's file or name.
    pub file: PathBuf,
    /// What is given to it.
    pub arguments: Vec<String>,
    /// Its variables, beside those it inherits.
    pub variables: Vec<(String, String)>,
}

impl Program {
    /// `sonarr-mcp` for a Sonarr.
    ///
    /// # Errors
    /// As [`built`].
    pub fn ours(url: &str, key: &str) -> Result<Self> {
        let variables = [("SONARR_URL", url), ("SONARR_API_KEY", key)];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Ok(Program { file: built("sonarr-mcp")?, arguments: Vec::new(), variables })
    }
}

/// An MCP server over its pipes.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u64,
    /// From before it was started to the answer to `initialize`.
    pub took: Duration,
}

impl Server {
    /// Starts a server and shakes hands.
    ///
    /// # Errors
    /// What kept it from starting or from answering.
    pub fn start(program: &Program) -> Result<Self> {
        let begun = Instant::now();
        let mut child = Command::new(&program.file)
            .args(&program.arguments)
            .envs(program.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(during(&program.file.display().to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the program has no pipes".to_owned());
        };
        let output = BufReader::with_capacity(64 * 1024, output);
        let mut server = Server { child, input, output, last_id: 0, took: Duration::ZERO };
        let greeting = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": env!("CARGO_PKG_VERSION")}
        });
        server.request("initialize", greeting)?;
        server.took = begun.elapsed();
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())?;
        Ok(server)
    }

    /// Makes a request and gives the line that answers it.
    ///
    /// # Errors
    /// When the server has gone, or answers with an error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<String> {
        let line = self.line(method, params);
        self.exchange(&line)
    }

    /// Makes a call and gives the line that answers it.
    ///
    /// # Errors
    /// As [`Server::request`].
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Many calls, of which so many are in flight; gives how long all of them took.
    ///
    /// # Errors
    /// As [`Server::request`].
    pub fn calls(&mut self, tool: &str, arguments: &Value, count: usize, in_flight: usize) -> Result<Duration> {
        let mut lines: Vec<String> =
            (0..count).map(|_| self.line("tools/call", json!({"name": tool, "arguments": arguments}))).collect();
        lines.reverse();
        let begun = Instant::now();
        for _ in 0..in_flight {
            if let Some(line) = lines.pop() {
                self.send(&line)?;
            }
        }
        for _ in 0..count {
            self.answer()?;
            if let Some(line) = lines.pop() {
                self.send(&line)?;
            }
        }
        Ok(begun.elapsed())
    }

    fn line(&mut self, method: &str, params: Value) -> String {
        self.last_id += 1;
        json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}).to_string()
    }

    fn exchange(&mut self, line: &str) -> Result<String> {
        self.send(line)?;
        self.answer()
    }

    fn send(&mut self, line: &str) -> Result<()> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.input.write_all(&bytes).and_then(|()| self.input.flush()).map_err(during("the server's input"))
    }

    /// The next line that answers a request. Some servers write notifications and other lines in between.
    fn answer(&mut self) -> Result<String> {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).map_err(during("the server's output"))?;
            if read == 0 {
                return Err("the server has ended".to_owned());
            }
            // What is said of an answer stands at either end of it: looking there costs no time that counts.
            let (head, tail) = (part(&line, 0, 400), part(&line, line.len().saturating_sub(400), line.len()));
            if !head.starts_with('{') || (!head.contains("\"result\"") && !head.contains("\"error\"")) {
                continue;
            }
            if head.contains("\"error\":{") || [head, tail].iter().any(|part| failed(part)) {
                return Err(format!("a call failed: {head}"));
            }
            return Ok(line);
        }
    }

    /// What it takes of memory.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn memory(&self) -> Result<Memory> {
        Memory::of(self.child.id())
    }
}

fn part(line: &str, from: usize, to: usize) -> &str {
    let from = (0..=from).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let to = (0..=to.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    line.get(from..to).unwrap_or_default()
}

fn failed(part: &str) -> bool {
    part.contains("\"isError\":true") || part.contains("\"isError\": true")
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process takes of memory, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// What it has now: `VmRSS`.
    pub now: u64,
    /// The most it has had: `VmHWM`.
    pub most: u64,
}

impl Memory {
    fn of(process: u32) -> Result<Self> {
        let file = format!("/proc/{process}/status");
        let status = std::fs::read_to_string(&file).map_err(during(&file))?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
            kilobytes.map(|number| number * 1024).ok_or_else(|| format!("{file} has no {name}"))
        };
        Ok(Memory { now: field("VmRSS")?, most: field("VmHWM")? })
    }
}

/// An embedded Sonarr.
pub struct Sonarr {
    child: Child,
    /// Its address.
    pub url: String,
    /// Its API key.
    pub key: String,
}

impl Sonarr {
    /// Starts one with so many series.
    ///
    /// # Errors
    /// What kept it from starting.
    pub fn start(series: usize) -> Result<Self> {
        Sonarr::from(built("serve")?, &["--series", &series.to_string()])
    }

    /// Starts one that gives the same bytes to whoever asks for anything.
    ///
    /// # Errors
    /// What kept it from starting.
    pub fn replaying(file: &Path) -> Result<Self> {
        let this = std::env::current_exe().map_err(during("this program"))?;
        Sonarr::from(this, &["replay", &file.display().to_string()])
    }

    fn from(file: PathBuf, arguments: &[&str]) -> Result<Self> {
        let mut child = Command::new(&file)
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(during(&file.display().to_string()))?;
        let mut line = String::new();
        if let Some(output) = child.stderr.take() {
            BufReader::new(output).read_line(&mut line).map_err(during("the Sonarr's output"))?;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let url = words.iter().find(|word| word.starts_with("http://")).copied();
        let (Some(url), Some(key)) = (url, words.last()) else {
            return Err(format!("the Sonarr said {line:?}"));
        };
        Ok(Sonarr { url: url.to_owned(), key: (*key).to_owned(), child })
    }
}

impl Drop for Sonarr {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
