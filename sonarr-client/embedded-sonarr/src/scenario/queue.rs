//! Downloads that need a person.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
