//! What a model does with the audits, from the counts to a mended library: the overview, the worklist, the mending call
//! as the finding gives it, with consent, the worklist again with one finding fewer, and everything put back.

mod downloads;
mod library;
mod settings;
mod spoken;

use std::collections::BTreeMap;
use std::time::Duration;

use embedded_sonarr::{Options, Scenario};
use serde_json::{Value, json};
use sonarr_mcp::write::consent::Mode;

use crate::tasks::{House, inner};

/// A library in which something was planted, and a server that asks about every change.
struct Journey {
    house: House,
    kind: &'static str,
}

/// How things stand: every object by its resource and id, without what time alone changes.
type State = BTreeMap<(&'static str, i64), Value>;

/// What is looked at to tell whether all is as it was.
const RESOURCES: [&str; 7] = ["series", "episode", "episodefile", "indexer", "qualityprofile", "tag", "config/naming"];

impl Journey {
    /// Into a library in which the scenario of this kind was planted.
    async fn to(kind: &'static str) -> Self {
        let scenarios = vec![kind.parse::<Scenario>().unwrap()];
        Journey { house: House::with(Mode::Always, Options { scenarios, ..Options::default() }).await, kind }
    }

    /// Looks at the overview, and goes to the worklist that has findings of the kind.
    async fn worklist(&self) -> Vec<Value> {
        let (overview, _) = self.house.get("system_commands", "audit_library", json!({})).await;
        let audits = overview["audits"].as_array().unwrap();
        let Some(audit) = audits.iter().find(|audit| audit["kinds"].get(self.kind).is_some()) else {
            return Vec::new();
        };
        let shown = overview["worst"].as_array().unwrap().iter().any(|worst| worst["kind"] == self.kind);
        assert!(shown, "{overview}");
        let query = format!("findings[?kind=='{}']", self.kind);
        let call = json!({"operation": audit["operation"], "query": query});
        let (found, _) = inner(&self.house.send(audit["tool"].as_str().unwrap(), call).await.unwrap());
        found.as_array().unwrap().clone()
    }

    /// Sends the first finding's call as it stands, consents, and lets the time pass that it takes. The worklist is one
    /// finding shorter then. What was found is answered.
    async fn mend(&self, time: Duration) -> Value {
        let before = self.worklist().await;
        let finding = before.first().unwrap_or_else(|| panic!("no {} is found", self.kind)).clone();
        let mut call = finding["mend"].clone();
        let tool = call.as_object_mut().unwrap().remove("tool").unwrap();
        self.change(tool.as_str().unwrap(), call).await;
        self.house.sonarr.advance(time);
        let after = self.worklist().await;
        assert_eq!(after.len() + 1, before.len(), "{}: {after:?}", self.kind);
        assert!(!after.contains(&finding));
        finding
    }

    /// Makes a change: the server shows it first and sends nothing, and the same call with the word of consent makes it.
    async fn change(&self, tool: &str, mut call: Value) {
        self.house.requests();
        let (preview, _) = inner(&self.house.send(tool, call.clone()).await.unwrap());
        let Some(confirm) = preview.get("confirm") else { panic!("no consent was asked for: {preview}") };
        assert_eq!(self.house.requests().0, [] as [String; 0], "{call}");
        call["confirm"] = confirm.clone();
        let done = self.house.send(tool, call.clone()).await;
        assert!(done.is_ok(), "{call}: {done:?}");
    }

    /// Puts something back.
    async fn put_back(&self, tool: &str, operation: &str, arguments: Value) {
        self.change(tool, json!({"operation": operation, "arguments": arguments})).await;
    }

    /// How things stand.
    fn state(&self) -> State {
        let sonarr = &self.house.sonarr;
        let all = RESOURCES.iter().flat_map(|resource| sonarr.ids(resource).into_iter().map(move |id| (*resource, id)));
        all.map(|(resource, id)| {
            let mut object = sonarr.object(resource, id).unwrap();
            object.as_object_mut().unwrap().remove("lastSearchTime");
            ((resource, id), object)
        })
        .collect()
    }

    /// For each episode, whether it is monitored and has a file: what stays comparable where files were replaced.
    fn held(&self) -> BTreeMap<i64, (Value, Value)> {
        let sonarr = &self.house.sonarr;
        let ids = sonarr.ids("episode").into_iter();
        ids.map(|id| {
            let episode = sonarr.object("episode", id).unwrap();
            (id, (episode["monitored"].clone(), episode["hasFile"].clone()))
        })
        .collect()
    }
}

/// The objects that differ, as they were and as they are.
fn differing(before: &State, after: &State) -> Vec<(Option<Value>, Option<Value>)> {
    let keys: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let pairs = keys.into_iter().map(|key| (before.get(key).cloned(), after.get(key).cloned()));
    pairs.filter(|(before, after)| before != after).collect()
}

/// Long enough for a command.
const COMMAND: Duration = Duration::from_secs(30);
/// Long enough for a search, a download and its import, and too short for the one that is under way.
const DOWNLOAD: Duration = Duration::from_secs(2 * 3600);
