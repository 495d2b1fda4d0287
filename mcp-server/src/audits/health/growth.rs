//! How fast the library grows, by what the history says of files that came and went.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Duration, Utc};
use sonarr_client::types::EpisodeHistoryEventType;

use crate::audits::Event;

/// Bytes that came to a series in each of the last weeks, less what went; the newest week first.
pub(super) type Weekly = BTreeMap<i32, Vec<i64>>;

/// The weeks that fit into `days`, four of them in a month.
fn weeks(days: u32) -> usize {
    usize::try_from(days / 7).unwrap_or(1).max(1)
}

/// The growth of every series by week.
///
/// An import is noted once for each episode in its file, so what is the same in all else counts once. An import that
/// replaced a file of unknown size counts nothing: how much the disk grew by it is not known.
pub(super) fn weekly(events: &[Event], now: DateTime<Utc>, days: u32) -> Weekly {
    let weeks = weeks(days);
    let deleted = |event: &&Event| event.kind == EpisodeHistoryEventType::EpisodeFileDeleted;
    let replaced: HashSet<i32> =
        events.iter().filter(deleted).filter(|event| event.size.is_none()).map(|event| event.episode_id).collect();
    let mut seen = HashSet::new();
    let mut grown = Weekly::new();
    for event in events {
        let sign = match event.kind {
            EpisodeHistoryEventType::DownloadFolderImported if !replaced.contains(&event.episode_id) => 1,
            EpisodeHistoryEventType::EpisodeFileDeleted => -1,
            _ => continue,
        };
        let Some(size) = event.size else { continue };
        let age = (now - event.date).max(Duration::zero());
        let Some(week) = usize::try_from(age.num_days() / 7).ok().filter(|week| *week < weeks) else { continue };
        if !seen.insert((event.series_id, event.date, &event.source_title, size, sign)) {
            continue;
        }
        let list = grown.entry(event.series_id).or_insert_with(|| vec![0; weeks]);
        if let Some(sum) = list.get_mut(week) {
            *sum += sign * size;
        }
    }
    grown
}

/// Bytes a day over some series: the middle of the weeks, so that one week in which a whole series came is not taken
/// for the rule.
pub(super) fn daily(grown: &Weekly, series: impl Iterator<Item = i32>) -> i64 {
    let mut sums: Vec<i64> = Vec::new();
    for weeks in series.filter_map(|id| grown.get(&id)) {
        if sums.is_empty() {
            sums = vec![0; weeks.len()];
        }
        for (sum, week) in sums.iter_mut().zip(weeks) {
            *sum += week;
        }
    }
    sums.sort_unstable();
    let middle = sums.len() / 2;
    let upper = sums.get(middle).copied().unwrap_or(0);
    let lower =
        if sums.len().is_multiple_of(2) { middle.checked_sub(1).and_then(|place| sums.get(place)) } else { None };
    (upper + lower.copied().unwrap_or(upper)) / 2 / 7
}
