//! The log: on standard error, for standard output belongs to the protocol.
//!
//! Neither bodies nor keys are ever logged. The protocol's SDK logs whole messages below `warn`,
//! so it never gets lower.

use tracing_subscriber::EnvFilter;

/// The levels `--log` takes.
pub const LEVELS: [&str; 5] = ["off", "error", "warn", "info", "debug"];

/// The level unless told otherwise.
pub const DEFAULT: &str = "warn";

/// Starts the log at one of [`LEVELS`].
pub fn start(level: &str) {
    let _ = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_env_filter(filter(level))
        .try_init();
    // A panic's message may hold anything; where it happened is what a report needs.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "a panic: this is a bug in sonarr-mcp");
    }));
}

/// Our own crates at `level`, all others at `warn` or above. What a client did wrong, an address no resource has for
/// one, is told to the client; the protocol's SDK warns of each such answer in its log as well, where nobody can do
/// anything about it.
fn filter(level: &str) -> EnvFilter {
    let others = match level {
        "off" | "error" => level,
        _ => "warn",
    };
    let answers = if level == "off" { level } else { "error" };
    EnvFilter::new(format!(
        "{others},rmcp::service={answers},sonarr_mcp={level},sonarr_client={level},embedded_sonarr={level}"
    ))
}

#[cfg(test)]
mod tests {
    use super::{LEVELS, filter};

    #[test]
    fn the_protocol_sdk_stays_at_warn() {
        for level in LEVELS {
            let filter = filter(level).to_string();
            assert!(filter.contains(&format!("sonarr_mcp={level}")), "{filter}");
            let others: Vec<&str> = filter.split(',').filter(|part| !part.contains('=')).collect();
            assert!(["off", "error", "warn"].contains(&others.concat().as_str()), "{filter}");
        }
    }
}
