//! The OpenAPI document as a value, and the few questions everyone asks of it.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Where the vendored document lies, from the workspace root.
pub const VENDORED: &str = "openapi/sonarr-v3.json";

const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// An OpenAPI 3.0 document.
#[derive(Clone, Debug)]
pub struct Document(pub Value);

/// The workspace root: the parent of this crate's folder, as cargo names it when it runs the program.
pub fn root() -> Result<PathBuf> {
    let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&crate_folder).parent().map(Path::to_path_buf).context("xtask lies in the workspace")
}

impl Document {
    /// `("GET /api/v3/tag", operation)` for every operation, in document order.
    pub fn operations(&self) -> impl Iterator<Item = (String, &Map<String, Value>)> {
        object(&self.0, "/paths").into_iter().flatten().flat_map(|(path, item)| {
            item.as_object().into_iter().flatten().filter(|(method, _)| METHODS.contains(&method.as_str())).filter_map(
                move |(method, operation)| Some((format!("{} {path}", method.to_uppercase()), operation.as_object()?)),
            )
        })
    }

    /// The same, to be changed.
    pub fn operations_mut(&mut self) -> impl Iterator<Item = (String, &mut Map<String, Value>)> {
        self.0.pointer_mut("/paths").and_then(Value::as_object_mut).into_iter().flatten().flat_map(|(path, item)| {
            item.as_object_mut()
                .into_iter()
                .flatten()
                .filter(|(method, _)| METHODS.contains(&method.as_str()))
                .filter_map(move |(method, operation)| {
                    Some((format!("{} {path}", method.to_uppercase()), operation.as_object_mut()?))
                })
        })
    }

    /// The operation at `"GET /api/v3/tag"`.
    pub fn operation(&self, at: &str) -> Result<&Map<String, Value>> {
        let found = at
            .split_once(' ')
            .and_then(|(method, path)| self.0.get("paths")?.get(path)?.get(method.to_lowercase())?.as_object());
        found.with_context(|| format!("the document does not have {at}"))
    }

    /// The same, to be changed.
    pub fn operation_mut(&mut self, at: &str) -> Option<&mut Value> {
        let (method, path) = at.split_once(' ')?;
        self.0.get_mut("paths")?.get_mut(path)?.get_mut(method.to_lowercase())
    }

    /// `components/schemas`.
    pub fn schemas(&self) -> Result<&Map<String, Value>> {
        object(&self.0, "/components/schemas").context("the document has no components/schemas")
    }

    /// `components/schemas`, to be changed.
    pub fn schemas_mut(&mut self) -> Result<&mut Map<String, Value>> {
        self.0
            .pointer_mut("/components/schemas")
            .and_then(Value::as_object_mut)
            .context("the document has no components/schemas")
    }

    /// Follows a `$ref` of the document itself, once.
    pub fn resolve<'a>(&'a self, schema: &'a Value) -> Result<&'a Value> {
        let Some(name) = reference(schema) else { return Ok(schema) };
        self.schemas()?.get(name).with_context(|| format!("schema {name} is referred to but not there"))
    }
}

/// The name behind `{"$ref": "#/components/schemas/NAME"}`.
pub fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")
}

/// The parameters of an operation.
pub fn parameters(operation: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    operation.get("parameters").and_then(Value::as_array).into_iter().flatten()
}

/// A member that has to be a string.
pub fn text<'a>(value: &'a Value, member: &str) -> Result<&'a str> {
    value.get(member).and_then(Value::as_str).with_context(|| format!("`{member}` is missing in {value}"))
}

/// The status and the response of the one success an operation declares.
pub fn success(operation: &Map<String, Value>) -> Result<(&str, &Value)> {
    let responses = operation.get("responses").and_then(Value::as_object).context("no responses")?;
    let mut found = responses.iter().filter(|(status, _)| status.starts_with('2'));
    match (found.next(), found.next()) {
        (Some((status, response)), None) => Ok((status, response)),
        _ => bail!("expected one 2xx response, found {:?}", responses.keys().collect::<Vec<_>>()),
    }
}

/// The media types of a response or a request body.
pub fn content(value: &Value) -> Option<&Map<String, Value>> {
    value.get("content").and_then(Value::as_object).filter(|content| !content.is_empty())
}

fn object<'a>(value: &'a Value, pointer: &str) -> Option<&'a Map<String, Value>> {
    value.pointer(pointer).and_then(Value::as_object)
}
