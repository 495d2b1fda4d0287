//! Series whose type is not what they are. A miss is better than a false alarm: only plain cases are told.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::json;
use sonarr_client::types::{SeriesResource, SeriesTypes};

use super::{ANIME_NOT_TYPED, DAILY_NOT_TYPED, subject};
use crate::audits::{Episodes, Finding};

/// What TheTVDB's genre is called.
const ANIME: &str = "Anime";

/// The languages in which anime is made, as Sonarr names them.
const OF_ANIME: [&str; 3] = ["Japanese", "Chinese", "Korean"];

/// The genres whose releases are named by date when they air daily. Soaps and telenovelas air as often, and are numbered.
const OF_DAILY: [&str; 3] = ["Talk Show", "News", "Game Show"];

/// So many episodes of a season have to have aired before it is told how often it airs.
const ENOUGH: usize = 40;

/// A season that airs as often as this, in days between episodes in the middle, is a daily one: five a week have gaps of
/// one day, and of three at the weekend.
const DAILY_GAP: f64 = 1.6;

/// Anime that is typed otherwise. The genre alone does not do: series made elsewhere in the style of anime carry it, and
/// their releases have seasons.
pub(super) fn anime(series: &[SeriesResource]) -> Vec<Finding> {
    let is_anime = |series: &SeriesResource| {
        let genre = series.genres.iter().flatten().any(|genre| genre == ANIME);
        let language = series.original_language.as_ref().and_then(|language| language.name.as_deref());
        genre && language.is_some_and(|language| OF_ANIME.contains(&language))
    };
    let untyped = series.iter().filter(|one| one.series_type != Some(SeriesTypes::Anime) && is_anime(one));
    untyped
        .map(|one| {
            let kind = one.series_type.as_ref().map(ToString::to_string).unwrap_or_default();
            let language =
                one.original_language.as_ref().and_then(|language| language.name.clone()).unwrap_or_default();
            let reason = format!("its genre is Anime and its language {language}, and its type is `{kind}`");
            Finding::new(&ANIME_NOT_TYPED, subject(one), reason)
                .mended_by("update_series", json!({"id": one.id, "patch": {"seriesType": "anime"}}))
        })
        .collect()
}

/// Series that air nearly every day and are typed otherwise, by the latest season that tells.
pub(super) fn daily(series: &[SeriesResource], episodes: &Episodes) -> Vec<Finding> {
    let untyped = series.iter().filter(|one| {
        one.series_type == Some(SeriesTypes::Standard)
            && one.genres.iter().flatten().any(|genre| OF_DAILY.contains(&genre.as_str()))
    });
    let found = untyped.filter_map(|one| {
        let mut seasons: BTreeMap<i32, Vec<DateTime<Utc>>> = BTreeMap::new();
        for episode in episodes.of_series(one.id?).iter().filter(|episode| episode.season > 0) {
            seasons.entry(episode.season).or_default().extend(episode.airs);
        }
        let (season, times) = seasons.into_iter().rev().find(|(_, times)| times.len() >= ENOUGH)?;
        let gap = middle_gap(times).filter(|gap| *gap <= DAILY_GAP)?;
        let reason = format!("season {season} airs every {gap:.1} days, and its type is `standard`");
        let mend = json!({"id": one.id, "patch": {"seriesType": "daily"}});
        Some(Finding::new(&DAILY_NOT_TYPED, subject(one), reason).mended_by("update_series", mend))
    });
    found.collect()
}

/// The gap in days between days of airing that stands in the middle of all. A season that came out at once has none.
fn middle_gap(mut times: Vec<DateTime<Utc>>) -> Option<f64> {
    times.sort_unstable();
    let mut days: Vec<_> = times.into_iter().map(|time| time.date_naive()).collect();
    days.dedup();
    if days.len() < ENOUGH {
        return None;
    }
    let mut gaps: Vec<i64> =
        days.windows(2).filter_map(|pair| Some((*pair.get(1)? - *pair.first()?).num_days())).collect();
    gaps.sort_unstable();
    // The mean of the middle half: the median of five a week would be one day, that of every other day two.
    let quarter = gaps.len() / 4;
    let half = gaps.get(quarter..gaps.len() - quarter)?;
    #[expect(clippy::cast_precision_loss, reason = "days and counts are small")]
    let mean = half.iter().sum::<i64>() as f64 / half.len() as f64;
    Some(mean)
}

#[cfg(test)]
mod tests {
    use super::{anime, daily, middle_gap};
    use crate::audits::{Episode, Episodes};
    use chrono::{DateTime, Duration, Utc};
    use serde_json::{Value, json};
    use sonarr_client::types::SeriesResource;

    fn series(kind: &str, genres: Value, language: &str) -> SeriesResource {
        let value = json!({"id": 7, "title": "Harbour Lights", "seriesType": kind, "genres": genres,
            "originalLanguage": {"id": 8, "name": language}});
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn anime_is_told_by_genre_and_language() {
        for (kind, genres, language, due) in [
            ("standard", json!(["Action", "Anime"]), "Japanese", true),
            ("daily", json!(["Anime"]), "Korean", true),
            ("anime", json!(["Anime"]), "Japanese", false),
            ("standard", json!(["Anime"]), "English", false),
            ("standard", json!(["Animation"]), "Japanese", false),
            ("standard", Value::Null, "Japanese", false),
        ] {
            let found = anime(&[series(kind, genres.clone(), language)]);
            assert_eq!(found.len(), usize::from(due), "{kind} {genres} {language}");
        }
    }

    fn airing(days: impl Iterator<Item = i64>) -> Episodes {
        let start: DateTime<Utc> = "2026-01-05T23:00:00Z".parse().unwrap();
        let at = |(number, day)| Episode { airs: Some(start + Duration::days(day)), ..Episode::numbered(7, 3, number) };
        Episodes::from((1..).zip(days).map(at).collect::<Vec<_>>())
    }

    #[test]
    fn daily_is_told_by_how_often_a_season_airs() {
        let weekdays = |count| (0..count).filter(|day| day % 7 < 5);
        let of_genre = |episodes: &Episodes, kind, genre| daily(&[series(kind, json!([genre]), "English")], episodes);
        let found = |episodes: &Episodes, kind| of_genre(episodes, kind, "Talk Show");
        let five = found(&airing(weekdays(100)), "standard");
        assert_eq!(five.len(), 1);
        assert!(five[0].reason.contains("season 3 airs every 1.0 days"), "{}", five[0].reason);
        assert!(found(&airing(weekdays(100)), "daily").is_empty());
        assert!(of_genre(&airing(weekdays(100)), "standard", "Soap").is_empty());
        assert_eq!(found(&airing((0..100).filter(|day| day % 7 < 4)), "standard").len(), 1);
        for (name, episodes) in [
            ("every other day", airing((0..120).step_by(2))),
            ("weekly", airing((0..700).step_by(7))),
            ("too few to tell", airing(weekdays(40))),
            ("all at once", airing(std::iter::repeat_n(0, 80))),
            ("two a night, weekly", airing((0..700).step_by(7).flat_map(|day| [day, day]))),
        ] {
            assert!(found(&episodes, "standard").is_empty(), "{name}");
        }
        assert_eq!(middle_gap(Vec::new()), None);
    }
}
