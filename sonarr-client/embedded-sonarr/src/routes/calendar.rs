//! The calendar, as JSON and as iCalendar feed.

use chrono::{DateTime, Duration, Timelike, Utc};
use serde_json::Value;

use super::Call;
use crate::http::{Failure, Reply};
use crate::state::episode::{Episode, With};
use crate::state::{Entry, State, flag, int, ints, text};

/// Midnight before a moment.
fn midnight(time: DateTime<Utc>) -> DateTime<Utc> {
    time.with_hour(0)
        .and_then(|time| time.with_minute(0))
        .and_then(|time| time.with_second(0))
        .and_then(|time| time.with_nanosecond(0))
        .unwrap_or(time)
}

/// Ids of the tags in a comma list of ids and labels; an unknown label is an error.
fn tag_ids(call: &Call<'_>, list: &str) -> Result<Vec<i64>, Failure> {
    let mut ids = Vec::new();
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if let Ok(id) = word.parse() {
            ids.push(id);
            continue;
        }
        let label = word.to_lowercase();
        let known = call.state.table("tag").rows().find(|tag| text(tag, "label") == label).map(|tag| int(tag, "id"));
        ids.push(known.ok_or_else(|| call.invalid_operation("Sequence contains no matching element"))?);
    }
    Ok(ids)
}

/// Episodes that air between two moments, by date.
fn between<'a>(
    state: &'a State,
    start: DateTime<Utc>,
    end: DateTime<Utc>,
    unmonitored: bool,
    tags: &[i64],
) -> Vec<(&'a Entry, &'a Episode)> {
    let mut found: Vec<(&Entry, &Episode)> = state
        .library
        .iter()
        .map(|(_, entry)| entry)
        .filter(|entry| tags.is_empty() || ints(&entry.row, "tags").iter().any(|tag| tags.contains(tag)))
        .flat_map(|entry| entry.episodes.iter().map(move |episode| (entry, episode)))
        .filter(|(entry, episode)| {
            episode.air.is_some_and(|air| air >= start && air <= end)
                && (unmonitored || (episode.monitored && flag(&entry.row, "monitored")))
        })
        .collect();
    found.sort_by_key(|(_, episode)| (episode.air, episode.id));
    found
}

pub(super) fn list(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let today = midnight(call.state.now);
    let start = query.date("start")?.unwrap_or(today);
    let end = query.date("end")?.unwrap_or(today + Duration::days(2));
    let unmonitored = query.flag("unmonitored", false)?;
    let with = With {
        series: query.flag("includeSeries", false)?,
        file: query.flag("includeEpisodeFile", false)?,
        images: query.flag("includeEpisodeImages", false)?,
    };
    let tags = tag_ids(call, query.text("tags").unwrap_or_default())?;
    let state = &*call.state;
    let list = between(state, start, end, unmonitored, &tags);
    Ok(Reply::ok(list.into_iter().map(|(entry, episode)| state.episode_json(entry, episode, with)).collect::<Value>()))
}

pub(super) fn feed(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let query = call.query();
    let past = query.int("pastDays")?.unwrap_or(7);
    let future = query.int("futureDays")?.unwrap_or(28);
    let unmonitored = query.flag("unmonitored", false)?;
    let premieres = query.flag("premieresOnly", false)?;
    let whole_day = query.flag("asAllDay", false)?;
    let tags = tag_ids(call, query.text("tags").unwrap_or_default())?;
    let state = &*call.state;
    let today = midnight(state.now);
    let mut feed = String::from(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//sonarr.tv//Sonarr//EN\r\nNAME:Sonarr TV Schedule\r\nX-WR-CALNAME:Sonarr TV Schedule\r\n",
    );
    for (entry, episode) in
        between(state, today - Duration::days(past), today + Duration::days(future), unmonitored, &tags)
    {
        if premieres && (episode.season == 0 || episode.number != 1) {
            continue;
        }
        let Some(air) = episode.air else { continue };
        feed.push_str("BEGIN:VEVENT\r\n");
        feed.push_str(&format!("UID:NzbDrone_episode_{}\r\n", episode.id));
        feed.push_str(&format!("DTSTAMP:{}\r\n", state.now.format("%Y%m%dT%H%M%SZ")));
        if whole_day {
            feed.push_str(&format!("DTSTART;VALUE=DATE:{}\r\n", air.format("%Y%m%d")));
        } else {
            let end = air + Duration::minutes(episode.runtime);
            feed.push_str(&format!(
                "DTSTART:{}\r\nDTEND:{}\r\n",
                air.format("%Y%m%dT%H%M%SZ"),
                end.format("%Y%m%dT%H%M%SZ")
            ));
        }
        let summary =
            format!("{} - {}x{:02} - {}", text(&entry.row, "title"), episode.season, episode.number, episode.title());
        feed.push_str(&format!("SUMMARY:{}\r\n", escape(&summary)));
        feed.push_str(&format!("STATUS:{}\r\n", if episode.file_id != 0 { "CONFIRMED" } else { "TENTATIVE" }));
        feed.push_str("END:VEVENT\r\n");
    }
    feed.push_str("END:VCALENDAR\r\n");
    Ok(Reply::bytes("text/calendar; charset=utf-8", feed))
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,")
}
