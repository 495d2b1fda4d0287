#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod backup;
mod command;
mod connect;
mod error;
mod exchange;
mod open;
#[cfg(feature = "stream")]
mod pages;
mod segment;
mod text;
mod version;

// rustfmt has its own mind about generated code, and regen writes it the same way each time.
#[rustfmt::skip]
mod generated;
mod round_trip;

// The generated types name them by the crate's root.
pub(crate) use open::{open_enum, open_object};

pub use command::{Command, CommandEnd, Wait, WaitError};
pub use connect::{ClientBuilder, ConnectError};
pub use error::{
    Error, ErrorKind, Misfit, Redirected, Refusal, RefusalKind, Severity, TransportError, TransportKind,
    UnexpectedPage, ValidationFailure,
};
pub use generated::*;
#[cfg(feature = "stream")]
pub use pages::Records;
pub use progenitor_client::{ByteStream, ResponseValue};
pub use round_trip::{RoundTrip, round_trip};
pub use segment::{InvalidPathSegment, PathSegment};
pub use version::{Answer, ServerVersion};
