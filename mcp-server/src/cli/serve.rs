//! Serving until the client or the system ends it.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::dispatch::Dispatcher;
use crate::server::Server;
use crate::transport::stdio;

/// Serves one client on standard input and output.
pub async fn serve(dispatcher: Arc<Dispatcher>, concurrency: usize) -> std::io::Result<()> {
    let stop = CancellationToken::new();
    let watch = tokio::spawn(stop_on_signal(stop.clone()));
    let served = stdio::serve(Server::new(dispatcher, concurrency), stop).await;
    watch.abort();
    served
}

/// Cancels `stop` when the system or a person asks the process to end.
async fn stop_on_signal(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        else {
            return;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    stop.cancel();
}
