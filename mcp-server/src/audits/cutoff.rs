//! Files that Sonarr would replace by better ones: below the profile's cutoff, by quality or by custom formats.

use std::collections::HashMap;

use futures::FutureExt;
use sonarr_client::types::QualityProfileResource;

use super::searching::{Gathered, monitored, queued};
use super::{Audit, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_cutoff",
    group: "wanted",
    summary: "Finds monitored episodes whose files are below the profile's cutoff, by quality or by score of custom formats.",
    kinds: &[BELOW_QUALITY, BELOW_FORMAT],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const BELOW_QUALITY: Kind = Kind {
    name: "below_quality_cutoff",
    meaning: "Files of monitored episodes have a quality below the cutoff of a profile that allows upgrades.",
};

const BELOW_FORMAT: Kind = Kind {
    name: "below_format_cutoff",
    meaning: "Files of monitored episodes have the quality that is wanted, but their custom formats score less than the \
              profile upgrades up to.",
};

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = monitored(library.series().await?);
    let profiles: HashMap<i32, &QualityProfileResource> = library
        .quality_profiles()
        .await?
        .iter()
        .filter(|profile| profile.upgrade_allowed == Some(true))
        .filter_map(|profile| Some((profile.id?, profile)))
        .collect();
    let queued = queued(library.queue().await?);
    let episodes = library.episodes().await?;
    let (mut quality, mut format) = (Gathered::default(), Gathered::default());
    let (mut examined, mut waiting) = (0, 0);
    for episode in episodes.all().iter().filter(|episode| episode.monitored) {
        let profile = series.get(&episode.series_id).and_then(|one| profiles.get(&one.quality_profile_id?));
        let (Some(profile), Some(file)) = (profile, episodes.file_of(episode)) else { continue };
        examined += 1;
        let goal = profile.cutoff_format_score.unwrap_or(0);
        if !file.below_cutoff && file.score >= goal {
            continue;
        }
        if queued.contains(&episode.id) {
            waiting += 1;
        } else if file.below_cutoff {
            quality.add(episode, format!("is {}", file.quality));
        } else {
            format.add(episode, format!("scores {} of {goal}", file.score));
        }
    }
    worklist.examined("episodesWithFile", examined);
    worklist.examined("queued", waiting);
    worklist.findings.extend(quality.findings(&BELOW_QUALITY, &series, "below the cutoff's quality"));
    worklist.findings.extend(format.findings(&BELOW_FORMAT, &series, "below the cutoff's score of custom formats"));
    Ok(worklist)
}
