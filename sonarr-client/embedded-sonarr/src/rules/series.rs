//! Rules of series.

use serde_json::Value;

use super::{must, not_empty};
use crate::http::{Failure, Rule, rules};
use crate::state::{Row, State, int, text};

/// Checks a series before it is added or changed; `id` is that of the series it replaces.
pub(crate) fn check_series(state: &State, row: &Row, id: Option<i64>) -> Result<(), Failure> {
    let mut failed = Vec::new();
    let path = text(row, "path");
    if id.is_none() {
        not_empty(&mut failed, "Title", row.get("title"));
        let tvdb = int(row, "tvdbId");
        must(
            &mut failed,
            tvdb > 0,
            "TvdbId",
            "GreaterThanValidator",
            "'Tvdb Id' must be greater than '0'.",
            tvdb.into(),
        );
        let known = tvdb > 0 && state.library.by_tvdb(tvdb).is_some();
        must(&mut failed, !known, "TvdbId", "SeriesExistsValidator", "This series has already been added", tvdb.into());
        let root = text(row, "rootFolderPath");
        if path.is_empty() {
            not_empty(&mut failed, "RootFolderPath", row.get("rootFolderPath"));
            if !root.is_empty() {
                root_folder(state, &mut failed, root);
            }
        }
    } else {
        not_empty(&mut failed, "Path", row.get("path"));
    }
    if !path.is_empty() {
        series_path(state, &mut failed, path, id);
    }
    profile(state, &mut failed, int(row, "qualityProfileId"));
    rules(failed)
}

/// Checks what an edit of several series would leave.
pub(crate) fn check_editor(state: &State, change: &Row) -> Result<(), Failure> {
    let mut failed = Vec::new();
    if let Some(root) = change.get("rootFolderPath").and_then(Value::as_str) {
        root_folder(state, &mut failed, root);
    }
    if change.contains_key("qualityProfileId") {
        profile(state, &mut failed, int(change, "qualityProfileId"));
    }
    rules(failed)
}

fn profile(state: &State, failed: &mut Vec<Rule>, id: i64) {
    if id <= 0 {
        must(
            failed,
            false,
            "QualityProfileId",
            "GreaterThanValidator",
            "'Quality Profile Id' must be greater than '0'.",
            id.into(),
        );
    } else {
        let known = state.table("qualityprofile").contains(id);
        must(
            failed,
            known,
            "QualityProfileId",
            "QualityProfileExistsValidator",
            "Quality profile does not exist",
            id.into(),
        );
    }
}

fn root_folder(state: &State, failed: &mut Vec<Rule>, root: &str) {
    let root = root.trim_end_matches('/');
    let known = state.table("rootfolder").rows().any(|folder| text(folder, "path").trim_end_matches('/') == root);
    must(
        failed,
        known,
        "RootFolderPath",
        "RootFolderExistsValidator",
        format!("Root folder '{root}' does not exist"),
        root.into(),
    );
}

fn series_path(state: &State, failed: &mut Vec<Rule>, path: &str, id: Option<i64>) {
    let plain = path.trim_end_matches('/');
    must(failed, path.starts_with('/'), "Path", "PathValidator", format!("Invalid Path: '{path}'"), path.into());
    let root = state.table("rootfolder").rows().any(|folder| text(folder, "path").trim_end_matches('/') == plain);
    must(
        failed,
        !root,
        "Path",
        "RootFolderValidator",
        format!("Path '{path}' is already configured as a root folder"),
        path.into(),
    );
    let others =
        || state.library.iter().filter(|(other, _)| Some(*other) != id).map(|(_, entry)| text(&entry.row, "path"));
    let taken = others().any(|other| other == plain);
    must(
        failed,
        !taken,
        "Path",
        "SeriesPathValidator",
        format!("Path '{path}' is already configured for another series"),
        path.into(),
    );
    let parent = others().any(|other| other.strip_prefix(plain).is_some_and(|rest| rest.starts_with('/')));
    must(
        failed,
        !parent,
        "Path",
        "SeriesAncestorValidator",
        format!("Path '{path}' is an ancestor of an existing series"),
        path.into(),
    );
    let system = ["/bin", "/boot", "/lib", "/sbin", "/srv", "/usr", "/var", "/etc", "/proc", "/sys"];
    let inside = system.iter().any(|folder| crate::disk::is_within(plain, folder));
    must(failed, !inside, "Path", "SystemFolderValidator", format!("Path '{path}' is a system folder"), path.into());
}
