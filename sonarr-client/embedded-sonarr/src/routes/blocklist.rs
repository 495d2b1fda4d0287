//! The blocklist, and the other list of what must not come back: exclusions of import lists.

use serde_json::Value;

use super::paging::{self, SortKey};
use super::{Call, bulk};
use crate::http::{Failure, Reply};
use crate::state::{Row, int, text};

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let series = call.query().ints("seriesIds")?;
    let protocols = call.query().enumerations("protocols", "DownloadProtocol")?;
    let paging = paging::read(call, &["date", "indexer", "series.sortTitle", "sourceTitle"], true)?;
    let state = &*call.state;
    let rows: Vec<&Row> = state
        .table("blocklist")
        .rows()
        .filter(|row| {
            (series.is_empty() || series.contains(&int(row, "seriesId")))
                && (protocols.is_empty() || protocols.iter().any(|protocol| protocol == text(row, "protocol")))
        })
        .collect();
    let title = |row: &Row| state.library.get(int(row, "seriesId")).map_or("", |entry| text(&entry.row, "sortTitle"));
    let key = paging.key.clone();
    let (total, rows) = paging.cut(rows, |row| match key.as_str() {
        "series.sortTitle" => SortKey::text(title(row), int(row, "id")),
        name => SortKey::text(text(row, name), int(row, "id")),
    });
    let records = rows.into_iter().map(|row| {
        let mut row = row.clone();
        let id = row.shift_remove("id").unwrap_or_default();
        if let Some(entry) = state.library.get(int(&row, "seriesId")) {
            row.insert("series".into(), state.series_json(entry, false));
        }
        row.insert("id".into(), id);
        Value::Object(row)
    });
    let records = records.collect();
    Ok(paging.reply(total, records))
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    call.state.table_mut("blocklist").remove(id);
    Ok(Reply::empty())
}

pub(super) fn delete_bulk(call: &mut Call<'_>) -> Result<Reply, Failure> {
    for id in bulk::ids(call)? {
        call.state.table_mut("blocklist").remove(id);
    }
    Ok(Reply::empty_object())
}

pub(super) fn exclusions(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let paging = paging::read(call, &["id", "title", "tvdbId"], true)?;
    let rows: Vec<&Row> = call.state.table("importlistexclusion").rows().collect();
    let key = paging.key.clone();
    let (total, rows) = paging.cut(rows, |row| match key.as_str() {
        "title" => SortKey::text(text(row, "title"), int(row, "id")),
        name => SortKey::number(int(row, name) as f64, int(row, "id")),
    });
    Ok(paging.reply(total, rows.into_iter().map(|row| Value::Object(row.clone())).collect()))
}
