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
        Source::None | Source::Instances | Source::Tools | Source::Operations => return None,
    })
}

async fn ask(dispatcher: &Dispatcher, source: Source) -> Result<Vec<Candidate>, Failure> {
    let Some((tool, operation, value, label)) = listing(source) else {
        return Ok(Vec::new());
    };
    let mut call = Map::new();
    call.insert("operation".to_owned(), json!(operation));
    let answer = dispatcher.call(tool, call).await?;
    let Content::Json(listed) = answer.content else {
        return Ok(Vec::new());
    };
    Ok(candidates(&listed, value, label))
}

fn candidates(listed: &Value, value: &str, label: Option<&str>) -> Vec<Candidate> {
    let text = |object: &Value, name: &str| match object.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let objects = listed.as_array().or_else(|| listed.get("result")?.as_array());
    objects
        .into_iter()
        .flatten()
        .filter_map(|object| {
            let label = label.and_then(|label| text(object, label));
            Some(Candidate { value: text(object, value)?, label })
        })
        .collect()
}
