//! Reading a request body as the real server's classes would.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde_json::{Map, Number, Value};

use super::{Kind, Member, NEXT_DATA, NEXT_ENUM, NEXT_LEVEL, Types};

/// Why a body was refused: the JSON path and the server's sentence about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BindError {
    pub path: String,
    pub message: String,
}

impl BindError {
    fn wrong_type(path: &str, expected: &str) -> Self {
        BindError {
            path: path.to_owned(),
            message: format!(
                "The JSON value could not be converted to {expected}. Path: {path} | LineNumber: 0 | BytePositionInLine: 0."
            ),
        }
    }
}

impl Types {
    /// Reads `value` as the type `name` (`[name]` for a list of it).
    pub(crate) fn bind(&self, name: &str, value: &Value) -> Result<Value, BindError> {
        self.bind_kind(&super::read_kind(name), value, "$")
    }

    fn bind_kind(&self, kind: &Kind, value: &Value, path: &str) -> Result<Value, BindError> {
        let wrong = |expected: &str| BindError::wrong_type(path, expected);
        match kind {
            Kind::Any => Ok(value.clone()),
            Kind::Str => match value {
                Value::String(_) => Ok(value.clone()),
                _ => Err(wrong("System.String")),
            },
            Kind::Bool => match value {
                Value::Bool(_) => Ok(value.clone()),
                _ => Err(wrong("System.Boolean")),
            },
            Kind::Int => {
                let number = read_integer(value).filter(|number| i32::try_from(*number).is_ok());
                number.map(Value::from).ok_or_else(|| wrong("System.Int32"))
            }
            Kind::Long => read_integer(value).map(Value::from).ok_or_else(|| wrong("System.Int64")),
            Kind::Double => match value {
                Value::Number(_) => Ok(value.clone()),
                Value::String(text) => text
                    .parse::<f64>()
                    .ok()
                    .and_then(Number::from_f64)
                    .map(Value::Number)
                    .ok_or_else(|| wrong("System.Double")),
                _ => Err(wrong("System.Double")),
            },
            Kind::Date => match value.as_str().and_then(read_date) {
                Some(date) => Ok(Value::String(crate::state::iso(date))),
                None => Err(wrong("System.DateTime")),
            },
            Kind::Span => match value {
                Value::String(_) => Ok(value.clone()),
                _ => Err(wrong("System.TimeSpan")),
            },
            Kind::Map => match value {
                Value::Object(_) => Ok(value.clone()),
                _ => Err(wrong("System.Collections.Generic.Dictionary")),
            },
            Kind::Terms => match value {
                Value::String(text) => {
                    let terms = text.split(',').map(str::trim).filter(|term| !term.is_empty());
                    Ok(terms.map(|term| Value::String(term.to_owned())).collect())
                }
                Value::Array(items) if items.iter().all(Value::is_string) => Ok(value.clone()),
                _ => Ok(value.clone()),
            },
            Kind::List(inner) => match value {
                Value::Array(items) => items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.bind_kind(inner, item, &format!("{path}[{index}]")))
                    .collect(),
                _ => Err(wrong("System.Collections.Generic.List")),
            },
            Kind::Named(name) => match (self.enumeration(name), self.object(name)) {
                (Some(values), _) => canonical_enum(values, value, self.next_version)
                    .ok_or_else(|| wrong(&format!("NzbDrone.Core.{name}"))),
                (None, Some(members)) => match value {
                    Value::Object(given) => self.bind_object(members, given, path).map(Value::Object),
                    _ => Err(wrong(&format!("Sonarr.Api.V3.{name}"))),
                },
                (None, None) => Ok(value.clone()),
            },
        }
    }

    fn bind_object(
        &self,
        members: &[Member],
        given: &Map<String, Value>,
        path: &str,
    ) -> Result<Map<String, Value>, BindError> {
        let mut bound = Map::with_capacity(members.len());
        for member in members {
            let found = find(given, &member.name).filter(|value| !value.is_null());
            match found {
                Some(value) => {
                    let value = self.bind_kind(&member.kind, value, &format!("{path}.{}", member.name))?;
                    bound.insert(member.name.clone(), value);
                }
                None if member.optional || member.name == "id" => {}
                None => {
                    if let Some(value) = self.absent(&member.kind) {
                        bound.insert(member.name.clone(), value);
                    }
                }
            }
        }
        if self.next_version {
            let level = find(given, NEXT_LEVEL).and_then(Value::as_i64).unwrap_or(0);
            bound.insert(NEXT_LEVEL.to_owned(), Value::from(level));
            if let Some(data @ Value::Object(_)) = find(given, NEXT_DATA) {
                bound.insert(NEXT_DATA.to_owned(), data.clone());
            }
        }
        Ok(bound)
    }

    /// What a class holds where the body says nothing; `None` for what is then null.
    fn absent(&self, kind: &Kind) -> Option<Value> {
        match kind {
            Kind::Int | Kind::Long | Kind::Double => Some(Value::from(0)),
            Kind::Bool => Some(Value::Bool(false)),
            Kind::Date => Some(Value::from("0001-01-01T00:00:00Z")),
            Kind::Span => Some(Value::from("00:00:00")),
            Kind::Named(name) => {
                let values = self.enumeration(name)?;
                let zero = values.iter().find(|(_, number)| *number == 0)?;
                Some(Value::from(zero.0.as_str()))
            }
            _ => None,
        }
    }
}

/// The canonical form of an enum value: its name in the server's spelling, or the number when no name has it.
pub(crate) fn canonical_enum(values: &[(String, i64)], value: &Value, next_version: bool) -> Option<Value> {
    let of_number = |number: i64| match values.iter().find(|(_, known)| *known == number) {
        Some((name, _)) => Value::from(name.as_str()),
        None => Value::from(number),
    };
    match value {
        Value::String(text) => {
            let known = values.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim()));
            match known {
                Some((name, _)) => Some(Value::from(name.as_str())),
                None if next_version && text.eq_ignore_ascii_case(NEXT_ENUM) => Some(Value::from(NEXT_ENUM)),
                None => text.trim().parse().ok().map(of_number),
            }
        }
        Value::Number(number) => number.as_i64().map(of_number),
        _ => None,
    }
}

fn find<'a>(given: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    given.get(name).or_else(|| given.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

fn read_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Reads the forms of date that clients send; without a zone it is taken as UTC.
pub(crate) fn read_date(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    if let Ok(date) = DateTime::parse_from_rfc3339(text) {
        return Some(date.with_timezone(&Utc));
    }
    for form in ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"] {
        if let Ok(date) = NaiveDateTime::parse_from_str(text.trim_end_matches('Z'), form) {
            return Some(date.and_utc());
        }
    }
    let day = NaiveDate::parse_from_str(text.trim_end_matches('Z'), "%Y-%m-%d").ok()?;
    Some(day.and_hms_opt(0, 0, 0)?.and_utc())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bind(name: &str, value: Value) -> Result<Value, BindError> {
        Types::of(false).bind(name, &value)
    }

    #[test]
    fn absent_value_members_become_zero_and_unknown_ones_go() {
        let bound = bind("DelayProfileResource", json!({"TAGS": [1, "2"], "preferredProtocol": "USENET", "odd": 1}));
        let bound = bound.unwrap();
        assert_eq!(bound["tags"], json!([1, 2]));
        assert_eq!(bound["preferredProtocol"], "usenet");
        assert_eq!(bound["enableUsenet"], json!(false));
        assert_eq!(bound["usenetDelay"], json!(0));
        assert!(bound.get("odd").is_none() && bound.get("id").is_none());
    }

    #[test]
    fn enum_numbers_become_names_or_stay() {
        let of = |value: Value| bind("DelayProfileResource", json!({"preferredProtocol": value}));
        assert_eq!(of(json!(2)).unwrap()["preferredProtocol"], "torrent");
        assert_eq!(of(json!(7)).unwrap()["preferredProtocol"], json!(7));
        let refused = of(json!("carrier pigeon")).unwrap_err();
        assert_eq!(refused.path, "$.preferredProtocol");
    }

    #[test]
    fn a_wrong_type_names_its_path() {
        let refused = bind("SeriesResource", json!({"seasons": [{"seasonNumber": true}]})).unwrap_err();
        assert_eq!(refused.path, "$.seasons[0].seasonNumber");
        assert!(refused.message.contains("System.Int32"), "{}", refused.message);
        assert_eq!(bind("TagResource", json!({"label": 5})).unwrap_err().path, "$.label");
        assert_eq!(bind("TagResource", json!({"id": 3_000_000_000_i64})).unwrap_err().path, "$.id");
    }

    #[test]
    fn the_coming_version_keeps_its_members_and_resets_absent_ones() {
        let next = Types::of(true);
        let kept = next
            .bind("TagResource", &json!({"label": "a", "nextVersionLevel": 3, "nextVersionData": {"x": null}}))
            .unwrap();
        assert_eq!(kept["nextVersionLevel"], json!(3));
        assert_eq!(kept["nextVersionData"], json!({"x": null}));
        let reset = next.bind("TagResource", &json!({"label": "a"})).unwrap();
        assert_eq!(reset["nextVersionLevel"], json!(0));
        assert!(reset.get("nextVersionData").is_none());
    }

    #[test]
    fn dates_come_in_several_forms() {
        for text in ["2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00", "2026-01-02 03:04:05", "2026-01-02T03:04:05"]
        {
            assert_eq!(read_date(text).unwrap().to_rfc3339(), "2026-01-02T03:04:05+00:00", "{text}");
        }
        assert!(read_date("2026-01-02").is_some());
        assert!(read_date("soon").is_none());
    }
}
