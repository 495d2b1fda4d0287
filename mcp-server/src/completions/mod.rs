//! What an argument of a prompt or of a resource's address may be, while a person types it.

mod live;

use rmcp::model::{CompleteRequestParams, CompletionInfo, ErrorData, Reference};

use crate::audits::AUDITS;
use crate::instances::{Instances, MEMBER};
use crate::{prompts, resources};

pub use live::Cache;

/// Where the values of an argument come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// Anything goes.
    None,
    /// The names of the instances.
    Instances,
    /// The names of the tools.
    Tools,
    /// The names of the operations.
    Operations,
    /// The names of the audits.
    Audits,
    /// The titles of the series.
    Series,
    /// The ids of the series, found by their titles, too.
    SeriesIds,
    /// The labels of the tags.
    Tags,
    /// The names of the quality profiles.
    QualityProfiles,
    /// The paths of the root folders.
    RootFolders,
}

/// A value, and what it is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    value: String,
    label: Option<String>,
}

impl Candidate {
    fn plain(value: impl Into<String>) -> Self {
        Candidate { value: value.into(), label: None }
    }
}

/// Completes an argument.
///
/// # Errors
/// An argument, a prompt or a template there is not. When Sonarr does not answer there is no
/// error, only nothing to offer.
pub async fn complete(
    instances: &Instances,
    cache: &Cache,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    let argument = request.argument.name.as_str();
    let source = match &request.r#ref {
        Reference::Prompt(prompt) => prompts::source(instances, &prompt.name, argument),
        Reference::Resource(template) => resources::source(instances, &template.uri, argument),
        _ => None,
    };
    let source = source.ok_or_else(|| {
        let shown: String = argument.chars().take(80).collect();
        ErrorData::invalid_params(format!("there is no such prompt or template with an argument `{shown}`"), None)
    })?;
    let resolved = request.context.as_ref().and_then(|context| context.arguments.as_ref());
    let instance = resolved.and_then(|arguments| arguments.get(MEMBER)).map(String::as_str);
    let candidates = match source {
        Source::None => Vec::new(),
        Source::Instances => instances.names().iter().map(Candidate::plain).collect(),
        Source::Tools => instances.catalogue().offers().iter().map(|offer| Candidate::plain(offer.tool())).collect(),
        Source::Audits => AUDITS.iter().map(|audit| Candidate::plain(audit.name)).collect(),
        Source::Operations => instances
            .catalogue()
            .offers()
            .iter()
            .flat_map(|offer| offer.operations())
            .map(|operation| Candidate::plain(operation.name))
            .collect(),
        live => cache.candidates(instances, instance, live).await,
    };
    Ok(matching(candidates, &request.argument.value))
}

/// The candidates that begin with what was typed, then those that hold it.
fn matching(candidates: Vec<Candidate>, typed: &str) -> CompletionInfo {
    let typed = typed.trim().to_lowercase();
    let rank = |candidate: &Candidate| {
        let texts = || std::iter::once(&candidate.value).chain(&candidate.label).map(|text| text.to_lowercase());
        if texts().any(|text| text.starts_with(&typed)) {
            Some(0)
        } else {
            texts().any(|text| text.contains(&typed)).then_some(1)
        }
    };
    let mut found: Vec<(u8, String)> =
        candidates.into_iter().filter_map(|candidate| Some((rank(&candidate)?, candidate.value))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    let total = found.len();
    let values = found.into_iter().map(|(_, value)| value).take(CompletionInfo::MAX_VALUES).collect();
    let more = total > CompletionInfo::MAX_VALUES;
    // There are never more values than fit, which is all that it checks.
    CompletionInfo::with_pagination(values, u32::try_from(total).ok(), more).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Candidate, matching};

    #[test]
    fn beginnings_come_before_parts() {
        let candidates = ["Second Sun", "Sunrise", "Moon"].map(Candidate::plain).to_vec();
        let found = matching(candidates.clone(), " sun");
        assert_eq!(found.values, ["Sunrise", "Second Sun"]);
        assert_eq!((found.total, found.has_more), (Some(2), Some(false)));
        assert_eq!(matching(candidates, "").values.len(), 3);
    }

    #[test]
    fn a_value_is_found_by_its_label() {
        let candidate = Candidate { value: "12".to_owned(), label: Some("Second Sun".to_owned()) };
        for typed in ["1", "second", "sun"] {
            assert_eq!(matching(vec![candidate.clone()], typed).values, ["12"], "{typed}");
        }
        assert!(matching(vec![candidate], "moon").values.is_empty());
    }

    #[test]
    fn no_more_than_a_hundred_are_offered() {
        let candidates = (0..250).map(|number| Candidate::plain(number.to_string())).collect();
        let found = matching(candidates, "");
        assert_eq!((found.values.len(), found.total, found.has_more), (100, Some(250), Some(true)));
    }
}
