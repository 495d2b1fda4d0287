//! A decoded answer of Sonarr's on its way to JSON, whole or in part.

use serde::Serialize;
use serde_json::{Error, Value};

use super::columns::Columns;
use super::{encode, fit};

/// What Sonarr answered, as the SDK decoded it.
pub struct Document(Box<dyn erased_serde::Serialize + Send>);

impl Document {
    /// Nothing is encoded yet.
    pub fn new(decoded: impl Serialize + Send + 'static) -> Self {
        Document(Box::new(decoded))
    }

    /// All of it.
    ///
    /// # Errors
    /// When the type cannot be written as JSON; no type of the SDK is like that.
    pub fn to_value(&self) -> Result<Value, Error> {
        serde_json::to_value(&*self.0)
    }

    /// Whether it takes at most `most` bytes as compact JSON.
    pub fn is_within(&self, most: usize) -> bool {
        fit::size::within(&*self.0, most)
    }

    /// Of each record of a list the columns, and the members that tell whether one of them is a secret.
    ///
    /// # Errors
    /// When it is no list of objects.
    pub fn records(&self, columns: &Columns<'_>) -> Result<Vec<Value>, Error> {
        encode::records(&*self.0, columns)
    }
}
