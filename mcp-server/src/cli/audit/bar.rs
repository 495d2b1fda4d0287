//! A bar that shows how far the audits are.

use std::convert::Infallible;
use std::future::Future;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::watch;

use crate::wait::{self, Told};

const TEMPLATE: &str = "{spinner} [{bar:24}] {pos}/{len} {wide_msg}";

/// Runs `work` with a bar on standard error, where that is a terminal; the bar is gone afterwards.
pub async fn during<T>(work: impl Future<Output = T>) -> T {
    if !std::io::stderr().is_terminal() {
        return work.await;
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    let (listener, mut told) = watch::channel(Told::default());
    let show = async {
        while told.changed().await.is_ok() {
            let Told { message, parts } = told.borrow_and_update().clone();
            if let Some((done, count)) = parts {
                bar.set_length(count as u64);
                bar.set_position(done as u64);
            }
            bar.set_message(message);
        }
        // Nothing more is told; the work goes on.
        std::future::pending::<Infallible>().await
    };
    let outcome = tokio::select! {
        biased;
        outcome = wait::listening(listener, work) => outcome,
        never = show => match never {},
    };
    bar.finish_and_clear();
    outcome
}
