//! Indexers that give nothing.

use super::Scenario;

pub(super) const SCENARIOS: &[Scenario] = &[];
