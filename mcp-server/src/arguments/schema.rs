//! The JSON schema of an arguments type, without what a model has no use for.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of `T`: nested types in place, no dialect, no titles, no null alternatives.
pub fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(slim).transform(&mut schema);
    schema
}

fn slim(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        drop_noise(object);
        drop_null_type(object);
        drop_null_alternative(object, "anyOf");
        drop_null_alternative(object, "oneOf");
        join_names(object);
    }
}

/// A title repeats a type's name in Rust; of the formats only a date is news to a reader.
fn drop_noise(object: &mut Map<String, Value>) {
    if object.get("title").is_some_and(Value::is_string) {
        object.shift_remove("title");
    }
    let is_date = |format: &Value| format.as_str().is_some_and(|format| format.starts_with("date"));
    if object.get("format").is_some_and(|format| format.is_string() && !is_date(format)) {
        object.shift_remove("format");
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.shift_remove("default");
    }
}

fn drop_null_type(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            object.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

fn drop_null_alternative(object: &mut Map<String, Value>, keyword: &str) {
    let Some(Value::Array(alternatives)) = object.get_mut(keyword) else {
        return;
    };
    alternatives.retain(|alternative| alternative.get("type").is_none_or(|name| name.as_str() != Some("null")));
    if let [Value::Object(one)] = alternatives.as_slice() {
        let one = one.clone();
        object.shift_remove(keyword);
        for (key, value) in one {
            object.entry(key).or_insert(value);
        }
        drop_noise(object);
    }
}

/// An open enum is its names beside any string and any integer: the names are what matters.
fn join_names(object: &mut Map<String, Value>) {
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(alternatives)) = object.get(keyword) else {
            continue;
        };
        let Some(names) = names_of(alternatives) else {
            continue;
        };
        object.shift_remove(keyword);
        object.insert("type".to_owned(), Value::from("string"));
        object.insert("enum".to_owned(), Value::Array(names));
    }
}

/// The strings among the alternatives, when every alternative is a string, a list of strings or
/// an integer.
fn names_of(alternatives: &[Value]) -> Option<Vec<Value>> {
    let mut names = Vec::new();
    for alternative in alternatives {
        if let Some(Value::Array(values)) = alternative.get("enum") {
            names.extend(values.iter().filter(|value| value.is_string()).cloned());
        } else if let Some(name) = alternative.get("const").filter(|value| value.is_string()) {
            names.push(name.clone());
        } else if !matches!(alternative.get("type").and_then(Value::as_str), Some("string" | "integer")) {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::schema;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    /// A kind that may grow.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Grade {
        First,
        Second,
        #[serde(untagged)]
        Unrecognized(String),
        #[serde(untagged)]
        UnrecognizedNumber(i64),
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        grade: Option<Grade>,
        /// When it was.
        at: Option<chrono::DateTime<chrono::Utc>>,
        title: String,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// The number.
        id: i32,
        page: Option<i32>,
        body: Option<Inner>,
        list: Vec<Inner>,
    }

    #[test]
    fn nothing_is_left_but_types_names_and_words() {
        let schema = serde_json::to_value(schema::<Arguments>()).unwrap();
        let text = schema.to_string();
        for noise in ["$schema", "$defs", "$ref", "\"null\"", "int32", "\"default\""] {
            assert!(!text.contains(noise), "{noise} in {text}");
        }
        assert_eq!(schema["properties"]["id"], json!({"type": "integer", "description": "The number."}));
        assert_eq!(schema["properties"]["page"], json!({"type": "integer"}));
        assert_eq!(schema["required"], json!(["id", "list"]));
        assert_eq!(schema["additionalProperties"], json!(false));
    }

    #[test]
    fn an_open_enum_shows_its_names_and_a_date_its_format() {
        let schema = serde_json::to_value(schema::<Arguments>()).unwrap();
        let inner = &schema["properties"]["body"]["properties"];
        assert_eq!(inner["grade"]["type"], "string");
        assert_eq!(inner["grade"]["enum"], json!(["first", "second"]));
        assert_eq!(inner["at"]["format"], "date-time");
        assert_eq!(inner["title"], json!({"type": "string"}));
    }
}
