//! Where scenarios are planted.

use std::collections::BTreeSet;

use crate::state::{Entry, State};

/// A clean library while scenarios are planted in it.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    /// The whole state: a scenario may change anything in it.
    pub state: &'a mut State,
    /// Series in which something was planted.
    taken: BTreeSet<i64>,
}

/// Series whose members a coming version fills with values that no document knows, after everything is planted.
const STRANGE: [i64; 2] = [2, 3];

impl<'a> Ground<'a> {
    pub(super) fn new(state: &'a mut State) -> Self {
        Ground { state, taken: BTreeSet::new() }
    }

    /// The first series that fits and in which nothing was planted so far; a small library may have to give one that
    /// was used before, with what was planted there. `None` when no series fits.
    pub(crate) fn series(&mut self, fits: impl Fn(&Entry) -> bool) -> Option<i64> {
        let strange = |id: i64| self.state.next_version && STRANGE.contains(&id);
        let fitting: Vec<i64> = self.state.library.iter().filter(|(_, entry)| fits(entry)).map(|(id, _)| id).collect();
        let fresh = fitting.iter().find(|id| !self.taken.contains(id) && !strange(**id));
        let id = fresh.or_else(|| fitting.iter().find(|id| !strange(**id))).or(fitting.first()).copied()?;
        self.taken.insert(id);
        Some(id)
    }
}
