//! An in-memory Sonarr for demonstrations and tests.
//!
//! It serves all 228 operations of the v3 API over HTTP on a loopback port, with the statuses, headers, bodies, rules
//! and effects of Sonarr 4.0.19, from a library of invented series that is the same for the same seed. It keeps state:
//! what is created can be read, changed and deleted; commands run and downloads progress on a clock that tests can move.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::time::Duration;
//!
//! use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
//!
//! let sonarr = EmbeddedSonarr::start(Options { clock: Clock::fixed(), ..Options::default() }).await?;
//! # let _ = rustls::crypto::ring::default_provider().install_default();
//! let get = |path: &str| {
//!     let request = reqwest::Client::new().get(format!("{}/api/v3{path}", sonarr.url()));
//!     request.header("X-Api-Key", sonarr.api_key()).send()
//! };
//! let series: serde_json::Value = get("/series").await?.json().await?;
//! assert_eq!(series.as_array().map(Vec::len), Some(12));
//!
//! sonarr.advance(Duration::from_secs(60)); // commands and downloads progress
//! sonarr.inject("503*1@/tag".parse()?); // the next request of tags meets a starting server
//! assert_eq!(get("/tag").await?.status(), 503);
//! assert_eq!(sonarr.requests().last().map(|request| request.status), Some(503));
//! # Ok(())
//! # }
//! ```
//!
//! # What decides what happens
//!
//! Nothing is left to chance, so that a test can choose:
//!
//! - A download ends by the group at the end of its release's name: `BRKN` fails half-way, `STLL` stalls, `BLCK` completes
//!   and cannot be imported; all others are imported a minute after they are complete. A search offers one of each.
//! - A provider is tested by its host: below `unreachable.example` it cannot be reached, below `warning.example` it answers
//!   with a warning, anywhere else it is well. The third indexer of the library cannot be reached.
//! - Series that are not in the library can be looked up with the word `letters`, or as `tvdb:9900000` and the 59 after it.
//! - A command starts 0.2 seconds after it is queued and ends within two more. Scheduled tasks show when they are due, but
//!   nothing runs unless it is asked for.
//! - [`Options::next_version`] adds `nextVersionLevel` and `nextVersionData` (a map with an explicit null) to every object,
//!   the members of the coming code, and enum values such as `fromNextVersion` and 99. They are stored; a PUT that drops
//!   them resets them.
//!
//! # What goes wrong in the library
//!
//! Given [`Options::scenarios`], the library begins clean: nothing is missing, misnamed, unused or failing. Each
//! [`Scenario`] then plants one kind of trouble, and [`EmbeddedSonarr::planted`] tells what each of them planted.
//!
//! # Secrets
//!
//! Every secret of the library (keys, tokens, password hashes, webhook URLs) contains the word `canary`, so that a test
//! can search an output for leaks; [`EmbeddedSonarr::secrets`] lists them all.

mod clock;
mod commands;
mod disk;
mod downloads;
mod faults;
mod formats;
mod http;
mod monitoring;
mod naming;
mod options;
mod providers;
mod quality;
mod record;
mod resources;
mod routes;
mod rules;
mod scenario;
mod seed;
mod server;
mod simulation;
mod state;
mod types;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use clock::Clock;
pub use faults::{Fault, FaultKind, UnknownFault};
pub use options::Options;
pub use record::RecordedRequest;
pub use routes::{Operation, operations};
pub use scenario::{Planted, Scenario, UnknownScenario};
pub use server::EmbeddedSonarr;

/// Locks a mutex; what a panicking holder left behind is used as it is.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
