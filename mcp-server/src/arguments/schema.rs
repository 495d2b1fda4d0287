//! The JSON schema of an arguments type, without what a model has no use for.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of `T`: nested types in place, each with its name as title, no dialect, no null
/// alternatives.
pub fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(slim).transform(&mut schema);
    // Whoever reads it knows that these are the arguments.
    schema.remove("description");
    schema.remove("title");
    schema
}

fn slim(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        drop_noise(object);
        drop_null_type(object);
        drop_null_alternative(object, "anyOf");
        drop_null_alternative(object, "oneOf");
    }
}

/// Some descriptions only name the type, which is what a title is for; of the formats only a date
/// is news to a reader.
fn drop_noise(object: &mut Map<String, Value>) {
    if let Some(name) = object.get("description").and_then(Value::as_str).and_then(type_name) {
        let name = Value::from(name);
        object.shift_remove("description");
        object.insert("title".to_owned(), name);
    }
    let is_date = |format: &Value| format.as_str().is_some_and(|format| format.starts_with("date"));
    if object.get("format").is_some_and(|format| format.is_string() && !is_date(format)) {
        object.shift_remove("format");
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.shift_remove("default");
    }
}

/// The name in a description such as `SeriesResource` in backquotes.
fn type_name(description: &str) -> Option<&str> {
    let name = description.strip_prefix('`')?.strip_suffix('`')?;
    name.chars().all(char::is_alphanumeric).then_some(name)
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

#[cfg(test)]
mod tests {
    use super::schema;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    /// `Inner`
    struct Inner {
        /// When it was.
        at: Option<chrono::DateTime<chrono::Utc>>,
        title: String,
    }

    /// Arguments of something.
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
        for noise in ["$schema", "$defs", "$ref", "\"null\"", "int32", "\"default\"", "`"] {
            assert!(!text.contains(noise), "{noise} in {text}");
        }
        assert_eq!(schema["properties"]["id"], json!({"type": "integer", "description": "The number."}));
        assert_eq!(schema["properties"]["page"], json!({"type": "integer"}));
        assert_eq!(schema["required"], json!(["id", "list"]));
        assert_eq!(schema["additionalProperties"], json!(false));
    }

    #[test]
    fn a_date_keeps_its_format_and_a_member_its_meaning() {
        let schema = serde_json::to_value(schema::<Arguments>()).unwrap();
        let inner = &schema["properties"]["body"]["properties"];
        assert_eq!(inner["at"], json!({"description": "When it was.", "type": "string", "format": "date-time"}));
        assert_eq!(inner["title"], json!({"type": "string"}));
        assert!(schema.get("description").is_none(), "{schema}");
        let body = &schema["properties"]["body"];
        assert!(body.get("description").is_none(), "{schema}");
        assert_eq!(body["title"], "Inner");
    }
}
