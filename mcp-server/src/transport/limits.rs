//! How much the listening transports take on, and who counts it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::stdio::MAX_MESSAGE_BYTES;

/// What a listener takes on at most.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The longest message, in bytes.
    pub message_bytes: usize,
    /// How long a message's bytes may take to arrive.
    pub message_wait: Duration,
    /// Connections open at once; more wait to be accepted.
    pub connections: usize,
    /// Sessions open at once; more are refused.
    pub sessions: usize,
    /// How long a session lives that nobody uses.
    pub session_idle: Duration,
    /// Requests that are not answered yet, over all sessions; more are refused.
    pub calls: usize,
}

impl Default for Limits {
    /// Enough for a household's clients and far below what would exhaust a small machine.
    fn default() -> Self {
        Limits {
            message_bytes: MAX_MESSAGE_BYTES,
            message_wait: Duration::from_secs(30),
            connections: 1024,
            sessions: 256,
            session_idle: Duration::from_secs(30 * 60),
            calls: 256,
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

    /// Counts one more until the answer drops it; `None` when there are too many.
    pub fn enter(&self) -> Option<Call> {
        Arc::clone(&self.places).try_acquire_owned().ok().map(Call)
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
    use super::Calls;
    use std::time::Duration;

    #[tokio::test]
    async fn calls_are_counted_until_their_answer() {
        let calls = Calls::new(2);
        let first = calls.enter().unwrap();
        let second = calls.enter().unwrap();
        assert!(calls.enter().is_none());
        drop(first);
        assert!(calls.enter().is_some());

        let waiting = tokio::time::timeout(Duration::from_millis(20), calls.finish());
        assert!(waiting.await.is_err(), "one is not answered");
        drop(second);
        calls.finish().await;
        assert!(calls.enter().is_none());
    }
}
