//! The parts of the disk that belong together: root folders, and series that lie outside of all of them.

use std::collections::HashMap;

use super::paths::{is_within, key, upwards};

/// A root folder, or the folder of a series outside of all root folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The path as Sonarr writes it.
    pub path: String,
    /// The same, as it is compared.
    pub key: String,
    /// Why it cannot be looked at, if so.
    pub closed: Option<String>,
}

impl Zone {
    fn new(path: &str, closed: Option<String>) -> Self {
        Zone { path: path.to_owned(), key: key(path), closed }
    }
}

/// How many series outside of all root folders are looked at, each with a request of its own.
pub const OUTSIDE: usize = 50;

/// Zones from root folders, each with whether it is accessible, and the folders of series.
pub fn zones<'a>(roots: impl Iterator<Item = (&'a str, bool)>, series: impl Iterator<Item = &'a str>) -> Vec<Zone> {
    let mut zones: Vec<Zone> = Vec::new();
    for (path, accessible) in roots {
        let closed = (!accessible).then(|| format!("the root folder {path} cannot be reached"));
        let zone = Zone::new(path, closed);
        if zones.iter().all(|known| known.key != zone.key) {
            zones.push(zone);
        }
    }
    let roots = zones.len();
    for path in series {
        let own = key(path);
        if zones.iter().any(|zone| is_within(&own, &zone.key)) {
            continue;
        }
        let many = zones.len() - roots >= OUTSIDE;
        let closed = many.then(|| format!("{path} lies outside of every root folder, as {OUTSIDE} others do"));
        zones.push(Zone::new(path, closed));
    }
    zones
}

/// The zones that are asked for: open ones, and none that another one's answer tells of anyway.
pub fn asked(zones: &[Zone]) -> Vec<&Zone> {
    let open = || zones.iter().filter(|zone| zone.closed.is_none());
    open().filter(|zone| !open().any(|outer| outer.key != zone.key && is_within(&zone.key, &outer.key))).collect()
}

/// Folders by their paths, to find the innermost that holds a path.
#[derive(Debug, Default)]
pub struct Places<'a>(HashMap<&'a str, usize>);

impl<'a> Places<'a> {
    /// From the [`key`]s of folders; a place is told by its number in them.
    pub fn new(keys: impl Iterator<Item = &'a str>) -> Self {
        Places(keys.enumerate().map(|(index, key)| (key, index)).collect())
    }

    /// The innermost folder that is or holds a path.
    pub fn of(&self, key: &str) -> Option<usize> {
        upwards(key).find_map(|path| self.0.get(path)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(zones: &[&Zone]) -> Vec<String> {
        zones.iter().map(|zone| zone.path.clone()).collect()
    }

    #[test]
    fn what_another_folder_tells_of_is_not_asked_again() {
        let roots = [("/media", true), ("/media/anime/", true), ("/mnt/offline", false), ("/mnt/offline/kids", true)];
        let series = ["/media/Show", "/mnt/offline/Show", "/elsewhere/Show", "/elsewhere/Other"];
        let zones = zones(roots.into_iter(), series.into_iter());
        assert_eq!(paths(&asked(&zones)), ["/media", "/mnt/offline/kids", "/elsewhere/Show", "/elsewhere/Other"]);
        let places = Places::new(zones.iter().map(|zone| zone.key.as_str()));
        let at = |path: &str| places.of(&key(path)).map(|index| zones[index].path.as_str());
        assert_eq!(at("/media/Anime/Show/a.mkv"), Some("/media/anime/"));
        assert_eq!(at("/media/Show/a.mkv"), Some("/media"));
        assert_eq!(at("/mnt/offline/Show/a.mkv"), Some("/mnt/offline"));
        assert_eq!(at("/elsewhere/Third/a.mkv"), None);
    }

    #[test]
    fn the_root_of_a_disk_holds_everything_on_it() {
        let windows = zones([(r"D:\", true), (r"D:\TV", true)].into_iter(), [r"d:\tv\Show", r"E:\Show"].into_iter());
        assert_eq!(paths(&asked(&windows)), [r"D:\", r"E:\Show"]);
        let places = Places::new(windows.iter().map(|zone| zone.key.as_str()));
        assert_eq!(places.of(&key("D:/tv/Show/a.mkv")), Some(1));
    }

    #[test]
    fn too_many_series_outside_are_named_instead_of_asked() {
        let series: Vec<String> = (0..OUTSIDE + 2).map(|number| format!("/lost/{number}")).collect();
        let zones = zones([("/tv", true)].into_iter(), series.iter().map(String::as_str));
        assert_eq!(asked(&zones).len(), OUTSIDE + 1);
        assert_eq!(zones.iter().filter(|zone| zone.closed.is_some()).count(), 2);
    }
}
