//! Sending a read again when it failed for a reason that passes by itself.
//!
//! A write is sent once: that its answer was lost does not say that it was not done.

use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::{Method, Request, Response, StatusCode};

use super::Call;
use crate::{Error, TransportKind};

/// How long it waits before a read is sent the second time; doubled before each time more.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The longest of these pauses.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What came of sending a request once.
pub(super) enum Sent<T> {
    /// A success, received as far as the caller wanted it.
    Received(T),
    /// An answer with another status.
    Other(Response),
}

/// Why a request may be worth sending again.
enum Trouble {
    Failed(Error),
    Answered(Response),
}

impl Trouble {
    /// Whether it may be gone a moment later.
    fn passes(&self) -> bool {
        match self {
            Trouble::Failed(Error::Transport(error)) => matches!(
                error.kind(),
                // A time-out has used up its time, and a wrong name or certificate stays wrong.
                TransportKind::ConnectionRefused | TransportKind::ConnectionClosed | TransportKind::Unreachable
            ),
            Trouble::Failed(_) => false,
            Trouble::Answered(response) => passes(response.status()),
        }
    }
}

/// A proxy says so of a Sonarr that restarts, and Sonarr of itself while it starts.
fn passes(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

/// Sends `request` with `once` until it is answered, as often as the client's settings allow.
///
/// All of it together ends within the time-out of one call: what is left of that is the time-out
/// of each further request, and none is sent when nothing would be left.
pub(super) async fn sending<T, F>(
    call: &Call<'_>,
    request: Request,
    once: impl Fn(Request) -> F,
) -> Result<Sent<T>, Error>
where
    F: Future<Output = Result<Sent<T>, Error>>,
{
    let settings = &call.client.inner;
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads || settings.retries == 0 {
        return once(request).await;
    }
    let begun = Instant::now();
    let pauses = ExponentialBuilder::new()
        .with_min_delay(FIRST_PAUSE)
        .with_max_delay(LONGEST_PAUSE)
        .with_factor(2.0)
        .with_jitter()
        .with_max_times(settings.retries);
    let attempt = || async {
        let mut request = copy(&request);
        *request.timeout_mut() = Some(settings.timeout.saturating_sub(begun.elapsed()));
        match once(request).await {
            Ok(Sent::Other(response)) if passes(response.status()) => Err(Trouble::Answered(response)),
            Ok(sent) => Ok(sent),
            Err(error) => Err(Trouble::Failed(error)),
        }
    };
    let result = attempt
        .retry(pauses)
        .when(Trouble::passes)
        .adjust(|_, pause| pause.filter(|pause| begun.elapsed() + *pause < settings.timeout))
        .await;
    match result {
        Ok(sent) => Ok(sent),
        Err(Trouble::Answered(response)) => Ok(Sent::Other(response)),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

/// The same read once more; it has no body.
fn copy(request: &Request) -> Request {
    let mut copy = Request::new(request.method().clone(), request.url().clone());
    *copy.headers_mut() = request.headers().clone();
    copy
}

#[cfg(test)]
mod tests;
