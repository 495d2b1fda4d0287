//! The one way every call takes: out with the key, back through status, body
//! and type. The generated operations only build their request and name what
//! they expect.

mod retry;

use bytes::{Bytes, BytesMut};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Method, Request, Response, StatusCode, Url};
use serde::de::DeserializeOwned;

use self::retry::{Sent, sending};
use crate::error::{Misfit, Redirected, Refusal, RefusalKind, TransportError, UnexpectedPage};
use crate::text::{html_title, is_html_type, is_markup, one_line, without_bom, without_secret};
use crate::version;
use crate::{ByteStream, Client, Error, ResponseValue};

/// How much memory a server's word about the length of a body is taken for.
const RESERVED_LIMIT: usize = 64 << 20;

/// How much of the body of a refusal is read.
const REFUSAL_LIMIT: usize = 1 << 20;

/// Sends `request` and decodes the JSON of its answer.
pub(crate) async fn json<T: DeserializeOwned>(
    client: &Client,
    request: Request,
    operation: &'static str,
) -> Result<ResponseValue<T>, Error> {
    json_accepting(client, request, operation, &[]).await
}

/// Like [`json`], for an operation that answers with its usual type under
/// statuses that are no success as well.
pub(crate) async fn json_accepting<T: DeserializeOwned>(
    client: &Client,
    request: Request,
    operation: &'static str,
    also_accepted: &[u16],
) -> Result<ResponseValue<T>, Error> {
    let call = Call::new(client, operation, &request);
    let response = match call.receive(request).await? {
        Sent::Received(Whole { status, headers, bytes }) => {
            let value = call.decode(status, &headers, bytes)?;
            return Ok(ResponseValue::new(value, status, headers));
        }
        Sent::Other(response) => response,
    };
    let status = response.status();
    if !also_accepted.contains(&status.as_u16()) {
        return Err(call.not_a_success(response).await);
    }
    let headers = response.headers().clone();
    let bytes = call.body(response).await?;
    let refusal = Refusal::read(operation, status, &headers, bytes.clone(), client.inner.secret());
    // A type that keeps what it does not know would take any list of objects.
    if refusal.kind() != RefusalKind::Unrecognized {
        return Err(Error::Refused(Box::new(refusal)));
    }
    match serde_json::from_slice(without_bom(&bytes)) {
        Ok(value) => Ok(ResponseValue::new(value, status, headers)),
        Err(_) => Err(Error::Refused(Box::new(refusal))),
    }
}

/// Sends `request` for an operation whose answer says nothing but its status.
pub(crate) async fn empty(
    client: &Client,
    request: Request,
    operation: &'static str,
) -> Result<ResponseValue<()>, Error> {
    let call = Call::new(client, operation, &request);
    let Whole { status, headers, bytes } = match call.receive(request).await? {
        Sent::Received(whole) => whole,
        Sent::Other(response) => return Err(call.not_a_success(response).await),
    };
    let content_type = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
    if is_markup(content_type, &bytes) {
        return Err(call.page(status, &bytes));
    }
    Ok(ResponseValue::new((), status, headers))
}

/// Sends `request` and hands its answer over as it comes: text, an image, a calendar.
pub(crate) async fn stream(
    client: &Client,
    request: Request,
    operation: &'static str,
) -> Result<ResponseValue<ByteStream>, Error> {
    let call = Call::new(client, operation, &request);
    // Some of these operations answer 406 to every narrower wish.
    let response = match sending(&call, request, |request| call.start(request, "*/*")).await? {
        Sent::Received(response) => response,
        Sent::Other(response) => return Err(call.not_a_success(response).await),
    };
    let status = response.status();
    let headers = response.headers().clone();
    let content_type = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
    if content_type.is_some_and(is_html_type) {
        let bytes = call.start_of_body(response).await;
        return Err(call.page(status, &bytes));
    }
    let stream = ByteStream::new(Box::pin(response.bytes_stream()));
    Ok(ResponseValue::new(stream, status, headers))
}

/// A success, received to its end.
struct Whole {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Bytes,
}

/// One call, with what is needed to tell how it failed.
struct Call<'a> {
    client: &'a Client,
    operation: &'static str,
    method: Method,
    url: Url,
}

impl<'a> Call<'a> {
    fn new(client: &'a Client, operation: &'static str, request: &Request) -> Self {
        Self { client, operation, method: request.method().clone(), url: request.url().clone() }
    }

    /// Sends `request`, a read more than once where that helps, and receives the whole of a success.
    async fn receive(&self, request: Request) -> Result<Sent<Whole>, Error> {
        sending(self, request, |request| async {
            let response = match self.start(request, "application/json").await? {
                Sent::Received(response) => response,
                Sent::Other(response) => return Ok(Sent::Other(response)),
            };
            let (status, headers) = (response.status(), response.headers().clone());
            let bytes = self.body(response).await?;
            Ok(Sent::Received(Whole { status, headers, bytes }))
        })
        .await
    }

    /// Sends `request` once, and receives the head of its answer.
    async fn start(&self, request: Request, accept: &'static str) -> Result<Sent<Response>, Error> {
        let response = self.send(request, HeaderValue::from_static(accept)).await?;
        Ok(if response.status().is_success() { Sent::Received(response) } else { Sent::Other(response) })
    }

    async fn send(&self, mut request: Request, accept: HeaderValue) -> Result<Response, Error> {
        let headers = request.headers_mut();
        headers.insert(ACCEPT, accept);
        if let Some(key) = &self.client.inner.api_key {
            headers.insert("X-Api-Key", key.clone());
        }
        let result = self.client.client.execute(request).await;
        result.map_err(|error| self.broken_off(None, error))
    }

    async fn body(&self, mut response: Response) -> Result<Bytes, Error> {
        let status = response.status();
        let length = response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        // One buffer of the right size: the parts beside their copy would take twice the memory.
        let mut body = BytesMut::with_capacity(length.min(RESERVED_LIMIT));
        loop {
            match response.chunk().await {
                Ok(Some(part)) => body.extend_from_slice(&part),
                Ok(None) => return Ok(body.freeze()),
                Err(error) => return Err(self.broken_off(Some(status), error)),
            }
        }
    }

    /// What can be read of a body that only explains a failure.
    async fn start_of_body(&self, mut response: Response) -> Bytes {
        let mut start = BytesMut::new();
        // A body that breaks off explains as far as it goes; the status stands anyway.
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = REFUSAL_LIMIT - start.len();
            start.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
            if start.len() == REFUSAL_LIMIT {
                break;
            }
        }
        start.freeze()
    }

    fn broken_off(&self, status: Option<StatusCode>, error: reqwest::Error) -> Error {
        Error::Transport(Box::new(TransportError::of_call(
            self.operation,
            self.method.clone(),
            self.url.clone(),
            status,
            &self.client.inner,
            error,
        )))
    }

    async fn not_a_success(&self, response: Response) -> Error {
        let status = response.status();
        if status.is_redirection() {
            let location = response.headers().get(LOCATION);
            return Error::Redirected(Box::new(Redirected::new(
                self.operation,
                status,
                &self.client.baseurl,
                &self.url,
                location.and_then(|value| value.to_str().ok()),
            )));
        }
        let headers = response.headers().clone();
        let bytes = self.start_of_body(response).await;
        let secret = self.client.inner.secret();
        let refusal = Refusal::read(self.operation, status, &headers, bytes, secret);
        Error::Refused(Box::new(refusal.with_path_that(names_a_record(&self.url))))
    }

    fn page(&self, status: StatusCode, body: &[u8]) -> Error {
        let text = String::from_utf8_lossy(body);
        Error::Page(Box::new(UnexpectedPage {
            operation: self.operation,
            status,
            url: crate::connect::display_url(&self.url),
            base_url: self.client.baseurl.clone(),
            title: html_title(&without_secret(&text, self.client.inner.secret())),
        }))
    }

    fn decode<T: DeserializeOwned>(&self, status: StatusCode, headers: &HeaderMap, bytes: Bytes) -> Result<T, Error> {
        let content_type = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
        let body = without_bom(&bytes).trim_ascii();
        if body.is_empty() {
            return self.decode_nothing(status, headers);
        }
        let error = match serde_json::from_slice(body) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if is_markup(content_type, body) {
            return Err(self.page(status, body));
        }
        let (path, message) = if error.is_data() {
            place_of_misfit::<T>(body).unwrap_or_else(|| (".".to_owned(), error.to_string()))
        } else {
            (".".to_owned(), format!("it is no complete JSON ({error})"))
        };
        let message = without_value(&message);
        Err(Error::Misfit(Box::new(Misfit {
            operation: self.operation,
            status,
            path: one_line(&path, 200),
            message: one_line(&without_secret(&message, self.client.inner.secret()), 300),
            content_type: content_type.map(str::to_owned),
            sonarr_version: version::of_headers(headers),
            bytes,
        })))
    }

    /// The value of an answer without a body: most deletes, some updates, and
    /// 204, which says that there is nothing to show.
    fn decode_nothing<T: DeserializeOwned>(&self, status: StatusCode, headers: &HeaderMap) -> Result<T, Error> {
        let may_be_empty = self.method != Method::GET || status == StatusCode::NO_CONTENT;
        ["null", "{}", "[]"]
            .into_iter()
            .filter(|_| may_be_empty)
            .find_map(|nothing| serde_json::from_str(nothing).ok())
            .ok_or_else(|| Error::EmptyAnswer {
                operation: self.operation,
                status,
                sonarr_version: version::of_headers(headers),
            })
    }
}

/// Whether the path ends in the id of a record or the name of a file.
fn names_a_record(url: &Url) -> bool {
    let last = url.path_segments().and_then(|mut segments| segments.next_back()).unwrap_or_default();
    last.contains('.') || last.trim_start_matches('-').parse::<u64>().is_ok()
}

/// Decodes once more, slower, to learn where it fails.
fn place_of_misfit<T: DeserializeOwned>(body: &[u8]) -> Option<(String, String)> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
    Some((error.path().to_string(), error.inner().to_string()))
}

/// serde quotes the text it did not expect, which may be a secret or a megabyte.
fn without_value(message: &str) -> String {
    let quoted = message.find("string \"").zip(message.rfind("\", expected"));
    match quoted {
        Some((start, end)) if start + 7 < end => {
            let (before, after) = (message.get(..start), message.get(end + 1..));
            format!("{}a string{}", before.unwrap_or_default(), after.unwrap_or_default())
        }
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests;
