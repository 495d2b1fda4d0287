//! A document into the importer.
//!
//! Invariant: nothing panics; the canonical form of what is accepted is its own canonical form,
//! and holds no operation that the document does not have.

use serde_json::Value;
use xtask::document::{Document, content, parameters, reference, success};
use xtask::import::canonical;

/// Imports the bytes, and looks at everything the importer's callers look at.
pub fn run(bytes: &[u8]) {
    let Ok(upstream) = serde_json::from_slice::<Value>(bytes) else { return };
    let Ok(vendored) = canonical(&upstream) else { return };
    let again = canonical(&vendored).unwrap_or_else(|error| panic!("it is imported once only: {error}"));
    assert!(again == vendored, "{again} is not {vendored}");
    let source = Document(upstream);
    let document = Document(vendored);
    for (at, operation) in document.operations() {
        assert!(source.operation(&at).is_ok(), "{at} was made up");
        for parameter in parameters(operation) {
            let _ = parameter.get("schema").map(|schema| document.resolve(schema).is_ok());
        }
        if let Ok((_, response)) = success(operation) {
            let schemas = content(response).into_iter().flatten().filter_map(|(_, media)| media.get("schema"));
            let _ = schemas.filter_map(reference).count();
        }
    }
}
