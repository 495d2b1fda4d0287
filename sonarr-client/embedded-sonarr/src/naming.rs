//! File and folder names by the naming settings.

use serde_json::Value;

use crate::state::episode::{Episode, EpisodeFile};
use crate::state::{Entry, State, flag, int, text};

/// The standard format of a fresh installation.
pub(crate) const STANDARD: &str = "{Series Title} - S{season:00}E{episode:00} - {Episode Title} {Quality Full}";

/// What names are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub series: String,
    pub year: i64,
    pub season: i64,
    pub episodes: Vec<i64>,
    pub absolute: Vec<i64>,
    pub titles: Vec<String>,
    pub air_date: String,
    pub quality: String,
    pub tvdb_id: i64,
    pub imdb_id: String,
    pub group: String,
}

/// The path of a renamed file below its series' folder.
pub(crate) fn relative_path(state: &State, entry: &Entry, file: &EpisodeFile) -> String {
    let mut episodes: Vec<&Episode> = entry.episodes_of_file(file.id).collect();
    episodes.sort_by_key(|episode| episode.number);
    let parts = Parts {
        series: text(&entry.row, "title").to_owned(),
        year: int(&entry.row, "year"),
        season: file.season,
        episodes: episodes.iter().map(|episode| episode.number).collect(),
        absolute: episodes.iter().filter_map(|episode| episode.absolute).collect(),
        titles: episodes.iter().map(|episode| episode.title()).collect(),
        air_date: episodes
            .first()
            .and_then(|episode| episode.air)
            .map(|air| air.format("%Y-%m-%d").to_string())
            .unwrap_or_default(),
        quality: crate::quality::by_id(file.quality).map_or("Unknown", |quality| quality.name).to_owned(),
        tvdb_id: int(&entry.row, "tvdbId"),
        imdb_id: text(&entry.row, "imdbId").to_owned(),
        group: file.group.to_owned(),
    };
    let member = match text(&entry.row, "seriesType") {
        "daily" => "dailyEpisodeFormat",
        "anime" => "animeEpisodeFormat",
        _ => "standardEpisodeFormat",
    };
    let format = state.setting("config/naming", member).as_str().unwrap_or(STANDARD).to_owned();
    let name = format!("{}.mkv", fill(&format, &parts));
    if flag(&entry.row, "seasonFolder") {
        let member = if file.season == 0 { "specialsFolderFormat" } else { "seasonFolderFormat" };
        let folder = state.setting("config/naming", member).as_str().unwrap_or("Season {season:00}").to_owned();
        format!("{}/{name}", fill(&folder, &parts))
    } else {
        name
    }
}

/// The folder name of a series.
pub(crate) fn series_folder(state: &State, series: &serde_json::Map<String, Value>) -> String {
    let format = state.setting("config/naming", "seriesFolderFormat").as_str().unwrap_or("{Series Title}").to_owned();
    let parts = Parts {
        series: text(series, "title").to_owned(),
        year: int(series, "year"),
        tvdb_id: int(series, "tvdbId"),
        imdb_id: text(series, "imdbId").to_owned(),
        ..Parts::default()
    };
    fill(&format, &parts)
}

/// Fills a format's tokens. Text between tokens stays; a token without a value leaves nothing.
pub(crate) fn fill(format: &str, parts: &Parts) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((token, tail)) = after.split_once('}') else {
            rest = after;
            break;
        };
        let (value, tail) = if token.starts_with("episode") {
            (episode_numbers(parts, width(token)), tail)
        } else {
            (value(token, parts), tail)
        };
        out.push_str(&value);
        rest = tail;
    }
    out.push_str(rest);
    clean(&out)
}

fn width(token: &str) -> usize {
    token.split_once(':').map_or(1, |(_, zeros)| zeros.len())
}

fn episode_numbers(parts: &Parts, width: usize) -> String {
    let numbers: Vec<String> = parts.episodes.iter().map(|number| format!("{number:0width$}")).collect();
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if numbers.len() > 1 => format!("{first}-E{last}"),
        (Some(first), _) => first.clone(),
        _ => String::new(),
    }
}

fn value(token: &str, parts: &Parts) -> String {
    let (name, _) = token.split_once(':').unwrap_or((token, ""));
    let width = width(token);
    match name.to_ascii_lowercase().trim_matches(['[', ']', '(', ')', '-', ' ']) {
        "series title" | "series cleantitle" => parts.series.clone(),
        "series titleyear" | "series cleantitleyear" => {
            if parts.year > 0 && !parts.series.contains(&format!("({})", parts.year)) {
                format!("{} ({})", parts.series, parts.year)
            } else {
                parts.series.clone()
            }
        }
        "series year" => parts.year.to_string(),
        "season" => format!("{:0width$}", parts.season),
        "absolute" => parts.absolute.iter().map(|number| format!("{number:0width$}")).collect::<Vec<_>>().join("-"),
        "episode title" | "episode cleantitle" => parts.titles.join(" + "),
        "air-date" | "air date" => parts.air_date.clone(),
        "quality full" | "quality title" => parts.quality.clone(),
        "release group" => parts.group.clone(),
        "tvdbid" => parts.tvdb_id.to_string(),
        "imdbid" => parts.imdb_id.clone(),
        _ => String::new(),
    }
}

/// Removes what a file name cannot hold; a colon becomes ` -`.
fn clean(name: &str) -> String {
    let name = name.replace(": ", " - ").replace(':', "-");
    let kept: String =
        name.chars().filter(|letter| !matches!(letter, '?' | '*' | '"' | '<' | '>' | '|' | '\\')).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Parts {
        Parts {
            series: "Tidewater: Nine".into(),
            year: 2021,
            season: 2,
            episodes: vec![3],
            titles: vec!["Low Water?".into()],
            quality: "WEBDL-1080p".into(),
            tvdb_id: 77,
            ..Parts::default()
        }
    }

    #[test]
    fn tokens_are_filled() {
        assert_eq!(fill(STANDARD, &parts()), "Tidewater - Nine - S02E03 - Low Water WEBDL-1080p");
        assert_eq!(fill("{Series TitleYear} [tvdbid-{TvdbId}]", &parts()), "Tidewater - Nine (2021) [tvdbid-77]");
        assert_eq!(fill("Season {season:00}", &parts()), "Season 02");
        let double = Parts { episodes: vec![3, 4], ..parts() };
        assert!(fill(STANDARD, &double).contains("S02E03-E04"));
    }
}
