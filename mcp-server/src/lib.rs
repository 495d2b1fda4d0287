//! An MCP server through which a language model reads and manages a Sonarr instance.
//!
//! A call goes one way: `transport` → `server` → `dispatch`, which finds the row of the operation
//! in the `catalogue`, reads its `arguments`, sends the request by the SDK and makes an `answer`
//! or a `failure`. The command line enters at `dispatch`, too.

pub mod answer;
pub mod arguments;
pub mod audits;
pub mod catalogue;
pub mod check;
pub mod cli;
pub mod command;
pub mod completions;
pub mod config;
pub mod connection;
pub mod demo;
pub mod dispatch;
pub mod failure;
// regen writes it the same way each time, which is not rustfmt's.
#[rustfmt::skip]
pub mod generated;
pub mod help;
pub mod instances;
pub mod logging;
pub mod names;
pub mod operation;
pub mod prompts;
pub mod resources;
pub mod server;
pub mod transport;
pub mod upload;
pub mod wait;
pub mod workflows;
pub mod write;
