//! Which Sonarr answers, and what it does not have.

use embedded_sonarr::{EmbeddedSonarr, Options};
use httpmock::{Method, MockServer};
use sonarr_client::prelude::*;
use sonarr_client::{ErrorKind, types};

use crate::{KEY, answer, client};

async fn start(next_version: bool) -> (EmbeddedSonarr, Client) {
    let sonarr = EmbeddedSonarr::start(Options { next_version, ..Options::default() }).await.unwrap();
    let client = Client::connect(&sonarr.url(), sonarr.api_key()).unwrap();
    (sonarr, client)
}

#[tokio::test]
async fn the_server_tells_its_version_and_its_apis() {
    let (_sonarr, client) = start(false).await;
    let version = client.server_version().await.unwrap();
    assert_eq!(version.to_string(), "Sonarr 4.0.19.2979, current API v3");
    assert_eq!((version.major(), version.deprecates_v3()), (Some(4), false));

    let (_sonarr, client) = start(true).await;
    let version = client.server_version().await.unwrap();
    assert_eq!((version.major(), version.deprecates_v3()), (Some(5), true));
}

#[tokio::test]
async fn every_answer_and_every_refusal_tells_the_version() {
    let (sonarr, client) = start(false).await;
    assert_eq!(client.list_tags().send().await.unwrap().sonarr_version().as_deref(), Some("4.0.19.2979"));
    let error = client.create_tag().body(types::TagResource::default()).send().await.unwrap_err();
    assert_eq!(error.sonarr_version(), Some("4.0.19.2979"), "{error:?}");
    sonarr.inject("truncated*1@/tag".parse().unwrap());
    let error = client.list_tags().send().await.unwrap_err();
    assert_eq!((error.kind(), error.sonarr_version()), (ErrorKind::Misfit, Some("4.0.19.2979")), "{error:?}");

    // What is before Sonarr does not.
    let server = MockServer::start_async().await;
    answer(&server, Method::GET, "/api/v3/tag", 200, "[]").await;
    assert_eq!(crate::client(&server).list_tags().send().await.unwrap().sonarr_version(), None);
}

#[tokio::test]
async fn a_record_that_is_not_there_is_no_missing_operation() {
    for next_version in [false, true] {
        let (_sonarr, client) = start(next_version).await;
        for error in [
            client.get_tag().id(987_654).send().await.unwrap_err(),
            client.get_series().id(987_654).send().await.unwrap_err(),
            client.get_quality_profile().id(987_654).send().await.unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{next_version}: {error}");
        }
    }
}

/// What `list_tags` makes of a status, a body and a version; with an id in its path, what `get_tag` makes of it.
async fn refused(with_id: bool, status: u16, body: &str, version: Option<&str>) -> (ErrorKind, String) {
    let server = MockServer::start_async().await;
    server
        .mock_async(|when, then| {
            when.header("X-Api-Key", KEY);
            let then = then.status(status).body(body);
            if let Some(version) = version {
                then.header("X-Application-Version", version);
            }
        })
        .await;
    let client = client(&server);
    let error = if with_id {
        client.get_tag().id(3).send().await.unwrap_err()
    } else {
        client.list_tags().send().await.unwrap_err()
    };
    (error.kind(), error.to_string())
}

#[tokio::test]
async fn an_operation_that_the_server_does_not_have_is_told_with_the_version() {
    for (status, body) in [(404, ""), (405, ""), (404, "<!doctype html><title>Not Found</title>")] {
        let (kind, text) = refused(false, status, body, Some("6.1.0.1")).await;
        assert_eq!(kind, ErrorKind::MissingOperation, "{text}");
        assert!(text.contains("Sonarr 6.1.0.1 does not have this operation"), "{text}");
        let (kind, text) = refused(false, status, body, None).await;
        assert_eq!(kind, ErrorKind::MissingOperation, "{text}");
        assert!(text.contains("what answers does not have this operation"), "{text}");
    }
    // Sonarr 4 names a record that is not there, so nothing at all means that there is no such route.
    assert_eq!(refused(true, 404, "", Some("4.0.19.2979")).await.0, ErrorKind::MissingOperation);
    assert_eq!(refused(true, 404, "", Some("5.0.0.1")).await.0, ErrorKind::NotFound);
    assert_eq!(refused(true, 404, "", None).await.0, ErrorKind::NotFound);
    assert_eq!(refused(true, 405, "", Some("5.0.0.1")).await.0, ErrorKind::MissingOperation);
    // Sonarr's own words are about the request.
    for (status, body, kind) in [
        (404, r#"{"title": "Not Found", "status": 404}"#, ErrorKind::NotFound),
        (404, r#"{"message": "NotFound"}"#, ErrorKind::NotFound),
        (405, r#"{"message": "MethodNotAllowed"}"#, ErrorKind::Refused),
    ] {
        assert_eq!(refused(false, status, body, Some("4.0.19.2979")).await.0, kind, "{body}");
    }
}
