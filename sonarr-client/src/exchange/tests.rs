use std::time::{Duration, Instant};

use futures::StreamExt as _;
use httpmock::MockServer;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::{ErrorKind, TransportKind};

const KEY: &str = "0123456789abcdef0123456789abcdef";

#[derive(Clone, Debug, PartialEq)]
struct Season {
    number: Option<i32>,
    extra: Map<String, Value>,
}
crate::open_object! { Season { number: "number" } }

#[derive(Clone, Debug, PartialEq)]
struct Series {
    id: Option<i32>,
    seasons: Option<Vec<Season>>,
    extra: Map<String, Value>,
}
crate::open_object! { Series { id: "id", seasons: "seasons" } }

fn client(base_url: &str) -> Client {
    Client::connect(base_url, KEY).unwrap()
}

fn request(client: &Client, method: Method, path: &str) -> Request {
    let url = format!("{}{path}", client.baseurl);
    client.client.request(method, url).build().unwrap()
}

async fn get<T: DeserializeOwned>(client: &Client) -> Result<ResponseValue<T>, Error> {
    json(client, request(client, Method::GET, "/x?term=secret-term"), "get_x").await
}

async fn send<T: DeserializeOwned>(client: &Client, method: Method) -> Result<ResponseValue<T>, Error> {
    json(client, request(client, method, "/x"), "do_x").await
}

/// A server that answers everything in one way.
async fn answering(status: u16, content_type: &str, body: impl AsRef<[u8]>) -> MockServer {
    let server = MockServer::start_async().await;
    server
        .mock_async(|when, then| {
            when.any_request();
            then.status(status).header("content-type", content_type).body(body);
        })
        .await;
    server
}

/// No error shows the key, the query, or more than a few lines.
fn seemly(error: &Error) -> String {
    let text = error.to_string();
    for shown in [text.clone(), format!("{error:?}")] {
        assert!(!shown.contains(KEY), "{shown}");
        assert!(!shown.contains("secret-term"), "{shown}");
        assert!(shown.len() < 2500, "{shown}");
    }
    text
}

#[tokio::test]
async fn the_key_goes_in_its_header_alone() {
    let server = MockServer::start_async().await;
    let mock = server
        .mock_async(|when, then| {
            when.method(httpmock::Method::GET)
                .path("/x")
                .header("x-api-key", KEY)
                .header("accept", "application/json")
                .header("user-agent", concat!("sonarr-client/", env!("CARGO_PKG_VERSION")))
                .header_missing("api-version")
                .header_missing("authorization")
                .query_param_missing("apikey");
            then.status(200).body("{}");
        })
        .await;
    let client = client(&server.base_url());
    get::<Series>(&client).await.unwrap();
    mock.assert_async().await;

    let keyless = Client::builder(server.base_url()).build().unwrap();
    assert!(get::<Series>(&keyless).await.is_err(), "the mock wants a key");
}

#[tokio::test]
async fn every_status_of_success_counts() {
    for status in [200, 201, 202, 203, 206] {
        let server = answering(status, "application/json", "\u{feff}{\"id\":7,\"new\":null}").await;
        let answer = send::<Series>(&client(&server.base_url()), Method::PUT).await.unwrap();
        assert_eq!(answer.status().as_u16(), status);
        assert_eq!(answer.id, Some(7));
        assert!(answer.extra.contains_key("new"));
        assert!(answer.headers().contains_key("content-type"));
    }
}

#[tokio::test]
async fn an_empty_answer_is_fine_where_nothing_is_due() {
    for body in ["", " \r\n"] {
        let server = answering(200, "application/json", body).await;
        let client = client(&server.base_url());
        let object = send::<Series>(&client, Method::DELETE).await.unwrap().into_inner();
        assert_eq!(serde_json::to_value(object).unwrap(), json!({}));
        assert_eq!(send::<Value>(&client, Method::POST).await.unwrap().into_inner(), Value::Null);
        assert!(send::<Vec<Series>>(&client, Method::PUT).await.unwrap().is_empty());
        send::<()>(&client, Method::PUT).await.unwrap();

        let error = send::<i32>(&client, Method::PUT).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::EmptyAnswer);
        for error in [
            get::<Series>(&client).await.unwrap_err(),
            get::<Vec<Series>>(&client).await.unwrap_err(),
            get::<Value>(&client).await.unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::EmptyAnswer);
            assert_eq!(error.status(), Some(StatusCode::OK));
            assert!(seemly(&error).contains("`get_x` was answered with 200 and no data"));
        }
    }
    let server = MockServer::start_async().await;
    server
        .mock_async(|when, then| {
            when.any_request();
            then.status(204);
        })
        .await;
    let client = client(&server.base_url());
    assert_eq!(get::<Option<Series>>(&client).await.unwrap().into_inner(), None);
    assert_eq!(get::<Series>(&client).await.unwrap().status().as_u16(), 204);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_says_where_and_keeps_the_bytes() {
    let body = json!([
        {"id": 1},
        {"id": 2, "seasons": [{"number": 1}, {"number": KEY}], "apiKey": "other-secret"},
    ])
    .to_string();
    let server = answering(202, "application/json; charset=utf-8", &body).await;
    let error = get::<Vec<Series>>(&client(&server.base_url())).await.unwrap_err();
    let text = seemly(&error);
    assert!(text.contains("`[1].seasons[1].number` in the answer"), "{text}");
    assert!(text.contains("invalid type: a string, expected i32"), "{text}");
    assert!(!format!("{error:?}").contains("other-secret"));
    assert_eq!((error.kind(), error.status()), (ErrorKind::Misfit, Some(StatusCode::ACCEPTED)));
    assert_eq!(error.operation(), Some("get_x"));
    let Error::Misfit(misfit) = error else { panic!("{error}") };
    assert_eq!(misfit.bytes().as_ref(), body.as_bytes());
    assert_eq!(misfit.content_type(), Some("application/json; charset=utf-8"));
    assert_eq!(misfit.path(), "[1].seasons[1].number");
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_told_from_one_that_does_not_fit() {
    for (body, is_json) in
        [("{\"id\":1", false), ("{\"id\":1} trailing", false), ("plain text", false), ("[]", true), ("null", true)]
    {
        let server = answering(200, "application/json", body).await;
        let error = get::<Series>(&client(&server.base_url())).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Misfit, "{body}: {error}");
        let text = seemly(&error);
        assert!(text.contains("but the answer is not what this version expects: "), "{text}");
        assert_eq!(text.contains("no complete JSON"), !is_json, "{text}");
    }
}

#[tokio::test]
async fn a_page_in_place_of_data_is_named_as_one() {
    let page = format!("<!DOCTYPE html><head><title>Login {KEY}</title></head>{}", "x".repeat(9000));
    for content_type in ["text/html; charset=utf-8", "application/json"] {
        let server = answering(200, content_type, &page).await;
        let client = client(&server.base_url());
        let empty_error = empty(&client, request(&client, Method::POST, "/x"), "do_x").await.unwrap_err();
        for error in [get::<Series>(&client).await.unwrap_err(), empty_error] {
            assert_eq!((error.kind(), error.status()), (ErrorKind::Page, Some(StatusCode::OK)));
            let text = seemly(&error);
            assert!(text.contains("(\"Login ********\")"), "{text}");
            assert!(text.contains("URL base"), "{text}");
        }
    }
    let server = answering(200, "text/html", &page).await;
    let client = client(&server.base_url());
    let result = stream(&client, request(&client, Method::GET, "/x"), "get_x").await;
    assert_eq!(result.err().map(|e| e.kind()), Some(ErrorKind::Page));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let server = MockServer::start_async().await;
    let target = server
        .mock_async(|when, then| {
            when.path("/sonarr/x");
            then.status(200).body("{}");
        })
        .await;
    server
        .mock_async(|when, then| {
            when.path("/x");
            then.status(307).header("location", "/sonarr/x?term=secret-term");
        })
        .await;
    let error = get::<Series>(&client(&server.base_url())).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Redirected, Some(StatusCode::TEMPORARY_REDIRECT)));
    let text = seemly(&error);
    assert!(text.ends_with(&format!("set the base URL to {}", server.url("/sonarr"))), "{text}");
    target.assert_calls_async(0).await;
}

#[tokio::test]
async fn a_refusal_keeps_its_status_and_body() {
    let server = answering(404, "application/json", r#"{"message":"NotFound"}"#).await;
    let client = client(&server.base_url());
    let stream_error = stream(&client, request(&client, Method::GET, "/x"), "get_x").await.err().unwrap();
    let empty_error = empty(&client, request(&client, Method::GET, "/x"), "get_x").await.unwrap_err();
    for error in [get::<Series>(&client).await.unwrap_err(), stream_error, empty_error] {
        assert_eq!((error.kind(), error.status()), (ErrorKind::NotFound, Some(StatusCode::NOT_FOUND)));
        assert_eq!(seemly(&error), "`get_x` was refused (404): NotFound");
        assert_eq!(error.refusal().unwrap().bytes().as_ref(), br#"{"message":"NotFound"}"#);
    }
}

#[tokio::test]
async fn statuses_become_kinds() {
    let failures = r#"[{"propertyName":"A","errorMessage":"b"}]"#;
    let starting = r#"{"errorMessage":"Starting"}"#;
    for (status, body, kind) in [
        (400, failures, ErrorKind::Validation),
        (400, r#"{"errors":{"$.a":["b"]}}"#, ErrorKind::Validation),
        (400, r#"{"message":"BadRequest"}"#, ErrorKind::Refused),
        (401, "", ErrorKind::Unauthorized),
        (403, "", ErrorKind::Forbidden),
        (404, "", ErrorKind::MissingOperation),
        (405, "", ErrorKind::MissingOperation),
        (409, r#"{"message":"in use"}"#, ErrorKind::Conflict),
        (500, r#"{"message":"x","description":"y"}"#, ErrorKind::ServerError),
        (502, "<html>", ErrorKind::ServerError),
        (503, starting, ErrorKind::StartingUp),
        (503, r#"{"message":"no SkyHook"}"#, ErrorKind::ServerError),
    ] {
        let server = answering(status, "application/json", body).await;
        let error = get::<Series>(&client(&server.base_url())).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{status} {body}");
        seemly(&error);
    }
}

#[tokio::test]
async fn an_accepted_status_carries_the_usual_answer_or_a_refusal() {
    let test_all = |client: Client| async move {
        let request = request(&client, Method::POST, "/x");
        json_accepting::<Vec<Series>>(&client, request, "test_all", &[400]).await
    };
    for (body, expected) in [("[{\"id\":1,\"isValid\":false}]", 1), ("[]", 0)] {
        let server = answering(400, "application/json", body).await;
        let answer = test_all(client(&server.base_url())).await.unwrap();
        assert_eq!(answer.len(), expected);
        assert_eq!(answer.status().as_u16(), 400);
    }
    for body in [
        r#"[{"propertyName":"A","errorMessage":"b"}]"#,
        r#"{"message":"BadRequest"}"#,
        r#"{"title":"Odd"}"#,
        "",
        "<html>",
        "[1]",
    ] {
        let server = answering(400, "application/json", body).await;
        let error = test_all(client(&server.base_url())).await.unwrap_err();
        assert!(error.refusal().is_some(), "{body}: {error}");
    }
    let server = answering(500, "application/json", "[]").await;
    assert!(test_all(client(&server.base_url())).await.is_err());
}

#[tokio::test]
async fn text_and_images_come_as_they_are() {
    let server = MockServer::start_async().await;
    server
        .mock_async(|when, then| {
            when.header("accept", "*/*").header("x-api-key", KEY);
            then.status(200).header("content-type", "image/png").body([0x89, b'P', 0, 0xff]);
        })
        .await;
    let client = client(&server.base_url());
    let answer = stream(&client, request(&client, Method::GET, "/x"), "get_x").await.unwrap();
    assert_eq!(answer.headers()["content-type"], "image/png");
    let mut bytes = Vec::new();
    let mut body = answer.into_inner_stream();
    while let Some(chunk) = body.next().await {
        bytes.extend_from_slice(&chunk.unwrap());
    }
    assert_eq!(bytes, [0x89, b'P', 0, 0xff]);
}

/// A server that reads the head of a request, writes `answer` and then waits or closes.
async fn raw_server(answer: &'static [u8], then_wait: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = [0; 4096];
                let _ = socket.read(&mut head).await;
                let _ = socket.write_all(answer).await;
                tokio::time::sleep(then_wait).await;
            });
        }
    });
    format!("http://{address}")
}

fn transport_kind(error: &Error) -> TransportKind {
    match error {
        Error::Transport(error) => error.kind(),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn nothing_listening_is_a_refused_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = get::<Series>(&client(&url)).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::ConnectionRefused, None));
    assert!(error.is_unsent() && !error.is_timeout());
    let text = seemly(&error);
    assert!(text.contains(&format!("connection refused by {url}: ")), "{text}");
}

#[tokio::test]
async fn an_unknown_host_is_named() {
    let error =
        get::<Series>(&Client::builder("no-such-host.invalid:8989").no_proxy().build().unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Dns);
    assert!(error.is_unsent());
    assert!(seemly(&error).contains("no host `no-such-host.invalid`"), "{error}");
}

#[tokio::test]
async fn a_time_out_names_the_setting_that_raises_it() {
    for answer in [&b""[..], b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"] {
        let url = raw_server(answer, Duration::from_secs(60)).await;
        let client = Client::builder(url).api_key(KEY).timeout(Duration::from_millis(300)).build().unwrap();
        let started = Instant::now();
        let error = get::<Series>(&client).await.unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(20));
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert!(error.is_timeout() && !error.is_unsent());
        let text = seemly(&error);
        assert!(text.contains("within 0.3 s; `ClientBuilder::timeout` raises the limit"), "{text}");
        let Error::Transport(transport) = &error else { panic!("{error}") };
        assert_eq!(transport.limit(), Some(Duration::from_millis(300)));
        assert_eq!(transport.method(), Some(&Method::GET));
    }
}

/// Linux drops what knocks at a full queue, so that connecting takes for ever.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_time_out_of_connecting_names_its_own_setting() {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    for _ in 0..4 {
        let connecting = tokio::net::TcpStream::connect(address);
        queued.push(tokio::time::timeout(Duration::from_millis(100), connecting).await);
    }
    let client = Client::builder(format!("http://{address}"))
        .api_key(KEY)
        .connect_timeout(Duration::from_millis(200))
        .build()
        .unwrap();
    let error = get::<Series>(&client).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectTimeout, "{error:?}");
    assert!(error.is_timeout() && error.is_unsent());
    let text = seemly(&error);
    assert!(text.contains("within 0.2 s; `ClientBuilder::connect_timeout` raises the limit"), "{text}");
    drop((listener, queued));
}

#[tokio::test]
async fn a_connection_that_ends_early_is_told_from_a_refused_one() {
    for answer in [&b""[..], b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{", b"HTTP/1.1 200 OK\r\ncontent-le"] {
        let url = raw_server(answer, Duration::ZERO).await;
        let error = get::<Series>(&client(&url)).await.unwrap_err();
        assert_eq!(transport_kind(&error), TransportKind::ConnectionClosed, "{error:?}");
        assert!(!error.is_unsent());
        assert!(seemly(&error).contains("closed before the answer was complete"), "{error}");
    }
}

#[tokio::test]
async fn what_is_no_http_is_said_to_be_none() {
    let url = raw_server(b"\x15\x03\x01\x00\x02\x02\x0a", Duration::ZERO).await;
    let error = get::<Series>(&client(&url)).await.unwrap_err();
    assert_eq!(transport_kind(&error), TransportKind::Protocol, "{error:?}");
    assert!(seemly(&error).contains("is it an https port?"), "{error}");
}

#[tokio::test]
async fn a_body_that_breaks_off_leaves_the_refusal_standing() {
    let url = raw_server(b"HTTP/1.1 500 X\r\ncontent-length: 100\r\n\r\nhalf a tex", Duration::ZERO).await;
    let error = get::<Series>(&client(&url)).await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::INTERNAL_SERVER_ERROR));
    assert!(seemly(&error).ends_with("(500): half a tex"), "{error}");
}

#[tokio::test]
async fn a_long_refusal_is_not_read_to_its_end() {
    let server = answering(500, "text/plain", "x".repeat(3 << 20)).await;
    let error = get::<Series>(&client(&server.base_url())).await.unwrap_err();
    assert_eq!(error.refusal().unwrap().bytes().len(), REFUSAL_LIMIT);
    seemly(&error);
}

#[cfg(any(feature = "rustls", feature = "native-tls"))]
#[tokio::test]
async fn a_plain_port_asked_for_tls_is_a_tls_failure() {
    for answer in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b""] {
        let url = raw_server(answer, Duration::ZERO).await.replace("http:", "https:");
        let client = Client::builder(url).api_key(KEY).accept_invalid_certs(true).build().unwrap();
        let error = get::<Series>(&client).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Tls, "{error:?}");
        assert!(error.is_unsent());
        assert!(seemly(&error).contains("no secure connection (TLS)"), "{error}");
    }
}

#[test]
fn a_quoted_value_is_left_out_of_a_message() {
    for (message, expected) in [
        ("invalid type: string \"pw\", expected i32", "invalid type: a string, expected i32"),
        ("invalid value: string \"a\", expected \"\", expected x", "invalid value: a string, expected x"),
        ("invalid type: map, expected a sequence", "invalid type: map, expected a sequence"),
        ("string \", expected", "string \", expected"),
    ] {
        assert_eq!(without_value(message), expected);
    }
}
