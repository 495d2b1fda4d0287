//! A bug in one operation is answered, and the others go on.

use serde_json::json;
use sonarr_mcp::operation::{Document, Effect, Group, Operation, Reply};

use crate::session::Session;

const fn operation(name: &'static str, call: sonarr_mcp::operation::Call) -> Operation {
    Operation {
        name,
        group: "bugs",
        method: "GET",
        path: "/",
        effect: Effect::Read,
        destructive: None,
        idempotent: true,
        long_running: false,
        summary: "Has a bug.",
        details: "",
        requires: &[],
        parameters: &[],
        arguments: || schemars::json_schema!({"type": "object"}),
        call,
    }
}

static BUGS: &[Group] = &[Group {
    name: "bugs",
    title: "Bugs",
    summary: "Operations that fail as none should.",
    operations: &[
        operation("panic_reading", |_, _| panic!("hunter2")),
        operation("panic_sending", |_, _| {
            Ok(Box::pin(async {
                tokio::task::yield_now().await;
                panic!("hunter2")
            }))
        }),
        operation("work", |_, _| {
            Ok(Box::pin(async { Ok(Reply::Json { status: 200, document: Document::new(json!({"fine": true})) }) }))
        }),
    ],
}];

#[tokio::test]
async fn a_panic_is_answered_and_the_server_goes_on() {
    let mut session = Session::within(BUGS, "http://127.0.0.1:1", 1).await;
    for operation in ["panic_reading", "panic_sending"] {
        // One place only: a panic that kept it would leave the next call waiting for ever.
        let error = session.fail("sonarr_bugs", json!({"operation": operation})).await;
        assert_eq!(error["code"], "internal");
        assert!(!error.to_string().contains("hunter2"), "{error}");
        let result = session.call("sonarr_bugs", json!({"operation": "work"})).await;
        assert_eq!(result["structuredContent"], json!({"fine": true}));
    }
}
