//! Series, seasons, episodes and files.

use chrono::{DateTime, Datelike, Duration, TimeZone, Utc};
use serde_json::{Value, json};

use super::{Rng, titles};
use crate::Options;
use crate::state::episode::{Episode, EpisodeFile};
use crate::state::{Row, State, int, iso, object, text};

/// TheTVDB ids of invented series start here.
pub(super) const FIRST_TVDB_ID: i64 = 9_100_000;

/// How a series of the library stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// On air, everything that aired is there.
    Current,
    /// Over and complete.
    Complete,
    /// On air, with gaps.
    Gaps,
    /// Announced: nothing has aired.
    Upcoming,
    /// Complete, but in a quality below the cutoff.
    LowQuality,
    /// Not monitored, partly there.
    Unmonitored,
}

const STANDINGS: [Standing; 12] = [
    Standing::Current,
    Standing::Complete,
    Standing::Current,
    Standing::Gaps,
    Standing::Upcoming,
    Standing::Unmonitored,
    Standing::Gaps,
    Standing::LowQuality,
    Standing::Complete,
    Standing::Current,
    Standing::Complete,
    Standing::Gaps,
];

/// Makes a library of that many series.
pub(super) fn build(state: &mut State, options: &Options) {
    for index in 0..options.series {
        let mut rng = rng_of(options.seed, index);
        let standing = STANDINGS.get(index % STANDINGS.len()).copied().unwrap_or(Standing::Current);
        let kind = kind_of(index);
        let (title, year) = titles::series(index);
        let tvdb_id = FIRST_TVDB_ID + i64::try_from(index).unwrap_or(0);
        let mut row = series_row(&title, year, tvdb_id, kind, standing, state.now, &mut rng);
        if index % 4 == 0 {
            row.insert("alternateTitles".into(), json!([
                    {"title": format!("{title} UK"), "seasonNumber": -1},
                    {"title": format!("{title} Two"), "sceneSeasonNumber": 2, "comment": "the second season's own name"},
                ]));
        }
        let root = if kind == "anime" { "/media/anime" } else { "/media/tv" };
        let folder = crate::naming::series_folder(state, &row);
        row.insert("path".into(), format!("{root}/{folder}").into());
        row.insert("rootFolderPath".into(), root.into());
        row.insert("qualityProfileId".into(), profile(index).into());
        row.insert("tags".into(), json!(tags(index)));
        let added = state.now - Duration::days(rng.between(30, 2000));
        row.insert("added".into(), iso(added).into());
        let id = state.library.add(row);
        episodes(state, id, kind, standing, options.episodes_per_series, &mut rng);
    }
}

/// Where the random members of a series come from: each has a source of its own, so that it is the same in a library of
/// any size.
pub(super) fn rng_of(seed: u64, index: usize) -> Rng {
    Rng::new(seed.wrapping_add((index as u64).wrapping_mul(7_919)))
}

/// The series type.
pub(super) fn kind_of(index: usize) -> &'static str {
    match index % 12 {
        2 => "daily",
        3 => "anime",
        _ => "standard",
    }
}

/// The numbers of episodes in the regular seasons: three seasons at most.
pub(super) fn seasons_of(wanted: Option<usize>, few: bool, kind: &str, rng: &mut Rng) -> Vec<i64> {
    let seasons = if few { 1 } else { rng.between(2, 3) };
    let each = if kind == "daily" { 10 } else { rng.between(6, 10) };
    let Some(wanted) = wanted.map(|wanted| i64::try_from(wanted).unwrap_or(i64::MAX)) else {
        return (0..seasons).map(|_| each).collect();
    };
    let seasons = if few { 1 } else { wanted.div_euclid(10).clamp(1, 3) };
    (0..seasons).map(|season| wanted / seasons + i64::from(season < wanted % seasons)).collect()
}

/// Quality profiles that the settings define: 1 is Any, 4 HD-1080p, 5 Ultra-HD.
pub(super) fn profile(index: usize) -> i64 {
    match index % 12 {
        7 => 4,
        9 => 5,
        1 | 5 => 1,
        _ => 4,
    }
}

/// Tags that the settings define: 1 anime, 2 family, 3 archive.
pub(super) fn tags(index: usize) -> Vec<i64> {
    match index % 12 {
        3 => vec![1],
        6 => vec![2],
        8 => vec![2, 3],
        _ => Vec::new(),
    }
}

/// The stored members of a series; what belongs to the place in the library is added by the caller.
pub(super) fn series_row(
    title: &str,
    year: i64,
    tvdb_id: i64,
    kind: &str,
    standing: Standing,
    now: DateTime<Utc>,
    rng: &mut Rng,
) -> Row {
    let year = if standing == Standing::Upcoming { i64::from(now.year()) } else { year.min(i64::from(now.year()) - 1) };
    let ended = matches!(standing, Standing::Complete | Standing::LowQuality);
    let status = match standing {
        Standing::Upcoming => "upcoming",
        _ if ended => "ended",
        _ => "continuing",
    };
    let genres = [rng.pick(&titles::GENRES), "Drama"];
    let offset = tvdb_id - FIRST_TVDB_ID;
    let mut row = object(json!({
        "title": title,
        "alternateTitles": [],
        "sortTitle": titles::sort(title),
        "status": status,
        "ended": ended,
        "overview": titles::series_overview(title, rng.next()),
        "network": rng.pick(&titles::NETWORKS),
        "airTime": format!("{:02}:00", rng.between(18, 23)),
        "originalLanguage": if kind == "anime" { json!({"id": 8, "name": "Japanese"}) } else { json!({"id": 1, "name": "English"}) },
        "seasons": [],
        "year": year,
        "path": "",
        "qualityProfileId": 1,
        "seasonFolder": true,
        "monitored": standing != Standing::Unmonitored,
        "monitorNewItems": "all",
        "useSceneNumbering": false,
        "runtime": if kind == "anime" { 24 } else { rng.pick(&[22, 30, 45, 52, 60]) },
        "tvdbId": tvdb_id,
        "tvRageId": 0,
        "tvMazeId": 80_000 + offset,
        "tmdbId": 300_000 + offset,
        "firstAired": format!("{year}-01-01T00:00:00Z"),
        "lastAired": format!("{year}-01-01T00:00:00Z"),
        "seriesType": kind,
        "cleanTitle": titles::clean(title),
        "imdbId": format!("tt{:07}", 9_000_000 + offset),
        "titleSlug": titles::slug(title),
        "rootFolderPath": "",
        "certification": rng.pick(&["TV-PG", "TV-14", "TV-MA"]),
        "genres": if genres.first() == genres.last() { json!(["Drama"]) } else { json!(genres) },
        "tags": [],
        "added": "0001-01-01T00:00:00Z",
        "ratings": {"votes": rng.between(10, 90_000), "value": crate::quality::decimal(rng.between(50, 95) as f64 / 10.0)},
    }));
    if standing == Standing::Upcoming {
        row.shift_remove("lastAired");
        row.shift_remove("certification");
    }
    row
}

pub(super) fn midnight(day: DateTime<Utc>) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(day.year(), day.month(), day.day(), 0, 0, 0).single().unwrap_or(day)
}

/// The seasons, episodes and files of a series.
fn episodes(state: &mut State, id: i64, kind: &str, standing: Standing, wanted: Option<usize>, rng: &mut Rng) {
    let now = state.now;
    let Some(row) = state.library.get(id).map(|entry| entry.row.clone()) else { return };
    let year = int(&row, "year");
    let runtime = int(&row, "runtime");
    let air_hour = text(&row, "airTime").get(..2).and_then(|hour| hour.parse::<i64>().ok()).unwrap_or(20);
    let ended = matches!(standing, Standing::Complete | Standing::LowQuality);
    let counts = seasons_of(wanted, standing == Standing::Upcoming, kind, rng);
    let seasons = i64::try_from(counts.len()).unwrap_or(1);
    let interval = if kind == "daily" { 1 } else { 7 };
    let mut list: Vec<Episode> = Vec::new();
    let mut season_rows = Vec::new();
    let mut absolute = 0;
    let specials = if kind == "anime" || rng.chance(20) { 2 } else { 0 };
    for (season, count) in (0..).zip(std::iter::once(specials).chain(counts)) {
        if count == 0 {
            continue;
        }
        let last = season == seasons;
        let start = if season == 0 {
            date(year, 12, 20)
        } else if standing == Standing::Upcoming {
            midnight(now) + Duration::days(20)
        } else if last && !ended {
            // The newest season is on air: about two thirds of it are over, and one episode airs within two days.
            midnight(now) - Duration::days(interval * (count * 2 / 3)) + Duration::days(1)
        } else {
            date(year + season - 1, 1 + u32::try_from(season % 9).unwrap_or(0), 1 + u32::try_from(id % 25).unwrap_or(0))
        };
        let monitored = standing != Standing::Unmonitored && season > 0;
        season_rows.push(json!({"seasonNumber": season, "monitored": monitored}));
        for number in 1..=count {
            if season > 0 {
                absolute += 1;
            }
            let episode_id = state.library.next_episode_id(id);
            let air = start + Duration::days(interval * (number - 1)) + Duration::hours(air_hour);
            list.push(Episode {
                id: episode_id,
                tvdb_id: 20_000_000 + episode_id,
                season,
                number,
                absolute: (kind == "anime" && season > 0).then_some(absolute),
                air: Some(air),
                runtime,
                title_seed: u32::try_from(rng.below(1 << 30)).unwrap_or(0),
                file_id: 0,
                monitored,
                last_search: (rng.chance(30) && air < now).then(|| now - Duration::hours(rng.between(1, 500))),
                finale: match (number == count, last && ended) {
                    (true, true) => Some("series"),
                    (true, false) if season > 0 => Some("season"),
                    _ => None,
                },
            });
        }
    }
    let files = files(state, id, &mut list, standing, rng);
    let aired: Vec<DateTime<Utc>> =
        list.iter().filter(|episode| episode.season > 0).filter_map(|episode| episode.air).collect();
    if let Some(entry) = state.library.get_mut(id) {
        if let Some(first) = aired.iter().min() {
            entry.row.insert("firstAired".into(), iso(midnight(*first)).into());
            entry.row.insert("year".into(), first.year().into());
        }
        if standing != Standing::Upcoming
            && let Some(last) = aired.iter().max()
        {
            entry.row.insert("lastAired".into(), iso(midnight(*last)).into());
        }
        entry.row.insert("seasons".into(), Value::Array(season_rows));
        entry.episodes = list;
        entry.files = files;
    }
}

pub(super) fn date(year: i64, month: u32, day: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(i32::try_from(year).unwrap_or(2020), month, day, 0, 0, 0).single().unwrap_or_default()
}

/// Files of the aired episodes, as far as the standing has them.
fn files(state: &mut State, id: i64, episodes: &mut [Episode], standing: Standing, rng: &mut Rng) -> Vec<EpisodeFile> {
    let now = state.now;
    let quality = match standing {
        Standing::LowQuality => rng.pick(&[4, 5]),
        _ => rng.pick(&[3, 3, 15, 7]),
    };
    let group = rng.pick(&titles::GROUPS);
    let scene_named = rng.chance(40);
    let mut files: Vec<EpisodeFile> = Vec::new();
    let mut double = standing == Standing::Complete;
    let mut index = 0;
    while index < episodes.len() {
        let Some(episode) = episodes.get(index) else { break };
        let (season, number, aired) = (episode.season, episode.number, episode.has_aired(now));
        let here = aired
            && match standing {
                Standing::Upcoming => false,
                Standing::Gaps => season > 0 && !rng.chance(35),
                Standing::Unmonitored => rng.chance(50),
                _ => true,
            };
        if !here {
            index += 1;
            continue;
        }
        // One file of a complete series holds two episodes.
        let width = if double && season == 1 && number == 1 && episodes.len() > index + 1 { 2 } else { 1 };
        double &= width == 1;
        let file_id = state.library.next_file_id(id);
        let added = episode.air.unwrap_or(now).max(now - Duration::days(1500)) + Duration::hours(6);
        for episode in episodes.iter_mut().skip(index).take(width) {
            episode.file_id = file_id;
        }
        let factor = if quality == 7 { 3 } else { 1 };
        files.push(EpisodeFile {
            id: file_id,
            season,
            quality,
            size: rng.between(700_000_000, 2_400_000_000) * factor,
            added: added.min(now),
            group,
            scene_named,
            relative: None,
            changed: None,
            gone: false,
        });
        index += width;
    }
    files
}
