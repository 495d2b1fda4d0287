//! Adding a series.

use rmcp::model::ErrorData;
use serde_json::json;

use super::{Argument, Given, Job, quoted};
use crate::completions::Source;

pub(super) const JOB: Job = Job {
    name: "add_series",
    title: "Add a series",
    description: "Find a series by its title and add it, with the quality profile and the folder it should have",
    arguments: &[
        Argument {
            name: "title",
            description: "The series' title, or tvdb: and its id",
            required: true,
            source: Source::None,
        },
        Argument {
            name: "quality_profile",
            description: "The quality profile's name",
            required: false,
            source: Source::QualityProfiles,
        },
        Argument {
            name: "root_folder",
            description: "The folder the series' own goes into",
            required: false,
            source: Source::RootFolders,
        },
        Argument { name: "tag", description: "A tag it gets", required: false, source: Source::Tags },
    ],
    write,
};

fn write(given: &Given) -> Result<String, ErrorData> {
    let title = given.required("title")?;
    let lookup = given.call("sonarr_media_library", "lookup_series", &json!({"term": title}));
    let profiles = given.call("sonarr_profiles_formats", "list_quality_profiles", &json!({}));
    let folders = given.call("sonarr_storage", "list_root_folders", &json!({}));
    let chosen = |name: &str, what: &str| match given.text(name) {
        Some(value) => format!("the {what} {}", quoted(value)),
        None => format!("the {what} I choose; ask me if there is more than one"),
    };
    let mut text = format!(
        "Add the series {} to Sonarr.\n\
         1. Find it. If several fit, show me title, year and network and ask which one; one that has an `id` is in \
         the library already.\n\
         {lookup}\n\
         2. Find the ids and paths to add it with: {} and {}.\n\
         {profiles}\n\
         {folders}\n",
        quoted(title),
        chosen("quality_profile", "quality profile"),
        chosen("root_folder", "root folder"),
    );
    if let Some(tag) = given.text("tag") {
        let tags = given.call("sonarr_tags", "list_tags", &json!({}));
        text.push_str(&format!("The tag is {}; `tags` takes its id.\n{tags}\n", quoted(tag)));
    }
    text.push_str(
        "3. Tell me what you are going to add, then call `add_series` of sonarr_media_library: `body` is the object \
         the lookup gave, with `qualityProfileId`, `rootFolderPath`, `monitored` true and `addOptions` \
         {\"monitor\": \"all\", \"searchForMissingEpisodes\": true}; ask me first if I might want to monitor only \
         some seasons.\n\
         4. Say what was added, and that Sonarr is searching.",
    );
    Ok(text)
}
