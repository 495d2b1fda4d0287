//! The failed and stalled downloads go: removed, blocklisted, and searched for again.

use futures::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Call, Plan, Workflow, given, items, members, parameter, row, text, whole};
use crate::answer::{Answer, Content};
use crate::arguments::schema;
use crate::failure::Failure;
use crate::operation::{Effect, Kind, Operation};
use crate::write::Reader;

/// More than any queue has.
const ALL: usize = 10_000;

pub const WORKFLOW: Workflow = Workflow {
    operation: Operation {
        summary: "Removes the failed and stalled downloads, blocklists their releases and searches again.",
        details: "Without `apply` it only shows what it would do. Downloads that wait for an import that is blocked \
                  are left, for import_files can still import them.",
        destructive: Some(
            "the downloads and their data in the download client are deleted, unless removeFromClient is false",
        ),
        arguments: schema::<Arguments>,
        ..row(
            "clean_queue",
            "queue",
            Effect::Action,
            &[
                parameter("apply", Kind::Boolean, false, "Do it; a dry run otherwise."),
                parameter(
                    "removeFromClient",
                    Kind::Boolean,
                    false,
                    "Delete the download and its data in the download client as well. Default: true.",
                ),
                parameter("blocklist", Kind::Boolean, false, ""),
                parameter(
                    "skipRedownload",
                    Kind::Boolean,
                    false,
                    "With blocklist: do not search for a replacement. Default: false.",
                ),
            ],
        )
    },
    example: "{}",
    plan: |reader, arguments| plan(reader, arguments).boxed(),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// Whether it is done, and not only shown. Default: false.
    apply: Option<bool>,
    /// Delete the downloads and their data in the download client as well. Default: true.
    remove_from_client: Option<bool>,
    /// Keep the releases from being grabbed again. Default: true.
    blocklist: Option<bool>,
    /// With blocklist: do not search for a replacement. Default: false.
    skip_redownload: Option<bool>,
}

async fn plan(reader: &dyn Reader, arguments: Map<String, Value>) -> Result<Plan, Failure> {
    let arguments: Arguments = given(arguments)?;
    let page = json!({"page": 1, "pageSize": ALL, "includeUnknownSeriesItems": true});
    let queue = items(reader.read("list_queue", members(page)).await?);
    let mut ids = Vec::new();
    let mut matched = Vec::new();
    for record in &queue {
        if let (Some(id), Some(why)) = (whole(record, "id"), trouble(record)) {
            ids.push(id);
            matched.push(json!({"id": id, "title": text(record, "title"), "why": why, "says": says(record)}));
        }
    }
    if ids.is_empty() {
        let note =
            format!("none of the {} records of the queue has failed or is stalled, so nothing was done", queue.len());
        return Ok(Plan::Answer(Answer::new(Content::Json(json!({"matched": []}))).noting(note)));
    }
    let arguments_of_call = json!({
        "body": {"ids": ids},
        "removeFromClient": arguments.remove_from_client.unwrap_or(true),
        "blocklist": arguments.blocklist.unwrap_or(true),
        "skipRedownload": arguments.skip_redownload.unwrap_or(false),
    });
    let mut call = Call::new("remove_queue_items", members(arguments_of_call));
    call.told.insert("matched".to_owned(), Value::Array(matched));
    call.dry_run = arguments.apply != Some(true);
    if call.dry_run {
        call.note = Some("call it with {\"apply\": true} to do it".to_owned());
    }
    Ok(Plan::Call(call))
}

/// Whether a download has failed or stands still; nothing where it does neither.
fn trouble(record: &Value) -> Option<&'static str> {
    let failed = ["failed", "failedPending"].contains(&text(record, "trackedDownloadState"))
        || text(record, "status") == "failed"
        || text(record, "trackedDownloadStatus") == "error";
    if failed {
        return Some("failed");
    }
    let loading = text(record, "trackedDownloadState") == "downloading";
    let stands = text(record, "status") == "warning" || says(record).to_lowercase().contains("stalled");
    (loading && stands).then_some("stalled")
}

/// What Sonarr says about it.
fn says(record: &Value) -> String {
    let error = text(record, "errorMessage");
    if !error.is_empty() {
        return error.to_owned();
    }
    let messages = record.get("statusMessages").and_then(Value::as_array).into_iter().flatten();
    let texts = messages.flat_map(|message| message.get("messages").and_then(Value::as_array).into_iter().flatten());
    texts.filter_map(Value::as_str).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::trouble;
    use serde_json::json;

    #[test]
    fn only_what_failed_or_stands_still_is_taken() {
        for (record, due) in [
            (json!({"status": "failed", "trackedDownloadState": "failedPending"}), Some("failed")),
            (
                json!({"status": "completed", "trackedDownloadStatus": "error", "trackedDownloadState": "importPending"}),
                Some("failed"),
            ),
            (json!({"status": "warning", "trackedDownloadState": "downloading"}), Some("stalled")),
            (
                json!({"status": "downloading", "trackedDownloadState": "downloading", "errorMessage": "It is Stalled"}),
                Some("stalled"),
            ),
            (
                json!({"status": "downloading", "trackedDownloadState": "downloading", "trackedDownloadStatus": "ok"}),
                None,
            ),
            (
                json!({"status": "completed", "trackedDownloadState": "importBlocked", "trackedDownloadStatus": "warning"}),
                None,
            ),
            (json!({"status": "delay"}), None),
            (json!({"status": "paused", "trackedDownloadState": "downloading"}), None),
        ] {
            assert_eq!(trouble(&record), due, "{record}");
        }
    }
}
