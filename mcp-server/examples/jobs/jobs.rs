//! Twelve everyday jobs, each as calls of the server and as plain requests of Sonarr's API.

use serde_json::{Value, json};

use super::session::{Session, id_where, insert, records, with_profile};

/// The jobs, in the order in which they are done: each finds the library as those before have left it.
pub const JOBS: [&str; 12] = [
    "What airs this week?",
    "Which monitored series miss episodes?",
    "Is a title in the library?",
    "Add it.",
    "Why is an episode not here?",
    "Remove a failed download and blocklist it.",
    "Change 30 series to another profile.",
    "How much space is free?",
    "Which indexers fail?",
    "Turn one season off.",
    "What would a rename change?",
    "What was grabbed since yesterday?",
];

const LIBRARY: &str = "sonarr_media_library";
/// The series that several jobs are about.
const SERIES: &str = "Paper Lantern Brigade";
/// The term by which the series that is added is known.
const TERM: &str = "tvdb:9900003";
const FOLDER: &str = "/media/tv";
/// The profile that series change from, and the name of the one they change to.
const OLD_PROFILE: i64 = 1;
const NEW_PROFILE: &str = "HD-1080p";
/// How many series change their profile.
const MANY: usize = 30;
/// The week and the day before the library's today, 2026-03-14.
const WEEK: [&str; 2] = ["2026-03-14", "2026-03-21"];
const YESTERDAY: &str = "2026-03-13";

/// Does one of [`JOBS`] through the server.
///
/// # Errors
/// The first call that failed, or whose answer lacks what the next one needs.
pub async fn by_calls(session: &mut Session, job: usize) -> Result<(), String> {
    let answer = match job {
        0 => {
            let [start, end] = WEEK;
            let span = json!({"start": start, "end": end, "includeSeries": true});
            let query = "[].{series: series.title, season: seasonNumber, episode: episodeNumber, title: title, airs: airDateUtc}";
            let week = session.call("sonarr_calendar", "list_calendar", span, query).await?;
            if session.queries() { week } else { titles(session).await? }
        }
        // The list of so many series has no room for what they miss, but that of episodes tells.
        1 if !session.queries() => {
            let missing = json!({"monitored": true, "pageSize": 1000});
            session.call("sonarr_wanted", "list_missing_episodes", missing, "").await?;
            titles(session).await?
        }
        1 => {
            let query = "[?monitored && statistics.percentOfEpisodes < `100`].{id: id, title: title, \
                         have: statistics.episodeFileCount, of: statistics.episodeCount}";
            session.call(LIBRARY, "list_series", json!({}), query).await?
        }
        2 => {
            let query = "[?contains(title, 'Letters from')].{id: id, title: title}";
            session.call(LIBRARY, "list_series", json!({}), query).await?
        }
        3 => {
            session.call("sonarr_storage", "list_root_folders", json!({}), "[].path").await?;
            let series = json!({"term": TERM, "rootFolderPath": FOLDER});
            session.call(LIBRARY, "add_series_by_title", series, "").await?
        }
        4 => {
            let episode = json!({"seriesId": SERIES, "episodeId": "S02E02"});
            session.call(LIBRARY, "diagnose_episode", episode, "").await?
        }
        5 => {
            let query = "records[?status == 'failed'].{id: id, title: title, status: status}";
            let queue = session.call("sonarr_queue", "list_queue", json!({}), query).await?;
            let id = id_where(records(&queue), "status", "failed")?;
            session.call("sonarr_queue", "remove_queue_item", json!({"id": id, "blocklist": true}), "").await?
        }
        6 => {
            let query = "[].{id: id, name: name}";
            let profiles = session.call("sonarr_profiles_formats", "list_quality_profiles", json!({}), query).await?;
            let profile = id_where(records(&profiles), "name", NEW_PROFILE)?;
            let query = format!(
                "[?qualityProfileId == `{OLD_PROFILE}`] | [:{MANY}].{{id: id, qualityProfileId: qualityProfileId}}"
            );
            let series = session.call(LIBRARY, "list_series", json!({}), &query).await?;
            let ids = with_profile(records(&series), OLD_PROFILE, MANY);
            let body = json!({"seriesIds": ids, "qualityProfileId": profile});
            session.call(LIBRARY, "update_many_series", json!({"body": body}), "length(@)").await?
        }
        7 => {
            let query = "[].{path: path, free: freeSpace, total: totalSpace}";
            session.call("sonarr_storage", "list_disk_space", json!({}), query).await?
        }
        8 => {
            let query = "[?starts_with(source, 'Indexer')].message";
            session.call("sonarr_system_commands", "list_health", json!({}), query).await?
        }
        9 => {
            let season = json!({"seriesId": SERIES, "seasonNumber": 1, "monitored": false});
            session.call(LIBRARY, "set_season_monitoring", season, "").await?
        }
        10 => {
            let query = "[].{from: existingPath, to: newPath}";
            session.call(LIBRARY, "preview_rename", json!({"seriesId": SERIES}), query).await?
        }
        _ => {
            let grabs = json!({"date": YESTERDAY, "eventType": "grabbed"});
            let query = "[].{at: date, release: sourceTitle}";
            session.call("sonarr_history_blocklist", "list_history_since", grabs, query).await?
        }
    };
    if answer.is_null() { Err("the last call answered null".to_owned()) } else { Ok(()) }
}

/// Does one of [`JOBS`] by requests whose whole answers are read, with no parameter but those that the job is about.
///
/// # Errors
/// The first request that failed, or whose answer lacks what the next one needs.
pub async fn by_requests(session: &mut Session, job: usize) -> Result<(), String> {
    match job {
        0 => {
            let [start, end] = WEEK;
            get(session, &format!("/calendar?start={start}&end={end}&includeSeries=true")).await?;
        }
        1 | 2 => {
            get(session, "/series").await?;
        }
        3 => {
            let found = get(session, &format!("/series/lookup?term={TERM}")).await?;
            get(session, "/rootfolder").await?;
            let profiles = get(session, "/qualityprofile").await?;
            let mut series = records(&found).first().cloned().ok_or_else(|| format!("{TERM} is not found"))?;
            insert(&mut series, "rootFolderPath", FOLDER.into());
            insert(&mut series, "qualityProfileId", id_where(records(&profiles), "name", NEW_PROFILE)?.into());
            insert(&mut series, "monitored", true.into());
            session.request("POST", "/series", Some(&series)).await?;
        }
        4 => {
            let id = series(session).await?;
            let episodes = get(session, &format!("/episode?seriesId={id}")).await?;
            let is = |one: &&Value, member, number| one.get(member).and_then(Value::as_i64) == Some(number);
            let episode = records(&episodes)
                .iter()
                .find(|one| is(one, "seasonNumber", 2) && is(one, "episodeNumber", 2))
                .and_then(|one| one.get("id"))
                .ok_or("the episode is not listed")?;
            for path in ["/queue", &format!("/history?episodeId={episode}"), "/blocklist", "/health", "/diskspace"] {
                get(session, path).await?;
            }
        }
        5 => {
            let queue = get(session, "/queue").await?;
            let id = id_where(records(&queue), "status", "failed")?;
            session.request("DELETE", &format!("/queue/{id}?removeFromClient=true&blocklist=true"), None).await?;
        }
        6 => {
            let profiles = get(session, "/qualityprofile").await?;
            let profile = id_where(records(&profiles), "name", NEW_PROFILE)?;
            let series = get(session, "/series").await?;
            let ids = with_profile(records(&series), OLD_PROFILE, MANY);
            let body = json!({"seriesIds": ids, "qualityProfileId": profile});
            session.request("PUT", "/series/editor", Some(&body)).await?;
        }
        7 => {
            get(session, "/diskspace").await?;
        }
        8 => {
            get(session, "/health").await?;
        }
        9 => {
            let id = series(session).await?;
            let mut whole = get(session, &format!("/series/{id}")).await?;
            let seasons = whole.get_mut("seasons").and_then(Value::as_array_mut).ok_or("the series has no seasons")?;
            for season in seasons.iter_mut().filter(|one| one.get("seasonNumber") == Some(&json!(1))) {
                insert(season, "monitored", false.into());
            }
            session.request("PUT", &format!("/series/{id}"), Some(&whole)).await?;
        }
        10 => {
            let id = series(session).await?;
            get(session, &format!("/rename?seriesId={id}")).await?;
        }
        _ => {
            get(session, &format!("/history/since?date={YESTERDAY}&eventType=grabbed")).await?;
        }
    }
    Ok(())
}

/// The list of series, for an answer that was too long to name the series of its records.
async fn titles(session: &mut Session) -> Result<Value, String> {
    session.call(LIBRARY, "list_series", json!({}), "").await
}

async fn get(session: &mut Session, path: &str) -> Result<Value, String> {
    session.request("GET", path, None).await
}

/// The id of [`SERIES`]: there is no way to ask Sonarr for a series by its title.
async fn series(session: &mut Session) -> Result<i64, String> {
    id_where(records(&get(session, "/series").await?), "title", SERIES)
}
