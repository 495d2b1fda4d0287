//! The program on the network.

use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr};

use crate::session::command;
use crate::transport::client::{Events, OldSession, Session, call, post, stateless, stateless_call};

/// The program, listening at `url`.
pub struct Program {
    child: Child,
    errors: Lines<BufReader<ChildStderr>>,
    pub url: String,
}

impl Program {
    pub async fn start(transport: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = command(variables);
        command.args(["--transport", transport, "--port", "0"]).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = tokio::time::timeout(Duration::from_secs(20), errors.next_line()).await.unwrap().unwrap().unwrap();
        let (_, address) = line.split_once("listening at ").unwrap_or_else(|| panic!("{line}"));
        let url = address.rsplit_once('/').unwrap().0.to_owned();
        Program { child, errors, url }
    }

    async fn stop(mut self) -> (ExitStatus, Duration, String) {
        let start = Instant::now();
        let id = self.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let status = tokio::time::timeout(Duration::from_secs(10), self.child.wait()).await.unwrap().unwrap();
        let took = start.elapsed();
        let mut errors = String::new();
        while let Some(line) = self.errors.next_line().await.unwrap() {
            errors.push_str(&line);
        }
        (status, took, errors)
    }
}

fn list_tags(id: i64) -> Value {
    call(id, "sonarr_tags", json!({"operation": "list_tags"}))
}

#[tokio::test]
async fn streamable_http_and_its_end_with_a_stream_open() {
    let program = Program::start("http", &[("SONARR_MCP_DEMO", "1")]).await;
    let session = Session::open(&program.url, "2025-11-25").await;
    let answer = session.ask(&list_tags(1)).await;
    assert!(answer["result"]["structuredContent"].is_object(), "{answer}");
    let message = stateless_call(2, "sonarr_tags", json!({"operation": "list_tags"}));
    let answer: Value = stateless(&session.url, &message).send().await.unwrap().json().await.unwrap();
    assert!(answer["result"]["structuredContent"].is_object(), "{answer}");
    let mut stream = session.listen().await;
    let (status, took, errors) = program.stop().await;
    assert!(status.success(), "{status}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(errors, "");
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn the_older_pair_and_its_end_with_a_stream_open() {
    let program = Program::start("sse", &[("SONARR_MCP_DEMO", "1")]).await;
    let mut session = OldSession::begin(&program.url).await;
    let answer = session.ask(&list_tags(1)).await;
    assert_eq!(answer["id"], 1);
    assert!(answer["result"]["content"][0]["text"].is_string(), "{answer}");
    let (status, took, _) = program.stop().await;
    assert!(status.success() && took < Duration::from_secs(5), "{status} {took:?}");
}

#[tokio::test]
async fn each_session_has_a_level_of_its_own() {
    let program = Program::start("http", &[]).await;
    let loud = Session::open(&program.url, "2025-11-25").await;
    let silent = Session::open(&program.url, "2025-11-25").await;
    let set = json!({"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "debug"}});
    assert!(loud.ask(&set).await["result"].is_object());
    let (mut of_loud, mut of_silent) = (loud.listen().await, silent.listen().await);
    for session in [&loud, &silent] {
        assert_eq!(session.ask(&list_tags(2)).await["result"]["isError"], true);
    }
    assert_eq!(of_loud.message().await["method"], "notifications/message");
    let nothing = tokio::time::timeout(Duration::from_millis(200), of_silent.next()).await;
    assert!(nothing.is_err(), "{nothing:?}");
}

#[tokio::test]
async fn sixty_four_clients_of_the_program_at_once() {
    let program = Program::start("http", &[("SONARR_MCP_DEMO", "1")]).await;
    let clients = (0..64).map(|number: i64| {
        let url = program.url.clone();
        tokio::spawn(async move {
            let session = Session::open(&url, "2025-11-25").await;
            let parse = json!({"operation": "parse_title", "arguments": {"title": format!("Show {number} S01E02")}});
            let answer = session.ask(&call(1, "sonarr_media_library", parse)).await;
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(&format!("Show {number} S01E02")), "{text}");
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
}

#[tokio::test]
async fn the_token_comes_from_a_file_or_a_variable() {
    const TOKEN: &str = "0123456789abcdef";
    let file = std::env::temp_dir().join(format!("sonarr-mcp-token-{}", std::process::id()));
    std::fs::write(&file, format!("{TOKEN}\n")).unwrap();
    for variable in [("SONARR_MCP_AUTH_TOKEN", TOKEN), ("SONARR_MCP_AUTH_TOKEN_FILE", file.to_str().unwrap())] {
        let program = Program::start("http", &[variable, ("SONARR_MCP_HOST", "0.0.0.0")]).await;
        let url = format!("{}/mcp", program.url.replace("0.0.0.0", "127.0.0.1"));
        let message = stateless_call(1, "sonarr_tags", json!({"operation": "list_tags"}));
        assert_eq!(stateless(&url, &message).send().await.unwrap().status(), 401);
        assert_eq!(stateless(&url, &message).bearer_auth(TOKEN).send().await.unwrap().status(), 200);
    }
    std::fs::remove_file(file).unwrap();
}

/// What the program says when it does not start.
async fn refusal(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = command(&[]);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.kill_on_drop(true).spawn().unwrap();
    let status = tokio::time::timeout(Duration::from_secs(20), child.wait()).await.unwrap().unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).await.unwrap();
    (status.code(), errors)
}

#[tokio::test]
async fn what_cannot_be_listened_at_is_told() {
    let open = &["--transport", "http", "--host", "0.0.0.0", "--port", "0"];
    let (code, errors) = refusal(open).await;
    assert_eq!(code, Some(1));
    assert!(errors.contains("SONARR_MCP_AUTH_TOKEN") && errors.contains("--allow-unauthenticated"), "{errors}");
    let (code, errors) = refusal(&["--transport", "telnet"]).await;
    assert_eq!(code, Some(2));
    assert!(errors.contains("stdio, http or sse"), "{errors}");
    let (code, errors) = refusal(&["--port", "8080"]).await;
    assert_eq!(code, Some(2));
    assert!(errors.contains("--transport"), "{errors}");
    let (code, errors) = refusal(&["--transport", "http", "--host", "host.invalid"]).await;
    assert_eq!(code, Some(1));
    assert!(errors.contains("host.invalid"), "{errors}");
}

#[tokio::test]
async fn a_page_of_another_host_does_not_get_in() {
    let program = Program::start("http", &[("SONARR_MCP_DEMO", "1")]).await;
    let url = format!("{}/mcp", program.url);
    for (name, value) in [("host", "evil.example"), ("origin", "https://evil.example")] {
        let response = post(&url, &list_tags(1)).header(name, value).send().await.unwrap();
        assert_eq!(response.status(), 403, "{name}");
    }
    let mut events = Events::of(Session::open(&program.url, "2025-11-25").await.send(&list_tags(1)).await);
    assert!(events.message().await["result"].is_object());
}
