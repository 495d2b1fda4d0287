//! Disks that hold root folders, and how long their room will last.

use std::collections::BTreeMap;

use serde_json::json;
use sonarr_client::types::{DiskSpaceResource, RootFolderResource, SeriesResource};

use super::DISK_NEARLY_FULL;
use super::growth::{self, Weekly};
use crate::audits::{Finding, bytes};

/// Bytes below which a disk is nearly full, however slowly it fills.
const LITTLE: i64 = 5_000_000_000;
/// Days of room that are too few.
const DAYS: i64 = 30;

/// A disk, or the share of one that a root folder is.
#[derive(Debug, Default)]
struct Disk<'a> {
    free: i64,
    total: Option<i64>,
    folders: Vec<&'a str>,
}

/// Whether a path is `folder` or lies in it. Windows' paths have either slash, and no case.
pub fn within(path: &str, folder: &str) -> bool {
    let windows = |text: &str| text.contains('\\') || text.as_bytes().get(1) == Some(&b':');
    let plain = |text: &str| {
        let text = if windows(folder) { text.replace('\\', "/").to_lowercase() } else { text.to_owned() };
        text.trim_end_matches('/').to_owned()
    };
    let (path, folder) = (plain(path), plain(folder));
    path.strip_prefix(&folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The disks of reachable root folders by path. Several folders on one disk share its room; where Sonarr names no disk
/// for a folder, the folder stands for itself.
fn disks<'a>(folders: &'a [RootFolderResource], known: &'a [DiskSpaceResource]) -> BTreeMap<&'a str, Disk<'a>> {
    let mut found: BTreeMap<&str, Disk<'_>> = BTreeMap::new();
    for folder in folders.iter().filter(|folder| folder.accessible != Some(false)) {
        let Some(path) = folder.path.as_deref() else { continue };
        let holding = known
            .iter()
            .filter_map(|disk| Some((disk.path.as_deref()?, disk)))
            .filter(|(disk, _)| within(path, disk))
            .max_by_key(|(disk, _)| disk.len());
        let (name, free, total) = match holding {
            Some((name, disk)) => (name, disk.free_space.or(folder.free_space), disk.total_space),
            None => (path, folder.free_space, None),
        };
        let Some(free) = free else { continue };
        let disk = found.entry(name).or_default();
        (disk.free, disk.total) = (free, total);
        disk.folders.push(path);
    }
    found
}

/// Disks with too little room, each with the figures.
pub(super) fn nearly_full(
    folders: &[RootFolderResource],
    known: &[DiskSpaceResource],
    series: &[SeriesResource],
    grown: &Weekly,
) -> Vec<Finding> {
    let lying = |disk: &Disk<'_>| -> Vec<i32> {
        let on = |one: &&SeriesResource| {
            one.path.as_deref().is_some_and(|path| disk.folders.iter().any(|folder| within(path, folder)))
        };
        series.iter().filter(on).filter_map(|one| one.id).collect()
    };
    let judge = |(path, disk): (&str, Disk<'_>)| {
        let rate = growth::daily(grown, lying(&disk).into_iter());
        let days = (rate > 0).then(|| disk.free / rate);
        let soon = days.is_some_and(|days| days < DAYS);
        if disk.free >= LITTLE && !soon {
            return None;
        }
        let mut reason = format!("{} left", bytes::human(disk.free));
        if let Some(total) = disk.total {
            reason.push_str(&format!(" of {}", bytes::human(total)));
        }
        match days {
            Some(days) => reason.push_str(&format!(", {} a day come: {days} days", bytes::human(rate))),
            None => reason.push_str(", and it does not grow at present"),
        }
        let subject = json!({"path": path, "rootFolders": disk.folders, "freeSpace": disk.free});
        Some(Finding::new(&DISK_NEARLY_FULL, subject, reason))
    };
    disks(folders, known).into_iter().filter_map(judge).collect()
}
