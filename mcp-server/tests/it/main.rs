//! The server from outside: messages in, messages and HTTP requests out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "an expectation that fails is a test that fails, also in what tests share"
)]

mod answers;
mod asking;
mod audits;
mod bad_input;
mod calls;
mod command_line;
mod examples;
mod guides;
mod hosts;
mod instances;
mod jobs;
mod journeys;
mod lifecycle;
mod listening;
mod live;
mod packages;
mod panics;
mod protocol;
mod recorded;
mod recorder;
mod requests;
mod session;
mod snapshots;
mod strict;
mod tasks;
mod transport;
mod upkeep;
mod writes;
