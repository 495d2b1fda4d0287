//! Decoding an answer into its generated type and encoding it again, to see that nothing is lost.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Decodes the bytes of an answer and encodes the value again.
pub(crate) type Again = fn(&[u8]) -> Result<Value, String>;

/// The [`Again`] of a type.
pub(crate) fn again<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value: T = serde_path_to_error::deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}

/// What became of an answer.
#[derive(Debug, PartialEq)]
pub enum RoundTrip {
    /// The answer as it was encoded again.
    Json(Value),
    /// The operation answers with text, an image or nothing.
    NotJson,
    /// The answer does not fit the type; the text says where and why.
    Misfit(String),
    /// There is no such operation.
    Unknown,
}

/// Decodes `bytes` as the answer of the operation `at` (`"GET /api/v3/tag"`) into its type, and encodes it again.
pub fn round_trip(at: &str, bytes: &[u8]) -> RoundTrip {
    match crate::generated::round_trip::of(at) {
        None => RoundTrip::Unknown,
        Some(None) => RoundTrip::NotJson,
        Some(Some(again)) => again(bytes).map_or_else(RoundTrip::Misfit, RoundTrip::Json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_apart_what_can_happen() {
        let kept = br#"[{"label":"anime","new":{"a":null},"id":1}]"#;
        let expected = serde_json::from_slice(kept).unwrap();
        assert_eq!(round_trip("GET /api/v3/tag", kept), RoundTrip::Json(expected));
        assert_eq!(round_trip("GET /api/v3/system/routes", b"digraph"), RoundTrip::NotJson);
        assert_eq!(round_trip("GET /api/v3/nothing", b"1"), RoundTrip::Unknown);
        let RoundTrip::Misfit(why) = round_trip("GET /api/v3/tag", br#"[{"id":"one"}]"#) else { panic!("it fits") };
        assert!(why.contains("[0].id"), "{why}");
    }
}
