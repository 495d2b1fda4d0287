//! A session from its first message to its last.

use std::sync::Arc;

use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tokio_util::sync::CancellationToken;

/// Serves `handler` on `connection` until its messages end or `stop` is cancelled.
///
/// The SDK gives a session up when something else than a request comes first, and when
/// `initialize` fails. The client may still do it right the next time.
pub async fn run<H, T>(handler: Arc<H>, connection: T, stop: &CancellationToken)
where
    H: ServerHandler,
    T: Transport<RoleServer> + Clone + 'static,
{
    loop {
        let served = Arc::clone(&handler).serve_with_ct(connection.clone(), stop.child_token()).await;
        match served {
            Ok(running) => {
                if let Err(error) = running.waiting().await {
                    tracing::error!(%error, "the session broke off");
                }
                return;
            }
            Err(
                ServerInitializeError::ExpectedInitializeRequest(_)
                | ServerInitializeError::InitializeFailed(_)
                | ServerInitializeError::UnexpectedInitializeResponse(_),
            ) => {}
            Err(_) => return,
        }
    }
}
