//! What reaches the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use httpmock::{Method, MockServer};
use serde_json::json;
use sonarr_client::prelude::*;
use sonarr_client::{Client, Error, ErrorKind, types};
use sonarr_client_mock::MockServerExt as _;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

use crate::{KEY, answer, client};

#[tokio::test]
async fn the_base_stands_before_every_path_with_one_slash() {
    for base in ["/sonarr", "/sonarr/", "/sonarr/api/v3", "//sonarr//api/v3/"] {
        let server = MockServer::start_async().await;
        let tags = answer(&server, Method::GET, "/sonarr/api/v3/tag", 200, "[]").await;
        let ping = answer(&server, Method::GET, "/sonarr/ping", 200, r#"{"status":"OK"}"#).await;
        let client = Client::connect(&format!("{}{base}", server.base_url()), KEY).unwrap();
        client.list_tags().send().await.unwrap();
        client.ping().send().await.unwrap();
        tags.assert_async().await;
        ping.assert_async().await;
    }
}

#[tokio::test]
async fn parameters_of_a_command_stand_beside_its_name() {
    let server = MockServer::start_async().await;
    let command = json!({"name": "SeasonSearch", "seriesId": 1, "seasonNumber": 2});
    let body: types::CommandRequest = serde_json::from_value(command.clone()).unwrap();
    let post = server.run_command(|when, then| {
        let _ = when.into_inner().json_body(command.clone());
        let queued = json!({"id": 7, "name": "SeasonSearch", "status": "queued"});
        then.success(201, &serde_json::from_value(queued).unwrap());
    });
    let answer = client(&server).run_command().body(body).send().await.unwrap();
    assert_eq!(answer.id, Some(7));
    post.assert_async().await;
}

#[tokio::test]
async fn a_manual_import_is_a_bare_list() {
    let server = MockServer::start_async().await;
    let rows = json!([{"path": "/a.mkv", "seriesId": 1, "episodeIds": [1]}]);
    let body: Vec<types::ManualImportReprocessResource> = serde_json::from_value(rows.clone()).unwrap();
    let post = server.preview_manual_import(|when, then| {
        let _ = when.into_inner().json_body(rows.clone());
        then.success(200, &vec![types::ManualImportReprocessResource { id: Some(5), ..Default::default() }]);
    });
    client(&server).preview_manual_import().body(body).send().await.unwrap();
    post.assert_async().await;
}

#[tokio::test]
async fn a_list_goes_out_by_the_repetition_of_its_name() {
    let server = MockServer::start_async().await;
    let history = server.list_history(|when, then| {
        when.series_ids(&vec![1, 3]).event_type(&vec![1]).page(2).sort_key(None);
        then.success(200, &types::HistoryResourcePagingResource::default());
    });
    client(&server).list_history().series_ids(vec![1, 3]).event_type(vec![1]).page(2).send().await.unwrap();
    history.assert_async().await;
}

#[tokio::test]
async fn what_would_leave_its_place_in_the_path_is_not_sent() {
    let client = Client::connect("http://192.0.2.1", KEY).unwrap();
    for name in ["..", "../config.xml", "a?b", "%2e%2e", ""] {
        let error = client.get_log_file().filename(name).send().await.err().unwrap();
        assert!(matches!(error, Error::InvalidRequest(_)), "{name}: {error}");
    }
    let error = client.get_tag().send().await.unwrap_err();
    assert!(error.to_string().contains("id"), "{error}");
}

#[tokio::test]
async fn a_write_that_times_out_is_sent_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let counted = Arc::clone(&counted);
            tokio::spawn(async move {
                let mut bytes = [0; 4096];
                while let Ok(read @ 1..) = socket.read(&mut bytes).await {
                    let heads = bytes[..read].windows(5).filter(|window| window == b"POST ").count();
                    counted.fetch_add(heads, Ordering::SeqCst);
                }
            });
        }
    });
    let client = Client::builder(url).api_key(KEY).timeout(Duration::from_millis(300)).build().unwrap();
    let error = client.create_tag().body(types::TagResource::default()).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(!error.is_unsent());
    assert_eq!(requests.load(Ordering::SeqCst), 1);
}
