//! Scanning a series' folder: what is gone is forgotten, and what is new is imported where it lies.

use crate::disk;
use crate::quality;
use crate::routes::parsing;
use crate::state::episode::{Episode, EpisodeFile};
use crate::state::{Entry, State, int, text};

impl State {
    /// Scans the folder of a series. Nothing happens while its root folder is not there: the disk may not be mounted.
    pub(crate) fn rescan(&mut self, series: i64) {
        let Some(entry) = self.library.get(series) else { return };
        let root = text(&entry.row, "rootFolderPath");
        if !root.is_empty() && !self.disk.folder_exists(root) {
            return;
        }
        let base = text(&entry.row, "path").to_owned();
        let gone: Vec<i64> = entry.files.iter().filter(|file| file.gone).map(|file| file.id).collect();
        for file in gone {
            self.delete_file(file, "MissingFromDisk");
        }
        for (path, size) in self.disk.files_below(&base) {
            let relative = path.strip_prefix(&format!("{base}/")).unwrap_or(&path).to_owned();
            if disk::is_video(&path)
                && !disk::is_passed_over(&relative)
                && self.import_in_place(series, &relative, size)
            {
                self.disk.files.remove(&path);
            }
        }
    }

    /// Records a video of the series' folder as the file of the episodes that its name tells, if they have none or a
    /// worse one. Its name stays.
    fn import_in_place(&mut self, series: i64, relative: &str, size: i64) -> bool {
        let name = disk::name_of(relative);
        let (Some(parsed), Some(entry)) = (parsing::read(name), self.library.get(series)) else { return false };
        if parsing::series_of(self, &parsed.series) != Some(series) {
            return false;
        }
        let found: Vec<&Episode> = entry.episodes.iter().filter(|episode| parsed.holds(episode)).collect();
        let quality = quality::from_title(name);
        let Some(season) = found.first().map(|episode| episode.season) else { return false };
        if !self.is_upgrade(entry, &found, quality) {
            return false;
        }
        let episodes: Vec<i64> = found.iter().map(|episode| episode.id).collect();
        let old: Vec<i64> = found.iter().map(|episode| episode.file_id).filter(|file| *file != 0).collect();
        for file in old {
            self.delete_file(file, "Upgrade");
        }
        let (id, added) = (self.library.next_file_id(series), self.now);
        let Some(entry) = self.library.get_mut(series) else { return false };
        entry.files.push(EpisodeFile {
            id,
            season,
            quality,
            size,
            added,
            relative: Some(relative.into()),
            ..EpisodeFile::default()
        });
        for episode in entry.episodes.iter_mut().filter(|episode| episodes.contains(&episode.id)) {
            episode.file_id = id;
        }
        true
    }

    /// Whether a video of that quality may take the place of what these episodes have.
    pub(crate) fn is_upgrade(&self, entry: &Entry, episodes: &[&Episode], quality: i64) -> bool {
        let profile = self.row("qualityprofile", int(&entry.row, "qualityProfileId"));
        let rank = |quality| profile.and_then(|profile| quality::rank(profile, quality)).map(|(place, _)| place);
        episodes
            .iter()
            .filter_map(|episode| entry.file(episode.file_id))
            .all(|file| file.gone || rank(quality) > rank(file.quality))
    }
}

#[cfg(test)]
mod tests {
    use crate::clock::Timekeeper;
    use crate::state::text;
    use crate::{Clock, Options, seed};

    #[test]
    fn what_is_gone_is_forgotten_and_what_is_new_is_imported() {
        let mut state = seed::build(&Options::default(), Timekeeper::new(Clock::fixed()).now(), 1);
        let (series, entry) = state.library.iter().find(|(_, entry)| entry.files.len() > 3).unwrap();
        let base = text(&entry.row, "path").to_owned();
        let title = text(&entry.row, "title").to_owned();
        let gone = entry.files[1].id;
        let episode = entry.episodes_of_file(gone).next().unwrap().clone();
        let before = entry.files.len();
        state.library.file_mut(gone).unwrap().gone = true;
        let lay = |state: &mut crate::state::State, name: &str| {
            state.disk.files.insert(format!("{base}/{name}"), 1_000);
        };
        let name = format!("Season 01/{title} - {} - 2160p BluRay.mkv", episode.code());
        lay(&mut state, &name);
        lay(&mut state, &format!("Extras/{title} - {} 2160p REMUX.mkv", episode.code()));
        lay(&mut state, "Season 01/notes on nothing.mkv");

        let root = text(&state.library.get(series).unwrap().row, "rootFolderPath").to_owned();
        state.disk.remove_folder(&root);
        state.rescan(series);
        assert!(state.library.file(gone).is_some(), "the disk may not be mounted");

        state.disk.add_folder(&root);
        state.rescan(series);
        let entry = state.library.get(series).unwrap();
        assert_eq!(entry.files.len(), before);
        let file = entry.files.last().unwrap();
        assert_eq!((file.relative.as_deref(), file.quality), (Some(name.as_str()), 19));
        assert_eq!(entry.episodes_of_file(file.id).next().unwrap().id, episode.id);
        assert!(!state.disk.recycled.iter().any(|path| path.contains(&episode.code())));
        assert_eq!(state.disk.files_below(&base).len(), 2, "extras and what nobody can tell apart stay");
    }
}
