//! A list of thousands of series, from the socket to the shortened answer, beside reading the same bytes as JSON.

use std::hint::black_box;
use std::time::Instant;

use serde_json::{Value, json};

use crate::bare::Bare;
use crate::figures::{Figure, Goal, median, megabytes, milliseconds};
use crate::process::{Program, Result, Server, Sonarr, during};
use crate::scratch;

const SERIES: usize = 5_000;
const ROUNDS: usize = 21;

/// Time and memory of the list.
///
/// # Errors
/// When something does not start or does not answer.
pub fn figures() -> Result<Vec<Figure>> {
    let file = scratch("series.json")?;
    let body = {
        let sonarr = Sonarr::start(SERIES)?;
        Bare::new(&sonarr)?.get(&format!("{}/api/v3/series", sonarr.url))?
    };
    std::fs::write(&file, &body).map_err(during(&file.display().to_string()))?;
    let sonarr = Sonarr::replaying(&file)?;
    let program = Program::ours(&sonarr.url, &sonarr.key)?;
    let call = json!({"operation": "list_series"});

    let mut peaks = Vec::new();
    for _ in 0..3 {
        let mut server = Server::start(&program)?;
        server.call("sonarr_media_library", &call)?;
        peaks.push(megabytes(server.memory()?.most));
    }
    let mut server = Server::start(&program)?;
    server.call("sonarr_media_library", &call)?;
    let (mut ours, mut parsing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let value: Value = serde_json::from_slice(black_box(&body)).map_err(during("the list"))?;
        parsing.push(milliseconds(begun.elapsed()));
        drop(black_box(value));
        let begun = Instant::now();
        let answer = server.call("sonarr_media_library", &call)?;
        ours.push(milliseconds(begun.elapsed()));
        if !answer.contains("\"total\":5000") {
            return Err("the answer does not tell of all series".to_owned());
        }
    }
    let size = megabytes(body.len() as u64);
    Ok(vec![
        Figure {
            what: format!("a list of {SERIES} series ({size:.1} MB), from the socket to the answer, median"),
            unit: "ms",
            ours: median(&ours),
            beside: "parsing the same bytes into `serde_json::Value`, no more".to_owned(),
            theirs: median(&parsing),
            goal: Some(Goal::AtMost(1.0)),
        },
        Figure {
            what: "the most memory taken for it".to_owned(),
            unit: "MB",
            ours: median(&peaks),
            beside: "the size of the list".to_owned(),
            theirs: size,
            goal: Some(Goal::AtMost(4.0)),
        },
        Figure {
            what: format!("memory after {} of these lists", ROUNDS + 1),
            unit: "MB",
            ours: megabytes(server.memory()?.now),
            beside: "the size of the list".to_owned(),
            theirs: size,
            goal: None,
        },
    ])
}
