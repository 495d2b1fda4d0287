//! Answers as servers really give them.

use futures::TryStreamExt as _;
use httpmock::{Method, MockServer};
use serde_json::json;
use sonarr_client::prelude::*;
use sonarr_client::{ErrorKind, types};

use crate::{answer, client};

#[tokio::test]
async fn a_bulk_update_answers_202_with_a_list() {
    let server = MockServer::start_async().await;
    let list = json!([{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]);
    answer(&server, Method::PUT, "/api/v3/indexer/bulk", 202, list).await;
    let body = types::IndexerBulkResource { ids: Some(vec![1, 2]), ..Default::default() };
    assert_eq!(client(&server).update_indexers().body(body).send().await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_same_operation_may_answer_with_a_list_or_with_nothing() {
    for (body, expected) in [(r#"[{"id":1},{"id":2}]"#, 2), ("", 0)] {
        let server = MockServer::start_async().await;
        answer(&server, Method::PUT, "/api/v3/episode/monitor", 202, body).await;
        let request = types::EpisodesMonitoredResource::default();
        let answer = client(&server).set_episodes_monitored().body(request).send().await.unwrap();
        assert_eq!(answer.len(), expected);
    }
}

#[tokio::test]
async fn a_delete_may_answer_with_an_empty_object_or_with_nothing() {
    for body in ["{}", ""] {
        let server = MockServer::start_async().await;
        answer(&server, Method::DELETE, "/api/v3/indexer/1", 200, body).await;
        answer(&server, Method::DELETE, "/api/v3/tag/1", 200, body).await;
        client(&server).delete_indexer().id(1).send().await.unwrap();
        client(&server).delete_tag().id(1).send().await.unwrap();
    }
}

#[tokio::test]
async fn nothing_in_place_of_a_list_is_an_error() {
    let server = MockServer::start_async().await;
    answer(&server, Method::GET, "/api/v3/tag", 200, "").await;
    let error = client(&server).list_tags().send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::EmptyAnswer);
    assert!(error.to_string().contains("`list_tags` was answered with 200 and no data"), "{error}");
}

#[tokio::test]
async fn nothing_found_is_no_error() {
    let server = MockServer::start_async().await;
    server
        .mock_async(|when, then| {
            when.path("/api/v3/parse");
            then.status(204);
        })
        .await;
    let answer = client(&server).parse_title().title("x").send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 204);
}

#[tokio::test]
async fn text_comes_as_a_stream_and_a_folder_as_an_object() {
    let server = MockServer::start_async().await;
    server
        .mock_async(|when, then| {
            when.path("/api/v3/system/routes").header("accept", "*/*");
            then.status(200).header("content-type", "text/plain").body("digraph {}");
        })
        .await;
    answer(&server, Method::GET, "/api/v3/series/1/folder", 200, r#"{"folder":"The Lantern Keepers"}"#).await;
    let client = client(&server);
    let routes = client.get_system_routes().send().await.unwrap().into_inner_stream();
    let text: Vec<_> = routes.try_collect().await.unwrap();
    assert_eq!(text.concat(), b"digraph {}");
    let folder = client.get_series_folder().id(1).send().await.unwrap();
    assert_eq!(folder.folder.as_deref(), Some("The Lantern Keepers"));
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_kept() {
    let server = MockServer::start_async().await;
    answer(&server, Method::GET, "/api/v3/series", 200, r#"[{"id":1},{"seasons":[{"seasonNumber":"one"}]}]"#).await;
    let error = client(&server).list_series().send().await.unwrap_err();
    let sonarr_client::Error::Misfit(misfit) = &error else { panic!("{error}") };
    assert_eq!(misfit.path(), "[1].seasons[0].seasonNumber");
    assert!(misfit.bytes().starts_with(br#"[{"id":1}"#));
    assert!(!error.to_string().contains("one"), "{error}");
}

#[tokio::test]
async fn compressed_answers_are_read() {
    // `[{"id":1}]`, gzipped.
    const GZIPPED: [u8; 30] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8b, 0xae, 0x56, 0xca, 0x4c, 0x51, 0xb2, 0x32,
        0xac, 0x8d, 0x05, 0x00, 0x64, 0xa8, 0xe5, 0x68, 0x0a, 0x00, 0x00, 0x00,
    ];
    let mut garbled = GZIPPED;
    garbled[24] ^= 1;
    let server = MockServer::start_async().await;
    for (path, body) in [("/api/v3/tag", GZIPPED), ("/api/v3/tag/detail", garbled)] {
        server
            .mock_async(|when, then| {
                when.path(path).header_includes("accept-encoding", "gzip");
                then.status(200)
                    .header("content-type", "application/json")
                    .header("content-encoding", "gzip")
                    .body(body);
            })
            .await;
    }
    assert_eq!(client(&server).list_tags().send().await.unwrap()[0].id, Some(1));
    let error = client(&server).list_tag_details().send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error:?}");
}
