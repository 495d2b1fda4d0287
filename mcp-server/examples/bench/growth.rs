//! How time and memory grow with the library.

use std::time::Instant;

use serde_json::{Value, json};

use crate::bare::Bare;
use crate::figures::{median, milliseconds};
use crate::process::{Program, Result, Server, Sonarr};

/// The sizes of the library.
const SIZES: [usize; 3] = [100, 1_000, 10_000];

/// How often each call is made.
const ROUNDS: usize = 7;

/// For each size what each path takes, Sonarr's own time included: milliseconds, and bytes of memory beyond what the
/// server takes before the first call.
///
/// # Errors
/// When something does not start or does not answer.
pub fn measure() -> Result<Value> {
    let mut points = Vec::new();
    for size in SIZES {
        let sonarr = Sonarr::start(size)?;
        let bare = Bare::new(&sonarr)?;
        let url = format!("{}/api/v3/series", sonarr.url);
        let series: Vec<Value> = serde_json::from_slice(&bare.get(&url)?).map_err(|error| error.to_string())?;
        let last = series.last().and_then(|one| Some((one.get("title")?.as_str()?, one.get("year")?.as_i64()?)));
        let (title, year) = last.ok_or("the library is empty")?;
        let title = format!("{title} ({year})");
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            bare.get(&url)?;
            times.push(milliseconds(begun.elapsed()));
        }
        points.push(json!({"path": "the GET alone", "series": size, "ms": median(&times), "bytes": null}));
        let body = json!({"operation": "list_series"});
        let search = json!({"operation": "list_series", "query": "[?monitored && year > `2015`] | [:20].{id: id, title: title}"});
        let update = |on: bool| {
            let arguments = json!({"id": title, "patch": {"monitored": on}});
            json!({"operation": "update_series", "arguments": arguments})
        };
        let paths: [(&str, [Value; 2]); 3] = [
            ("list", [body.clone(), body]),
            ("query", [search.clone(), search]),
            ("patch by title", [update(false), update(true)]),
        ];
        for (path, calls) in paths {
            let mut server = Server::start(&Program::ours(&sonarr.url, &sonarr.key)?)?;
            server.call("sonarr_tags", &json!({"operation": "list_tags"}))?;
            let before = server.memory()?.most;
            let mut times = Vec::new();
            for call in calls.iter().cycle().take(ROUNDS) {
                let begun = Instant::now();
                server.call("sonarr_media_library", call)?;
                times.push(milliseconds(begun.elapsed()));
            }
            let bytes = server.memory()?.most.saturating_sub(before);
            points.push(json!({"path": path, "series": size, "ms": median(&times), "bytes": bytes}));
        }
    }
    Ok(Value::from(points))
}
