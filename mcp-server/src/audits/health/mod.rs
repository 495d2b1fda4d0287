//! What Sonarr finds wrong with itself, root folders that are away, and disks that fill up.

mod disks;
mod growth;
#[cfg(test)]
mod tests;

use futures::FutureExt;
use serde_json::json;
use sonarr_client::types::{HealthCheckResult, HealthResource, RootFolderResource, SeriesResource};

pub(super) use disks::within;

use super::{Audit, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_health",
    group: "system_commands",
    summary: "Finds health problems, root folders that are away, and disks that fill up.",
    kinds: &[ROOT_FOLDER_UNREACHABLE, DISK_NEARLY_FULL, HEALTH_PROBLEM],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const ROOT_FOLDER_UNREACHABLE: Kind = Kind {
    name: "root_folder_unreachable",
    meaning: "Sonarr cannot reach a root folder; nothing can be imported into it.",
};

const DISK_NEARLY_FULL: Kind = Kind {
    name: "disk_nearly_full",
    meaning: "The disk of a root folder has less than 5 GB left, or less than 30 days at the present rate of growth.",
};

const HEALTH_PROBLEM: Kind =
    Kind { name: "health_problem", meaning: "One of Sonarr's own health checks has something to say." };

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let (health, folders, disks, series, history) = tokio::join!(
        library.health(),
        library.root_folders(),
        library.disk_space(),
        library.series(),
        library.history()
    );
    let series = worklist.read("series", series);
    let folders = worklist.read("root folders", folders);
    if let (Some(folders), Some(series)) = (folders, series) {
        worklist.examined("rootFolders", folders.len());
        worklist.findings.extend(folders.iter().filter_map(|folder| unreachable(folder, series)));
        let disks = worklist.read("disks", disks).unwrap_or_default();
        // Without a history the room that is left is still known.
        let history = worklist.read("history", history).unwrap_or_default();
        let rates = growth::weekly(history, library.now(), library.days());
        worklist.findings.extend(disks::nearly_full(folders, &disks, series, &rates));
    }
    if let Some(health) = worklist.read("health", health) {
        worklist.examined("healthProblems", health.len());
        let mut problems: Vec<Finding> =
            health.iter().filter(|one| !told_already(one, &worklist)).filter_map(problem).collect();
        mend_clients(library, &mut worklist, &mut problems).await;
        worklist.findings.extend(problems);
    }
    Ok(worklist)
}

fn unreachable(folder: &RootFolderResource, series: &[SeriesResource]) -> Option<Finding> {
    if folder.accessible != Some(false) {
        return None;
    }
    let path = folder.path.as_deref()?;
    let lying = series.iter().filter(|one| one.path.as_deref().is_some_and(|own| within(own, path))).count();
    let subject = json!({"rootFolderId": folder.id, "path": path});
    if lying > 0 {
        let reason = format!("{lying} series lie in it; mount it again, or see to its permissions");
        return Some(Finding::new(&ROOT_FOLDER_UNREACHABLE, subject, reason));
    }
    let finding = Finding::new(&ROOT_FOLDER_UNREACHABLE, subject, "no series lies in it");
    Some(finding.mended_by("delete_root_folder", json!({"id": folder.id})))
}

/// Whether a health check says again what was found about root folders.
fn told_already(problem: &HealthResource, worklist: &Worklist) -> bool {
    let (Some("RootFolderCheck"), Some(message)) = (problem.source.as_deref(), problem.message.as_deref()) else {
        return false;
    };
    let told = worklist.findings.iter().filter(|finding| finding.kind == ROOT_FOLDER_UNREACHABLE.name);
    let named = told.filter_map(|finding| finding.subject.get("path")?.as_str()).filter(|path| message.contains(path));
    // One message may name several folders, a bar between them.
    named.count() > message.matches('|').count()
}

fn problem(problem: &HealthResource) -> Option<Finding> {
    if problem.type_ == Some(HealthCheckResult::Ok) {
        return None;
    }
    let subject = json!({"source": problem.source, "type": problem.type_, "wikiUrl": problem.wiki_url});
    Some(Finding::new(&HEALTH_PROBLEM, subject, problem.message.clone().unwrap_or_default()))
}

/// That no download client is there to be used can be mended where one is only switched off.
async fn mend_clients(library: &Library<'_>, worklist: &mut Worklist, problems: &mut [Finding]) {
    let about = |finding: &&mut Finding| finding.subject.get("source") == Some(&json!("DownloadClientCheck"));
    let Some(found) = problems.iter_mut().find(about) else { return };
    let Some((off, on)) = worklist.read("download clients", library.clients_switched_off().await) else { return };
    if !on && !off.is_empty() {
        let due = json!({"body": {"ids": off, "enable": true}});
        *found = found.clone().mended_by("update_download_clients", due);
    }
}
