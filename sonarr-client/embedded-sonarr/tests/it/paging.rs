//! Pages, sorting, filters.

use serde_json::{Value, json};

use crate::support::serve;

fn column(page: &Value, pointer: &str) -> Vec<Value> {
    page["records"].as_array().unwrap().iter().map(|row| row.pointer(pointer).cloned().unwrap_or_default()).collect()
}

#[tokio::test]
async fn pages_follow_one_another() {
    let served = serve().await;
    let all = served.get("/history?pageSize=10000").await.expect(200);
    let total = all["totalRecords"].as_u64().unwrap();
    assert_eq!(all["records"].as_array().unwrap().len() as u64, total);
    assert!(total > 30);
    let mut ids = Vec::new();
    for page in 1..=3 {
        let page = served.get(&format!("/history?page={page}&pageSize=7")).await.expect(200);
        assert_eq!((&page["pageSize"], &page["totalRecords"]), (&json!(7), &json!(total)));
        ids.extend(column(&page, "/id"));
    }
    assert_eq!(ids, column(&all, "/id")[..21]);
    assert_eq!(served.get("/history?page=9999").await.expect(200)["records"], json!([]));
    let default = served.get("/history").await.expect(200);
    assert_eq!((&default["page"], &default["pageSize"]), (&json!(1), &json!(10)));
}

#[tokio::test]
async fn sorting_is_descending_unless_told() {
    let served = serve().await;
    let dates = async |query: &str| {
        let page = served.get(&format!("/history?pageSize=100{query}")).await.expect(200);
        (column(&page, "/date").iter().map(|date| date.as_str().unwrap().to_owned()).collect::<Vec<_>>(), page)
    };
    let (newest, page) = dates("").await;
    assert!(newest.is_sorted_by(|left, right| left >= right));
    assert_eq!((&page["sortKey"], &page["sortDirection"]), (&json!("date"), &json!("descending")));
    let (oldest, page) = dates("&sortDirection=ASCENDING").await;
    assert!(oldest.is_sorted());
    assert_eq!(page["sortDirection"], "ascending");
    assert!(dates("&sortDirection=1").await.0.is_sorted(), "numbers name directions too");
    let (_, page) = dates("&sortKey=nonsense").await;
    assert_eq!(page["sortKey"], "date", "an unknown key falls back");
    assert_eq!(served.get("/history?sortDirection=up").await.status, 400);
    let missing = served.get("/wanted/missing?sortDirection=default").await.expect(200);
    assert_eq!(missing["sortKey"], "episodes.airDateUtc");
    let by_title = served
        .get("/wanted/missing?sortKey=series.sortTitle&sortDirection=ascending&includeSeries=true&pageSize=100")
        .await;
    let titles = column(&by_title.expect(200), "/series/sortTitle");
    assert!(titles.iter().map(|title| title.as_str().unwrap()).is_sorted());
}

#[tokio::test]
async fn filters_filter() {
    let served = serve().await;
    let grabs = served.get("/history?eventType=1&pageSize=1000").await.expect(200);
    assert!(column(&grabs, "/eventType").iter().all(|event| event == "grabbed"));
    let two = served.get("/history?eventType=1&eventType=4&pageSize=1000").await.expect(200);
    assert!(two["totalRecords"].as_u64() > grabs["totalRecords"].as_u64());
    assert_eq!(served.get("/history?eventType=grabbed").await.status, 400, "integers only");
    assert_eq!(served.get("/history/since?eventType=grabbed").await.status, 200, "names here");
    let of_series =
        served.get("/history?seriesIds=1&pageSize=1000&includeEpisode=true&includeSeries=true").await.expect(200);
    assert!(column(&of_series, "/seriesId").iter().all(|id| id == 1));
    assert!(column(&of_series, "/episode/seriesId").iter().all(|id| id == 1));
    let since = served.get("/history/since?date=2026-03-13T00:00:00Z").await.expect(200);
    let all = served.get("/history/since").await.expect(200);
    assert!(since.as_array().unwrap().len() < all.as_array().unwrap().len());
    assert_eq!(served.get("/history/series").await.status, 404);
    let usenet = served.get("/blocklist?protocols=usenet").await.expect(200);
    assert_eq!(column(&usenet, "/protocol"), [json!("usenet")]);
    let known = served.get("/queue?pageSize=100").await.expect(200);
    let all = served.get("/queue?pageSize=100&includeUnknownSeriesItems=true").await.expect(200);
    assert_eq!(all["totalRecords"].as_u64(), known["totalRecords"].as_u64().map(|total| total + 1));
    let delayed = served.get("/queue?status=delay&status=paused").await.expect(200);
    assert_eq!(delayed["totalRecords"], 2);
    let torrents = served.get("/queue?protocol=torrent&pageSize=100").await.expect(200);
    assert!(column(&torrents, "/protocol").iter().all(|protocol| protocol == "torrent"));
    let last = served.get("/queue?page=99&pageSize=5").await.expect(200);
    assert!(!last["records"].as_array().unwrap().is_empty(), "a page past the end is the last one");
    let warnings = served.get("/log?level=warn").await.expect(200);
    assert!(column(&warnings, "/level").iter().all(|level| matches!(level.as_str(), Some("warn" | "error" | "fatal"))));
    let ignored = served.get("/log?level=WARN").await.expect(200);
    assert!(ignored["totalRecords"].as_u64() > warnings["totalRecords"].as_u64());
    let unmonitored = served.get("/wanted/missing?monitored=false").await.expect(200);
    assert!(unmonitored["totalRecords"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn every_key_of_the_queue_sorts() {
    let served = serve().await;
    for key in [
        "added",
        "downloadClient",
        "episode",
        "episode.airDateUtc",
        "episode.title",
        "episodes.airDateUtc",
        "episodes.title",
        "estimatedCompletionTime",
        "indexer",
        "language",
        "languages",
        "progress",
        "protocol",
        "quality",
        "series.sortTitle",
        "size",
        "status",
        "timeleft",
        "title",
    ] {
        let up = served.get(&format!("/queue?sortKey={key}&sortDirection=ascending&pageSize=50")).await.expect(200);
        let down = served.get(&format!("/queue?sortKey={key}&pageSize=50")).await.expect(200);
        assert_eq!((&up["sortKey"], &down["sortKey"]), (&json!(key), &json!(key)));
        let mut reversed = column(&down, "/id");
        reversed.reverse();
        assert_eq!(column(&up, "/id"), reversed, "{key}");
    }
}
