//! Monitoring that will quietly miss episodes, or goes on for nothing.

use futures::FutureExt;
use serde_json::json;
use sonarr_client::types::{NewItemMonitorTypes, SeriesResource, SeriesStatusType};

use super::{Audit, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_monitoring",
    kinds: &[NEW_SEASONS_IGNORED],
    look: |library, scope| look(library, scope).boxed(),
};

const NEW_SEASONS_IGNORED: Kind = Kind {
    name: "new_seasons_ignored",
    meaning: "A monitored series that goes on will not get its new seasons monitored.",
};

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = library.series().await?;
    worklist.examined("series", series.len());
    worklist.findings.extend(series.iter().filter_map(ignores_new_seasons));
    Ok(worklist)
}

fn ignores_new_seasons(series: &SeriesResource) -> Option<Finding> {
    let goes_on = series.status == Some(SeriesStatusType::Continuing) && series.monitored == Some(true);
    let ignored = series.monitor_new_items == Some(NewItemMonitorTypes::None);
    (goes_on && ignored).then(|| {
        let subject = json!({"seriesId": series.id, "title": series.title});
        Finding::new(&NEW_SEASONS_IGNORED, subject, "the series continues, and monitorNewItems is `none`")
            .mended_by("update_series", json!({"id": series.id, "patch": {"monitorNewItems": "all"}}))
    })
}
