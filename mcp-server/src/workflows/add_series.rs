//! A series is looked up by its title and added, with profile, folder and tags by name.

use std::collections::BTreeMap;

use futures::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Call, Plan, Workflow, given, items, members, parameter, row, text, whole};
use crate::arguments::{ArgumentError, schema};
use crate::failure::{Code, Failure};
use crate::names::{is_titled, titled, tvdb_id};
use crate::operation::{Effect, Kind, Operation, Parameter};
use crate::write::Reader;

/// What is monitored of a new series.
const MONITOR: &[&str] = &[
    "all",
    "future",
    "missing",
    "existing",
    "firstSeason",
    "lastSeason",
    "pilot",
    "recent",
    "monitorSpecials",
    "unmonitorSpecials",
    "none",
];

/// How many series are listed when several have the title.
const LISTED: usize = 10;

/// What is passed on of the series that was added.
const SHOWN: &[&str] =
    &["id", "title", "year", "tvdbId", "status", "path", "qualityProfileId", "monitored", "seriesType", "tags"];

pub const WORKFLOW: Workflow = Workflow {
    operation: Operation {
        summary: "Looks a series up and adds it.",
        details: "Several series of the title are listed, and nothing is added; one that is in the library already \
                  is told with its id. Without `qualityProfileId` the only or most used profile is taken, without \
                  `rootFolderPath` the only root folder; `path` takes a folder that is there.",
        arguments: schema::<Arguments>,
        ..row(
            "add_series_by_title",
            "media_library",
            Effect::Create,
            &[
                parameter(
                    "term",
                    Kind::String,
                    true,
                    "Title, or tvdb:81189, imdb:tt0903747, tmdb:ID, anilist:ID, mal:ID; needed.",
                ),
                parameter("qualityProfileId", Kind::Integer, false, ""),
                parameter("rootFolderPath", Kind::String, false, ""),
                parameter("path", Kind::String, false, ""),
                Parameter { values: MONITOR, ..parameter("monitor", Kind::String, false, "") },
                parameter("tags", Kind::Array(&Kind::Integer), false, "`+name` creates one."),
                parameter("search", Kind::Boolean, false, ""),
            ],
        )
    },
    example: "{\"term\":\"tvdb:81189\",\"monitor\":\"future\"}",
    plan: |reader, arguments| plan(reader, arguments).boxed(),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// The title, also with the year as in `Title (2019)`, or an id such as tvdb:81189.
    term: String,
    /// Quality profile, by id or name. Default: the only one, or the one most series have.
    quality_profile_id: Option<i64>,
    /// Root folder, by its path or the last part of it. Default: the only one.
    root_folder_path: Option<String>,
    /// Full path of the series' folder, in the place of a root folder: for one that is there already, whatever its name.
    path: Option<String>,
    /// What is monitored: all, future, missing, existing, firstSeason, lastSeason, pilot, recent,
    /// monitorSpecials, unmonitorSpecials or none. Default: all.
    monitor: Option<String>,
    /// Tags, by id or label; `+label` creates one that is not there.
    tags: Option<Vec<i64>>,
    /// Whether missing episodes are searched for at once. Default: false.
    search: Option<bool>,
}

async fn plan(reader: &dyn Reader, arguments: Map<String, Value>) -> Result<Plan, Failure> {
    let arguments: Arguments = given(arguments)?;
    let term = arguments.term.trim();
    if term.is_empty() {
        return Err(ArgumentError::new("arguments.term", "expected a title, or an id such as tvdb:81189").into());
    }
    let found = items(reader.read("lookup_series", members(json!({"term": term}))).await?);
    let series = choose(term, &found)?;
    if let Some(id) = whole(series, "id").filter(|id| *id > 0) {
        return Err(Failure::new(Code::Conflict, format!("{} is in the library already, as id {id}", titled(series)))
            .cure(format!("change it with update_series and the id {id}")));
    }
    let profile = match arguments.quality_profile_id {
        Some(profile) => profile,
        None => usual_profile(reader).await?,
    };
    let (member, folder) = match (arguments.path, arguments.root_folder_path) {
        (Some(path), None) => ("path", path),
        (None, Some(folder)) => ("rootFolderPath", folder),
        (None, None) => ("rootFolderPath", only_folder(reader).await?),
        (Some(_), Some(_)) => {
            let problem = "is given beside `rootFolderPath`; one of them is enough";
            return Err(ArgumentError::new("arguments.path", problem).into());
        }
    };
    let monitor = arguments.monitor.unwrap_or_else(|| "all".to_owned());
    let mut body = Map::new();
    for member in ["title", "tvdbId", "year", "titleSlug", "images", "seasons", "seriesType"] {
        if let Some(value) = series.get(member) {
            body.insert(member.to_owned(), value.clone());
        }
    }
    body.extend(members(json!({
        "qualityProfileId": profile,
        member: folder,
        "seasonFolder": true,
        "monitored": monitor != "none",
        "tags": arguments.tags.unwrap_or_default(),
        "addOptions": {"monitor": monitor, "searchForMissingEpisodes": arguments.search.unwrap_or_default()},
    })));
    let mut call = Call::new("add_series", members(json!({"body": body})));
    call.keep = SHOWN;
    call.note = Some(
        "Sonarr now loads the episodes in the background (the command RefreshSeries): until that has ended there are \
         none to list"
            .to_owned(),
    );
    Ok(Plan::Call(call))
}

/// The one series that is meant.
fn choose<'a>(term: &str, found: &'a [Value]) -> Result<&'a Value, Failure> {
    let exact: Vec<&Value> = match tvdb_id(term) {
        Some(tvdb) => found.iter().filter(|it| whole(it, "tvdbId") == Some(tvdb)).collect(),
        None => found.iter().filter(|it| is_titled(it, term)).collect(),
    };
    match (exact.as_slice(), found) {
        ([one], _) => Ok(*one),
        ([], [one]) => Ok(one),
        ([], []) => Err(Failure::new(Code::NotFound, format!("TheTVDB knows no series `{}`", shortened(term)))
            .cure("try the original title, or the id as in tvdb:81189")),
        _ => {
            let candidates: Vec<&Value> = if exact.is_empty() { found.iter().collect() } else { exact };
            let line = |it: &&Value| format!("tvdb:{} ({})", whole(it, "tvdbId").unwrap_or_default(), titled(it));
            let problem =
                format!("`{}` may be any of several series: give one of these ids as `term`", shortened(term));
            Err(ArgumentError::new("arguments.term", problem)
                .accepting(candidates.iter().take(LISTED).map(line).collect())
                .into())
        }
    }
}

/// The only quality profile, or the one most series have.
async fn usual_profile(reader: &dyn Reader) -> Result<i64, Failure> {
    let profiles = items(reader.read("list_quality_profiles", Map::new()).await?);
    let known = |id: &i64| profiles.iter().any(|profile| whole(profile, "id") == Some(*id));
    if let [only] = profiles.as_slice()
        && let Some(id) = whole(only, "id")
    {
        return Ok(id);
    }
    let mut used: BTreeMap<i64, usize> = BTreeMap::new();
    for series in items(reader.read("list_series", Map::new()).await?) {
        if let Some(id) = whole(&series, "qualityProfileId").filter(known) {
            *used.entry(id).or_default() += 1;
        }
    }
    let most = used.values().max().copied().unwrap_or_default();
    let mut usual = used.iter().filter(|(_, count)| **count == most);
    match (usual.next(), usual.next()) {
        (Some((id, _)), None) => Ok(*id),
        _ => {
            let line = |it: &Value| format!("{} ({})", whole(it, "id").unwrap_or_default(), text(it, "name"));
            Err(ArgumentError::new("arguments.qualityProfileId", "there is more than one quality profile: which one?")
                .accepting(profiles.iter().map(line).collect())
                .into())
        }
    }
}

async fn only_folder(reader: &dyn Reader) -> Result<String, Failure> {
    let folders = items(reader.read("list_root_folders", Map::new()).await?);
    match folders.as_slice() {
        [only] => Ok(text(only, "path").to_owned()),
        several => {
            let problem = match several {
                [] => "there is no root folder yet: create one with add_root_folder",
                _ => "there is more than one root folder: which one?",
            };
            let accepted = several.iter().map(|folder| text(folder, "path").to_owned()).collect();
            Err(ArgumentError::new("arguments.rootFolderPath", problem).accepting(accepted).into())
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::choose;
    use serde_json::json;

    #[test]
    fn one_series_is_chosen_or_the_candidates_are_listed() {
        let found = [
            json!({"title": "Twin Peaches", "year": 1990, "tvdbId": 1}),
            json!({"title": "Twin Peaches", "year": 2017, "tvdbId": 2}),
            json!({"title": "Peaches", "year": 2000, "tvdbId": 3}),
        ];
        let tvdb = |term: &str| choose(term, &found).map(|it| it["tvdbId"].as_i64().unwrap());
        assert_eq!(tvdb("peaches"), Ok(3));
        assert_eq!(tvdb("twin peaches (2017)"), Ok(2));
        assert_eq!(tvdb("TVDB:1"), Ok(1));
        let failure = tvdb("Twin Peaches").unwrap_err();
        assert_eq!(failure.accepted, ["tvdb:1 (Twin Peaches (1990))", "tvdb:2 (Twin Peaches (2017))"]);
        assert_eq!(tvdb("twin").unwrap_err().accepted.len(), 3);
        assert!(choose("x", &[]).is_err());
        assert!(choose("anything", &found[..1]).is_ok());
    }
}
