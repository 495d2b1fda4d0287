//! Serving until the client or the system ends it.

use std::io::Write;

use tokio_util::sync::CancellationToken;

use super::CommandError;
use crate::config::{AUTH_TOKEN, Serving, variable};
use crate::server::Server;
use crate::transport::network::{ListenError, Listener, Network, Protocol};
use crate::transport::stdio;

/// Serves one client on standard input and output, or many on the network.
pub async fn serve(server: Server, serving: Serving) -> Result<(), CommandError> {
    let stop = CancellationToken::new();
    let watch = tokio::spawn(stop_on_signal(stop.clone()));
    let served = match serving {
        Serving::Stdio => stdio::serve(server, stop).await.map_err(CommandError::from),
        Serving::Network(protocol, network) => listen(server, protocol, *network, stop).await,
    };
    watch.abort();
    served
}

async fn listen(
    server: Server,
    protocol: Protocol,
    network: Network,
    stop: CancellationToken,
) -> Result<(), CommandError> {
    let unprotected = network.allow_unauthenticated && network.token.is_none();
    let listener = Listener::open(network).await.map_err(|error| CommandError::Listen(explain(&error)))?;
    let address = listener.address();
    // Whoever started it needs to know where it is, whatever is logged.
    let mut output = std::io::stderr().lock();
    writeln!(output, "sonarr-mcp: listening at http://{address}{}", protocol.path())?;
    if unprotected && !address.ip().is_loopback() {
        writeln!(output, "sonarr-mcp: anybody who can reach {address} can use it, for no token is demanded")?;
    }
    drop(output);
    listener.serve(protocol, move || server.for_session(), stop).await;
    Ok(())
}

fn explain(error: &ListenError) -> String {
    match error {
        ListenError::Unprotected(_) => format!(
            "{error}: set {AUTH_TOKEN}, or --auth-token-file ({}), to a token they send, or give \
             --allow-unauthenticated ({}) where something else keeps strangers out",
            variable("auth-token-file"),
            variable("allow-unauthenticated"),
        ),
        ListenError::Bind { .. } => {
            format!("{error}; choose others with --host ({}) and --port ({})", variable("host"), variable("port"))
        }
    }
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
