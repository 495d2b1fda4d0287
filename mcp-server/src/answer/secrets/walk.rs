//! The rule over JSON: which values are secrets by where they stand.

use serde_json::{Map, Value};

use super::MASK;
use super::names::{is_called, is_secret, is_secret_field};

/// Masks the secrets in `value`. `text` masks those within a text that is none itself, and
/// returns nothing for a text without any.
pub fn mask(value: &mut Value, text: &mut dyn FnMut(&str) -> Option<String>) {
    Walk { text }.visit(value);
}

struct Walk<'w> {
    text: &'w mut dyn FnMut(&str) -> Option<String>,
}

impl Walk<'_> {
    fn visit(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(masked) = (self.text)(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.visit(item)),
            Value::Object(members) => self.object(members),
            _ => {}
        }
    }

    fn object(&mut self, members: &mut Map<String, Value>) {
        let named = Named::of(members);
        for (name, value) in members.iter_mut() {
            if is_secret(name) || named.as_ref().is_some_and(|named| named.holds_secret_in(name)) {
                hide(value);
            } else if is_called(name, "strings") {
                self.texts(value);
            } else {
                self.visit(value);
            }
        }
    }

    /// Sonarr's translations: their names are words such as `Password`, and no value is a secret.
    fn texts(&mut self, value: &mut Value) {
        match value {
            Value::Object(members) => members.values_mut().for_each(|value| self.texts(value)),
            other => self.visit(other),
        }
    }
}

/// An object that names its value in another member: a provider's setting, an HTTP header, a
/// failed check.
enum Named {
    Secret(&'static [&'static str]),
    /// A setting that is a list of headers, all of which are secrets: most often one is a key.
    Headers,
}

impl Named {
    fn of(members: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        if let (Some(name), true) = (text("name"), members.contains_key("value")) {
            if is_called(name, "headers") {
                return Some(Named::Headers);
            }
            let private =
                text("privacy").is_some_and(|privacy| is_called(privacy, "apikey") || is_called(privacy, "password"));
            return (private || is_secret_field(name)).then_some(Named::Secret(&["value"]));
        }
        if let (Some(key), true) = (text("key"), members.contains_key("value")) {
            return is_secret_field(key).then_some(Named::Secret(&["value"]));
        }
        let property = text("propertyName")?;
        is_secret_field(property).then_some(Named::Secret(&[
            "attemptedValue",
            "propertyValue",
            "formattedMessagePlaceholderValues",
        ]))
    }

    fn holds_secret_in(&self, member: &str) -> bool {
        match self {
            Named::Secret(members) => members.contains(&member),
            Named::Headers => member == "value",
        }
    }
}

/// Masks every text in a value. Numbers, switches and what is empty say only that there is one.
fn hide(value: &mut Value) {
    match value {
        Value::String(text) if !text.is_empty() => *text = MASK.to_owned(),
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::Object(members) => hide_members(members),
        _ => {}
    }
}

/// Of a header or another pair the name may be seen.
fn hide_members(members: &mut Map<String, Value>) {
    for (name, value) in members.iter_mut() {
        if name != "key" && name != "propertyName" {
            hide(value);
        }
    }
}
