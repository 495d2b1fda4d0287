//! Which Sonarr an example works with.

#![allow(dead_code, reason = "not every example uses all of it")]

use std::env;
use std::error::Error;

use embedded_sonarr::{EmbeddedSonarr, Options};
use sonarr_client::Client;

/// A Sonarr, and a client for it.
pub struct Sonarr {
    pub client: Client,
    /// Whether it is a real one, where what is changed stays changed.
    pub is_real: bool,
    /// Runs until it is dropped.
    _embedded: Option<EmbeddedSonarr>,
}

/// The Sonarr at `SONARR_URL`, with the key in `SONARR_API_KEY`; without them an in-memory one.
pub async fn sonarr() -> Result<Sonarr, Box<dyn Error>> {
    match (env::var("SONARR_URL"), env::var("SONARR_API_KEY")) {
        (Ok(url), Ok(key)) => Ok(Sonarr { client: Client::connect(&url, &key)?, is_real: true, _embedded: None }),
        (Err(_), Err(_)) => {
            let embedded = EmbeddedSonarr::start(Options::default()).await?;
            let client = Client::connect(&embedded.url(), embedded.api_key())?;
            Ok(Sonarr { client, is_real: false, _embedded: Some(embedded) })
        }
        _ => Err("set both SONARR_URL and SONARR_API_KEY, or none of them for an in-memory Sonarr".into()),
    }
}
