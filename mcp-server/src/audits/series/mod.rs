//! Series settings that break matching, and series that are there twice.

mod duplicates;
mod folder;
mod kind;

use futures::FutureExt;
use serde_json::{Value, json};
use sonarr_client::types::SeriesResource;

use super::{Audit, Finding, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_series",
    group: "media_library",
    summary: "Finds series whose settings break matching: type, folder, root folder, duplicates.",
    kinds: &[
        ANIME_NOT_TYPED,
        DAILY_NOT_TYPED,
        OUTSIDE_ROOT_FOLDERS,
        DUPLICATE_SERIES,
        DUPLICATE_EPISODES,
        FOLDER_OFF_FORMAT,
    ],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const ANIME_NOT_TYPED: Kind = Kind {
    name: "anime_not_typed",
    meaning: "TheTVDB calls it anime in its original language, and its type is not `anime`: releases that count episodes \
              through all seasons are not matched.",
};

const DAILY_NOT_TYPED: Kind = Kind {
    name: "daily_not_typed",
    meaning: "A talk show, news or game show airs nearly every day, and its type is not `daily`: releases named by date are not matched.",
};

const OUTSIDE_ROOT_FOLDERS: Kind = Kind {
    name: "outside_root_folders",
    meaning: "The folder of the series lies in no root folder, so its space and its unknown files are not watched.",
};

const DUPLICATE_SERIES: Kind = Kind {
    name: "duplicate_series",
    meaning: "Two series of the library are the same one, or TheTVDB has merged one into another.",
};

const DUPLICATE_EPISODES: Kind =
    Kind { name: "duplicate_episodes", meaning: "A series has the same episode more than once." };

const FOLDER_OFF_FORMAT: Kind = Kind {
    name: "folder_off_format",
    meaning: "The folder of the series is not called what the series folder format would call it.",
};

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = library.series().await?;
    worklist.examined("series", series.len());
    worklist.findings.extend(kind::anime(series));
    worklist.findings.extend(duplicates::series(series));
    folder::look(library, series, &mut worklist).await;
    match library.episodes().await {
        Ok(episodes) => {
            worklist.examined("episodes", episodes.all().len());
            worklist.findings.extend(kind::daily(series, episodes));
            worklist.findings.extend(duplicates::episodes(series, episodes));
        }
        Err(failure) => worklist.unseen.push(format!("the episodes: {}", failure.message)),
    }
    worklist.findings.sort_by_key(rank);
    Ok(worklist)
}

/// The most pressing kinds come first.
fn rank(finding: &Finding) -> Option<usize> {
    AUDIT.kinds.iter().position(|kind| kind.name == finding.kind)
}

fn subject(series: &SeriesResource) -> Value {
    json!({"seriesId": series.id, "title": series.title})
}

fn title(series: &SeriesResource) -> &str {
    series.title.as_deref().unwrap_or_default()
}
