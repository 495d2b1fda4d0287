//! The page: what the audits find, from their table, and what they cost.

use std::fmt::Write;

use sonarr_mcp::audits::{OVERVIEW, guide};

use crate::run::Cost;

/// The goals for the operation that makes all audits.
const SECONDS: f64 = 10.0;
const REQUESTS: usize = 200;
const MEGABYTES: f64 = 150.0;

/// The whole page.
pub fn of(costs: &[(&str, Cost)], series: usize, episodes: usize) -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str(&guide::kinds());
    let _ = write!(
        page,
        "\n## What they cost\n\nOn an embedded library of {series} series and {episodes} episodes, each audit in a fresh \
         server process, release build; bytes are what Sonarr sent, memory is the server's peak. Measured by `just \
         audits`, which writes this page.\n\n| audit | found | requests | seconds | MB read | MB of memory |\n\
         |---|--:|--:|--:|--:|--:|\n"
    );
    for (name, cost) in costs {
        let _ = writeln!(
            page,
            "| `{name}` | {} | {} | {:.1} | {:.1} | {:.0} |",
            cost.found,
            cost.requests,
            cost.took.as_secs_f64(),
            megabytes(cost.bytes),
            megabytes(cost.peak)
        );
    }
    if let Some((name, cost)) = costs.iter().find(|(name, _)| *name == OVERVIEW.operation.name) {
        let met = cost.took.as_secs_f64() <= SECONDS && cost.requests <= REQUESTS && megabytes(cost.peak) <= MEGABYTES;
        let _ = write!(
            page,
            "\nThe goals for `{name}` are {SECONDS} seconds, {REQUESTS} requests and {MEGABYTES} MB: {}.\n",
            if met { "met" } else { "not met" }
        );
    }
    page
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

const INTRODUCTION: &str = "\
# Audits: what needs a person

An audit goes through the whole library and finds what Sonarr itself says nothing of, or says in one place among many.
Detection is code, correction is judgment: each finding has a `reason` with the figures that show it and, in `mend`, the
call that mends it, ready to send. Audits change nothing.

Start with `audit_library` in the tool `sonarr_system_commands`: it makes all audits over one reading of the library and
tells how much each of them found, with the worst examples. Then call the audit whose findings you want. A long list is
cut and says how to go on; `query` selects, as in `findings[?kind=='missing_not_found'] | [:20]`. `unseen` names what
could not be looked at, with the reason; the rest is answered all the same.

For people there is the command line: tables on a terminal, JSON when piped. It ends with status 1 where something needs a
person, 0 where nothing was found, and 2 where the library could not be looked through. Without a name it makes all
audits, and checks file names for the series whose files came in last; `names` alone checks them for every series, at a
request each.

```console
sonarr-mcp audit
sonarr-mcp audit missing cutoff names
```

## What they find
";
