//! What is stored, for tests that look behind the API.

use serde_json::Value;

use crate::state::State;
use crate::state::episode::With;

impl State {
    /// One stored object by its resource and id, secrets in clear.
    pub(crate) fn stored(&self, resource: &str, id: i64) -> Option<Value> {
        match resource.trim_matches('/') {
            "series" => self.library.get(id).map(|entry| self.series_json(entry, false)),
            "episode" => {
                self.library.episode(id).map(|(entry, episode)| self.episode_json(entry, episode, With::default()))
            }
            "episodefile" => self.library.file(id).map(|(entry, file)| self.file_json(entry, file)),
            "command" => self.commands.get(id).map(crate::commands::Command::json),
            "queue" => {
                let mut rows = self.queue_rows(crate::downloads::QueueWith::default()).into_iter();
                rows.find(|row| row.get("id").and_then(Value::as_i64) == Some(id))
            }
            path => self.row(path, id).map(|row| Value::Object(row.clone())),
        }
    }

    /// The ids of the stored objects of a resource.
    pub(crate) fn stored_ids(&self, resource: &str) -> Vec<i64> {
        match resource.trim_matches('/') {
            "series" => self.library.ids(),
            "episode" => {
                self.library.iter().flat_map(|(_, entry)| entry.episodes.iter().map(|episode| episode.id)).collect()
            }
            "episodefile" => {
                self.library.iter().flat_map(|(_, entry)| entry.files.iter().map(|file| file.id)).collect()
            }
            "command" => self.commands.items.iter().map(|command| command.id).collect(),
            "queue" => self.downloads.tracked().flat_map(|download| download.queue_ids()).map(|(id, _)| id).collect(),
            path => self.table(path).ids(),
        }
    }
}
