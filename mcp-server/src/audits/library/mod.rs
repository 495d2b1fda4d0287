//! The library as the audits see it: asked for in bulk, each thing once, and only when an audit needs it.

mod activity;
mod disk;
pub mod episodes;
mod health;
mod names;
mod once;
mod settings;
#[cfg(test)]
mod tests;
pub mod upkeep;
mod windows;

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use futures::FutureExt;
use futures::future::BoxFuture;
use sonarr_client::prelude::*;
use sonarr_client::{Client, ResponseValue, types};
use tokio::sync::Semaphore;

pub use activity::Event;
pub use episodes::{Episode, Episodes, File, Media};
use once::Once;

use crate::dispatch::named;
use crate::failure::Failure;
use crate::wait::{self, Told};

/// How many requests are under way at once, so that Sonarr has room for others and this process little to hold.
const AT_ONCE: usize = 4;

/// How far back the history is looked at unless a caller says otherwise, in days.
pub const DAYS: u32 = 30;

/// What was read so far, and the way to the rest.
#[derive(Debug)]
pub struct Library<'a> {
    client: &'a Client,
    now: DateTime<Utc>,
    days: u32,
    turns: Semaphore,
    requests: AtomicUsize,
    unseen: Mutex<Vec<String>>,
    stage: Mutex<Option<(usize, usize)>>,
    series: Once<Vec<types::SeriesResource>>,
    episodes: Once<Episodes>,
    queue: Once<Vec<types::QueueResource>>,
    history: Once<Vec<Event>>,
    quality_profiles: Once<Vec<types::QualityProfileResource>>,
    custom_formats: Once<Vec<types::CustomFormatResource>>,
    root_folders: Once<Vec<types::RootFolderResource>>,
    tags: Once<Vec<types::TagResource>>,
    naming: Once<types::NamingConfigResource>,
    indexers: Once<Vec<types::IndexerResource>>,
    health: Once<Vec<types::HealthResource>>,
}

impl<'a> Library<'a> {
    /// Nothing is asked for yet; the history is that of the last [`DAYS`].
    pub fn new(client: &'a Client) -> Self {
        Library {
            client,
            now: Utc::now(),
            days: DAYS,
            turns: Semaphore::new(AT_ONCE),
            requests: AtomicUsize::new(0),
            unseen: Mutex::default(),
            stage: Mutex::default(),
            series: Once::default(),
            episodes: Once::default(),
            queue: Once::default(),
            history: Once::default(),
            quality_profiles: Once::default(),
            custom_formats: Once::default(),
            root_folders: Once::default(),
            tags: Once::default(),
            naming: Once::default(),
            indexers: Once::default(),
            health: Once::default(),
        }
    }

    /// The same with the history of the last `days`.
    #[must_use]
    pub fn with_days(self, days: u32) -> Self {
        Library { days, ..self }
    }

    /// The time at which the audit began.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// How far back [`Library::history`] goes, in days.
    pub fn days(&self) -> u32 {
        self.days
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// What could not be read so far though the rest could, each with the reason.
    pub fn unseen(&self) -> Vec<String> {
        held(&self.unseen).clone()
    }

    /// Keeps what could not be read, for the answer.
    pub fn miss(&self, what: impl Into<String>) {
        held(&self.unseen).push(what.into());
    }

    /// Tells whoever waits for the audit what is looked at.
    pub fn tell(&self, what: impl Into<String>) {
        let (parts, what) = (*held(&self.stage), what.into());
        let message = match parts {
            Some((done, count)) => format!("{done} of {count} audits made, {what}"),
            None => what,
        };
        wait::tell_listener(Told { message, parts });
    }

    /// Tells how many of several audits are made.
    pub fn stage(&self, done: usize, count: usize) {
        let parts = Some((done, count));
        *held(&self.stage) = parts;
        wait::tell_listener(Told { message: format!("{done} of {count} audits made"), parts });
    }

    /// All series, without what no audit looks at.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn series(&self) -> Result<&[types::SeriesResource], Failure> {
        let load = async {
            self.tell("reading series");
            let mut series = self.ask("list_series", self.client.list_series().send()).await?;
            for one in &mut series {
                (one.images, one.overview, one.ratings) = (None, None, None);
            }
            Ok(series)
        };
        self.series.get(load).await.map(Vec::as_slice)
    }

    /// Sends one request in its turn, and counts it.
    ///
    /// The future is boxed: a request's own is large, and so would be every future around it.
    pub(super) fn ask<'f, T: Send + 'f>(
        &'f self,
        operation: &'static str,
        request: impl Future<Output = Result<ResponseValue<T>, sonarr_client::Error>> + Send + 'f,
    ) -> BoxFuture<'f, Result<T, Failure>> {
        async move {
            let _turn = self.turns.acquire().await.map_err(|_| Failure::internal())?;
            self.requests.fetch_add(1, Ordering::Relaxed);
            match request.await {
                Ok(answer) => Ok(answer.into_inner()),
                Err(error) => Err(Failure::from_sonarr(named(operation)?, &error)),
            }
        }
        .boxed()
    }
}

/// What a lock holds, also after somebody failed with it.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
