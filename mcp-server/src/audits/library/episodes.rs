//! Every episode with its file, in a few dozen requests.
//!
//! The calendar gives the episodes of a span of time with their files, those of unmonitored series too. What has no date
//! is not in it; a series of which more files are known than were found is asked for alone.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt};
use sonarr_client::prelude::*;
use sonarr_client::types::{EpisodeFileResource, EpisodeResource, MediaInfoResource, QualitySource, SeriesResource};

use super::windows::{Window, windows};
use super::{AT_ONCE, Library};
use crate::failure::Failure;

/// Episodes that one request asks for.
const IN_A_WINDOW: usize = 1_000;

/// Series that are asked for alone, at most.
const ALONE: usize = 40;

/// An episode: what audits look at of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    /// The episode's id.
    pub id: i32,
    /// The series.
    pub series_id: i32,
    /// The season; 0 holds the specials.
    pub season: i32,
    /// The number within the season.
    pub number: i32,
    /// The number over all seasons, for anime.
    pub absolute: Option<i32>,
    /// The title.
    pub title: Box<str>,
    /// When it is broadcast.
    pub airs: Option<DateTime<Utc>>,
    /// Minutes it takes; 0 where nobody knows.
    pub runtime: i32,
    /// Whether Sonarr looks for it, if its series is monitored too.
    pub monitored: bool,
    /// When it was last searched for.
    pub searched: Option<DateTime<Utc>>,
    /// The id of its file; several episodes may be in one.
    pub file_id: Option<i32>,
    /// TheTVDB's id.
    pub tvdb_id: i32,
}

/// A video file: what audits look at of it.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The file's id.
    pub id: i32,
    /// The series.
    pub series_id: i32,
    /// The season.
    pub season: i32,
    /// The whole path.
    pub path: Box<str>,
    /// The path within the series' folder.
    pub relative_path: Box<str>,
    /// Bytes.
    pub size: i64,
    /// When it was imported.
    pub added: Option<DateTime<Utc>>,
    /// The id of its quality.
    pub quality_id: i32,
    /// The name of its quality.
    pub quality: Arc<str>,
    /// The lines that this quality promises: 480, 720, 1080, 2160, or 0.
    pub resolution: i32,
    /// Where this quality comes from.
    pub source: Option<QualitySource>,
    /// Whether its quality is below the profile's cutoff.
    pub below_cutoff: bool,
    /// What its custom formats score in the series' profile.
    pub score: i32,
    /// The ids of its custom formats.
    pub formats: Box<[i32]>,
    /// The ids of its languages.
    pub languages: Box<[i32]>,
    /// The release it was, where known.
    pub scene_name: Option<Box<str>>,
    /// Who released it, where known.
    pub release_group: Option<Arc<str>>,
    /// What its streams say; nothing where Sonarr has not looked into it.
    pub media: Option<Box<Media>>,
}

/// What the streams of a file say.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// Width and height in pixels.
    pub resolution: Option<(u32, u32)>,
    /// Seconds it takes.
    pub seconds: Option<u32>,
    /// The languages of its audio streams as Sonarr writes them, such as `eng/jpn`.
    pub audio_languages: Arc<str>,
    /// The languages of its subtitles.
    pub subtitles: Arc<str>,
    /// The codec of its video stream.
    pub video_codec: Arc<str>,
    /// How many audio streams it has.
    pub audio_streams: i32,
}

/// All episodes and their files.
#[derive(Debug, Default)]
pub struct Episodes {
    episodes: Vec<Episode>,
    files: Vec<File>,
}

impl Episodes {
    /// All episodes, by series, season and number.
    pub fn all(&self) -> &[Episode] {
        &self.episodes
    }

    /// Those of one series, by season and number.
    pub fn of_series(&self, series_id: i32) -> &[Episode] {
        let start = self.episodes.partition_point(|episode| episode.series_id < series_id);
        let end = self.episodes.partition_point(|episode| episode.series_id <= series_id);
        self.episodes.get(start..end).unwrap_or_default()
    }

    /// All files of episodes, by id.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// One file.
    pub fn file(&self, id: i32) -> Option<&File> {
        self.files.get(self.files.binary_search_by_key(&id, |file| file.id).ok()?)
    }

    /// The file of an episode.
    pub fn file_of(&self, episode: &Episode) -> Option<&File> {
        self.file(episode.file_id?)
    }

    /// Sorts, and drops what came twice: a moment between two windows is in both.
    fn settle(&mut self) {
        self.episodes.sort_by_key(|episode| (episode.series_id, episode.season, episode.number, episode.id));
        self.episodes.dedup_by_key(|episode| episode.id);
        self.files.sort_by_key(|file| file.id);
        self.files.dedup_by_key(|file| file.id);
        self.episodes.shrink_to_fit();
        self.files.shrink_to_fit();
    }

    /// Takes in what Sonarr answered.
    fn take(&mut self, rows: Vec<EpisodeResource>, words: &mut Words) {
        for mut row in rows {
            let file = row.episode_file.take();
            let Some(episode) = episode(row) else { continue };
            self.files.extend(file.and_then(|file| self::file(file, words)));
            self.episodes.push(episode);
        }
    }

    /// The series of which more episodes have files than are here, by their own count.
    fn lacking<'s>(&self, series: &'s [SeriesResource]) -> Vec<&'s SeriesResource> {
        let lacks = |one: &&SeriesResource| {
            let (Some(id), Some(statistics)) = (one.id, &one.statistics) else { return false };
            let found = self.of_series(id).iter().filter(|episode| episode.file_id.is_some()).count();
            statistics
                .episode_file_count
                .and_then(|count| usize::try_from(count).ok())
                .is_some_and(|count| count > found)
        };
        series.iter().filter(lacks).collect()
    }
}

/// Texts that many files share, each kept once.
#[derive(Debug, Default)]
struct Words(HashSet<Arc<str>>);

impl Words {
    fn of(&mut self, text: Option<String>) -> Arc<str> {
        let text = text.unwrap_or_default();
        if let Some(known) = self.0.get(text.as_str()) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.0.insert(Arc::clone(&new));
        new
    }
}

impl Library<'_> {
    /// Every episode that has a date or a file, with its file.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering. That single series could not be completed is no failure: it is in
    /// [`Library::unseen`].
    pub async fn episodes(&self) -> Result<&Episodes, Failure> {
        self.episodes.get(self.read_episodes()).await
    }

    async fn read_episodes(&self) -> Result<Episodes, Failure> {
        let series = self.series().await?;
        let windows = windows(series, self.now, IN_A_WINDOW);
        let (count, done) = (windows.len(), &AtomicUsize::new(0));
        let mut words = Words::default();
        let mut found = Episodes::default();
        let mut parts = futures::stream::iter(windows)
            .map(|window| async move {
                let rows = self.read_window(window).await?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                self.tell(format!("reading episodes, part {done} of {count}"));
                Ok::<_, Failure>(rows)
            })
            .buffer_unordered(AT_ONCE);
        while let Some(rows) = parts.try_next().await? {
            found.take(rows, &mut words);
        }
        found.settle();
        self.complete(&mut found, series, &mut words).await;
        Ok(found)
    }

    async fn read_window(&self, window: Window) -> Result<Vec<EpisodeResource>, Failure> {
        let request = self.client.list_calendar().start(window.start).end(window.end);
        let request = request.unmonitored(true).include_episode_file(true).include_series(false);
        self.ask("list_calendar", request.send()).await
    }

    /// Asks for the series that have files of episodes without a date.
    async fn complete(&self, found: &mut Episodes, series: &[SeriesResource], words: &mut Words) {
        let lacking = found.lacking(series);
        let left = lacking.len().saturating_sub(ALONE);
        if left > 0 {
            self.miss(format!("{left} series have files of episodes without a date, which were not looked at"));
        }
        let asked: Vec<(i32, String)> = lacking
            .into_iter()
            .take(ALONE)
            .filter_map(|one| Some((one.id?, one.title.clone().unwrap_or_default())))
            .collect();
        let mut parts = futures::stream::iter(asked)
            .map(|(id, title)| async move {
                let request = self.client.list_episodes().series_id(id).include_episode_file(true);
                (title, self.ask("list_episodes", request.send()).await)
            })
            .buffer_unordered(AT_ONCE);
        let mut more = false;
        while let Some((title, rows)) = parts.next().await {
            match rows {
                Ok(rows) => {
                    found.take(rows, words);
                    more = true;
                }
                Err(failure) => self.miss(format!("episodes of {title} without a date: {}", failure.message)),
            }
        }
        if more {
            found.settle();
        }
    }
}

fn episode(row: EpisodeResource) -> Option<Episode> {
    Some(Episode {
        id: row.id?,
        series_id: row.series_id?,
        season: row.season_number?,
        number: row.episode_number?,
        absolute: row.absolute_episode_number,
        title: row.title.unwrap_or_default().into(),
        airs: row.air_date_utc,
        runtime: row.runtime.unwrap_or(0),
        monitored: row.monitored.unwrap_or(false),
        searched: row.last_search_time,
        file_id: row.episode_file_id.filter(|id| *id > 0),
        tvdb_id: row.tvdb_id.unwrap_or(0),
    })
}

fn file(row: EpisodeFileResource, words: &mut Words) -> Option<File> {
    let quality = row.quality.and_then(|model| model.quality);
    let ids = |list: Vec<Option<i32>>| list.into_iter().flatten().collect::<Box<[i32]>>();
    let (quality_id, resolution, source, name) = match quality {
        Some(quality) => (quality.id, quality.resolution, quality.source, quality.name),
        None => (None, None, None, None),
    };
    Some(File {
        id: row.id?,
        series_id: row.series_id?,
        season: row.season_number.unwrap_or(0),
        path: row.path.unwrap_or_default().into(),
        relative_path: row.relative_path.unwrap_or_default().into(),
        size: row.size.unwrap_or(0),
        added: row.date_added,
        quality_id: quality_id.unwrap_or(0),
        quality: words.of(name),
        resolution: resolution.unwrap_or(0),
        source,
        below_cutoff: row.quality_cutoff_not_met.unwrap_or(false),
        score: row.custom_format_score.unwrap_or(0),
        formats: ids(row.custom_formats.unwrap_or_default().into_iter().map(|format| format.id).collect()),
        languages: ids(row.languages.unwrap_or_default().into_iter().map(|language| language.id).collect()),
        scene_name: row.scene_name.filter(|name| !name.is_empty()).map(Into::into),
        release_group: row.release_group.filter(|name| !name.is_empty()).map(|name| words.of(Some(name))),
        media: row.media_info.map(|media| Box::new(self::media(media, words))),
    })
}

fn media(row: MediaInfoResource, words: &mut Words) -> Media {
    let resolution = row.resolution.as_deref().and_then(|text| {
        let (width, height) = text.split_once('x')?;
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    });
    Media {
        resolution: resolution.filter(|(width, height)| *width > 0 && *height > 0),
        seconds: row.run_time.as_deref().and_then(seconds),
        audio_languages: words.of(row.audio_languages),
        subtitles: words.of(row.subtitles),
        video_codec: words.of(row.video_codec),
        audio_streams: row.audio_stream_count.unwrap_or(0),
    }
}

/// The seconds of a running time such as `47:12`, `1:02:45` or `0:42`; nothing for one that is no time or none at all.
pub(super) fn seconds(text: &str) -> Option<u32> {
    let total =
        text.trim().split(':').try_fold(0_u32, |total, part| total.checked_mul(60)?.checked_add(part.parse().ok()?))?;
    (total > 0).then_some(total)
}

#[cfg(test)]
impl From<Vec<Episode>> for Episodes {
    /// Episodes without files.
    fn from(episodes: Vec<Episode>) -> Self {
        let mut all = Episodes { episodes, files: Vec::new() };
        all.settle();
        all
    }
}

#[cfg(test)]
impl Episode {
    /// An episode of which only the place is known; its id is its number.
    pub fn numbered(series_id: i32, season: i32, number: i32) -> Self {
        Episode {
            id: number,
            series_id,
            season,
            number,
            absolute: None,
            title: Box::default(),
            airs: None,
            runtime: 0,
            monitored: true,
            searched: None,
            file_id: None,
            tvdb_id: 0,
        }
    }
}
