//! Commands followed to their end.

use std::sync::Mutex;
use std::time::Duration;

use embedded_sonarr::{EmbeddedSonarr, Options};
use httpmock::{Method, MockServer};
use serde_json::json;
use sonarr_client::commands::{
    ApplicationUpdate, Backup, DownloadedEpisodesScan, RefreshSeries, RescanSeries, Restart,
};
use sonarr_client::prelude::*;
use sonarr_client::{CommandEnd, ErrorKind, Wait, WaitError, types};

use crate::{answer, client};

async fn start() -> (EmbeddedSonarr, Client) {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let client = Client::connect(&sonarr.url(), sonarr.api_key()).unwrap();
    (sonarr, client)
}

/// Looks often, so that the tests are done soon.
fn quick(wait: Wait<'_>) -> Wait<'_> {
    wait.pauses(Duration::from_millis(20), Duration::from_millis(100)).timeout(Duration::from_secs(30))
}

#[tokio::test]
async fn a_command_is_followed_to_its_end() {
    let (_sonarr, client) = start().await;
    let command = client.run(&RescanSeries { series_id: Some(1) }).await.unwrap();
    assert_eq!((command.name.as_deref(), command.end()), (Some("RescanSeries"), None));
    let states = Mutex::new(Vec::new());
    let told = |command: &types::CommandResource| states.lock().unwrap().push(command.status.clone().unwrap());
    let done = quick(client.wait(&command)).on_change(told).await.unwrap();
    assert_eq!((done.id, done.end()), (command.id, Some(CommandEnd::Completed)));
    assert!(done.ended.is_some());
    use types::CommandStatus::{Completed, Queued, Started};
    assert_eq!(*states.lock().unwrap(), [Queued, Started, Completed]);
    // What has ended is not looked at again.
    let again = client.wait(&done).timeout(Duration::ZERO).await.unwrap();
    assert_eq!(again, done);
}

#[tokio::test]
async fn a_command_that_fails_comes_with_its_reason_and_no_trace() {
    let (_sonarr, client) = start().await;
    let command = client.run(&ApplicationUpdate::default()).await.unwrap();
    let error = quick(client.wait(&command)).await.unwrap_err();
    let WaitError::Ended { command: failed, end: CommandEnd::Failed } = &error else { panic!("{error}") };
    assert!(failed.exception.as_ref().unwrap().contains("   at "));
    for text in [error.to_string(), format!("{error:?}")] {
        assert!(text.contains("ApplicationUpdate (command ") && text.contains("update the container"), "{text}");
        assert!(!text.contains("   at "), "{text}");
    }
}

#[tokio::test]
async fn a_command_in_vain_is_told_from_one_that_failed() {
    let (_sonarr, client) = start().await;
    let scan = DownloadedEpisodesScan { path: "/downloads/nothing-here".to_owned(), ..Default::default() };
    let command = client.run(&scan).await.unwrap();
    let error = quick(client.wait(&command)).await.unwrap_err();
    assert!(matches!(error, WaitError::Ended { end: CommandEnd::Unsuccessful, .. }), "{error}");
}

#[tokio::test]
async fn a_restart_that_cuts_a_command_off_is_told() {
    let (_sonarr, client) = start().await;
    let command = client.run(&RefreshSeries::default()).await.unwrap();
    let restarted = Mutex::new(false);
    let (send, receive) = tokio::sync::oneshot::channel();
    let mut send = Some(send);
    let waiting = quick(client.wait(&command)).on_change(move |command| {
        if command.status == Some(types::CommandStatus::Started) {
            let _ = send.take().map(|send| send.send(()));
        }
    });
    let restart = async {
        receive.await.unwrap();
        client.restart_system().send().await.unwrap();
        *restarted.lock().unwrap() = true;
    };
    let (end, ()) = tokio::join!(waiting.into_future(), restart);
    let error = end.unwrap_err();
    let WaitError::Lost { command } = &error else { panic!("{error}") };
    assert_eq!(command.end(), Some(CommandEnd::Orphaned));
    assert!(*restarted.lock().unwrap() && error.to_string().contains("was lost: Sonarr restarted"), "{error}");
}

#[tokio::test]
async fn the_restart_itself_is_followed_through_the_time_sonarr_is_away() {
    let (_sonarr, client) = start().await;
    let command = client.run(&Restart {}).await.unwrap();
    let done = quick(client.wait(&command)).await.unwrap();
    assert_eq!(done.end(), Some(CommandEnd::Completed));
    assert!(client.list_tags().send().await.is_ok(), "it is up again");
}

#[tokio::test]
async fn a_command_that_is_not_known_any_more_is_lost() {
    let running = json!({"id": 7, "name": "Backup", "status": "started", "queued": "2026-01-01T00:00:00Z"});
    for (status, now) in [
        (404, json!({"message": "NotFound"})),
        // The same id, and another command.
        (200, json!({"id": 7, "name": "RssSync", "status": "started", "queued": "2026-01-01T00:00:00Z"})),
        (200, json!({"id": 7, "name": "Backup", "status": "started", "queued": "2026-02-02T00:00:00Z"})),
    ] {
        let server = MockServer::start_async().await;
        let look = answer(&server, Method::GET, "/api/v3/command/7", status, now).await;
        let command = serde_json::from_value(running.clone()).unwrap();
        let error = quick(client(&server).wait(&command)).await.unwrap_err();
        assert!(matches!(error, WaitError::Lost { .. }), "{error}");
        assert_eq!(error.command(), Some(&command));
        assert_eq!(look.calls_async().await, 1);
    }
}

#[tokio::test]
async fn patience_ends_with_what_was_last_seen() {
    let (_sonarr, client) = start().await;
    let command = client.run(&Backup {}).await.unwrap();
    let error = client.wait(&command).timeout(Duration::ZERO).await.unwrap_err();
    let WaitError::TimedOut { command: seen, trouble: None, .. } = &error else { panic!("{error}") };
    assert_eq!(**seen, command);
    assert!(error.to_string().contains("had not ended after 0 s: it is queued"), "{error}");
}

#[tokio::test]
async fn a_look_that_fails_is_made_again_unless_it_would_fail_again() {
    let command: types::CommandResource =
        serde_json::from_value(json!({"id": 7, "name": "Backup", "status": "queued"})).unwrap();
    let nobody = Client::builder("http://127.0.0.1:9").retries(0).no_proxy().build().unwrap();
    let wait = nobody.wait(&command).pauses(Duration::from_millis(5), Duration::from_millis(5));
    let error = wait.timeout(Duration::from_millis(100)).await.unwrap_err();
    let WaitError::TimedOut { trouble: Some(trouble), .. } = &error else { panic!("{error}") };
    assert_eq!(trouble.kind(), ErrorKind::ConnectionRefused);

    let server = MockServer::start_async().await;
    let look = answer(&server, Method::GET, "/api/v3/command/7", 401, "").await;
    let error = quick(client(&server).wait(&command)).await.unwrap_err();
    assert!(matches!(&error, WaitError::Call(error) if error.kind() == ErrorKind::Unauthorized), "{error}");
    assert_eq!(look.calls_async().await, 1);

    let error = client(&server).wait(&types::CommandResource::default()).await.unwrap_err();
    assert!(matches!(&error, WaitError::Call(error) if error.kind() == ErrorKind::InvalidRequest), "{error}");
}
