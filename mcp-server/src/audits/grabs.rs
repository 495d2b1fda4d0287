//! Releases that keep failing, and grabs that went nowhere.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Duration, Utc};
use futures::FutureExt;
use serde_json::json;
use sonarr_client::types::{EpisodeHistoryEventType, SeriesResource};

use super::{Audit, Event, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_grabs",
    group: "history_blocklist",
    summary: "Finds releases that keep failing, and grabs that went nowhere.",
    kinds: &[RELEASE_KEEPS_FAILING, GRAB_WENT_NOWHERE],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::RECENT
};

const RELEASE_KEEPS_FAILING: Kind = Kind {
    name: "release_keeps_failing",
    meaning: "Several downloads of the same episodes have failed, and none was imported since.",
};

const GRAB_WENT_NOWHERE: Kind = Kind {
    name: "grab_went_nowhere",
    meaning: "A release was grabbed, is no longer in the queue, and was neither imported nor failed.",
};

/// So many failed downloads of an episode are more than bad luck.
const SEVERAL: usize = 2;

/// A grab that is younger may still be on its way into the queue.
const YOUNG: Duration = Duration::hours(2);

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let history = library.history().await?;
    worklist.examined("history records", history.len());
    worklist.examined("days", library.days() as usize);
    let queued = library.queue().await?.iter();
    let queued = queued.filter_map(|record| record.download_id.clone()).collect();
    let series = library.series().await?;
    worklist.findings = failing(history, &queued, series);
    worklist.findings.extend(nowhere(history, &queued, series, library.now()));
    Ok(worklist)
}

/// What became of the episodes of one series.
type BySeries<T> = BTreeMap<i32, BTreeMap<i32, T>>;

/// Episodes of which several downloads have failed since the last import, a finding a series.
fn failing(history: &[Event], queued: &HashSet<String>, series: &[SeriesResource]) -> Vec<Finding> {
    let retried: HashSet<i32> = history.iter().filter(|one| is_queued(one, queued)).map(|one| one.episode_id).collect();
    let mut failed: BySeries<Vec<&Event>> = BTreeMap::new();
    for one in history {
        let episodes = failed.entry(one.series_id).or_default();
        if one.kind == EpisodeHistoryEventType::DownloadFailed {
            episodes.entry(one.episode_id).or_default().push(one);
        } else if arrives(one) {
            episodes.remove(&one.episode_id);
        }
    }
    let found = failed.into_iter().filter_map(|(id, mut episodes)| {
        episodes.retain(|episode, failures| downloads(failures).len() >= SEVERAL && !retried.contains(episode));
        let ids: Vec<i32> = episodes.keys().copied().collect();
        let failures: Vec<&Event> = episodes.into_values().flatten().collect();
        let last = failures.iter().max_by_key(|failure| failure.date)?;
        let said = last.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
        let reason = format!(
            "{} downloads of {} have failed, the last on {} ({}){said}",
            downloads(&failures).len(),
            count(ids.len(), "episode"),
            last.date.date_naive(),
            last.source_title,
        );
        Some(finding(&RELEASE_KEEPS_FAILING, id, &ids, reason, series))
    });
    found.collect()
}

/// Grabs of which nothing more was heard, a finding a series.
fn nowhere(history: &[Event], queued: &HashSet<String>, series: &[SeriesResource], now: DateTime<Utc>) -> Vec<Finding> {
    let mut grabs: HashMap<&str, Vec<&Event>> = HashMap::new();
    let mut arrived: HashMap<i32, DateTime<Utc>> = HashMap::new();
    // A later grab of an episode takes the place of an earlier one.
    let mut latest: HashMap<i32, &Event> = HashMap::new();
    for one in history {
        if arrives(one) {
            arrived.insert(one.episode_id, one.date);
        }
        let Some(download) = one.download_id.as_deref() else { continue };
        match one.kind {
            EpisodeHistoryEventType::Grabbed => {
                grabs.entry(download).or_default().push(one);
                latest.insert(one.episode_id, one);
            }
            EpisodeHistoryEventType::DownloadFailed
            | EpisodeHistoryEventType::DownloadIgnored
            | EpisodeHistoryEventType::DownloadFolderImported => {
                grabs.remove(download);
            }
            _ => {}
        }
    }
    let mut lost: BTreeMap<i32, Vec<&Event>> = BTreeMap::new();
    for one in grabs.into_values().flatten().filter(|one| !is_queued(one, queued)) {
        let since = arrived.get(&one.episode_id).is_some_and(|date| *date >= one.date);
        let superseded = latest.get(&one.episode_id).is_some_and(|latest| latest.id != one.id);
        if now - one.date > YOUNG && !since && !superseded {
            lost.entry(one.series_id).or_default().push(one);
        }
    }
    let found = lost.into_iter().filter_map(|(id, grabs)| {
        let episodes: BTreeSet<i32> = grabs.iter().map(|one| one.episode_id).collect();
        let ids: Vec<i32> = episodes.into_iter().collect();
        let last = grabs.iter().max_by_key(|one| one.date)?;
        let client = last.download_client.as_ref().map(|client| format!(" for {client}")).unwrap_or_default();
        let reason = format!(
            "{} neither in the queue nor imported nor failed, the last {} on {}{client}",
            if downloads(&grabs).len() == 1 {
                "1 grab is".to_owned()
            } else {
                format!("{} grabs are", downloads(&grabs).len())
            },
            last.source_title,
            last.date.date_naive(),
        );
        Some(finding(&GRAB_WENT_NOWHERE, id, &ids, reason, series))
    });
    found.collect()
}

fn is_queued(event: &Event, queued: &HashSet<String>) -> bool {
    event.download_id.as_deref().is_some_and(|id| queued.contains(id))
}

/// Whether an event means that an episode has a file.
fn arrives(event: &Event) -> bool {
    use EpisodeHistoryEventType::{DownloadFolderImported, SeriesFolderImported};
    matches!(event.kind, DownloadFolderImported | SeriesFolderImported)
}

/// The downloads that events are about: one of several episodes has an event for each.
fn downloads<'a>(events: &[&'a Event]) -> BTreeSet<&'a str> {
    events.iter().map(|one| one.download_id.as_deref().unwrap_or(&one.source_title)).collect()
}

fn count(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn finding(kind: &'static Kind, id: i32, episodes: &[i32], reason: String, series: &[SeriesResource]) -> Finding {
    let title = series.iter().find(|one| one.id == Some(id)).and_then(|one| one.title.as_deref());
    let subject = json!({"seriesId": id, "title": title, "episodeIds": episodes});
    let search = json!({"body": {"name": "EpisodeSearch", "episodeIds": episodes}});
    Finding::new(kind, subject, reason).mended_by("run_command", search)
}

#[cfg(test)]
mod tests {
    use super::{Event, failing, nowhere};
    use chrono::{DateTime, Duration, Utc};
    use serde_json::{Value, json};
    use sonarr_client::types::{EpisodeHistoryEventType, SeriesResource};
    use std::collections::HashSet;

    /// Events of episode 5, an hour apart: what happened, and to which download.
    fn history(events: &[(EpisodeHistoryEventType, &str)]) -> Vec<Event> {
        let start: DateTime<Utc> = "2026-06-10T00:00:00Z".parse().unwrap();
        let event = |(hour, (kind, download)): (i32, &(EpisodeHistoryEventType, &str))| Event {
            id: hour,
            series_id: 1,
            episode_id: 5,
            kind: kind.clone(),
            date: start + Duration::hours(i64::from(hour)),
            source_title: format!("Tidewater.{download}").into(),
            download_id: Some(*download).filter(|id| !id.is_empty()).map(Into::into),
            indexer: None,
            download_client: Some("Dock".into()),
            message: Some("not found".into()),
            reason: None,
            size: None,
        };
        (0..).zip(events).map(event).collect()
    }

    fn series() -> Vec<SeriesResource> {
        vec![serde_json::from_value(json!({"id": 1, "title": "Tidewater"})).unwrap()]
    }

    const G: EpisodeHistoryEventType = EpisodeHistoryEventType::Grabbed;
    const F: EpisodeHistoryEventType = EpisodeHistoryEventType::DownloadFailed;
    const I: EpisodeHistoryEventType = EpisodeHistoryEventType::DownloadFolderImported;
    const S: EpisodeHistoryEventType = EpisodeHistoryEventType::SeriesFolderImported;
    const D: EpisodeHistoryEventType = EpisodeHistoryEventType::EpisodeFileDeleted;
    const N: EpisodeHistoryEventType = EpisodeHistoryEventType::DownloadIgnored;

    #[test]
    fn failures_count_since_the_last_import_and_while_nothing_is_queued() {
        for (events, queued, due) in [
            (vec![(G, "A"), (F, "A"), (G, "B"), (F, "B")], "", true),
            (vec![(G, "A"), (F, "A")], "", false),
            (vec![(F, "A"), (F, "A")], "", false),
            (vec![(F, "A"), (F, "B"), (G, "C"), (I, "C")], "", false),
            (vec![(F, "A"), (I, "C"), (F, "B")], "", false),
            (vec![(F, "A"), (F, "B"), (G, "C")], "C", false),
            (vec![(F, "A"), (F, "B"), (G, "C")], "D", true),
        ] {
            let found = failing(&history(&events), &HashSet::from([queued.to_owned()]), &series());
            assert_eq!(found.len(), usize::from(due), "{events:?}");
            for finding in found {
                assert_eq!(
                    Value::from(finding.subject),
                    json!({"seriesId": 1, "title": "Tidewater", "episodeIds": [5]})
                );
                assert!(finding.reason.starts_with("2 downloads of 1 episode have failed"), "{}", finding.reason);
                assert!(finding.reason.ends_with("not found"), "{}", finding.reason);
            }
        }
    }

    #[test]
    fn a_grab_went_nowhere_when_nothing_more_was_heard_of_it() {
        for (events, queued, due) in [
            (vec![(G, "A")], "", true),
            (vec![(G, "A")], "A", false),
            (vec![(G, "A"), (I, "A")], "", false),
            (vec![(G, "A"), (F, "A")], "", false),
            (vec![(G, "A"), (N, "A")], "", false),
            (vec![(G, "A"), (I, "B")], "", false),
            (vec![(G, "A"), (S, "")], "", false),
            (vec![(I, "B"), (G, "A")], "", true),
            (vec![(G, "")], "", false),
            (vec![(I, "B"), (D, ""), (G, "A")], "", true),
            (vec![(G, "A"), (G, "B")], "B", false),
            (vec![(G, "A"), (G, "B"), (F, "B")], "", false),
        ] {
            let now = "2026-06-11T00:00:00Z".parse().unwrap();
            let found = nowhere(&history(&events), &HashSet::from([queued.to_owned()]), &series(), now);
            assert_eq!(found.len(), usize::from(due), "{events:?}");
            for finding in found {
                assert!(finding.reason.contains("for Dock"), "{}", finding.reason);
            }
            let soon = "2026-06-10T01:00:00Z".parse().unwrap();
            assert!(nowhere(&history(&events), &HashSet::new(), &series(), soon).is_empty());
        }
    }
}
