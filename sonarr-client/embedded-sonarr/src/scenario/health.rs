//! Health and disk space.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
