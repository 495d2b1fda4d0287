//! Missing episodes, and files below the cutoff.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
