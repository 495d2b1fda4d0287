//! Commands: what Sonarr does in the background when `POST /api/v3/command` asks for it.

mod end;
mod wait;

use crate::types::CommandRequest;
use serde::Serialize;
use serde_json::Value;

pub use end::CommandEnd;
pub use wait::{Wait, WaitError};

/// A command with its parameters; the module [`commands`](crate::commands) has them all.
///
/// ```
/// use sonarr_client::Command;
/// use sonarr_client::commands::SeasonSearch;
///
/// let request = SeasonSearch { series_id: 3, season_number: 2 }.request();
/// assert_eq!(serde_json::to_value(request).unwrap(),
///            serde_json::json!({ "name": "SeasonSearch", "seriesId": 3, "seasonNumber": 2 }));
/// ```
pub trait Command: Serialize {
    /// Sonarr's name for it.
    const NAME: &'static str;

    /// The body of `run_command`: the name, and the parameters beside it.
    fn request(&self) -> CommandRequest {
        let extra = match serde_json::to_value(self) {
            Ok(Value::Object(parameters)) => parameters,
            // A struct of parameters is an object, with string keys and no failing member.
            _ => serde_json::Map::new(),
        };
        CommandRequest { name: Some(Self::NAME.to_owned()), extra }
    }
}
