//! An episode by its number: `S01E02` beside its series, or with the series before it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::kinds::folded;
use super::{Place, Resolver};
use crate::arguments::ArgumentError;
use crate::command;
use crate::failure::Failure;
use crate::operation::Operation;
use crate::wait;

/// What may stand in the place of an episode's id.
const FORMS: &str = "expected an episode's id, or its number as in `S01E02` with the series beside it (`seriesId`) or \
                     before it (`Title S01E02`)";

impl Resolver<'_> {
    /// The id of the episode that is meant. `beside` takes the places of the series it was looked
    /// for in.
    ///
    /// # Errors
    /// The text is no number of an episode, no series is named, or it has no such episode.
    pub(super) async fn episode(
        &mut self,
        whole: &Value,
        place: &Place,
        beside: &mut Vec<String>,
    ) -> Result<Option<i64>, Failure> {
        if let Ok(id) = place.text.trim().parse::<i64>() {
            return Ok(Some(id));
        }
        let Some(number) = Number::read(&place.text) else {
            return Err(ArgumentError::new(&place.path, FORMS).into());
        };
        let series = match &number.series {
            Some(title) => self.series(title, &place.path).await?,
            None => {
                let found = series_beside(whole, &place.pointer);
                found.map(|(pointer, id)| {
                    beside.push(pointer);
                    id
                })
            }
        };
        let Some(series) = series else {
            return Err(ArgumentError::new(&place.path, format!("of which series? {FORMS}")).into());
        };
        let Number { season, episode, .. } = number;
        let list = self.list("list_episodes", json!({"seriesId": series, "seasonNumber": season})).await?;
        let is = |it: &Value, name: &str, number: i64| it.get(name).and_then(Value::as_i64) == Some(number);
        let of_season: Vec<&Value> = list.iter().filter(|it| is(it, "seasonNumber", season)).collect();
        let found = of_season.iter().find(|it| is(it, "episodeNumber", episode));
        if let Some(id) = found.and_then(|it| it.get("id")).and_then(Value::as_i64) {
            return Ok(Some(id));
        }
        let numbers: Vec<i64> = of_season.iter().filter_map(|it| it.get("episodeNumber")?.as_i64()).collect();
        let problem = match (numbers.iter().min(), numbers.iter().max()) {
            (Some(first), Some(last)) => {
                format!("season {season} of series {series} has the episodes {first} to {last}, and no {episode}")
            }
            _ => format!(
                "series {series} has no episodes of season {season}; of a series just added they come when its refresh \
                 has ended"
            ),
        };
        Err(ArgumentError::new(&place.path, problem).into())
    }
}

/// `S01E02` or `1x02`, with or without a series before it.
#[derive(Debug, PartialEq, Eq)]
struct Number {
    series: Option<String>,
    season: i64,
    episode: i64,
}

impl Number {
    fn read(text: &str) -> Option<Self> {
        static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"(?i)^(?:(?P<series>.*?\S)[\s,:-]+)?(?:s(?P<s>\d{1,4})\s*e(?P<e>\d{1,5})|(?P<x>\d{1,4})x(?P<y>\d{1,5}))$").ok()
        });
        let found = FORM.as_ref()?.captures(text.trim())?;
        let number = |names: [&str; 2]| names.iter().find_map(|name| found.name(name)?.as_str().parse().ok());
        Some(Number {
            series: found.name("series").map(|series| series.as_str().to_owned()),
            season: number(["s", "x"])?,
            episode: number(["e", "y"])?,
        })
    }
}

/// The series in the same object as the text, or else in the call's own arguments; with its place.
fn series_beside(whole: &Value, pointer: &str) -> Option<(String, i64)> {
    let mut parent = pointer;
    while let Some((above, _)) = parent.rsplit_once('/') {
        parent = above;
        let members = whole.pointer(parent).and_then(Value::as_object).into_iter().flatten();
        for (name, value) in members {
            if matches!(folded(name).as_str(), "seriesid" | "series")
                && let Some(id) = value.as_i64()
            {
                return Some((format!("{parent}/{name}"), id));
            }
        }
    }
    None
}

/// Takes out the series that an episode was looked for in, where the operation knows no such argument.
pub fn drop_series_beside(operation: &Operation, whole: &mut Value, beside: &[String]) {
    for pointer in beside {
        let Some((parent, name)) = pointer.rsplit_once('/') else {
            continue;
        };
        if operation.is_workflow() || knows(operation, whole, parent, name) {
            continue;
        }
        if let Some(members) = whole.pointer_mut(parent).and_then(Value::as_object_mut) {
            members.shift_remove(name);
        }
    }
}

fn knows(operation: &Operation, whole: &Value, parent: &str, name: &str) -> bool {
    let is = |known: &str| folded(known) == folded(name);
    match parent {
        "" => operation.parameters.iter().any(|one| is(one.name)),
        "/body" if operation.name == wait::OPERATION => {
            let members = whole.pointer(parent).and_then(Value::as_object).into_iter().flatten();
            let mut named =
                members.filter(|(member, _)| folded(member) == "name").filter_map(|(_, name)| name.as_str());
            let command = named.next().and_then(command::find);
            command.is_some_and(|command| command.parameters.iter().any(|one| is(one.name)))
        }
        "/body" => {
            let schema = (operation.arguments)().to_value();
            let members = schema.pointer("/properties/body/properties").and_then(Value::as_object);
            members.is_some_and(|members| members.keys().any(|known| is(known)))
        }
        // What is deeper is a record of its own, which names its series.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn numbers_are_read_with_and_without_a_series() {
        let number =
            |series: Option<&str>, season, episode| Some(Number { series: series.map(str::to_owned), season, episode });
        for (text, due) in [
            ("S01E02", number(None, 1, 2)),
            (" s1e2 ", number(None, 1, 2)),
            ("S01 E02", number(None, 1, 2)),
            ("1x02", number(None, 1, 2)),
            ("Some Show S01E02", number(Some("Some Show"), 1, 2)),
            ("Some Show (2019) - S2024E113", number(Some("Some Show (2019)"), 2024, 113)),
            ("24 1x02", number(Some("24"), 1, 2)),
            ("tvdb:5 S00E01", number(Some("tvdb:5"), 0, 1)),
            ("Some Show", None),
            ("S01", None),
            ("", None),
        ] {
            assert_eq!(Number::read(text), due, "{text}");
        }
    }
}
