//! What airs this week.

use chrono::Days;
use rmcp::model::ErrorData;
use serde_json::json;

use super::{Argument, Given, Job};
use crate::completions::Source;

pub(super) const JOB: Job = Job {
    name: "airing_this_week",
    title: "What airs this week?",
    description: "The episodes that air in the next days, and which of them are there already",
    arguments: &[Argument {
        name: "days",
        description: "How many days from today on; 7 unless given",
        required: false,
        source: Source::None,
    }],
    write,
};

fn write(given: &Given) -> Result<String, ErrorData> {
    let days = given.number("days", 1..=60)?.unwrap_or(7);
    let end = given.today.checked_add_days(Days::new(days.into())).unwrap_or(given.today);
    let calendar = given.call(
        "sonarr_calendar",
        "list_calendar",
        &json!({
            "start": format!("{}T00:00:00Z", given.today),
            "end": format!("{end}T00:00:00Z"),
            "includeSeries": true,
        }),
    );
    Ok(format!(
        "Which episodes air from {} up to {end}?\n\
         {calendar}\n\
         List them by day: the series, season and episode number, title and time of day. `airDateUtc` is UTC; tell \
         the time in my time zone if you know it. `hasFile` says which of them are there already. If nothing airs, \
         say so. Change nothing.",
        given.today
    ))
}
