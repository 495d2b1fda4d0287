//! The SDK as its users see it, against servers that answer as told.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking too; the lints' own exception covers test functions only"
)]

mod answers;
mod commands;
mod embedded;
mod examples;
mod open_types;
#[cfg(feature = "stream")]
mod records;
mod refusals;
mod requests;
mod versions;

use httpmock::{Method, Mock, MockServer};
use sonarr_client::Client;

/// The key all clients here send.
const KEY: &str = "0123456789abcdef0123456789abcdef";

fn client(server: &MockServer) -> Client {
    Client::connect(&server.base_url(), KEY).unwrap()
}

/// Lets the server answer one method and path with a status and a body.
async fn answer<'a>(server: &'a MockServer, method: Method, path: &str, status: u16, body: impl ToString) -> Mock<'a> {
    server
        .mock_async(|when, then| {
            when.method(method).path(path);
            then.status(status).header("content-type", "application/json; charset=utf-8").body(body.to_string());
        })
        .await
}
