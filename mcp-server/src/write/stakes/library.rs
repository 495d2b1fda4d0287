//! Series and their files.

use serde_json::{Map, Value, json};

use super::{Stakes, Target, Thing, name, number, object, thing};
use crate::failure::Failure;
use crate::write::Reader;

/// Up to so many series are read one by one, more in one list.
const ONE_BY_ONE: usize = 5;

/// The series, with their files when these go too.
pub async fn series(reader: &dyn Reader, ids: &[i64], with_files: bool) -> Result<Stakes, Failure> {
    let mut found = Vec::new();
    if ids.len() <= ONE_BY_ONE {
        for id in ids {
            found.extend(object(reader, Target { read: "get_series", id: *id }).await?);
        }
    } else {
        let list = reader.read("list_series", Map::new()).await?;
        let wanted = |series: &Value| series.get("id").and_then(Value::as_i64).is_some_and(|id| ids.contains(&id));
        found.extend(list.as_array().into_iter().flatten().filter(|series| wanted(series)).cloned());
    }
    let mut stakes = Stakes::default();
    for series in &found {
        let files = number(series, "/statistics/episodeFileCount").unwrap_or(0);
        let bytes = number(series, "/statistics/sizeOnDisk").unwrap_or(0);
        stakes.things.push(Thing { files: Some(files), bytes: Some(bytes), ..thing(series) });
        if with_files {
            stakes.files += files;
            stakes.bytes += bytes;
            if let Some(path) = series.get("path").and_then(Value::as_str) {
                stakes.notes.push(format!("the folder {path} is deleted with everything in it"));
            }
        }
    }
    stakes.missing(ids);
    Ok(stakes)
}

/// Episode files, each with the series it belongs to.
pub async fn episode_files(reader: &dyn Reader, ids: &[i64]) -> Result<Stakes, Failure> {
    let found: Vec<Value> = match ids {
        [id] => object(reader, Target { read: "get_episode_file", id: *id }).await?.into_iter().collect(),
        _ => list(reader, ids).await?,
    };
    let mut titles: Vec<(i64, String)> = Vec::new();
    let mut stakes = Stakes::default();
    for file in &found {
        let bytes = number(file, "/size").unwrap_or(0);
        let mut thing = Thing { bytes: Some(bytes), ..thing(file) };
        if let Some(path) = file.get("relativePath").and_then(Value::as_str) {
            thing.name = super::readable(path);
        }
        if let Some(series) = file.get("seriesId").and_then(Value::as_i64) {
            if !titles.iter().any(|(id, _)| *id == series) && titles.len() < ONE_BY_ONE {
                let title = object(reader, Target { read: "get_series", id: series }).await?;
                titles.push((series, title.as_ref().map(name).unwrap_or_default()));
            }
            if let Some((_, title)) = titles.iter().find(|(id, title)| *id == series && !title.is_empty()) {
                thing.name = format!("{title}: {}", thing.name);
            }
        }
        stakes.things.push(thing);
        stakes.files += 1;
        stakes.bytes += bytes;
    }
    stakes.missing(ids);
    Ok(stakes)
}

async fn list(reader: &dyn Reader, ids: &[i64]) -> Result<Vec<Value>, Failure> {
    /// More do not fit into the address of one request.
    const AT_ONCE: usize = 100;
    let mut found = Vec::new();
    for ids in ids.chunks(AT_ONCE) {
        let arguments = Map::from_iter([("episodeFileIds".to_owned(), json!(ids))]);
        if let Value::Array(files) = reader.read("list_episode_files", arguments).await? {
            found.extend(files);
        }
    }
    Ok(found)
}
