//! Live views: one reading call each, through the same dispatch as a model's.

use chrono::{Days, Utc};
use rmcp::model::ErrorData;
use serde_json::{Map, Value, json};

use super::address::View;
use super::unknown;
use crate::dispatch::Dispatcher;
use crate::failure::Code;

/// How many downloads are shown; a longer queue says how many there are.
const DOWNLOADS: u32 = 100;

/// How many days the calendar shows.
const DAYS: u64 = 7;

/// Asks Sonarr for what a view shows, as JSON.
pub(super) async fn read(dispatcher: &Dispatcher, view: View, id: Option<i64>, uri: &str) -> Result<String, ErrorData> {
    let (tool, operation) = view.operation();
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(operation));
    call.insert("arguments".to_owned(), arguments(view, id));
    match dispatcher.call(tool, call).await {
        Ok(answer) => Ok(answer.text()),
        Err(failure) if failure.code == Code::NotFound => Err(unknown(uri)),
        Err(failure) => Err(ErrorData::internal_error(failure.text(), Some(failure.structured()))),
    }
}

fn arguments(view: View, id: Option<i64>) -> Value {
    match view {
        View::Series => json!({"id": id}),
        View::Queue => json!({
            "pageSize": DOWNLOADS,
            "includeUnknownSeriesItems": true,
            "includeSeries": true,
            "includeEpisode": true,
        }),
        View::Calendar => {
            let today = Utc::now().date_naive();
            let end = today.checked_add_days(Days::new(DAYS)).unwrap_or(today);
            json!({
                "start": format!("{today}T00:00:00Z"),
                "end": format!("{end}T00:00:00Z"),
                "includeSeries": true,
            })
        }
        View::Health => json!({}),
    }
}
