//! Files that are not what they are recorded as.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
