//! Arguments for every read, found by reading.

use super::client::Client;
use super::suite::rows;
use serde_json::{Map, Value, json};
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::operation::{Effect, Operation, Place};
use std::collections::HashMap;

/// Finds ids and names, each list once.
#[derive(Default)]
pub struct Finder {
    lists: HashMap<&'static str, Value>,
}

impl Finder {
    /// The arguments of a call that should work; `None` where the instance has nothing to read.
    ///
    /// # Errors
    /// When a list that was needed could not be read.
    pub fn arguments(
        &mut self,
        client: &mut Client,
        operation: &Operation,
    ) -> Result<Option<Map<String, Value>>, String> {
        let mut arguments = Map::new();
        for parameter in operation.parameters.iter().filter(|parameter| parameter.place == Place::Path) {
            let Some(value) = self.path(client, operation, parameter.name)? else { return Ok(None) };
            arguments.insert(parameter.name.to_owned(), value);
        }
        for (name, source) in queries(operation.name) {
            let value = match source {
                Source::Given(text) => Some(json!(text)),
                Source::First(list, member) => self.first(client, list, member)?,
                Source::Yesterday => Some(json!(yesterday())),
            };
            let Some(value) = value else { return Ok(None) };
            arguments.insert((*name).to_owned(), value);
        }
        Ok(Some(arguments))
    }

    /// A path argument: from the list whose path ends where the argument begins.
    fn path(&mut self, client: &mut Client, operation: &Operation, name: &str) -> Result<Option<Value>, String> {
        let stem = operation.path.split("/{").next().unwrap_or_default();
        match (stem, name) {
            ("/api/v3/mediacover", "filename") => return Ok(Some(json!("poster.jpg"))),
            ("/api/v3/mediacover", _) => return self.first(client, "list_series", "id"),
            // Whatever the id, the server answers with its one set of texts.
            ("/api/v3/localization", _) => return Ok(Some(json!(1))),
            // Any episode will do, and the calendar of today may be empty.
            ("/api/v3/calendar" | "/api/v3/episode", _) => return self.episode(client),
            ("/api/v3/episodefile", _) => return self.first(client, "list_episode_files", "id"),
            _ => {}
        }
        let list = reads().find(|list| list.path == stem).ok_or_else(|| format!("no read lists {stem}"))?;
        self.first(client, list.name, name)
    }

    fn episode(&mut self, client: &mut Client) -> Result<Option<Value>, String> {
        self.first(client, "list_episodes", "id")
    }

    /// A member of the first row that has it; of the object itself where the read gives one object.
    fn first(&mut self, client: &mut Client, list: &'static str, member: &str) -> Result<Option<Value>, String> {
        if !self.lists.contains_key(list) {
            let operation =
                reads().find(|read| read.name == list).ok_or_else(|| format!("no read is called {list}"))?;
            let Some(arguments) = self.arguments(client, operation)? else { return Ok(None) };
            let answer = client.call(&format!("sonarr_{}", operation.group), list, &arguments)?;
            self.lists.insert(list, answer);
        }
        let Some(answer) = self.lists.get(list) else { return Ok(None) };
        let itself = answer.get(member).cloned();
        Ok(rows(answer).iter().find_map(|row| row.get(member).cloned()).or(itself))
    }
}

fn reads() -> impl Iterator<Item = &'static Operation> {
    GROUPS.iter().flat_map(|group| group.operations).filter(|operation| operation.effect == Effect::Read)
}

/// Where a query argument comes from.
enum Source {
    Given(&'static str),
    First(&'static str, &'static str),
    Yesterday,
}

/// What a read needs beside its path.
fn queries(operation: &str) -> &'static [(&'static str, Source)] {
    match operation {
        "lookup_series" => &[("term", Source::First("list_series", "title"))],
        "list_episodes" | "list_episode_files" | "list_series_history" | "preview_rename" => {
            &[("seriesId", Source::First("list_series", "id"))]
        }
        "search_releases" => &[("episodeId", Source::First("list_episodes", "id"))],
        "parse_title" => &[("title", Source::Given("Invented.Show.S01E02.720p.HDTV.x264-GROUP"))],
        "browse_filesystem" => &[("path", Source::Given("/"))],
        "get_filesystem_type" | "list_media_files" => &[("path", Source::First("list_root_folders", "path"))],
        "list_manual_import_candidates" => &[("folder", Source::First("list_root_folders", "path"))],
        "list_history_since" => &[("date", Source::Yesterday)],
        _ => &[],
    }
}

fn yesterday() -> String {
    (chrono::Utc::now() - chrono::TimeDelta::days(1)).format("%Y-%m-%dT%H:%M:%SZ").to_string()
}
