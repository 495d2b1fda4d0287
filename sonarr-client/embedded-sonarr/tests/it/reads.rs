//! Reads that are not lists of rows.

use serde_json::{Value, json};

use crate::support::serve;

#[tokio::test]
async fn the_calendar_comes_as_json_and_as_feed() {
    let served = serve().await;
    let wide = served.get("/calendar?start=2026-03-01&end=2026-04-01").await.expect(200);
    let dates: Vec<&str> =
        wide.as_array().unwrap().iter().map(|episode| episode["airDateUtc"].as_str().unwrap()).collect();
    assert!(!dates.is_empty() && dates.is_sorted());
    assert!(dates.iter().all(|date| (*date >= "2026-03-01") && (*date <= "2026-04-01")));
    let all = served.get("/calendar?start=2026-03-01&end=2026-04-01&unmonitored=true").await.expect(200);
    assert!(all.as_array().unwrap().len() > dates.len());
    let tagged =
        served.get("/calendar?start=2020-01-01&end=2027-01-01&tags=anime,2&includeSeries=true").await.expect(200);
    for episode in tagged.as_array().unwrap() {
        let tags = episode["series"]["tags"].as_array().unwrap();
        assert!(tags.contains(&json!(1)) || tags.contains(&json!(2)));
    }
    assert_eq!(served.get("/calendar?tags=nosuch").await.status, 500);
    let default = served.get("/calendar").await.expect(200);
    assert!(default.as_array().unwrap().iter().all(|episode| episode["airDateUtc"].as_str().unwrap() < "2026-03-17"));
    let feed = served.send(served.request("GET", "/feed/v3/calendar/Sonarr.ics?unmonitored=true")).await;
    assert!(feed.header("content-type").unwrap().starts_with("text/calendar"));
    let text = feed.text();
    assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VCALENDAR\r\n"));
    assert!(text.matches("BEGIN:VEVENT").count() > 3);
}

#[tokio::test]
async fn titles_are_parsed() {
    let served = serve().await;
    let parsed = served.get("/parse?title=Copperfield.Street.S01E02.REPACK.1080p.WEB.h264-NEST").await.expect(200);
    assert_eq!(parsed["series"]["title"], "Copperfield Street");
    assert_eq!(parsed["parsedEpisodeInfo"]["quality"]["revision"], json!({"version": 2, "real": 0, "isRepack": true}));
    assert!(parsed["customFormats"].as_array().unwrap().iter().any(|format| format["name"] == "Repack or Proper"));
    let nothing = served.get("/parse?title=nothing").await.expect(200);
    assert_eq!(nothing, json!({"title": "nothing", "customFormatScore": 0}));
    let blank = served.get("/parse").await;
    assert_eq!((blank.status, blank.bytes.len()), (204, 0));
    let path = served.get("/parse?title=x&path=/a/Ninefold.S01E01.720p.HDTV.x264-MOSS.mkv").await.expect(200);
    assert_eq!(path["series"]["title"], "Ninefold");
}

#[tokio::test]
async fn folders_are_browsed() {
    let served = serve().await;
    let root = served.get("/filesystem").await.expect(200);
    assert!(root.get("parent").is_none());
    let media = served.get("/filesystem?path=/media/").await.expect(200);
    assert_eq!(media["parent"], "/");
    let shows = served.get("/filesystem?path=/media/tv/").await.expect(200);
    assert!(
        shows["directories"]
            .as_array()
            .unwrap()
            .iter()
            .any(|folder| folder["name"].as_str().unwrap().starts_with("The Heron's Ledger"))
    );
    let partial = served.get("/filesystem?path=/media/tv").await.expect(200);
    assert_eq!(partial["directories"], media["directories"], "without a slash the parent is listed");
    let files = served.get("/filesystem?path=/downloads/manual/&includeFiles=true").await.expect(200);
    assert_eq!(files["files"].as_array().unwrap().len(), 4);
    assert_eq!(served.get("/filesystem/type?path=/config/config.xml").await.expect(200), json!({"type": "file"}));
    assert_eq!(served.get("/filesystem/type?path=/nope").await.expect(200), json!({"type": "folder"}));
    let videos = served.get("/filesystem/mediafiles?path=/downloads").await.expect(200);
    assert!(videos.as_array().unwrap().iter().all(|file| file["name"].as_str().unwrap().ends_with(".mkv")));
    assert_eq!(served.get("/filesystem/mediafiles?path=/nope").await.expect(200), json!([]));
    let folders = served.get("/rootfolder").await.expect(200);
    assert_eq!(folders[2]["accessible"], false);
    assert!(folders[2].get("freeSpace").is_none() && folders[2].get("unmappedFolders").is_none());
    assert_eq!(folders[0]["unmappedFolders"].as_array().unwrap().len(), 2);
    let added = served.post("/rootfolder", &json!({"path": "/media/new", "accessible": false})).await.expect(201);
    assert_eq!(added["accessible"], true);
    assert_eq!(served.get("/rootfolder/1?timeout=x").await.status, 500);
}

#[tokio::test]
async fn text_comes_as_text() {
    let served = serve().await;
    let routes = served.get("/system/routes").await;
    assert!(routes.header("content-type").unwrap().starts_with("text/plain") && routes.text().starts_with("digraph"));
    assert_eq!(served.get("/system/routes/duplicate").await.expect(200), json!({}));
    let log = served.get("/log/file/sonarr.txt").await;
    assert!(log.header("content-type").unwrap().starts_with("text/plain") && log.text().contains("|Starting Sonarr"));
    assert_eq!(served.get("/log/file/none.txt").await.expect(404)["title"], "Not Found");
    assert_eq!(served.get("/log/file/update/sonarr.update.txt").await.status, 200);
}

#[tokio::test]
async fn constants_are_true() {
    let served = serve().await;
    let languages = served.get("/language").await.expect(200);
    assert_eq!(languages.as_array().unwrap().len(), 48);
    assert_eq!(languages[0], json!({"id": -2, "name": "Original", "nameLower": "original"}));
    assert_eq!(served.get("/language/0").await.expect(200)["name"], "Unknown");
    assert_eq!(
        served.get("/indexerflag").await.expect(200)[7],
        json!({"id": 128, "name": "Nuked", "nameLower": "nuked"})
    );
    assert_eq!(
        served.send(served.request("GET", "/api")).await.expect(200),
        json!({"current": "v3", "deprecated": []})
    );
    let echoed = json!({"name": "x", "upgradeAllowed": true, "languages": []});
    let echo = served.post("/languageprofile", &echoed).await;
    assert_eq!((echo.status, echo.header("deprecation")), (202, Some("true")));
    assert_eq!(served.delete("/languageprofile/1").await.bytes.len(), 0);
    let unknown = served.get("/system/task/99").await;
    assert_eq!((unknown.status, unknown.bytes.len()), (204, 0));
    let tasks = served.get("/system/task").await.expect(200);
    assert_eq!(tasks.as_array().unwrap().len(), 11);
    assert!(
        tasks.as_array().unwrap().iter().all(|task| task["nextExecution"].as_str() > task["lastExecution"].as_str())
    );
    let health = served.get("/health").await.expect(200);
    assert!(health.as_array().unwrap().iter().all(|check| check["wikiUrl"].is_string() && check.get("id").is_none()));
    let examples = served.get("/config/naming/examples").await.expect(200);
    assert_eq!(examples["seriesFolderExample"], "The Series Title! (2010)");
    let own = served.get("/config/naming/examples?id=1&seriesFolderFormat={Series Title}").await.expect(200);
    assert_eq!(own, json!({"seriesFolderExample": "The Series Title!"}));
    assert!(served.get("/localization").await.bytes.len() > 50_000);
}

#[tokio::test]
async fn secrets_can_be_searched_for() {
    let served = serve().await;
    let secrets = served.sonarr.secrets();
    assert!(secrets.len() > 12);
    let (key, canaries): (Vec<String>, Vec<String>) =
        secrets.into_iter().partition(|secret| secret == served.sonarr.api_key());
    assert_eq!(key.len(), 1);
    assert!(canaries.iter().all(|secret| secret.contains("canary")));
    // These answers hold secrets on the real server too.
    let leaks = async |path: &str| {
        let text = served.get(path).await.text();
        canaries.iter().filter(|secret| text.contains(secret.as_str())).count()
    };
    assert!(leaks("/config/host").await >= 3);
    assert!(leaks("/history?pageSize=50").await >= 1);
    assert!(leaks("/notification").await >= 2, "webhook URLs are not masked");
    assert!(leaks("/importlist").await >= 2);
    let missing = served.get("/wanted/missing").await.expect(200);
    let episode: &Value = &missing["records"][0]["id"];
    assert!(leaks(&format!("/release?episodeId={episode}")).await >= 1);
    assert_eq!(leaks("/indexer").await + leaks("/downloadclient").await, 0);
}

#[tokio::test]
async fn missing_and_cutoff_agree_with_the_episodes() {
    let served = serve().await;
    let missing = served.get("/wanted/missing?pageSize=1000&includeSeries=true").await.expect(200);
    let mut expected = 0;
    for series in served.get("/series").await.expect(200).as_array().unwrap() {
        let episodes = served.get(&format!("/episode?seriesId={}", series["id"])).await.expect(200);
        expected += episodes
            .as_array()
            .unwrap()
            .iter()
            .filter(|episode| {
                series["monitored"] == true
                    && episode["monitored"] == true
                    && episode["hasFile"] == false
                    && episode["seasonNumber"] != 0
                    && episode["airDateUtc"].as_str() <= Some("2026-03-14T12:00:00Z")
            })
            .count();
    }
    assert_eq!(missing["totalRecords"], expected);
    assert!(expected > 5);
    let cutoff = served.get("/wanted/cutoff?pageSize=1000&includeEpisodeFile=true").await.expect(200);
    let records = cutoff["records"].as_array().unwrap();
    assert!(!records.is_empty() && records.iter().all(|episode| episode["episodeFile"]["qualityCutoffNotMet"] == true));
}
