//! Files that are not named to the format.

use std::cmp::Reverse;
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use futures::{FutureExt, StreamExt};
use serde_json::json;
use sonarr_client::types;

use super::{Audit, Episodes, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

const NAME: &str = "audit_names";

/// The audit.
pub const AUDIT: Audit = Audit {
    name: NAME,
    group: "media_library",
    summary: "Finds files that are not named to the format.",
    kinds: &[FILE_NAME_OFF_FORMAT],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const FILE_NAME_OFF_FORMAT: Kind = Kind {
    name: "file_name_off_format",
    meaning: "Renaming is on, and Sonarr would rename files of a series to the format.",
};

/// How many series are asked for at once.
const AT_ONCE: usize = 4;
/// How many series are asked for where all audits are made at once.
const SAMPLE: usize = 40;
/// How many names a reason tells.
const NAMED: usize = 2;
/// How many series that gave no answer are named.
const SILENT: usize = 5;

async fn look(library: &Library<'_>, scope: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let renames = library.naming().await?.rename_episodes == Some(true);
    worklist.examined.insert("renameEpisodes".to_owned(), json!(renames));
    if !renames {
        // Names are left as they are, so that none is wrong.
        return Ok(worklist);
    }
    let mut series: Vec<&types::SeriesResource> =
        library.series().await?.iter().filter(|one| one.id.is_some() && has_files(one)).collect();
    if scope.sample {
        let all = series.len();
        series = newest(series, library.episodes().await?);
        let left = all - series.len();
        if left > 0 {
            worklist.unseen.push(format!("the file names of {left} more series; {NAME} alone looks at all"));
        }
    }
    worklist.examined("series", series.len());
    let ids: Vec<i32> = series.iter().filter_map(|one| one.id).collect();
    let mut answers = futures::stream::iter(ids).map(|id| library.renames(id)).buffered(AT_ONCE);
    let (mut silent, mut waiting) = (Vec::new(), series.iter());
    while let (Some(answer), Some(series)) = (answers.next().await, waiting.next()) {
        match answer {
            Ok(renames) => worklist.findings.extend(off_format(series, &renames)),
            Err(failure) => silent.push(format!("{}: {}", title(series), failure.message)),
        }
    }
    let more = silent.len().saturating_sub(SILENT);
    worklist.unseen.extend(silent.into_iter().take(SILENT));
    if more > 0 {
        worklist.unseen.push(format!("the names of {more} more series"));
    }
    Ok(worklist)
}

/// The series whose files came in last.
fn newest<'a>(mut series: Vec<&'a types::SeriesResource>, episodes: &Episodes) -> Vec<&'a types::SeriesResource> {
    let mut last: HashMap<i32, DateTime<Utc>> = HashMap::new();
    for file in episodes.files() {
        if let Some(added) = file.added {
            let last = last.entry(file.series_id).or_insert(added);
            *last = added.max(*last);
        }
    }
    series.sort_by_key(|one| (Reverse(one.id.and_then(|id| last.get(&id))), one.id));
    series.truncate(SAMPLE);
    series
}

fn has_files(series: &types::SeriesResource) -> bool {
    let counts = series.statistics.as_ref();
    let regular = counts.and_then(|counts| counts.episode_file_count).is_some_and(|count| count > 0);
    // The count leaves out specials, the size does not.
    regular || counts.and_then(|counts| counts.size_on_disk).is_some_and(|size| size > 0)
}

fn title(series: &types::SeriesResource) -> &str {
    series.title.as_deref().unwrap_or_default()
}

/// The files of a series that would get another name.
fn off_format(series: &types::SeriesResource, renames: &[types::RenameEpisodeResource]) -> Option<Finding> {
    let differ = |rename: &&types::RenameEpisodeResource| {
        rename.episode_file_id.is_some() && rename.new_path.is_some() && rename.existing_path != rename.new_path
    };
    let renames: Vec<&types::RenameEpisodeResource> = renames.iter().filter(differ).collect();
    if renames.is_empty() {
        return None;
    }
    let files: Vec<i32> = renames.iter().filter_map(|rename| rename.episode_file_id).collect();
    let path = |path: &Option<String>| path.clone().unwrap_or_default();
    let shown = renames.iter().take(NAMED);
    let mut told: Vec<String> = shown
        .map(|rename| format!("`{}` would be `{}`", path(&rename.existing_path), path(&rename.new_path)))
        .collect();
    if renames.len() > NAMED {
        told.push(format!("and {} more", renames.len() - NAMED));
    }
    let subject = json!({"seriesId": series.id, "title": series.title, "episodeFileIds": files});
    let reason = format!("{} off the format: {}", count(renames.len()), told.join("; "));
    let command = json!({"name": "RenameFiles", "seriesId": series.id, "files": files});
    Some(Finding::new(&FILE_NAME_OFF_FORMAT, subject, reason).mended_by("run_command", json!({"body": command})))
}

fn count(files: usize) -> String {
    if files == 1 { "1 file is".to_owned() } else { format!("{files} files are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename(file: i32, existing: &str, new: &str) -> types::RenameEpisodeResource {
        serde_json::from_value(json!({"episodeFileId": file, "existingPath": existing, "newPath": new})).unwrap()
    }

    #[test]
    fn one_finding_renames_all_files_of_a_series() {
        let series: types::SeriesResource = serde_json::from_value(json!({"id": 3, "title": "Some Show"})).unwrap();
        assert_eq!(off_format(&series, &[]), None);
        assert_eq!(off_format(&series, &[rename(1, "S 1/a.mkv", "S 1/a.mkv")]), None);
        let renames = [rename(4, "a.mkv", "A.mkv"), rename(5, "b.mkv", "B.mkv"), rename(6, "c.mkv", "C.mkv")];
        let finding = off_format(&series, &renames).unwrap();
        assert_eq!(finding.subject["episodeFileIds"], json!([4, 5, 6]));
        assert_eq!(
            finding.reason,
            "3 files are off the format: `a.mkv` would be `A.mkv`; `b.mkv` would be `B.mkv`; and 1 more"
        );
        assert_eq!(
            finding.mend.unwrap().arguments,
            json!({"body": {"name": "RenameFiles", "seriesId": 3, "files": [4, 5, 6]}})
        );
        let one = off_format(&series, &renames[..1]).unwrap();
        assert!(one.reason.starts_with("1 file is off"), "{}", one.reason);
    }

    #[test]
    fn a_series_of_specials_alone_has_files() {
        let series = |count: i32, size: i64| -> types::SeriesResource {
            serde_json::from_value(json!({"statistics": {"episodeFileCount": count, "sizeOnDisk": size}})).unwrap()
        };
        assert!(has_files(&series(3, 1)) && has_files(&series(0, 1)) && !has_files(&series(0, 0)));
    }
}
