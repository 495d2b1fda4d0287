//! A request as it would be sent.

use serde_json::{Map, Value, json};

use crate::operation::{Operation, Place};

/// The method, the path with its values, the query, and the body or form.
pub fn request(operation: &Operation, arguments: &Map<String, Value>) -> Value {
    let mut path = operation.path.to_owned();
    let mut query = Map::new();
    let mut form = Map::new();
    let mut body = None;
    for parameter in operation.parameters {
        let Some(value) = arguments.get(parameter.name) else {
            continue;
        };
        match parameter.place {
            Place::Path => path = path.replace(&format!("{{{}}}", parameter.name), &plain(value)),
            Place::Query => {
                query.insert(parameter.name.to_owned(), value.clone());
            }
            Place::Body => body = Some(value.clone()),
            Place::Form => {
                form.insert(parameter.name.to_owned(), shortened(value));
            }
        }
    }
    let mut request = Map::new();
    request.insert("method".to_owned(), json!(operation.method));
    request.insert("path".to_owned(), json!(path));
    if !query.is_empty() {
        request.insert("query".to_owned(), Value::Object(query));
    }
    if !form.is_empty() {
        request.insert("form".to_owned(), Value::Object(form));
    }
    if let Some(body) = body {
        request.insert("body".to_owned(), body);
    }
    Value::Object(request)
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A file's content is told by its size.
fn shortened(value: &Value) -> Value {
    /// Names of files are shorter, files longer.
    const LONGEST: usize = 256;
    match value {
        Value::String(text) if text.len() > LONGEST => json!(format!("({} characters)", text.len())),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::request;
    use crate::generated::GROUPS;
    use serde_json::{Value, json};

    fn shown(operation: &str, arguments: Value) -> Value {
        let operation = GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == operation).unwrap();
        request(operation, arguments.as_object().unwrap())
    }

    #[test]
    fn everything_stands_where_it_travels() {
        assert_eq!(
            shown("delete_series", json!({"id": 5, "deleteFiles": true})),
            json!({"method": "DELETE", "path": "/api/v3/series/5", "query": {"deleteFiles": true}})
        );
        assert_eq!(
            shown("create_tag", json!({"body": {"label": "x"}})),
            json!({"method": "POST", "path": "/api/v3/tag", "body": {"label": "x"}})
        );
        let upload = shown("restore_backup_upload", json!({"fileName": "b.zip", "content": "A".repeat(1000)}));
        assert_eq!(upload["form"], json!({"fileName": "b.zip", "content": "(1000 characters)"}));
    }
}
