//! A library in which one scenario was planted, and nothing else is wrong.

use std::time::Duration;

use embedded_sonarr::{Options, Scenario};
use serde_json::{Value, json};
use sonarr_mcp::audits::AUDITS;
use sonarr_mcp::write::consent::Mode;

use crate::tasks::{House, inner};

/// A library in which one scenario was planted, and nothing else is wrong.
pub struct Planted {
    pub house: House,
}

impl Planted {
    pub async fn with(scenario: &str) -> Self {
        let scenarios = vec![scenario.parse::<Scenario>().unwrap()];
        Planted { house: House::with(Mode::Auto, Options { scenarios, ..Options::default() }).await }
    }

    /// What was planted.
    pub fn rows(&self) -> Vec<Value> {
        self.house.sonarr.planted().into_iter().flat_map(|planted| planted.rows).collect()
    }

    /// What an audit answers.
    pub async fn told(&self, audit: &str) -> Value {
        let group = AUDITS.iter().find(|one| one.name == audit).unwrap().group;
        self.house.get(group, audit, json!({})).await.0
    }

    /// What an audit finds.
    pub async fn find(&self, audit: &str) -> Vec<Value> {
        self.told(audit).await["findings"].as_array().unwrap().clone()
    }

    /// What an audit finds, which is all that was planted and nothing else.
    pub async fn finds_what_was_planted(&self, audit: &str) -> Vec<Value> {
        let (found, planted) = (self.find(audit).await, self.rows());
        assert!(!planted.is_empty());
        let members = |row: &Value, like: &Value| -> Value {
            like.as_object().unwrap().keys().map(|name| (name.clone(), row[name].clone())).collect()
        };
        let told: Vec<Value> = found.iter().zip(&planted).map(|(row, like)| members(row, like)).collect();
        assert_eq!((found.len(), &told), (planted.len(), &planted), "{found:#?}");
        found
    }

    /// Sends the call that a finding gives as it stands, consents, and lets its commands end.
    pub async fn mend(&self, row: &Value) {
        let mend = &row["mend"];
        let tool = mend["tool"].as_str().unwrap().trim_start_matches("sonarr_");
        let mut call = json!({"operation": mend["operation"], "arguments": mend["arguments"]});
        let (told, _) = inner(&self.house.send(tool, call.clone()).await.unwrap());
        if let Some(confirm) = told.get("confirm") {
            call["confirm"] = confirm.clone();
            self.house.send(tool, call).await.unwrap();
        }
        self.house.sonarr.advance(Duration::from_secs(30));
    }
}
