//! Names from the live instance, kept for a moment: a person types faster than Sonarr changes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Candidate, Source};
use crate::answer::Content;
use crate::dispatch::Dispatcher;
use crate::failure::Failure;
use crate::instances::Instances;

/// How long names are offered before they are asked for again.
const KEPT: Duration = Duration::from_secs(60);

/// How long Sonarr may take: nobody waits longer for a completion.
const WAIT: Duration = Duration::from_secs(3);

type Key = (Option<String>, Source);

/// The names of the last minute.
#[derive(Debug, Default)]
pub struct Cache(Mutex<HashMap<Key, (Instant, Vec<Candidate>)>>);

impl Cache {
    /// The candidates of a live source; none where Sonarr does not tell them in time.
    pub(super) async fn candidates(
        &self,
        instances: &Instances,
        instance: Option<&str>,
        source: Source,
    ) -> Vec<Candidate> {
        let Ok(dispatcher) = instances.named(instance) else {
            return Vec::new();
        };
        let key = (instance.map(str::to_lowercase), source);
        if let Some(kept) = self.kept(&key) {
            return kept;
        }
        match tokio::time::timeout(WAIT, ask(dispatcher, source)).await {
            Ok(Ok(candidates)) => {
                let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                kept.insert(key, (Instant::now(), candidates.clone()));
                candidates
            }
            Ok(Err(failure)) => {
                tracing::debug!(code = failure.code.name(), "no names for a completion");
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }

    fn kept(&self, key: &Key) -> Option<Vec<Candidate>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(at, _)| at.elapsed() < KEPT).map(|(_, candidates)| candidates.clone())
    }
}

/// The operation that lists a source's objects: the tool, its name, the member that is the value
/// and the one it is found by, too.
fn listing(source: Source) -> Option<(&'static str, &'static str, &'static str, Option<&'static str>)> {
    Some(match source {
        Source::Series => ("sonarr_media_library", "list_series", "title", None),
        Source::SeriesIds => ("sonarr_media_library", "list_series", "id", Some("title")),
        Source::Tags => ("sonarr_tags", "list_tags", "label", None),
        Source::QualityProfiles => ("sonarr_profiles_formats", "list_quality_profiles", "name", None),
        Source::RootFolders => ("sonarr_storage", "list_root_folders", "path", None),
        Source::None | Source::Instances | Source::Tools | Source::Operations | Source::Audits => return None,
    })
}

/// How many objects are asked for at once: their names fit into one answer.
const AT_ONCE: usize = 1000;

/// The most objects that are asked for; nobody finds a name among more by typing.
const MOST: usize = 10_000;

async fn ask(dispatcher: &Dispatcher, source: Source) -> Result<Vec<Candidate>, Failure> {
    let mut all = Vec::new();
    let Some((tool, operation, value, label)) = listing(source) else {
        return Ok(all);
    };
    for start in (0..MOST).step_by(AT_ONCE) {
        let mut call = Map::new();
        call.insert("operation".to_owned(), json!(operation));
        let label = label.unwrap_or("null");
        let query = format!("[{start}:{}].[{value}, {label}]", start + AT_ONCE);
        call.insert("query".to_owned(), json!(query));
        let Content::Json(rows) = dispatcher.call(tool, call).await?.content else {
            break;
        };
        let candidates = candidates(&rows);
        let more = candidates.len() == AT_ONCE;
        all.extend(candidates);
        if !more {
            break;
        }
    }
    Ok(all)
}

/// Candidates from pairs of a value and a label.
fn candidates(rows: &Value) -> Vec<Candidate> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let rows = rows.as_array().or_else(|| rows.get("result")?.as_array());
    rows.into_iter()
        .flatten()
        .filter_map(|row| Some(Candidate { value: text(row.get(0)?)?, label: row.get(1).and_then(text) }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::ask;
    use crate::completions::Source;
    use crate::config::{ApiKey, Target};
    use crate::connection::Connection;
    use crate::dispatch::Dispatcher;
    use crate::generated::GROUPS;
    use embedded_sonarr::{EmbeddedSonarr, Options};

    #[tokio::test]
    async fn every_series_of_a_large_library_is_offered() {
        let sonarr = EmbeddedSonarr::start(Options { series: 1500, ..Options::default() }).await.unwrap();
        let target = Target { url: Some(sonarr.url()), api_key: ApiKey::new(sonarr.api_key()), ..Target::default() };
        let dispatcher = Dispatcher::new(GROUPS, Connection::new(target), false);
        let titles = ask(&dispatcher, Source::Series).await.unwrap();
        let ids = ask(&dispatcher, Source::SeriesIds).await.unwrap();
        assert!(titles.len() >= 1500 && titles.len() == ids.len(), "{} {}", titles.len(), ids.len());
        assert!(ids.iter().all(|id| id.label.is_some() && id.value.parse::<i64>().is_ok()));
    }
}
