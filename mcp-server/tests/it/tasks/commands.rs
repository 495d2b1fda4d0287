//! Commands: checked before they are sent, and followed to their end.

use std::time::Duration;

use embedded_sonarr::{EmbeddedSonarr, Fault, FaultKind, Options};
use serde_json::json;
use sonarr_mcp::failure::Code;
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::generated::commands::COMMANDS;
use sonarr_mcp::write::consent::Mode;

use super::House;
use crate::session::{KEY, Session};

const TOOL: &str = "system_commands";
const RUN: &str = "run_command";

#[tokio::test]
async fn nothing_wrong_is_sent() {
    let house = House::still(Mode::Never).await;
    for body in [
        json!({"name": "MakeCoffee"}),
        json!({"name": "SeriesSearch"}),
        json!({"name": "SeriesSearch", "seriesid": "x y z"}),
        json!({"name": "SeriesSearch", "seriesId": 1, "season": 1}),
        json!({"name": "SeriesSearch", "body": {"seriesId": 1}}),
        json!({"seriesId": 1}),
    ] {
        let failure = house.call(TOOL, RUN, json!({"body": body})).await.unwrap_err();
        assert_eq!(failure.code, Code::InvalidArguments, "{body}");
        assert!(failure.path.as_deref().is_some_and(|path| path.starts_with("arguments.body")), "{failure}");
    }
    let failure = house.call(TOOL, RUN, json!({"body": {"name": "Backup"}, "wait": "long"})).await.unwrap_err();
    assert_eq!(failure.path.as_deref(), Some("arguments.wait"));
    assert_eq!(house.requests().0, Vec::<String>::new());
}

#[tokio::test]
async fn a_command_is_sent_flat_and_in_sonarrs_spelling() {
    let house = House::still(Mode::Never).await;
    house.get(TOOL, RUN, json!({"body": {"Name": "season_search", "series_id": "4", "seasonnumber": 2}})).await;
    let requests = house.sonarr.requests();
    let sent = requests.iter().find(|request| request.method == "POST").unwrap();
    let sent: serde_json::Value = serde_json::from_slice(&sent.body).unwrap();
    assert_eq!(sent, json!({"name": "SeasonSearch", "seriesId": 4, "seasonNumber": 2}));
    assert_eq!(house.sonarr.fatal_reports(), Vec::<String>::new());
}

#[tokio::test]
async fn a_command_is_followed_to_its_end() {
    let house = House::running(Mode::Never).await;
    let (command, note) = house.get(TOOL, RUN, json!({"body": {"name": "Test", "duration": 300}, "wait": 20})).await;
    assert_eq!(
        (&command["status"], &command["result"], note.as_str()),
        (&json!("completed"), &json!("successful"), "")
    );

    let (command, note) = house.get(TOOL, RUN, json!({"body": {"name": "Test", "duration": 60_000}, "wait": 1})).await;
    assert_eq!(command["status"], "started");
    let look = json!({"operation": "get_command", "arguments": {"id": command["id"]}});
    assert!(note.contains("still running after 1 s") && note.contains(&look.to_string()), "{note}");
    // The call to look again works.
    house.send(TOOL, look).await.unwrap();

    let body = json!({"name": "DownloadedEpisodesScan", "path": "/downloads/nothing-here"});
    let failure = house.call(TOOL, RUN, json!({"body": body, "wait": 20})).await.unwrap_err();
    assert_eq!(failure.code, Code::SonarrFailed);
    assert!(failure.message.starts_with("DownloadedEpisodesScan (command "), "{failure}");
}

#[tokio::test]
async fn a_connection_lost_in_the_middle_of_a_wait_loses_nothing() {
    let house = House::running(Mode::Never).await;
    house.sonarr.inject(Fault::new(FaultKind::Reset).on_path("/command/").on_method("GET").times(4));
    let (command, note) = house.get(TOOL, RUN, json!({"body": {"name": "Test", "duration": 100}, "wait": 20})).await;
    assert_eq!((&command["status"], note.as_str()), (&json!("completed"), ""));

    house.sonarr.inject(Fault::new(FaultKind::ServerError).on_path("/command/").on_method("GET"));
    let (command, note) = house.get(TOOL, RUN, json!({"body": {"name": "Test", "duration": 101}, "wait": 1})).await;
    assert_eq!(command["status"], "queued");
    assert!(note.contains("when it was last seen") && note.contains("not known"), "{note}");
}

#[tokio::test]
async fn a_wait_given_up_looks_no_more() {
    let house = House::running(Mode::Never).await;
    let call = house.call(TOOL, RUN, json!({"body": {"name": "Test", "duration": 60_000}, "wait": 600}));
    assert!(tokio::time::timeout(Duration::from_millis(1200), call).await.is_err());
    let (_, looks) = house.requests();
    assert!(looks > 1, "it was followed");
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(house.requests().1, 0);
}

#[tokio::test]
async fn a_client_that_asks_is_told_how_a_command_goes() {
    let options = Options { api_key: KEY.to_owned(), ..Options::default() };
    let sonarr = EmbeddedSonarr::start(options).await.unwrap();
    let mut session = Session::within(GROUPS, &sonarr.url(), 4).await;
    let body = json!({"name": "Test", "duration": 4000});
    let call = json!({
        "name": "sonarr_system_commands",
        "arguments": {"operation": RUN, "arguments": {"body": body, "wait": 30}},
        "_meta": {"progressToken": 7},
    });
    let id = session.ask("tools/call", call).await;
    let told = session.receive().await;
    assert_eq!((&told["method"], &told["params"]["progressToken"]), (&json!("notifications/progress"), &json!(7)));
    assert!(told["params"]["message"].as_str().unwrap().ends_with(": Test is running"), "{told}");
    let mut answer = session.receive().await;
    while answer["method"] == "notifications/progress" {
        answer = session.receive().await;
    }
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)), "{answer}");
    assert_eq!(answer["result"]["structuredContent"]["status"], "completed", "{answer}");
}

/// Every command that a caller may want takes a body made from the table.
#[tokio::test]
async fn each_command_of_the_table_is_accepted_as_the_table_says() {
    let house = House::still(Mode::Never).await;
    for command in COMMANDS.iter().filter(|command| !command.internal && command.since.is_none()) {
        let mut body = serde_json::Map::from_iter([("name".to_owned(), json!(command.name.to_lowercase()))]);
        for parameter in command.parameters.iter().filter(|parameter| parameter.required) {
            let value = match parameter.type_name {
                "integer" => json!(1),
                "integer[]" => json!([1]),
                "string" => json!("/media/tv/x"),
                "object[]" => continue,
                other => panic!("{other}"),
            };
            body.insert(parameter.name.to_owned(), value);
        }
        if body.len() <= command.parameters.iter().filter(|parameter| parameter.required).count() {
            continue;
        }
        // What Sonarr makes of it later is another matter.
        if let Err(failure) = house.call(TOOL, RUN, json!({"body": body})).await {
            assert!(failure.code != Code::InvalidArguments, "{}: {failure}", command.name);
        }
    }
    assert_eq!(house.sonarr.fatal_reports(), Vec::<String>::new());
}
