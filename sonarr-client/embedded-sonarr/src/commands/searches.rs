//! Commands that search and grab.

use std::collections::HashMap;

use super::{Command, Done};
use crate::downloads::Search;
use crate::state::{State, flag, int, ints, text};

/// Episodes that one command searches for: indexers answer so many requests and no more.
const MOST_SEARCHES: usize = 100;

impl State {
    /// Searches for what the command names and grabs the best release of each find.
    pub(super) fn run_search(&mut self, command: &Command) -> Result<Done, String> {
        let parameters = &command.parameters;
        let name = command.definition.display();
        let series = int(parameters, "seriesId");
        let monitored = flag(parameters, "monitored");
        let grabbed = match command.definition.name {
            "EpisodeSearch" => {
                if !parameters.contains_key("episodeIds") {
                    return Err("Value cannot be null. (Parameter 'source')".to_owned());
                }
                self.grab_episodes(&ints(parameters, "episodeIds"))?
            }
            "SeasonSearch" => {
                let season = int(parameters, "seasonNumber");
                let wanted = self.wanted_of_series(series, Some(season))?;
                self.grab_season(series, &wanted)
            }
            "SeriesSearch" => {
                let wanted = self.wanted_of_series(series, None)?;
                self.grab_episodes(&wanted)?
            }
            "MissingEpisodeSearch" => {
                let now = self.now;
                let wanted: Vec<i64> = self
                    .library
                    .missing(now, monitored)
                    .filter(|(entry, _)| series == 0 || int(&entry.row, "id") == series)
                    .map(|(_, episode)| episode.id)
                    .collect();
                self.grab_episodes(&wanted)?
            }
            "CutoffUnmetEpisodeSearch" => {
                let wanted: Vec<i64> = self
                    .below_cutoff(monitored)
                    .into_iter()
                    .filter(|(owner, _)| series == 0 || *owner == series)
                    .map(|(_, episode)| episode)
                    .collect();
                self.grab_episodes(&wanted)?
            }
            _ => {
                let now = self.now;
                // The feed of a moment holds a release for one missing episode at most.
                let wanted: Vec<i64> = self.library.missing(now, true).map(|(_, episode)| episode.id).take(1).collect();
                self.grab_each(&wanted, Search::Rss)
            }
        };
        Done::well(format!("{name} completed. {grabbed} reports downloaded."))
    }

    fn grab_episodes(&mut self, episodes: &[i64]) -> Result<usize, String> {
        if let Some(unknown) = episodes.iter().find(|id| self.library.episode(**id).is_none()) {
            return Err(format!("Episode with ID {unknown} does not exist"));
        }
        Ok(self.grab_each(episodes, Search::Automatic))
    }

    fn grab_each(&mut self, episodes: &[i64], search: Search) -> usize {
        let mut grabbed = 0;
        for id in episodes.iter().take(MOST_SEARCHES) {
            let Some(series) = self.library.episode(*id).map(|(entry, _)| int(&entry.row, "id")) else { continue };
            grabbed += self.grab_best(series, &[*id], false, search);
        }
        grabbed
    }

    fn grab_season(&mut self, series: i64, episodes: &[i64]) -> usize {
        match episodes {
            [] => 0,
            [one] => self.grab_best(series, &[*one], false, Search::Automatic),
            several => self.grab_best(series, several, true, Search::Automatic),
        }
    }

    fn grab_best(&mut self, series: i64, episodes: &[i64], pack: bool, search: Search) -> usize {
        let offers = self.search(series, episodes, pack, search);
        let best = offers.into_iter().find(|offer| offer.rejections.is_empty());
        usize::from(best.is_some_and(|offer| self.grab(&offer, None).is_ok()))
    }

    /// Monitored, aired episodes of a series (or of one season) that have no file.
    fn wanted_of_series(&self, series: i64, season: Option<i64>) -> Result<Vec<i64>, String> {
        let entry = self.library.get(series).ok_or_else(|| format!("Series with ID {series} does not exist"))?;
        let wanted = entry.episodes.iter().filter(|episode| {
            episode.monitored
                && episode.file_id == 0
                && episode.has_aired(self.now)
                && season.map_or(episode.season > 0, |season| episode.season == season)
        });
        Ok(wanted.map(|episode| episode.id).collect())
    }

    /// Series and episode ids of files below the cutoff of their profile.
    pub(crate) fn below_cutoff(&self, monitored: bool) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        // Which qualities lie below the cutoff depends on the profile alone.
        let low: HashMap<i64, Vec<i64>> = self
            .table("qualityprofile")
            .rows()
            .map(|profile| {
                let ids = crate::quality::QUALITIES.iter().map(|quality| quality.id);
                (int(profile, "id"), ids.filter(|id| crate::quality::below_cutoff(profile, *id)).collect())
            })
            .collect();
        for (id, entry) in self.library.iter() {
            let Some(low) = low.get(&int(&entry.row, "qualityProfileId")) else { continue };
            let watched = flag(&entry.row, "monitored");
            for file in &entry.files {
                let changed = file.changed.as_ref().and_then(|changed| changed.get("quality"));
                if low.contains(&changed.map_or(file.quality, crate::quality::model_id)) {
                    let episodes = entry.episodes_of_file(file.id);
                    let chosen = episodes.filter(|episode| (watched && episode.monitored) == monitored);
                    found.extend(chosen.map(|episode| (id, episode.id)));
                }
            }
        }
        found
    }

    /// The title of a series, for messages.
    pub(crate) fn series_title(&self, id: i64) -> String {
        self.library.get(id).map(|entry| text(&entry.row, "title").to_owned()).unwrap_or_default()
    }
}
