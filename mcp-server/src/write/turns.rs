//! One write of an object at a time.
//!
//! Models call tools in parallel. Two patches of one object that both read it before either wrote
//! it would undo each other, so the second waits until the first is done.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::pairs::Target;

/// Whose turn it is, for each object that is being written.
#[derive(Debug, Default)]
pub struct Turns {
    taken: Mutex<HashMap<Target, Weak<Turn<()>>>>,
}

impl Turns {
    /// Waits until nobody else writes the object; it is the caller's until the guard is dropped.
    pub async fn take(&self, target: Target) -> OwnedMutexGuard<()> {
        self.turn(target).lock_owned().await
    }

    fn turn(&self, target: Target) -> Arc<Turn<()>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = taken.get(&target).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(Turn::new(()));
        taken.insert(target, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use crate::write::pairs::Target;
    use futures::FutureExt;

    #[tokio::test]
    async fn an_object_is_written_by_one_at_a_time_and_others_meanwhile() {
        let (turns, one, other) =
            (Turns::default(), Target { read: "get_tag", id: 1 }, Target { read: "get_tag", id: 2 });
        let guard = turns.take(one).await;
        assert!(turns.take(one).now_or_never().is_none());
        assert!(turns.take(other).now_or_never().is_some());
        drop(guard);
        assert!(turns.take(one).now_or_never().is_some());
        assert!(turns.taken.lock().unwrap().len() <= 1, "what is over is forgotten");
    }
}
