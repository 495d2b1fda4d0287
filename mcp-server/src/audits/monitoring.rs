//! Monitoring that will quietly miss episodes, or goes on for nothing.

use std::collections::{HashMap, HashSet};

use futures::FutureExt;
use serde_json::{Value, json};
use sonarr_client::types::{
    NewItemMonitorTypes, SeasonResource, SeasonStatisticsResource, SeriesResource, SeriesStatusType,
};

use super::{Audit, File, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_monitoring",
    group: "media_library",
    summary: "Finds series whose monitoring will miss episodes, or goes on for nothing.",
    kinds: &[NEW_SEASONS_IGNORED, NEWEST_SEASON_OFF, SPECIALS_BLOCK_COMPLETION, ENDED_AND_COMPLETE],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const NEW_SEASONS_IGNORED: Kind = Kind {
    name: "new_seasons_ignored",
    meaning: "A monitored series that goes on will not get its new seasons monitored.",
};

const NEWEST_SEASON_OFF: Kind =
    Kind { name: "newest_season_off", meaning: "A monitored series goes on, and its newest season is not monitored." };

const SPECIALS_BLOCK_COMPLETION: Kind = Kind {
    name: "specials_block_completion",
    meaning: "Every regular season is complete; only monitored specials without a file keep the series from it.",
};

const ENDED_AND_COMPLETE: Kind = Kind {
    name: "ended_and_complete",
    meaning: "A series has ended, has every file and none that would be upgraded, and is still monitored.",
};

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = library.series().await?;
    worklist.examined("series", series.len());
    worklist.findings.extend(series.iter().filter_map(new_seasons_ignored));
    worklist.findings.extend(series.iter().filter_map(newest_season_off));
    worklist.findings.extend(series.iter().filter_map(specials_block_completion));
    let over: Vec<&SeriesResource> = series.iter().filter(|series| is_over(series)).collect();
    if !over.is_empty() {
        match upgradable(library).await {
            Ok(upgradable) => worklist.findings.extend(over.into_iter().filter_map(|one| ended(one, &upgradable))),
            Err(failure) => {
                worklist.unseen.push(format!(
                    "whether files of {} ended series can be upgraded: {}",
                    over.len(),
                    failure.message
                ));
            }
        }
    }
    Ok(worklist)
}

fn new_seasons_ignored(series: &SeriesResource) -> Option<Finding> {
    let ignored = goes_on(series) && series.monitor_new_items == Some(NewItemMonitorTypes::None);
    ignored.then(|| {
        Finding::new(&NEW_SEASONS_IGNORED, subject(series), "the series continues, and monitorNewItems is `none`")
            .mended_by("update_series", json!({"id": series.id, "patch": {"monitorNewItems": "all"}}))
    })
}

fn newest_season_off(series: &SeriesResource) -> Option<Finding> {
    if !goes_on(series) {
        return None;
    }
    let mut seasons: Vec<&SeasonResource> = regular(series).collect();
    seasons.sort_by_key(|season| season.season_number);
    let newest = seasons.pop().filter(|newest| newest.monitored == Some(false))?;
    let number = newest.season_number?;
    let reason = match seasons.last() {
        None => format!("season {number}, its only one, is not monitored"),
        Some(before) if before.monitored == Some(true) => {
            format!("season {number} is not monitored, though the one before it is")
        }
        Some(_) if seasons.iter().any(|season| season.monitored == Some(true)) => {
            format!("season {number} is not monitored, though an earlier one is")
        }
        Some(_) => format!("none of its {} seasons is monitored, the newest, {number}, included", seasons.len() + 1),
    };
    let mut subject = subject(series);
    if let Some(members) = subject.as_object_mut() {
        members.insert("seasonNumber".to_owned(), json!(number));
    }
    let arguments = json!({"seriesId": series.id, "seasonNumber": number, "monitored": true});
    Some(Finding::new(&NEWEST_SEASON_OFF, subject, reason).mended_by("set_season_monitoring", arguments))
}

fn specials_block_completion(series: &SeriesResource) -> Option<Finding> {
    if series.monitored != Some(true) {
        return None;
    }
    let specials = seasons(series).find(|season| season.season_number == Some(0) && season.monitored == Some(true))?;
    let missing = wanted(specials) - files(specials);
    let complete = regular(series).any(|season| files(season) > 0)
        && regular(series).all(|season| files(season) >= wanted(season));
    (missing > 0 && complete).then(|| {
        let reason =
            format!("{missing} of {} monitored specials have no file; nothing else is missing", wanted(specials));
        let arguments = json!({"seriesId": series.id, "seasonNumber": 0, "monitored": false});
        Finding::new(&SPECIALS_BLOCK_COMPLETION, subject(series), reason).mended_by("set_season_monitoring", arguments)
    })
}

/// Whether a series has ended and has a file for each regular episode, and is monitored.
fn is_over(series: &SeriesResource) -> bool {
    let whole = |season: &SeasonResource| {
        let total = statistics(season, |statistics| statistics.total_episode_count);
        total > 0 && files(season) >= total
    };
    let missing_specials = seasons(series).any(|season| {
        season.season_number == Some(0) && season.monitored == Some(true) && files(season) < wanted(season)
    });
    series.monitored == Some(true)
        && series.status == Some(SeriesStatusType::Ended)
        && regular(series).next().is_some()
        && regular(series).all(whole)
        && !missing_specials
}

fn ended(series: &SeriesResource, upgradable: &HashSet<i32>) -> Option<Finding> {
    let id = series.id.filter(|id| !upgradable.contains(id))?;
    let count: i32 = regular(series).map(files).sum();
    let reason =
        format!("the series has ended, all {count} episodes are there, and none of the files would be upgraded");
    Some(
        Finding::new(&ENDED_AND_COMPLETE, subject(series), reason)
            .mended_by("update_series", json!({"id": id, "patch": {"monitored": false}})),
    )
}

/// The series of which Sonarr would still upgrade a file: below the cutoff of a profile that allows upgrades.
async fn upgradable(library: &Library<'_>) -> Result<HashSet<i32>, Failure> {
    let profiles = library.quality_profiles().await?;
    let upgrading: HashMap<i32, i32> = profiles
        .iter()
        .filter(|profile| profile.upgrade_allowed == Some(true))
        .filter_map(|profile| Some((profile.id?, profile.cutoff_format_score.unwrap_or(0))))
        .collect();
    let scores: HashMap<i32, i32> = library
        .series()
        .await?
        .iter()
        .filter_map(|one| Some((one.id?, *upgrading.get(&one.quality_profile_id?)?)))
        .collect();
    let below =
        |file: &&File| scores.get(&file.series_id).is_some_and(|cutoff| file.below_cutoff || file.score < *cutoff);
    Ok(library.episodes().await?.files().iter().filter(below).map(|file| file.series_id).collect())
}

fn goes_on(series: &SeriesResource) -> bool {
    series.status == Some(SeriesStatusType::Continuing) && series.monitored == Some(true)
}

fn seasons(series: &SeriesResource) -> impl Iterator<Item = &SeasonResource> {
    series.seasons.iter().flatten()
}

fn regular(series: &SeriesResource) -> impl Iterator<Item = &SeasonResource> {
    seasons(series).filter(|season| season.season_number.is_some_and(|number| number > 0))
}

fn statistics(season: &SeasonResource, count: fn(&SeasonStatisticsResource) -> Option<i32>) -> i32 {
    season.statistics.as_ref().and_then(count).unwrap_or_default()
}

/// Episodes with a file.
fn files(season: &SeasonResource) -> i32 {
    statistics(season, |statistics| statistics.episode_file_count)
}

/// Episodes with a file, and those that are monitored and have aired.
fn wanted(season: &SeasonResource) -> i32 {
    statistics(season, |statistics| statistics.episode_count)
}

fn subject(series: &SeriesResource) -> Value {
    json!({"seriesId": series.id, "title": series.title})
}

#[cfg(test)]
mod tests {
    use super::{ended, is_over, new_seasons_ignored, newest_season_off, specials_block_completion};
    use serde_json::{Value, json};
    use sonarr_client::types::SeriesResource;
    use std::collections::HashSet;

    /// A season with as many files, wanted and total episodes.
    fn season(number: i32, monitored: bool, [files, wanted, total]: [i32; 3]) -> Value {
        let statistics = json!({"episodeFileCount": files, "episodeCount": wanted, "totalEpisodeCount": total});
        json!({"seasonNumber": number, "monitored": monitored, "statistics": statistics})
    }

    fn series(status: &str, seasons: &[Value]) -> SeriesResource {
        let value = json!({"id": 7, "title": "Harbour Lights", "status": status, "monitored": true,
            "monitorNewItems": "all", "seasons": seasons});
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn new_seasons_count_only_while_the_series_goes_on() {
        let mut one = series("continuing", &[season(1, true, [8, 8, 8])]);
        assert_eq!(new_seasons_ignored(&one), None);
        one.monitor_new_items = Some("none".parse().unwrap());
        let mend = new_seasons_ignored(&one).unwrap().mend.unwrap();
        assert_eq!(mend.arguments, json!({"id": 7, "patch": {"monitorNewItems": "all"}}));
        one.status = Some("ended".parse().unwrap());
        assert_eq!(new_seasons_ignored(&one), None);
    }

    #[test]
    fn the_newest_season_is_told_with_what_is_odd_about_it() {
        let whole = [8, 8, 8];
        for (seasons, reason) in [
            (vec![season(1, true, whole), season(2, true, whole)], None),
            (vec![season(0, false, whole), season(1, true, whole)], None),
            (vec![season(1, false, whole)], Some("its only one")),
            (vec![season(2, false, whole), season(1, true, whole)], Some("the one before it is")),
            (vec![season(1, true, whole), season(2, false, whole), season(3, false, whole)], Some("an earlier one is")),
            (vec![season(1, false, whole), season(2, false, whole)], Some("none of its 2 seasons")),
        ] {
            let found = newest_season_off(&series("continuing", &seasons));
            assert_eq!(found.is_some(), reason.is_some(), "{seasons:?}");
            if let (Some(found), Some(reason)) = (found, reason) {
                assert!(found.reason.contains(reason), "{}", found.reason);
            }
            assert_eq!(newest_season_off(&series("ended", &seasons)), None);
        }
    }

    #[test]
    fn specials_count_only_when_nothing_else_is_missing() {
        let specials = season(0, true, [1, 4, 6]);
        let found =
            specials_block_completion(&series("ended", &[specials.clone(), season(1, true, [8, 8, 8])])).unwrap();
        assert!(found.reason.starts_with("3 of 4 monitored specials"), "{}", found.reason);
        for seasons in [
            vec![specials.clone(), season(1, true, [7, 8, 8])],
            vec![season(0, false, [1, 4, 6]), season(1, true, [8, 8, 8])],
            vec![season(0, true, [4, 4, 6]), season(1, true, [8, 8, 8])],
            vec![specials, season(1, true, [0, 0, 8])],
        ] {
            assert_eq!(specials_block_completion(&series("ended", &seasons)), None, "{seasons:?}");
        }
    }

    #[test]
    fn a_series_is_over_when_nothing_can_come() {
        let whole = [8, 8, 8];
        assert!(is_over(&series("ended", &[season(1, true, whole), season(0, false, [0, 0, 3])])));
        for (status, seasons) in [
            ("continuing", vec![season(1, true, whole)]),
            ("ended", vec![season(1, true, [7, 8, 8])]),
            ("ended", vec![season(1, true, [7, 7, 8])]),
            ("ended", vec![season(1, true, whole), season(0, true, [0, 1, 3])]),
            ("ended", vec![]),
        ] {
            assert!(!is_over(&series(status, &seasons)), "{seasons:?}");
        }
        let one = series("ended", &[season(1, true, whole)]);
        assert!(ended(&one, &HashSet::from([8])).unwrap().reason.contains("all 8 episodes"));
        assert_eq!(ended(&one, &HashSet::from([7])), None);
    }
}
