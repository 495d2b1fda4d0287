//! One session: what came in and is not answered yet, and the handler that answers.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::{Mutex as AsyncMutex, mpsc};
use tokio_util::sync::CancellationToken;

use super::Calls;
use crate::transport::lifecycle;
use crate::transport::limits::Call;

/// The requests of a session that are not answered yet.
#[derive(Debug, Clone, Default)]
pub struct Pending(Arc<Mutex<HashMap<RequestId, Call>>>);

impl Pending {
    fn insert(&self, id: RequestId, call: Call) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, call);
    }

    fn remove(&self, id: &RequestId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// Where a session's messages are put.
#[derive(Debug, Clone)]
pub struct Inbox {
    messages: mpsc::Sender<ClientJsonRpcMessage>,
    pending: Pending,
}

/// Why a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// There is too much to do at the moment.
    Busy,
    /// The session is over.
    Gone,
}

impl Inbox {
    /// An inbox whose requests are noted in `pending`.
    pub fn new(messages: mpsc::Sender<ClientJsonRpcMessage>, pending: Pending) -> Self {
        Inbox { messages, pending }
    }

    /// Takes a message, and counts it in `calls` when it is to be answered, which may take `wait`.
    ///
    /// # Errors
    /// When there is too much to do, or the session is over.
    pub async fn take(&self, message: ClientJsonRpcMessage, calls: &Calls, wait: Duration) -> Result<(), Refused> {
        match &message {
            JsonRpcMessage::Request(request) => {
                let call = calls.enter(wait).await.ok_or(Refused::Busy)?;
                self.pending.insert(request.id.clone(), call);
            }
            JsonRpcMessage::Notification(notification) => {
                // What is taken back is not answered any more.
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.pending.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        self.messages.send(message).await.map_err(|_| Refused::Gone)
    }
}

/// Serves a session until its client leaves, says nothing for `first_message_wait` from the
/// beginning on, or `stop` is cancelled.
pub async fn run<H: ServerHandler>(
    handler: H,
    messages: mpsc::Receiver<ClientJsonRpcMessage>,
    outbox: mpsc::Sender<ServerJsonRpcMessage>,
    pending: Pending,
    first_message_wait: Duration,
    stop: CancellationToken,
) {
    let begun = CancellationToken::new();
    let connection =
        Connection { messages: Arc::new(AsyncMutex::new(messages)), outbox, pending, begun: begun.clone() };
    let watch = async {
        if tokio::time::timeout(first_message_wait, begun.cancelled()).await.is_err() {
            tracing::debug!("a client opened a stream and said nothing");
            stop.cancel();
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = lifecycle::run(Arc::new(handler), connection, &stop) => {}
        () = watch => {}
    }
}

/// The two ends of a session, as the SDK's service uses them.
#[derive(Clone)]
struct Connection {
    messages: Arc<AsyncMutex<mpsc::Receiver<ClientJsonRpcMessage>>>,
    outbox: mpsc::Sender<ServerJsonRpcMessage>,
    pending: Pending,
    /// Cancelled when the first message has come.
    begun: CancellationToken,
}

impl Transport<RoleServer> for Connection {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (outbox, pending) = (self.outbox.clone(), self.pending.clone());
        async move {
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
            };
            let sent = outbox.send(message).await.map_err(|_| io::ErrorKind::BrokenPipe.into());
            if let Some(id) = answered {
                pending.remove(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.messages.lock().await.recv().await;
        self.begun.cancel();
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
