//! Downloads that need a person.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use futures::FutureExt;
use serde_json::json;
use sonarr_client::types::{QueueResource, QueueStatus, TrackedDownloadState, TrackedDownloadStatus};

use super::{Audit, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_queue",
    group: "queue",
    summary: "Finds downloads that need a person: blocked, failed, paused or waiting for hours, and clients out of reach.",
    kinds: &[CLIENT_UNREACHABLE, IMPORT_BLOCKED, DOWNLOAD_FAILED, DOWNLOAD_WAITING, DOWNLOAD_PAUSED],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const CLIENT_UNREACHABLE: Kind = Kind {
    name: "client_unreachable",
    meaning: "Sonarr cannot reach the download client, so it does not see how its downloads go.",
};

const IMPORT_BLOCKED: Kind =
    Kind { name: "import_blocked", meaning: "A download is complete, and Sonarr will not import it by itself." };

const DOWNLOAD_FAILED: Kind =
    Kind { name: "download_failed", meaning: "A download has failed and is still in the queue." };

const DOWNLOAD_WAITING: Kind = Kind {
    name: "download_waiting",
    meaning: "A download has been in the queue for more than a day, and is stalled or does not say when it ends.",
};

const DOWNLOAD_PAUSED: Kind = Kind {
    name: "download_paused",
    meaning: "A download is paused in the download client, where it has to be resumed.",
};

/// A download that is older and does not move needs a look.
const LONG: Duration = Duration::hours(24);

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let queue = library.queue().await?;
    worklist.examined("queue records", queue.len());
    worklist.findings = downloads(queue, library.now());
    Ok(worklist)
}

/// What there is to find: a finding a download, however many episodes it has, and one a client that is unreachable.
fn downloads(queue: &[QueueResource], now: DateTime<Utc>) -> Vec<Finding> {
    let mut clients: BTreeMap<(Option<String>, String), usize> = BTreeMap::new();
    let mut downloads: BTreeMap<_, (&'static Kind, Vec<&QueueResource>)> = BTreeMap::new();
    for record in queue {
        if record.status == Some(QueueStatus::DownloadClientUnavailable) {
            // What waits for its client does not say which that is.
            let protocol = record.protocol.as_ref().map(ToString::to_string).unwrap_or_default();
            *clients.entry((record.download_client.clone(), protocol)).or_default() += 1;
        } else if let Some(kind) = kind(record, now) {
            let rank = AUDIT.kinds.iter().position(|known| known == kind);
            // Records that wait for a download have no id of it; they are one each.
            let download = record.download_id.clone().unwrap_or_else(|| format!("{:?}", record.id));
            downloads.entry((rank, download)).or_insert_with(|| (kind, Vec::new())).1.push(record);
        }
    }
    let unreachable = clients.into_iter().map(|((client, protocol), count)| {
        let named = client.clone().unwrap_or_else(|| format!("the {protocol} client"));
        let reason = format!("{named} cannot be reached; {count} in the queue wait for it");
        let subject = json!({"downloadClient": client, "protocol": protocol, "count": count});
        Finding::new(&CLIENT_UNREACHABLE, subject, reason).mended_by("test_all_download_clients", json!({}))
    });
    unreachable.chain(downloads.values().filter_map(|(kind, records)| finding(kind, records, now))).collect()
}

/// What is wrong with a record; nothing where it goes on by itself.
fn kind(record: &QueueResource, now: DateTime<Utc>) -> Option<&'static Kind> {
    let state = record.tracked_download_state.as_ref();
    let status = record.status.as_ref();
    let health = record.tracked_download_status.as_ref();
    let failed = matches!(state, Some(TrackedDownloadState::Failed | TrackedDownloadState::FailedPending))
        || status == Some(&QueueStatus::Failed);
    let troubled = matches!(health, Some(TrackedDownloadStatus::Warning | TrackedDownloadStatus::Error));
    if failed {
        return Some(&DOWNLOAD_FAILED);
    }
    match state {
        Some(TrackedDownloadState::ImportBlocked) => return Some(&IMPORT_BLOCKED),
        Some(TrackedDownloadState::ImportPending) if troubled => return Some(&IMPORT_BLOCKED),
        Some(TrackedDownloadState::Downloading) | None => {}
        Some(_) => return None,
    }
    let old = record.added.is_some_and(|added| now - added > LONG);
    match status {
        Some(QueueStatus::Paused) => Some(&DOWNLOAD_PAUSED),
        Some(QueueStatus::Warning | QueueStatus::Queued) if old => Some(&DOWNLOAD_WAITING),
        Some(QueueStatus::Downloading) if old && record.timeleft.is_none() => Some(&DOWNLOAD_WAITING),
        _ => None,
    }
}

fn finding(kind: &'static Kind, records: &[&QueueResource], now: DateTime<Utc>) -> Option<Finding> {
    let first = records.first()?;
    let episodes: Vec<i32> = records.iter().filter_map(|record| record.episode_id).collect();
    let subject = json!({
        "id": first.id,
        "title": first.title,
        "downloadId": first.download_id,
        "downloadClient": first.download_client,
        "seriesId": first.series_id,
        "episodeIds": episodes,
    });
    let age = first.added.map(|added| (now - added).num_hours()).unwrap_or_default();
    let said = match says(first) {
        said if !said.is_empty() => said,
        _ if kind == &DOWNLOAD_WAITING => "it does not say when it ends".to_owned(),
        _ if kind == &DOWNLOAD_PAUSED => "it is paused in the download client".to_owned(),
        _ => "the download client gives no reason".to_owned(),
    };
    let reason = if kind == &DOWNLOAD_WAITING { format!("added {age} hours ago: {said}") } else { said };
    let finding = Finding::new(kind, subject, reason);
    let remove = |blocklist: bool| json!({"id": first.id, "removeFromClient": true, "blocklist": blocklist});
    Some(match (&first.download_id, kind) {
        (Some(download), kind) if kind == &IMPORT_BLOCKED => {
            finding.mended_by("import_files", json!({"downloadId": download}))
        }
        // Only the download client can resume it.
        (_, kind) if kind == &DOWNLOAD_PAUSED => finding,
        _ => finding.mended_by("remove_queue_item", remove(true)),
    })
}

/// What Sonarr or the download client says about it.
fn says(record: &QueueResource) -> String {
    if let Some(error) = record.error_message.as_deref().filter(|error| !error.is_empty()) {
        return error.to_owned();
    }
    let messages = record.status_messages.iter().flatten().flat_map(|message| message.messages.iter().flatten());
    let mut texts: Vec<&str> = messages.map(String::as_str).collect();
    texts.dedup();
    texts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::downloads;
    use chrono::{DateTime, Utc};
    use serde_json::{Value, json};
    use sonarr_client::types::QueueResource;

    fn now() -> DateTime<Utc> {
        "2026-06-10T12:00:00Z".parse().unwrap()
    }

    fn found(records: &[Value]) -> Vec<(&'static str, Value, Option<&'static str>)> {
        let queue: Vec<QueueResource> =
            records.iter().map(|record| serde_json::from_value(record.clone()).unwrap()).collect();
        let found = downloads(&queue, now());
        found
            .into_iter()
            .map(|finding| (finding.kind, json!(finding.subject), finding.mend.map(|mend| mend.operation)))
            .collect()
    }

    fn record(id: i32, status: &str, state: &str, health: &str, added: &str) -> Value {
        json!({"id": id, "status": status, "trackedDownloadState": state, "trackedDownloadStatus": health,
            "added": added, "downloadId": format!("D{id}"), "title": "Tidewater.S01", "episodeId": 10 + id})
    }

    #[test]
    fn each_state_is_told_for_what_it_is() {
        let (new, old) = ("2026-06-10T11:00:00Z", "2026-06-08T12:00:00Z");
        for (record, kind, mend) in [
            (record(1, "completed", "importBlocked", "warning", new), Some("import_blocked"), Some("import_files")),
            (record(1, "completed", "importPending", "warning", new), Some("import_blocked"), Some("import_files")),
            (record(1, "completed", "importPending", "ok", old), None, None),
            (record(1, "completed", "importing", "ok", old), None, None),
            (record(1, "completed", "imported", "ok", old), None, None),
            (record(1, "failed", "failedPending", "error", new), Some("download_failed"), Some("remove_queue_item")),
            (record(1, "paused", "downloading", "ok", new), Some("download_paused"), None),
            (record(1, "warning", "downloading", "warning", old), Some("download_waiting"), Some("remove_queue_item")),
            (record(1, "warning", "downloading", "warning", new), None, None),
            (record(1, "downloading", "downloading", "ok", old), Some("download_waiting"), Some("remove_queue_item")),
            (record(1, "downloading", "downloading", "ok", new), None, None),
            (json!({"id": 1, "status": "delay", "added": old, "title": "T"}), None, None),
            (json!({"id": 1, "status": "fromNextVersion", "trackedDownloadState": "new"}), None, None),
        ] {
            let found = found(std::slice::from_ref(&record));
            assert_eq!(found.first().map(|one| one.0), kind, "{record}");
            assert_eq!(found.first().and_then(|one| one.2), mend, "{record}");
        }
    }

    #[test]
    fn a_download_that_says_when_it_ends_is_left() {
        let mut one = record(1, "downloading", "downloading", "ok", "2026-06-01T00:00:00Z");
        one["timeleft"] = json!("02:00:00");
        assert!(found(&[one]).is_empty());
    }

    #[test]
    fn a_download_of_several_episodes_and_a_client_are_one_finding_each() {
        let mut pack = vec![
            record(1, "completed", "importBlocked", "warning", "2026-06-10T11:00:00Z"),
            record(2, "completed", "importBlocked", "warning", "2026-06-10T11:00:00Z"),
        ];
        pack[1]["downloadId"] = json!("D1");
        let away = json!({"id": 3, "status": "downloadClientUnavailable", "protocol": "usenet"});
        pack.extend([away.clone(), away]);
        let found = found(&pack);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].1, json!({"downloadClient": null, "protocol": "usenet", "count": 2}));
        assert_eq!(found[1].1["episodeIds"], json!([11, 12]));
    }
}
