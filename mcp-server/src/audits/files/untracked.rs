//! Videos that lie in a series' folder and that no episode has: what Sonarr makes of them.

use std::collections::{BTreeMap, HashSet};

use futures::StreamExt;
use serde_json::json;
use sonarr_client::types;

use super::paths::{key, name};
use super::{FILE_UNTRACKED, Finding, LISTED, Library, told};

/// For how many series Sonarr is asked what it makes of the videos: it looks into each of them, which takes time.
const JUDGED: usize = 20;
/// How many of these are asked at once.
const AT_ONCE: usize = 2;

/// How many series are asked for the files that they have right now.
const VERIFIED: usize = 60;

/// A series with videos that no episode has.
pub type Untracked<'a> = (&'a types::SeriesResource, Vec<String>);

/// The untracked videos that are not recorded meanwhile. What was read of all files in bulk may lack those of specials
/// without a date, and those that came in since.
pub async fn verified<'a>(
    library: &Library<'_>,
    series: &'a [types::SeriesResource],
    mut untracked: BTreeMap<i32, Vec<String>>,
    unseen: &mut Vec<String>,
) -> Vec<Untracked<'a>> {
    let mut here: Vec<Untracked<'a>> =
        series.iter().filter_map(|one| Some((one, untracked.remove(&one.id?)?))).collect();
    let more = here.len().saturating_sub(VERIFIED);
    if more > 0 {
        here.truncate(VERIFIED);
        unseen.push(format!("videos that may be tracked by nothing in the folders of {more} more series"));
    }
    let ids: Vec<i32> = here.iter().filter_map(|(series, _)| series.id).collect();
    let mut answers = futures::stream::iter(ids).map(|id| library.recorded(id)).buffered(AT_ONCE);
    let (mut verified, mut waiting) = (Vec::new(), here.into_iter());
    while let (Some(answer), Some((series, mut paths))) = (answers.next().await, waiting.next()) {
        match answer {
            Ok(recorded) => {
                let recorded: HashSet<String> = recorded.iter().map(|path| key(path)).collect();
                paths.retain(|path| !recorded.contains(&key(path)));
                if !paths.is_empty() {
                    verified.push((series, paths));
                }
            }
            Err(failure) => {
                let title = series.title.as_deref().unwrap_or_default();
                unseen.push(format!("the files of {title}: {}", failure.message));
            }
        }
    }
    verified
}

/// The findings about untracked videos, by series.
pub async fn findings(library: &Library<'_>, here: &[Untracked<'_>], unseen: &mut Vec<String>) -> Vec<Finding> {
    let (judged, rest) = here.split_at(here.len().min(JUDGED));
    let folders: Vec<String> = judged.iter().map(|(series, _)| series.path.clone().unwrap_or_default()).collect();
    let mut answers =
        futures::stream::iter(folders).map(|folder| async move { library.candidates(&folder).await }).buffered(AT_ONCE);
    let (mut findings, mut waiting) = (Vec::new(), judged.iter());
    while let (Some(answer), Some((series, paths))) = (answers.next().await, waiting.next()) {
        match answer {
            Ok(candidates) => findings.extend(judge(series, paths, &candidates)),
            Err(failure) => {
                let title = series.title.as_deref().unwrap_or_default();
                unseen.push(format!("what Sonarr makes of the videos of {title}: {}", failure.message));
                findings.push(unjudged(series, paths));
            }
        }
    }
    findings.extend(rest.iter().map(|(series, paths)| unjudged(series, paths)));
    findings
}

/// Videos of one series by what Sonarr makes of them. Those that it does not list have been imported meanwhile, or are
/// none that it would ever take.
fn judge(series: &types::SeriesResource, paths: &[String], candidates: &[types::ManualImportResource]) -> Vec<Finding> {
    let wanted: HashSet<String> = paths.iter().map(|path| key(path)).collect();
    let (mut ready, mut refused, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for candidate in candidates {
        let Some(path) = candidate.path.as_deref().filter(|path| wanted.contains(&key(path))) else { continue };
        match refusal(series, candidate) {
            None => ready.push(path.to_owned()),
            Some(reason) => {
                refused.push(path.to_owned());
                reasons.push(format!("{} ({reason})", name(path)));
            }
        }
    }
    let mut findings = Vec::new();
    if !ready.is_empty() {
        let reason = format!(
            "{} not recorded, which a scan would import: {}",
            count(&ready),
            told(ready.iter().map(|path| name(path)))
        );
        findings.push(rescan(series, &ready, reason));
    }
    if !refused.is_empty() {
        let reason = format!(
            "{} that Sonarr does not import by itself: {}. ManualImport takes them with episodes of your choice; what is \
             not wanted can only be deleted on the disk",
            count(&refused),
            told(reasons.iter().map(String::as_str))
        );
        findings.push(Finding::new(&FILE_UNTRACKED, subject(series, &refused), reason));
    }
    findings
}

/// Why Sonarr would not import a video as a file of this series, if so.
fn refusal(series: &types::SeriesResource, candidate: &types::ManualImportResource) -> Option<String> {
    let reasons = candidate.rejections.iter().flatten().filter_map(|rejection| rejection.reason.as_deref());
    let reasons: Vec<&str> = reasons.collect();
    if !reasons.is_empty() {
        return Some(reasons.join("; "));
    }
    match &candidate.series {
        Some(other) if other.id != series.id => {
            return Some(format!("named like {}", other.title.as_deref().unwrap_or("another series")));
        }
        Some(_) => {}
        None => return Some("Unknown series".to_owned()),
    }
    candidate.episodes.iter().flatten().next().is_none().then(|| "Unknown episodes".to_owned())
}

fn unjudged(series: &types::SeriesResource, paths: &[String]) -> Finding {
    let names = told(paths.iter().map(|path| name(path)));
    let reason = format!("{} not recorded: {names}. A scan imports what Sonarr can tell apart", count(paths));
    rescan(series, paths, reason)
}

fn rescan(series: &types::SeriesResource, paths: &[String], reason: String) -> Finding {
    Finding::new(&FILE_UNTRACKED, subject(series, paths), reason)
        .mended_by("run_command", json!({"body": {"name": "RescanSeries", "seriesId": series.id}}))
}

fn subject(series: &types::SeriesResource, paths: &[String]) -> serde_json::Value {
    let listed: Vec<&String> = paths.iter().take(LISTED).collect();
    json!({"seriesId": series.id, "title": series.title, "paths": listed})
}

fn count(paths: &[String]) -> String {
    if paths.len() == 1 { "1 video".to_owned() } else { format!("{} videos", paths.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series() -> types::SeriesResource {
        serde_json::from_value(json!({"id": 7, "title": "Some Show", "path": "/tv/Some Show"})).unwrap()
    }

    fn candidate(path: &str, series: i32, episodes: &[i32], rejections: &[&str]) -> types::ManualImportResource {
        serde_json::from_value(json!({
            "path": path,
            "series": {"id": series, "title": format!("Series {series}")},
            "episodes": episodes.iter().map(|id| json!({"id": id})).collect::<Vec<_>>(),
            "rejections": rejections.iter().map(|reason| json!({"reason": reason, "type": "permanent"})).collect::<Vec<_>>(),
        }))
        .unwrap()
    }

    #[test]
    fn what_a_scan_imports_is_told_apart_from_what_it_refuses() {
        let paths = ["a", "b", "c", "d", "e"].map(|name| format!("/tv/Some Show/{name}.mkv"));
        let candidates = [
            candidate("/tv/some show/a.mkv", 7, &[1], &[]),
            candidate("/tv/Some Show/b.mkv", 7, &[1], &["Not an upgrade", "Sample"]),
            candidate("/tv/Some Show/c.mkv", 7, &[], &[]),
            candidate("/tv/Some Show/d.mkv", 8, &[1], &[]),
            candidate("/tv/Some Show/other.mkv", 7, &[1], &[]),
        ];
        let findings = judge(&series(), &paths, &candidates);
        let [ready, refused] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!(ready.subject["paths"], json!(["/tv/some show/a.mkv"]));
        assert_eq!(ready.mend.as_ref().unwrap().arguments, json!({"body": {"name": "RescanSeries", "seriesId": 7}}));
        assert!(refused.mend.is_none());
        for part in
            ["3 videos", "b.mkv (Not an upgrade; Sample)", "c.mkv (Unknown episodes)", "d.mkv (named like Series 8)"]
        {
            assert!(refused.reason.contains(part), "{}", refused.reason);
        }
        assert_eq!(judge(&series(), &paths, &[]), []);
    }
}
