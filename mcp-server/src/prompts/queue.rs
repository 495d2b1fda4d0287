//! Cleaning the queue.

use rmcp::model::ErrorData;
use serde_json::json;

use super::{Given, Job};

pub(super) const JOB: Job = Job {
    name: "clean_queue",
    title: "Clean the download queue",
    description: "Find the downloads that are stuck, say why, and remove those I agree to",
    arguments: &[],
    write,
};

fn write(given: &Given) -> Result<String, ErrorData> {
    let status = given.call("sonarr_queue", "get_queue_status", &json!({}));
    let queue = given.call(
        "sonarr_queue",
        "list_queue",
        &json!({"pageSize": 100, "includeUnknownSeriesItems": true, "includeSeries": true, "includeEpisode": true}),
    );
    Ok(format!(
        "Clean up Sonarr's download queue.\n\
         1. What is in it?\n\
         {status}\n\
         {queue}\n\
         2. Leave alone what is downloading as it should. List the rest by reason (`trackedDownloadStatus`, \
         `trackedDownloadState`, `statusMessages`, `errorMessage`): failed, stalled, waiting to be imported by hand, \
         of no known series.\n\
         3. For each say what you would do: import it by hand, remove it and let Sonarr look for another release \
         (`removeFromClient` and `blocklist` true), or remove it without that (`skipRedownload` true). Ask me which \
         ones; remove nothing that I have not named.\n\
         4. Then call `remove_queue_item` of sonarr_queue for one, or `remove_queue_items` with `body` {{\"ids\": […]}} \
         for several, look at the queue again and say what is left."
    ))
}
