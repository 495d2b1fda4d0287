//! Series with their episodes and files, kept small: a library of thousands must be made in a moment.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::Row;
use super::episode::{Episode, EpisodeFile};

/// A series, its episodes and its files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// The stored members; statistics, images and the like are made when the series is written.
    pub row: Row,
    pub episodes: Vec<Episode>,
    pub files: Vec<EpisodeFile>,
}

impl Entry {
    pub(crate) fn file(&self, id: i64) -> Option<&EpisodeFile> {
        self.files.iter().find(|file| file.id == id)
    }

    pub(crate) fn file_mut(&mut self, id: i64) -> Option<&mut EpisodeFile> {
        self.files.iter_mut().find(|file| file.id == id)
    }

    /// The episodes that a file holds.
    pub(crate) fn episodes_of_file(&self, id: i64) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(move |episode| episode.file_id == id)
    }

    /// Removes a file; its episodes are then missing.
    pub(crate) fn remove_file(&mut self, id: i64) -> Option<EpisodeFile> {
        let index = self.files.iter().position(|file| file.id == id)?;
        for episode in &mut self.episodes {
            if episode.file_id == id {
                episode.file_id = 0;
            }
        }
        Some(self.files.remove(index))
    }
}

/// The library.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    series: BTreeMap<i64, Entry>,
    last_series: i64,
    /// The series of every episode by episode id.
    episode_owner: Vec<u32>,
    /// The series of every file by file id.
    file_owner: Vec<u32>,
}

impl Library {
    /// Stores a series without episodes under the next id.
    pub(crate) fn add(&mut self, mut row: Row) -> i64 {
        self.last_series += 1;
        row.insert("id".to_owned(), self.last_series.into());
        self.series.insert(self.last_series, Entry { row, ..Entry::default() });
        self.last_series
    }

    /// The next free episode id, for an episode of that series.
    pub(crate) fn next_episode_id(&mut self, series: i64) -> i64 {
        claim(&mut self.episode_owner, series)
    }

    /// The next free file id, for a file of that series.
    pub(crate) fn next_file_id(&mut self, series: i64) -> i64 {
        claim(&mut self.file_owner, series)
    }

    pub(crate) fn get(&self, id: i64) -> Option<&Entry> {
        self.series.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: i64) -> Option<&mut Entry> {
        self.series.get_mut(&id)
    }

    pub(crate) fn remove(&mut self, id: i64) -> Option<Entry> {
        self.series.remove(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.series.len()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, &Entry)> {
        self.series.iter().map(|(id, entry)| (*id, entry))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (i64, &mut Entry)> {
        self.series.iter_mut().map(|(id, entry)| (*id, entry))
    }

    pub(crate) fn ids(&self) -> Vec<i64> {
        self.series.keys().copied().collect()
    }

    /// A series by its TheTVDB id.
    pub(crate) fn by_tvdb(&self, tvdb_id: i64) -> Option<(i64, &Entry)> {
        self.iter().find(|(_, entry)| super::int(&entry.row, "tvdbId") == tvdb_id)
    }

    /// An episode with its series.
    pub(crate) fn episode(&self, id: i64) -> Option<(&Entry, &Episode)> {
        let entry = self.series.get(&owner(&self.episode_owner, id)?)?;
        let episode = entry.episodes.iter().find(|episode| episode.id == id)?;
        Some((entry, episode))
    }

    pub(crate) fn episode_mut(&mut self, id: i64) -> Option<&mut Episode> {
        let entry = self.series.get_mut(&owner(&self.episode_owner, id)?)?;
        entry.episodes.iter_mut().find(|episode| episode.id == id)
    }

    /// The id of the series that a file belongs to, while both exist.
    pub(crate) fn series_of_file(&self, id: i64) -> Option<i64> {
        let series = owner(&self.file_owner, id)?;
        self.series.get(&series)?.file(id).map(|_| series)
    }

    /// A file with its series.
    pub(crate) fn file(&self, id: i64) -> Option<(&Entry, &EpisodeFile)> {
        let entry = self.series.get(&owner(&self.file_owner, id)?)?;
        Some((entry, entry.file(id)?))
    }

    pub(crate) fn file_mut(&mut self, id: i64) -> Option<&mut EpisodeFile> {
        self.series.get_mut(&owner(&self.file_owner, id)?)?.file_mut(id)
    }

    /// Aired episodes without a file. `monitored` chooses those where both the episode and the series are monitored,
    /// or those where one of them is not.
    pub(crate) fn missing(&self, now: DateTime<Utc>, monitored: bool) -> impl Iterator<Item = (&Entry, &Episode)> {
        self.series.values().flat_map(move |entry| {
            let watched = super::flag(&entry.row, "monitored");
            entry
                .episodes
                .iter()
                .filter(move |episode| {
                    episode.file_id == 0
                        && episode.season > 0
                        && episode.air.is_some_and(|air| air <= now)
                        && (watched && episode.monitored) == monitored
                })
                .map(move |episode| (entry, episode))
        })
    }
}

fn claim(owners: &mut Vec<u32>, series: i64) -> i64 {
    if owners.is_empty() {
        owners.push(0);
    }
    owners.push(u32::try_from(series).unwrap_or(0));
    i64::try_from(owners.len()).unwrap_or(1) - 1
}

fn owner(owners: &[u32], id: i64) -> Option<i64> {
    usize::try_from(id).ok().and_then(|id| owners.get(id)).map(|series| i64::from(*series))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn episodes_are_found_by_id() {
        let mut library = Library::default();
        let series = library.add(Row::new());
        let id = library.next_episode_id(series);
        assert_eq!(id, 1);
        let entry = library.get_mut(series).unwrap();
        entry.episodes.push(Episode { id, season: 1, number: 1, ..Episode::default() });
        assert_eq!(library.episode(id).unwrap().1.number, 1);
        assert!(library.episode(2).is_none());
        library.remove(series);
        assert!(library.episode(id).is_none());
    }
}
