//! A figure and what it stands beside.

use std::time::Duration;

use serde_json::{Value, json};

/// One measured figure of ours, another of the same run, and how they should relate.
#[derive(Debug)]
pub struct Figure {
    /// What is measured.
    pub what: String,
    /// In which unit both are.
    pub unit: &'static str,
    /// Ours.
    pub ours: f64,
    /// What it stands beside.
    pub beside: String,
    /// The figure of that, or the limit itself.
    pub theirs: f64,
    /// What ours divided by the other should be, nothing where there is no goal.
    pub goal: Option<Goal>,
}

/// A bound on the ratio.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
}

impl Figure {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        let (most, least) = match self.goal {
            Some(Goal::AtMost(most)) => (Some(most), None),
            Some(Goal::AtLeast(least)) => (None, Some(least)),
            None => (None, None),
        };
        json!({
            "what": self.what, "unit": self.unit, "ours": self.ours, "beside": self.beside, "theirs": self.theirs,
            "atMost": most, "atLeast": least
        })
    }
}

/// The value in the middle.
pub fn median(values: &[f64]) -> f64 {
    percentile(values, 50)
}

/// The value that so many of a hundred are not above.
pub fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len().saturating_sub(1) * percent + 50) / 100;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

/// In milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// In megabytes, of 1,000,000 bytes.
#[expect(clippy::cast_precision_loss, reason = "nothing here takes 2^52 bytes")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
