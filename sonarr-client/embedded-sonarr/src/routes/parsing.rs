//! Reading release titles.

use std::sync::OnceLock;

use regex::Regex;
use serde_json::{Value, json};

use super::Call;
use crate::formats::{self, Subject};
use crate::http::{Failure, Reply};
use crate::seed::titles;
use crate::state::episode::{Episode, With};
use crate::state::{Row, State, int, text};

/// What a title says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub series: String,
    pub season: i64,
    /// Empty for a whole season.
    pub episodes: Vec<i64>,
    pub group: String,
    pub tokens: String,
}

impl Parsed {
    /// Whether an episode is among those that the title names.
    pub(crate) fn holds(&self, episode: &Episode) -> bool {
        episode.season == self.season && (self.episodes.is_empty() || self.episodes.contains(&episode.number))
    }
}

/// Reads `Some.Title.S01E02E03.1080p.WEB-GROUP`, `Some Title - 1x02` and `Some.Title.S01`.
pub(crate) fn read(title: &str) -> Option<Parsed> {
    static FORMS: OnceLock<Option<[Regex; 2]>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        let coded = Regex::new(
            r"(?i)^(?P<title>.+?)[ ._-]+S(?P<season>\d{1,4})(?P<episodes>(?:[ ._-]?E\d{1,3})*)(?P<rest>.*)$",
        )
        .ok()?;
        let crossed =
            Regex::new(r"(?i)^(?P<title>.+?)[ ._-]+(?P<season>\d{1,2})x(?P<episodes>\d{1,3})(?P<rest>.*)$").ok()?;
        Some([coded, crossed])
    });
    let name = title.trim_end_matches(".mkv").trim_end_matches(".mp4");
    let found = forms.as_ref()?.iter().find_map(|form| form.captures(name))?;
    let part = |group: &str| found.name(group).map_or("", |part| part.as_str());
    let digits = part("episodes").split(|letter: char| !letter.is_ascii_digit());
    let rest = part("rest");
    Some(Parsed {
        series: part("title").replace(['.', '_'], " ").trim_matches([' ', '-']).to_owned(),
        season: part("season").parse().ok()?,
        episodes: digits.filter_map(|digits| digits.parse().ok()).collect(),
        group: rest
            .rsplit_once('-')
            .map(|(_, group)| group.trim().to_owned())
            .filter(|group| !group.contains(' '))
            .unwrap_or_default(),
        tokens: rest.to_owned(),
    })
}

/// The series of the library that a title names.
pub(crate) fn series_of(state: &State, title: &str) -> Option<i64> {
    let wanted = titles::clean(title);
    let found = state.library.iter().find(|(_, entry)| {
        let clean = text(&entry.row, "cleanTitle");
        clean == wanted || format!("{clean}{}", int(&entry.row, "year")) == wanted
    });
    found.map(|(id, _)| id)
}

pub(super) fn parse(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let title = call.query().text("title").unwrap_or_default().trim().to_owned();
    if title.is_empty() {
        return Ok(Reply::status(204));
    }
    let path = call.query().text("path").map(|path| crate::disk::name_of(path).to_owned());
    let subject = path.unwrap_or_else(|| title.clone());
    let mut row = Row::new();
    row.insert("title".into(), title.into());
    let Some(parsed) = read(&subject) else {
        row.insert("customFormatScore".into(), 0.into());
        return Ok(Reply::ok(Value::Object(row)));
    };
    let state = &*call.state;
    let quality = crate::quality::from_title(&subject);
    row.insert("parsedEpisodeInfo".into(), info(&subject, &parsed, quality));
    let entry = series_of(state, &parsed.series).and_then(|id| state.library.get(id));
    let mut profile = None;
    if let Some(entry) = entry {
        row.insert("series".into(), state.series_json(entry, false));
        let episodes = entry.episodes.iter().filter(|episode| parsed.holds(episode));
        row.insert(
            "episodes".into(),
            episodes.map(|episode| state.episode_json(entry, episode, With::default())).collect(),
        );
        profile = state.row("qualityprofile", int(&entry.row, "qualityProfileId"));
    } else {
        row.insert("episodes".into(), json!([]));
    }
    let subject = Subject { title: &subject, quality, languages: vec![1], group: &parsed.group, ..Subject::default() };
    let (formats, score) = formats::evaluate(state, profile, &subject);
    row.insert("languages".into(), json!([{"id": 1, "name": "English"}]));
    row.insert("customFormats".into(), Value::Array(formats));
    row.insert("customFormatScore".into(), score.into());
    Ok(Reply::ok(Value::Object(row)))
}

fn info(title: &str, parsed: &Parsed, quality: i64) -> Value {
    let year = parsed
        .series
        .rsplit_once(' ')
        .and_then(|(_, year)| year.trim_matches(['(', ')']).parse::<i64>().ok())
        .filter(|year| (1900..2100).contains(year));
    let plain = match year {
        Some(year) => {
            parsed.series.trim_end_matches(&format!("({year})")).trim_end_matches(&year.to_string()).trim().to_owned()
        }
        None => parsed.series.clone(),
    };
    let kind = match parsed.episodes.len() {
        0 => "seasonPack",
        1 => "singleEpisode",
        _ => "multiEpisode",
    };
    let repack = title.to_ascii_uppercase().contains("REPACK");
    let proper = repack || title.to_ascii_uppercase().contains("PROPER");
    json!({
        "releaseTitle": title,
        "seriesTitle": parsed.series,
        "seriesTitleInfo": {"title": parsed.series, "titleWithoutYear": plain, "year": year.unwrap_or(0), "allTitles": [parsed.series]},
        "quality": crate::quality::model(quality, if proper { 2 } else { 1 }, repack),
        "seasonNumber": parsed.season,
        "episodeNumbers": parsed.episodes,
        "absoluteEpisodeNumbers": [],
        "specialAbsoluteEpisodeNumbers": [],
        "languages": [{"id": 1, "name": "English"}],
        "fullSeason": parsed.episodes.is_empty(),
        "isPartialSeason": false,
        "isMultiSeason": false,
        "isSeasonExtra": false,
        "isSplitEpisode": false,
        "isMiniSeries": false,
        "special": false,
        "releaseGroup": parsed.group,
        "releaseHash": "",
        "seasonPart": 0,
        "releaseTokens": parsed.tokens,
        "isDaily": false,
        "isAbsoluteNumbering": false,
        "isPossibleSpecialEpisode": false,
        "isPossibleSceneSeasonSpecial": false,
        "releaseType": kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read() {
        let parsed = read("Copperfield.Street.S01E02E03.1080p.WEB.h264-NEST").unwrap();
        assert_eq!(
            (parsed.series.as_str(), parsed.season, parsed.episodes.as_slice()),
            ("Copperfield Street", 1, &[2, 3][..])
        );
        assert_eq!(parsed.group, "NEST");
        assert!(read("Copperfield.Street.S02.1080p.WEB-NEST").unwrap().episodes.is_empty());
        assert_eq!(read("Some Show - 1x07 - Title.mkv").unwrap().episodes, [7]);
        assert!(read("holiday video.mkv").is_none());
    }
}
