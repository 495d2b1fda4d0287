//! Spans of time that hold about as many episodes each, by what the series say of themselves.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, TimeZone, Utc};
use sonarr_client::types::SeriesResource;

/// The length of a step, in days: no window is shorter.
const STEP: i64 = 7;

/// A span of time, both ends within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its first moment.
    pub start: DateTime<Utc>,
    /// Its last moment, which is also the first one of the next window.
    pub end: DateTime<Utc>,
}

/// Windows from before the first broadcast to long after the last one, each with about `size` of the episodes that have
/// a date.
///
/// The episodes of a series are taken to be spread evenly from its first to its last date; that need not be so, and a
/// window may hold more or fewer.
pub fn windows(series: &[SeriesResource], now: DateTime<Utc>, size: usize) -> Vec<Window> {
    let step_of = |time: DateTime<Utc>| time.timestamp().div_euclid(STEP * 86_400);
    let mut steps: BTreeMap<i64, f64> = BTreeMap::new();
    for one in series {
        let count = one.statistics.as_ref().and_then(|statistics| statistics.total_episode_count).unwrap_or(0);
        let last = [one.last_aired, one.previous_airing, one.next_airing].into_iter().flatten().max();
        let (Some(first), Some(last)) = (one.first_aired.or(last), last.or(one.first_aired)) else {
            continue;
        };
        let (first, last) = (step_of(first), step_of(last.max(first)));
        #[expect(clippy::cast_precision_loss, reason = "steps and episodes are few")]
        let share = f64::from(count.max(0)) / (last - first + 1) as f64;
        for step in first..=last {
            *steps.entry(step).or_default() += share;
        }
    }
    let moment = |step: i64| Utc.timestamp_opt(step * STEP * 86_400, 0).single();
    #[expect(clippy::cast_precision_loss, reason = "a window is small")]
    let size = size.max(1) as f64;
    let mut windows = Vec::new();
    let mut start = Utc.with_ymd_and_hms(1900, 1, 1, 0, 0, 0).single().unwrap_or(DateTime::UNIX_EPOCH);
    let mut held = 0.0;
    for (step, share) in steps {
        if held > 0.0
            && held + share > size
            && let Some(end) = moment(step)
        {
            windows.push(Window { start, end });
            (start, held) = (end, 0.0);
        }
        held += share;
    }
    // Announced far ahead is ten years at most.
    windows.push(Window { start, end: now.max(start) + Duration::days(3_653) });
    windows
}
