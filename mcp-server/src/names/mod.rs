//! Names in the place of ids: a series by its title, an episode as `S01E02`, a profile or a tag by
//! what it is called.
//!
//! Which argument takes the id of what is told by its name and by the operation's path, the same
//! in arguments, `body` and `patch`. A number is an id and costs nothing; only a text is looked up.

mod episode;
mod kinds;
mod likeness;
mod series;
mod tags;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::arguments::ArgumentError;
use crate::failure::Failure;
use crate::operation::{Kind as Type, Operation};
use crate::write::Reader;

use kinds::{Kind, Named};
use likeness::squeezed;

pub use kinds::takes_name;
pub use series::{is_titled, titled, tvdb_id};
pub use tags::{NewTags, create};

/// So many candidates are listed.
const LISTED: usize = 12;

/// Puts ids in the place of the names in `arguments`.
///
/// # Errors
/// A name that nothing or more than one thing has, with what there is; whatever keeps Sonarr from
/// being asked.
pub async fn resolve(
    reader: &dyn Reader,
    operation: &Operation,
    arguments: Map<String, Value>,
) -> Result<(Map<String, Value>, NewTags), Failure> {
    let mut resolver = Resolver { reader, operation, lists: HashMap::new(), new_tags: NewTags::default() };
    let arguments = resolver.arguments(arguments).await?;
    Ok((arguments, resolver.new_tags))
}

/// What is asked of Sonarr for one call, once each.
struct Resolver<'a> {
    reader: &'a dyn Reader,
    operation: &'a Operation,
    lists: HashMap<String, Arc<Vec<Value>>>,
    new_tags: NewTags,
}

/// An id that stands for a text somewhere in the arguments.
struct Place {
    /// The steps to it.
    pointer: String,
    /// The path, as errors tell it.
    path: String,
    kind: Kind,
    text: String,
}

impl Resolver<'_> {
    async fn arguments(&mut self, mut arguments: Map<String, Value>) -> Result<Map<String, Value>, Failure> {
        for name in ["body", "patch"] {
            // A string of JSON is read as what it holds.
            if let Some(Value::String(text)) = arguments.get(name)
                && let Ok(parsed @ Value::Object(_)) = serde_json::from_str(text)
            {
                arguments.insert(name.to_owned(), parsed);
            }
        }
        let mut whole = Value::Object(arguments);
        let mut places = Vec::new();
        self.find(&whole, &mut places);
        // Series first: an episode is looked for in the series beside it.
        places.sort_by_key(|place| place.kind == Kind::Episode);
        let mut beside = Vec::new();
        for place in places {
            let id = match place.kind {
                Kind::Series => self.series(&place.text, &place.path).await?.map(Value::from),
                Kind::Episode => self.episode(&whole, &place, &mut beside).await?.map(Value::from),
                Kind::Tag => self.tag(&place.text, &place.path).await?.map(Value::from),
                Kind::RootPath => self.root(&place.text, &place.path).await?.map(Value::from),
                Kind::Named(named) => self.named(named, &place.text, &place.path).await?.map(Value::from),
            };
            if let Some(id) = id
                && let Some(value) = whole.pointer_mut(&place.pointer)
            {
                *value = id;
            }
        }
        episode::drop_series_beside(self.operation, &mut whole, &beside);
        match whole {
            Value::Object(arguments) => Ok(arguments),
            _ => Ok(Map::new()),
        }
    }

    /// Every text in the place of an id.
    fn find(&self, arguments: &Value, places: &mut Vec<Place>) {
        for (name, value) in arguments.as_object().into_iter().flatten() {
            let (pointer, path) = (format!("/{}", escaped(name)), format!("arguments.{name}"));
            let folded = kinds::folded(name);
            let parameter = self.operation.parameters.iter().find(|one| kinds::folded(one.name) == folded);
            let object = match parameter.map(|parameter| parameter.kind) {
                Some(Type::Object) => true,
                Some(Type::Array(Type::Object)) | Some(Type::Any) => value.is_object() || value.is_array(),
                Some(_) => false,
                None => name == "patch",
            };
            if object || value.is_object() {
                self.within(value, &pointer, &path, true, places);
                continue;
            }
            let takes_id = parameter
                .is_none_or(|parameter| matches!(parameter.kind, Type::Integer | Type::Array(Type::Integer)))
                || self.operation.is_workflow();
            let kind = match folded.as_str() {
                // Titles of series are numbers at times, other names hardly ever.
                "id" if is_number(value) => kinds::of_path(self.operation.path).filter(|kind| *kind == Kind::Series),
                "id" => kinds::of_path(self.operation.path),
                _ => Kind::of_member(&folded, None),
            };
            if let Some(kind) = kind.filter(|kind| takes_id || *kind == Kind::RootPath) {
                texts(value, &pointer, &path, kind, places);
            }
        }
    }

    /// Those within a body.
    fn within(&self, value: &Value, pointer: &str, path: &str, outermost: bool, places: &mut Vec<Place>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let (pointer, path) = (format!("{pointer}/{}", escaped(name)), format!("{path}.{name}"));
                    let kind = match kinds::folded(name).as_str() {
                        "ids" if outermost => kinds::of_path(self.operation.path),
                        folded => Kind::of_member(folded, path.rsplit('.').nth(1)),
                    };
                    let kind = kind.filter(|_| kinds::is_id_in(self.operation, members, name));
                    match kind {
                        Some(kind) => texts(value, &pointer, &path, kind, places),
                        None => self.within(value, &pointer, &path, false, places),
                    }
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    self.within(value, &format!("{pointer}/{index}"), &format!("{path}[{index}]"), false, places);
                }
            }
            _ => {}
        }
    }

    /// A list, read once.
    async fn list(&mut self, read: &'static str, arguments: Value) -> Result<Arc<Vec<Value>>, Failure> {
        let key = format!("{read} {arguments}");
        if let Some(list) = self.lists.get(&key) {
            return Ok(Arc::clone(list));
        }
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let reading = match read {
            series::LIST => self.reader.read_members(read, arguments, &series::MEMBERS),
            _ => self.reader.read(read, arguments),
        };
        let list = match reading.await? {
            Value::Array(items) => Arc::new(items),
            _ => Arc::default(),
        };
        self.lists.insert(key, Arc::clone(&list));
        Ok(list)
    }

    async fn named(&mut self, named: &'static Named, text: &str, path: &str) -> Result<Option<i64>, Failure> {
        let list = self.list(named.read, json!({})).await?;
        let found: Vec<&Value> =
            list.iter().filter(|it| name_of(it, named).is_some_and(|name| same(name, text))).collect();
        choose(&list, found, text, path, named.what, |it| name_of(it, named).unwrap_or_default().to_owned())
    }

    /// A root folder's path by the last part of it.
    async fn root(&mut self, text: &str, path: &str) -> Result<Option<String>, Failure> {
        if text.contains(['/', '\\']) || text.trim().is_empty() {
            return Ok(None);
        }
        let list = self.list("list_root_folders", json!({})).await?;
        let paths: Vec<&str> = list.iter().filter_map(|it| it.get("path")?.as_str()).collect();
        let found: Vec<&&str> = paths.iter().filter(|path| same(last_part(path), text)).collect();
        match found.as_slice() {
            [one] => Ok(Some((**one).to_owned())),
            several => {
                let problem = match several {
                    [] => format!("there is no root folder `{text}`"),
                    _ => format!("there is more than one root folder `{text}`"),
                };
                let accepted = paths.iter().map(|path| (*path).to_owned()).collect();
                Err(ArgumentError::new(path, problem).accepting(accepted).into())
            }
        }
    }
}

fn name_of<'a>(item: &'a Value, named: &Named) -> Option<&'a str> {
    let name = item.get(named.label)?.as_str()?;
    Some(if named.label == "path" { last_part(name) } else { name })
}

fn last_part(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

fn same(name: &str, text: &str) -> bool {
    name.eq_ignore_ascii_case(text.trim()) || squeezed(name) == squeezed(text)
}

/// The one that was found; a text of digits may be the id of another.
fn choose<'a>(
    all: &'a [Value],
    mut found: Vec<&'a Value>,
    text: &str,
    path: &str,
    what: &str,
    told: impl Fn(&Value) -> String,
) -> Result<Option<i64>, Failure> {
    let id = |it: &Value| it.get("id").and_then(Value::as_i64);
    let exact: Vec<&Value> = found.iter().copied().filter(|it| told(it) == text.trim()).collect();
    if let [_] = exact.as_slice() {
        found = exact;
    }
    if let Ok(number) = text.trim().parse::<i64>() {
        if found.is_empty() {
            // It is an id, which Sonarr knows or not.
            return Ok(Some(number));
        }
        if found.iter().all(|it| id(it) != Some(number)) {
            found.extend(all.iter().filter(|it| id(it) == Some(number)));
        }
    }
    if let [one] = found.as_slice() {
        return Ok(id(one));
    }
    let line = |it: &Value| match id(it) {
        Some(id) => format!("{id} ({})", told(it)),
        None => told(it),
    };
    let shown: String = text.chars().take(80).collect();
    let error = if found.is_empty() {
        let names: Vec<String> = all.iter().map(&told).collect();
        let near = likeness::closest(text, &names, LISTED);
        let listed = near.iter().filter_map(|index| all.get(*index)).map(line).collect();
        ArgumentError::new(path, format!("there is no {what} `{shown}`; its id or its exact name is accepted"))
            .resembling(text, names.iter().map(String::as_str))
            .accepting(listed)
    } else {
        ArgumentError::new(path, format!("more than one {what} is meant by `{shown}`: give the id as a number"))
            .accepting(found.iter().take(LISTED).map(|it| line(it)).collect())
    };
    Err(error.into())
}

/// The texts of a value or of a list.
fn texts(value: &Value, pointer: &str, path: &str, kind: Kind, places: &mut Vec<Place>) {
    match value {
        Value::String(text) if !text.trim().is_empty() => {
            places.push(Place { pointer: pointer.to_owned(), path: path.to_owned(), kind, text: text.clone() });
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().filter(|(_, item)| item.is_string()) {
                texts(item, &format!("{pointer}/{index}"), &format!("{path}[{index}]"), kind, places);
            }
        }
        _ => {}
    }
}

fn is_number(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().parse::<i64>().is_ok())
}

/// A name as a step of a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
