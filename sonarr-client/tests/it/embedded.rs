//! Against the embedded server, which follows Sonarr's own rules.

use std::time::Duration;

use embedded_sonarr::{EmbeddedSonarr, Options};
use sonarr_client::prelude::*;
use sonarr_client::{Error, ErrorKind, RefusalKind, types};

async fn start(options: Options) -> (EmbeddedSonarr, Client) {
    let sonarr = EmbeddedSonarr::start(options).await.unwrap();
    let client = Client::connect(&sonarr.url(), sonarr.api_key()).unwrap();
    (sonarr, client)
}

#[tokio::test]
async fn a_whole_library_goes_back_as_it_came() {
    let (_sonarr, client) = start(Options { next_version: true, ..Options::default() }).await;
    let library = client.list_series().send().await.unwrap();
    assert!(library.len() >= 12);
    let mut unknown = 0;
    // The server has one status that it writes but does not read.
    let read_again = |series: &&types::SeriesResource| series.status != Some("paused".into());
    for series in library.iter().filter(read_again) {
        let id = series.id.unwrap();
        let before = client.get_series().id(id).send().await.unwrap().into_inner();
        unknown += before.extra.len();
        let updated = client.update_series().id(id).body(before.clone()).send().await;
        updated.unwrap_or_else(|e| panic!("series {id} with the status {:?}: {e}", before.status));
        let after = client.get_series().id(id).send().await.unwrap().into_inner();
        assert_eq!(serde_json::to_value(after).unwrap(), serde_json::to_value(before).unwrap());
    }
    assert!(unknown > 0, "a coming version has members that are not known here");
}

#[tokio::test]
async fn a_missing_url_base_is_named() {
    let (sonarr, right) = start(Options { url_base: "/sonarr".to_owned(), ..Options::default() }).await;
    right.ping().send().await.unwrap();
    let url = sonarr.url();
    let without_base = url.trim_end_matches('/').strip_suffix("/sonarr").unwrap();
    let wrong = Client::connect(without_base, sonarr.api_key()).unwrap();
    let error = wrong.list_tags().send().await.unwrap_err();
    let Error::Redirected(redirected) = &error else { panic!("{error}") };
    assert_eq!(redirected.suggested_base_url(), Some(right.base_url()));
}

#[tokio::test]
async fn a_url_base_too_many_is_named() {
    let (sonarr, _) = start(Options::default()).await;
    let wrong = Client::connect(&format!("{}/sonarr", sonarr.url().trim_end_matches('/')), sonarr.api_key()).unwrap();
    let error = wrong.list_tags().send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Page | ErrorKind::Redirected | ErrorKind::MissingOperation), "{error:?}");
}

#[tokio::test]
async fn a_server_that_is_starting_says_so() {
    let (_sonarr, client) = start(Options { starting_for: Duration::from_secs(60), ..Options::default() }).await;
    let error = client.list_series().send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StartingUp, "{error:?}");
}

#[tokio::test]
async fn the_servers_rules_come_as_refusals() {
    let (sonarr, client) = start(Options::default()).await;

    let error = client.add_series().body(types::SeriesResource::default()).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Validation, "{error:?}");
    assert!(!error.refusal().unwrap().failures().is_empty());

    let error = client.get_series().id(987_654).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error:?}");

    let wrong_key = Client::connect(&sonarr.url(), "wrong").unwrap();
    let error = wrong_key.list_series().send().await.unwrap_err();
    assert_eq!(error.refusal().map(|refusal| refusal.kind()), Some(RefusalKind::Empty));
    assert_eq!(error.kind(), ErrorKind::Unauthorized);
}

#[tokio::test]
async fn a_backup_is_uploaded() {
    let (_sonarr, client) = start(Options::default()).await;
    let answer = client.restore_backup_upload("backup.zip", b"PK\x03\x04".to_vec()).await.unwrap();
    assert_eq!(answer.restart_required, Some(true));
}
