//! `sonarr-mcp audit`, for scripts and on a terminal.

use std::process::Output;

use serde_json::Value;
use sonarr_mcp::audits::AUDITS;

use crate::recorder::{Recorder, Reply};
use crate::session::{KEY, command};

const PROGRAM: &str = env!("CARGO_BIN_EXE_sonarr-mcp");

async fn audit(scenario: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let variables = [("SONARR_MCP_DEMO", "true"), ("SONARR_MCP_DEMO_SCENARIO", scenario)];
    let output = command(&variables).arg("audit").args(arguments).output().await.unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default())
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[tokio::test]
async fn a_script_reads_json_and_the_status() {
    let (status, survey) = audit("clean", &[]).await;
    assert_eq!(status, Some(0), "{survey}");
    assert_eq!(survey["audits"].as_array().map(Vec::len), Some(AUDITS.len()));
    let (status, survey) = audit("missing_never_searched", &["missing", "audit_cutoff"]).await;
    assert_eq!(status, Some(1), "{survey}");
    assert_eq!((&survey["total"], survey["audits"].as_array().map(Vec::len)), (&1.into(), Some(2)));
    let finding = &survey["audits"][0]["findings"][0];
    assert_eq!(finding["kind"], "missing_never_searched");
    assert_eq!(finding["mend"]["operation"], "run_command");
}

#[tokio::test]
async fn what_keeps_it_from_looking_has_a_status_of_its_own() {
    let (status, _) = audit("clean", &["mising"]).await;
    assert_eq!(status, Some(2));
    let recorder = Recorder::start().await;
    let variables = [("SONARR_URL", recorder.url.as_str()), ("SONARR_API_KEY", KEY)];
    recorder.reply(Reply::json(401, ""));
    let output = command(&variables).args(["audit", "missing"]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(err(&output).contains("key_refused") && output.stdout.is_empty(), "{}", err(&output));
}

/// Without a name, what takes a request for each series is done for some of them.
#[tokio::test]
async fn names_that_are_asked_for_are_all_looked_at() {
    let renames = |survey: &Value| {
        let audits = survey["audits"].as_array().unwrap();
        let names = audits.iter().find(|audit| audit["operation"] == "audit_names").unwrap();
        names["examined"]["series"].as_u64().unwrap()
    };
    let series = ["--demo-series", "100"];
    let (_, all) = audit("clean", &series).await;
    let (_, named) = audit("clean", &[&series[..], &["names"]].concat()).await;
    assert!(renames(&all) == 40 && renames(&named) > 40, "{all} {named}");
    assert!(all["unseen"].to_string().contains("more series; audit_names alone"), "{all}");
}

/// On a terminal there are tables, and the status is the same.
#[tokio::test]
async fn a_person_reads_tables() {
    let variables = [("SONARR_MCP_DEMO", "true"), ("SONARR_MCP_DEMO_SCENARIO", "missing_never_searched")];
    let mut script = tokio::process::Command::new("script");
    script.args(["--quiet", "--return", "--command", &format!("{PROGRAM} audit missing cutoff"), "/dev/null"]);
    let output = script.envs(variables).stdin(std::process::Stdio::null()).output().await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in ["audit_missing: 1 missing_never_searched", "Why", "EpisodeSearch", "Nothing found by audit_cutoff."] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("\"findings\""), "{text}");
}
