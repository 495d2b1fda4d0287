//! Quality profiles and the custom formats that they score.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use sonarr_client::types::{
    AutoTaggingResource, AutoTaggingSpecificationSchema, CustomFormatResource, NamingConfigResource,
    QualityProfileQualityItemResource, QualityProfileResource, SeriesResource,
};

use super::{CUTOFF_UNREACHABLE, FORMAT_WITHOUT_SCORE, FORMATS_CONTRADICT, QUALITY_PROFILE_UNUSED};
use crate::audits::{Finding, Library, Worklist};

/// Looks through profiles and formats.
pub(super) async fn look(library: &Library<'_>, series: &[SeriesResource], worklist: &mut Worklist) {
    let (profiles, formats) = tokio::join!(library.quality_profiles(), library.custom_formats());
    let Some(profiles) = worklist.read("quality profiles", profiles) else { return };
    worklist.examined("qualityProfiles", profiles.len());
    worklist.findings.extend(profiles.iter().filter_map(cutoff_unreachable));
    if let Some(formats) = worklist.read("custom formats", formats) {
        worklist.examined("customFormats", formats.len());
        worklist.findings.extend(profiles.iter().flat_map(|profile| contradictions(profile, formats)));
        idle_formats(library, profiles, formats, worklist).await;
    }
    unused(library, series, profiles, worklist).await;
}

/// The rank of a quality or group by its id, as a cutoff names it.
fn rank(items: &[QualityProfileQualityItemResource], id: i32) -> Option<usize> {
    items
        .iter()
        .position(|item| own_id(item) == Some(id) || item.items.iter().flatten().any(|inner| own_id(inner) == Some(id)))
}

/// The id by which a cutoff names an item: the quality's, or the group's own.
fn own_id(item: &QualityProfileQualityItemResource) -> Option<i32> {
    item.quality.as_ref().map_or(item.id, |quality| quality.id)
}

fn item_name(item: &QualityProfileQualityItemResource) -> &str {
    let quality = item.quality.as_ref().and_then(|quality| quality.name.as_deref());
    quality.or(item.name.as_deref()).unwrap_or("a quality without a name")
}

/// Items go from the worst to the best; a file from the cutoff on is good enough.
pub(super) fn cutoff_unreachable(profile: &QualityProfileResource) -> Option<Finding> {
    if profile.upgrade_allowed != Some(true) {
        return None;
    }
    let items = profile.items.as_deref()?;
    let cutoff = profile.cutoff?;
    let (best, best_item) = items.iter().enumerate().rfind(|(_, item)| item.allowed == Some(true))?;
    let place = rank(items, cutoff);
    if place.is_some_and(|place| best >= place) {
        return None;
    }
    let wanted = place.and_then(|place| items.get(place)).map(item_name);
    let reason = match wanted {
        Some(wanted) => format!("upgrades until {wanted}, but the best that it allows is {}", item_name(best_item)),
        None => format!("upgrades until quality {cutoff}, which it does not have"),
    };
    let subject = json!({"qualityProfileId": profile.id, "name": profile.name, "cutoff": cutoff});
    let finding = Finding::new(&CUTOFF_UNREACHABLE, subject, reason);
    let due = json!({"id": profile.id, "patch": {"cutoff": own_id(best_item)?}});
    Some(finding.mended_by("update_quality_profile", due))
}

/// The conditions of a format, so that two with the same text match the same releases.
fn conditions(format: &CustomFormatResource) -> Option<Vec<String>> {
    let specifications = format.specifications.as_deref().filter(|list| !list.is_empty())?;
    // A single condition decides alone, whether it is required or not.
    let alone = specifications.len() == 1;
    let write = |one: &sonarr_client::types::CustomFormatSpecificationSchema| {
        let fields: BTreeMap<&str, &Value> = one
            .fields
            .iter()
            .flatten()
            .filter_map(|field| Some((field.name.as_deref()?, field.value.as_ref()?)))
            .collect();
        let required = one.required.filter(|_| !alone);
        json!([one.implementation, one.negate, required, fields]).to_string()
    };
    let mut list: Vec<String> = specifications.iter().map(write).collect();
    list.sort();
    Some(list)
}

/// Pairs of formats that match the same and are scored one above 0, the other below.
pub(super) fn contradictions(profile: &QualityProfileResource, formats: &[CustomFormatResource]) -> Vec<Finding> {
    let scores = |format: &CustomFormatResource| {
        let items = profile.format_items.iter().flatten();
        items.filter(|item| item.format == format.id).find_map(|item| item.score).unwrap_or(0)
    };
    let scored: Vec<_> = formats
        .iter()
        .filter_map(|format| Some((format, scores(format), conditions(format)?)))
        .filter(|(_, score, _)| *score != 0)
        .collect();
    let mut found = Vec::new();
    for (place, (good, gain, own)) in scored.iter().enumerate() {
        for (other, loss, others) in scored.iter().skip(place + 1) {
            if own != others || gain.signum() == loss.signum() {
                continue;
            }
            let (good, gain, bad, loss) = if *gain > 0 { (good, gain, other, loss) } else { (other, loss, good, gain) };
            let name = |format: &CustomFormatResource| format.name.clone().unwrap_or_default();
            let reason = format!(
                "{} scores {gain} and {} scores {loss}, though they match the same releases; one of them is wrong",
                name(good),
                name(bad)
            );
            let subject = json!({
                "qualityProfileId": profile.id, "name": profile.name, "customFormatIds": [good.id, bad.id],
            });
            let id = bad.id.map(|id| id.to_string()).unwrap_or_default();
            let due = json!({"id": profile.id, "patch": {"formatItems": {id: 0}}});
            found.push(Finding::new(&FORMATS_CONTRADICT, subject, reason).mended_by("update_quality_profile", due));
        }
    }
    found
}

/// Formats that no profile scores, unless a file is named after them.
async fn idle_formats(
    library: &Library<'_>,
    profiles: &[QualityProfileResource],
    formats: &[CustomFormatResource],
    worklist: &mut Worklist,
) {
    let scored: HashSet<Option<i32>> = profiles
        .iter()
        .flat_map(|profile| profile.format_items.iter().flatten())
        .filter(|item| item.score.is_some_and(|score| score != 0))
        .map(|item| item.format)
        .collect();
    let idle: Vec<&CustomFormatResource> = formats.iter().filter(|format| !scored.contains(&format.id)).collect();
    if idle.is_empty() {
        return;
    }
    let Some(naming) = worklist.read("naming", library.naming().await) else { return };
    for format in idle.into_iter().filter(|format| !names_files(naming, format)) {
        let subject = json!({"customFormatId": format.id, "name": format.name});
        let reason = format!("scores 0 in all {} quality profiles", profiles.len());
        let finding = Finding::new(&FORMAT_WITHOUT_SCORE, subject, reason);
        worklist.findings.push(finding.mended_by("delete_custom_format", json!({"id": format.id})));
    }
}

/// Whether a naming format may write the name of a custom format into file names.
pub(super) fn names_files(naming: &NamingConfigResource, format: &CustomFormatResource) -> bool {
    let patterns = [&naming.standard_episode_format, &naming.daily_episode_format, &naming.anime_episode_format];
    let all = patterns.into_iter().flatten().map(|pattern| pattern.to_lowercase()).collect::<String>();
    let by_name =
        format.name.as_ref().is_some_and(|name| all.contains(&format!("custom format:{}", name.to_lowercase())));
    by_name || (format.include_custom_format_when_renaming == Some(true) && all.contains("custom formats"))
}

/// Profiles that nothing has. Import lists and tagging rules are asked for only when there is one.
async fn unused(
    library: &Library<'_>,
    series: &[SeriesResource],
    profiles: &[QualityProfileResource],
    worklist: &mut Worklist,
) {
    let used: HashSet<Option<i32>> = series.iter().map(|series| series.quality_profile_id).collect();
    let idle: Vec<&QualityProfileResource> = profiles.iter().filter(|profile| !used.contains(&profile.id)).collect();
    if idle.is_empty() {
        return;
    }
    let (lists, rules) = tokio::join!(library.import_lists(), library.auto_tagging_rules());
    let (lists, rules) = (worklist.read("import lists", lists), worklist.read("tagging rules", rules));
    let (Some(lists), Some(rules)) = (lists, rules) else { return };
    for profile in idle {
        let listed = lists.iter().any(|list| list.quality_profile_id == profile.id);
        if listed || profile.id.is_none_or(|id| looked_for(&rules, "QualityProfile", id)) {
            continue;
        }
        let subject = json!({"qualityProfileId": profile.id, "name": profile.name});
        let reason = format!("none of {} series and {} import lists has it", series.len(), lists.len());
        let finding = Finding::new(&QUALITY_PROFILE_UNUSED, subject, reason);
        worklist.findings.push(finding.mended_by("delete_quality_profile", json!({"id": profile.id})));
    }
}

/// Whether a tagging rule has a condition of that kind that names `id`.
pub(super) fn looked_for(rules: &[AutoTaggingResource], kind: &str, id: i32) -> bool {
    let names = |value: &Value| value.as_i64() == Some(i64::from(id));
    let asks = |condition: &AutoTaggingSpecificationSchema| {
        condition.implementation.as_deref().is_some_and(|name| name.starts_with(kind))
            && condition.fields.iter().flatten().filter_map(|field| field.value.as_ref()).any(|value| match value {
                Value::Array(values) => values.iter().any(names),
                value => names(value),
            })
    };
    rules.iter().flat_map(|rule| rule.specifications.iter().flatten()).any(asks)
}
