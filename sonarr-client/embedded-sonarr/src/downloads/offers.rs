//! What indexers offer: releases for an episode or a season, each with what speaks against it.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::{Stage, group_of};
use crate::formats::{self, Subject};
use crate::state::episode::{EpisodeFile, release_name};
use crate::state::{Entry, Row, State, flag, int, iso, text};

/// A release that a search found.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub guid: String,
    pub indexer: String,
    pub indexer_id: i64,
    pub title: String,
    pub protocol: &'static str,
    pub quality: i64,
    pub size: i64,
    pub url: String,
    pub series: Option<i64>,
    pub episodes: Vec<i64>,
    pub season: i64,
    pub full_season: bool,
    pub found: DateTime<Utc>,
    pub age: TimeDelta,
    pub seeders: i64,
    pub flags: i64,
    pub rejections: Vec<String>,
}

/// For how long a found release can be grabbed.
pub(crate) const CACHE: TimeDelta = TimeDelta::minutes(30);

/// Which indexers a search asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    Interactive,
    Automatic,
    Rss,
}

impl Search {
    fn member(self) -> &'static str {
        match self {
            Search::Interactive => "enableInteractiveSearch",
            Search::Automatic => "enableAutomaticSearch",
            Search::Rss => "enableRss",
        }
    }
}

/// What every episode is offered as: quality, group, protocol, share of a gigabyte.
const SHAPES: [(i64, &str, &str, i64); 7] = [
    (3, "NEST", "usenet", 15),
    (3, "TIDE", "torrent", 14),
    (5, "QUILL", "torrent", 8),
    (18, "LARCH", "torrent", 52),
    (3, "BRKN", "usenet", 13),
    (3, "STLL", "torrent", 16),
    (3, "BLCK", "torrent", 12),
];

impl State {
    /// Searches the indexers for episodes of one series; the finds can be grabbed for half an hour.
    pub(crate) fn search(&mut self, series: i64, episodes: &[i64], season_pack: bool, search: Search) -> Vec<Offer> {
        let now = self.now;
        self.downloads.offers.retain(|offer| now - offer.found < CACHE);
        let offers = self.find(series, episodes, season_pack, search);
        for offer in &offers {
            self.downloads.offers.retain(|known| known.guid != offer.guid);
            self.downloads.offers.push(offer.clone());
        }
        if search != Search::Rss {
            for id in episodes {
                if let Some(episode) = self.library.episode_mut(*id) {
                    episode.last_search = Some(now);
                }
            }
        }
        offers
    }

    fn find(&self, series: i64, episodes: &[i64], season_pack: bool, search: Search) -> Vec<Offer> {
        let Some(entry) = self.library.get(series) else { return Vec::new() };
        let Some(first) = entry.episodes.iter().find(|episode| episodes.contains(&episode.id)) else {
            return Vec::new();
        };
        let code = if season_pack { format!("S{:02}", first.season) } else { first.code() };
        let pieces = if season_pack { i64::try_from(episodes.len()).unwrap_or(1) } else { 1 };
        let tags = crate::state::ints(&entry.row, "tags");
        let mut offers = Vec::new();
        for (place, (quality, group, protocol, size)) in SHAPES.into_iter().enumerate() {
            let Some(indexer) = self.indexer(protocol, search, &tags) else { continue };
            let title = release_name(text(&entry.row, "title"), &code, quality, group);
            offers.push(self.offer(
                indexer,
                &title,
                protocol,
                quality,
                size * 100_000_000 * pieces,
                place,
                Some(series),
                episodes.to_vec(),
                first.season,
                season_pack,
            ));
        }
        if search == Search::Interactive
            && let Some(indexer) = self.indexer("usenet", search, &tags)
        {
            // Release names are written by strangers: this one turns the reading direction round.
            let title = format!("Unrelated\u{202e}.wohS\u{200b}.{code}.720p.HDTV.h264-EMBER");
            offers.push(self.offer(
                indexer,
                &title,
                "usenet",
                4,
                700_000_000,
                7,
                None,
                Vec::new(),
                first.season,
                false,
            ));
        }
        let profile = self.row("qualityprofile", int(&entry.row, "qualityProfileId"));
        for offer in &mut offers {
            offer.rejections = self.rejections(offer, profile);
        }
        offers
    }

    fn indexer(&self, protocol: &str, search: Search, tags: &[i64]) -> Option<&Row> {
        self.table("indexer").rows().find(|row| {
            let own = crate::state::ints(row, "tags");
            text(row, "protocol") == protocol
                && flag(row, search.member())
                && (search == Search::Interactive || own.is_empty() || own.iter().any(|tag| tags.contains(tag)))
        })
    }

    #[expect(clippy::too_many_arguments, reason = "a release has that many facts")]
    fn offer(
        &self,
        indexer: &Row,
        title: &str,
        protocol: &'static str,
        quality: i64,
        size: i64,
        place: usize,
        series: Option<i64>,
        episodes: Vec<i64>,
        season: i64,
        full_season: bool,
    ) -> Offer {
        let id = int(indexer, "id");
        let number = crate::state::hash_id(title);
        let base = crate::providers::field(indexer, "baseUrl")
            .and_then(Value::as_str)
            .unwrap_or("https://indexer.example")
            .trim_end_matches('/');
        let key = crate::providers::field(indexer, "apiKey").and_then(Value::as_str).unwrap_or_default();
        Offer {
            guid: format!("{base}/details/{number}?apikey={key}"),
            indexer: text(indexer, "name").to_owned(),
            indexer_id: id,
            title: title.to_owned(),
            protocol,
            quality,
            size,
            url: format!("{base}/download/{number}?apikey={key}"),
            series,
            episodes,
            season,
            full_season,
            found: self.now,
            age: TimeDelta::hours(5 + 31 * i64::try_from(place).unwrap_or(0)),
            seeders: 40 - 6 * i64::try_from(place).unwrap_or(0),
            flags: i64::from(place == 2),
            rejections: Vec::new(),
        }
    }

    fn rejections(&self, offer: &Offer, profile: Option<&Row>) -> Vec<String> {
        let mut rejections = Vec::new();
        if offer.series.is_none() {
            rejections.push("Unknown Series".to_owned());
            return rejections;
        }
        let name = crate::quality::by_id(offer.quality).map_or("Unknown", |quality| quality.name);
        let rank = profile.and_then(|profile| crate::quality::rank(profile, offer.quality));
        if !rank.is_some_and(|(_, allowed)| allowed) {
            rejections.push(format!("{name} is not wanted in profile"));
        }
        let files: Vec<(&Entry, &EpisodeFile)> = offer
            .episodes
            .iter()
            .filter_map(|id| self.library.episode(*id))
            .filter_map(|(entry, episode)| Some((entry, entry.file(episode.file_id)?)))
            .collect();
        // Of the same quality, what its custom formats score more for is better.
        let score = |(entry, file): &(&Entry, &EpisodeFile)| int_of(&self.file_json(entry, file), "customFormatScore");
        let better = |file: &&(&Entry, &EpisodeFile)| {
            let own = profile.and_then(|profile| crate::quality::rank(profile, file.1.quality));
            match (own, rank) {
                (Some((own, _)), Some((offered, _))) if own == offered => {
                    score(file) >= self.offer_score(offer, profile)
                }
                (own, rank) => profile.is_some() && own.map(|(place, _)| place) >= rank.map(|(place, _)| place),
            }
        };
        if files.len() == offer.episodes.len()
            && let Some((_, file)) = files.iter().find(better)
        {
            let file = crate::quality::by_id(file.quality).map_or("Unknown", |quality| quality.name);
            rejections.push(format!("Existing file on disk is of equal or higher preference: {file} v1"));
        }
        let blocked = self.table("blocklist").rows().any(|row| text(row, "sourceTitle") == offer.title);
        if blocked {
            rejections.push("Release is blocklisted".to_owned());
        }
        let queued = self.downloads.tracked().any(|download| {
            download.stage != Stage::Ignored && download.episodes.iter().any(|id| offer.episodes.contains(id))
        });
        if queued {
            rejections.push(format!("Release in queue is of equal or higher preference: {name} v1"));
        }
        if offer.protocol == "torrent" && offer.seeders < 1 {
            rejections.push("Not enough seeders".to_owned());
        }
        rejections
    }

    fn offer_score(&self, offer: &Offer, profile: Option<&Row>) -> i64 {
        formats::evaluate(self, profile, &subject_of(offer)).1
    }

    /// A release as `GET /release` writes it.
    pub(crate) fn offer_json(&self, offer: &Offer) -> Value {
        let entry = offer.series.and_then(|series| self.library.get(series));
        let profile = entry.and_then(|entry| self.row("qualityprofile", int(&entry.row, "qualityProfileId")));
        let (formats, score) = formats::evaluate(self, profile, &subject_of(offer));
        let weight = crate::quality::by_id(offer.quality).map_or(0, |quality| quality.weight);
        let episodes: Vec<Value> = offer
            .episodes
            .iter()
            .filter_map(|id| self.library.episode(*id))
            .map(|(_, episode)| json!({"id": episode.id, "seasonNumber": episode.season, "episodeNumber": episode.number, "title": episode.title()}))
            .collect();
        let numbers: Vec<i64> = if offer.full_season {
            Vec::new()
        } else {
            offer
                .episodes
                .iter()
                .filter_map(|id| self.library.episode(*id))
                .map(|(_, episode)| episode.number)
                .collect()
        };
        let minutes = offer.age.num_minutes() as f64;
        let mut row = crate::state::object(json!({
            "guid": offer.guid,
            "quality": crate::quality::model(offer.quality, 1, false),
            "qualityWeight": weight * 100 + 1,
            "age": offer.age.num_days(),
            "ageHours": minutes / 60.0 + 0.1234,
            "ageMinutes": minutes + 7.404,
            "size": offer.size,
            "indexerId": offer.indexer_id,
            "indexer": offer.indexer,
            "releaseGroup": group_of(&offer.title),
            "title": offer.title,
            "fullSeason": offer.full_season,
            "sceneSource": false,
            "seasonNumber": offer.season,
            "languages": [{"id": 1, "name": "English"}],
            "languageWeight": 0,
            "seriesTitle": entry.map_or("Unrelated", |entry| text(&entry.row, "title")),
            "episodeNumbers": numbers,
            "absoluteEpisodeNumbers": [],
        }));
        if offer.series.is_some() {
            row.insert("mappedSeasonNumber".into(), offer.season.into());
        }
        row.insert("mappedEpisodeNumbers".into(), json!(numbers));
        row.insert("mappedAbsoluteEpisodeNumbers".into(), json!([]));
        if let Some(series) = offer.series {
            row.insert("mappedSeriesId".into(), series.into());
        }
        row.extend(crate::state::object(json!({
            "mappedEpisodeInfo": episodes,
            "approved": offer.rejections.is_empty(),
            "temporarilyRejected": false,
            "rejected": !offer.rejections.is_empty(),
            "tvdbId": 0,
            "tvRageId": 0,
            "imdbId": "",
            "rejections": offer.rejections,
            "publishDate": iso(offer.found - offer.age),
            "commentUrl": offer.guid.split('?').next().unwrap_or_default(),
            "downloadUrl": offer.url,
            "infoUrl": offer.guid.split('?').next().unwrap_or_default(),
            "episodeRequested": true,
            "downloadAllowed": offer.series.is_some(),
            "releaseWeight": 0,
            "customFormats": formats,
            "customFormatScore": score,
        })));
        if offer.protocol == "torrent" {
            row.insert("infoHash".into(), format!("{:040x}", crate::state::hash_id(&offer.title)).into());
            row.insert("seeders".into(), offer.seeders.into());
            row.insert("leechers".into(), (offer.seeders / 4).into());
        }
        row.extend(crate::state::object(json!({
            "protocol": offer.protocol,
            "indexerFlags": offer.flags,
            "isDaily": false,
            "isAbsoluteNumbering": false,
            "isPossibleSpecialEpisode": false,
            "special": false,
        })));
        Value::Object(row)
    }
}

impl State {
    /// Writes down what speaks against a release.
    pub(crate) fn judge(&self, offer: &mut Offer) {
        let profile = offer
            .series
            .and_then(|series| self.library.get(series))
            .and_then(|entry| self.row("qualityprofile", int(&entry.row, "qualityProfileId")));
        offer.rejections = self.rejections(offer, profile);
    }
}

/// What custom formats are matched with.
fn subject_of(offer: &Offer) -> Subject<'_> {
    Subject {
        title: &offer.title,
        quality: offer.quality,
        languages: vec![1],
        size: offer.size,
        group: group_of(&offer.title),
        flags: offer.flags,
        release_type: if offer.full_season { 3 } else { 1 },
    }
}

fn int_of(value: &Value, member: &str) -> i64 {
    value.get(member).and_then(Value::as_i64).unwrap_or(0)
}
