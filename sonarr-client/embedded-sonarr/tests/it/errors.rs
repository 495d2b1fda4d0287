//! What goes wrong before a handler is reached, and the headers of every answer.

use std::time::Duration;

use embedded_sonarr::{Clock, Options};
use serde_json::json;

use crate::support::{client, serve, serve_with};

#[tokio::test]
async fn the_key_is_looked_for_in_three_places() {
    let served = serve().await;
    let key = served.sonarr.api_key().to_owned();
    let status = async |request: reqwest::RequestBuilder| served.send(request).await;
    let bare = status(served.bare("GET", "/api/v3/tag")).await;
    assert_eq!((bare.status, bare.bytes.len()), (401, 0));
    assert!(bare.header("www-authenticate").is_none() && bare.header("x-application-version").is_none());
    assert_eq!(status(served.bare("GET", "/api/v3/tag").header("X-Api-Key", "wrong")).await.status, 401);
    assert_eq!(status(served.bare("GET", "/api/v3/tag").bearer_auth(&key)).await.status, 200);
    assert_eq!(status(served.bare("GET", &format!("/api/v3/tag?apikey={key}"))).await.status, 200);
    // The first one present decides: a bad key in the query is not made up for by a good header.
    assert_eq!(status(served.request("GET", "/api/v3/tag?apikey=bad")).await.status, 401);
    assert_eq!(status(served.request("GET", "/api/v3/tag?apikey=")).await.status, 401);
    assert_eq!(status(served.bare("GET", "/api/v3/nothing")).await.status, 401, "before 404");
    assert_eq!(status(served.bare("GET", "/api")).await.status, 401);
    assert_eq!(status(served.bare("GET", "/feed/v3/calendar/Sonarr.ics")).await.status, 401);
    let ping = status(served.bare("GET", "/ping")).await;
    assert_eq!(ping.expect(200), json!({"status": "OK"}));
    assert!(ping.header("x-application-version").is_none());
    assert_eq!(status(served.bare("HEAD", "/ping")).await.bytes.len(), 0);
}

#[tokio::test]
async fn routing_has_its_statuses() {
    let served = serve().await;
    let wrong = served.get("/queue/5").await;
    assert_eq!((wrong.status, wrong.bytes.len()), (405, 0));
    assert_eq!(wrong.header("allow"), Some("DELETE"));
    for path in ["/nothing", "/tag/five", "/tag/1/2"] {
        let answer = served.get(path).await;
        assert_eq!((answer.status, answer.bytes.len()), (404, 0), "{path}");
        assert!(answer.header("x-application-version").is_some());
    }
    assert_eq!(served.send(served.request("GET", "/API/v3/TAG/1")).await.status, 200);
    let html = served.send(served.request("GET", "/api/v3/tag").header("Accept", "text/html")).await;
    assert_eq!((html.status, html.bytes.len()), (406, 0));
    let text = served.send(served.request("GET", "/api/v3/system/routes").header("Accept", "text/html")).await;
    assert_eq!(text.status, 200, "text ignores what is accepted");
    let kind = served.request("POST", "/api/v3/tag").header("Content-Type", "text/plain").body("{}");
    assert_eq!(served.send(kind).await.status, 415);
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_problems() {
    let served = serve().await;
    for (body, path) in
        [("", ""), ("null", ""), ("{", "$"), ("{\"label\": 5}", "$.label"), ("{\"id\": true}", "$.id"), ("[]", "$")]
    {
        let request = served.request("POST", "/api/v3/tag").header("Content-Type", "application/json").body(body);
        let answer = served.send(request).await;
        assert!(answer.header("content-type").unwrap().starts_with("application/problem+json"), "{body}");
        let problem = answer.expect(400);
        assert_eq!(problem["title"], "One or more validation errors occurred.");
        assert!(problem["errors"][path].is_array(), "{body}: {problem}");
        assert!(problem["traceId"].is_string());
    }
    let problem = served.get("/history?page=x").await.expect(400);
    assert!(problem["errors"]["page"].is_array());
    assert_eq!(served.get("/series?includeSeasonImages=1").await.status, 400);
    let tolerated = served.request("POST", "/api/v3/tag").header("Content-Type", "application/json; charset=utf-8");
    assert_eq!(served.send(tolerated.body("{\"LABEL\": \"any case\",}")).await.status, 201);
}

#[tokio::test]
async fn every_answer_has_its_headers() {
    let served = serve().await;
    let answer = served.get("/tag").await;
    assert_eq!(answer.header("x-application-version"), Some("4.0.19.2979"));
    assert_eq!(answer.header("cache-control"), Some("no-cache, no-store"));
    assert_eq!((answer.header("expires"), answer.header("pragma")), (Some("-1"), Some("no-cache")));
    assert!(answer.text().contains("\n  "), "JSON is indented");
    assert_eq!(served.get("/tag?h=abc").await.header("cache-control"), Some("max-age=31536000, public"));
    let cover = served.get("/mediacover/1/poster-250.jpg").await;
    assert_eq!(cover.header("cache-control"), Some("max-age=31536000, public"));
    assert_eq!(cover.header("content-type"), Some("image/jpeg"));
    assert_eq!(&cover.bytes[..3], [0xff, 0xd8, 0xff]);
    assert_eq!(&served.get("/mediacover/1/clearlogo.png").await.bytes[1..4], b"PNG");
    assert_eq!(served.get("/mediacover/99/poster.jpg").await.status, 404);
    assert_eq!(served.get("/languageprofile/9").await.header("deprecation"), Some("true"));
}

#[tokio::test]
async fn pages_of_other_origins_may_ask() {
    let served = serve().await;
    let ask = served.bare("OPTIONS", "/api/v3/tag").header("Origin", "http://page.example");
    let asked = served.send(ask.header("Access-Control-Request-Headers", "x-api-key")).await;
    assert_eq!((asked.status, asked.header("access-control-allow-headers")), (204, Some("x-api-key")));
    let answer = served.send(served.request("GET", "/api/v3/tag").header("Origin", "http://page.example")).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some("*")));
    assert!(served.get("/tag").await.header("access-control-allow-origin").is_none());
}

#[tokio::test]
async fn a_missing_url_base_is_a_redirect_and_a_foreign_one_the_login() {
    let served = serve_with(Options { url_base: "sonarr".into(), clock: Clock::fixed(), ..Options::default() }).await;
    assert!(served.sonarr.url().ends_with("/sonarr"));
    assert_eq!(served.get("/tag").await.status, 200);
    let created = served.post("/tag", &json!({"label": "x"})).await;
    assert_eq!(created.header("location"), Some("/sonarr/api/v3/tag/6"));
    let root = served.sonarr.url().trim_end_matches("/sonarr").to_owned();
    let client = client();
    let with_key = client.get(format!("{root}/api/v3/tag?a=1")).header("X-Api-Key", served.sonarr.api_key());
    let answer = served.send(with_key).await;
    assert_eq!((answer.status, answer.header("location")), (307, Some("/sonarr/api/v3/tag?a=1")));
    assert_eq!(served.send(client.get(format!("{root}/api/v3/tag"))).await.status, 401, "the key comes first");
    let none = serve().await;
    let answer = none.send(none.request("GET", "/sonarr/api/v3/tag")).await;
    assert_eq!((answer.status, answer.header("location")), (302, Some("/login?returnUrl=/sonarr/api/v3/tag")));
    assert!(none.send(none.bare("GET", "/login")).await.text().contains("<form"));
}

#[tokio::test]
async fn a_starting_server_says_so() {
    let options = Options { starting_for: Duration::from_secs(10), clock: Clock::fixed(), ..Options::default() };
    let served = serve_with(options).await;
    let answer = served.get("/tag").await.expect(503);
    assert_eq!(answer, json!({"errorMessage": "Sonarr is starting up, please try again later"}));
    assert_eq!(served.send(served.bare("GET", "/ping")).await.status, 503);
    assert_eq!(served.send(served.bare("GET", "/api/v3/tag")).await.status, 401);
    served.sonarr.advance(Duration::from_secs(11));
    assert_eq!(served.get("/tag").await.status, 200);
}

#[tokio::test]
async fn a_restart_takes_seconds_and_a_shutdown_is_for_good() {
    let served = serve().await;
    assert_eq!(served.call("POST", "/system/restart", None).await.expect(200), json!({"restarting": true}));
    assert_eq!(served.get("/tag").await.status, 503);
    served.sonarr.advance(Duration::from_secs(4));
    assert_eq!(served.get("/tag").await.status, 200);
    assert_eq!(served.call("POST", "/system/shutdown", None).await.expect(200), json!({"shuttingDown": true}));
    for _ in 0..50 {
        let fresh = client();
        if let Err(error) = fresh.get(format!("{}/ping", served.sonarr.url())).send().await {
            assert!(error.is_connect(), "{error:?}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server still answers");
}

#[tokio::test]
async fn backups_are_restored_and_uploaded() {
    let served = serve().await;
    let id = served.sonarr.ids("system/backup")[0];
    let restored = served.call("POST", &format!("/system/backup/restore/{id}"), None).await;
    assert_eq!(restored.expect(200), json!({"restartRequired": true}));
    assert_eq!(served.call("POST", "/system/backup/restore/1", None).await.expect(404), json!({"message": "NotFound"}));
    let upload = async |name: &'static str| {
        let part = reqwest::multipart::Part::bytes(vec![1, 2, 3]).file_name(name);
        let form = reqwest::multipart::Form::new().part("file", part);
        served.send(served.request("POST", "/api/v3/system/backup/restore/upload").multipart(form)).await
    };
    assert_eq!(upload("backup.zip").await.expect(200), json!({"restartRequired": true}));
    assert_eq!(upload("backup.txt").await.status, 415);
    let empty = reqwest::multipart::Form::new().text("a", "b");
    let empty = served.request("POST", "/api/v3/system/backup/restore/upload").multipart(empty);
    assert_eq!(served.send(empty).await.expect(400)["content"], "file must be provided");
    assert_eq!(served.call("POST", "/system/backup/restore/upload", None).await.status, 500);
    assert_eq!(served.delete(&format!("/system/backup/{id}")).await.expect(200), json!({}));
    assert_eq!(served.delete(&format!("/system/backup/{id}")).await.status, 404);
}

#[tokio::test]
async fn requests_are_recorded() {
    let served = serve().await;
    served.post("/tag?a=1&a=2", &json!({"label": "seen"})).await.expect(201);
    let requests = served.sonarr.requests();
    let last = requests.last().unwrap();
    assert_eq!((last.method.as_str(), last.path.as_str(), last.status), ("POST", "/api/v3/tag", 201));
    assert_eq!(last.query, [("a".to_owned(), "1".to_owned()), ("a".to_owned(), "2".to_owned())]);
    assert_eq!(last.json().unwrap(), json!({"label": "seen"}));
    assert_eq!(last.header("x-api-key"), Some(served.sonarr.api_key()));
    served.sonarr.clear_requests();
    assert!(served.sonarr.requests().is_empty());
}
