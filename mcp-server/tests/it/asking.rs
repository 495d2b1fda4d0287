//! A person is asked wherever they are: behind each of the listening transports, and at the terminal.

use std::time::Duration;

use embedded_sonarr::{EmbeddedSonarr, Options};
use serde_json::{Value, json};

use crate::listening::Program;
use crate::transport::client::{Events, OldSession, Session, call, initialize, stateless, stateless_call};

/// A Sonarr, and a program on the network before it.
async fn listening(transport: &str) -> (EmbeddedSonarr, Program) {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let url = sonarr.url();
    let variables = [("SONARR_URL", url.as_str()), ("SONARR_API_KEY", sonarr.api_key())];
    let program = Program::start(transport, &variables).await;
    (sonarr, program)
}

/// How many requests so far changed something.
fn writes(sonarr: &EmbeddedSonarr) -> usize {
    sonarr.requests().iter().filter(|request| request.method != "GET").count()
}

fn delete(id: i64) -> Value {
    call(id, "sonarr_media_library", json!({"operation": "delete_series", "arguments": {"id": 1}}))
}

/// The handshake of a client that can ask.
fn can_ask(revision: &str) -> Value {
    let mut first = initialize(revision);
    first["params"]["capabilities"] = json!({"elicitation": {}});
    first
}

fn reply(question: &Value, result: Value) -> Value {
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert!(question["params"]["message"].as_str().unwrap().starts_with("delete_series 1: "), "{question}");
    json!({"jsonrpc": "2.0", "id": question["id"], "result": result})
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"confirm": true}})
}

/// What a person says in turn, and the failure it leads to.
fn replies() -> [(Value, Option<&'static str>); 4] {
    let unsure = json!({"action": "accept", "content": {"confirm": false}});
    [
        (json!({"action": "decline"}), Some("declined")),
        (json!({"action": "cancel"}), Some("declined")),
        (unsure, Some("declined")),
        (yes(), None),
    ]
}

fn assert_outcome(answer: &Value, id: i64, code: Option<&str>, sonarr: &EmbeddedSonarr) {
    assert_eq!(answer["id"], id, "{answer}");
    let result = &answer["result"];
    assert_eq!(result["isError"], code.is_some(), "{answer}");
    assert_eq!(result["structuredContent"]["error"]["code"].as_str(), code, "{answer}");
    assert_eq!(writes(sonarr), usize::from(code.is_none()), "{answer}");
}

/// The question comes on the stream of the call itself, for a client need not have another one open.
#[tokio::test]
async fn over_streamable_http() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let (sonarr, program) = listening("http").await;
        let session = Session::open_with(&program.url, &can_ask(revision)).await;
        for (id, (said, code)) in (1..).zip(replies()) {
            let mut stream = Events::of(session.send(&delete(id)).await);
            let question = stream.message().await;
            assert_eq!(writes(&sonarr), 0);
            assert_eq!(session.send(&reply(&question, said)).await.status(), 202);
            assert_outcome(&stream.message().await, id, code, &sonarr);
        }
        assert!(sonarr.object("series", 1).is_none());
    }
}

/// One person's yes counts for their own session only.
#[tokio::test]
async fn nobody_answers_for_another_session() {
    let (sonarr, program) = listening("http").await;
    let session = Session::open_with(&program.url, &can_ask("2025-11-25")).await;
    let other = Session::open_with(&program.url, &can_ask("2025-11-25")).await;
    let mut stream = Events::of(session.send(&delete(1)).await);
    let question = stream.message().await;
    other.send(&reply(&question, yes())).await;
    let early = tokio::time::timeout(Duration::from_millis(300), stream.next()).await;
    assert!(early.is_err(), "{early:?}");
    assert_eq!(writes(&sonarr), 0);
    session.send(&reply(&question, yes())).await;
    assert_outcome(&stream.message().await, 1, None, &sonarr);
}

#[tokio::test]
async fn over_the_older_pair() {
    for revision in ["2024-11-05", "2025-06-18"] {
        let (sonarr, program) = listening("sse").await;
        let mut session = OldSession::begin_with(&program.url, &can_ask(revision)).await;
        for (id, (said, code)) in (1..).zip(replies()) {
            let question = session.ask(&delete(id)).await;
            assert_eq!(writes(&sonarr), 0);
            let answer = session.ask(&reply(&question, said)).await;
            assert_outcome(&answer, id, code, &sonarr);
        }
        assert!(sonarr.object("series", 1).is_none());
    }
}

/// Without sessions the question is an answer, and the call that brings the person's is a request of its own.
#[tokio::test]
async fn over_http_without_sessions() {
    let (sonarr, program) = listening("http").await;
    let url = format!("{}/mcp", program.url);
    let arguments = json!({"operation": "delete_series", "arguments": {"id": 1}});
    for (id, (said, code)) in (1..).zip(replies()) {
        let mut message = stateless_call(id, "sonarr_media_library", arguments.clone());
        message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
        let first: Value = stateless(&url, &message).send().await.unwrap().json().await.unwrap();
        let result = &first["result"];
        assert_eq!(result["resultType"], "input_required", "{first}");
        assert_eq!(result["inputRequests"]["confirm"]["method"], "elicitation/create", "{first}");
        assert_eq!(writes(&sonarr), 0);
        message["params"]["requestState"] = result["requestState"].clone();
        message["params"]["inputResponses"] = json!({"confirm": said});
        let answer: Value = stateless(&url, &message).send().await.unwrap().json().await.unwrap();
        assert_outcome(&answer, id, code, &sonarr);
    }
    assert!(sonarr.object("series", 1).is_none());
}

/// A client that cannot ask gets a preview on each transport, with what confirms it.
#[tokio::test]
async fn who_cannot_ask_gets_a_preview() {
    let (sonarr, program) = listening("http").await;
    let session = Session::open(&program.url, "2025-11-25").await;
    let http = session.ask(&delete(1)).await;
    let (old_sonarr, program) = listening("sse").await;
    let sse = OldSession::begin(&program.url).await.ask(&delete(1)).await;
    for (answer, sonarr) in [(http, sonarr), (sse, old_sonarr)] {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("nothing was sent") && text.contains("confirm"), "{text}");
        assert_eq!(writes(&sonarr), 0);
    }
}

#[cfg(unix)]
mod terminal {
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::process::Stdio;
    use std::time::Duration;

    use embedded_sonarr::{EmbeddedSonarr, Options};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use tokio::io::{AsyncReadExt, BufReader};
    use tokio::process::{Child, ChildStderr};

    use super::writes;
    use crate::session::command;

    const PROMPT: &str = "Do it? [y/N] ";

    /// `sonarr-mcp call … delete_series` with a terminal for its input.
    struct Call {
        child: Child,
        errors: BufReader<ChildStderr>,
        keyboard: File,
    }

    impl Call {
        /// Starts it and waits for the question.
        async fn asked(sonarr: &EmbeddedSonarr) -> Self {
            let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
            grantpt(&keyboard).unwrap();
            unlockpt(&keyboard).unwrap();
            let path = ptsname(&keyboard, Vec::new()).unwrap().into_string().unwrap();
            let terminal = OpenOptions::new().read(true).write(true).open(path).unwrap();
            let url = sonarr.url();
            let mut command = command(&[("SONARR_URL", &url), ("SONARR_API_KEY", sonarr.api_key())]);
            command.args(["call", "media_library", "delete_series", r#"{"id": 1}"#]);
            command.stdin(terminal).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
            let mut child = command.spawn().unwrap();
            let errors = BufReader::new(child.stderr.take().unwrap());
            let mut call = Call { child, errors, keyboard: keyboard.into() };
            let mut text = Vec::new();
            while !text.ends_with(PROMPT.as_bytes()) {
                let byte = tokio::time::timeout(Duration::from_secs(20), call.errors.read_u8()).await.unwrap();
                text.push(byte.unwrap_or_else(|_| panic!("no prompt: {}", String::from_utf8_lossy(&text))));
            }
            assert!(text.starts_with(b"delete_series 1: "), "{}", String::from_utf8_lossy(&text));
            call
        }

        /// Whether it succeeded, and what it wrote after the question.
        async fn ended(mut self) -> (bool, String) {
            let mut errors = String::new();
            let reading = self.errors.read_to_string(&mut errors);
            tokio::time::timeout(Duration::from_secs(20), reading).await.expect("the program ends").unwrap();
            (self.child.wait().await.unwrap().success(), errors)
        }
    }

    #[tokio::test]
    async fn only_a_clear_yes_sends_it() {
        let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
        // The last is the end of the input, Ctrl-D.
        for typed in ["n\n", "\n", "yep\n", "no, y\n", "\u{4}"] {
            let mut call = Call::asked(&sonarr).await;
            assert_eq!(writes(&sonarr), 0);
            call.keyboard.write_all(typed.as_bytes()).unwrap();
            let (success, errors) = call.ended().await;
            assert!(!success && errors.contains("nothing was sent"), "{typed:?}: {errors}");
            assert_eq!(writes(&sonarr), 0, "{typed:?}");
        }
        for typed in ["y\n", " YES \n"] {
            let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
            let mut call = Call::asked(&sonarr).await;
            call.keyboard.write_all(typed.as_bytes()).unwrap();
            let (success, errors) = call.ended().await;
            assert!(success, "{typed:?}: {errors}");
            assert_eq!((writes(&sonarr), errors.as_str()), (1, ""), "{typed:?}");
            assert!(sonarr.object("series", 1).is_none());
        }
    }

    /// Who is asked can leave by Ctrl-C.
    #[tokio::test]
    async fn an_interrupt_ends_the_question() {
        let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
        let call = Call::asked(&sonarr).await;
        let id = call.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let (success, _) = call.ended().await;
        assert!(!success);
        assert_eq!(writes(&sonarr), 0);
    }
}
