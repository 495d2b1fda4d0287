//! Tells a client that asked for it that a call is still going on.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior};

use crate::wait::{self, Told};

/// How often. Clients give up after half a minute or later, and start over at each notification.
const EVERY: Duration = Duration::from_secs(3);

/// Runs `call` to its end, and tells how many seconds it has taken where the request has a token
/// for it. How long it will take nobody knows, so there is no total.
pub async fn during<T>(context: &RequestContext<RoleServer>, call: impl Future<Output = T>) -> T {
    let Some(token) = context.meta.get_progress_token() else {
        return call.await;
    };
    let begun = Instant::now();
    let (listener, told) = watch::channel(Told::default());
    let call = wait::listening(listener, call);
    let tell = async {
        let mut ticks = tokio::time::interval_at(begun + EVERY, EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let seconds = begun.elapsed().as_secs();
            let mut message = format!("{seconds} s so far");
            let doing = told.borrow().message.clone();
            if !doing.is_empty() {
                message = format!("{message}: {doing}");
            }
            #[expect(clippy::cast_precision_loss, reason = "no call takes 2^52 seconds")]
            let progress = ProgressNotificationParam::new(token.clone(), seconds as f64).with_message(message);
            if context.peer.notify_progress(progress).await.is_err() {
                // The client has gone; the call may still have to be finished.
                return std::future::pending::<Infallible>().await;
            }
        }
    };
    tokio::select! {
        biased;
        outcome = call => outcome,
        never = tell => match never {},
    }
}
