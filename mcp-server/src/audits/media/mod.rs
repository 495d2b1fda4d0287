//! Files that are not what they are recorded as: in quality, in length, in language.

mod length;
mod picture;
mod speech;

use std::collections::HashMap;

use futures::FutureExt;
use serde_json::json;
use sonarr_client::types;

use self::length::Length;
use self::picture::Class;
use self::speech::Speaks;
use super::library::{Episodes, File};
use super::{Audit, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_media",
    group: "media_library",
    summary: "Finds files whose streams are not what is recorded: picture, length, language.",
    kinds: &[QUALITY_CONTRADICTS_STREAMS, RUNNING_TIME_OFF, LANGUAGE_UNWANTED],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const QUALITY_CONTRADICTS_STREAMS: Kind = Kind {
    name: "quality_contradicts_streams",
    meaning: "Files are recorded with a quality whose resolution their picture cannot have, whatever was cut off it.",
};

const RUNNING_TIME_OFF: Kind = Kind {
    name: "running_time_off",
    meaning: "A file takes less than half or more than two and a half times as long as its episodes, and as the other \
              files of the series would.",
};

const LANGUAGE_UNWANTED: Kind = Kind {
    name: "language_unwanted",
    meaning: "A file lacks the language in which its series was made, by record and by audio, and nearly all other \
              files of the series have it.",
};

/// How many names a reason tells.
const NAMED: usize = 2;

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = library.series().await?;
    let episodes = library.episodes().await?;
    let looked_into = episodes.files().iter().filter(|file| file.media.is_some()).count();
    worklist.examined("episodeFiles", looked_into);

    let by_series = by_series(episodes);
    let here: Vec<(&types::SeriesResource, &[&File])> =
        series.iter().filter_map(|one| Some((one, by_series.get(&one.id?)?.as_slice()))).collect();
    match qualities(library, &here).await {
        Ok(findings) => worklist.findings.extend(findings),
        Err(failure) => worklist.unseen.push(format!("qualities against pictures: {}", failure.message)),
    }
    let runtimes = runtimes(episodes);
    for (series, files) in &here {
        worklist.findings.extend(running_times(series, files, &runtimes));
    }
    match languages_chosen(library).await {
        Ok(chosen) => {
            let is_free = |series: &types::SeriesResource| {
                series.quality_profile_id.is_some_and(|profile| chosen.get(&profile) == Some(&false))
            };
            let free = here.iter().filter(|(series, _)| is_free(series));
            worklist.findings.extend(free.flat_map(|(series, files)| languages(series, files)));
        }
        Err(failure) => worklist.unseen.push(format!("languages: {}", failure.message)),
    }
    Ok(worklist)
}

/// The files of each series, by season and name.
fn by_series(episodes: &Episodes) -> HashMap<i32, Vec<&File>> {
    let mut by_series: HashMap<i32, Vec<&File>> = HashMap::new();
    for file in episodes.files() {
        by_series.entry(file.series_id).or_default().push(file);
    }
    for files in by_series.values_mut() {
        files.sort_by(|one, other| (one.season, &one.relative_path).cmp(&(other.season, &other.relative_path)));
    }
    by_series
}

fn name(file: &File) -> &str {
    file.relative_path.rsplit(['/', '\\']).next().unwrap_or(&file.relative_path)
}

/// Findings about qualities that the pictures contradict, one for each series.
async fn qualities(
    library: &Library<'_>,
    here: &[(&types::SeriesResource, &[&File])],
) -> Result<Vec<Finding>, Failure> {
    let contradicted = |file: &&&File| contradiction(file).is_some();
    let found: Vec<(&types::SeriesResource, Vec<&File>)> = here
        .iter()
        .map(|(series, files)| (*series, files.iter().filter(contradicted).copied().collect::<Vec<_>>()))
        .filter(|(_, files)| !files.is_empty())
        .collect();
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let known = library.qualities().await?;
    let ids: Vec<i32> = found.iter().flat_map(|(_, files)| files.iter().map(|file| file.id)).collect();
    let recorded: HashMap<i32, types::QualityModel> = library.recorded_qualities(&ids).await?.into_iter().collect();
    Ok(found.iter().flat_map(|(series, files)| mismatches(series, files, &known, &recorded)).collect())
}

/// What the picture of a file is for certain, where that is not what its quality says.
fn contradiction(file: &File) -> Option<Class> {
    // What is recorded from a broadcast as it came may have any size.
    if file.source == Some(types::QualitySource::TelevisionRaw) {
        return None;
    }
    picture::contradiction(file.resolution, file.media.as_ref()?.resolution?)
}

/// The findings about one series: the files for which there is a true quality, which one call records, and the others.
fn mismatches(
    series: &types::SeriesResource,
    files: &[&File],
    known: &[types::Quality],
    recorded: &HashMap<i32, types::QualityModel>,
) -> Vec<Finding> {
    let (mut body, mut named, mut nameless) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let fitting = contradiction(file).and_then(|class| fitting(file, class, known));
        match (fitting, recorded.get(&file.id)) {
            (Some(quality), Some(model)) => {
                let model = types::QualityModel { quality: Some(quality.clone()), ..model.clone() };
                body.push(json!({"id": file.id, "quality": model}));
                named.push(*file);
            }
            (None, Some(_)) => nameless.push(*file),
            // It is gone by now.
            (_, None) => {}
        }
    }
    let mut findings = Vec::new();
    if !named.is_empty() {
        findings.push(mismatch(series, &named).mended_by("update_episode_files", json!({"body": body})));
    }
    if !nameless.is_empty() {
        findings.push(mismatch(series, &nameless));
    }
    findings
}

fn mismatch(series: &types::SeriesResource, files: &[&File]) -> Finding {
    let told = files.iter().take(NAMED).map(|file| {
        let (width, height) = file.media.as_ref().and_then(|media| media.resolution).unwrap_or_default();
        format!("{} is recorded as {}, and its picture is {width}x{height}", name(file), file.quality)
    });
    let mut told: Vec<String> = told.collect();
    if files.len() > NAMED {
        told.push(format!("and {} more", files.len() - NAMED));
    }
    let ids: Vec<i32> = files.iter().map(|file| file.id).collect();
    let subject = json!({"seriesId": series.id, "title": series.title, "episodeFileIds": ids});
    Finding::new(&QUALITY_CONTRADICTS_STREAMS, subject, told.join("; "))
}

/// The quality of the same source that a picture of this class has.
fn fitting<'a>(file: &File, class: Class, known: &'a [types::Quality]) -> Option<&'a types::Quality> {
    let source = file.source.as_ref()?;
    let of = |source: &types::QualitySource| {
        let fits = |quality: &&types::Quality, resolution: i32| {
            quality.source.as_ref() == Some(source) && quality.resolution == Some(resolution)
        };
        class.resolutions().iter().find_map(|resolution| known.iter().find(|quality| fits(quality, *resolution)))
    };
    // There are remuxes of 1080p and above only.
    let disc = || (*source == types::QualitySource::BlurayRaw).then(|| of(&types::QualitySource::Bluray)).flatten();
    of(source).or_else(disc)
}

/// The seconds that the episodes of each file take together: 0 where that of one of them is unknown, or is a special,
/// whose length nobody keeps.
fn runtimes(episodes: &Episodes) -> HashMap<i32, u32> {
    let mut sums: HashMap<i32, Option<u32>> = HashMap::new();
    for episode in episodes.all() {
        let Some(file) = episode.file_id else { continue };
        let minutes = u32::try_from(episode.runtime).ok().filter(|minutes| *minutes > 0 && episode.season > 0);
        let sum = sums.entry(file).or_insert(Some(0));
        *sum = sum.zip(minutes).map(|(sum, minutes)| sum + minutes * 60);
    }
    sums.into_iter().map(|(file, sum)| (file, sum.unwrap_or(0))).collect()
}

fn running_times(series: &types::SeriesResource, files: &[&File], runtimes: &HashMap<i32, u32>) -> Vec<Finding> {
    let length = |file: &&File| Length {
        seconds: file.media.as_ref().and_then(|media| media.seconds).unwrap_or(0),
        expected: runtimes.get(&file.id).copied().unwrap_or(0),
    };
    let lengths: Vec<Length> = files.iter().map(length).collect();
    let odd = files.iter().zip(&lengths).zip(length::odd(&lengths)).filter(|(_, odd)| *odd);
    odd.map(|((file, length), _)| {
        let reason = format!(
            "{} runs for {} of {} minutes; other files of the series run for what their episodes take",
            name(file),
            tenths(length.seconds),
            length.expected / 60
        );
        one_file(&RUNNING_TIME_OFF, series, file, reason)
    })
    .collect()
}

/// Minutes with one decimal.
fn tenths(seconds: u32) -> String {
    let tenths = seconds / 6;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// A finding about a file that is not worth keeping: once it is deleted, the episode is missing and can be searched for.
fn one_file(kind: &'static Kind, series: &types::SeriesResource, file: &File, reason: String) -> Finding {
    let subject = json!({"seriesId": series.id, "title": series.title, "episodeFileId": file.id});
    Finding::new(kind, subject, reason).mended_by("delete_episode_file", json!({"id": file.id}))
}

/// For each quality profile, whether a custom format with a score looks at languages: what is wanted is said there.
async fn languages_chosen(library: &Library<'_>) -> Result<HashMap<i32, bool>, Failure> {
    let formats = library.custom_formats().await?;
    let speaks = |format: &types::CustomFormatResource| {
        let conditions = format.specifications.iter().flatten();
        conditions.filter_map(|it| it.implementation.as_deref()).any(|name| name.starts_with("Language"))
    };
    let speaking: Vec<i32> = formats.iter().filter(|format| speaks(format)).filter_map(|format| format.id).collect();
    let profiles = library.quality_profiles().await?;
    let chooses = |profile: &types::QualityProfileResource| {
        profile.format_items.iter().flatten().any(|item| {
            item.score.is_some_and(|score| score != 0) && item.format.is_some_and(|format| speaking.contains(&format))
        })
    };
    Ok(profiles.iter().filter_map(|profile| Some((profile.id?, chooses(profile)))).collect())
}

fn languages(series: &types::SeriesResource, files: &[&File]) -> Vec<Finding> {
    let Some(original) = series.original_language.as_ref() else { return Vec::new() };
    let (Some(id), Some(language)) = (original.id, original.name.as_deref()) else { return Vec::new() };
    let speaks = |file: &&File| {
        let audio = file.media.as_ref().map(|media| &*media.audio_languages);
        speech::speaks(id, &file.languages, audio)
    };
    let spoken: Vec<Speaks> = files.iter().map(speaks).collect();
    let yes = spoken.iter().filter(|one| **one == Speaks::Yes).count();
    let odd = files.iter().zip(speech::odd(&spoken)).filter(|(_, odd)| *odd);
    odd.map(|(file, _)| {
        let audio = file.media.as_ref().map(|media| media.audio_languages.to_string()).unwrap_or_default();
        let reason = format!("{} speaks {audio}; {yes} other files of the series speak {language}", name(file));
        one_file(&LANGUAGE_UNWANTED, series, file, reason)
    })
    .collect()
}

#[cfg(test)]
mod tests;
