//! The week ahead: what airs, and what it will take on disk.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Duration, Utc};
use futures::FutureExt;
use serde_json::{Map, Value, json};
use sonarr_client::types::{EpisodeResource, RootFolderResource, SeriesResource};

use super::health::within;
use super::{Library, Worklist};
use crate::answer::{Answer, Content};
use crate::failure::Failure;
use crate::workflows::audits::reading;
use crate::workflows::{Plan, Workflow};
use crate::write::Reader;

/// Days that are looked ahead.
const DAYS: i64 = 7;
/// The member that is the list to go through.
const LIST: &str = "episodes";
/// Minutes of an episode of which nobody knows how long it is.
const USUAL_MINUTES: i32 = 45;

/// The operation.
pub const WORKFLOW: Workflow = Workflow {
    operation: reading(
        "forecast_week",
        "calendar",
        "Tells what airs within a week, and what it will take on disk.",
        "Counts monitored episodes that are not there yet, by day (UTC) and by root folder. An episode is expected to \
         take what the files of its series take, else those of its quality profile; `by` says which.",
    ),
    example: "{}",
    plan: |reader, _| plan(reader).boxed(),
};

async fn plan(reader: &dyn Reader) -> Result<Plan, Failure> {
    Ok(Plan::Answer(forecast(&Library::new(reader.client()?)).await?))
}

/// Makes the forecast: the monitored episodes that air within a week and are not there yet, the bytes that each will
/// likely take, and what is then left in each root folder.
///
/// # Errors
/// Whatever keeps Sonarr from saying what airs, or from listing its series.
async fn forecast(library: &Library<'_>) -> Result<Answer, Failure> {
    let (start, end) = (library.now(), library.now() + Duration::days(DAYS));
    let (airing, series, folders) = tokio::join!(library.airing(start, end), library.series(), library.root_folders());
    let (airing, series) = (airing?, series?);
    let mut notes = Worklist::default();
    let folders = notes.read("root folders", folders).unwrap_or_default();
    let mut told = tell(&airing, series, folders, start, end);
    told.insert("requests".to_owned(), json!(library.requests()));
    if !notes.unseen.is_empty() {
        told.insert("unseen".to_owned(), json!(notes.unseen));
    }
    Ok(Answer::new(Content::Json(Value::Object(told))).composed(false, Some(LIST)))
}

/// What an episode is expected to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Guess {
    bytes: i64,
    /// From what it is concluded.
    by: &'static str,
}

/// What files of the library are like.
#[derive(Debug, Default)]
struct Sizes {
    /// Bytes and minutes of all files by quality profile.
    profiles: HashMap<Option<i32>, (i64, i64)>,
    all: (i64, i64),
}

/// Bytes of a series' files, and how many there are; nothing without a file.
fn files_of(series: &SeriesResource) -> Option<(i64, i64)> {
    let statistics = series.statistics.as_ref()?;
    let (size, count) = (statistics.size_on_disk?, i64::from(statistics.episode_file_count?));
    (size > 0 && count > 0).then_some((size, count))
}

fn minutes(runtime: Option<i32>) -> i64 {
    i64::from(runtime.filter(|runtime| *runtime > 0).unwrap_or(USUAL_MINUTES))
}

impl Sizes {
    fn of(series: &[SeriesResource]) -> Self {
        let mut sizes = Sizes::default();
        for one in series {
            let Some((size, count)) = files_of(one) else { continue };
            let took = count * minutes(one.runtime);
            let profile = sizes.profiles.entry(one.quality_profile_id).or_default();
            profile.0 += size;
            profile.1 += took;
            sizes.all.0 += size;
            sizes.all.1 += took;
        }
        sizes
    }

    /// By the series' own files; without one by those of its profile, else by all.
    fn guess(&self, series: &SeriesResource, runtime: Option<i32>) -> Option<Guess> {
        if let Some((size, count)) = files_of(series) {
            return Some(Guess { bytes: size / count, by: "its own files" });
        }
        let runtime = minutes(runtime.filter(|runtime| *runtime > 0).or(series.runtime));
        let per_minute = |(size, took): &(i64, i64)| (*took > 0).then(|| size / took * runtime);
        let profile = self.profiles.get(&series.quality_profile_id).and_then(per_minute);
        let profile = profile.map(|bytes| Guess { bytes, by: "files of its quality profile" });
        profile.or_else(|| per_minute(&self.all).map(|bytes| Guess { bytes, by: "files of the library" }))
    }
}

fn tell(
    airing: &[EpisodeResource],
    series: &[SeriesResource],
    folders: &[RootFolderResource],
    start: DateTime<Utc>,
    end: DateTime<Utc>,
) -> Map<String, Value> {
    let sizes = Sizes::of(series);
    let known: HashMap<i32, &SeriesResource> = series.iter().filter_map(|one| Some((one.id?, one))).collect();
    let mut due: Vec<(DateTime<Utc>, &EpisodeResource, &SeriesResource)> = airing
        .iter()
        .filter(|episode| episode.has_file != Some(true))
        .filter_map(|episode| {
            let airs = episode.air_date_utc.filter(|airs| (start..=end).contains(airs))?;
            Some((airs, episode, *known.get(&episode.series_id?)?))
        })
        .collect();
    due.sort_by_key(|(airs, episode, _)| (*airs, episode.id));
    let (mut total, mut unknown) = (0, 0);
    let mut days: BTreeMap<String, (usize, i64)> = BTreeMap::new();
    let mut by_folder: Vec<i64> = vec![0; folders.len()];
    let mut rows = Vec::new();
    for (airs, episode, series) in due {
        let guess = sizes.guess(series, episode.runtime);
        let bytes = guess.map_or(0, |guess| guess.bytes);
        unknown += usize::from(guess.is_none());
        total += bytes;
        let day = days.entry(airs.format("%Y-%m-%d").to_string()).or_default();
        (day.0, day.1) = (day.0 + 1, day.1 + bytes);
        if let Some(sum) = holding(folders, series).and_then(|place| by_folder.get_mut(place)) {
            *sum += bytes;
        }
        let mut row = Map::from_iter([
            ("airDateUtc".to_owned(), json!(airs)),
            ("seriesId".to_owned(), json!(series.id)),
            ("seriesTitle".to_owned(), json!(series.title)),
            ("episodeId".to_owned(), json!(episode.id)),
            ("seasonNumber".to_owned(), json!(episode.season_number)),
            ("episodeNumber".to_owned(), json!(episode.episode_number)),
            ("title".to_owned(), json!(episode.title)),
        ]);
        if let Some(guess) = guess {
            row.insert("bytes".to_owned(), json!(guess.bytes));
            row.insert("by".to_owned(), json!(guess.by));
        }
        rows.push(Value::Object(row));
    }
    let days: Vec<Value> = days
        .into_iter()
        .map(|(date, (count, bytes))| json!({"date": date, "episodes": count, "bytes": bytes}))
        .collect();
    let folders: Vec<Value> = folders
        .iter()
        .zip(by_folder)
        .filter(|(_, bytes)| *bytes > 0)
        .map(|(folder, bytes)| {
            let left = folder.free_space.map(|free| free - bytes);
            json!({"path": folder.path, "bytes": bytes, "freeSpace": folder.free_space, "freeAfterwards": left})
        })
        .collect();
    Map::from_iter([
        ("from".to_owned(), json!(start)),
        ("to".to_owned(), json!(end)),
        ("total".to_owned(), json!(rows.len())),
        ("bytes".to_owned(), json!(total)),
        ("withoutSize".to_owned(), json!(unknown)),
        ("days".to_owned(), json!(days)),
        ("rootFolders".to_owned(), json!(folders)),
        (LIST.to_owned(), Value::Array(rows)),
    ])
}

/// The place of the root folder that a series lies in: the innermost, where one lies in another.
fn holding(folders: &[RootFolderResource], series: &SeriesResource) -> Option<usize> {
    let path = series.path.as_deref()?;
    let length = |folder: &RootFolderResource| folder.path.as_deref().filter(|own| within(path, own)).map(str::len);
    let all = folders.iter().enumerate();
    all.filter_map(|(place, folder)| Some((length(folder)?, place))).max().map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;

    fn read<T: DeserializeOwned>(row: Value) -> T {
        serde_json::from_value(row).unwrap()
    }

    fn series() -> Vec<SeriesResource> {
        read(json!([
            {"id": 1, "title": "Own", "path": "/tv/Own", "qualityProfileId": 4, "runtime": 60,
             "statistics": {"sizeOnDisk": 12_000, "episodeFileCount": 4}},
            {"id": 2, "title": "New", "path": "/tv/deep/New", "qualityProfileId": 4, "runtime": 30},
            {"id": 3, "title": "Other", "path": "/tv/Other", "qualityProfileId": 5, "runtime": 0},
        ]))
    }

    #[test]
    fn an_episode_takes_what_files_like_it_take() {
        let all = series();
        let sizes = Sizes::of(&all);
        let guess = |place: usize, runtime| sizes.guess(&all[place], runtime);
        assert_eq!(guess(0, Some(10)), Some(Guess { bytes: 3_000, by: "its own files" }));
        // 12,000 bytes took 240 minutes.
        assert_eq!(guess(1, Some(0)), Some(Guess { bytes: 1_500, by: "files of its quality profile" }));
        assert_eq!(guess(2, None), Some(Guess { bytes: 50 * 45, by: "files of the library" }));
        assert_eq!(Sizes::default().guess(&all[1], None), None);
    }

    #[test]
    fn what_airs_is_summed_by_day_and_by_root_folder() {
        let start = DateTime::from_timestamp(1_780_000_000, 0).unwrap();
        let at = |hours: i64| (start + Duration::hours(hours)).to_rfc3339();
        let episode = |id: i32, series: i32, hours: i64, there: bool| json!({"id": id, "seriesId": series, "airDateUtc": at(hours), "hasFile": there, "runtime": 30});
        let airing: Vec<EpisodeResource> = read(json!([
            episode(3, 1, 30, false),
            episode(2, 2, 30, false),
            episode(1, 1, 2, false),
            episode(4, 1, 3, true),
            episode(5, 1, -2, false),
            episode(6, 9, 3, false),
        ]));
        let folders: Vec<RootFolderResource> = read(json!([
            {"id": 1, "path": "/tv", "freeSpace": 10_000},
            {"id": 2, "path": "/tv/deep", "freeSpace": 1_000},
            {"id": 3, "path": "/elsewhere", "freeSpace": 1_000},
        ]));
        let told = tell(&airing, &series(), &folders, start, start + Duration::days(DAYS));
        let ids: Vec<&Value> = told["episodes"].as_array().unwrap().iter().map(|row| &row["episodeId"]).collect();
        assert_eq!(ids, [1, 2, 3]);
        assert_eq!((&told["total"], &told["bytes"], &told["withoutSize"]), (&json!(3), &json!(7_500), &json!(0)));
        let days: Vec<_> =
            told["days"].as_array().unwrap().iter().map(|day| (&day["episodes"], &day["bytes"])).collect();
        assert_eq!(days, [(&json!(1), &json!(3_000)), (&json!(2), &json!(4_500))]);
        let left: Vec<_> =
            told["rootFolders"].as_array().unwrap().iter().map(|one| (&one["path"], &one["freeAfterwards"])).collect();
        assert_eq!(left, [(&json!("/tv"), &json!(4_000)), (&json!("/tv/deep"), &json!(-500))]);
    }
}
