//! The least a program can do for the same answers: the same request by the HTTP library alone.

use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt, stream};
use reqwest::Client;
use tokio::runtime::Runtime;

use crate::process::{Result, Sonarr, during};

/// A loop of requests.
pub struct Bare {
    runtime: Runtime,
    client: Client,
    key: String,
}

impl Bare {
    /// Nothing is sent yet.
    ///
    /// # Errors
    /// When the library cannot be set up.
    pub fn new(sonarr: &Sonarr) -> Result<Self> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(during("the runtime"))?;
        // An earlier one may have set it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().build().map_err(during("the HTTP library"))?;
        Ok(Bare { runtime, client, key: sonarr.key.clone() })
    }

    /// Gets an address once.
    ///
    /// # Errors
    /// Anything but a success.
    pub fn get(&self, url: &str) -> Result<Vec<u8>> {
        self.runtime.block_on(self.fetch(url))
    }

    /// Gets it often, of which so many are in flight; gives how long all of them took.
    ///
    /// # Errors
    /// Anything but a success.
    pub fn gets(&self, url: &str, count: usize, in_flight: usize) -> Result<Duration> {
        let begun = Instant::now();
        let all = stream::iter(0..count).map(|_| self.fetch(url)).buffer_unordered(in_flight);
        self.runtime.block_on(all.try_for_each(|_| async { Ok(()) }))?;
        Ok(begun.elapsed())
    }

    async fn fetch(&self, url: &str) -> Result<Vec<u8>> {
        let request = self.client.get(url).header("X-Api-Key", &self.key).header("Accept", "application/json");
        let answer = request.send().await.and_then(reqwest::Response::error_for_status).map_err(during(url))?;
        Ok(answer.bytes().await.map_err(during(url))?.into())
    }
}
