//! The passing of time: commands run and downloads progress in the order in which they are due.

use chrono::{DateTime, Utc};

use crate::state::State;

/// More events than any test or day can bring; a guard against a loop.
const MOST_EVENTS: usize = 100_000;

impl State {
    /// Lets everything happen that is due at `now`.
    pub(crate) fn catch_up(&mut self, now: DateTime<Utc>) {
        for _ in 0..MOST_EVENTS {
            let command = self.commands.next_event();
            let download = self.downloads.next_event();
            let Some(due) = [command, download].into_iter().flatten().min().filter(|due| *due <= now) else { break };
            self.now = self.now.max(due);
            if command == Some(due) {
                self.step_command(due);
            } else {
                self.step_download(due);
            }
        }
        self.now = now;
    }
}
