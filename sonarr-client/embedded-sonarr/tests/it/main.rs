//! The embedded server from outside: statuses, shapes, effects, errors, faults.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper of a test fails the test as the test itself would"
)]

mod commands;
mod downloads;
mod errors;
mod faults;
mod next_version;
mod operations;
mod paging;
mod plain;
mod providers;
mod reads;
mod scale;
mod series;
mod shape;
mod shapes;
mod support;
