//! Writes that lose nothing and do nothing unasked.
//!
//! A `patch` names only what changes: [`patch`] puts it on the object as it is now, [`difference`]
//! tells what that changed. [`consent`] decides whether a call goes, asks or is refused;
//! [`stakes`] looks up what it would take away, and [`preview`] shows a request unsent. Nothing
//! here knows MCP, and only [`Reader`] reaches Sonarr.

pub mod commands;
pub mod consent;
pub mod difference;
pub mod keys;
pub mod pairs;
pub mod patch;
pub mod preview;
pub mod question;
pub mod stakes;
pub mod tokens;
pub mod turns;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use sonarr_client::Client;

use crate::failure::Failure;

/// Reads by the name of an operation.
pub trait Reader: Sync {
    /// What the operation answers, as JSON and unmasked.
    ///
    /// # Errors
    /// Whatever keeps Sonarr from answering.
    fn read<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, Failure>>;

    /// The same of a list of which only these `members` of each record are needed; there may be more.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_members<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
        members: &'static [&'static str],
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        let _ = members;
        self.read(operation, arguments)
    }

    /// The SDK's client, for who reads so much that JSON values would be too heavy.
    ///
    /// # Errors
    /// When Sonarr's address or key is missing or cannot be used, and where there is no client.
    fn client(&self) -> Result<&Client, Failure> {
        Err(Failure::internal())
    }
}
