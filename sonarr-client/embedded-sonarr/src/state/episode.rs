//! Episodes and episode files: compact in memory, whole on the wire.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{Entry, Row, State, int, iso, text};
use crate::formats::{self, Subject};
use crate::seed::titles;

/// An episode.
#[derive(Clone, Debug, Default)]
pub(crate) struct Episode {
    pub id: i64,
    pub tvdb_id: i64,
    pub season: i64,
    pub number: i64,
    pub absolute: Option<i64>,
    pub air: Option<DateTime<Utc>>,
    pub runtime: i64,
    /// Chooses title and overview.
    pub title_seed: u32,
    /// 0 when there is no file.
    pub file_id: i64,
    pub monitored: bool,
    pub last_search: Option<DateTime<Utc>>,
    pub finale: Option<&'static str>,
}

/// A file of one or more episodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct EpisodeFile {
    pub id: i64,
    pub season: i64,
    pub quality: i64,
    pub size: i64,
    pub added: DateTime<Utc>,
    pub group: &'static str,
    /// Whether the file still carries its release's name.
    pub scene_named: bool,
    /// Path below the series folder when it follows neither the release nor the usual names.
    pub relative: Option<Box<str>>,
    /// Members that were changed by hand: they win over what is computed.
    pub changed: Option<Box<Row>>,
    /// Whether the video is no longer on the disk, which a scan of the folder would notice.
    pub gone: bool,
}

/// What an episode is written with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct With {
    pub series: bool,
    pub file: bool,
    pub images: bool,
}

impl Episode {
    pub(crate) fn title(&self) -> String {
        titles::episode(self.title_seed)
    }

    pub(crate) fn has_aired(&self, now: DateTime<Utc>) -> bool {
        self.air.is_some_and(|air| air <= now)
    }

    /// `S01E02`.
    pub(crate) fn code(&self) -> String {
        format!("S{:02}E{:02}", self.season, self.number)
    }
}

impl State {
    /// An episode as the API writes it.
    pub(crate) fn episode_json(&self, entry: &Entry, episode: &Episode, with: With) -> Value {
        let mut row = Row::new();
        let mut put = |name: &str, value: Value| row.insert(name.to_owned(), value);
        put("seriesId", int(&entry.row, "id").into());
        put("tvdbId", episode.tvdb_id.into());
        put("episodeFileId", episode.file_id.into());
        put("seasonNumber", episode.season.into());
        put("episodeNumber", episode.number.into());
        put("title", episode.title().into());
        if let Some(air) = episode.air {
            put("airDate", air.format("%Y-%m-%d").to_string().into());
            put("airDateUtc", iso(air).into());
        }
        if let Some(searched) = episode.last_search {
            put("lastSearchTime", iso(searched).into());
        }
        put("runtime", episode.runtime.into());
        if let Some(finale) = episode.finale {
            put("finaleType", finale.into());
        }
        put("overview", titles::episode_overview(episode.title_seed).into());
        if with.file
            && let Some(file) = entry.file(episode.file_id)
        {
            put("episodeFile", self.file_json(entry, file));
        }
        put("hasFile", (episode.file_id != 0).into());
        put("monitored", episode.monitored.into());
        if let Some(absolute) = episode.absolute {
            put("absoluteEpisodeNumber", absolute.into());
        }
        put("unverifiedSceneNumbering", false.into());
        if with.series {
            put("series", self.series_json(entry, false));
        }
        if with.images {
            put(
                "images",
                json!([{
                    "coverType": "screenshot",
                    "remoteUrl": format!("https://artwork.example/episodes/{}/screenshot.jpg", episode.tvdb_id),
                }]),
            );
        }
        put("id", episode.id.into());
        Value::Object(row)
    }

    /// The path of a file below its series' folder.
    pub(crate) fn relative_path(&self, entry: &Entry, file: &EpisodeFile) -> String {
        match &file.relative {
            Some(relative) => relative.to_string(),
            None if file.scene_named => {
                format!("{}/{}.mkv", season_folder(file.season), scene_name(entry, file))
            }
            None => crate::naming::relative_path(self, entry, file),
        }
    }

    /// An episode file as the API writes it.
    pub(crate) fn file_json(&self, entry: &Entry, file: &EpisodeFile) -> Value {
        let relative = self.relative_path(entry, file);
        let scene = scene_name(entry, file);
        let changed = |name: &str| file.changed.as_ref().and_then(|changed| changed.get(name)).cloned();
        let quality = changed("quality").unwrap_or_else(|| crate::quality::model(file.quality, 1, false));
        // Files speak the language in which their series was made.
        let original = entry.row.get("originalLanguage").cloned();
        let spoken = original.as_ref().map_or("eng", |language| spoken(language));
        let languages = changed("languages").unwrap_or_else(|| original.into_iter().collect());
        let episodes = entry.episodes_of_file(file.id).count();
        let runtime: i64 = entry.episodes_of_file(file.id).map(|episode| episode.runtime).sum();
        let profile = self.row("qualityprofile", int(&entry.row, "qualityProfileId"));
        let quality_id = crate::quality::model_id(&quality);
        let subject = Subject {
            title: &scene,
            quality: quality_id,
            languages: language_ids(&languages),
            size: file.size,
            group: file.group,
            flags: 0,
            release_type: if episodes > 1 { 2 } else { 1 },
        };
        let (formats, score) = formats::evaluate(self, profile, &subject);
        let mut row = super::object(json!({
            "seriesId": int(&entry.row, "id"),
            "seasonNumber": file.season,
            "relativePath": relative,
            "path": format!("{}/{relative}", text(&entry.row, "path")),
            "size": file.size,
            "dateAdded": iso(file.added),
            "sceneName": scene,
            "releaseGroup": file.group,
            "languages": languages,
            "quality": quality,
            "customFormats": formats,
            "customFormatScore": score,
            "indexerFlags": 0,
            "releaseType": if episodes > 1 { "multiEpisode" } else { "singleEpisode" },
            "mediaInfo": media_info(file, quality_id, runtime, spoken),
            "qualityCutoffNotMet": profile.is_some_and(|profile| crate::quality::below_cutoff(profile, quality_id)),
            "id": file.id,
        }));
        if let Some(changed) = &file.changed {
            for (name, value) in changed.iter() {
                row.insert(name.clone(), value.clone());
            }
            row.retain(|_, value| !value.is_null());
        }
        Value::Object(row)
    }
}

/// The ids in a list of languages.
pub(crate) fn language_ids(languages: &Value) -> Vec<i64> {
    let items = languages.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|language| language.get("id").and_then(Value::as_i64)).collect()
}

/// The folder of a season below the series' folder.
pub(crate) fn season_folder(season: i64) -> String {
    if season == 0 { "Specials".to_owned() } else { format!("Season {season:02}") }
}

/// The name of the release that a file came from.
pub(crate) fn scene_name(entry: &Entry, file: &EpisodeFile) -> String {
    let numbers: Vec<i64> = entry.episodes_of_file(file.id).map(|episode| episode.number).collect();
    let mut code = format!("S{:02}", file.season);
    for number in &numbers {
        code.push_str(&format!("E{number:02}"));
    }
    release_name(text(&entry.row, "title"), &code, file.quality, file.group)
}

/// `Some.Title.S01E02.1080p.WEB.h264-GROUP`.
pub(crate) fn release_name(title: &str, code: &str, quality: i64, group: &str) -> String {
    let words: Vec<String> = title
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .map(|word| word.replace('\'', ""))
        .collect();
    let quality = crate::quality::by_id(quality);
    let (source, resolution) = quality.map_or(("web", 1080), |quality| (quality.source, quality.resolution));
    let source = match source {
        "television" => "HDTV",
        "webRip" => "WEBRip",
        "bluray" => "BluRay",
        "blurayRaw" => "BluRay.REMUX",
        "dvd" => "DVDRip",
        _ => "WEB",
    };
    let codec = if resolution >= 2160 { "x265" } else { "h264" };
    format!("{}.{code}.{resolution}p.{source}.{codec}-{group}", words.join("."))
}

/// The code by which a file names the language of its audio.
fn spoken(language: &Value) -> &'static str {
    if language.get("id").and_then(Value::as_i64) == Some(8) { "jpn" } else { "eng" }
}

fn media_info(file: &EpisodeFile, quality: i64, runtime: i64, spoken: &str) -> Value {
    let resolution = match crate::quality::by_id(quality).map_or(1080, |quality| quality.resolution) {
        2160 => "3840x2160",
        1080 => "1920x1080",
        720 => "1280x720",
        _ => "720x480",
    };
    let surround = file.size % 3 != 0;
    json!({
        "audioBitrate": if surround { 640_000 } else { 192_000 },
        "audioChannels": if surround { 5.1 } else { 2.0 },
        "audioCodec": if surround { "EAC3" } else { "AAC" },
        "audioLanguages": spoken,
        "audioStreamCount": 1,
        "videoBitDepth": if resolution == "3840x2160" { 10 } else { 8 },
        "videoBitrate": 0,
        "videoCodec": if resolution == "3840x2160" { "x265" } else { "h264" },
        "videoFps": 23.976,
        "videoDynamicRange": if resolution == "3840x2160" { "HDR" } else { "" },
        "videoDynamicRangeType": if resolution == "3840x2160" { "HDR10" } else { "" },
        "resolution": resolution,
        "runTime": run_time(runtime, file.size % 60),
        "scanType": "Progressive",
        "subtitles": "eng",
    })
}

/// A running time as the server writes it: `h:mm:ss`, or `mm:ss` below an hour.
fn run_time(minutes: i64, seconds: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}:{seconds:02}"),
        (hours, minutes) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_times_have_hours_from_one_hour_on() {
        assert_eq!(run_time(45, 7), "45:07");
        assert_eq!(run_time(60, 7), "1:00:07");
        assert_eq!(run_time(104, 59), "1:44:59");
    }

    #[test]
    fn release_names_are_dotted() {
        assert_eq!(
            release_name("The Heron's Ledger (2019)", "S01E02", 3, "NEST"),
            "The.Herons.Ledger.2019.S01E02.1080p.WEB.h264-NEST"
        );
        assert_eq!(season_folder(0), "Specials");
    }
}
