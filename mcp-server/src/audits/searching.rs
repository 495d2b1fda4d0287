//! Episodes that a search can mend, gathered so that one call searches for those of a series.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};
use sonarr_client::types::{QueueResource, SeriesResource};

use super::{Episode, Finding, Kind};

/// Episodes that a reason names.
const NAMED: usize = 3;

/// The monitored series by id.
pub fn monitored(series: &[SeriesResource]) -> HashMap<i32, &SeriesResource> {
    series.iter().filter(|one| one.monitored == Some(true)).filter_map(|one| Some((one.id?, one))).collect()
}

/// The ids of the episodes that are in the queue.
pub fn queued(queue: &[QueueResource]) -> HashSet<i32> {
    queue.iter().filter_map(|item| item.episode_id).collect()
}

/// Episodes by series, each with what is to be said of it.
#[derive(Debug, Default)]
pub struct Gathered<'a>(BTreeMap<i32, Vec<(&'a Episode, String)>>);

impl<'a> Gathered<'a> {
    /// Adds an episode; `why` is said of it where it is named.
    pub fn add(&mut self, episode: &'a Episode, why: impl Into<String>) {
        self.0.entry(episode.series_id).or_default().push((episode, why.into()));
    }

    /// A finding for each series, that with the most episodes first, mended by a search for them. `what` is said of
    /// their number: `never searched for`.
    pub fn findings(self, kind: &'static Kind, series: &HashMap<i32, &SeriesResource>, what: &str) -> Vec<Finding> {
        let mut gathered: Vec<_> = self.0.into_iter().collect();
        gathered.sort_by_key(|(id, episodes)| (std::cmp::Reverse(episodes.len()), *id));
        let finding = |(id, episodes): (i32, Vec<(&Episode, String)>)| {
            let ids: Vec<i32> = episodes.iter().map(|(episode, _)| episode.id).collect();
            let title = series.get(&id).and_then(|one| one.title.as_deref());
            let subject = json!({"seriesId": id, "title": title, "episodeIds": ids});
            let body: Value = json!({"name": "EpisodeSearch", "episodeIds": ids});
            Finding::new(kind, subject, reason(&episodes, what)).mended_by("run_command", json!({"body": body}))
        };
        gathered.into_iter().map(finding).collect()
    }
}

fn reason(episodes: &[(&Episode, String)], what: &str) -> String {
    let told = episodes.iter().take(NAMED).map(|(episode, why)| {
        let place = format!("S{:02}E{:02}", episode.season, episode.number);
        if why.is_empty() { place } else { format!("{place} {why}") }
    });
    let mut told: Vec<String> = told.collect();
    let more = episodes.len().saturating_sub(NAMED);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    let count = if episodes.len() == 1 { "1 episode".to_owned() } else { format!("{} episodes", episodes.len()) };
    format!("{count} {what}: {}", told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(id: i32, series_id: i32, number: i32) -> Episode {
        Episode {
            id,
            series_id,
            season: 1,
            number,
            absolute: None,
            title: "".into(),
            airs: None,
            runtime: 0,
            monitored: true,
            searched: None,
            file_id: None,
            tvdb_id: 0,
        }
    }

    #[test]
    fn one_finding_searches_for_all_episodes_of_a_series() {
        const KIND: Kind = Kind { name: "lost", meaning: "Lost." };
        let one = SeriesResource { id: Some(2), title: Some("Some Show".to_owned()), ..Default::default() };
        let series = HashMap::from([(2, &one)]);
        let episodes: Vec<Episode> = (1..=5).map(|number| episode(10 + number, 2, number)).collect();
        let other = episode(99, 1, 7);
        let mut gathered = Gathered::default();
        gathered.add(&other, "aired on Monday");
        for episode in &episodes {
            gathered.add(episode, "");
        }
        let findings = gathered.findings(&KIND, &series, "lost");
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[0].reason, "5 episodes lost: S01E01, S01E02, S01E03, and 2 more");
        assert_eq!(findings[0].subject["title"], "Some Show");
        let body = json!({"name": "EpisodeSearch", "episodeIds": [11, 12, 13, 14, 15]});
        assert_eq!(findings[0].mend.as_ref().unwrap().arguments, json!({"body": body}));
        assert_eq!(findings[1].reason, "1 episode lost: S01E07 aired on Monday");
    }
}
