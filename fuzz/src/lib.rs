//! What holds for any input from outside, as plain functions.
//!
//! Each target takes bytes and panics when its invariant does not hold. The fuzzer calls it with
//! bytes of its own making, and the tests call it with the committed seeds: the same function.
//! docs/trust-boundary.md tells what is outside and how to run the fuzzer.

#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "an invariant that does not hold is told by a panic, to the fuzzer and to a test alike"
)]

pub mod answers;
pub mod document;
mod input;
pub mod inputs;
pub mod patches;
pub mod selection;
pub mod settings;
mod sonarr;
pub mod stdio;
pub mod words;

/// A target: the name of its binary, seeds and words, and what is called with the bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name.
    pub name: &'static str,
    /// Holds the invariant against these bytes.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "stdio", run: stdio::run },
    Target { name: "answers", run: answers::run },
    Target { name: "selection", run: selection::run },
    Target { name: "settings", run: settings::run },
    Target { name: "document", run: document::run },
];
