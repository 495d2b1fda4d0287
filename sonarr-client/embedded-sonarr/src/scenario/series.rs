//! Settings of series that break matching.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
