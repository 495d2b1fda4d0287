//! Settings that do nothing, or that contradict themselves.

mod profiles;
mod tags;
#[cfg(test)]
mod tests;

use futures::FutureExt;

use super::{Audit, Kind, Library, Scope, Worklist};
use crate::failure::Failure;

/// The audit.
pub const AUDIT: Audit = Audit {
    name: "audit_settings",
    group: "profiles_formats",
    summary: "Finds profiles, formats and tags that do nothing or contradict themselves.",
    kinds: &[
        CUTOFF_UNREACHABLE,
        FORMATS_CONTRADICT,
        SCOPED_TO_UNUSED_TAG,
        FORMAT_WITHOUT_SCORE,
        QUALITY_PROFILE_UNUSED,
        TAG_UNUSED,
    ],
    look: |library, scope| look(library, scope).boxed(),
    ..Audit::PLAIN
};

const CUTOFF_UNREACHABLE: Kind = Kind {
    name: "cutoff_unreachable",
    meaning: "The profile upgrades up to a quality that it does not allow, and allows none above it: it never stops.",
};

const FORMATS_CONTRADICT: Kind = Kind {
    name: "formats_contradict",
    meaning: "Two custom formats with the same conditions are scored against each other in one profile.",
};

const SCOPED_TO_UNUSED_TAG: Kind = Kind {
    name: "scoped_to_unused_tag",
    meaning: "A setting is confined to tags that no series has and nothing gives to one: it never applies.",
};

const FORMAT_WITHOUT_SCORE: Kind = Kind {
    name: "format_without_score",
    meaning: "A custom format scores 0 in every quality profile, and no file is named after it.",
};

const QUALITY_PROFILE_UNUSED: Kind =
    Kind { name: "quality_profile_unused", meaning: "No series and no import list has the quality profile." };

const TAG_UNUSED: Kind = Kind { name: "tag_unused", meaning: "Nothing carries the tag, and nothing looks for it." };

async fn look(library: &Library<'_>, _: &Scope) -> Result<Worklist, Failure> {
    let mut worklist = Worklist::default();
    let series = library.series().await?;
    if series.is_empty() {
        // Before the first series nothing is used, and nothing is wrong with that.
        worklist.examined("series", 0);
        return Ok(worklist);
    }
    profiles::look(library, series, &mut worklist).await;
    tags::look(library, &mut worklist).await;
    Ok(worklist)
}
