//! A client of the server: over pipes to the program, or within the test to a server of its own.

use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::{Dispatcher, Policy};
use sonarr_mcp::instances::Instances;
use sonarr_mcp::operation::Group;
use sonarr_mcp::server::Server;
use sonarr_mcp::transport::stdio;
use sonarr_mcp::write::consent::Mode;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

/// The key of all tests.
pub const KEY: &str = "0123456789abcdef0123456789abcdef";

/// Longer than anything a test waits for.
const PATIENCE: Duration = Duration::from_secs(20);

type Input = Box<dyn AsyncWrite + Send + Unpin>;
type Output = Lines<BufReader<Box<dyn AsyncRead + Send + Unpin>>>;

/// A client with a server of its own.
pub struct Session {
    input: Option<Input>,
    output: Output,
    child: Option<Child>,
    last_id: i64,
}

impl Session {
    /// Starts the program, with these variables and no others of ours, and shakes hands.
    pub async fn spawn(variables: &[(&str, &str)]) -> Self {
        let mut session = Session::spawn_silent(variables);
        session.initialize().await;
        session
    }

    /// Starts the program with arguments as well, and shakes hands.
    pub async fn spawn_with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = command(variables);
        command.args(arguments);
        let mut session = Session::start(command);
        session.initialize().await;
        session
    }

    /// Starts the program and says nothing.
    pub fn spawn_silent(variables: &[(&str, &str)]) -> Self {
        Session::start(command(variables))
    }

    /// Starts any command that speaks the protocol, and says nothing.
    pub fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = child.stdout.take().unwrap();
        Session::over(Box::new(input), Box::new(output), Some(child))
    }

    /// Serves `groups` within the test, asks about nothing, and shakes hands.
    pub async fn within(groups: &'static [Group], url: &str, concurrency: usize) -> Self {
        let target = Target { url: Some(url.to_owned()), api_key: ApiKey::new(KEY), ..Target::default() };
        let policy = Policy { mode: Mode::Never, ..Policy::default() };
        let dispatcher = Dispatcher::new(groups, Connection::new(target), false).with_policy(policy);
        let mut session = Session::before(Arc::new(Instances::one(dispatcher)), concurrency);
        session.initialize().await;
        session
    }

    /// Serves within the test, and says nothing.
    pub fn before(instances: Arc<Instances>, concurrency: usize) -> Self {
        let server = Server::new(instances, concurrency);
        let (input, reader) = tokio::io::duplex(64 * 1024);
        let (writer, output) = tokio::io::duplex(64 * 1024);
        tokio::spawn(stdio::serve_on(server, reader, writer, CancellationToken::new()));
        Session::over(Box::new(input), Box::new(output), None)
    }

    fn over(input: Input, output: Box<dyn AsyncRead + Send + Unpin>, child: Option<Child>) -> Self {
        Session { input: Some(input), output: BufReader::new(output).lines(), child, last_id: 0 }
    }

    pub async fn initialize(&mut self) -> Value {
        self.initialize_with(json!({})).await
    }

    /// Shakes hands as a client with these capabilities.
    pub async fn initialize_with(&mut self, capabilities: Value) -> Value {
        let answer = self
            .request(
                "initialize",
                json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": capabilities,
                    "clientInfo": {"name": "test", "version": "1"}
                }),
            )
            .await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer["result"].clone()
    }

    /// Sends bytes as they are.
    pub async fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).await.unwrap();
        input.flush().await.unwrap();
    }

    pub async fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes()).await;
    }

    /// The next message of the server.
    pub async fn receive(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line())
            .await
            .expect("the server answers")
            .unwrap()
            .expect("the server has not ended");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("standard output has only messages, not {line:?}"))
    }

    /// Sends a request and returns its id.
    pub async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    /// Sends a request and returns the answer to it.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and returns the result.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool and returns the failure, which text and structure tell alike.
    pub async fn fail(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        let error = result["structuredContent"]["error"].clone();
        let text = result["content"][0]["text"].as_str().unwrap();
        for part in ["code", "message", "path", "nearest", "cure"] {
            if let Some(part) = error[part].as_str() {
                assert!(text.contains(part), "{part} is in {text}");
            }
        }
        error
    }

    /// Whether the server still serves.
    pub async fn assert_serving(&mut self) {
        let answer = self.request("tools/list", json!({})).await;
        assert!(answer["result"]["tools"].is_array(), "{answer}");
    }

    /// The process, to be signalled.
    pub fn process_id(&self) -> u32 {
        self.child.as_ref().unwrap().id().unwrap()
    }

    /// Closes the client's end.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the program to end; returns its status and what it wrote on standard error.
    pub async fn ended(mut self) -> (ExitStatus, String) {
        let mut child = self.child.take().unwrap();
        let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("the program ends").unwrap();
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).await.unwrap();
        (status, errors)
    }
}

/// The program, with these variables and none of ours from outside.
pub fn command(variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sonarr-mcp"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SONARR_") {
            command.env_remove(name);
        }
    }
    command.envs(variables.iter().copied());
    command
}
