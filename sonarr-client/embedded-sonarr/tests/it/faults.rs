//! Faults on request.

use std::time::{Duration, Instant};

use embedded_sonarr::{Fault, FaultKind};

use crate::support::serve;

#[tokio::test]
async fn answers_are_replaced_as_often_as_was_asked() {
    let served = serve().await;
    served.sonarr.inject(Fault::new(FaultKind::HtmlPage).times(1).on_path("/tag"));
    assert_eq!(served.get("/series").await.status, 200);
    let page = served.get("/tag").await;
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-type").unwrap().starts_with("text/html") && page.text().starts_with("<!DOCTYPE html>")
    );
    assert!(served.get("/tag").await.json().is_array());

    served.sonarr.inject(Fault::new(FaultKind::LoginRedirect).times(1));
    let redirect = served.get("/tag").await;
    assert_eq!((redirect.status, redirect.header("location")), (302, Some("/login?returnUrl=/")));

    served.sonarr.inject(Fault::new(FaultKind::ServerError).times(1).on_method("get"));
    assert!(served.get("/tag").await.expect(500)["description"].as_str().unwrap().contains("   at "));

    served.sonarr.inject("503*2".parse().unwrap());
    for _ in 0..2 {
        assert!(served.get("/tag").await.expect(503)["errorMessage"].is_string());
    }
    served.sonarr.inject("starting=5s".parse().unwrap());
    assert_eq!(served.get("/tag").await.status, 503);
    served.sonarr.advance(Duration::from_secs(6));
    assert_eq!(served.get("/tag").await.status, 200);
    served.sonarr.inject(Fault::new(FaultKind::EmptyAnswer).times(1));
    assert_eq!(served.get("/tag").await.bytes.len(), 0);

    served.sonarr.inject(Fault::new(FaultKind::TruncatedJson));
    for _ in 0..3 {
        let cut = served.get("/tag").await;
        assert_eq!(cut.status, 200);
        assert!(serde_json::from_slice::<serde_json::Value>(&cut.bytes).is_err());
    }
    served.sonarr.clear_faults();
    assert_eq!(served.get("/tag").await.status, 200);
}

#[tokio::test]
async fn answers_are_late_slow_or_broken() {
    let served = serve().await;
    served.sonarr.inject(Fault::new(FaultKind::Latency(Duration::from_millis(150))).times(1));
    let start = Instant::now();
    served.get("/tag").await.expect(200);
    assert!(start.elapsed() >= Duration::from_millis(150));

    served.sonarr.inject(Fault::new(FaultKind::SlowBody(Duration::from_millis(20))).times(1));
    let start = Instant::now();
    assert!(served.get("/tag").await.json().is_array());
    assert!(start.elapsed() >= Duration::from_millis(8 * 20));

    served.sonarr.inject(Fault::new(FaultKind::Reset).times(1));
    let response = served.request("GET", "/api/v3/series").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.bytes().await.is_err(), "the connection breaks in the middle of the body");
}

#[tokio::test]
async fn a_huge_answer_is_json() {
    let served = serve().await;
    served.sonarr.inject(Fault::new(FaultKind::HugeAnswer(30_000_000)).times(1));
    let answer = served.get("/tag").await;
    assert!(answer.bytes.len() >= 30_000_000);
    assert_eq!((answer.bytes[0], answer.bytes[answer.bytes.len() - 1]), (b'[', b']'));
}
