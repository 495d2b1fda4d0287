//! Serving on the network: streamable HTTP or the older pair, behind the same guard.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::from_fn_with_state;
use rmcp::ServerHandler;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::guard::{self, Guard, Token};
use super::limits::{Calls, Limits};
use super::listen::{self, Ending};
use super::{http, reply, sse};

/// What is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Streamable HTTP at `/mcp`.
    Http,
    /// Server-sent events at `/sse` with `/messages/`, for clients of revision 2024-11-05.
    Sse,
}

impl Protocol {
    /// The path clients are given.
    pub fn path(self) -> &'static str {
        match self {
            Protocol::Http => http::PATH,
            Protocol::Sse => sse::STREAM_PATH,
        }
    }
}

/// Where to listen, and to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// The name or address to listen at.
    pub host: String,
    /// The port; 0 is any free one.
    pub port: u16,
    /// The token clients must send.
    pub token: Option<Token>,
    /// Whether a listener that others can reach may do without a token.
    pub allow_unauthenticated: bool,
    /// More names of this server, for `Host`.
    pub allowed_hosts: Vec<String>,
    /// Origins of pages that may use this server.
    pub allowed_origins: Vec<String>,
    /// What is taken on at most.
    pub limits: Limits,
}

/// Why there is no listener.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The address cannot be listened at.
    #[error("cannot listen at {host}, port {port}: {source}")]
    Bind {
        /// The name or address.
        host: String,
        /// The port.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// Others could reach the server and nothing would keep them out.
    #[error("others than this machine can reach {0}, so clients must prove that they may use the server")]
    Unprotected(SocketAddr),
}

/// A listener that has not accepted anything yet.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    limits: Limits,
}

impl Listener {
    /// Opens a listener.
    ///
    /// # Errors
    /// When the address cannot be had, or others can reach it and no token is demanded.
    pub async fn open(network: Network) -> Result<Self, ListenError> {
        let Network { host, port, token, allow_unauthenticated, allowed_hosts, allowed_origins, limits } = network;
        let failed = |source| ListenError::Bind { host: host.clone(), port, source };
        let listener = listen::bind(&host, port).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let private = listen::is_private(address);
        if !private && token.is_none() && !allow_unauthenticated {
            return Err(ListenError::Unprotected(address));
        }
        let guard = Guard::new()
            .token(token)
            .hosts(allowed_hosts)
            .hosts([host.clone()])
            .origins(allowed_origins)
            .any_address(!private);
        Ok(Listener { listener, address, guard, limits })
    }

    /// Where it listens, with the port it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop`, and returns within five seconds of it.
    pub async fn serve<H: ServerHandler>(
        self,
        protocol: Protocol,
        new_handler: impl Fn() -> H + Send + Sync + 'static,
        stop: CancellationToken,
    ) {
        let ending = Ending { stop, streams: CancellationToken::new(), calls: Calls::new(self.limits.calls) };
        match protocol {
            Protocol::Http => {
                let (routes, sessions) = http::routes(new_handler, &self.limits, &ending);
                let router = guarded(routes, protocol, self.guard);
                tokio::select! {
                    () = listen::serve(self.listener, router, &self.limits, &ending) => {}
                    () = sessions.expire() => {}
                }
            }
            Protocol::Sse => {
                let routes = sse::routes(new_handler, &self.limits, &ending);
                let router = guarded(routes, protocol, self.guard);
                listen::serve(self.listener, router, &self.limits, &ending).await;
            }
        }
    }
}

fn guarded(routes: Router, protocol: Protocol, guard: Guard) -> Router {
    let guard = Arc::new(guard);
    routes
        .fallback(move || async move {
            let message = format!("there is nothing here; this server is at {}", protocol.path());
            reply::error(axum::http::StatusCode::NOT_FOUND, &message)
        })
        .layer(from_fn_with_state(Arc::clone(&guard), guard::watch))
        .layer(cors(guard))
}

/// Lets pages of the allowed origins read the answers, as an inspector in a browser does.
fn cors(guard: Arc<Guard>) -> CorsLayer {
    const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin: &HeaderValue, _: &Parts| guard.allows_origin(origin)))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            ACCEPT,
            AUTHORIZATION,
            CONTENT_TYPE,
            SESSION,
            HeaderName::from_static("last-event-id"),
            HeaderName::from_static("mcp-protocol-version"),
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
        ])
        .expose_headers([SESSION])
}
