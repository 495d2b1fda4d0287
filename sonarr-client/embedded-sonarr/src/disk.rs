//! A disk that is not there: folders, downloads, backups and log files in memory.

use std::collections::{BTreeMap, BTreeSet};

/// What lies on the server's disk beside the files of the library.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    folders: BTreeSet<String>,
    /// Files by path with their sizes: downloads, samples, notes.
    pub files: BTreeMap<String, i64>,
    /// Paths in the recycle bin.
    pub recycled: Vec<String>,
    /// Log files by name with their text.
    pub logs: BTreeMap<String, String>,
    /// Log files of the updater.
    pub update_logs: BTreeMap<String, String>,
    /// What is mounted where.
    pub drives: Vec<Drive>,
}

/// A disk of the machine.
#[derive(Clone, Debug)]
pub(crate) struct Drive {
    pub path: &'static str,
    pub label: &'static str,
    /// Bytes that are free.
    pub free: i64,
    /// Bytes in all.
    pub total: i64,
}

const DRIVES: [Drive; 3] = [
    Drive { path: "/", label: "", free: 154_006_482_944, total: 244_466_741_248 },
    Drive { path: "/config", label: "", free: 154_006_482_944, total: 244_466_741_248 },
    Drive { path: "/media", label: "media", free: 1_875_309_568_000, total: 8_001_563_222_016 },
];

/// Folders below the root folders that belong to no series.
pub(crate) const UNMAPPED: [&str; 2] = ["Attic Tapes (2009)", "Unsorted"];

impl Default for Disk {
    fn default() -> Self {
        let folders = [
            "/",
            "/media",
            "/media/tv",
            "/media/anime",
            "/media/new",
            "/media/recycle",
            "/downloads",
            "/downloads/manual",
            "/config",
            "/config/Backups",
            "/config/logs",
            "/backups",
            "/mnt",
        ];
        let mut folders: BTreeSet<String> = folders.iter().map(|folder| (*folder).to_owned()).collect();
        for name in UNMAPPED {
            folders.insert(format!("/media/tv/{name}"));
        }
        let files = [
            ("/downloads/manual/Copperfield.Street.S01E02.1080p.WEB.h264-QUILL.mkv", 1_480_003_211),
            ("/downloads/manual/Copperfield.Street.S01E02.sample.mkv", 21_004_113),
            ("/downloads/manual/holiday video.mkv", 912_334_001),
            ("/downloads/manual/readme.txt", 812),
            ("/media/tv/Attic Tapes (2009)/Attic Tapes - S01E01.mkv", 350_112_004),
            ("/config/config.xml", 1_904),
        ];
        Disk {
            folders,
            files: files.into_iter().map(|(path, size)| (path.to_owned(), size)).collect(),
            recycled: vec!["/media/recycle/Old Episode.mkv".to_owned()],
            logs: BTreeMap::new(),
            update_logs: BTreeMap::new(),
            drives: DRIVES.to_vec(),
        }
    }
}

impl Disk {
    /// Removes the folders and files in the root folders that belong to no series.
    pub(crate) fn forget_strays(&mut self) {
        for name in UNMAPPED {
            let folder = format!("/media/tv/{name}");
            self.files.retain(|path, _| !is_within(path, &folder));
            self.folders.remove(&folder);
        }
    }

    /// The drive that holds a path: the one whose own path is the longest that leads to it.
    pub(crate) fn drive_of(&self, path: &str) -> Option<&Drive> {
        let holding = self.drives.iter().filter(|drive| drive.path == "/" || is_within(path, drive.path));
        holding.max_by_key(|drive| drive.path.len())
    }

    /// Makes a drive large enough for `taken` bytes and as many again.
    pub(crate) fn make_room(&mut self, path: &str, taken: i64) {
        for drive in self.drives.iter_mut().filter(|drive| drive.path == path) {
            drive.free = drive.free.max(taken);
            drive.total = drive.total.max(drive.free + taken);
        }
    }

    /// Whether a folder is there; a trailing slash does not matter.
    pub(crate) fn folder_exists(&self, path: &str) -> bool {
        let plain = if path == "/" { "/" } else { path.trim_end_matches('/') };
        self.folders.contains(plain)
    }

    pub(crate) fn add_folder(&mut self, path: &str) {
        self.folders.insert(path.trim_end_matches('/').to_owned());
    }

    pub(crate) fn remove_folder(&mut self, path: &str) {
        self.folders.remove(path.trim_end_matches('/'));
    }

    /// The folders directly in a folder, as full paths.
    pub(crate) fn folders_in(&self, path: &str) -> Vec<String> {
        let parent = path.trim_end_matches('/');
        let direct = self.folders.iter().filter(|folder| folder.as_str() != "/" && parent_of(folder) == Some(parent));
        direct.cloned().collect()
    }

    /// The files directly in a folder, with their sizes.
    pub(crate) fn files_in(&self, path: &str) -> Vec<(String, i64)> {
        let parent = path.trim_end_matches('/');
        let direct = self.files.iter().filter(|(file, _)| parent_of(file) == Some(parent));
        direct.map(|(path, size)| (path.clone(), *size)).collect()
    }

    /// The files anywhere below a folder.
    pub(crate) fn files_below(&self, path: &str) -> Vec<(String, i64)> {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        self.files
            .iter()
            .filter(|(file, _)| file.starts_with(&prefix))
            .map(|(path, size)| (path.clone(), *size))
            .collect()
    }
}

/// Whether a scan of a series' folder passes over a video, by its path below that folder: extras, samples, hidden folders.
pub(crate) fn is_passed_over(relative: &str) -> bool {
    const FOLDERS: [&str; 12] = [
        "extras",
        "extrafanart",
        "behind the scenes",
        "deleted scenes",
        "featurettes",
        "interviews",
        "other",
        "scenes",
        "sample",
        "samples",
        "shorts",
        "trailers",
    ];
    let (folders, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    let passed =
        |folder: &str| folder.starts_with(['.', '@']) || FOLDERS.iter().any(|known| known.eq_ignore_ascii_case(folder));
    folders.split('/').any(passed) || name.starts_with("._") || name.to_ascii_lowercase().contains("-trailer.")
}

/// The folder that holds a path, without a trailing slash: empty for what lies in the root.
pub(crate) fn parent_of(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(parent, _)| parent)
}

/// The last part of a path.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a path is a folder or lies somewhere below it.
pub(crate) fn is_within(path: &str, folder: &str) -> bool {
    let (path, folder) = (path.trim_end_matches('/'), folder.trim_end_matches('/'));
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a file is a video by its name.
pub(crate) fn is_video(path: &str) -> bool {
    [".mkv", ".mp4", ".avi", ".ts"].iter().any(|extension| path.ends_with(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lie_within_folders_not_within_beginnings_of_names() {
        assert!(is_within("/media/tv/", "/media/tv") && is_within("/media/tv/x", "/media/"));
        assert!(!is_within("/media/tv", "/media/t") && !is_within("/media", "/media/tv"));
    }

    #[test]
    fn folders_list_what_is_directly_in_them() {
        let disk = Disk::default();
        assert!(disk.folder_exists("/media/tv/") && disk.folder_exists("/"));
        assert!(!disk.folder_exists("/mnt/offline"));
        assert!(disk.folders_in("/").contains(&"/media".to_owned()));
        assert!(!disk.folders_in("/").contains(&"/media/tv".to_owned()));
        assert_eq!(disk.files_in("/downloads/manual").len(), 4);
        assert_eq!(disk.files_below("/downloads").len(), 4);
    }
}
