//! What stands in lists: the queue, the blocklist, history, backups, settings.

use serde_json::{Map, Value, json};

use super::{Stakes, Target, Thing, name, number, object, thing};
use crate::failure::Failure;
use crate::write::Reader;

/// Records on a page.
const PAGE: u64 = 1000;

/// Pages looked through for a record.
const PAGES: u64 = 5;

/// Records of the queue, and how many downloads go when they go from the client too.
pub async fn queue(reader: &dyn Reader, ids: &[i64], from_client: bool) -> Result<Stakes, Failure> {
    let more = [("includeUnknownSeriesItems".to_owned(), json!(true))];
    let records = page_through(reader, "list_queue", Map::from_iter(more), ids).await?;
    let (wanted, others): (Vec<&Value>, Vec<&Value>) = records.iter().partition(|record| is_one_of(record, ids));
    let mut stakes = Stakes::default();
    let mut downloads: Vec<&str> = Vec::new();
    for record in wanted {
        let bytes = number(record, "/size").unwrap_or(0);
        stakes.things.push(Thing { bytes: Some(bytes), ..thing(record) });
        let download = record.get("downloadId").and_then(Value::as_str).filter(|id| !id.is_empty());
        match download {
            Some(download) if downloads.contains(&download) => {}
            Some(download) => {
                downloads.push(download);
                stakes.bytes += bytes;
            }
            None => {}
        }
    }
    let shared = others
        .iter()
        .filter(|record| record.get("downloadId").and_then(Value::as_str).is_some_and(|id| downloads.contains(&id)))
        .count();
    if shared > 0 {
        stakes.notes.push(format!("{shared} more records of the queue belong to the same downloads and go with them"));
    }
    if from_client {
        stakes.downloads = downloads.len() as u64;
    } else {
        stakes.bytes = 0;
    }
    stakes.missing(ids);
    Ok(stakes)
}

/// Entries of the blocklist.
pub async fn blocklist(reader: &dyn Reader, ids: &[i64]) -> Result<Stakes, Failure> {
    listed(page_through(reader, "list_blocklist", Map::new(), ids).await?, ids)
}

/// Events of the history.
pub async fn history(reader: &dyn Reader, ids: &[i64]) -> Result<Stakes, Failure> {
    listed(page_through(reader, "list_history", Map::new(), ids).await?, ids)
}

/// Backups, with their size.
pub async fn backups(reader: &dyn Reader, ids: &[i64]) -> Result<Stakes, Failure> {
    let list = reader.read("list_backups", Map::new()).await?;
    let mut stakes = listed(list.as_array().cloned().unwrap_or_default(), ids)?;
    for thing in &mut stakes.things {
        let backup = list.as_array().into_iter().flatten().find(|it| it.get("id").and_then(Value::as_i64) == thing.id);
        thing.bytes = backup.and_then(|backup| number(backup, "/size"));
        if let Some(time) = backup.and_then(|backup| backup.get("time")).and_then(Value::as_str) {
            thing.name = format!("{}, of {time}", thing.name);
        }
    }
    Ok(stakes)
}

/// The backup that comes along.
pub fn upload(arguments: &Map<String, Value>) -> Stakes {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let bytes = text("content").len() as u64 / 4 * 3;
    Stakes::of(vec![Thing { name: super::readable(text("fileName")), bytes: Some(bytes), ..Thing::default() }])
}

/// A tag and what it is on.
pub async fn tag(reader: &dyn Reader, ids: &[i64]) -> Result<Stakes, Failure> {
    let mut stakes = Stakes::default();
    for id in ids {
        let Some(details) = object(reader, Target { read: "get_tag_details", id: *id }).await? else {
            continue;
        };
        stakes.things.push(thing(&details));
        let users: usize = details
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| value.as_array().filter(|_| name.ends_with("Ids")))
            .map(Vec::len)
            .sum();
        if users > 0 {
            stakes.notes.push(format!("{users} things have this tag; Sonarr refuses to delete a tag in use"));
        }
    }
    stakes.missing(ids);
    Ok(stakes)
}

/// One object that has an operation to read it.
pub async fn one(reader: &dyn Reader, target: Target) -> Result<Stakes, Failure> {
    let found = object(reader, target).await?;
    let mut stakes =
        Stakes::of(found.iter().map(|it| Thing { id: Some(target.id), name: name(it), ..Thing::default() }).collect());
    stakes.missing(&[target.id]);
    Ok(stakes)
}

/// Several objects of one list.
pub async fn several(reader: &dyn Reader, list: &'static str, ids: &[i64]) -> Result<Stakes, Failure> {
    let list = reader.read(list, Map::new()).await?;
    listed(list.as_array().cloned().unwrap_or_default(), ids)
}

fn listed(records: Vec<Value>, ids: &[i64]) -> Result<Stakes, Failure> {
    let mut stakes = Stakes::of(records.iter().filter(|record| is_one_of(record, ids)).map(thing).collect());
    stakes.missing(ids);
    Ok(stakes)
}

fn is_one_of(record: &Value, ids: &[i64]) -> bool {
    record.get("id").and_then(Value::as_i64).is_some_and(|id| ids.contains(&id))
}

/// The records of the pages up to the one that has the last of `ids`.
async fn page_through(
    reader: &dyn Reader,
    operation: &'static str,
    arguments: Map<String, Value>,
    ids: &[i64],
) -> Result<Vec<Value>, Failure> {
    let mut records: Vec<Value> = Vec::new();
    for page in 1..=PAGES {
        let mut arguments = arguments.clone();
        arguments.insert("page".to_owned(), json!(page));
        arguments.insert("pageSize".to_owned(), json!(PAGE));
        let answer = reader.read(operation, arguments).await?;
        records.extend(answer.get("records").and_then(Value::as_array).cloned().unwrap_or_default());
        let all_found = ids.iter().all(|id| records.iter().any(|record| is_one_of(record, &[*id])));
        let total = number(&answer, "/totalRecords").unwrap_or(0);
        if all_found || page * PAGE >= total {
            break;
        }
    }
    Ok(records)
}
