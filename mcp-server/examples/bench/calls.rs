//! A call's time and the calls a second, beside the same request without a server between; memory over many calls.

use std::time::Instant;

use serde_json::{Value, json};

use crate::bare::Bare;
use crate::figures::{Figure, Goal, median, megabytes, milliseconds, percentile};
use crate::process::{Program, Result, Server, Sonarr};

/// Requests of each in turn, so often.
const ROUNDS: usize = 25;
const CALLS: usize = 80;

/// Calls of one round with many in flight.
const MANY: usize = 500;
const ROUNDS_OF_MANY: usize = 21;

/// How many are in flight then.
const IN_FLIGHT: usize = 32;

/// A tool's call and the request it leads to.
struct Case {
    name: &'static str,
    tool: &'static str,
    call: Value,
    path: &'static str,
}

/// All of it, against a library of 500 series.
///
/// # Errors
/// When something does not start or does not answer.
pub fn figures() -> Result<Vec<Figure>> {
    let sonarr = Sonarr::start(500)?;
    let bare = Bare::new(&sonarr)?;
    let mut figures = Vec::new();
    let cases = [
        Case { name: "the tags", tool: "sonarr_tags", call: json!({"operation": "list_tags"}), path: "/api/v3/tag" },
        Case {
            name: "one series",
            tool: "sonarr_media_library",
            call: json!({"operation": "get_series", "arguments": {"id": 1}}),
            path: "/api/v3/series/1",
        },
    ];
    for case in &cases {
        let url = format!("{}{}", sonarr.url, case.path);
        let mut server = Server::start(&Program::ours(&sonarr.url, &sonarr.key)?)?;
        server.call(case.tool, &case.call)?;
        bare.get(&url)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            for _ in 0..CALLS {
                let begun = Instant::now();
                bare.get(&url)?;
                theirs.push(milliseconds(begun.elapsed()));
            }
            for _ in 0..CALLS {
                let begun = Instant::now();
                server.call(case.tool, &case.call)?;
                ours.push(milliseconds(begun.elapsed()));
            }
        }
        for (percent, goal) in [(50, Some(Goal::AtMost(1.5))), (99, None)] {
            figures.push(Figure {
                what: format!("a call for {}, p{percent}", case.name),
                unit: "ms",
                ours: percentile(&ours, percent),
                beside: "the same GET by the HTTP library alone".to_owned(),
                theirs: percentile(&theirs, percent),
                goal,
            });
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        #[expect(clippy::cast_precision_loss, reason = "a few thousand calls")]
        let rate = |took: std::time::Duration| MANY as f64 / took.as_secs_f64();
        for _ in 0..ROUNDS_OF_MANY {
            theirs.push(rate(bare.gets(&url, MANY, IN_FLIGHT)?));
            ours.push(rate(server.calls(case.tool, &case.call, MANY, IN_FLIGHT)?));
        }
        figures.push(Figure {
            what: format!("calls for {} with {IN_FLIGHT} in flight", case.name),
            unit: "a second",
            ours: median(&ours),
            beside: "the same GETs by the HTTP library alone".to_owned(),
            theirs: median(&theirs),
            goal: Some(Goal::AtLeast(0.8)),
        });
    }
    figures.extend(memory(&sonarr, &cases)?);
    Ok(figures)
}

/// Memory after so many calls, in turn of all cases.
fn memory(sonarr: &Sonarr, cases: &[Case]) -> Result<Vec<Figure>> {
    let mut server = Server::start(&Program::ours(&sonarr.url, &sonarr.key)?)?;
    let mut figures = Vec::new();
    let mut made = 0;
    let mut first = f64::NAN;
    for count in [1_000, 10_000] {
        while made < count {
            for case in cases {
                server.calls(case.tool, &case.call, 100, 8)?;
                made += 100;
            }
        }
        let memory = megabytes(server.memory()?.now);
        if count == 1_000 {
            first = memory;
            continue;
        }
        let what = format!("memory after {count} calls");
        let limit = Figure {
            what: what.clone(),
            unit: "MB",
            ours: memory,
            beside: "15 MB".to_owned(),
            theirs: 15.0,
            goal: Some(Goal::AtMost(1.0)),
        };
        let beside = "after the first 1000".to_owned();
        figures.extend([
            limit,
            Figure { what, unit: "MB", ours: memory, beside, theirs: first, goal: Some(Goal::AtMost(1.1)) },
        ]);
    }
    Ok(figures)
}
