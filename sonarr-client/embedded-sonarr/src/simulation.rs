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

#[cfg(test)]
mod tests {
    use crate::clock::Timekeeper;
    use crate::{Clock, Options, seed};

    #[test]
    fn commands_of_the_past_have_ended() {
        let now = Timekeeper::new(Clock::fixed()).now();
        let state = seed::build(&Options::default(), now, 1);
        let ended: Vec<(&str, &str)> =
            state.commands.items.iter().map(|command| (command.definition.name, command.status)).collect();
        assert_eq!(
            ended,
            [("RssSync", "completed"), ("DownloadedEpisodesScan", "failed"), ("CheckHealth", "completed")]
        );
        let oldest = now - chrono::TimeDelta::minutes(5);
        assert!(state.commands.items.iter().all(|command| command.ended.is_some_and(|ended| ended > oldest)));
    }
}
