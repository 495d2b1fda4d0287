//! The summary of a record: some of its members, in its own shape.
//!
//! A column is a dotted path; the summary has the same members at the same depth as the record,
//! so what a caller sees there is what a query names. It is exactly what the query
//! [`Columns::projection`] makes of the record.

use serde_json::{Map, Value};

use super::fit::size;

/// Columns, in order; those below one member are together.
#[derive(Debug, Default)]
pub struct Columns<'a> {
    members: Vec<Member<'a>>,
}

#[derive(Debug)]
struct Member<'a> {
    name: &'a str,
    /// Empty for a column itself.
    within: Columns<'a>,
}

impl<'a> Columns<'a> {
    /// The columns of these paths.
    pub fn new(paths: &[&'a str]) -> Self {
        let mut columns = Columns::default();
        for path in paths {
            columns.add(path);
        }
        columns
    }

    fn add(&mut self, path: &'a str) {
        let (name, rest) = match path.split_once('.') {
            Some((name, rest)) => (name, Some(rest)),
            None => (path, None),
        };
        let place = match self.members.iter().position(|member| member.name == name) {
            Some(place) => place,
            None => {
                self.members.push(Member { name, within: Columns::default() });
                self.members.len() - 1
            }
        };
        if let (Some(rest), Some(member)) = (rest, self.members.get_mut(place)) {
            member.within.add(rest);
        }
    }

    /// The column of a member, with the columns within that.
    pub fn member(&self, name: &str) -> Option<(&'a str, &Columns<'a>)> {
        let member = self.members.iter().find(|member| member.name == name)?;
        Some((member.name, &member.within))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The record's summary. What it lacks is null.
    pub fn of(&self, record: &Value) -> Value {
        let mut summary = Map::new();
        for member in &self.members {
            let value = record.get(member.name).unwrap_or(&Value::Null);
            let value = if member.within.members.is_empty() { value.clone() } else { member.within.of(value) };
            summary.insert(member.name.to_owned(), value);
        }
        Value::Object(summary)
    }

    /// The length of the record's summary as compact JSON, in bytes.
    pub fn length_of(&self, record: &Value) -> usize {
        let members: usize = self
            .members
            .iter()
            .map(|member| {
                let value = record.get(member.name).unwrap_or(&Value::Null);
                let length =
                    if member.within.members.is_empty() { size::of(value) } else { member.within.length_of(value) };
                // Quotes, a colon, and a comma or the first member's brace.
                member.name.len() + 4 + length
            })
            .sum();
        members + 1
    }

    /// The expression that makes a summary of a record: `{id:id,statistics:{size:statistics.size}}`.
    pub fn projection(&self) -> String {
        self.below("")
    }

    fn below(&self, path: &str) -> String {
        let members: Vec<String> = self
            .members
            .iter()
            .map(|member| {
                let name = member.name;
                if member.within.members.is_empty() {
                    format!("{name}:{path}{name}")
                } else {
                    format!("{name}:{}", member.within.below(&format!("{path}{name}.")))
                }
            })
            .collect();
        format!("{{{}}}", members.join(","))
    }
}

/// The value at a dotted path.
pub fn at<'v>(record: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(record, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    use super::{Columns, at};
    use crate::answer::fit::size;
    use crate::answer::query;
    use serde_json::json;

    #[test]
    fn a_summary_is_what_its_query_makes() {
        let columns = Columns::new(&["id", "statistics.size", "title", "statistics.count", "quality.quality.name"]);
        let projection = columns.projection();
        assert_eq!(
            projection,
            "{id:id,statistics:{size:statistics.size,count:statistics.count},title:title,\
             quality:{quality:{name:quality.quality.name}}}"
        );
        for record in [
            json!({"title": "A \"B\"\n", "id": 3, "statistics": {"size": 9_007_199_254_740_993_u64, "count": 2, "x": 1},
                   "quality": {"quality": {"name": "HDTV-720p", "id": 4}}, "more": [1]}),
            json!({"id": 4, "statistics": null, "quality": {}}),
            json!({}),
        ] {
            let summary = columns.of(&record);
            assert_eq!(summary, query::apply(&projection, &record).unwrap());
            assert_eq!(summary.to_string().len(), columns.length_of(&record));
            assert_eq!(size::of(&summary), columns.length_of(&record));
        }
    }

    #[test]
    fn a_path_leads_to_a_value_or_nowhere() {
        let record = json!({"a": {"b": 1}});
        assert_eq!(at(&record, "a.b"), Some(&json!(1)));
        assert_eq!(at(&record, "a.c"), None);
        assert_eq!(at(&record, "a.b.c"), None);
    }
}
