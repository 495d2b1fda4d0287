//! What TheTVDB knows: invented series that are not in the library, and those that were removed from it.

use chrono::{DateTime, Duration};
use serde_json::{Value, json};

use super::library::{Standing, date, series_row};
use super::{Rng, titles};
use crate::state::episode::Episode;
use crate::state::{Entry, Row, State, int};

/// How many series can be looked up beyond those of the library.
const SIZE: usize = 60;
/// TheTVDB ids of the catalogue start here, after those of any library.
const FIRST_TVDB_ID: i64 = 9_900_000;

fn catalogue_row(number: usize) -> Row {
    let mut rng = Rng::new(50_000 + number as u64);
    let now = DateTime::from_timestamp(1_767_225_600, 0).unwrap_or_default();
    let (title, year) = titles::catalogue(number);
    let tvdb_id = FIRST_TVDB_ID + i64::try_from(number).unwrap_or(0);
    let mut row = series_row(&title, year, tvdb_id, "standard", Standing::Complete, now, &mut rng);
    let seasons = (0..=2 + number % 4).map(|season| json!({"seasonNumber": season, "monitored": season > 0}));
    row.insert("seasons".into(), seasons.collect());
    forget_place(row)
}

/// Takes off what belongs to a place in a library.
fn forget_place(mut row: Row) -> Row {
    for member in ["id", "path", "rootFolderPath", "alternateTitles", "addOptions"] {
        row.shift_remove(member);
    }
    row.insert("qualityProfileId".into(), 0.into());
    row.insert("seasonFolder".into(), false.into());
    row.insert("monitored".into(), true.into());
    row.insert("monitorNewItems".into(), "all".into());
    row.insert("tags".into(), json!([]));
    row.insert("added".into(), "0001-01-01T00:00:00Z".into());
    row
}

impl State {
    /// The series that can be looked up and are not in the library.
    pub(crate) fn known_series(&self) -> impl Iterator<Item = Row> + '_ {
        let removed = self.removed.values().map(|entry| forget_place(entry.row.clone()));
        let all = (0..SIZE).map(catalogue_row).filter(|row| !self.removed.contains_key(&int(row, "tvdbId")));
        removed.chain(all).filter(|row| self.library.by_tvdb(int(row, "tvdbId")).is_none())
    }

    /// One of them by its TheTVDB id.
    pub(crate) fn known_by_tvdb(&self, id: i64) -> Option<Row> {
        self.known_series().find(|row| int(row, "tvdbId") == id)
    }

    /// Adds one of them to the library: what the request decides over what TheTVDB knows.
    pub(crate) fn add_known(&mut self, known: Row, wanted: &Row) -> i64 {
        let mut row = known;
        row.insert("alternateTitles".into(), json!([]));
        for (name, value) in wanted {
            row.insert(name.clone(), value.clone());
        }
        self.library.add(row)
    }

    /// What a refresh finds at TheTVDB: the seasons and episodes of a series that has none yet.
    pub(crate) fn fill_from_tvdb(&mut self, id: i64) {
        let Some(entry) = self.library.get(id).filter(|entry| entry.episodes.is_empty()) else { return };
        let row = entry.row.clone();
        let found = match self.removed.get(&int(&row, "tvdbId")) {
            Some(entry) => entry.episodes.clone(),
            None => invented_episodes(&row),
        };
        let mut seasons = row.get("seasons").and_then(Value::as_array).cloned().unwrap_or_default();
        let known = |seasons: &[Value], number: i64| {
            seasons.iter().any(|season| season.get("seasonNumber").and_then(Value::as_i64) == Some(number))
        };
        for episode in &found {
            if !known(&seasons, episode.season) {
                seasons.push(json!({"seasonNumber": episode.season, "monitored": episode.season > 0}));
            }
        }
        let mut row = row;
        row.insert("seasons".into(), seasons.into());
        let mut episodes = Vec::with_capacity(found.len());
        for episode in found {
            episodes.push(Episode {
                id: self.library.next_episode_id(id),
                file_id: 0,
                last_search: None,
                monitored: crate::state::series::season_monitored(&row, episode.season),
                ..episode
            });
        }
        if let Some(entry) = self.library.get_mut(id) {
            *entry = Entry { row, episodes, files: Vec::new() };
        }
    }
}

/// The episodes of a series of the catalogue; none for a series that is not in it.
fn invented_episodes(row: &Row) -> Vec<Episode> {
    let tvdb = int(row, "tvdbId");
    let Some(number) = usize::try_from(tvdb - FIRST_TVDB_ID).ok().filter(|number| *number < SIZE) else {
        return Vec::new();
    };
    let mut rng = Rng::new(u64::try_from(tvdb).unwrap_or(1));
    let year = int(row, "year");
    let mut list = Vec::new();
    for season in 0..=2 + i64::try_from(number % 4).unwrap_or(0) {
        let count = if season == 0 { 1 } else { 8 };
        for number in 1..=count {
            let air = date(year + season.max(1) - 1, 3, 1) + Duration::days(7 * (number - 1)) + Duration::hours(20);
            list.push(Episode {
                tvdb_id: 30_000_000 + (tvdb - FIRST_TVDB_ID) * 1_000 + season * 100 + number,
                season,
                number,
                air: Some(air),
                runtime: int(row, "runtime"),
                title_seed: u32::try_from(rng.below(1 << 30)).unwrap_or(0),
                ..Episode::default()
            });
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timekeeper;
    use crate::{Clock, Options, seed};

    #[test]
    fn a_removed_series_can_be_found_again() {
        let mut state = seed::build(&Options::default(), Timekeeper::new(Clock::fixed()).now(), 1);
        assert_eq!(state.known_series().count(), SIZE);
        let entry = state.library.remove(1).unwrap();
        let tvdb = int(&entry.row, "tvdbId");
        state.removed.insert(tvdb, entry);
        assert_eq!(state.known_series().count(), SIZE + 1);
        let known = state.known_by_tvdb(tvdb).unwrap();
        assert!(known.get("path").is_none() && known.get("id").is_none());
        let id = state.add_known(known, &Row::new());
        assert_eq!(state.known_series().count(), SIZE);
        state.fill_from_tvdb(id);
        let entry = state.library.get(id).unwrap();
        assert!(
            !entry.episodes.is_empty() && entry.episodes.iter().all(|episode| episode.file_id == 0 && episode.id > 0)
        );
    }
}
