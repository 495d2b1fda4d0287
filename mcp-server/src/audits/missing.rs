//! Monitored episodes that aired and have no file.

use std::collections::{HashMap, HashSet};

use chrono::Duration;
use futures::FutureExt;
use sonarr_client::types::EpisodeHistoryEventType;

use super::searching::{Gathered, monitored, queued};
use super::{Audit, Event, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_missing",
    group: "wanted",
    summary: "Finds monitored episodes that aired and have no file: never searched, not found, or failing again and again.",
    kinds: &[KEEPS_FAILING, NEVER_SEARCHED, NOT_FOUND],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const KEEPS_FAILING: Kind = Kind {
    name: "missing_keeps_failing",
    meaning: "Monitored episodes that aired have no file, and two or more of their downloads failed of late.",
};

const NEVER_SEARCHED: Kind = Kind {
    name: "missing_never_searched",
    meaning: "Monitored episodes that aired more than a day ago have no file, and Sonarr has never searched for them.",
};

const NOT_FOUND: Kind = Kind {
    name: "missing_not_found",
    meaning: "Monitored episodes that aired more than a day ago have no file though they were searched for.",
};

/// Hours after the broadcast in which an episode is not yet missing: releases take a while.
const GRACE: i64 = 24;

/// Failed downloads of one episode that are too many.
const FAILURES: usize = 2;

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = monitored(library.series().await?);
    let episodes = library.episodes().await?;
    let queued = queued(library.queue().await?);
    let failures = match library.history().await {
        Ok(events) => failures(events),
        Err(failure) => {
            worklist.unseen.push(format!("which downloads failed: {}", failure.message));
            HashMap::new()
        }
    };
    let due = library.now() - Duration::hours(GRACE);
    let (mut failing, mut unsearched, mut unfound) = (Gathered::default(), Gathered::default(), Gathered::default());
    let (mut examined, mut waiting) = (0, 0);
    for episode in episodes.all() {
        let wanted = episode.monitored && series.contains_key(&episode.series_id);
        let Some(aired) = episode.airs.filter(|airs| wanted && *airs < due) else { continue };
        examined += 1;
        if episode.file_id.is_some() {
            continue;
        }
        let failed = failures.get(&episode.id).copied().unwrap_or(0);
        if queued.contains(&episode.id) {
            waiting += 1;
        } else if failed >= FAILURES {
            failing.add(episode, format!("{failed} times"));
        } else if let Some(searched) = episode.searched {
            unfound.add(episode, format!("on {}", searched.date_naive()));
        } else {
            unsearched.add(episode, format!("aired on {}", aired.date_naive()));
        }
    }
    worklist.examined("episodes", examined);
    worklist.examined("queued", waiting);
    let days = library.days();
    let failed = format!("without a file failed to download in {days} days");
    worklist.findings.extend(failing.findings(&KEEPS_FAILING, &series, &failed));
    worklist.findings.extend(unsearched.findings(&NEVER_SEARCHED, &series, "without a file and never searched for"));
    worklist.findings.extend(unfound.findings(&NOT_FOUND, &series, "without a file though last searched for"));
    Ok(worklist)
}

/// How many downloads failed of each episode. What tells of one download twice counts once.
fn failures(events: &[Event]) -> HashMap<i32, usize> {
    let failed = events.iter().filter(|event| event.kind == EpisodeHistoryEventType::DownloadFailed);
    let mut seen = HashSet::new();
    let mut counts = HashMap::new();
    for event in failed {
        let download = event.download_id.as_deref().unwrap_or(&event.source_title);
        if seen.insert((event.episode_id, download)) {
            *counts.entry(event.episode_id).or_default() += 1;
        }
    }
    counts
}
