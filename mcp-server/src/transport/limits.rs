//! How much the listening transports take on, and who counts it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::stdio::MAX_MESSAGE_BYTES;

/// What a listener takes on at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The longest message, in bytes.
    pub message_bytes: usize,
    /// How long a message's bytes may take to arrive.
    pub message_wait: Duration,
    /// Connections open at once; more wait to be accepted.
    pub connections: usize,
    /// Sessions open at once; more are refused.
    pub sessions: usize,
    /// How long a client of the older pair may take from opening its stream to its first message.
    pub first_message_wait: Duration,
    /// How long a session lives that nobody uses.
    pub session_idle: Duration,
    /// Requests that are not answered yet, over all sessions; more wait.
    pub calls: usize,
    /// How long a request waits for that before it is refused.
    pub call_wait: Duration,
}

impl Default for Limits {
    /// Enough for a household's clients and far below what would exhaust a small machine.
    fn default() -> Self {
        Limits {
            message_bytes: MAX_MESSAGE_BYTES,
            message_wait: Duration::from_secs(30),
            connections: 1024,
            sessions: 256,
            first_message_wait: Duration::from_secs(60),
            session_idle: Duration::from_secs(30 * 60),
            calls: 256,
            call_wait: Duration::from_secs(10),
        }
    }
}

/// Counts the requests that are not answered yet.
#[derive(Debug, Clone)]
pub struct Calls {
    places: Arc<Semaphore>,
    limit: u32,
}

/// One request that is not answered yet.
#[derive(Debug)]
pub struct Call(#[expect(dead_code, reason = "it is there to be dropped")] OwnedSemaphorePermit);

impl Calls {
    /// Counts up to `limit`.
    pub fn new(limit: usize) -> Self {
        let limit = u32::try_from(limit.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Calls { places: Arc::new(Semaphore::new(limit as usize)), limit }
    }

    /// Counts one more until the answer drops it, after waiting for a place; `None` when there is
    /// none within `wait`.
    pub async fn enter(&self, wait: Duration) -> Option<Call> {
        let place = tokio::time::timeout(wait, Arc::clone(&self.places).acquire_owned());
        place.await.ok()?.ok().map(Call)
    }

    /// Waits until none is left, and lets none in from then on.
    pub async fn finish(&self) {
        // It fails only when the semaphore is closed, which nothing is left to wait for, either.
        let all = self.places.acquire_many(self.limit).await;
        self.places.close();
        drop(all);
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Calls};
    use std::time::Duration;

    const SOON: Duration = Duration::from_millis(20);

    async fn enter(calls: &Calls) -> Option<Call> {
        calls.enter(SOON).await
    }

    #[tokio::test]
    async fn calls_are_counted_until_their_answer() {
        let calls = Calls::new(2);
        let first = enter(&calls).await.unwrap();
        let second = enter(&calls).await.unwrap();
        assert!(enter(&calls).await.is_none());
        drop(first);
        assert!(enter(&calls).await.is_some());

        let waiting = tokio::time::timeout(SOON, calls.finish());
        assert!(waiting.await.is_err(), "one is not answered");
        drop(second);
        calls.finish().await;
        assert!(enter(&calls).await.is_none());
    }

    #[tokio::test]
    async fn a_place_that_gets_free_is_taken() {
        let calls = Calls::new(1);
        let first = enter(&calls).await.unwrap();
        let waiting = calls.enter(Duration::from_secs(10));
        let free = async {
            tokio::task::yield_now().await;
            drop(first);
        };
        assert!(tokio::join!(waiting, free).0.is_some());
    }
}
