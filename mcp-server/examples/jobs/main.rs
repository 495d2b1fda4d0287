//! What twelve everyday jobs take, as JSON: everything that is sent and answered, through the server and without it.
//!
//! The argument is the number of series in the library. `cargo xtask jobs` counts the tokens.
#![allow(clippy::print_stdout, reason = "the record is what the command is for")]

mod jobs;
mod session;

use serde_json::{Value, json};

use jobs::{JOBS, by_calls, by_requests};
use session::{Exchange, Session};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let series = std::env::args().nth(1).ok_or("how many series has the library?")?.parse()?;
    let mut plain = Session::start(series, false).await?;
    let mut whole = Session::start(series, false).await?;
    let mut selected = Session::start(series, true).await?;
    let mut record = Vec::new();
    for (number, job) in JOBS.iter().enumerate() {
        let failed = |error| format!("{job} {error}");
        by_requests(&mut plain, number).await.map_err(failed)?;
        by_calls(&mut whole, number).await.map_err(failed)?;
        by_calls(&mut selected, number).await.map_err(failed)?;
        let ways = [&mut plain, &mut whole, &mut selected].map(|session| exchanges(&session.take()));
        record.push(json!({"job": job, "ways": ways}));
    }
    println!("{}", Value::from(record));
    Ok(())
}

fn exchanges(of: &[Exchange]) -> Value {
    of.iter().map(|one| json!({"sent": one.sent, "answered": one.answered})).collect()
}
