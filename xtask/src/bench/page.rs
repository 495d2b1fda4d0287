//! The page of figures: its tables are replaced, what stands around them stays.

use anyhow::{Context, Result};
use std::fmt::Write as _;

use super::{Figure, Peer, Point, Record};

/// What stands before the tables.
const BEGIN: &str = "<!-- Written by `cargo xtask bench`; do not edit from here -->\n";

/// What stands behind them.
const END: &str = "<!-- to here -->\n";

/// Where it was measured, and when.
pub(super) struct Machine {
    cores: usize,
    processor: String,
    gigabytes: f64,
    date: String,
}

impl Machine {
    /// The machine this runs on.
    ///
    /// # Errors
    /// When the system does not tell.
    pub(super) fn this() -> Result<Self> {
        let field = |file: &str, name: &str| -> Result<String> {
            let text = std::fs::read_to_string(file).with_context(|| file.to_owned())?;
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix(':'));
            line.map(|value| value.trim().to_owned()).with_context(|| format!("{file} has no {name}"))
        };
        let memory = field("/proc/meminfo", "MemTotal")?;
        let kilobytes: f64 = memory.trim_end_matches("kB").trim().parse().context("MemTotal")?;
        Ok(Machine {
            cores: std::thread::available_parallelism()?.get(),
            processor: field("/proc/cpuinfo", "model name")?,
            gigabytes: kilobytes * 1024.0 / 1e9,
            date: chrono::Local::now().format("%Y-%m-%d").to_string(),
        })
    }
}

/// The page with other tables.
///
/// # Errors
/// When the page has no place for them.
pub(super) fn with_tables(page: &str, tables: &str) -> Result<String> {
    let (before, rest) = page.split_once(BEGIN).context("the page has no line where its tables begin")?;
    let (_, after) = rest.split_once(END).context("the page has no line where its tables end")?;
    Ok(format!("{before}{BEGIN}\n{tables}\n{END}{after}"))
}

/// All tables.
pub(super) fn tables(record: &Record, machine: &Machine, tokens: impl Fn(&str) -> usize) -> String {
    let Machine { cores, processor, gigabytes, date } = machine;
    let mut text = format!("{cores} cores ({processor}), {gigabytes:.0} GB of memory, Linux, {date}.\n\n## Goals\n\n");
    figures(&mut text, &record.figures);
    text.push_str("\n## Beside other servers\n\n");
    peers(&mut text, &record.peers, tokens);
    text.push_str("\n## Growth\n\n![Time and memory per series by the size of the library](performance.svg)\n\n");
    growth(&mut text, &record.growth);
    text
}

fn figures(text: &mut String, figures: &[Figure]) {
    text.push_str("| what | ours | beside it | that | ratio | goal | |\n|---|--:|---|--:|--:|--:|---|\n");
    for figure in figures {
        let Figure { what, unit, ours, beside, theirs, at_most, at_least } = figure;
        let goal = match (at_most, at_least) {
            (Some(most), _) => format!("≤ {most}"),
            (_, Some(least)) => format!("≥ {least}"),
            _ => "–".to_owned(),
        };
        let verdict = match (&goal[..], figure.met()) {
            ("–", _) => "",
            (_, true) => "met",
            (_, false) => "**missed**",
        };
        let (ours, theirs, ratio) = (short(*ours), short(*theirs), short(figure.ratio()));
        let _ =
            writeln!(text, "| {what} | {ours} {unit} | {beside} | {theirs} {unit} | {ratio} | {goal} | {verdict} |");
    }
}

fn peers(text: &mut String, peers: &[Peer], tokens: impl Fn(&str) -> usize) {
    text.push_str(
        "| server | spawn → `initialize` | memory then | `tools/list` | tokens | a list of the series | its answer | \
         tokens of its text | memory then |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for peer in peers {
        let name = &peer.name;
        if let Some(error) = &peer.error {
            let _ = writeln!(text, "| {name} | not measured: {} | | | | | | | |", error.replace('|', "/"));
            continue;
        }
        let tools = peer.tools.to_string();
        let _ = writeln!(
            text,
            "| {name} | {} ms | {} MB | {} bytes | {} | {} ms | {} bytes | {} | {} MB |",
            short(peer.start),
            short(peer.memory),
            tools.len(),
            tokens(&tools),
            short(peer.list),
            peer.answer,
            tokens(&peer.text),
            short(peer.memory_after),
        );
    }
}

fn growth(text: &mut String, points: &[Point]) {
    text.push_str(
        "| path | series | time | per series | memory beyond the start | per series |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for Point { path, series, ms, bytes } in points {
        let each = short(ms * 1e3 / f64::from(*series));
        let memory = match bytes {
            Some(bytes) => format!("{} MB | {} KB", short(bytes / 1e6), short(bytes / 1e3 / f64::from(*series))),
            None => "– | –".to_owned(),
        };
        let _ = writeln!(text, "| {path} | {series} | {} ms | {each} µs | {memory} |", short(*ms));
    }
}

/// A number with three digits that count.
fn short(number: f64) -> String {
    let places = match number.abs() {
        number if number >= 100.0 => 0,
        number if number >= 10.0 => 1,
        _ => 2,
    };
    format!("{number:.places$}")
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, Machine, short, tables, with_tables};
    use crate::bench::Record;
    use serde_json::json;

    #[test]
    fn every_figure_has_its_ratio_and_verdict() {
        let figure = |ours: f64, most: Option<f64>, least: Option<f64>| json!({"what": "w", "unit": "ms", "ours": ours, "beside": "b", "theirs": 2.0, "atMost": most, "atLeast": least});
        let record: Record = serde_json::from_value(json!({
            "figures": [figure(3.0, Some(1.5), None), figure(3.1, Some(1.5), None), figure(1.0, None, Some(0.8)), figure(1.0, None, None)],
            "growth": [{"path": "list", "series": 100, "ms": 2.0, "bytes": 300_000.0}, {"path": "bare", "series": 100, "ms": 2.0, "bytes": null}],
            "peers": [
                {"name": "one", "start": 4.0, "memory": 5.0, "tools": [1], "list": 6.0, "answer": 7, "text": "tt", "memoryAfter": 8.0},
                {"name": "two", "error": "it a|b"}
            ]
        }))
        .unwrap();
        let machine = Machine { cores: 2, processor: "P".to_owned(), gigabytes: 25.0, date: "2026-01-02".to_owned() };
        let text = tables(&record, &machine, str::len);
        for line in [
            "2 cores (P), 25 GB of memory, Linux, 2026-01-02.",
            "| w | 3.00 ms | b | 2.00 ms | 1.50 | ≤ 1.5 | met |",
            "| w | 3.10 ms | b | 2.00 ms | 1.55 | ≤ 1.5 | **missed** |",
            "| w | 1.00 ms | b | 2.00 ms | 0.50 | ≥ 0.8 | **missed** |",
            "| w | 1.00 ms | b | 2.00 ms | 0.50 | – |  |",
            "| one | 4.00 ms | 5.00 MB | 3 bytes | 3 | 6.00 ms | 7 bytes | 2 | 8.00 MB |",
            "| two | not measured: it a/b | | | | | | | |",
            "| list | 100 | 2.00 ms | 20.0 µs | 0.30 MB | 3.00 KB |",
            "| bare | 100 | 2.00 ms | 20.0 µs | – | – |",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
    }

    #[test]
    fn what_stands_around_the_tables_stays() {
        let page = format!("# Title\n{BEGIN}old\n{END}\nThe end.\n");
        assert_eq!(with_tables(&page, "new\n").unwrap(), format!("# Title\n{BEGIN}\nnew\n\n{END}\nThe end.\n"));
        assert!(with_tables("# Title\n", "new").is_err());
    }

    #[test]
    fn three_digits_count() {
        assert_eq!([0.1234, 9.876, 98.76, 987.6].map(short), ["0.12", "9.88", "98.8", "988"]);
    }
}
