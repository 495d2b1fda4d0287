//! What Sonarr refused, in the caller's words, with what there is instead and what to do.

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use sonarr_client::Client;
use sonarr_client::prelude::*;

use super::words;
use crate::failure::{Code, Failure, Field};
use crate::operation::{Group, Operation};

/// Things of Sonarr's that an argument can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Root folders, by path.
    RootFolders,
    /// Quality profiles, by id and name.
    QualityProfiles,
    /// Download clients, by id and name.
    DownloadClients,
    /// Indexers, by id and name.
    Indexers,
    /// Tags, by id and label.
    Tags,
    /// The series in the library with this TheTVDB id.
    Series(i64),
}

/// Reads what there is. Only asked after a refusal that it helps to understand.
pub trait Lookup: Sync {
    /// What there is, an entry each; nothing when it cannot be read.
    fn existing(&self, what: Existing) -> BoxFuture<'_, Option<Vec<String>>>;
}

/// The argument that holds what is written.
const BODY: &str = "body";

/// The argument that holds only what changes of it.
const PATCH: &str = "patch";

/// How many entries are shown.
const SHOWN: usize = 30;

/// Adds to the failure of a call that Sonarr refused what helps to get the next one right:
/// `arguments` are those that were sent.
pub async fn teach(
    mut failure: Failure,
    operation: &Operation,
    arguments: &Map<String, Value>,
    lookup: &impl Lookup,
) -> Failure {
    let mut cures: Vec<String> = failure.cure.take().into_iter().collect();
    let container = if arguments.contains_key(PATCH) { PATCH } else { BODY };
    for field in &mut failure.fields {
        let path = words::argument(operation, arguments, container, &field.name);
        let what = match &path {
            Some(path) => wanted(path, field, arguments, container),
            None => unnamed(field),
        };
        if let Some(path) = path {
            field.accepted = known_values(operation, &path, container);
            field.name = path;
        }
        if let Some(what) = what
            && let Some(mut there) = lookup.existing(what).await
        {
            there.truncate(SHOWN);
            cures.push(cure(what, &there));
            field.accepted = there;
        }
    }
    cures.extend(otherwise(&failure, operation));
    cures.dedup();
    failure.cure = (!cures.is_empty()).then(|| cures.join("; "));
    failure
}

/// What to list beside a refused argument.
fn wanted(path: &str, field: &Field, arguments: &Map<String, Value>, container: &str) -> Option<Existing> {
    match path.rsplit('.').next()? {
        "rootFolderPath" => Some(Existing::RootFolders),
        "qualityProfileId" => Some(Existing::QualityProfiles),
        "downloadClientId" => Some(Existing::DownloadClients),
        "indexerId" => Some(Existing::Indexers),
        "listSyncTag" => Some(Existing::Tags),
        "tvdbId" if field.rule.as_deref() == Some("SeriesExistsValidator") => {
            arguments.get(container)?.get("tvdbId")?.as_i64().map(Existing::Series)
        }
        _ => None,
    }
}

/// What to list where Sonarr names no field.
fn unnamed(field: &Field) -> Option<Existing> {
    (field.name.is_empty() && field.message.starts_with("Indexer does not exist")).then_some(Existing::Indexers)
}

/// What to do, knowing what there is.
fn cure(what: Existing, there: &[String]) -> String {
    let (things, add) = match what {
        Existing::RootFolders => ("root folder", "add_root_folder"),
        Existing::QualityProfiles => ("quality profile", "create_quality_profile"),
        Existing::DownloadClients => ("download client", "create_download_client"),
        Existing::Indexers => ("indexer", "create_indexer"),
        Existing::Tags => ("tag", "create_tag"),
        Existing::Series(_) => {
            return match there.first() {
                Some(series) => format!("it is in the library already as id {series}: change it with update_series"),
                None => "it is in the library already: list_series with `tvdbId` shows it".to_owned(),
            };
        }
    };
    match there {
        [] => format!("there is no {things} yet: {add} adds one"),
        _ => format!("use a {things} that exists, or add one with {add}"),
    }
}

/// The names of an enum that the argument takes.
fn known_values(operation: &Operation, path: &str, container: &str) -> Vec<String> {
    let schema = (operation.arguments)().to_value();
    let in_body = path.replacen(&format!("arguments.{container}"), "arguments.body", 1);
    let error = crate::arguments::ArgumentError::new(in_body, String::new());
    let explained = crate::arguments::explain(error, &schema);
    // What an object may hold is no help here: the field's own message says what is wrong.
    let names_members = explained.accepted.len() > 40;
    if names_members { Vec::new() } else { explained.accepted }
}

/// What Sonarr says of an id that it does not know, where it does not answer 404.
const UNKNOWN_ID: &[&str] = &[
    "does not exist",
    "Expected query to return",
    "not present in the dictionary",
    "ID does not match",
    "Sequence contains no elements",
];

/// What to do about a refusal that names no field.
fn otherwise(failure: &Failure, operation: &Operation) -> Option<String> {
    let message = failure.message.as_str();
    let group = crate::generated::GROUPS.iter().find(|group| group.name == operation.group)?;
    let unknown_id = UNKNOWN_ID.iter().any(|words| message.contains(words));
    if failure.code == Code::NotFound || unknown_id {
        return list_of(group, operation).map(|list| format!("{list} shows what there is, with ids"));
    }
    if message.contains("no matching element") {
        return match operation.name {
            "run_command" => Some("`name` is no command of this Sonarr: help about run_command lists them".to_owned()),
            _ => schemas_of(group, operation)
                .map(|schemas| format!("take `implementation` and `configContract` from {schemas}")),
        };
    }
    None
}

/// The operation of the same group that lists what `operation` is about.
fn list_of(group: &Group, operation: &Operation) -> Option<&'static str> {
    let mut path = operation.path;
    while let Some((above, _)) = path.rsplit_once('/') {
        path = above;
        if let Some(list) = reading(group, |other| other == path) {
            return Some(list);
        }
    }
    None
}

/// The operation that lists the templates of what `operation` is about.
fn schemas_of(group: &Group, operation: &Operation) -> Option<&'static str> {
    let resource = operation.path.split('/').take(4).collect::<Vec<_>>().join("/");
    reading(group, |path| path == format!("{resource}/schema"))
}

fn reading(group: &Group, fits: impl Fn(&str) -> bool) -> Option<&'static str> {
    group.operations.iter().find(|other| other.method == "GET" && fits(other.path)).map(|other| other.name)
}

impl Lookup for Client {
    fn existing(&self, what: Existing) -> BoxFuture<'_, Option<Vec<String>>> {
        Box::pin(async move {
            let listed = match what {
                Existing::RootFolders => list(self.list_root_folders().send().await.ok()?.into_inner(), |one| one.path),
                Existing::QualityProfiles => {
                    list(self.list_quality_profiles().send().await.ok()?.into_inner(), |one| named(one.id, one.name))
                }
                Existing::DownloadClients => {
                    list(self.list_download_clients().send().await.ok()?.into_inner(), |one| named(one.id, one.name))
                }
                Existing::Indexers => {
                    list(self.list_indexers().send().await.ok()?.into_inner(), |one| named(one.id, one.name))
                }
                Existing::Tags => {
                    list(self.list_tags().send().await.ok()?.into_inner(), |one| named(one.id, one.label))
                }
                Existing::Series(tvdb_id) => {
                    let found = self.list_series().tvdb_id(i32::try_from(tvdb_id).ok()?).send().await.ok()?;
                    list(found.into_inner(), |one| named(one.id, one.title))
                }
            };
            Some(listed)
        })
    }
}

fn list<T>(all: Vec<T>, entry: impl Fn(T) -> Option<String>) -> Vec<String> {
    all.into_iter().filter_map(entry).collect()
}

/// `4 (HD-1080p)`
fn named(id: Option<i32>, name: Option<String>) -> Option<String> {
    Some(format!("{} ({})", id?, name?))
}
