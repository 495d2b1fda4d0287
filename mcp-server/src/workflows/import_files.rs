//! The videos of a folder or a download that Sonarr can tell apart are imported.

use futures::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Call, Plan, Workflow, given, items, members, parameter, row, text, whole};
use crate::answer::{Answer, Content};
use crate::arguments::{ArgumentError, schema};
use crate::failure::Failure;
use crate::operation::{Effect, Kind, Operation, Parameter};
use crate::wait;
use crate::write::Reader;

pub const WORKFLOW: Workflow = Workflow {
    operation: Operation {
        summary: "Imports the videos of a folder or download that Sonarr recognises.",
        details: "Files of which Sonarr does not know series or episodes, or which it rejects, are left and listed in \
                  `left` with the reasons. What is imported replaces a file that the episode has.",
        destructive: Some("files are moved or copied, and replace those that the episodes have"),
        long_running: true,
        arguments: schema::<Arguments>,
        ..row(
            "import_files",
            "media_library",
            Effect::Action,
            &[
                parameter(
                    "folder",
                    Kind::String,
                    false,
                    "Full path on Sonarr's machine of the folder or file to look into.",
                ),
                parameter("downloadId", Kind::String, false, "Id in the download client of a download to look into."),
                Parameter { values: &["auto", "move", "copy"], ..parameter("importMode", Kind::String, false, "") },
                parameter(wait::NAME, Kind::Integer, false, ""),
            ],
        )
    },
    example: "{\"folder\":\"/downloads/Some.Show.S01\",\"wait\":60}",
    plan: |reader, arguments| plan(reader, arguments).boxed(),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// Full path on Sonarr's machine of the folder or file to look into.
    folder: Option<String>,
    /// Id in the download client of a download to look into.
    download_id: Option<String>,
    /// Whether files are moved or copied: auto, move or copy. Default: auto, which copies what is still seeded.
    import_mode: Option<String>,
    /// Seconds to follow the import to its end.
    wait: Option<i64>,
}

async fn plan(reader: &dyn Reader, arguments: Map<String, Value>) -> Result<Plan, Failure> {
    let arguments: Arguments = given(arguments)?;
    let asked = match (&arguments.folder, &arguments.download_id) {
        (Some(folder), None) => json!({"folder": folder}),
        (None, Some(download)) => json!({"downloadId": download}),
        (None, None) => {
            let problem = "`import_files` needs `folder` or `downloadId` (list_queue tells it)";
            return Err(ArgumentError::new("arguments.folder", problem).into());
        }
        (Some(_), Some(_)) => {
            return Err(
                ArgumentError::new("arguments.downloadId", "is given beside `folder`; one of them is enough").into()
            );
        }
    };
    let mut files = Vec::new();
    let mut left = Vec::new();
    for candidate in items(reader.read("list_manual_import_candidates", members(asked)).await?) {
        match file(&candidate) {
            Ok(file) => files.push(file),
            Err(reasons) => left.push(json!({"path": text(&candidate, "path"), "reasons": reasons})),
        }
    }
    if files.is_empty() {
        let note = match left.as_slice() {
            [] => "there are no videos, or the folder does not exist as seen from Sonarr's machine; nothing was done",
            _ => {
                "none of the videos can be imported as it is; nothing was done. The command ManualImport imports them \
                  with series and episodes of your choice"
            }
        };
        let answer = Answer::new(Content::Json(json!({"matched": 0, "left": left}))).noting(note);
        return Ok(Plan::Answer(answer));
    }
    let matched = files.len();
    let mode = arguments.import_mode.unwrap_or_else(|| "auto".to_owned());
    let body = json!({"name": "ManualImport", "files": files, "importMode": mode});
    let mut call = Call::new(wait::OPERATION, members(json!({"body": body, "wait": arguments.wait})));
    call.keep = &["id", "name", "status", "result", "message", "queued", "started", "ended"];
    call.told = members(json!({"matched": matched, "left": left}));
    Ok(Plan::Call(call))
}

/// A candidate as the command takes it, or why it is left.
fn file(candidate: &Value) -> Result<Value, Vec<String>> {
    let rejections = candidate.get("rejections").and_then(Value::as_array).into_iter().flatten();
    let mut reasons: Vec<String> = rejections.map(|it| text(it, "reason").to_owned()).collect();
    let series = candidate.get("series").and_then(|series| whole(series, "id"));
    let episodes = candidate.get("episodes").and_then(Value::as_array).into_iter().flatten();
    let episodes: Vec<i64> = episodes.filter_map(|episode| whole(episode, "id")).collect();
    if series.is_none() && reasons.is_empty() {
        reasons.push("Unknown series".to_owned());
    }
    if episodes.is_empty() && reasons.is_empty() {
        reasons.push("Unknown episodes".to_owned());
    }
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let mut file = members(json!({"path": text(candidate, "path"), "seriesId": series, "episodeIds": episodes}));
    for member in ["folderName", "quality", "languages", "releaseGroup", "indexerFlags", "releaseType", "downloadId"] {
        if let Some(value) = candidate.get(member) {
            file.insert(member.to_owned(), value.clone());
        }
    }
    Ok(Value::Object(file))
}
