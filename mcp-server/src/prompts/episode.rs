//! Why an episode is missing.

use rmcp::model::ErrorData;
use serde_json::{Map, json};

use super::{Argument, Given, Job, quoted};
use crate::completions::Source;

pub(super) const JOB: Job = Job {
    name: "missing_episode",
    title: "Why is an episode missing?",
    description: "Look through everything that keeps an episode from being there, and say what would help",
    arguments: &[
        Argument { name: "series", description: "The series' title", required: true, source: Source::Series },
        Argument { name: "season", description: "The season's number", required: false, source: Source::None },
        Argument { name: "episode", description: "The episode's number in it", required: false, source: Source::None },
    ],
    write,
};

/// What the caller puts in, for only an earlier answer tells it.
const SERIES_ID: &str = "SERIES_ID";
const EPISODE_ID: &str = "EPISODE_ID";

fn write(given: &Given) -> Result<String, ErrorData> {
    let series = given.required("series")?;
    let season = given.number("season", 0..=10_000)?;
    let episode = given.number("episode", 0..=100_000)?;
    let which = match (season, episode) {
        (Some(season), Some(episode)) => format!("season {season}, episode {episode} of "),
        (Some(season), None) => format!("of season {season} of "),
        (None, Some(episode)) => format!("episode {episode} (I did not say of which season) of "),
        (None, None) => String::new(),
    };
    let mut of_series = Map::new();
    of_series.insert("seriesId".to_owned(), json!(SERIES_ID));
    if let Some(season) = season {
        of_series.insert("seasonNumber".to_owned(), json!(season));
    }
    let call = |tool: &str, operation: &str, arguments| given.call(tool, operation, &arguments);
    let lines = [
        format!("Why is an episode missing: {which}{}?", quoted(series)),
        format!("Go through these and stop where the reason is found; put ids from earlier answers in place of {SERIES_ID} and {EPISODE_ID}. Change nothing."),
        "1. The series: is it there, and monitored? Which episodes have no file (`hasFile`), which are monitored, and have they aired (`airDateUtc`)?".to_owned(),
        call("sonarr_media_library", "list_series", json!({})),
        call("sonarr_media_library", "list_episodes", of_series.into()),
        "2. The queue: is it being downloaded, or stuck? `trackedDownloadState` and `statusMessages` tell.".to_owned(),
        call("sonarr_queue", "list_queue_details", json!({"seriesId": SERIES_ID, "includeEpisode": true})),
        "3. The history: was it grabbed, did the download or the import fail, was the file deleted?".to_owned(),
        call("sonarr_history_blocklist", "list_series_history", json!({"seriesId": SERIES_ID})),
        "4. Sonarr's own troubles: indexers and download clients that do not answer, missing folders.".to_owned(),
        call("sonarr_system_commands", "list_health", json!({})),
        "5. Only if nothing else explains it: what do the indexers offer, and why is it rejected (`rejections`)? This asks all of them and takes a while.".to_owned(),
        call("sonarr_release_search", "search_releases", json!({"episodeId": EPISODE_ID})),
        "Then tell me the reason in a sentence, what you saw that shows it, and what would help; ask before you do any of it.".to_owned(),
    ];
    Ok(lines.join("\n"))
}
