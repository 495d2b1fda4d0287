//! An in-memory Sonarr for demonstrations and tests.
//!
//! It serves all 228 operations of the v3 API over HTTP on a loopback port, with the statuses, headers, bodies, rules
//! and effects of Sonarr 4.0.19, from a library of invented series that is the same for the same seed. It keeps state:
//! what is created can be read, changed and deleted; commands run and downloads progress on a clock that tests can move.
//!
//! ```no_run
//! # async fn demo() -> std::io::Result<()> {
//! use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
//!
//! let sonarr = EmbeddedSonarr::start(Options { clock: Clock::fixed(), ..Options::default() }).await?;
//! println!("{} with the key {}", sonarr.url(), sonarr.api_key());
//! # Ok(())
//! # }
//! ```
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
pub use server::EmbeddedSonarr;

/// Locks a mutex; what a panicking holder left behind is used as it is.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
