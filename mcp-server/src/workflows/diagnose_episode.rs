//! Why an episode is not there: what stands in its way, as a chain with the cause named.

use chrono::{DateTime, Utc};
use futures::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Plan, Workflow, flag, given, items, members, parameter, row, text, whole};
use crate::answer::{Answer, Content};
use crate::arguments::schema;
use crate::failure::Failure;
use crate::operation::{Effect, Kind, Operation};
use crate::write::Reader;

/// Below this much free space, in bytes, Sonarr's own default refuses to import: 100 MB.
const LITTLE_SPACE: i64 = 100 * 1024 * 1024;

/// So many entries of history and blocklist are looked at.
const ENTRIES: usize = 50;

pub const WORKFLOW: Workflow = Workflow {
    operation: Operation {
        summary: "Tells why an episode is not there.",
        details: "Looks at the file, the queue, the air date, what is monitored, the indexers, the download clients, \
                  the disk, the history, the blocklist and the health checks; `cause` is what to begin with.",
        idempotent: true,
        arguments: schema::<Arguments>,
        ..row(
            "diagnose_episode",
            "media_library",
            Effect::Read,
            &[
                parameter("episodeId", Kind::Integer, true, "`Title S01E02` works, too."),
                parameter("seriesId", Kind::Integer, false, ""),
            ],
        )
    },
    example: "{\"episodeId\":\"S01E02\",\"seriesId\":4}",
    plan: |reader, arguments| plan(reader, arguments).boxed(),
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// Episode id in Sonarr, or its number as in `S01E02` with the series beside it or before it.
    episode_id: i64,
    /// Series id in Sonarr, or its title; needed for a number without a series.
    #[expect(dead_code, reason = "the number of the episode was looked up with it")]
    series_id: Option<i64>,
}

/// One thing that was looked at.
struct Step {
    check: &'static str,
    /// Whether it stands in the way; nothing where that could not be seen.
    fine: Option<bool>,
    finding: String,
    /// What to do about it.
    remedy: Option<String>,
}

/// The chain, in the order in which causes count.
struct Chain(Vec<Step>);

impl Chain {
    fn push(&mut self, check: &'static str, fine: bool, finding: impl Into<String>, remedy: Option<String>) {
        self.0.push(Step { check, fine: Some(fine), finding: finding.into(), remedy: remedy.filter(|_| !fine) });
    }

    fn unseen(&mut self, check: &'static str, failure: &Failure) {
        let finding = format!("could not be looked at: {}", failure.message);
        self.0.push(Step { check, fine: None, finding, remedy: None });
    }

    /// What to begin with.
    fn cause(&self) -> Option<&Step> {
        self.0.iter().find(|step| step.fine == Some(false))
    }
}

async fn plan(reader: &dyn Reader, arguments: Map<String, Value>) -> Result<Plan, Failure> {
    let Arguments { episode_id, .. } = given(arguments)?;
    let episode = reader.read("get_episode", members(json!({"id": episode_id}))).await?;
    let series_id = whole(&episode, "seriesId").unwrap_or_default();
    let series = reader.read("get_series", members(json!({"id": series_id}))).await?;
    let number = format!(
        "{} S{:02}E{:02}",
        text(&series, "title"),
        whole(&episode, "seasonNumber").unwrap_or_default(),
        whole(&episode, "episodeNumber").unwrap_or_default()
    );
    let mut chain = Chain(Vec::new());
    let has_file = flag(&episode, "hasFile") == Some(true);
    if has_file {
        let file = episode.get("episodeFile").map(|file| text(file, "path")).filter(|path| !path.is_empty());
        let finding = format!("the episode has a file{}", file.map(|path| format!(": {path}")).unwrap_or_default());
        chain.push("file", true, finding, None);
    } else {
        chain.push("file", true, "the episode has no file", None);
        look(reader, &mut chain, &episode, &series, episode_id, Utc::now()).await;
    }
    let search = json!({"operation": "run_command", "arguments": {"body": {"name": "EpisodeSearch", "episodeIds": [episode_id]}, "wait": 120}});
    let (cause, remedy) = match chain.cause() {
        _ if has_file => ("the episode is there".to_owned(), None),
        Some(step) => (step.finding.clone(), step.remedy.clone()),
        None => (
            "nothing stands in the way: no release was found so far that fits".to_owned(),
            Some(format!(
                "search for it with {search}; search_releases with the episodeId shows each release and why it is rejected"
            )),
        ),
    };
    let steps: Vec<Value> =
        chain.0.iter().map(|step| json!({"check": step.check, "fine": step.fine, "finding": step.finding})).collect();
    let mut told = members(json!({"episode": number, "episodeId": episode_id, "seriesId": series_id, "cause": cause}));
    if let Some(remedy) = remedy {
        told.insert("remedy".to_owned(), Value::from(remedy));
    }
    told.insert("chain".to_owned(), Value::Array(steps));
    Ok(Plan::Answer(Answer::new(Content::Json(Value::Object(told)))))
}

/// Looks at all that may stand in the way of an episode without a file.
async fn look(
    reader: &dyn Reader,
    chain: &mut Chain,
    episode: &Value,
    series: &Value,
    episode_id: i64,
    now: DateTime<Utc>,
) {
    let list = |operation: &'static str, arguments: Value| reader.read(operation, members(arguments));
    let series_id = whole(series, "id").unwrap_or_default();
    let (queue, history, blocklist, indexers, clients, folders, health) = futures::join!(
        list("list_queue_details", json!({"episodeIds": [episode_id]})),
        list("list_history", json!({"episodeId": episode_id, "pageSize": ENTRIES})),
        list("list_blocklist", json!({"seriesIds": [series_id], "pageSize": ENTRIES})),
        list("list_indexers", json!({})),
        list("list_download_clients", json!({})),
        list("list_root_folders", json!({})),
        list("list_health", json!({})),
    );
    let queued = match queue {
        Ok(queue) => {
            let records: Vec<Value> =
                items(queue).into_iter().filter(|it| whole(it, "episodeId") == Some(episode_id)).collect();
            in_queue(chain, &records);
            !records.is_empty()
        }
        Err(failure) => {
            chain.unseen("queue", &failure);
            false
        }
    };
    aired(chain, episode, now);
    monitored(chain, series, episode);
    profile(reader, chain, series).await;
    enabled(chain, "indexers", indexers, &["enableAutomaticSearch", "enableRss"]);
    enabled(chain, "download clients", clients, &["enable"]);
    match folders {
        Ok(folders) => space(chain, series, &items(folders)),
        Err(failure) => chain.unseen("disk space", &failure),
    }
    match history {
        Ok(history) => of_history(chain, &items(history), queued),
        Err(failure) => chain.unseen("history", &failure),
    }
    match blocklist {
        Ok(blocklist) => blocked(chain, &items(blocklist), episode_id),
        Err(failure) => chain.unseen("blocklist", &failure),
    }
    match health {
        Ok(health) => ill(chain, &items(health)),
        Err(failure) => chain.unseen("health", &failure),
    }
}

fn in_queue(chain: &mut Chain, records: &[Value]) {
    let Some(record) = records.first() else {
        return chain.push("queue", true, "no download of it is in the queue", None);
    };
    let state = [text(record, "trackedDownloadState"), text(record, "status")];
    let state = state.into_iter().find(|state| !state.is_empty()).unwrap_or("in the queue");
    let messages = record.get("statusMessages").and_then(Value::as_array).into_iter().flatten();
    let messages = messages.flat_map(|message| message.get("messages").and_then(Value::as_array).into_iter().flatten());
    let mut words: Vec<&str> = messages.filter_map(Value::as_str).collect();
    words.extend(Some(text(record, "errorMessage")).filter(|error| !error.is_empty()));
    let said = if words.is_empty() { String::new() } else { format!(": {}", words.join("; ")) };
    let left = match text(record, "timeleft") {
        "" => String::new(),
        time => format!(", {time} left"),
    };
    let finding = format!("the download {} is in the queue ({state}{left}){said}", text(record, "title"));
    let remedy = match state {
        "importBlocked" | "importPending" => {
            let download = text(record, "downloadId");
            format!("import it with import_files and {}", json!({"downloadId": download}))
        }
        "failed" | "failedPending" => "clean_queue removes it and searches again".to_owned(),
        _ if text(record, "status") == "warning" => {
            "if it stays like this, clean_queue removes it and searches again".to_owned()
        }
        _ => "wait until it is done".to_owned(),
    };
    chain.push("queue", false, finding, Some(remedy));
}

fn aired(chain: &mut Chain, episode: &Value, now: DateTime<Utc>) {
    let date = text(episode, "airDateUtc");
    match DateTime::parse_from_rfc3339(date) {
        Ok(time) if time > now => {
            chain.push(
                "aired",
                false,
                format!("it has not aired yet: it airs {date}"),
                Some("wait until then".to_owned()),
            );
        }
        Ok(_) => chain.push("aired", true, format!("it aired {date}"), None),
        Err(_) => chain.push(
            "aired",
            false,
            "no date of airing is known, so Sonarr does not count it as missing",
            Some("TheTVDB may tell the date later; run_command RefreshSeries reads it again".to_owned()),
        ),
    }
}

fn monitored(chain: &mut Chain, series: &Value, episode: &Value) {
    let season = whole(episode, "seasonNumber");
    let seasons = series.get("seasons").and_then(Value::as_array).into_iter().flatten();
    let season_is = seasons.filter(|it| whole(it, "seasonNumber") == season).find_map(|it| flag(it, "monitored"));
    let (id, episode_id) = (whole(series, "id"), whole(episode, "id"));
    let (finding, remedy) = if flag(series, "monitored") == Some(false) {
        let call = json!({"operation": "update_series", "arguments": {"id": id, "patch": {"monitored": true}}});
        ("the series is not monitored", call)
    } else if flag(episode, "monitored") == Some(false) {
        let call = json!({"operation": "set_episodes_monitored", "arguments": {"body": {"episodeIds": [episode_id], "monitored": true}}});
        match season_is {
            Some(false) => ("its season and the episode are not monitored", call),
            _ => ("the episode is not monitored", call),
        }
    } else {
        return chain.push("monitored", true, "series and episode are monitored", None);
    };
    chain.push("monitored", false, format!("{finding}, so Sonarr does not look for it"), Some(remedy.to_string()));
}

async fn profile(reader: &dyn Reader, chain: &mut Chain, series: &Value) {
    let Some(id) = whole(series, "qualityProfileId") else {
        return;
    };
    let profile = match reader.read("get_quality_profile", members(json!({"id": id}))).await {
        Ok(profile) => profile,
        Err(failure) => return chain.unseen("quality profile", &failure),
    };
    let allowed: Vec<&str> = profile
        .get("items")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|item| flag(item, "allowed") == Some(true))
        .map(|item| item.get("quality").map_or_else(|| text(item, "name"), |quality| text(quality, "name")))
        .collect();
    let name = text(&profile, "name");
    let finding = match allowed.as_slice() {
        [] => format!("the quality profile {name} allows no quality"),
        some => format!("the quality profile {name} allows {}", some.join(", ")),
    };
    chain.push(
        "quality profile",
        !allowed.is_empty(),
        finding,
        Some("allow a quality with update_quality_profile".to_owned()),
    );
}

fn enabled(chain: &mut Chain, what: &'static str, list: Result<Value, Failure>, switches: &[&str]) {
    let list = match list {
        Ok(list) => items(list),
        Err(failure) => return chain.unseen(what, &failure),
    };
    let on = list.iter().filter(|it| switches.iter().any(|switch| flag(it, switch) == Some(true))).count();
    let finding = match list.len() {
        0 => format!("there are no {what}"),
        all => format!("{on} of {all} {what} are enabled"),
    };
    chain.push(what, on > 0, finding, Some(format!("add or enable some of the {what}")));
}

fn space(chain: &mut Chain, series: &Value, folders: &[Value]) {
    let path = text(series, "path");
    let folder = folders.iter().filter(|it| path.starts_with(text(it, "path"))).max_by_key(|it| text(it, "path").len());
    let Some(folder) = folder else {
        let finding = format!("the series folder {path} is in no root folder");
        return chain.push("disk space", true, finding, None);
    };
    let root = text(folder, "path");
    if flag(folder, "accessible") == Some(false) {
        let finding = format!("the root folder {root} cannot be reached by Sonarr");
        return chain.push("disk space", false, finding, Some("mount it, or give Sonarr access to it".to_owned()));
    }
    match whole(folder, "freeSpace") {
        Some(free) => {
            let finding = format!("{root} has {} MiB free", free / (1024 * 1024));
            chain.push("disk space", free >= LITTLE_SPACE, finding, Some("make room there".to_owned()));
        }
        None => chain.push("disk space", true, format!("{root} does not tell its free space"), None),
    }
}

/// What became of it so far; the newest entry comes first.
fn of_history(chain: &mut Chain, entries: &[Value], queued: bool) {
    let Some(last) = entries.first() else {
        return chain.push("history", true, "nothing was ever grabbed for it", None);
    };
    let (event, title, date) = (text(last, "eventType"), text(last, "sourceTitle"), text(last, "date"));
    let failed = entries.iter().filter(|entry| text(entry, "eventType") == "downloadFailed").count();
    let finding =
        format!("the last of {} entries is {event} of {title} on {date}; {failed} downloads failed", entries.len());
    let remedy = match event {
        "grabbed" if !queued => Some(
            "it was grabbed and is neither in the queue nor imported: look for the download in the download client",
        ),
        "downloadFailed" => Some("the download failed: search again"),
        "episodeFileDeleted" => Some("its file was deleted since: search again"),
        "downloadIgnored" => Some("the download was ignored: import it by hand with import_files, or search again"),
        _ => None,
    };
    chain.push("history", remedy.is_none(), finding, remedy.map(str::to_owned));
}

fn blocked(chain: &mut Chain, entries: &[Value], episode_id: i64) {
    let of_episode = |entry: &&Value| {
        let ids = entry.get("episodeIds").and_then(Value::as_array);
        ids.is_some_and(|ids| ids.iter().any(|id| id.as_i64() == Some(episode_id)))
    };
    let titles: Vec<&str> = entries.iter().filter(of_episode).map(|entry| text(entry, "sourceTitle")).collect();
    let finding = match titles.as_slice() {
        [] => "no release of it is blocklisted".to_owned(),
        some => format!("{} releases of it are blocklisted and are not grabbed again: {}", some.len(), some.join(", ")),
    };
    // That one release is barred leaves the others.
    chain.push("blocklist", true, finding, None);
}

fn ill(chain: &mut Chain, checks: &[Value]) {
    let bad: Vec<&Value> = checks.iter().filter(|check| ["error", "warning"].contains(&text(check, "type"))).collect();
    let finding = match bad.as_slice() {
        [] => "no health check complains".to_owned(),
        some => some.iter().map(|check| text(check, "message")).collect::<Vec<_>>().join("; "),
    };
    // Others, such as a root folder of other series or an old version, keep no episode away.
    let concerns = |check: &&&Value| {
        ["Indexer", "DownloadClient", "Import"].iter().any(|part| text(check, "source").contains(part))
    };
    let grave = bad.iter().filter(concerns).any(|check| text(check, "type") == "error");
    chain.push("health", !grave, finding, Some("list_health tells more about each".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::{Chain, aired, enabled, ill, in_queue, monitored, of_history, space};
    use chrono::{TimeZone, Utc};
    use serde_json::json;

    fn finding(look: impl FnOnce(&mut Chain)) -> (Option<bool>, String, Option<String>) {
        let mut chain = Chain(Vec::new());
        look(&mut chain);
        let step = chain.0.remove(0);
        (step.fine, step.finding, step.remedy)
    }

    #[test]
    fn each_obstacle_is_seen() {
        let now = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
        let series =
            json!({"id": 1, "monitored": true, "path": "/tv/x", "seasons": [{"seasonNumber": 1, "monitored": false}]});
        for ((fine, told, remedy), due, says) in [
            (finding(|it| aired(it, &json!({"airDateUtc": "2026-02-01T00:00:00Z"}), now)), false, "not aired"),
            (finding(|it| aired(it, &json!({"airDateUtc": "2025-02-01T00:00:00Z"}), now)), true, "it aired"),
            (finding(|it| aired(it, &json!({}), now)), false, "no date"),
            (finding(|it| monitored(it, &json!({"monitored": false}), &json!({}))), false, "series is not monitored"),
            (
                finding(|it| monitored(it, &series, &json!({"seasonNumber": 1, "monitored": false}))),
                false,
                "its season",
            ),
            (
                finding(|it| monitored(it, &series, &json!({"seasonNumber": 1, "monitored": true}))),
                true,
                "are monitored",
            ),
            (finding(|it| enabled(it, "indexers", Ok(json!([])), &["enable"])), false, "no indexers"),
            (finding(|it| enabled(it, "indexers", Ok(json!([{"enable": false}])), &["enable"])), false, "0 of 1"),
            (finding(|it| space(it, &series, &[json!({"path": "/tv", "freeSpace": 5})])), false, "0 MiB"),
            (
                finding(|it| space(it, &series, &[json!({"path": "/tv", "accessible": false})])),
                false,
                "cannot be reached",
            ),
            (finding(|it| space(it, &series, &[json!({"path": "/other", "freeSpace": 5})])), true, "no root folder"),
            (finding(|it| of_history(it, &[json!({"eventType": "grabbed"})], false)), false, "grabbed"),
            (finding(|it| of_history(it, &[json!({"eventType": "grabbed"})], true)), true, "grabbed"),
            (finding(|it| of_history(it, &[], false)), true, "nothing was ever grabbed"),
            (
                finding(|it| ill(it, &[json!({"type": "error", "source": "IndexerSearchCheck", "message": "none"})])),
                false,
                "none",
            ),
            (
                finding(|it| ill(it, &[json!({"type": "error", "source": "RootFolderCheck", "message": "gone"})])),
                true,
                "gone",
            ),
            (finding(|it| in_queue(it, &[])), true, "no download"),
            (
                finding(|it| {
                    in_queue(
                        it,
                        &[
                            json!({"title": "X", "status": "completed", "trackedDownloadState": "importBlocked", "statusMessages": [{"messages": ["why"]}]}),
                        ],
                    )
                }),
                false,
                "importBlocked): why",
            ),
        ] {
            assert_eq!(fine, Some(due), "{told}");
            assert!(told.contains(says), "{told}");
            assert_eq!(remedy.is_some(), !due, "{told}");
        }
    }
}
