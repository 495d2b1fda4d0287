//! Each body in which the server says no becomes its message, by way of real operations.

use httpmock::{Method, MockServer};
use serde_json::json;
use sonarr_client::prelude::*;
use sonarr_client::{Client, Error, ErrorKind, RefusalKind, types};

use crate::{KEY, answer, client};

/// What `add_series` makes of an answer.
async fn refused(status: u16, body: impl ToString) -> Error {
    let server = MockServer::start_async().await;
    answer(&server, Method::POST, "/api/v3/series", status, body).await;
    let error = client(&server).add_series().body(types::SeriesResource::default()).send().await.unwrap_err();
    assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
    assert!(!format!("{error} {error:?}").contains("hush"), "{error:?}");
    error
}

fn kind(error: &Error) -> (ErrorKind, RefusalKind) {
    (error.kind(), error.refusal().unwrap().kind())
}

#[tokio::test]
async fn a_list_of_failures() {
    let error = refused(
        400,
        json!([
            {
                "propertyName": "Path", "errorMessage": "Folder is taken by another series", "attemptedValue": "hush",
                "severity": "error", "errorCode": "SeriesPathValidator",
                "formattedMessagePlaceholderValues": {"propertyValue": "hush"},
            },
            {"propertyName": "QualityProfileId", "errorMessage": "Must be above 0", "attemptedValue": 0},
        ]),
    )
    .await;
    assert_eq!(kind(&error), (ErrorKind::Validation, RefusalKind::Validation));
    assert_eq!(
        error.to_string(),
        "`add_series` was refused (400): Path: Folder is taken by another series; QualityProfileId: Must be above 0"
    );
}

#[tokio::test]
async fn a_request_that_cannot_be_read() {
    let error = refused(
        400,
        json!({
            "type": "https://example.org/400", "title": "Validation errors occurred.", "status": 400, "traceId": "00-1",
            "errors": {"$.addOptions.monitor": ["`first` cannot be converted."]},
        }),
    )
    .await;
    assert_eq!(kind(&error), (ErrorKind::Validation, RefusalKind::Binding));
    assert!(error.to_string().ends_with("(400): $.addOptions.monitor: `first` cannot be converted."), "{error}");
}

#[tokio::test]
async fn a_message() {
    for (status, message, expected) in [
        (400, "BadRequest: ids are missing", ErrorKind::Refused),
        (404, "NotFound", ErrorKind::NotFound),
        (405, "MethodNotAllowed: the default stays", ErrorKind::Refused),
        (415, "UnsupportedMediaType: .rar", ErrorKind::Refused),
    ] {
        let error = refused(status, json!({"message": message, "content": "hush"})).await;
        assert_eq!(kind(&error), (expected, RefusalKind::Api));
        assert_eq!(error.to_string(), format!("`add_series` was refused ({status}): {message}"));
    }
}

#[tokio::test]
async fn an_exception_without_its_stack_trace() {
    for (status, message, expected) in [
        (404, "Series with ID 9 does not exist", ErrorKind::NotFound),
        (409, "Tag 'x' is still in use", ErrorKind::Conflict),
        (500, "Sequence contains no element", ErrorKind::ServerError),
        (503, "Search for 'x' failed", ErrorKind::ServerError),
    ] {
        let body = json!({"message": message, "description": format!("Some.Exception: {message}\n at hush.Hush()")});
        let error = refused(status, body).await;
        assert_eq!(kind(&error), (expected, RefusalKind::Exception));
        assert_eq!(error.to_string(), format!("`add_series` was refused ({status}): {message}"));
    }
}

#[tokio::test]
async fn a_status_in_words() {
    let error = refused(404, json!({"type": "about:blank", "title": "Not Found", "status": 404, "traceId": "0"})).await;
    assert_eq!(kind(&error), (ErrorKind::NotFound, RefusalKind::Problem));
    assert_eq!(error.to_string(), "`add_series` was refused (404): Not Found");
}

#[tokio::test]
async fn a_server_that_is_starting() {
    let error = refused(503, json!({"errorMessage": "Sonarr is starting, try again"})).await;
    assert_eq!(kind(&error), (ErrorKind::StartingUp, RefusalKind::StartingUp));
    assert_eq!(error.to_string(), "`add_series` was refused (503): Sonarr is starting, try again");
}

#[tokio::test]
async fn no_body() {
    for (status, expected, text) in [
        (
            401,
            ErrorKind::Unauthorized,
            "Sonarr refused the API key (401); the right one stands under Settings > General",
        ),
        (403, ErrorKind::Forbidden, "`add_series` was refused (403): Forbidden"),
        (406, ErrorKind::Refused, "`add_series` was refused (406): Not Acceptable"),
        (415, ErrorKind::Refused, "`add_series` was refused (415): Unsupported Media Type"),
    ] {
        let error = refused(status, "").await;
        assert_eq!(kind(&error), (expected, RefusalKind::Empty));
        assert_eq!(error.to_string(), text);
    }
    for status in [404, 405] {
        let error = refused(status, "").await;
        assert_eq!(kind(&error), (ErrorKind::MissingOperation, RefusalKind::Empty));
        let text = format!("`add_series` was refused ({status}): what answers does not have this operation");
        assert!(error.to_string().starts_with(&text), "{error}");
    }
}

#[tokio::test]
async fn something_before_sonarr() {
    let error = refused(502, "<html><head><title>502 Bad Gateway</title></head><body>proxy</body></html>").await;
    assert_eq!(kind(&error), (ErrorKind::ServerError, RefusalKind::Unrecognized));
    assert_eq!(error.to_string(), "`add_series` was refused (502): a page titled \"502 Bad Gateway\"");
}

#[tokio::test]
async fn a_missing_key_is_told_from_a_wrong_one() {
    let server = MockServer::start_async().await;
    answer(&server, Method::GET, "/api/v3/tag", 401, "").await;
    let keyless = Client::builder(server.base_url()).build().unwrap();
    let error = keyless.list_tags().send().await.unwrap_err();
    assert!(error.to_string().contains("and none was given"), "{error}");
    let error = client(&server).list_tags().send().await.unwrap_err();
    assert!(error.to_string().starts_with("Sonarr refused the API key (401)"), "{error}");
    assert!(!format!("{error} {error:?}").contains(KEY));
}

#[tokio::test]
async fn tests_of_all_providers_answer_under_400_as_well() {
    let server = MockServer::start_async().await;
    let body = json!([
        {"id": 1, "isValid": true, "validationFailures": []},
        {
            "id": 2, "isValid": false,
            "validationFailures": [{"propertyName": "Host", "errorMessage": "Nobody there", "severity": "error"}],
        },
    ]);
    answer(&server, Method::POST, "/api/v3/indexer/testall", 400, &body).await;
    let results = client(&server).test_all_indexers().send().await.unwrap();
    assert_eq!(serde_json::to_value(&*results).unwrap(), body);
    assert_eq!(results[1].is_valid, Some(false));
}

#[tokio::test]
async fn warnings_of_a_provider_name_the_way_past_them() {
    let server = MockServer::start_async().await;
    let body = json!([{"isWarning": true, "propertyName": "Host", "errorMessage": "Slow", "severity": "warning"}]);
    answer(&server, Method::POST, "/api/v3/indexer", 400, &body).await;
    let error = client(&server).create_indexer().body(types::IndexerResource::default()).send().await.unwrap_err();
    assert!(error.refusal().unwrap().has_only_warnings());
    assert!(error.to_string().contains("Host: Slow (warning); these are warnings only"), "{error}");
}
