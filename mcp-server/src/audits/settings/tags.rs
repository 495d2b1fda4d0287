//! Tags that nothing carries, and settings that are confined to tags no series has.

use serde_json::{Value, json};
use sonarr_client::types::{ListSyncLevelType, TagDetailsResource};

use super::profiles::looked_for;
use super::{SCOPED_TO_UNUSED_TAG, TAG_UNUSED};
use crate::audits::library::upkeep::{Scoped, Setting};
use crate::audits::{Finding, Library, Worklist};

/// Looks through all tags.
pub(super) async fn look(library: &Library<'_>, worklist: &mut Worklist) {
    let Some(tags) = worklist.read("tags", library.tag_details().await) else { return };
    worklist.examined("tags", tags.len());
    scoped(library, &tags, worklist).await;
    unused(library, &tags, worklist).await;
}

fn none(ids: Option<&Vec<i32>>) -> bool {
    ids.is_none_or(Vec::is_empty)
}

/// Whether nothing has a tag, by all that the server counts: also by what only a coming one counts.
pub(super) fn is_unused(tag: &TagDetailsResource) -> bool {
    let known = [
        &tag.auto_tag_ids,
        &tag.delay_profile_ids,
        &tag.download_client_ids,
        &tag.import_list_ids,
        &tag.indexer_ids,
        &tag.notification_ids,
        &tag.restriction_ids,
        &tag.series_ids,
    ];
    let more = tag.extra.values().any(|value| value.as_array().is_some_and(|ids| !ids.is_empty()));
    known.into_iter().all(|ids| none(ids.as_ref())) && !more
}

async fn unused(library: &Library<'_>, tags: &[TagDetailsResource], worklist: &mut Worklist) {
    let idle: Vec<&TagDetailsResource> = tags.iter().filter(|tag| is_unused(tag)).collect();
    if idle.is_empty() {
        return;
    }
    // Two things look for tags without being counted as carrying them.
    let (config, rules) = tokio::join!(library.import_list_config(), library.auto_tagging_rules());
    let (config, rules) = (worklist.read("import list settings", config), worklist.read("tagging rules", rules));
    let (Some(config), Some(rules)) = (config, rules) else { return };
    let kept = config.list_sync_tag.filter(|_| config.list_sync_level == Some(ListSyncLevelType::KeepAndTag));
    for tag in idle {
        if tag.id == kept || tag.id.is_none_or(|id| looked_for(&rules, "Tag", id)) {
            continue;
        }
        let subject = json!({"tagId": tag.id, "label": tag.label});
        let finding = Finding::new(&TAG_UNUSED, subject, "no series, profile, provider or tagging rule carries it");
        worklist.findings.push(finding.mended_by("delete_tag", json!({"id": tag.id})));
    }
}

/// A kind of settings, with its users in a tag's details and the call that mends one.
struct Confined {
    kind: Scoped,
    member: &'static str,
    called: &'static str,
    users: fn(&TagDetailsResource) -> &Option<Vec<i32>>,
    /// The operation, and whether it deletes; otherwise it takes the tags off.
    mend: (&'static str, bool),
}

const CONFINED: [Confined; 5] = [
    Confined {
        kind: Scoped::ReleaseProfiles,
        member: "releaseProfileId",
        called: "release profile",
        users: |tag| &tag.restriction_ids,
        mend: ("delete_release_profile", true),
    },
    Confined {
        kind: Scoped::DelayProfiles,
        member: "delayProfileId",
        called: "delay profile",
        users: |tag| &tag.delay_profile_ids,
        mend: ("delete_delay_profile", true),
    },
    Confined {
        kind: Scoped::Indexers,
        member: "indexerId",
        called: "indexer",
        users: |tag| &tag.indexer_ids,
        mend: ("update_indexer", false),
    },
    Confined {
        kind: Scoped::DownloadClients,
        member: "downloadClientId",
        called: "download client",
        users: |tag| &tag.download_client_ids,
        mend: ("update_download_client", false),
    },
    Confined {
        kind: Scoped::Notifications,
        member: "notificationId",
        called: "notification",
        users: |tag| &tag.notification_ids,
        mend: ("update_notification", false),
    },
];

/// Whether no series has a tag, and no list or rule gives it to one.
fn reaches_nothing(tag: &TagDetailsResource) -> bool {
    none(tag.series_ids.as_ref()) && none(tag.import_list_ids.as_ref()) && none(tag.auto_tag_ids.as_ref())
}

async fn scoped(library: &Library<'_>, tags: &[TagDetailsResource], worklist: &mut Worklist) {
    for confined in &CONFINED {
        // Only what carries such a tag is worth a request.
        if !tags.iter().any(|tag| reaches_nothing(tag) && !none((confined.users)(tag).as_ref())) {
            continue;
        }
        let outcome = library.scoped(confined.kind).await;
        let Some(settings) = worklist.read(&format!("{}s", confined.called), outcome) else { continue };
        worklist.findings.extend(settings.into_iter().filter_map(|setting| idle(confined, setting, tags)));
    }
}

fn idle(confined: &Confined, setting: Setting, tags: &[TagDetailsResource]) -> Option<Finding> {
    if setting.tags.is_empty() || !setting.confined {
        return None;
    }
    let mut labels = Vec::new();
    for id in &setting.tags {
        let tag = tags.iter().find(|tag| tag.id == Some(*id)).filter(|tag| reaches_nothing(tag))?;
        labels.push(tag.label.clone().unwrap_or_default());
    }
    let reason = format!(
        "the {} is only for series with the tag {}, which no series has; or tag those that it is meant for",
        confined.called,
        labels.join(" or ")
    );
    let mut subject = json!({"name": setting.name, "tags": labels});
    if let Value::Object(members) = &mut subject {
        members.retain(|_, value| !value.is_null());
        members.insert(confined.member.to_owned(), json!(setting.id));
    }
    let (operation, deletes) = confined.mend;
    let due = if deletes { json!({"id": setting.id}) } else { json!({"id": setting.id, "patch": {"tags": []}}) };
    Some(Finding::new(&SCOPED_TO_UNUSED_TAG, subject, reason).mended_by(operation, due))
}
