//! Files and folders that do not agree with the library: recorded and gone, there and not recorded, of no series.

mod compare;
mod folders;
mod paths;
mod untracked;
mod zones;

use std::collections::HashMap;

use futures::{FutureExt, StreamExt};
use serde_json::json;

use self::compare::{Home, Listing, Recorded, compare};
use super::{Audit, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_files",
    group: "media_library",
    summary: "Finds files that are gone or untracked, and folders of no series.",
    kinds: &[FILE_GONE, FILE_UNTRACKED, FOLDER_UNMAPPED],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const FILE_GONE: Kind = Kind {
    name: "file_gone",
    meaning: "Files are recorded for a series that are not on the disk, which shows other files.",
};

const FILE_UNTRACKED: Kind = Kind {
    name: "file_untracked",
    meaning: "Videos lie in a series' folder that no episode has; extras and samples do not count.",
};

const FOLDER_UNMAPPED: Kind =
    Kind { name: "folder_unmapped", meaning: "A folder in a root folder holds videos and belongs to no series." };

/// How many folders are listed at once: a disk is one, however many ask.
const AT_ONCE: usize = 3;

/// How many file names a reason tells.
const NAMED: usize = 3;

/// How many folders that cannot be seen are named.
const UNSEEN: usize = 20;

/// How many paths or ids a row lists.
const LISTED: usize = 50;

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = library.series().await?;
    let roots = library.root_folders().await?;
    let homes: Vec<Home> = series
        .iter()
        .filter_map(|one| {
            let title = one.title.clone().unwrap_or_default();
            Some(Home { id: one.id?, title, key: paths::key(one.path.as_deref()?) })
        })
        .collect();
    let paths = series.iter().filter_map(|one| one.path.as_deref());
    let root_paths = roots.iter().filter_map(|root| Some((root.path.as_deref()?, root.accessible == Some(true))));
    let zones = zones::zones(root_paths, paths);
    let asked: Vec<(String, String)> =
        zones::asked(&zones).into_iter().map(|zone| (zone.path.clone(), zone.key.clone())).collect();
    let listings: Vec<Listing> = futures::stream::iter(asked)
        .map(|(path, folder)| async move {
            let videos = library.videos(&path).await.map_err(|failure| failure.message.clone());
            Listing { folder, videos }
        })
        .buffered(AT_ONCE)
        .collect()
        .await;
    let episodes = library.episodes().await?;
    let recorded = episodes.files().iter().map(|file| Recorded {
        series_id: file.series_id,
        file_id: file.id,
        path: &file.path,
        is_new: file.added.is_some_and(|added| added >= library.now()),
    });
    worklist.examined("rootFolders", roots.len());
    worklist.examined("series", homes.len());
    worklist.examined("episodeFiles", episodes.files().len());

    let mut compared = compare(&homes, recorded, &zones, listings);
    worklist.examined("videos", compared.videos);
    let more = compared.unseen.len().saturating_sub(UNSEEN);
    worklist.unseen.extend(compared.unseen.drain(..).take(UNSEEN));
    if more > 0 {
        worklist.unseen.push(format!("{more} more folders"));
    }
    let mut counts: HashMap<i32, usize> = HashMap::new();
    for file in episodes.files() {
        *counts.entry(file.series_id).or_default() += 1;
    }
    for home in &homes {
        if let Some(files) = compared.gone.get(&home.id) {
            let of = counts.get(&home.id).copied().unwrap_or_default();
            worklist.findings.push(gone(home, files, of));
        }
    }
    let untracked = untracked::verified(library, series, compared.untracked, &mut worklist.unseen).await;
    worklist.findings.extend(untracked::findings(library, &untracked, &mut worklist.unseen).await);

    let bin = match library.recycle_bin().await {
        Ok(bin) => bin,
        Err(failure) => {
            worklist.unseen.push(format!("folders of no series: {}", failure.message));
            return Ok(worklist);
        }
    };
    let unmapped = folders::unmapped(roots, &homes, bin.as_deref());
    let videos = folders::videos(&unmapped, &compared.strays);
    let titles = folders::Titles::new(series);
    worklist.examined("foldersWithoutSeries", unmapped.len());
    let held = unmapped.iter().zip(videos).filter(|(_, videos)| *videos > 0);
    worklist.findings.extend(held.map(|(folder, videos)| folders::finding(folder, videos, &titles)));
    Ok(worklist)
}

/// The finding about files of a series that are gone, of so many.
fn gone(home: &Home, files: &[Recorded<'_>], of: usize) -> Finding {
    let ids: Vec<i32> = files.iter().take(LISTED).map(|file| file.file_id).collect();
    let names = told(files.iter().map(|file| paths::name(file.path)));
    let subject = json!({"seriesId": home.id, "title": home.title, "episodeFileIds": ids});
    let reason = format!("{} of {of} recorded files are not on the disk: {names}", files.len());
    Finding::new(&FILE_GONE, subject, reason)
        .mended_by("run_command", json!({"body": {"name": "RescanSeries", "seriesId": home.id}}))
}

/// The first of some names, and how many more there are.
fn told<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut told: Vec<String> = names.take(NAMED).map(str::to_owned).collect();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join(", ")
}
