//! Content of each kind.

use serde_json::{Value, json};

/// A picture of one pixel (PNG).
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/// A sound without samples (WAV).
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

pub fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub fn image() -> Value {
    json!({"type": "image", "data": PIXEL, "mimeType": "image/png"})
}

pub fn audio() -> Value {
    json!({"type": "audio", "data": SILENCE, "mimeType": "audio/wav"})
}

pub fn resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}})
}

pub fn blob(uri: &str) -> Value {
    json!({"uri": uri, "mimeType": "image/png", "blob": PIXEL})
}
