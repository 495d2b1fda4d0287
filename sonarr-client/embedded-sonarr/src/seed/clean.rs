//! A library in which nothing is wrong: what aired is there, named to the format, as good as the profile wants, and
//! everything that is set is used.

use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};
use serde_json::{Value, json};

use super::activity::{self, GULL, PastImport, Source};
use super::library::{FIRST_TVDB_ID, Standing, kind_of, midnight, profile, rng_of, seasons_of, series_row};
use super::{Rng, titles};
use crate::Options;
use crate::downloads::{Download, Plan, Stage};
use crate::providers;
use crate::state::episode::{Episode, EpisodeFile, release_name};
use crate::state::{Entry, Row, State, int, ints, iso, text};

/// How the series of the library stand: the place in it decides.
const STANDINGS: [Standing; 12] = [
    Standing::Current,
    Standing::Complete,
    Standing::Current,
    Standing::Current,
    Standing::Upcoming,
    Standing::Complete,
    Standing::Current,
    Standing::Complete,
    Standing::Complete,
    Standing::Current,
    Standing::Complete,
    Standing::Current,
];

/// The profile whose cutoff is 2160p.
const ULTRA_HD: i64 = 5;
/// Days of which the history tells.
const DAYS_OF_HISTORY: i64 = 60;
/// Days from one season's beginning to the next one's, at least.
const SEASON: i64 = 364;

/// Makes the library and what happened in it.
pub(super) fn build(state: &mut State, options: &Options) {
    settle(state);
    for index in 0..options.series {
        series(state, options, index);
    }
    drop_unused(state);
    make_room(state);
    history(state);
    activity::routine(state);
    download(state);
}

/// Changes the usual settings to those in which nothing is idle and nothing fails.
fn settle(state: &mut State) {
    for (path, ids) in [("rootfolder", &[3][..]), ("tag", &[4, 5])] {
        for id in ids {
            state.table_mut(path).remove(*id);
        }
    }
    state.disk.forget_strays();
    if let Some(indexer) = state.table_mut("indexer").get_mut(3) {
        providers::set_field(indexer, "baseUrl", json!("https://lantern.example"));
    }
    for profile in state.table_mut("qualityprofile").rows_mut() {
        // Every file comes from a trusted group, which is as good as it gets.
        profile.insert("cutoffFormatScore".into(), 25.into());
        let ultra = int(profile, "id") == ULTRA_HD;
        for item in profile.get_mut("formatItems").and_then(Value::as_array_mut).into_iter().flatten() {
            let score = match item.get("name").and_then(Value::as_str) {
                Some("Freeleech") => 10,
                Some("x265") if ultra => 5,
                _ => continue,
            };
            if let Some(item) = item.as_object_mut() {
                item.insert("score".into(), score.into());
            }
        }
    }
}

/// One series with its episodes and files.
fn series(state: &mut State, options: &Options, index: usize) {
    let mut rng = rng_of(options.seed, index);
    let standing = STANDINGS.get(index % STANDINGS.len()).copied().unwrap_or(Standing::Current);
    let kind = kind_of(index);
    let (title, year) = titles::series(index);
    let tvdb_id = FIRST_TVDB_ID + i64::try_from(index).unwrap_or(0);
    let mut row = series_row(&title, year, tvdb_id, kind, standing, state.now, &mut rng);
    // Nothing more will come of a series that is over and there.
    row.insert("monitored".into(), (standing != Standing::Complete).into());
    if kind == "anime" {
        row.insert("genres".into(), json!(["Animation", "Anime"]));
    }
    row.insert("qualityProfileId".into(), profile(index).into());
    row.insert("tags".into(), json!(tags(index, options.series)));
    let id = state.library.add(row.clone());
    let wanted = options.episodes_per_series;
    let counts = seasons_of(wanted, standing == Standing::Upcoming, kind, &mut rng);
    let mut list = episodes(state, id, &row, standing, &counts, &mut rng);
    let files = files(state, id, &row, &mut list, standing, &mut rng);
    let regular: Vec<DateTime<Utc>> =
        list.iter().filter(|episode| episode.season > 0).filter_map(|episode| episode.air).collect();
    if let Some(first) = regular.iter().min() {
        row.insert("firstAired".into(), iso(midnight(*first)).into());
        row.insert("year".into(), first.year().into());
        row.insert("added".into(), iso((*first - TimeDelta::days(3)).min(state.now)).into());
    }
    if let Some(last) = regular.iter().max().filter(|_| standing != Standing::Upcoming) {
        row.insert("lastAired".into(), iso(midnight(*last)).into());
    }
    let specials = list.iter().any(|episode| episode.season == 0).then_some(0);
    let numbers = specials.into_iter().chain(1..=counts.len());
    let seasons = numbers.map(|season| json!({"seasonNumber": season, "monitored": season > 0}));
    row.insert("seasons".into(), seasons.collect());
    let root = if kind == "anime" { "/media/anime" } else { "/media/tv" };
    // The folder is named after the year, which the first episode decides.
    row.insert("path".into(), format!("{root}/{}", crate::naming::series_folder(state, &row)).into());
    row.insert("rootFolderPath".into(), root.into());
    row.insert("id".into(), id.into());
    if let Some(entry) = state.library.get_mut(id) {
        *entry = Entry { row, episodes: list, files };
    }
}

/// Tags as in the usual library; in a small one the first series has those that would be left over.
fn tags(index: usize, count: usize) -> Vec<i64> {
    let usual = super::library::tags(index);
    let lacking = |tag: &i64| !(1..count).any(|other| super::library::tags(other).contains(tag));
    if index == 0 && count < STANDINGS.len() { (1..=3).filter(lacking).collect() } else { usual }
}

/// The episodes of a series. Nothing airs within the next half day, so that a library stays clean for as long.
fn episodes(state: &mut State, id: i64, row: &Row, standing: Standing, counts: &[i64], rng: &mut Rng) -> Vec<Episode> {
    let (now, runtime) = (state.now, int(row, "runtime"));
    let kind = text(row, "seriesType");
    let interval = if kind == "daily" { 1 } else { 7 };
    let hour = text(row, "airTime").get(..2).and_then(|hour| hour.parse::<i64>().ok()).unwrap_or(20);
    let hours = TimeDelta::hours(hour);
    let last = counts.last().copied().unwrap_or(1);
    let start = match standing {
        Standing::Upcoming => midnight(now) + TimeDelta::days(20) + hours,
        Standing::Complete => midnight(now) - TimeDelta::days(interval * last + rng.between(200, 2500)) + hours,
        _ => {
            // Two thirds of the newest season are over.
            let next = if interval == 1 { half_day_from(now) } else { midnight(now) + TimeDelta::days(2) + hours };
            next - TimeDelta::days(interval * (last * 2 / 3).max(1))
        }
    };
    let longest = counts.iter().copied().max().unwrap_or(1) * interval;
    let apart = TimeDelta::days(SEASON.max(longest + 60));
    let seasons = i32::try_from(counts.len()).unwrap_or(1);
    let first = start - apart * (seasons - 1);
    let specials = if kind == "anime" || rng.chance(20) { 2 } else { 0 };
    let mut list = Vec::new();
    let mut absolute = 0;
    for (season, count) in (0..).zip(std::iter::once(specials).chain(counts.iter().copied())) {
        let begin = if season == 0 { first - TimeDelta::days(90) } else { first + apart * (season - 1) };
        let ends = season == seasons && standing == Standing::Complete;
        for number in 1..=count {
            absolute += i64::from(season > 0);
            let episode_id = state.library.next_episode_id(id);
            list.push(Episode {
                id: episode_id,
                tvdb_id: 20_000_000 + episode_id,
                season: season.into(),
                number,
                absolute: (kind == "anime" && season > 0).then_some(absolute),
                air: Some(begin + TimeDelta::days(interval * (number - 1))),
                runtime,
                title_seed: u32::try_from(rng.below(1 << 30)).unwrap_or(0),
                monitored: season > 0,
                finale: (number == count && season > 0).then_some(if ends { "series" } else { "season" }),
                ..Episode::default()
            });
        }
    }
    list
}

/// The full hour that lies half a day ahead.
fn half_day_from(now: DateTime<Utc>) -> DateTime<Utc> {
    midnight(now) + TimeDelta::hours(i64::from(now.hour()) + 13)
}

/// A file for every regular episode that aired, and for the first of the specials.
fn files(
    state: &mut State,
    id: i64,
    row: &Row,
    episodes: &mut [Episode],
    standing: Standing,
    rng: &mut Rng,
) -> Vec<EpisodeFile> {
    let now = state.now;
    let quality = if int(row, "qualityProfileId") == ULTRA_HD { 18 } else { rng.pick(&[3, 3, 15, 7]) };
    let group = rng.pick(&titles::GROUPS);
    let mut files: Vec<EpisodeFile> = Vec::new();
    for episode in episodes {
        let Some(air) = episode.air.filter(|air| *air <= now) else { continue };
        if episode.season == 0 && episode.number > 1 {
            continue;
        }
        let megabytes = rng.between(18, 36) * if matches!(quality, 7 | 18) { 3 } else { 1 };
        let size = episode.runtime * megabytes * 1_000_000 + rng.between(0, 999_999);
        // The first file of a series that is over holds its first two episodes.
        if standing == Standing::Complete
            && (episode.season, episode.number) == (1, 2)
            && let Some(file) = files.last_mut()
        {
            episode.file_id = file.id;
            file.size += size;
            continue;
        }
        episode.file_id = state.library.next_file_id(id);
        files.push(EpisodeFile {
            id: episode.file_id,
            season: episode.season,
            quality,
            size,
            added: (air + TimeDelta::hours(6)).min(now),
            group,
            ..EpisodeFile::default()
        });
    }
    files
}

/// Removes the profiles and tags that no series of a small library has, and the tags' last users with them.
fn drop_unused(state: &mut State) {
    let lists: Vec<i64> = state.table("importlist").rows().map(|row| int(row, "qualityProfileId")).collect();
    let used = |id: i64| {
        lists.contains(&id) || state.library.iter().any(|(_, entry)| int(&entry.row, "qualityProfileId") == id)
    };
    let idle: Vec<i64> = state.table("qualityprofile").ids().into_iter().filter(|id| !used(*id)).collect();
    for id in idle {
        state.table_mut("qualityprofile").remove(id);
    }
}

/// Gives the disk twice the room that the library takes, and at least the usual one.
fn make_room(state: &mut State) {
    let taken: i64 = state.library.iter().flat_map(|(_, entry)| &entry.files).map(|file| file.size).sum();
    state.disk.make_room("/media", taken);
}

/// Grab and import of what came lately, from the indexers that may serve its series in turn.
fn history(state: &mut State) {
    const LANTERN: Source = Source { indexer: "Lantern Anime", protocol: "torrent" };
    const MEADOW: Source = Source { indexer: "Meadow Index", protocol: "usenet" };
    let since = state.now - TimeDelta::days(DAYS_OF_HISTORY);
    let mut events = Vec::new();
    for (_, entry) in state.library.iter() {
        let tags = ints(&entry.row, "tags");
        let mut sources = vec![MEADOW];
        sources.extend(tags.contains(&1).then_some(LANTERN));
        sources.extend(tags.contains(&2).then_some(GULL));
        let mut recent: Vec<&EpisodeFile> = entry.files.iter().filter(|file| file.added >= since).collect();
        recent.sort_by_key(|file| std::cmp::Reverse(file.added));
        let turns = recent.into_iter().zip(sources.into_iter().rev().cycle());
        events.extend(turns.map(|(file, source)| (PastImport::of(state, entry, file), source)));
    }
    events.sort_by_key(|(event, _)| event.order());
    for (event, source) in events {
        event.record(state, source);
    }
}

/// A download that goes well: a better file of the newest episode that is there.
fn download(state: &mut State) {
    let now = state.now;
    let newest = state.library.iter().find_map(|(id, entry)| {
        let there = |episode: &&Episode| episode.season > 0 && episode.file_id != 0;
        let episode = entry.episodes.iter().filter(there).max_by_key(|episode| episode.air)?;
        Some((id, episode.id, text(&entry.row, "title").to_owned(), episode.code()))
    });
    let Some((series, episode, title, code)) = newest else { return };
    let (quality, size) = (20, 21_000_000_000);
    let download = Download {
        download_id: state.rng.hex(40).to_uppercase(),
        title: release_name(&title, &code, quality, "NEST"),
        protocol: "usenet",
        client_id: 1,
        indexer: "Meadow Index".to_owned(),
        guid: "https://meadow.example/details/1".to_owned(),
        url: format!("https://meadow.example/download/1?size={size}"),
        series: Some(series),
        episodes: vec![episode],
        quality,
        size,
        added: now - TimeDelta::minutes(20),
        length: TimeDelta::hours(8),
        plan: Plan::Import,
        stage: Stage::Downloading,
    };
    state.now = download.added;
    state.record_grab(&download);
    state.now = now;
    state.downloads.items.push(download);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, Scenario, clock::Timekeeper, seed};

    fn built(series: usize, next_version: bool) -> State {
        let options = Options { series, next_version, scenarios: vec![Scenario::clean()], ..Options::default() };
        seed::build(&options, Timekeeper::new(Clock::Real).now(), 1)
    }

    #[test]
    fn what_aired_is_there_and_named_to_the_format() {
        for state in [built(100, false), built(12, true)] {
            let soon = state.now + TimeDelta::hours(11);
            for (_, entry) in state.library.iter() {
                let aired = |episode: &&Episode| episode.season > 0 && episode.air.is_some_and(|air| air <= soon);
                assert!(entry.episodes.iter().filter(aired).all(|episode| episode.file_id != 0), "{:?}", entry.row);
                for file in &entry.files {
                    assert_eq!(state.relative_path(entry, file), crate::naming::relative_path(&state, entry, file));
                    let written = state.file_json(entry, file);
                    assert_eq!(written["qualityCutoffNotMet"], false);
                    assert!(written["customFormatScore"].as_i64() >= Some(25), "{written}");
                }
                let folder = crate::naming::series_folder(&state, &entry.row);
                assert!(text(&entry.row, "path").ends_with(&format!("/{folder}")));
            }
        }
    }

    #[test]
    fn a_library_of_any_size_uses_what_is_set() {
        for count in [1, 4, 12, 100] {
            let state = built(count, false);
            for tag in state.table("tag").ids() {
                let used = state.library.iter().any(|(_, entry)| ints(&entry.row, "tags").contains(&tag));
                assert!(used, "{count} series: tag {tag}");
            }
            let month = iso(state.now - TimeDelta::days(30));
            for indexer in state.table("indexer").rows() {
                let name = text(indexer, "name");
                let grabbed = state.table("history").rows().any(|row| {
                    text(row, "eventType") == "grabbed"
                        && text(row, "date") >= month.as_str()
                        && row["data"]["indexer"] == name
                });
                assert!(grabbed, "{count} series: {name}");
            }
            assert!(state.table("blocklist").rows().next().is_none());
        }
    }

    #[test]
    fn series_have_as_many_episodes_as_were_asked_for() {
        for wanted in [1, 7, 30, 200] {
            for scenarios in [Vec::new(), vec![Scenario::clean()]] {
                let options =
                    Options { series: 12, episodes_per_series: Some(wanted), scenarios, ..Options::default() };
                let state = seed::build(&options, Timekeeper::new(Clock::Real).now(), 1);
                for (_, entry) in state.library.iter() {
                    assert_eq!(entry.episodes.iter().filter(|episode| episode.season > 0).count(), wanted);
                }
            }
        }
    }
}
