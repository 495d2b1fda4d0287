//! A good request for each operation.

use embedded_sonarr::Operation;
use serde_json::{Value, json};

use crate::support::Served;

/// A request that the server takes.
pub struct Good {
    /// Path and query.
    pub path: String,
    pub body: Option<Value>,
    upload: bool,
}

impl Good {
    pub fn fill(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        if self.upload {
            let part = reqwest::multipart::Part::bytes(vec![0; 10]).file_name("backup.zip");
            return request.multipart(reqwest::multipart::Form::new().part("file", part));
        }
        match &self.body {
            Some(body) => request.json(body),
            None => request,
        }
    }
}

/// The good request of an operation on that server.
pub async fn good(served: &Served, operation: &Operation) -> Good {
    let (method, path) = (operation.method, operation.path);
    let below = path.strip_prefix("/api/v3").unwrap_or(path);
    let id = id_of(served, method, below).await;
    let name = match below {
        "/log/file/{filename}" => "sonarr.txt",
        "/log/file/update/{filename}" => "sonarr.update.txt",
        _ => "poster.jpg",
    };
    let mut target = path
        .replace("{id}", &id.to_string())
        .replace("{seriesId}", "1")
        .replace("{filename}", name)
        .replace("{name}", "newznabCategories");
    target.push_str(query_of(served, method, below).await.as_str());
    let body = match method {
        "POST" | "PUT" | "DELETE" => body_of(served, method, below, id).await,
        _ => None,
    };
    Good { path: target, body, upload: below == "/system/backup/restore/upload" }
}

async fn id_of(served: &Served, method: &str, below: &str) -> i64 {
    let first = |resource: &str| served.sonarr.ids(resource)[0];
    let queue = served.get("/queue/details").await.json();
    let delayed = || {
        let rows = queue.as_array().unwrap();
        rows.iter().find(|row| row["status"] == "delay").unwrap()["id"].as_i64().unwrap()
    };
    match (method, below) {
        ("DELETE", "/command/{id}") => {
            served.post("/command", &json!({"name": "Backup"})).await.expect(201)["id"].as_i64().unwrap()
        }
        (_, "/queue/grab/{id}") => delayed(),
        (_, path) if path.starts_with("/queue/") => first("queue"),
        (_, path) if path.starts_with("/system/backup/") => first("system/backup"),
        // The first episodes are specials, which nobody monitors.
        ("PUT", "/episode/{id}") => 5,
        ("DELETE", "/tag/{id}") => 5,
        ("DELETE", "/qualityprofile/{id}" | "/delayprofile/{id}") => 2,
        (_, "/delayprofile/reorder/{id}") => 3,
        (_, "/history/failed/{id}") => {
            let grabs = served.get("/history?eventType=1&pageSize=1").await.json();
            grabs["records"][0]["id"].as_i64().unwrap()
        }
        _ => 1,
    }
}

async fn query_of(served: &Served, method: &str, below: &str) -> String {
    match (method, below) {
        ("GET", "/episode" | "/episodefile" | "/rename" | "/history/series") => "?seriesId=1".into(),
        ("GET", "/series/lookup") => "?term=letters".into(),
        ("GET", "/parse") => "?title=Ninefold.S01E01.1080p.WEB.h264-NEST".into(),
        ("GET", "/manualimport") => "?folder=/downloads/manual".into(),
        ("GET", "/release") => {
            let missing = served.get("/wanted/missing").await.json();
            format!("?episodeId={}", missing["records"][0]["id"])
        }
        _ => String::new(),
    }
}

/// What is stored, with one member changed.
async fn changed(served: &Served, path: &str, member: &str, value: Value) -> Option<Value> {
    let mut row = served.get(path).await.json();
    row[member] = value;
    Some(row)
}

async fn body_of(served: &Served, method: &str, below: &str, id: i64) -> Option<Value> {
    let resource = below.trim_start_matches('/').split('/').next().unwrap();
    let providers = matches!(resource, "indexer" | "downloadclient" | "importlist" | "notification" | "metadata");
    let rest = below.trim_start_matches('/').strip_prefix(resource).unwrap();
    if providers {
        return provider_body(served, method, resource, rest).await;
    }
    if resource == "config" && method == "PUT" {
        let path = below.replace("/{id}", "");
        let (member, value) = match path.as_str() {
            "/config/downloadclient" => ("autoRedownloadFailed", json!(false)),
            "/config/host" => ("logSizeLimit", json!(5)),
            "/config/importlist" => ("listSyncLevel", json!("logOnly")),
            "/config/indexer" => ("retention", json!(30)),
            "/config/mediamanagement" => ("importExtraFiles", json!(false)),
            "/config/naming" => ("multiEpisodeStyle", json!(0)),
            _ => ("theme", json!("dark")),
        };
        return changed(served, &path, member, value).await;
    }
    if (method, rest) == ("PUT", "/{id}") {
        let (member, value) = match resource {
            "tag" | "customfilter" => ("label", json!("changed")),
            "delayprofile" => ("usenetDelay", json!(7)),
            "episode" => ("monitored", json!(false)),
            "episodefile" => ("releaseGroup", json!("HAND")),
            "importlistexclusion" | "qualitydefinition" => ("title", json!("Changed")),
            "remotepathmapping" => ("host", json!("elsewhere")),
            "series" => ("seasonFolder", json!(false)),
            _ => ("name", json!("Changed")),
        };
        return changed(served, &format!("/{resource}/{id}"), member, value).await;
    }
    plain_body(served, method, below).await
}

async fn provider_body(served: &Served, method: &str, resource: &str, rest: &str) -> Option<Value> {
    let known = format!("/{resource}/1");
    match (method, rest) {
        ("POST", "") => {
            let mut row = served.get(&known).await.json();
            row["name"] = json!("Another");
            row.as_object_mut().unwrap().shift_remove("id");
            Some(row)
        }
        ("PUT", "/{id}") => changed(served, &known, "name", json!("Renamed")).await,
        ("PUT", "/bulk") => Some(json!({"ids": [1], "tags": [4]})),
        ("DELETE", "/bulk") => Some(json!({"ids": [1]})),
        ("POST", "/test" | "/action/{name}") => Some(served.get(&known).await.json()),
        _ => None,
    }
}

async fn plain_body(served: &Served, method: &str, below: &str) -> Option<Value> {
    let condition =
        |kind: &str| json!([{"name": "n", "implementation": kind, "fields": [{"name": "value", "value": "x"}]}]);
    let queue = || served.sonarr.ids("queue");
    let body = match (method, below) {
        ("POST", "/autotagging") => {
            json!({"name": "n", "tags": [1], "specifications": condition("RootFolderSpecification")})
        }
        ("POST", "/customformat") => json!({"name": "n", "specifications": condition("ReleaseTitleSpecification")}),
        ("POST", "/command") => json!({"name": "RssSync"}),
        ("POST", "/customfilter") => json!({"type": "series", "label": "l", "filters": []}),
        ("POST", "/delayprofile") => json!({"enableUsenet": true, "tags": [5]}),
        ("POST", "/importlistexclusion") => json!({"tvdbId": 5, "title": "t"}),
        ("POST", "/languageprofile") | ("PUT", "/languageprofile/{id}") => json!({"id": 1, "name": "n"}),
        ("POST", "/qualityprofile") => {
            let mut row = served.get("/qualityprofile/1").await.json();
            row.as_object_mut().unwrap().shift_remove("id");
            row
        }
        ("POST", "/releaseprofile") => json!({"required": ["x"], "ignored": []}),
        ("POST", "/remotepathmapping") => json!({"host": "h", "remotePath": "/r/", "localPath": "/downloads/"}),
        ("POST", "/rootfolder") => json!({"path": "/media/new"}),
        ("POST", "/tag") => json!({"label": "new"}),
        ("POST", "/series" | "/series/import") => {
            let mut row = served.get("/series/lookup?term=tvdb:9900005").await.json()[0].clone();
            row["qualityProfileId"] = json!(1);
            row["rootFolderPath"] = json!("/media/tv");
            if below == "/series" { row } else { json!([row]) }
        }
        ("POST", "/seasonpass") => json!({"series": [{"id": 1, "monitored": false}]}),
        ("POST", "/manualimport") => {
            let found = served.get("/manualimport?folder=/downloads/manual").await.json();
            let row = &found[0];
            json!([{"path": row["path"], "seriesId": 2, "languages": row["languages"], "quality": row["quality"]}])
        }
        ("POST", "/release") => {
            let missing = served.get("/wanted/missing").await.json();
            let path = format!("/release?episodeId={}", missing["records"][0]["id"]);
            let found = served.get(&path).await.json();
            json!({"guid": found[0]["guid"], "indexerId": found[0]["indexerId"]})
        }
        ("POST", "/release/push") => {
            json!({"title": "Nobody.Knows.S01E01.1080p.WEB-X", "downloadUrl": "http://x.example", "protocol": "usenet", "publishDate": "2026-03-01T00:00:00Z"})
        }
        ("POST", "/queue/grab/bulk") => {
            let rows = served.get("/queue/details").await.json();
            let delayed = rows.as_array().unwrap().iter().find(|row| row["status"] == "delay").unwrap();
            json!({"ids": [delayed["id"]]})
        }
        ("PUT", "/customformat/bulk") => json!({"ids": [1], "includeCustomFormatWhenRenaming": true}),
        ("PUT", "/episode/monitor") => json!({"episodeIds": [5, 6], "monitored": false}),
        ("PUT", "/episodefile/editor") => json!({"episodeFileIds": [1], "releaseGroup": "HAND"}),
        ("PUT", "/episodefile/bulk") => json!([{"id": 1, "releaseGroup": "HAND"}]),
        ("PUT", "/qualitydefinition/update") => {
            let mut row = served.get("/qualitydefinition/5").await.json();
            row["title"] = json!("Changed");
            json!([row])
        }
        ("PUT", "/series/editor") => json!({"seriesIds": [1], "seasonFolder": false}),
        ("DELETE", "/blocklist/bulk" | "/customformat/bulk" | "/importlistexclusion/bulk") => json!({"ids": [1]}),
        ("DELETE", "/episodefile/bulk") => json!({"episodeFileIds": [1]}),
        ("DELETE", "/queue/bulk") => json!({"ids": [queue()[0]]}),
        ("DELETE", "/series/editor") => json!({"seriesIds": [1]}),
        _ => return None,
    };
    Some(body)
}
