use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde_json::json;

use super::*;

const KEY: &str = "0123456789abcdef";

fn refusal(status: u16, content_type: Option<&'static str>, body: impl Into<Vec<u8>>) -> Refusal {
    let mut headers = HeaderMap::new();
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    let status = StatusCode::from_u16(status).unwrap();
    Refusal::read("add_series", status, &headers, Bytes::from(body.into()), Some(KEY))
}

fn of_json(status: u16, body: Value) -> Refusal {
    refusal(status, Some("application/json"), body.to_string())
}

#[test]
fn failures_show_field_and_message_and_never_the_value() {
    let refusal = of_json(
        400,
        json!([
            {
                "propertyName": "Path",
                "errorMessage": "Folder '/tv' cannot be used",
                "attemptedValue": "hunter2",
                "severity": "error",
                "errorCode": "PathExistsValidator",
                "formattedMessagePlaceholderValues": {"propertyValue": "hunter2", "x": null},
            },
            {"propertyName": "", "errorMessage": "Nothing fits", "severity": "info"},
            {
                "propertyName": "Host", "errorMessage": "Slow", "isWarning": true,
                "severity": "warning", "infoLink": "https://example.org/a", "detailedDescription": "long",
            },
        ]),
    );
    assert_eq!(refusal.kind(), RefusalKind::Validation);
    assert_eq!(
        refusal.to_string(),
        "`add_series` was refused (400): Path: Folder '/tv' cannot be used; Nothing fits (note); \
         Host: Slow (warning) (see https://example.org/a)"
    );
    assert!(!format!("{refusal} {refusal:?}").contains("hunter2"));
    assert!(!refusal.has_only_warnings());
    let first = &refusal.failures()[0];
    assert_eq!(first.property, "Path");
    assert_eq!(first.error_code.as_deref(), Some("PathExistsValidator"));
    assert_eq!(first.severity, Severity::Error);
    assert!(refusal.failures()[2].is_warning);
    assert!(String::from_utf8_lossy(refusal.bytes()).contains("hunter2"));
}

#[test]
fn warnings_alone_name_the_way_past_them() {
    let refusal = of_json(400, json!([{"propertyName": "Host", "errorMessage": "Slow", "isWarning": true}]));
    assert!(refusal.has_only_warnings());
    assert!(refusal.to_string().ends_with("`forceSave` gets past them"), "{refusal}");
}

#[test]
fn a_long_list_of_failures_is_counted() {
    let failures: Vec<_> =
        (0..23).map(|i| json!({"propertyName": format!("Items[{i}]"), "errorMessage": "no"})).collect();
    let refusal = of_json(400, json!(failures));
    assert_eq!(refusal.failures().len(), 23);
    assert!(refusal.to_string().ends_with("Items[19]: no; and 3 more"), "{refusal}");
}

#[test]
fn a_request_that_cannot_be_read_shows_its_paths() {
    let body = json!({
        "type": "https://example.org/rfc",
        "title": "One or more validation errors occurred.",
        "status": 400,
        "traceId": "00-1",
        "errors": {
            "$.addOptions.monitor": ["The JSON value could not be converted."],
            "seriesResource": ["It is required.", "Really."],
        },
    });
    for content_type in ["application/problem+json", "application/json", "text/plain"] {
        let refusal = refusal(400, Some(content_type), body.to_string());
        assert_eq!(refusal.kind(), RefusalKind::Binding);
        assert_eq!(
            refusal.to_string(),
            "`add_series` was refused (400): $.addOptions.monitor: The JSON value could not be converted.; \
             seriesResource: It is required.; seriesResource: Really."
        );
    }
    let without_any = of_json(400, json!({"title": "Odd", "errors": {}}));
    assert_eq!(without_any.to_string(), "`add_series` was refused (400): Odd");
}

#[test]
fn each_other_form_becomes_its_message() {
    for (status, body, kind, text) in [
        (
            400,
            json!({"message": "BadRequest: ids are missing", "content": "ids are missing"}),
            RefusalKind::Api,
            "`add_series` was refused (400): BadRequest: ids are missing",
        ),
        (
            409,
            json!({"message": "Tag with ID 1 is in use", "description": "Some.Exception: secret\n   at A.B()"}),
            RefusalKind::Exception,
            "`add_series` was refused (409): Tag with ID 1 is in use",
        ),
        (
            404,
            json!({"type": "https://example.org", "title": "Not Found", "status": 404, "traceId": "00"}),
            RefusalKind::Problem,
            "`add_series` was refused (404): Not Found",
        ),
        (
            422,
            json!({"title": "Odd", "detail": "very", "status": 422}),
            RefusalKind::Problem,
            "`add_series` was refused (422): Odd: very",
        ),
        (
            503,
            json!({"errorMessage": "Starting, try again"}),
            RefusalKind::StartingUp,
            "`add_series` was refused (503): Starting, try again",
        ),
    ] {
        let refusal = of_json(status, body);
        assert_eq!(refusal.kind(), kind);
        assert_eq!(refusal.to_string(), text);
        let debug = format!("{refusal:?}");
        assert!(!debug.contains("secret") && !debug.contains("at A.B"), "{debug}");
    }
}

#[test]
fn a_body_without_any_known_form_is_shown_briefly() {
    let page = "<html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>";
    let refusal_page = refusal(502, Some("text/html"), page);
    assert_eq!(refusal_page.to_string(), "`add_series` was refused (502): a page titled \"502 Bad Gateway\"");
    assert_eq!(refusal_page.kind(), RefusalKind::Unrecognized);
    for (body, text) in [
        ("upstream\u{202e} timed\nout".to_owned(), "upstream timed out"),
        ("[1,2]".to_owned(), "[1,2]"),
        ("[]".to_owned(), "[]"),
        ("{\"message\":1}".to_owned(), "{\"message\":1}"),
        ("\"text\"".to_owned(), "\"text\""),
        ("<p>x".to_owned(), "a page without a title"),
        ("x".repeat(9000), &*format!("{}…", "x".repeat(200))),
    ] {
        let refusal = refusal(500, None, body);
        assert_eq!(refusal.kind(), RefusalKind::Unrecognized);
        assert_eq!(refusal.to_string(), format!("`add_series` was refused (500): {text}"));
    }
    let binary = refusal(500, None, vec![0xff, 0xfe, 0x00, b'a']);
    assert_eq!(binary.kind(), RefusalKind::Unrecognized);
}

#[test]
fn an_empty_body_leaves_the_status() {
    for body in ["", " \r\n", "\u{feff}"] {
        let refusal = refusal(405, None, body);
        assert_eq!(refusal.kind(), RefusalKind::Empty);
        assert_eq!(refusal.to_string(), "`add_series` was refused (405): Method Not Allowed");
    }
}

#[test]
fn a_401_says_what_to_do_about_the_key() {
    assert!(refusal(401, None, "").to_string().starts_with("Sonarr refused the API key (401)"));
    let headers = HeaderMap::new();
    let without_key = Refusal::read("add_series", StatusCode::UNAUTHORIZED, &headers, Bytes::new(), None);
    assert!(without_key.to_string().contains("none was given"), "{without_key}");
    let mut headers = HeaderMap::new();
    headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"x\""));
    let proxy = Refusal::read("add_series", StatusCode::UNAUTHORIZED, &headers, Bytes::new(), Some(KEY));
    assert!(proxy.to_string().contains("before Sonarr"), "{proxy}");
}

#[test]
fn a_key_the_server_echoes_is_not_shown() {
    for body in [
        json!({"message": format!("bad key {KEY}"), "description": KEY}).to_string(),
        json!([{"propertyName": "ApiKey", "errorMessage": format!("not {KEY}"), "attemptedValue": KEY}]).to_string(),
        json!({"errors": {KEY: [KEY]}}).to_string(),
        json!({"title": KEY}).to_string(),
        json!({"errorMessage": KEY}).to_string(),
        format!("plain {KEY}"),
        format!("<title>{KEY}</title>"),
    ] {
        let refusal = refusal(400, None, body);
        let text = format!("{refusal} {refusal:?}");
        assert!(!text.contains(KEY), "{text}");
        assert!(text.contains("********"), "{text}");
    }
}
