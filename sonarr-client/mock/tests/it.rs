//! The helpers, called as the SDK calls Sonarr.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

use chrono::{DateTime, Utc};
use httpmock::MockServer;
use sonarr_client::prelude::*;
use sonarr_client::{ErrorKind, types};
use sonarr_client_mock::MockServerExt as _;

async fn start() -> (MockServer, Client) {
    let server = MockServer::start_async().await;
    let client = Client::connect(&server.base_url(), "key").unwrap();
    (server, client)
}

#[tokio::test]
async fn a_list_has_to_be_sent_whole() {
    let (server, client) = start().await;
    let queue = server.list_queue(|when, then| {
        when.series_ids(&vec![1, 2]).page(None);
        then.success(200, &types::QueueResourcePagingResource::default());
    });
    client.list_queue().series_ids(vec![1, 2]).send().await.unwrap();
    client.list_queue().series_ids(vec![2, 1]).send().await.unwrap();
    queue.assert_calls(2);
    for series in [vec![1], vec![]] {
        let error = client.list_queue().series_ids(series).send().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "no mock answers: {error}");
    }
    // `None` says that there is no such argument.
    assert!(client.list_queue().series_ids(vec![1, 2]).page(1).send().await.is_err());
    queue.assert_calls(2);
}

#[tokio::test]
async fn enums_times_and_ids_are_matched_as_they_are_sent() {
    let (server, client) = start().await;
    let since: DateTime<Utc> = "2026-01-31T06:07:08Z".parse().unwrap();
    let history = server.list_history_since(|when, then| {
        when.date(&since).include_series(true);
        then.success(200, &vec![types::HistoryResource { id: Some(1), ..Default::default() }]);
    });
    let records = client.list_history_since().date(since).include_series(true).send().await.unwrap();
    assert_eq!(records.len(), 1);
    history.assert();

    let blocklist = server.list_blocklist(|when, then| {
        when.sort_direction(types::SortDirection::Ascending).protocols(&vec![types::DownloadProtocol::Usenet]);
        then.success(200, &types::BlocklistResourcePagingResource::default());
    });
    let list = client.list_blocklist().sort_direction(types::SortDirection::Ascending);
    list.protocols(vec![types::DownloadProtocol::Usenet]).send().await.unwrap();
    blocklist.assert();

    let tag = server.get_tag(|when, then| {
        when.id(12);
        then.success(200, &types::TagResource { label: Some("four".to_owned()), ..Default::default() });
    });
    assert_eq!(client.get_tag().id(12).send().await.unwrap().label.as_deref(), Some("four"));
    assert!(client.get_tag().id(1).send().await.is_err());
    assert!(client.get_tag().id(121).send().await.is_err());
    tag.assert();
}

#[tokio::test]
async fn bodies_are_compared_and_text_comes_as_text() {
    let (server, client) = start().await;
    let label = |label: &str| types::TagResource { label: Some(label.to_owned()), ..Default::default() };
    let created = server.create_tag(|when, then| {
        when.body(&label("new"));
        then.success(201, &types::TagResource { id: Some(5), ..label("new") });
    });
    assert_eq!(client.create_tag().body(label("new")).send().await.unwrap().id, Some(5));
    assert!(client.create_tag().body(label("other")).send().await.is_err());
    created.assert();

    let file: sonarr_client::PathSegment = "sonarr.txt".parse().unwrap();
    server.get_log_file(|when, then| {
        when.filename(&file);
        then.success(200, "text/plain", "one line");
    });
    let answer = client.get_log_file().filename("sonarr.txt").send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/plain");
}
