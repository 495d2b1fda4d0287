//! One season is monitored, or is no more; the other seasons and all else stay as they are.

use futures::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Call, Plan, Workflow, flag, given, members, parameter, row, text, whole};
use crate::arguments::{ArgumentError, schema};
use crate::failure::Failure;
use crate::operation::{Effect, Kind, Operation};
use crate::write::Reader;

pub const WORKFLOW: Workflow = Workflow {
    operation: Operation {
        summary: "Monitors one season, or ends that.",
        details: "The other seasons stay as they are. Sonarr sets the season's episodes alike.",
        idempotent: true,
        arguments: schema::<Arguments>,
        ..row(
            "set_season_monitoring",
            "media_library",
            Effect::Update,
            &[
                parameter("seriesId", Kind::Integer, true, ""),
                parameter("seasonNumber", Kind::Integer, true, ""),
                parameter("monitored", Kind::Boolean, true, ""),
            ],
        )
    },
    example: "{\"seriesId\":4,\"seasonNumber\":2,\"monitored\":true}",
    plan: |reader, arguments| plan(reader, arguments).boxed(),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// Series id in Sonarr, or its title.
    series_id: i64,
    /// The season; 0 holds the specials.
    season_number: i64,
    /// Whether it is monitored from now on.
    monitored: bool,
}

async fn plan(reader: &dyn Reader, arguments: Map<String, Value>) -> Result<Plan, Failure> {
    let Arguments { series_id, season_number, monitored } = given(arguments)?;
    let series = reader.read("get_series", members(json!({"id": series_id}))).await?;
    let seasons: Vec<i64> = series
        .get("seasons")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|season| whole(season, "seasonNumber"))
        .collect();
    if !seasons.contains(&season_number) {
        let problem = format!("{} has no season {season_number}", text(&series, "title"));
        let accepted = seasons.iter().map(i64::to_string).collect();
        return Err(ArgumentError::new("arguments.seasonNumber", problem).accepting(accepted).into());
    }
    let patch = json!({"seasons": {season_number.to_string(): {"monitored": monitored}}});
    let mut call = Call::new("update_series", members(json!({"id": series_id, "patch": patch})));
    if monitored && flag(&series, "monitored") == Some(false) {
        call.note = Some(format!(
            "{} itself is not monitored, so Sonarr looks for none of its episodes: update_series with the patch \
             {{\"monitored\": true}} changes that",
            text(&series, "title")
        ));
    }
    Ok(Plan::Call(call))
}
