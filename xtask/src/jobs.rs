//! What everyday jobs cost a model: the tokens of what is sent and answered, through the server and without it.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// How many series the library has.
const SERIES: usize = 500;

/// Where the table is written, below the root.
const PAGE: &str = "docs/jobs.md";

/// A job as the example of the server tells it.
#[derive(Deserialize)]
struct Job {
    job: String,
    /// Plain requests, calls, and calls with a query.
    ways: [Vec<Exchange>; 3],
}

#[derive(Deserialize)]
struct Exchange {
    sent: String,
    answered: String,
}

/// What one way of doing a job takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cost {
    calls: usize,
    /// Tokens of what is sent.
    sent: usize,
    /// Tokens of what is answered.
    answered: usize,
}

/// Does the jobs, counts and writes the page.
///
/// # Errors
/// When a job fails, or the page cannot be written.
pub fn run(root: &Path) -> Result<()> {
    let tokenizer = tiktoken_rs::o200k_base()?;
    let jobs = record(root)?;
    let page = page(&jobs, |text| tokenizer.encode_ordinary(text).len());
    std::fs::write(root.join(PAGE), &page).with_context(|| PAGE.to_owned())?;
    std::io::stdout().write_all(page.as_bytes())?;
    Ok(())
}

fn record(root: &Path) -> Result<Vec<Job>> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "sonarr-mcp", "--example", "jobs", "--"])
        .arg(SERIES.to_string())
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo run --example jobs")?;
    ensure!(output.status.success(), "the jobs could not be done: {}", output.status);
    serde_json::from_slice(&output.stdout).context("the record of the jobs")
}

fn cost(exchanges: &[Exchange], count: impl Fn(&str) -> usize) -> Cost {
    exchanges.iter().fold(Cost::default(), |sum, one| Cost {
        calls: sum.calls + 1,
        sent: sum.sent + count(&one.sent),
        answered: sum.answered + count(&one.answered),
    })
}

fn page(jobs: &[Job], count: impl Fn(&str) -> usize) -> String {
    let mut page = format!(
        "# What everyday jobs cost a model\n\n\
         Twelve jobs on an embedded library of {SERIES} series, measured and written by `cargo xtask jobs`; do not edit \
         this page. Tokens are those of the o200k tokenizer.\n\n\
         - **Plain**: the same endpoints of Sonarr's API with default page sizes, each answer whole; a title is looked \
         for in the list of series, for Sonarr cannot be asked by title.\n\
         - **Calls**: the server without `query`; an answer above 60,000 bytes comes with summary columns.\n\
         - **Query**: the server with a `query` wherever one selects what the job needs.\n\n\
         *In* is what the model writes: the arguments of a call, or the request line and body. *Out* is what it reads: \
         the text of the answers, once; a host that hands over the structured copy as well doubles it, which \
         `--text-only` prevents. The list of tools, paid once a session, is counted by `cargo xtask tokens`. The steps \
         are in `mcp-server/examples/jobs/`; a preview that asks for consent counts as a call.\n\n\
         | Job | Plain: requests | in | out | Calls: calls | in | out | Query: calls | in | out |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let mut sums = [Cost::default(); 3];
    for job in jobs {
        let costs = [0, 1, 2].map(|way: usize| cost(job.ways.get(way).map_or(&[], Vec::as_slice), &count));
        for (sum, cost) in sums.iter_mut().zip(costs) {
            sum.calls += cost.calls;
            sum.sent += cost.sent;
            sum.answered += cost.answered;
        }
        row(&mut page, &job.job, costs);
    }
    row(&mut page, "**All**", sums);
    page
}

fn row(page: &mut String, name: &str, costs: [Cost; 3]) {
    let _ = write!(page, "| {name} |");
    for number in costs.iter().flat_map(|cost| [cost.calls, cost.sent, cost.answered]) {
        let _ = write!(page, " {} |", grouped(number));
    }
    page.push('\n');
}

/// A number with a comma before every three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Job, grouped, page};
    use serde_json::json;

    #[test]
    fn each_way_is_counted_and_summed() {
        let exchange = |sent: &str, answered: &str| json!({"sent": sent, "answered": answered});
        let ways = json!([[exchange("a", "bbbb"), exchange("aa", "b")], [exchange("a", "bb")], []]);
        let record = json!([{"job": "One.", "ways": ways}, {"job": "Two.", "ways": [[], [exchange("a", "b")], []]}]);
        let jobs: Vec<Job> = serde_json::from_value(record).unwrap();
        let page = page(&jobs, str::len);
        assert!(page.contains("| One. | 2 | 3 | 5 | 1 | 1 | 2 | 0 | 0 | 0 |\n"), "{page}");
        assert!(page.contains("| **All** | 2 | 3 | 5 | 2 | 2 | 3 | 0 | 0 | 0 |\n"), "{page}");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
