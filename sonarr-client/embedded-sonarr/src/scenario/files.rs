//! Files and folders that do not agree with the library.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
