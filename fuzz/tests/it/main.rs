//! What holds for any input, held against random ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "an expectation that fails is a test that fails, also in what tests share"
)]

mod guide;
mod properties;
mod replay;
