//! What is recorded, held against what lies on the disk.

use std::collections::{BTreeMap, HashMap};

use super::paths::{is_passed_over, key};
use super::zones::{Places, Zone};

/// A series and where it lives.
#[derive(Debug, Clone)]
pub struct Home {
    pub id: i32,
    pub title: String,
    /// The path as it is compared; nothing for a series without one.
    pub key: String,
}

/// A file of the library.
#[derive(Debug, Clone)]
pub struct Recorded<'a> {
    pub series_id: i32,
    pub file_id: i32,
    pub path: &'a str,
    /// Whether it came in after the disk may have been listed.
    pub is_new: bool,
}

/// The videos that one answer told of.
#[derive(Debug)]
pub struct Listing {
    /// The folder that was asked for, as it is compared.
    pub folder: String,
    /// The full paths of the videos, or why there is no answer.
    pub videos: Result<Vec<String>, String>,
}

/// From how many recorded files on it is doubted that most of them are gone.
const MANY: usize = 10;

/// What came of it.
#[derive(Debug, Default)]
pub struct Compared<'a> {
    /// Files that are recorded and not there, by series.
    pub gone: BTreeMap<i32, Vec<Recorded<'a>>>,
    /// Videos in the folder of a series that no file of the library is, by series: full paths.
    pub untracked: BTreeMap<i32, Vec<String>>,
    /// Videos that lie in no series' folder: their keys.
    pub strays: Vec<String>,
    /// How many videos there are.
    pub videos: usize,
    /// What could not be told, and why.
    pub unseen: Vec<String>,
}

/// Compares. A file is called gone only where the disk it lies on shows others.
pub fn compare<'a>(
    homes: &[Home],
    recorded: impl Iterator<Item = Recorded<'a>>,
    zones: &[Zone],
    listings: Vec<Listing>,
) -> Compared<'a> {
    let mut compared = Compared::default();
    let places = Places::new(zones.iter().map(|zone| zone.key.as_str()));
    let asked = Places::new(listings.iter().map(|listing| listing.folder.as_str()));
    // Each video, and whether a file of the library is it.
    let mut there: HashMap<String, bool> = HashMap::new();
    let mut in_zone = vec![0_usize; zones.len()];
    for path in listings.iter().filter_map(|listing| listing.videos.as_ref().ok()).flatten() {
        let key = key(path);
        if let Some(count) = places.of(&key).and_then(|zone| in_zone.get_mut(zone)) {
            *count += 1;
        }
        there.insert(key, false);
    }
    compared.videos = there.len();

    let mut sums = vec![Sum::default(); zones.len()];
    for file in recorded {
        let key = key(file.path);
        let is_there = there.get_mut(&key).map(|is_known| *is_known = true).is_some();
        if let Some(sum) = places.of(&key).and_then(|zone| sums.get_mut(zone)) {
            sum.recorded += 1;
            if !is_there && !file.is_new {
                sum.gone.push(file);
            }
        }
    }
    let mut trusted = vec![true; zones.len()];
    for (((zone, sum), videos), trusted) in zones.iter().zip(sums).zip(in_zone).zip(&mut trusted) {
        let failed = || {
            let listing = asked.of(&zone.key).and_then(|index| listings.get(index))?;
            listing.videos.as_ref().err().map(|reason| format!("{}: {reason}", zone.path))
        };
        let doubt = zone.closed.clone().or_else(failed).or_else(|| sum.doubt(&zone.path, videos));
        if let Some(doubt) = doubt {
            *trusted = false;
            compared.unseen.push(doubt);
        } else {
            for file in sum.gone {
                compared.gone.entry(file.series_id).or_default().push(file);
            }
        }
    }

    let by_home = Places::new(homes.iter().map(|home| home.key.as_str()));
    let is_trusted = |key: &str| places.of(key).and_then(|zone| trusted.get(zone)).is_some_and(|trusted| *trusted);
    for path in listings.into_iter().filter_map(|listing| listing.videos.ok()).flatten() {
        let key = key(&path);
        if there.get(&key).copied().unwrap_or_default() || !is_trusted(&key) {
            continue;
        }
        let Some(home) = by_home.of(&key).and_then(|index| homes.get(index)) else {
            compared.strays.push(key);
            continue;
        };
        let relative = key.get(home.key.len()..).unwrap_or_default().trim_start_matches('/');
        if !is_passed_over(relative) {
            compared.untracked.entry(home.id).or_default().push(path);
        }
    }
    compared
}

/// The recorded files of a zone.
#[derive(Debug, Clone, Default)]
struct Sum<'a> {
    recorded: usize,
    gone: Vec<Recorded<'a>>,
}

impl Sum<'_> {
    /// Why the disk rather than the files may be missing, if so.
    fn doubt(&self, path: &str, videos: usize) -> Option<String> {
        let (gone, recorded) = (self.gone.len(), self.recorded);
        if gone > 0 && videos == 0 {
            return Some(format!(
                "{path} shows no video, and {recorded} files are recorded there: is the disk mounted?"
            ));
        }
        (recorded >= MANY && gone * 2 > recorded).then(|| {
            format!("{path}: {gone} of {recorded} recorded files are not there, more than half: is the disk mounted?")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::zones::{asked, zones};
    use super::*;

    struct Disk {
        homes: Vec<Home>,
        zones: Vec<Zone>,
        videos: Vec<&'static str>,
    }

    impl Disk {
        fn new(roots: &[(&'static str, bool)], series: &[(i32, &'static str)], videos: &[&'static str]) -> Self {
            let homes = series.iter().map(|(id, path)| Home { id: *id, title: format!("Series {id}"), key: key(path) });
            Disk {
                homes: homes.collect(),
                zones: zones(roots.iter().copied(), series.iter().map(|(_, path)| *path)),
                videos: videos.to_vec(),
            }
        }

        /// As Sonarr lists: every asked folder with what is below it.
        fn compare(&self, recorded: &[(i32, i32, &'static str)]) -> Compared<'static> {
            let listings = asked(&self.zones).into_iter().map(|zone| {
                let below = self.videos.iter().filter(|path| super::super::paths::is_within(&key(path), &zone.key));
                Listing { folder: zone.key.clone(), videos: Ok(below.map(|path| (*path).to_owned()).collect()) }
            });
            let listings = listings.collect();
            let recorded = recorded.iter().map(|(series_id, file_id, path)| Recorded {
                series_id: *series_id,
                file_id: *file_id,
                path,
                is_new: *file_id == NEW,
            });
            compare(&self.homes, recorded, &self.zones, listings)
        }
    }

    /// The id of a file that came in while the audit ran.
    const NEW: i32 = 99;

    fn gone(compared: &Compared<'_>) -> Vec<(i32, Vec<i32>)> {
        let ids = |files: &Vec<Recorded<'_>>| files.iter().map(|file| file.file_id).collect();
        compared.gone.iter().map(|(series, files)| (*series, ids(files))).collect()
    }

    #[test]
    fn gone_and_untracked_files_are_told_by_series() {
        let disk = Disk::new(
            &[("/tv", true)],
            &[(1, "/tv/A"), (2, "/tv/B"), (3, "/other/C")],
            &["/tv/A/1.mkv", "/tv/A/new.mkv", "/tv/A/Extras/x.mkv", "/tv/B/1.mkv", "/tv/Loose/x.mkv", "/other/C/1.mkv"],
        );
        let told = disk.compare(&[
            (1, 11, "/tv/A/1.mkv"),
            (1, 12, "/tv/A/2.mkv"),
            (2, 21, "/tv/B/1.mkv"),
            (3, 31, "/other/C/1.mkv"),
            (3, 32, "/other/C/2.mkv"),
            (2, NEW, "/tv/B/just in.mkv"),
        ]);
        assert_eq!(gone(&told), [(1, vec![12]), (3, vec![32])]);
        assert_eq!(told.untracked, BTreeMap::from([(1, vec!["/tv/A/new.mkv".to_owned()])]));
        assert_eq!((told.strays, told.videos), (vec!["/tv/loose/x.mkv".to_owned()], 6));
        assert_eq!(told.unseen, Vec::<String>::new());
    }

    #[test]
    fn a_disk_that_is_not_there_loses_no_files() {
        let series = [(1, "/tv/A"), (2, "/tv/kids/B"), (3, "/away/C")];
        let files = [(1, 1, "/tv/A/1.mkv"), (2, 2, "/tv/kids/B/1.mkv"), (3, 3, "/away/C/1.mkv")];
        for (roots, videos, unseen) in [
            // Sonarr says so.
            (vec![("/tv", false), ("/tv/kids", false), ("/away", false)], vec![], 3),
            // The mount points are there, and empty.
            (vec![("/tv", true), ("/tv/kids", true), ("/away", true)], vec![], 3),
            // One root folder in another is a disk of its own.
            (vec![("/tv", true), ("/tv/kids", true), ("/away", true)], vec!["/tv/A/1.mkv", "/away/C/1.mkv"], 1),
            (vec![("/tv", true), ("/tv/kids", false), ("/away", true)], vec!["/tv/A/1.mkv", "/away/C/1.mkv"], 1),
            // The folder of a series that is in none of them.
            (vec![("/tv", true)], vec!["/tv/A/1.mkv", "/tv/kids/B/1.mkv"], 1),
        ] {
            let told = Disk::new(&roots, &series, &videos).compare(&files);
            assert_eq!(gone(&told), [], "{roots:?}");
            assert_eq!(told.unseen.len(), unseen, "{:?}", told.unseen);
        }
    }

    #[test]
    fn a_disk_that_lost_more_than_half_is_doubted() {
        let paths: Vec<(i32, i32, &str)> =
            (0..12).map(|number| (1, number, &*format!("/tv/A/{number}.mkv").leak())).collect();
        let there: Vec<&'static str> = paths.iter().take(5).map(|(.., path)| *path).collect();
        let told = Disk::new(&[("/tv", true)], &[(1, "/tv/A")], &there).compare(&paths);
        assert_eq!(gone(&told), []);
        assert!(told.unseen[0].contains("7 of 12 recorded files"), "{:?}", told.unseen);
        let there: Vec<&'static str> = paths.iter().take(6).map(|(.., path)| *path).collect();
        let told = Disk::new(&[("/tv", true)], &[(1, "/tv/A")], &there).compare(&paths);
        assert_eq!(gone(&told), [(1, vec![6, 7, 8, 9, 10, 11])]);
    }

    #[test]
    fn one_file_under_two_spellings_is_one_file() {
        let disk = Disk::new(&[(r"D:\TV\", true)], &[(1, r"D:\TV\Some Show")], &[r"D:\TV\Some Show\Season 1\A.mkv"]);
        let told = disk.compare(&[(1, 1, r"d:\tv\some show/season 1/a.MKV")]);
        assert_eq!((gone(&told), told.untracked.len()), (vec![], 0));
    }

    #[test]
    fn a_folder_that_gave_no_answer_is_unseen() {
        let disk = Disk::new(&[("/tv", true), ("/tv/kids", true)], &[(1, "/tv/A"), (2, "/tv/kids/B")], &[]);
        let listings = vec![Listing { folder: key("/tv"), videos: Err("too slow".to_owned()) }];
        let recorded = Recorded { series_id: 1, file_id: 1, path: "/tv/A/1.mkv", is_new: false };
        let told = compare(&disk.homes, std::iter::once(recorded), &disk.zones, listings);
        assert_eq!(told.unseen, ["/tv: too slow", "/tv/kids: too slow"]);
        assert_eq!(gone(&told), []);
    }

    #[test]
    fn a_series_in_the_folder_of_another_has_its_own_videos() {
        let disk = Disk::new(&[("/tv", true)], &[(1, "/tv/A"), (2, "/tv/A/Spin-off")], &["/tv/A/Spin-off/1.mkv"]);
        let told = disk.compare(&[]);
        assert_eq!(told.untracked.keys().collect::<Vec<_>>(), [&2]);
    }
}
