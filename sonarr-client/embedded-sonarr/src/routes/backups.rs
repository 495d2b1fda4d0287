//! Backups of settings and database.

use serde_json::{Value, json};

use super::Call;
use crate::http::{Failure, Reply};
use crate::state::{Row, int, text};

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let mut rows: Vec<&Row> = call.state.table("system/backup").rows().collect();
    rows.sort_by(|left, right| text(right, "time").cmp(text(left, "time")));
    Ok(Reply::ok(rows.into_iter().map(|row| Value::Object(row.clone())).collect()))
}

pub(super) fn delete(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let id = call.id();
    match call.state.table_mut("system/backup").remove(id) {
        Some(_) => Ok(Reply::empty_object()),
        None => Err(Failure::NotFound),
    }
}

pub(super) fn restore(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let Some(row) = call.state.row("system/backup", call.id()) else { return Err(Failure::NotFound) };
    if int(row, "size") == 0 {
        return Err(Failure::Exception {
            status: 404,
            class: "NzbDrone.Core.Backup.RestoreBackupFailedException",
            message: "Unable to restore database file from backup".into(),
        });
    }
    Ok(Reply::ok(json!({"restartRequired": true})))
}

pub(super) fn upload(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let Some(files) = &call.incoming.upload else {
        return Err(call.invalid_operation("Incorrect Content-Type: the request is not a form"));
    };
    let Some(name) = files.first() else { return Err(Failure::BadRequest("file must be provided".into())) };
    let lower = name.to_ascii_lowercase();
    if ![".zip", ".db", ".xml"].iter().any(|extension| lower.ends_with(extension)) {
        return Err(Failure::UnsupportedMedia("Invalid extension, must be one of: .zip, .db, .xml".into()));
    }
    Ok(Reply::ok(json!({"restartRequired": true})))
}
