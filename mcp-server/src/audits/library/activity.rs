//! The queue, and the history of the last days.

use chrono::{DateTime, Duration, Utc};
use sonarr_client::prelude::*;
use sonarr_client::types::{EpisodeHistoryEventType, HistoryResource, QueueResource};

use super::Library;
use crate::failure::Failure;

/// One event of the history: what audits look at of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The event's id.
    pub id: i32,
    /// The series.
    pub series_id: i32,
    /// The episode.
    pub episode_id: i32,
    /// What happened.
    pub kind: EpisodeHistoryEventType,
    /// When.
    pub date: DateTime<Utc>,
    /// The release's name, or the file's path for what happened to a file.
    pub source_title: Box<str>,
    /// The download's id in its client, in upper case as Sonarr keeps it; what belongs together has the same.
    pub download_id: Option<Box<str>>,
    /// The indexer of a grab.
    pub indexer: Option<Box<str>>,
    /// The name of the download client.
    pub download_client: Option<Box<str>>,
    /// What Sonarr says about a failure.
    pub message: Option<Box<str>>,
    /// Why a file was deleted.
    pub reason: Option<Box<str>>,
    /// Bytes of a grabbed release or an imported file, where Sonarr noted them.
    pub size: Option<i64>,
}

impl Event {
    /// Nothing where Sonarr left out when or to what it happened.
    fn of(row: HistoryResource) -> Option<Self> {
        let data = row.data.unwrap_or_default();
        let datum = |name: &str| {
            let found = data.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
            found.1.as_deref().filter(|text| !text.is_empty()).map(Box::from)
        };
        Some(Event {
            id: row.id?,
            series_id: row.series_id?,
            episode_id: row.episode_id?,
            kind: row.event_type.unwrap_or(EpisodeHistoryEventType::Unknown),
            date: row.date?,
            source_title: row.source_title.unwrap_or_default().into(),
            download_id: row.download_id.filter(|id| !id.is_empty()).map(Into::into),
            indexer: datum("indexer"),
            download_client: datum("downloadClientName").or_else(|| datum("downloadClient")),
            message: datum("message"),
            reason: datum("reason"),
            size: datum("size").and_then(|text| text.parse().ok()),
        })
    }
}

impl Library<'_> {
    /// The whole queue, without the series and episodes in it: those are in [`Library::series`] and
    /// [`Library::episodes`].
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn queue(&self) -> Result<&[QueueResource], Failure> {
        let load = async {
            self.tell("reading the queue");
            let request = self.client.list_queue_details().include_series(false).include_episode(false);
            self.ask("list_queue_details", request.send()).await
        };
        self.queue.get(load).await.map(Vec::as_slice)
    }

    /// What happened in the last [`Library::days`], the oldest first.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn history(&self) -> Result<&[Event], Failure> {
        let load = async {
            self.tell(format!("reading the history of {} days", self.days));
            let since = self.now - Duration::days(i64::from(self.days));
            let request = self.client.list_history_since().date(since).include_series(false).include_episode(false);
            let rows = self.ask("list_history_since", request.send()).await?;
            let mut events: Vec<Event> = rows.into_iter().filter_map(Event::of).collect();
            events.sort_by_key(|event| (event.date, event.id));
            Ok(events)
        };
        self.history.get(load).await.map(Vec::as_slice)
    }
}
