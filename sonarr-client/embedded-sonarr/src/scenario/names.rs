//! Files that are not named to the format.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
