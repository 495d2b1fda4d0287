//! Where the server's time comes from.

use std::sync::Mutex;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

/// The source of the server's time.
#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    /// The machine's own time.
    #[default]
    Real,
    /// Time that stands still at the given moment until [`EmbeddedSonarr::advance`](crate::EmbeddedSonarr::advance)
    /// moves it.
    Manual(DateTime<Utc>),
}

impl Clock {
    /// A manual clock at a fixed moment, for libraries that are the same on every day.
    pub fn fixed() -> Clock {
        Clock::Manual(DateTime::from_timestamp(FIXED_START, 0).unwrap_or_default())
    }
}

/// 2026-03-14T12:00:00Z, a Saturday.
const FIXED_START: i64 = 1_773_489_600;

/// A clock that runs: its source and what was added to it.
#[derive(Debug)]
pub(crate) struct Timekeeper {
    source: Clock,
    added: Mutex<TimeDelta>,
}

impl Timekeeper {
    pub(crate) fn new(source: Clock) -> Self {
        Timekeeper { source, added: Mutex::new(TimeDelta::zero()) }
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        let base = match self.source {
            Clock::Real => Utc::now(),
            Clock::Manual(start) => start,
        };
        base + *crate::lock(&self.added)
    }

    pub(crate) fn advance(&self, by: Duration) {
        let by = TimeDelta::from_std(by).unwrap_or(TimeDelta::zero());
        let mut added = crate::lock(&self.added);
        *added += by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let keeper = Timekeeper::new(Clock::fixed());
        let before = keeper.now();
        assert_eq!(before.to_rfc3339(), "2026-03-14T12:00:00+00:00");
        keeper.advance(Duration::from_secs(90));
        assert_eq!(keeper.now() - before, TimeDelta::seconds(90));
    }

    #[test]
    fn a_real_clock_can_be_moved_ahead() {
        let keeper = Timekeeper::new(Clock::Real);
        keeper.advance(Duration::from_secs(3600));
        assert!(keeper.now() - Utc::now() > TimeDelta::minutes(59));
    }
}
