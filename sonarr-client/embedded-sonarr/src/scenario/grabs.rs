//! Grabs that led nowhere.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
