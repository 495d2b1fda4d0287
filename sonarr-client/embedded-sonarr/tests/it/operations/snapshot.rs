//! The whole state of a server, to see what a request changes.

use std::collections::BTreeMap;

use embedded_sonarr::EmbeddedSonarr;
use serde_json::Value;

const RESOURCES: [&str; 33] = [
    "autotagging",
    "blocklist",
    "command",
    "config/downloadclient",
    "config/host",
    "config/importlist",
    "config/indexer",
    "config/mediamanagement",
    "config/naming",
    "config/ui",
    "customfilter",
    "customformat",
    "delayprofile",
    "downloadclient",
    "episode",
    "episodefile",
    "history",
    "importlist",
    "importlistexclusion",
    "indexer",
    "log",
    "metadata",
    "notification",
    "qualitydefinition",
    "qualityprofile",
    "queue",
    "releaseprofile",
    "remotepathmapping",
    "rootfolder",
    "series",
    "system/backup",
    "tag",
    "task-runs",
];

/// Every stored object by resource and id.
pub struct Snapshot(BTreeMap<&'static str, BTreeMap<i64, Value>>);

impl Snapshot {
    pub fn of(sonarr: &EmbeddedSonarr) -> Snapshot {
        let objects = |resource: &'static str| {
            let ids = sonarr.ids(resource).into_iter();
            (resource, ids.filter_map(|id| Some((id, sonarr.object(resource, id)?))).collect())
        };
        Snapshot(RESOURCES.into_iter().map(objects).collect())
    }

    /// What is different later: `+1 tag, ~2 series`; empty when nothing is.
    pub fn changes(&self, later: &Snapshot) -> String {
        let mut told = Vec::new();
        for (resource, before) in &self.0 {
            let after = &later.0[resource];
            let added = after.keys().filter(|id| !before.contains_key(id)).count();
            let removed = before.keys().filter(|id| !after.contains_key(id)).count();
            let changed = before.iter().filter(|(id, object)| after.get(id).is_some_and(|now| now != *object)).count();
            for (sign, count) in [('+', added), ('-', removed), ('~', changed)] {
                if count > 0 {
                    told.push(format!("{sign}{count} {resource}"));
                }
            }
        }
        told.join(", ")
    }
}
