//! Size and determinism.

use std::time::{Duration, Instant};

use embedded_sonarr::{Clock, Options};

use crate::support::serve_with;

fn options(series: usize, seed: u64) -> Options {
    Options { series, seed, clock: Clock::fixed(), ..Options::default() }
}

#[tokio::test]
async fn five_thousand_series_are_made_in_a_moment() {
    let start = Instant::now();
    let served = serve_with(options(5_000, 1)).await;
    let made = start.elapsed();
    // An unoptimised build on a busy machine is given more than the two seconds of a released one.
    assert!(made < Duration::from_secs(if cfg!(debug_assertions) { 6 } else { 2 }), "{made:?}");
    let answer = served.get("/series").await;
    let size = answer.bytes.len();
    assert!((13_000_000..20_000_000).contains(&size), "{size} bytes");
    assert_eq!(answer.json().as_array().unwrap().len(), 5_000);
    let missing = served.get("/wanted/missing").await.expect(200);
    assert!(missing["totalRecords"].as_u64().unwrap() > 5_000);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_bytes() {
    let (one, two, other) =
        (serve_with(options(30, 7)).await, serve_with(options(30, 7)).await, serve_with(options(30, 8)).await);
    for path in [
        "/series",
        "/episode?seriesId=3",
        "/episodefile?seriesId=2",
        "/history?pageSize=500",
        "/queue",
        "/blocklist",
        "/indexer",
    ] {
        let bytes = one.get(path).await.bytes;
        assert_eq!(bytes, two.get(path).await.bytes, "{path}");
        if path == "/series" || path.starts_with("/history") {
            assert_ne!(bytes, other.get(path).await.bytes, "{path}");
        }
    }
}
