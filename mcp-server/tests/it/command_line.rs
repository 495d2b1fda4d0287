//! The program's commands.

use std::collections::BTreeSet;
use std::process::Output;

use embedded_sonarr::{EmbeddedSonarr, Options};
use serde_json::{Value, json};

use crate::recorder::{Recorder, Reply};
use crate::session::{KEY, command};

async fn run(variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    command(variables).args(arguments).output().await.unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[tokio::test]
async fn operations_are_listed_for_programs() {
    let output = run(&[], &["operations", "--json"]).await;
    assert!(output.status.success(), "{}", err(&output));
    let rows: Vec<Value> = serde_json::from_str(out(&output)).unwrap();
    let tools: BTreeSet<&str> = rows.iter().map(|row| row["tool"].as_str().unwrap()).collect();
    let names: BTreeSet<&str> = rows.iter().map(|row| row["operation"].as_str().unwrap()).collect();
    assert_eq!((rows.len(), names.len(), tools.len()), (228, 228, 15));
    for row in &rows {
        let members: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!(members, ["operation", "tool", "method", "path", "effect", "destructive", "summary", "arguments"]);
        assert_eq!(row["arguments"]["type"], "object", "{row}");
        assert_eq!(row["arguments"]["additionalProperties"], false, "{row}");
    }
    let delete = rows.iter().find(|row| row["operation"] == "delete_tag").unwrap();
    assert_eq!(
        (&delete["method"], &delete["path"], &delete["effect"]),
        (&json!("DELETE"), &json!("/api/v3/tag/{id}"), &json!("delete"))
    );
    assert!(delete["destructive"].is_string(), "{delete}");
}

#[tokio::test]
async fn operations_are_listed_for_people() {
    let output = run(&[], &["operations"]).await;
    assert!(out(&output).contains("\n! delete_tag: "), "{}", out(&output));
    assert!(out(&output).contains("\n* create_tag: "));
    assert!(out(&output).contains("\n  list_tags: "));
    let output = run(&[("SONARR_MCP_READ_ONLY", "true")], &["operations"]).await;
    assert!(!out(&output).contains("delete_tag"));
}

#[tokio::test]
async fn a_call_prints_what_a_model_would_get() {
    let recorder = Recorder::start().await;
    recorder.reply(Reply::json(200, r#"{"id": 3, "label": "kids"}"#));
    let variables = [("SONARR_URL", recorder.url.as_str()), ("SONARR_API_KEY", KEY)];
    let output = run(&variables, &["call", "sonarr_tags", "get_tag", r#"{"id": 3}"#]).await;
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(out(&output), "{\"id\":3,\"label\":\"kids\"}\n");
    assert_eq!(err(&output), "");

    recorder.reply(Reply { status: 200, content_type: "image/png", body: vec![0x89, b'P', 0xff] });
    let arguments = ["call", "media_library", "get_media_cover", r#"{"seriesId": 3, "filename": "a.png"}"#];
    assert_eq!(run(&variables, &arguments).await.stdout, [0x89, b'P', 0xff]);
}

#[tokio::test]
async fn a_call_that_fails_says_so_and_ends_with_a_status() {
    let output = run(&[], &["call", "tags", "list_tag"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("Did you mean `list_tags`?"), "{}", err(&output));
    assert_eq!(out(&output), "");

    let output = run(&[], &["call", "tags", "get_tag", "{id: 3}"]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("no JSON"), "{}", err(&output));
}

#[tokio::test]
async fn a_wrong_setting_is_named_and_not_shown() {
    for (variable, value) in [("SONARR_MCP_TIMEOUT", "hunter2"), ("SONARR_MCP_LOG", "hunter2")] {
        let output = run(&[(variable, value)], &["check"]).await;
        assert_eq!(output.status.code(), Some(2));
        assert!(err(&output).contains(variable), "{}", err(&output));
        assert!(!err(&output).contains("hunter2"), "{}", err(&output));
    }
}

#[tokio::test]
async fn a_check_says_what_answers_or_what_to_change() {
    let recorder = Recorder::start().await;
    let variables = [("SONARR_URL", recorder.url.as_str()), ("SONARR_API_KEY", KEY)];

    recorder.reply(Reply::json(200, r#"{"appName": "Sonarr", "version": "4.0.19.2979"}"#));
    let output = run(&variables, &["check"]).await;
    assert!(output.status.success(), "{}", out(&output));
    assert!(out(&output).contains("Sonarr 4.0.19.2979 answers"), "{}", out(&output));
    assert!(out(&output).contains("does not tell which one is current"), "{}", out(&output));

    recorder.reply(Reply::json(200, "{}"));
    let output = run(&variables, &["check"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("SONARR_URL"), "{}", out(&output));

    recorder.reply(Reply::json(401, ""));
    let output = run(&variables, &["check"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("API key: refused"), "{}", out(&output));
    assert!(out(&output).contains("SONARR_API_KEY"), "{}", out(&output));

    let output = run(&[], &["check"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("SONARR_URL"), "{}", out(&output));
}

#[tokio::test]
async fn the_key_may_come_from_a_file() {
    let recorder = Recorder::start().await;
    let file = std::env::temp_dir().join(format!("sonarr-mcp-it-key-{}", std::process::id()));
    std::fs::write(&file, format!("{KEY}\n")).unwrap();
    let path = file.to_str().unwrap();
    let output = run(&[("SONARR_URL", &recorder.url)], &["--api-key-file", path, "call", "tags", "list_tags"]).await;
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(recorder.take()[0].headers["x-api-key"], KEY);
    std::fs::remove_file(&file).unwrap();
}

#[tokio::test]
async fn the_demonstration_needs_nothing_but_its_flag() {
    let output = run(&[], &["--demo", "call", "sonarr_media_library", "list_series"]).await;
    assert!(output.status.success(), "{}", err(&output));
    let series: Vec<Value> = serde_json::from_str(out(&output)).unwrap();
    assert!(series.len() >= 12, "{}", series.len());
    assert!(series.iter().all(|one| one["title"].is_string() && one["tvdbId"].is_i64()));

    let output = run(&[("SONARR_MCP_DEMO", "true")], &["check"]).await;
    assert!(output.status.success(), "{}", out(&output));
    assert!(out(&output).contains("API key: accepted"), "{}", out(&output));
    assert!(out(&output).contains("API: v3, the current one"), "{}", out(&output));

    let options = Options { next_version: true, ..Options::default() };
    let sonarr = EmbeddedSonarr::start(options).await.unwrap();
    let output = run(&[("SONARR_URL", &sonarr.url()), ("SONARR_API_KEY", sonarr.api_key())], &["check"]).await;
    assert!(output.status.success(), "{}", out(&output));
    assert!(out(&output).contains("Sonarr 5.0.0.41 answers"), "{}", out(&output));
    assert!(out(&output).contains("v3, which this Sonarr calls deprecated; v5 is"), "{}", out(&output));
}

#[tokio::test]
async fn what_needs_consent_is_not_done_where_nobody_can_be_asked() {
    let delete = ["--demo", "call", "media_library", "delete_series", r#"{"id": 1}"#];
    let output = run(&[], &delete).await;
    assert_eq!(output.status.code(), Some(1));
    let told = err(&output);
    assert!(
        told.contains("delete_series 1: ") && told.contains("Nothing was sent") && told.contains("--confirm never"),
        "{told}"
    );
    let output = run(&[], &[&["--confirm", "never"], delete.as_slice()].concat()).await;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let output = run(&[], &[delete.as_slice(), &["--dry-run"]].concat()).await;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("nothing was sent"), "{}", out(&output));
}

#[tokio::test]
async fn secrets_are_shown_to_who_asks_for_them() {
    let call = ["--demo", "call", "config", "get_host_config"];
    let hidden = run(&[], &call).await;
    assert!(out(&hidden).contains("********") && !out(&hidden).contains("canary"), "{}", out(&hidden));
    let shown = run(&[("SONARR_MCP_SHOW_SECRETS", "true")], &call).await;
    assert!(out(&shown).contains("canary"), "{}", out(&shown));
}

#[tokio::test]
async fn the_tools_offered_are_chosen_by_flags() {
    let output = run(&[("SONARR_MCP_TOOLS", "sonarr_queue,tags")], &["operations", "--json", "--read-only"]).await;
    assert!(output.status.success(), "{}", err(&output));
    let rows: Vec<Value> = serde_json::from_str(out(&output)).unwrap();
    let tools: BTreeSet<&str> = rows.iter().map(|row| row["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, BTreeSet::from(["sonarr_queue", "sonarr_tags"]));
    assert!(rows.iter().all(|row| row["effect"] == "read"), "{rows:?}");

    let output = run(&[], &["--tools", "queue,nothing", "operations"]).await;
    assert_eq!(output.status.code(), Some(2));
    for due in ["--tools", "SONARR_MCP_TOOLS", "media_library", "calendar"] {
        assert!(err(&output).contains(due), "{}", err(&output));
    }
}

#[tokio::test]
async fn nothing_but_reads_is_taken_read_only_however_it_is_asked() {
    let variables = [("SONARR_MCP_READ_ONLY", "true"), ("SONARR_MCP_CONFIRM", "never"), ("SONARR_MCP_DEMO", "true")];
    for call in [
        ["call", "media_library", "add_series", "{}"],
        ["call", "tags", "update_tag", r#"{"id": 1, "patch": {"label": "x"}}"#],
    ] {
        for extra in [&[][..], &["--dry-run"]] {
            let output = run(&variables, &[&call[..], extra].concat()).await;
            assert_eq!(output.status.code(), Some(1));
            assert!(err(&output).contains("SONARR_MCP_READ_ONLY"), "{}", err(&output));
        }
    }
    // What is checked is not what is offered.
    let output = run(&[("SONARR_MCP_TOOLS", "tags"), ("SONARR_MCP_DEMO", "true")], &["check"]).await;
    assert!(output.status.success(), "{}", err(&output));
}
