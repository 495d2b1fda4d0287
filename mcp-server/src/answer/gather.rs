//! From what the SDK returned to an answer.

use futures::StreamExt;
use serde_json::Value;
use sonarr_client::{ByteStream, Error};

use super::{Answer, Content};
use crate::operation::{Effect, Operation, Reply};

/// The largest text or image passed on, in bytes.
pub const MAX_STREAM_BYTES: usize = 8 * 1024 * 1024;

/// Why a reply is no answer.
#[derive(Debug)]
pub enum GatherError {
    /// The connection failed while the reply was read.
    Broken(Error),
    /// The reply is larger than [`MAX_STREAM_BYTES`].
    TooLarge,
    /// The reply is neither text nor an image.
    Opaque {
        /// The content type Sonarr declared.
        content_type: String,
    },
}

/// Reads a reply to its end.
///
/// # Errors
/// Only a reply that comes as a stream fails: it may break off, be too large, or be something that
/// cannot be shown.
pub async fn gather(reply: Reply) -> Result<Answer, GatherError> {
    match reply {
        Reply::Json { document, .. } => match document.to_value() {
            Ok(value) => Ok(Answer::new(Content::Json(value))),
            Err(error) => {
                Err(GatherError::Broken(Error::InvalidRequest(format!("the answer cannot be JSON: {error}"))))
            }
        },
        Reply::Empty { status } => Ok(nothing(status)),
        Reply::Stream { content_type, stream, .. } => {
            let bytes = collect(stream).await?;
            show(content_type.as_deref(), bytes)
        }
    }
}

/// The answer to a success without a body.
fn nothing(status: u16) -> Answer {
    Answer::new(Content::Json(Value::Null)).noting(format!("done: Sonarr answered {status} without content"))
}

/// The answer that an error of the SDK still holds.
///
/// An answer that does not fit the operation's type is passed on as it is, with a note: it may
/// come from a newer Sonarr, and what it says counts. An empty answer to a write is one too.
pub fn misfit(operation: &Operation, error: &Error) -> Option<Answer> {
    match error {
        Error::Misfit(misfit) => {
            let note = format!(
                "Sonarr's answer differs from what this version of sonarr-mcp knows and is shown \
                 as it came (first difference: {}, {})",
                misfit.path(),
                misfit.message()
            );
            let content = match serde_json::from_slice(misfit.bytes()) {
                Ok(value) => Content::Json(value),
                Err(_) => Content::Text(std::str::from_utf8(misfit.bytes()).ok()?.to_owned()),
            };
            Some(Answer::new(content).noting(note))
        }
        Error::EmptyAnswer { status, .. } if operation.effect != Effect::Read => Some(nothing(status.as_u16())),
        _ => None,
    }
}

async fn collect(mut stream: ByteStream) -> Result<Vec<u8>, GatherError> {
    let mut bytes = Vec::new();
    while let Some(part) = stream.next().await {
        let part = part.map_err(|error| GatherError::Broken(error.into()))?;
        if bytes.len() + part.len() > MAX_STREAM_BYTES {
            return Err(GatherError::TooLarge);
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// Text or image, by the declared type; without a declared type, by the bytes.
fn show(content_type: Option<&str>, bytes: Vec<u8>) -> Result<Answer, GatherError> {
    let declared = content_type
        .and_then(|value| value.split(';').next())
        .map(|value| value.trim().to_ascii_lowercase())
        .unwrap_or_default();
    if declared.starts_with("image/") {
        return Ok(Answer::new(Content::Image { mime_type: declared, bytes }));
    }
    let is_text = declared.starts_with("text/");
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Answer::new(Content::Text(text))),
        Err(error) if is_text => {
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Ok(Answer::new(Content::Text(text))
                .noting("the text is not valid UTF-8; what cannot be read is shown as \u{fffd}"))
        }
        Err(_) => Err(GatherError::Opaque {
            content_type: if declared.is_empty() { "no content type".to_owned() } else { declared },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{GatherError, MAX_STREAM_BYTES, gather};
    use crate::answer::{Answer, Content};
    use crate::operation::{Document, Reply};
    use serde_json::{Value, json};
    use sonarr_client::ByteStream;

    fn stream(content_type: Option<&str>, parts: Vec<Vec<u8>>) -> Reply {
        let parts = parts.into_iter().map(|part| Ok(part.into()));
        Reply::Stream {
            status: 200,
            content_type: content_type.map(str::to_owned),
            stream: ByteStream::new(Box::pin(futures::stream::iter(parts))),
        }
    }

    #[tokio::test]
    async fn json_stays_and_nothing_becomes_null_with_a_note() {
        let reply = Reply::Json { status: 201, document: Document::new(json!([1])) };
        assert_eq!(gather(reply).await.unwrap(), Answer::new(Content::Json(json!([1]))));
        let answer = gather(Reply::Empty { status: 204 }).await.unwrap();
        assert_eq!(answer.content, Content::Json(Value::Null));
        assert!(answer.note.unwrap().contains("204"));
    }

    #[tokio::test]
    async fn text_is_text_also_across_parts() {
        let parts = vec![b"Gr\xc3".to_vec(), b"\xb6\xc3\x9fe".to_vec()];
        for content_type in [Some("text/plain; charset=utf-8"), Some("text/calendar"), None] {
            let answer = gather(stream(content_type, parts.clone())).await.unwrap();
            assert_eq!(answer, Answer::new(Content::Text("Größe".to_owned())));
        }
    }

    #[tokio::test]
    async fn text_in_another_encoding_is_shown_with_a_note() {
        let answer = gather(stream(Some("text/plain"), vec![b"Gr\xf6".to_vec()])).await.unwrap();
        assert_eq!(answer.content, Content::Text("Gr\u{fffd}".to_owned()));
        assert!(answer.note.unwrap().contains("UTF-8"));
    }

    #[tokio::test]
    async fn an_image_keeps_its_bytes_and_type() {
        let reply = stream(Some("image/jpeg"), vec![vec![0xff, 0xd8], vec![0xff]]);
        assert_eq!(
            gather(reply).await.unwrap().content,
            Content::Image { mime_type: "image/jpeg".to_owned(), bytes: vec![0xff, 0xd8, 0xff] }
        );
    }

    #[tokio::test]
    async fn what_cannot_be_shown_is_told() {
        let reply = stream(Some("application/zip"), vec![vec![0xff, 0xfe]]);
        assert!(matches!(
            gather(reply).await,
            Err(GatherError::Opaque { content_type }) if content_type == "application/zip"
        ));
        let parts = vec![vec![b'x'; MAX_STREAM_BYTES], vec![b'x']];
        assert!(matches!(gather(stream(Some("text/plain"), parts)).await, Err(GatherError::TooLarge)));
    }
}
