//! The library as the audits see it: asked for in bulk, each thing once, and only when an audit needs it.

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use sonarr_client::prelude::*;
use sonarr_client::{Client, ResponseValue, types};
use tokio::sync::OnceCell;

use crate::dispatch::named;
use crate::failure::Failure;

/// What was read so far, and the way to the rest.
#[derive(Debug)]
pub struct Library<'a> {
    client: &'a Client,
    now: DateTime<Utc>,
    requests: AtomicUsize,
    series: OnceCell<Vec<types::SeriesResource>>,
}

impl<'a> Library<'a> {
    /// Nothing is asked for yet.
    pub fn new(client: &'a Client) -> Self {
        Library { client, now: Utc::now(), requests: AtomicUsize::new(0), series: OnceCell::new() }
    }

    /// The time at which the audit began.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// How many requests were sent so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// All series, without what no audit looks at.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    pub async fn series(&self) -> Result<&[types::SeriesResource], Failure> {
        let load = || async {
            let mut series = self.ask("list_series", self.client.list_series().send()).await?;
            for one in &mut series {
                (one.images, one.overview, one.ratings) = (None, None, None);
            }
            Ok(series)
        };
        self.series.get_or_try_init(load).await.map(Vec::as_slice)
    }

    /// Sends one request, and counts it.
    async fn ask<T>(
        &self,
        operation: &'static str,
        request: impl Future<Output = Result<ResponseValue<T>, sonarr_client::Error>>,
    ) -> Result<T, Failure> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        match request.await {
            Ok(answer) => Ok(answer.into_inner()),
            Err(error) => Err(Failure::from_sonarr(named(operation)?, &error)),
        }
    }
}
