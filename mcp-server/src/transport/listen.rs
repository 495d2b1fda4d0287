//! Accepting connections, and ending well.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::limits::{Calls, Limits};

/// How long a connection may be silent before and between requests. Proxies keep theirs for a
/// minute, and the side that keeps them longer must be this one.
const SILENCE: Duration = Duration::from_secs(75);

/// How long calls in flight may go on after the end was asked for.
const GRACE: Duration = Duration::from_secs(3);

/// How long the last answers may take to be sent.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Opens a listener. Port 0 takes any free one.
///
/// # Errors
/// When the host is none of this machine's or the port is taken.
pub async fn bind(host: &str, port: u16) -> io::Result<TcpListener> {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    TcpListener::bind((host, port)).await
}

/// Whether only this machine can reach `address`.
pub fn is_private(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// How a listener is told to end, in two steps.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Cancelled when nothing new may begin.
    pub stop: CancellationToken,
    /// Cancelled when what is still open has to end.
    pub streams: CancellationToken,
    /// What is in flight.
    pub calls: Calls,
}

/// Serves `router` until `ending.stop`, then waits for the calls in flight, then closes the
/// streams. It returns within five seconds, whatever is open.
pub async fn serve(listener: TcpListener, router: Router, limits: &Limits, ending: &Ending) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            () = ending.stop.cancelled() => break,
        };
        while connections.try_join_next().is_some() {}
        let (stream, place) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                wait_out(&error).await;
                continue;
            }
        };
        // Messages are small and somebody waits for each.
        let _ = stream.set_nodelay(true);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(SILENCE)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        connections.spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
            drop(place);
        });
    }
    drop(listener);
    let closing = graceful.shutdown();
    let end = async {
        if tokio::time::timeout(GRACE, ending.calls.finish()).await.is_err() {
            tracing::warn!("calls in flight were cut off");
        }
        ending.streams.cancel();
        tokio::time::sleep(LAST_ANSWERS).await;
    };
    either(closing, end).await;
    ending.streams.cancel();
    connections.shutdown().await;
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

/// A connection that broke off while it was accepted is nobody's problem; when the system is out
/// of files it takes a while until there are some.
async fn wait_out(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "no connection can be accepted");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn either(one: impl Future<Output = ()>, other: impl Future<Output = ()>) {
    tokio::select! {
        () = one => {}
        () = other => {}
    }
}
