//! From the JSON a caller sends to the arguments of one operation.
//!
//! Three steps, each in a file: the `envelope` around the arguments, the
//! `names` of the arguments, and reading them into the operation's own type
//! ([`read`]). Values whose meaning is plain but whose JSON type is not the one asked for are put
//! right by the operation's schema ([`coerce`]). Nothing here knows HTTP or MCP.

mod coerce;
mod envelope;
mod error;
mod names;
mod schema;
mod words;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use coerce::{coerce, explain};
pub use envelope::Envelope;
pub use error::{ArgumentError, nearest};
pub use names::settle;
pub use schema::schema;
pub use words::plain;

/// Reads an arguments object into an operation's type.
///
/// # Errors
/// The path of the first value that does not fit, as in `arguments.body.seasons[1].monitored`,
/// and what would fit there.
pub fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, ArgumentError> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let path = match path.as_str() {
            "." => "arguments".to_owned(),
            inner => format!("arguments.{inner}"),
        };
        ArgumentError::new(path, plain(&error.inner().to_string()))
    })
}

#[cfg(test)]
mod tests;
