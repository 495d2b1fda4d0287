//! The live suite against the embedded Sonarr, writes included.

use embedded_sonarr::{EmbeddedSonarr, Options};
use std::path::Path;

#[path = "../../examples/live/client.rs"]
mod client;
#[path = "../../examples/live/reads.rs"]
mod reads;
#[path = "../../examples/live/suite.rs"]
mod suite;

#[tokio::test(flavor = "multi_thread")]
async fn the_live_suite_passes_and_leaves_nothing_behind() {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let (url, key) = (sonarr.url(), sonarr.api_key().to_owned());
    let program = Path::new(env!("CARGO_BIN_EXE_sonarr-mcp"));
    let run = tokio::task::spawn_blocking(move || suite::run(program, &url, &key, true));
    let report = run.await.unwrap().unwrap();

    assert_eq!(report.failed, Vec::<String>::new());
    assert_eq!(report.empty, Vec::<&str>::new(), "the embedded library has something of everything");
    let reads = report.passed.iter().filter(|name| !name.starts_with("create_")).count();
    assert!(reads >= 116, "{reads} of the 116 reads");
    let scratch = sonarr.requests().into_iter().filter(|request| request.method == "DELETE").count();
    assert_eq!(scratch, 3, "each scratch object is deleted once");
}
