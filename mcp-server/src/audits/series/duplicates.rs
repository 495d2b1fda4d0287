//! What is there twice.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use sonarr_client::types::SeriesResource;

use super::{DUPLICATE_EPISODES, DUPLICATE_SERIES, subject, title};
use crate::audits::{Episodes, Finding};

/// What TheTVDB calls a series that it has merged into another, before the other's id.
const MERGED: &str = "duplicate of ";

/// Series that share an id of TheMovieDB, IMDb or TVmaze, or a folder; and those that TheTVDB has merged into another.
pub(super) fn series(series: &[SeriesResource]) -> Vec<Finding> {
    let mut found: BTreeMap<i32, Finding> = BTreeMap::new();
    let mut kept: HashMap<(&'static str, String), &SeriesResource> = HashMap::new();
    for one in series {
        if let Some(finding) = merged(one, series) {
            found.insert(one.id.unwrap_or_default(), finding);
        }
    }
    for one in series {
        for mark in marks(one) {
            let Some(other) = kept.get(&mark).copied() else {
                kept.insert(mark, one);
                continue;
            };
            // The one with fewer files goes: there is less to lose.
            let (less, more) = if files(one) <= files(other) { (one, other) } else { (other, one) };
            let id = less.id.unwrap_or_default();
            found.entry(id).or_insert_with(|| same(less, more, &mark));
            kept.insert(mark, more);
        }
    }
    found.into_values().collect()
}

/// What no two series share.
fn marks(series: &SeriesResource) -> Vec<(&'static str, String)> {
    let number = |name, id: Option<i32>| id.filter(|id| *id > 0).map(|id| (name, id.to_string()));
    let imdb = series.imdb_id.clone().filter(|id| !id.is_empty()).map(|id| ("imdbId", id));
    let path = series.path.as_deref().map(|path| path.trim_end_matches(['/', '\\'])).filter(|path| !path.is_empty());
    [
        number("tvdbId", series.tvdb_id),
        number("tmdbId", series.tmdb_id),
        imdb,
        number("tvMazeId", series.tv_maze_id),
        path.map(|path| ("path", path.to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn same(less: &SeriesResource, more: &SeriesResource, (name, value): &(&'static str, String)) -> Finding {
    let reason = format!(
        "it has the same {name} ({value}) as {} (series {}), which has {} files; this one has {}",
        title(more),
        more.id.unwrap_or_default(),
        files(more),
        files(less)
    );
    finding(less, more.id, reason)
}

fn merged(one: &SeriesResource, series: &[SeriesResource]) -> Option<Finding> {
    let lower = title(one).to_lowercase();
    let id: i32 = lower.strip_prefix(MERGED)?.trim().parse().ok()?;
    let other = series.iter().find(|other| other.tvdb_id == Some(id));
    let reason = match other {
        Some(other) => format!("TheTVDB has merged it into {id}, which is in the library as {}", title(other)),
        None => format!("TheTVDB has merged it into {id}: add that one by its id, then delete this one"),
    };
    Some(finding(one, other.and_then(|other| other.id), reason))
}

fn finding(less: &SeriesResource, more: Option<i32>, reason: String) -> Finding {
    let mut subject = subject(less);
    if let (Some(members), Some(more)) = (subject.as_object_mut(), more) {
        members.insert("otherSeriesId".to_owned(), json!(more));
    }
    Finding::new(&DUPLICATE_SERIES, subject, reason)
        .mended_by("delete_series", json!({"id": less.id, "deleteFiles": false}))
}

fn files(series: &SeriesResource) -> i32 {
    series.statistics.as_ref().and_then(|statistics| statistics.episode_file_count).unwrap_or_default()
}

/// Series that have a season's number, or an episode of TheTVDB's, more than once. Titles and dates do not tell: two
/// parts of one evening share both.
pub(super) fn episodes(series: &[SeriesResource], episodes: &Episodes) -> Vec<Finding> {
    let mut numbers: HashMap<(i32, i32, i32), Vec<i32>> = HashMap::new();
    let mut tvdb: HashMap<(i32, i32), Vec<i32>> = HashMap::new();
    for episode in episodes.all() {
        numbers.entry((episode.series_id, episode.season, episode.number)).or_default().push(episode.id);
        if episode.tvdb_id > 0 {
            tvdb.entry((episode.series_id, episode.tvdb_id)).or_default().push(episode.id);
        }
    }
    let mut twice: BTreeMap<i32, BTreeMap<Vec<i32>, String>> = BTreeMap::new();
    let several = |ids: &Vec<i32>| ids.len() > 1;
    for ((series, season, number), ids) in numbers.into_iter().filter(|(_, ids)| several(ids)) {
        twice.entry(series).or_default().insert(ids, format!("S{season:02}E{number:02}"));
    }
    for ((series, id), ids) in tvdb.into_iter().filter(|(_, ids)| several(ids)) {
        twice.entry(series).or_default().entry(ids).or_insert_with(|| format!("TheTVDB's episode {id}"));
    }
    let of = |id: i32| series.iter().find(|one| one.id == Some(id));
    twice
        .into_iter()
        .filter_map(|(id, twice)| {
            let mut subject = subject(of(id)?);
            let ids: Vec<i32> = twice.keys().flatten().copied().collect();
            subject.as_object_mut()?.insert("episodeIds".to_owned(), Value::from(ids));
            let names: Vec<String> = twice.into_values().collect();
            let reason = format!("it has more than once: {}", names.join(", "));
            let arguments = json!({"body": {"name": "RefreshSeries", "seriesIds": [id]}});
            Some(Finding::new(&DUPLICATE_EPISODES, subject, reason).mended_by("run_command", arguments))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{episodes, series};
    use crate::audits::{Episode, Episodes};
    use serde_json::{Value, json};
    use sonarr_client::types::SeriesResource;

    fn one(id: i32, files: i32, more: Value) -> SeriesResource {
        let mut value = json!({"id": id, "title": format!("Series {id}"), "tvdbId": 9_000 + id,
            "path": format!("/tv/{id}"), "statistics": {"episodeFileCount": files}});
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn series_are_the_same_by_id_or_folder_and_the_one_with_fewer_files_goes() {
        for (first, second, mark) in [
            (json!({"tmdbId": 5}), json!({"tmdbId": 5}), Some("tmdbId")),
            (json!({"imdbId": "tt5"}), json!({"imdbId": "tt5"}), Some("imdbId")),
            (json!({"tvMazeId": 5}), json!({"tvMazeId": 5}), Some("tvMazeId")),
            (json!({"path": "/tv/a/"}), json!({"path": "/tv/a"}), Some("path")),
            (json!({"tmdbId": 0, "imdbId": ""}), json!({"tmdbId": 0, "imdbId": ""}), None),
            (json!({"tmdbId": 5}), json!({"tmdbId": 6}), None),
            (json!({"title": "Same"}), json!({"title": "Same"}), None),
        ] {
            let found = series(&[one(1, 3, first.clone()), one(2, 9, second)]);
            assert_eq!(found.len(), usize::from(mark.is_some()), "{first}");
            if let (Some(found), Some(mark)) = (found.first(), mark) {
                assert!(found.reason.contains(mark), "{}", found.reason);
                assert_eq!(
                    (found.subject["seriesId"].clone(), found.subject["otherSeriesId"].clone()),
                    (json!(1), json!(2))
                );
                assert_eq!(found.mend.as_ref().unwrap().arguments, json!({"id": 1, "deleteFiles": false}));
            }
        }
    }

    #[test]
    fn series_that_share_several_ids_are_found_once() {
        let shared = json!({"tmdbId": 5, "imdbId": "tt5"});
        assert_eq!(series(&[one(1, 3, shared.clone()), one(2, 9, shared)]).len(), 1);
    }

    #[test]
    fn what_the_tvdb_merged_is_found_with_the_other_or_without() {
        let merged = one(1, 0, json!({"title": "Duplicate of 9002"}));
        let found = series(&[merged.clone(), one(2, 9, json!({}))]);
        assert_eq!(found[0].subject["otherSeriesId"], 2);
        assert!(series(&[merged])[0].reason.contains("add that one"));
        assert!(series(&[one(3, 0, json!({"title": "Duplicate of Love"}))]).is_empty());
    }

    #[test]
    fn episodes_are_the_same_by_number_or_id() {
        let at = |(id, season, number, tvdb_id)| Episode { id, tvdb_id, ..Episode::numbered(1, season, number) };
        let of = |rows: Vec<_>| Episodes::from(rows.into_iter().map(at).collect::<Vec<_>>());
        let library = [one(1, 0, json!({}))];
        let well = of(vec![(1, 1, 1, 5), (2, 1, 2, 6), (3, 2, 1, 7), (4, 2, 2, 0), (5, 2, 3, 0)]);
        assert!(episodes(&library, &well).is_empty());
        let found = episodes(&library, &of(vec![(1, 1, 1, 5), (2, 1, 1, 5), (3, 1, 2, 6), (4, 1, 3, 6)]));
        assert_eq!(found.len(), 1);
        assert!(found[0].reason.contains("S01E01") && found[0].reason.contains("episode 6"), "{}", found[0].reason);
        assert_eq!(found[0].subject["episodeIds"], json!([1, 2, 3, 4]));
    }
}
