//! A series as the API writes it: what is stored, and what is computed from its episodes and files.

use chrono::{DateTime, Utc};
use serde_json::{Number, Value, json};

use super::{Entry, Row, State, flag, int, iso, text};

/// Counts of a season or of a series.
#[derive(Clone, Debug, Default)]
struct Tally {
    next: Option<DateTime<Utc>>,
    previous: Option<DateTime<Utc>>,
    files: i64,
    episodes: i64,
    total: i64,
    size: i64,
    groups: Vec<&'static str>,
}

impl Tally {
    fn percent(&self) -> Value {
        percent(self.files, self.episodes)
    }
}

/// The share of episodes with a file, as a decimal: without a fraction when it is whole.
fn percent(files: i64, episodes: i64) -> Value {
    if episodes == 0 {
        return Value::from(0);
    }
    if files * 100 % episodes == 0 {
        return Value::from(files * 100 / episodes);
    }
    Number::from_f64(files as f64 / episodes as f64 * 100.0).map_or(Value::from(0), Value::Number)
}

impl State {
    /// A series of the library. `season_images` adds the images of its seasons.
    pub(crate) fn series_json(&self, entry: &Entry, season_images: bool) -> Value {
        let (total, seasons) = tally(entry, self.now);
        let row = &entry.row;
        let id = int(row, "id");
        let mut out = Row::with_capacity(48);
        for (name, value) in row {
            match name.as_str() {
                "id" => {}
                "overview" => {
                    out.insert(name.clone(), value.clone());
                    if let Some(next) = total.next {
                        out.insert("nextAiring".into(), iso(next).into());
                    }
                    if let Some(previous) = total.previous {
                        out.insert("previousAiring".into(), iso(previous).into());
                    }
                }
                "airTime" => {
                    out.insert(name.clone(), value.clone());
                    out.insert("images".into(), images(id, text(row, "titleSlug")));
                }
                "seasons" => {
                    out.insert(name.clone(), seasons_json(value, &seasons, season_images.then_some(id)));
                }
                "path" => {
                    out.insert(name.clone(), value.clone());
                }
                _ => {
                    out.insert(name.clone(), value.clone());
                }
            }
        }
        out.insert(
            "statistics".into(),
            json!({
                "seasonCount": seasons.iter().filter(|(number, _)| *number > 0).count(),
                "episodeFileCount": total.files,
                "episodeCount": total.episodes,
                "totalEpisodeCount": total.total,
                "sizeOnDisk": total.size,
                "releaseGroups": total.groups,
                "percentOfEpisodes": total.percent(),
            }),
        );
        out.insert("languageProfileId".into(), 1.into());
        out.insert("id".into(), id.into());
        Value::Object(out)
    }
}

/// Counts over the whole series and for each season. Specials count for their season only, as the real server does it
/// for airing dates and totals alike.
fn tally(entry: &Entry, now: DateTime<Utc>) -> (Tally, Vec<(i64, Tally)>) {
    let mut seasons: Vec<(i64, Tally)> = Vec::new();
    for episode in &entry.episodes {
        let index = match seasons.iter().position(|(number, _)| *number == episode.season) {
            Some(index) => index,
            None => {
                seasons.push((episode.season, Tally::default()));
                seasons.len() - 1
            }
        };
        let Some((_, season)) = seasons.get_mut(index) else { continue };
        season.total += 1;
        if episode.file_id != 0 {
            season.files += 1;
        }
        if episode.file_id != 0 || (episode.monitored && episode.has_aired(now)) {
            season.episodes += 1;
        }
        if let Some(air) = episode.air.filter(|_| episode.monitored || episode.file_id != 0) {
            if air > now {
                season.next = Some(season.next.map_or(air, |next| next.min(air)));
            } else {
                season.previous = Some(season.previous.map_or(air, |previous| previous.max(air)));
            }
        }
    }
    for file in &entry.files {
        if let Some((_, season)) = seasons.iter_mut().find(|(number, _)| *number == file.season) {
            season.size += file.size;
            if !season.groups.contains(&file.group) {
                season.groups.push(file.group);
            }
        }
    }
    let mut total = Tally::default();
    for (number, season) in &seasons {
        total.size += season.size;
        for group in &season.groups {
            if !total.groups.contains(group) {
                total.groups.push(group);
            }
        }
        if *number == 0 {
            continue;
        }
        total.files += season.files;
        total.episodes += season.episodes;
        total.total += season.total;
        total.next = [total.next, season.next].into_iter().flatten().min();
        total.previous = [total.previous, season.previous].into_iter().flatten().max();
    }
    (total, seasons)
}

fn seasons_json(stored: &Value, seasons: &[(i64, Tally)], images_of: Option<i64>) -> Value {
    let stored = stored.as_array().map(Vec::as_slice).unwrap_or_default();
    let empty = Tally::default();
    let write = |season: &Value| {
        let number = season.get("seasonNumber").and_then(Value::as_i64).unwrap_or(0);
        let tally = seasons.iter().find(|(known, _)| *known == number).map_or(&empty, |(_, tally)| tally);
        let mut out = season.as_object().cloned().unwrap_or_default();
        let mut statistics = Row::new();
        if let Some(next) = tally.next {
            statistics.insert("nextAiring".into(), iso(next).into());
        }
        if let Some(previous) = tally.previous {
            statistics.insert("previousAiring".into(), iso(previous).into());
        }
        statistics.insert("episodeFileCount".into(), tally.files.into());
        statistics.insert("episodeCount".into(), tally.episodes.into());
        statistics.insert("totalEpisodeCount".into(), tally.total.into());
        statistics.insert("sizeOnDisk".into(), tally.size.into());
        statistics.insert("releaseGroups".into(), json!(tally.groups));
        statistics.insert("percentOfEpisodes".into(), tally.percent());
        out.insert("statistics".into(), Value::Object(statistics));
        if let Some(id) = images_of {
            out.insert(
                "images".into(),
                json!([{
                    "coverType": "poster",
                    "url": format!("/MediaCover/{id}/season-{number}-poster.jpg"),
                    "remoteUrl": format!("https://artwork.example/series/{id}/season-{number}-poster.jpg"),
                }]),
            );
        }
        Value::Object(out)
    };
    stored.iter().map(write).collect()
}

/// The four images of a series in the library.
fn images(id: i64, slug: &str) -> Value {
    let image = |kind: &str, extension: &str| {
        json!({
            "coverType": kind,
            "url": format!("/MediaCover/{id}/{kind}.{extension}?lastWrite={}", 639_000_000_000_000_000 + id * 10_007),
            "remoteUrl": format!("https://artwork.example/series/{slug}/{kind}.{extension}"),
        })
    };
    json!([image("banner", "jpg"), image("poster", "jpg"), image("fanart", "jpg"), image("clearlogo", "png")])
}

/// Whether a season of a series is monitored.
pub(crate) fn season_monitored(row: &Row, season: i64) -> bool {
    let seasons = row.get("seasons").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    seasons
        .iter()
        .filter_map(Value::as_object)
        .any(|stored| int(stored, "seasonNumber") == season && flag(stored, "monitored"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_whole_where_they_can_be() {
        assert_eq!(percent(8, 8), json!(100));
        assert_eq!(percent(1, 2), json!(50));
        assert_eq!(percent(0, 0), json!(0));
        assert!((percent(1, 3).as_f64().unwrap() - 33.333).abs() < 0.01);
    }
}
