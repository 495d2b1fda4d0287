//! The sessions of streamable HTTP: so many, and none for ever.
//!
//! The SDK's manager keeps any number, and its own timer ends a session in which nothing is
//! *sent* for a while, also in the middle of a long call. Here a session is in use as long as it
//! has a stream open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::{Stream, StreamExt};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};

/// How long an answer can be fetched again by a client whose connection broke.
const ANSWERS_KEPT: Duration = Duration::from_secs(15);

/// The sessions that are open.
#[derive(Debug)]
pub struct Sessions {
    inner: LocalSessionManager,
    uses: Arc<Mutex<HashMap<SessionId, Use>>>,
    limit: usize,
    idle: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Use {
    streams: usize,
    last: Instant,
}

/// Why a session cannot be had or used.
#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    /// As many as there may be are open.
    #[error("too many sessions are open")]
    TooMany,
    /// The SDK's manager refuses.
    #[error(transparent)]
    Inner(#[from] LocalSessionManagerError),
}

impl Sessions {
    /// Keeps up to `limit` sessions, and each for `idle` after its last use.
    pub fn new(limit: usize, idle: Duration) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = None;
        inner.session_config.completed_cache_ttl = ANSWERS_KEPT;
        Sessions { inner, uses: Arc::default(), limit, idle }
    }

    /// Whether another session would be refused.
    pub fn are_full(&self) -> bool {
        lock(&self.uses).len() >= self.limit
    }

    /// Ends sessions as they fall out of use; never returns.
    pub async fn expire(&self) {
        let step = (self.idle / 4).clamp(Duration::from_millis(20), Duration::from_secs(60));
        loop {
            tokio::time::sleep(step).await;
            let expired: Vec<SessionId> = lock(&self.uses)
                .iter()
                .filter(|(_, one)| one.streams == 0 && one.last.elapsed() >= self.idle)
                .map(|(id, _)| Arc::clone(id))
                .collect();
            for id in expired {
                tracing::debug!("a session has not been used for a while");
                if let Err(error) = self.close_session(&id).await {
                    tracing::warn!(%error, "a session could not be closed");
                }
            }
        }
    }

    /// Notes that a session is in use.
    fn touch(&self, id: &SessionId) {
        if let Some(one) = lock(&self.uses).get_mut(id) {
            one.last = Instant::now();
        }
    }

    /// Notes that a session has one more stream, until what is returned is dropped.
    fn open(&self, id: &SessionId) -> Open {
        if let Some(one) = lock(&self.uses).get_mut(id) {
            one.streams += 1;
        }
        Open { id: Arc::clone(id), uses: Arc::clone(&self.uses) }
    }
}

/// A stream of a session.
struct Open {
    id: SessionId,
    uses: Arc<Mutex<HashMap<SessionId, Use>>>,
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(one) = lock(&self.uses).get_mut(&self.id) {
            one.streams = one.streams.saturating_sub(1);
            one.last = Instant::now();
        }
    }
}

/// The map is whole after every statement, so a panic elsewhere does not spoil it.
fn lock(uses: &Mutex<HashMap<SessionId, Use>>) -> MutexGuard<'_, HashMap<SessionId, Use>> {
    uses.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps `open` as long as the stream.
fn keeping(
    stream: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
    open: Open,
) -> impl Stream<Item = ServerSseMessage> + Send + Sync + 'static {
    stream.map(move |message| {
        let _kept = &open;
        message
    })
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.inner.create_session().await?;
        let fits = {
            let mut uses = lock(&self.uses);
            let fits = uses.len() < self.limit;
            if fits {
                uses.insert(Arc::clone(&id), Use { streams: 0, last: Instant::now() });
            }
            fits
        };
        if fits {
            return Ok((id, transport));
        }
        self.inner.close_session(&id).await?;
        Err(SessionsError::TooMany)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.inner.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.inner.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        lock(&self.uses).remove(id);
        Ok(self.inner.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let open = self.open(id);
        Ok(keeping(self.inner.create_stream(id, message).await?, open))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.touch(id);
        Ok(self.inner.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let open = self.open(id);
        Ok(keeping(self.inner.create_standalone_stream(id).await?, open))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let open = self.open(id);
        Ok(keeping(self.inner.resume(id, last_event_id).await?, open))
    }
}
