//! Faults of the published document and their cures: `openapi/corrections.toml`.
//!
//! Each states what the document says today (`was`) and what is true (`now`). A `was` that no longer
//! holds stops regen with the correction's name, so that none outlives its cause.

use crate::document::{Document, content, success};
use crate::problems::Problem;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

mod candidates;
mod misfits;

pub use candidates::{Candidate, candidates};
pub use misfits::{Cause, Misfit};

pub const FILE: &str = "openapi/corrections.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectionsFile {
    correction: Vec<Correction>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Correction {
    name: String,
    reason: String,
    #[serde(default)]
    at: Vec<String>,
    status: Option<Change<u16>>,
    response: Option<Change<String>>,
    responses: Option<BTreeMap<String, Change<String>>>,
    media_types: Option<MediaTypes>,
    pointer: Option<String>,
    was: Option<Value>,
    now: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change<T> {
    was: T,
    now: T,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MediaTypes {
    was: BTreeSet<String>,
    now: BTreeSet<String>,
    #[serde(rename = "in")]
    place: Place,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Place {
    Request,
    Response,
}

/// The document with every fault cured whose correction fits, and the corrections that do not fit.
pub fn apply(text: &str, mut document: Document) -> Result<(Document, Vec<Problem>)> {
    let file: CorrectionsFile = toml::from_str(text).context(FILE)?;
    let mut names = BTreeSet::new();
    let mut problems = Vec::new();
    for correction in &file.correction {
        ensure!(names.insert(&correction.name), "{FILE}: two corrections are named `{}`", correction.name);
        ensure!(!correction.reason.trim().is_empty(), "{FILE}: `{}` gives no reason", correction.name);
        let found = correction.apply(&mut document);
        let found = found.with_context(|| format!("{FILE}: correction `{}`", correction.name))?;
        problems.extend(found.into_iter().map(Misfit::into_problem));
    }
    Ok((document, problems))
}

/// The reasons by operation, in the table's order; without what only a generator minds, the names of media types.
pub fn reasons(text: &str) -> Result<Vec<(String, String)>> {
    let file: CorrectionsFile = toml::from_str(text).context(FILE)?;
    let mut found = Vec::new();
    for correction in file.correction.into_iter().filter(|correction| correction.media_types.is_none()) {
        let responses = correction.responses.iter().flat_map(BTreeMap::keys);
        for at in correction.at.iter().chain(responses) {
            let operation = match *at.split(' ').collect::<Vec<_>>() {
                ["schema", _] => continue,
                ["parameter", method, path, _] => format!("{method} {path}"),
                _ => at.clone(),
            };
            found.push((operation, correction.reason.clone()));
        }
    }
    Ok(found)
}

impl Correction {
    /// Cures what it fits; answers where it does not.
    fn apply(&self, document: &mut Document) -> Result<Vec<Misfit>> {
        let forms = [
            self.status.is_some(),
            self.response.is_some(),
            self.responses.is_some(),
            self.media_types.is_some(),
            self.pointer.is_some(),
        ];
        ensure!(
            forms.iter().filter(|form| **form).count() == 1,
            "give exactly one of status, response, responses, media_types, pointer"
        );
        ensure!(self.responses.is_some() == self.at.is_empty(), "`at` names the targets of every form but `responses`");
        let mut misfits = Vec::new();
        for (at, change) in self.responses.iter().flatten() {
            if let Err(fault) = response(document, at, change) {
                misfits.push(self.misfit(document, at, &fault)?);
            }
        }
        for at in &self.at {
            if let Err(fault) = self.apply_at(document, at) {
                misfits.push(self.misfit(document, at, &fault)?);
            }
        }
        Ok(misfits)
    }

    fn apply_at(&self, document: &mut Document, at: &str) -> Result<()> {
        if let Some(change) = &self.status {
            return status(document, at, change);
        }
        if let Some(change) = &self.response {
            return response(document, at, change);
        }
        if let Some(change) = &self.media_types {
            return media_types(document, at, change);
        }
        let (base, pointer) = (target(document, at)?, self.pointer.as_deref().unwrap_or_default());
        replace(&mut document.0, &format!("{base}{pointer}"), self.was.as_ref(), self.now.as_ref())
    }
}

/// The JSON pointer of a target named as in the table.
fn target(document: &Document, at: &str) -> Result<String> {
    let escape = |part: &str| part.replace('~', "~0").replace('/', "~1");
    let operation = |method: &str, path: &str| format!("/paths/{}/{}", escape(path), method.to_lowercase());
    match *at.split(' ').collect::<Vec<_>>() {
        ["schema", name] => Ok(format!("/components/schemas/{}", escape(name))),
        ["parameter", method, path, name] => {
            let base = operation(method, path);
            let operation = document.0.pointer(&base).context("no such operation")?;
            let declared = operation.get("parameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let index = declared.iter().position(|parameter| parameter.get("name").is_some_and(|n| n == name));
            Ok(format!("{base}/parameters/{}", index.unwrap_or(declared.len())))
        }
        [method, path] => Ok(operation(method, path)),
        _ => bail!("a target is `METHOD /path`, `schema Name` or `parameter METHOD /path NAME`"),
    }
}

/// Compares what stands at `pointer` with `was` and puts `now` there; `None` is «nothing».
fn replace(root: &mut Value, pointer: &str, was: Option<&Value>, now: Option<&Value>) -> Result<()> {
    let stands = root.pointer(pointer);
    ensure!(stands == was, "expected {}, found {}", shown(was), shown(stands));
    let (parent, key) = pointer.rsplit_once('/').context("a pointer starts with /")?;
    let key = key.replace("~1", "/").replace("~0", "~");
    if root.pointer(parent).is_none() && now.is_some() {
        // The first parameter of an operation without any brings its list along.
        let operation = parent.strip_suffix("/parameters").filter(|_| key == "0").context("no such place")?;
        let holder = root.pointer_mut(operation).and_then(Value::as_object_mut).context("no such place")?;
        holder.insert("parameters".into(), json!([]));
    }
    match (root.pointer_mut(parent).context("no such place")?, now) {
        (Value::Object(members), Some(now)) => {
            members.insert(key, now.clone());
        }
        (Value::Object(members), None) => {
            members.shift_remove(&key);
        }
        (Value::Array(items), now) => {
            let index: usize = key.parse().context("an array takes a number")?;
            match now {
                Some(now) if index == items.len() => items.push(now.clone()),
                Some(now) => *items.get_mut(index).context("no such item")? = now.clone(),
                None => {
                    ensure!(index < items.len(), "no such item");
                    items.remove(index);
                }
            }
        }
        _ => bail!("neither an object nor an array stands around it"),
    }
    Ok(())
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".into(), Value::to_string)
}

fn operation<'a>(document: &'a mut Document, at: &str) -> Result<&'a mut Map<String, Value>> {
    document.operation_mut(at).and_then(Value::as_object_mut).context("no such operation")
}

fn status(document: &mut Document, at: &str, change: &Change<u16>) -> Result<()> {
    let operation = operation(document, at)?;
    let (declared, answer) = success(operation)?;
    ensure!(declared == change.was.to_string(), "expected status {}, found {declared}", change.was);
    let mut responses = Map::new();
    responses.insert(change.now.to_string(), answer.clone());
    operation.insert("responses".into(), responses.into());
    Ok(())
}

fn response(document: &mut Document, at: &str, change: &Change<String>) -> Result<()> {
    let operation = operation(document, at)?;
    let (declared, answer) = success(operation)?;
    let stands = shorthand(answer)?;
    ensure!(stands == change.was, "expected the answer {}, found {stands}", change.was);
    let mut answer = answer.as_object().cloned().context("a response is an object")?;
    match written_out(&change.now) {
        Some(content) => answer.insert("content".into(), content),
        None => answer.shift_remove("content"),
    };
    let declared = declared.to_owned();
    operation.insert("responses".into(), json!({ declared: answer }));
    Ok(())
}

/// `IndexerResource[]` → the content it stands for.
fn written_out(short: &str) -> Option<Value> {
    let refer = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let schema = match short {
        "none" => return None,
        media if media.contains('/') => return Some(json!({ media: {} })),
        "any" => json!({}),
        "string" => json!({ "type": "string" }),
        list if list.ends_with("[]") => json!({ "type": "array", "items": refer(list.trim_end_matches("[]")) }),
        name => refer(name),
    };
    Some(json!({ "application/json": { "schema": schema } }))
}

/// The shorthand of a response, the inverse of `written_out`.
fn shorthand(answer: &Value) -> Result<String> {
    let Some(content) = content(answer) else { return Ok("none".into()) };
    let Some(json) = content.get("application/json") else {
        return Ok(content.keys().cloned().collect::<Vec<_>>().join(" "));
    };
    let Some(schema) = json.get("schema") else { return Ok("any".into()) };
    let name = crate::document::reference;
    if let Some(name) = name(schema) {
        return Ok(name.into());
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("array") => {
            let items = schema.get("items").context("an array without items")?;
            let inner = name(items).or_else(|| items.get("type").and_then(Value::as_str)).context("odd items")?;
            Ok(format!("{inner}[]"))
        }
        Some(other) => Ok(other.into()),
        None => Ok("any".into()),
    }
}

fn media_types(document: &mut Document, at: &str, change: &MediaTypes) -> Result<()> {
    let operation = operation(document, at)?;
    let holder = match change.place {
        Place::Request => operation.get_mut("requestBody"),
        Place::Response => operation
            .get_mut("responses")
            .and_then(Value::as_object_mut)
            .and_then(|responses| responses.iter_mut().find(|(status, _)| status.starts_with('2')))
            .map(|(_, response)| response),
    };
    let content = holder
        .and_then(|holder| holder.get_mut("content"))
        .and_then(Value::as_object_mut)
        .context("declares no media types")?;
    let stands: BTreeSet<String> = content.keys().cloned().collect();
    ensure!(stands == change.was, "expected the media types {:?}, found {stands:?}", change.was);
    ensure!(change.now.is_subset(&change.was), "media types can only be dropped");
    content.retain(|media, _| change.now.contains(media));
    Ok(())
}

#[cfg(test)]
mod tests;
