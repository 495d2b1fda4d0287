//! The listening transports, with a handler that is not Sonarr's and a client that only knows
//! HTTP.

pub mod client;
mod drain;
mod fixture;
mod http;
mod limits;
mod refusals;
mod sse;
