//! Sonarr's words for a field, in the words of the argument that was sent.

use serde_json::{Map, Value};

use crate::operation::Operation;

/// The argument that Sonarr calls `property`: `arguments.body.items[2].minSize` for
/// `Items[2].MinSize`; nothing where none is known.
///
/// A setting of a provider is found among the `fields` sent. `container` is what was sent: `body`
/// or another argument in its place.
pub fn argument(
    operation: &Operation,
    arguments: &Map<String, Value>,
    container: &str,
    property: &str,
) -> Option<String> {
    let property = property.strip_prefix('$').unwrap_or(property).trim_start_matches('.');
    if property.is_empty() {
        return None;
    }
    let named = |name: &str| operation.parameters.iter().find(|one| one.name.eq_ignore_ascii_case(name));
    if let Some(parameter) = named(property).filter(|parameter| parameter.name != "body") {
        return Some(format!("arguments.{}", parameter.name));
    }
    let start = format!("arguments.{container}");
    let schema = (operation.arguments)().to_value();
    let body = schema.pointer("/properties/body")?;
    member(&schema, body, property)
        .map(|path| join(&start, &path))
        .or_else(|| setting(arguments.get(container)?, property).map(|path| join(&start, &path)))
}

fn join(start: &str, path: &str) -> String {
    if path.starts_with('[') { format!("{start}{path}") } else { format!("{start}.{path}") }
}

/// The path of a property within a schema, in the schema's own spelling.
fn member(root: &Value, schema: &Value, property: &str) -> Option<String> {
    let mut schema = resolve(root, schema)?;
    let mut path = String::new();
    for step in steps(property) {
        let next = match step {
            Step::Index(index) => {
                path.push_str(&format!("[{index}]"));
                schema.get("items")?
            }
            Step::Name(given) => {
                let properties = schema.get("properties")?.as_object()?;
                let (name, next) = properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(given))?;
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
                next
            }
        };
        schema = resolve(root, next)?;
    }
    Some(path)
}

fn resolve<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.strip_prefix('#')?),
        None => Some(schema),
    }
}

enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

/// `Items[2].MinSize` → Items, 2, MinSize.
fn steps(property: &str) -> impl Iterator<Item = Step<'_>> {
    property.split(['.', '[']).filter(|step| !step.is_empty()).map(|step| {
        match step.strip_suffix(']').and_then(|index| index.parse().ok()) {
            Some(index) => Step::Index(index),
            None => Step::Name(step),
        }
    })
}

/// `fields[3].value`, where the field is that of the property's name.
fn setting(body: &Value, property: &str) -> Option<String> {
    let fields = body.get("fields")?.as_array()?;
    let index = fields.iter().position(|field| {
        field.get("name").and_then(Value::as_str).is_some_and(|name| name.eq_ignore_ascii_case(property))
    })?;
    Some(format!("fields[{index}].value"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::argument;
    use crate::generated::GROUPS;

    fn path(operation: &str, property: &str, arguments: Value) -> Option<String> {
        let operation = GROUPS.iter().flat_map(|group| group.operations).find(|one| one.name == operation).unwrap();
        argument(operation, arguments.as_object().unwrap(), "body", property)
    }

    #[test]
    fn a_field_is_told_where_it_was_sent() {
        let fields = json!({"body": {"fields": [
            {"name": "apiPath", "value": "/api"}, {"name": "baseUrl", "value": ""}, {"name": "seedCriteria.seedRatio"},
        ]}});
        for (operation, property, arguments, expected) in [
            ("add_series", "QualityProfileId", json!({}), "arguments.body.qualityProfileId"),
            ("add_series", "$.addOptions.monitor", json!({}), "arguments.body.addOptions.monitor"),
            ("import_series", "$[1].seasons[0].monitored", json!({}), "arguments.body[1].seasons[0].monitored"),
            (
                "create_quality_profile",
                "Items[2].Items[0].Quality",
                json!({}),
                "arguments.body.items[2].items[0].quality",
            ),
            ("update_quality_definitions", "[0].MinSize", json!({}), "arguments.body[0].minSize"),
            ("list_queue", "pageSize", json!({}), "arguments.pageSize"),
            ("update_tag", "Id", json!({}), "arguments.id"),
            ("create_indexer", "BaseUrl", fields.clone(), "arguments.body.fields[1].value"),
            ("create_indexer", "SeedCriteria.SeedRatio", fields, "arguments.body.fields[2].value"),
        ] {
            assert_eq!(path(operation, property, arguments).as_deref(), Some(expected), "{operation} {property}");
        }
    }

    #[test]
    fn what_no_argument_is_called_stays_unknown() {
        assert_eq!(path("add_series", "", json!({})), None);
        assert_eq!(path("add_series", "Nonsense", json!({"body": {}})), None);
        assert_eq!(path("create_indexer", "BaseUrl", json!({"body": {"fields": []}})), None);
        assert_eq!(path("list_tags", "Label", json!({})), None);
    }
}
