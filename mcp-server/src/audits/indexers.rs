//! Indexers that give nothing, or only what fails.

use std::collections::{HashMap, HashSet};

use futures::FutureExt;
use serde_json::json;
use sonarr_client::types::{EpisodeHistoryEventType, HealthResource, IndexerResource};

use super::{Audit, Event, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_indexers",
    group: "indexers",
    summary: "Finds enabled indexers that fail, or of which nothing came.",
    kinds: &[INDEXER_FAILING, INDEXER_SILENT],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::RECENT
};

const INDEXER_FAILING: Kind = Kind {
    name: "indexer_failing",
    meaning: "Sonarr cannot use an enabled indexer, or every download that came from it has failed.",
};

const INDEXER_SILENT: Kind =
    Kind { name: "indexer_silent", meaning: "Nothing was grabbed from an enabled indexer, while others gave a lot." };

/// So many downloads of one indexer have to have failed, and none imported, before it is the indexer.
const FAILED: usize = 3;

/// So many releases have to have come from others before silence tells something.
const A_LOT: usize = 20;

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let indexers = library.indexers().await?;
    worklist.examined("indexers", indexers.len());
    worklist.examined("days", library.days() as usize);
    let health = match library.health().await {
        Ok(health) => health,
        Err(failure) => {
            worklist.unseen.push(format!("the health checks: {}", failure.message));
            &[]
        }
    };
    let history = match library.history().await {
        Ok(history) => history,
        Err(failure) => {
            worklist.unseen.push(format!("the history: {}", failure.message));
            &[]
        }
    };
    worklist.findings = found(indexers, health, history, library.days());
    Ok(worklist)
}

/// The downloads of an indexer, by what became of them.
#[derive(Default)]
struct Record<'a> {
    grabbed: HashSet<&'a str>,
    failed: HashSet<&'a str>,
    imported: HashSet<&'a str>,
}

fn found(indexers: &[IndexerResource], health: &[HealthResource], history: &[Event], days: u32) -> Vec<Finding> {
    let records = records(history);
    let all: usize = records.values().map(|record| record.grabbed.len()).sum();
    let (mut failing, mut silent) = (Vec::new(), Vec::new());
    for indexer in indexers.iter().filter(|indexer| is_enabled(indexer)) {
        let name = indexer.name.as_deref().unwrap_or_default();
        let record = records.get(name);
        let count = |downloads: fn(&Record<'_>) -> usize| record.map(downloads).unwrap_or_default();
        let (grabbed, failed) = (count(|record| record.grabbed.len()), count(|record| record.failed.len()));
        if let Some(said) = ill(name, health) {
            failing.push(finding(&INDEXER_FAILING, indexer, format!("Sonarr says: {said}")));
        } else if failed >= FAILED && count(|record| record.imported.len()) == 0 {
            let reason = format!("{failed} downloads from it have failed in {days} days, and none was imported");
            failing.push(finding(&INDEXER_FAILING, indexer, reason));
        } else if grabbed == 0 && all >= A_LOT {
            let reason = format!("nothing was grabbed from it in {days} days, and {all} releases from others");
            silent.push(finding(&INDEXER_SILENT, indexer, reason));
        }
    }
    failing.extend(silent);
    failing
}

/// What became of the downloads of each indexer. Only a grab names the indexer.
fn records(history: &[Event]) -> HashMap<&str, Record<'_>> {
    let mut records: HashMap<&str, Record<'_>> = HashMap::new();
    let mut of: HashMap<&str, &str> = HashMap::new();
    for one in history.iter().filter(|one| one.kind == EpisodeHistoryEventType::Grabbed) {
        if let Some(indexer) = one.indexer.as_deref() {
            let download = one.download_id.as_deref().unwrap_or(&one.source_title);
            of.insert(download, indexer);
            records.entry(indexer).or_default().grabbed.insert(download);
        }
    }
    for one in history {
        let Some(download) = one.download_id.as_deref() else { continue };
        let Some(record) = of.get(download).and_then(|indexer| records.get_mut(indexer)) else { continue };
        match one.kind {
            EpisodeHistoryEventType::DownloadFailed => record.failed.insert(download),
            EpisodeHistoryEventType::DownloadFolderImported => record.imported.insert(download),
            _ => false,
        };
    }
    records
}

fn is_enabled(indexer: &IndexerResource) -> bool {
    [indexer.enable_rss, indexer.enable_automatic_search, indexer.enable_interactive_search].contains(&Some(true))
}

/// What a health check says of an indexer: the checks end in the names, separated by commas.
fn ill(name: &str, health: &[HealthResource]) -> Option<String> {
    let of_indexers = |one: &&HealthResource| {
        let source = one.source.as_deref().unwrap_or_default();
        source == "IndexerStatusCheck" || source == "IndexerLongTermStatusCheck"
    };
    let names =
        |message: &str| message.rsplit_once(": ").is_some_and(|(_, names)| names.split(", ").any(|one| one == name));
    let found = health.iter().filter(of_indexers).find(|one| one.message.as_deref().is_some_and(names))?;
    let message = found.message.as_deref()?;
    Some(message.rsplit_once(": ").map_or(message, |(said, _)| said).to_owned())
}

fn finding(kind: &'static Kind, indexer: &IndexerResource, reason: String) -> Finding {
    let off = json!({"enableRss": false, "enableAutomaticSearch": false, "enableInteractiveSearch": false});
    Finding::new(kind, json!({"indexerId": indexer.id, "name": indexer.name}), reason)
        .mended_by("update_indexer", json!({"id": indexer.id, "patch": off}))
}

#[cfg(test)]
mod tests {
    use super::{Event, found};
    use serde_json::json;
    use sonarr_client::types::{EpisodeHistoryEventType, HealthResource, IndexerResource};

    fn indexers() -> Vec<IndexerResource> {
        let one = |id: i32, name: &str, on: bool| {
            serde_json::from_value(json!({"id": id, "name": name, "enableRss": on, "enableAutomaticSearch": false}))
                .unwrap()
        };
        vec![one(1, "Harbour", true), one(2, "Quay", true), one(3, "Mole", false)]
    }

    fn history(events: &[(EpisodeHistoryEventType, &str, &str)]) -> Vec<Event> {
        let event = |(kind, download, indexer): &(EpisodeHistoryEventType, &str, &str)| Event {
            id: 1,
            series_id: 1,
            episode_id: 5,
            kind: kind.clone(),
            date: "2026-06-10T00:00:00Z".parse().unwrap(),
            source_title: "Tidewater".into(),
            download_id: Some((*download).into()),
            indexer: Some(*indexer).filter(|name| !name.is_empty()).map(Into::into),
            download_client: None,
            message: None,
            reason: None,
            size: None,
        };
        events.iter().map(event).collect()
    }

    const G: EpisodeHistoryEventType = EpisodeHistoryEventType::Grabbed;
    const F: EpisodeHistoryEventType = EpisodeHistoryEventType::DownloadFailed;
    const I: EpisodeHistoryEventType = EpisodeHistoryEventType::DownloadFolderImported;

    fn names(health: &str, history: &[Event]) -> Vec<(&'static str, i64)> {
        let health: Vec<HealthResource> = vec![
            serde_json::from_value(json!({"source": "IndexerStatusCheck", "type": "warning", "message": health}))
                .unwrap(),
        ];
        let found = found(&indexers(), &health, history, 30);
        found.iter().map(|one| (one.kind, one.subject["indexerId"].as_i64().unwrap())).collect()
    }

    #[test]
    fn a_health_check_names_those_that_fail() {
        assert_eq!(names("Indexers unavailable due to failures: Quay, Mole", &[]), [("indexer_failing", 2)]);
        assert_eq!(names("All indexers are unavailable: Quayside", &[]), []);
    }

    #[test]
    fn an_indexer_fails_when_all_that_came_from_it_did() {
        let mut events = Vec::new();
        for download in ["A", "B", "C"] {
            events.extend([(F, download, ""), (G, download, "Harbour")]);
        }
        assert_eq!(names("", &history(&events)), [("indexer_failing", 1)]);
        events.extend([(G, "D", "Harbour"), (I, "D", "")]);
        assert_eq!(names("", &history(&events)), []);
        assert_eq!(names("", &history(&events[2..])), []);
    }

    #[test]
    fn silence_tells_something_when_others_gave_a_lot() {
        let downloads: Vec<String> = (0..20).map(|number| format!("D{number}")).collect();
        let events: Vec<_> = downloads.iter().map(|download| (G, download.as_str(), "Harbour")).collect();
        assert_eq!(names("", &history(&events)), [("indexer_silent", 2)]);
        assert_eq!(names("", &history(&events[1..])), []);
    }
}
