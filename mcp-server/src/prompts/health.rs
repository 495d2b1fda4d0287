//! A health check of the instance.

use rmcp::model::ErrorData;
use serde_json::json;

use super::{Given, Job};

pub(super) const JOB: Job = Job {
    name: "health_check",
    title: "Is Sonarr well?",
    description: "Version, warnings, disk space, queue and the log's errors of a Sonarr, with what to do about them",
    arguments: &[],
    write,
};

fn write(given: &Given) -> Result<String, ErrorData> {
    let call = |tool: &str, operation: &str, arguments| given.call(tool, operation, &arguments);
    let lines = [
        "Is my Sonarr well? Look at all of these; change nothing.".to_owned(),
        call("sonarr_system_commands", "get_system_status", json!({})),
        call("sonarr_system_commands", "list_health", json!({})),
        call("sonarr_storage", "list_disk_space", json!({})),
        call("sonarr_storage", "list_root_folders", json!({})),
        call("sonarr_queue", "get_queue_status", json!({})),
        call("sonarr_system_commands", "list_system_tasks", json!({})),
        call("sonarr_system_commands", "list_log_entries", json!({"pageSize": 20, "level": "error"})),
        "Then report, the worst first: each warning of Sonarr's with what it means and what to do, disks with less \
         than a tenth free, root folders that cannot be reached, errors and warnings in the queue, tasks whose last \
         run is long ago, errors in the log that repeat. End with the version. If all is well, one sentence will do."
            .to_owned(),
    ];
    Ok(lines.join("\n"))
}
