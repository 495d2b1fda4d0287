//! What the audits find and what each of them costs: measured on a large embedded library, written to docs/audits.md.
//!
//! ```console
//! cargo build --release -p sonarr-mcp && cargo run --release -p sonarr-mcp --example audits
//! ```

mod page;
mod proxy;
mod run;

use std::error::Error;
use std::io::Write;

use embedded_sonarr::{EmbeddedSonarr, Options};
use sonarr_mcp::audits::{AUDITS, OVERVIEW};

/// How large the library is.
const SERIES: usize = 2_000;
const EPISODES_PER_SERIES: usize = 30;

/// Where the page is written.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/audits.md");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options { series: SERIES, episodes_per_series: Some(EPISODES_PER_SERIES), ..Options::default() };
    let sonarr = EmbeddedSonarr::start(options).await?;
    let proxy = proxy::Proxy::start(&sonarr.url()).await?;
    let rows = std::iter::once((OVERVIEW.operation.name, OVERVIEW.operation.group))
        .chain(AUDITS.iter().map(|audit| (audit.name, audit.group)));
    let mut costs = Vec::new();
    for (name, group) in rows {
        let cost = run::measure(&sonarr, &proxy, name, group).await?;
        writeln!(std::io::stderr(), "{name}: {cost:?}")?;
        costs.push((name, cost));
    }
    let page = page::of(&costs, SERIES, SERIES * EPISODES_PER_SERIES);
    std::fs::write(PAGE, &page)?;
    std::io::stdout().write_all(page.as_bytes())?;
    Ok(())
}
