//! Plain resources: create, read, replace, delete, and what each refuses.

use serde_json::{Value, json};

use crate::support::{Served, serve};

/// A valid new row of each plain resource.
fn rows() -> Vec<(&'static str, Value)> {
    vec![
        ("tag", json!({"label": "Fresh"})),
        (
            "customfilter",
            json!({"type": "series", "label": "L", "filters": [{"key": "a", "value": [1, "b"], "type": "equal"}]}),
        ),
        ("importlistexclusion", json!({"tvdbId": 9_960_001, "title": "Not This"})),
        ("remotepathmapping", json!({"host": "h", "remotePath": "/r/", "localPath": "/downloads/"})),
        (
            "releaseprofile",
            json!({"name": "p", "enabled": true, "required": "a,b", "ignored": [], "indexerId": 0, "tags": []}),
        ),
        ("delayprofile", json!({"enableUsenet": true, "preferredProtocol": "usenet", "tags": [5]})),
        (
            "customformat",
            json!({"name": "f", "specifications": [{"name": "n", "implementation": "ReleaseTitleSpecification", "fields": [{"name": "value", "value": "x"}]}]}),
        ),
        (
            "autotagging",
            json!({"name": "a", "tags": [2], "specifications": [{"name": "n", "implementation": "YearSpecification", "fields": [{"name": "min", "value": 1990}]}]}),
        ),
    ]
}

#[tokio::test]
async fn every_resource_lives_and_dies() {
    let served = serve().await;
    for (path, body) in rows() {
        let created = served.post(&format!("/{path}"), &body).await;
        let row = created.expect(201);
        let id = row["id"].as_i64().unwrap_or_else(|| panic!("{path}: {row}"));
        assert_eq!(created.header("location"), Some(format!("/api/v3/{path}/{id}").as_str()));
        assert_eq!(served.get(&format!("/{path}/{id}")).await.expect(200), row, "{path}");
        let list = served.get(&format!("/{path}")).await.expect(200);
        assert!(list.as_array().unwrap().contains(&row), "{path}");
        let replaced = served.put(&format!("/{path}/{id}"), &row).await;
        assert_eq!(replaced.expect(202), row, "{path}: a row put back unchanged stays as it is");
        assert_eq!(replaced.header("location"), created.header("location"));
        let deleted = served.delete(&format!("/{path}/{id}")).await;
        assert_eq!((deleted.status, deleted.bytes.len()), (200, 0), "{path}");
        assert!(!served.sonarr.ids(path).contains(&id));
    }
}

#[tokio::test]
async fn put_replaces_and_the_id_of_the_body_decides() {
    let served = serve().await;
    let mut row = served.get("/delayprofile/2").await.expect(200);
    row.as_object_mut().unwrap().shift_remove("bypassIfAboveCustomFormatScore");
    // The path says 3, the body 2: the body wins.
    let stored = served.put("/delayprofile/3", &row).await.expect(202);
    assert_eq!(stored["id"], 2);
    assert_eq!(stored["bypassIfAboveCustomFormatScore"], false, "an absent flag becomes false");
    let body = json!({"label": "renamed"});
    assert_eq!(served.put("/tag/4", &body).await.expect(202)["id"], 4, "the path's id is used when the body has none");
    assert_eq!(served.put("/tag", &json!({"id": 4, "label": "x"})).await.expect(202)["label"], "x");
    let failed = served.put("/tag", &body).await.expect(400);
    assert_eq!(failed[0]["propertyName"], "Id");
    assert_eq!(served.put("/tag/99", &body).await.status, 404);
}

#[tokio::test]
async fn unknown_ids_answer_as_each_resource_does_it() {
    let served = serve().await;
    for path in ["tag", "delayprofile", "customfilter", "qualityprofile", "releaseprofile", "rootfolder", "indexer"] {
        let answer = served.get(&format!("/{path}/999")).await;
        assert_eq!(answer.expect(404)["title"], "Not Found", "{path}");
        assert!(answer.header("content-type").unwrap().starts_with("application/problem+json"));
    }
    for path in ["customformat", "autotagging", "qualitydefinition", "language"] {
        assert!(served.get(&format!("/{path}/999")).await.expect(500)["description"].is_string(), "{path}");
    }
    for (path, status) in
        [("delayprofile", 200), ("releaseprofile", 200), ("indexer", 200), ("customformat", 404), ("tag", 404)]
    {
        assert_eq!(served.delete(&format!("/{path}/999")).await.status, status, "{path}");
        assert_eq!(served.delete(&format!("/{path}/0")).await.status, 400, "{path}");
    }
    assert_eq!(served.post("/tag", &json!({"id": 7, "label": "x"})).await.status, 500);
}

#[tokio::test]
async fn tags_in_use_stay() {
    let served = serve().await;
    let refused = served.delete("/tag/1").await.expect(409);
    assert_eq!(refused["message"], "Tag with ID 1 'anime' cannot be deleted since it's still in use");
    assert_eq!(served.delete("/tag/5").await.status, 200);
    let detail = served.get("/tag/detail/1").await.expect(200);
    assert_eq!(detail["delayProfileIds"], json!([2]));
    assert_eq!(detail["autoTagIds"], json!([1]));
    assert_eq!(detail["seriesIds"], json!([4]));
    // Labels are lower case, and one that exists is returned.
    assert_eq!(served.post("/tag", &json!({"label": "ANIME"})).await.expect(201), json!({"label": "anime", "id": 1}));
    assert_eq!(served.post("/tag", &json!({})).await.status, 500);
}

async fn first_failure(served: &Served, path: &str, body: &Value) -> Value {
    let list = served.post(path, body).await.expect(400);
    let failure = list[0].clone();
    for member in ["propertyName", "errorMessage", "severity"] {
        assert!(failure[member].is_string(), "{path}: {list}");
    }
    failure
}

#[tokio::test]
async fn rules_are_told_in_the_servers_shape() {
    let served = serve().await;
    let cases = [
        (
            "/customformat",
            json!({"name": "x265", "specifications": [{"name": "n", "implementation": "SizeSpecification"}]}),
            "Name",
        ),
        ("/customformat", json!({"name": "new", "specifications": []}), "Specifications"),
        (
            "/autotagging",
            json!({"name": "n", "tags": [], "specifications": [{"name": "n", "implementation": "MonitoredSpecification"}]}),
            "Tags",
        ),
        ("/delayprofile", json!({"enableUsenet": true, "tags": [1]}), "Tags"),
        ("/delayprofile", json!({"enableUsenet": true, "tags": [5], "usenetDelay": -1}), "UsenetDelay"),
        ("/delayprofile", json!({"tags": [5]}), ""),
        ("/importlistexclusion", json!({"tvdbId": 9_950_001, "title": "x"}), "TvdbId"),
        ("/importlistexclusion", json!({"tvdbId": 1}), "Title"),
        ("/releaseprofile", json!({"required": [], "ignored": []}), ""),
        ("/releaseprofile", json!({"enabled": true, "required": ["a"], "indexerId": 77}), ""),
        ("/remotepathmapping", json!({"host": "h", "remotePath": "/r", "localPath": "/nope"}), "LocalPath"),
        ("/rootfolder", json!({"path": "/media/tv"}), "Path"),
        ("/rootfolder", json!({"path": "/nope"}), "Path"),
        ("/rootfolder", json!({"path": "relative"}), "Path"),
    ];
    for (path, body, property) in cases {
        assert_eq!(first_failure(&served, path, &body).await["propertyName"], property, "{path} {body}");
    }
    let unknown = json!({"name": "n", "specifications": [{"name": "n", "implementation": "NoSuch"}]});
    assert_eq!(served.post("/customformat", &unknown).await.status, 500);
    let wrong = served.post("/releaseprofile", &json!({"required": 5})).await.expect(400);
    assert!(wrong["message"].as_str().unwrap().contains("should be string or string array"));
}

#[tokio::test]
async fn formats_and_profiles_hang_together() {
    let served = serve().await;
    let format = json!({"name": "New", "specifications": [{"name": "n", "implementation": "SizeSpecification", "fields": [{"name": "max", "value": 3}]}]});
    let id = served.post("/customformat", &format).await.expect(201)["id"].clone();
    let profile = served.get("/qualityprofile/4").await.expect(200);
    assert!(profile["formatItems"].as_array().unwrap().iter().any(|item| item["format"] == id && item["score"] == 0));
    // A profile must score every format, hold every quality once, and have a reachable cutoff.
    let mut bad = profile.clone();
    bad["formatItems"] = json!([]);
    bad["cutoff"] = json!(0);
    bad["minFormatScore"] = json!(1000);
    bad["items"].as_array_mut().unwrap().pop();
    let failed = served.put("/qualityprofile/4", &bad).await.expect(400);
    let told: Vec<&str> = failed.as_array().unwrap().iter().filter_map(|rule| rule["propertyName"].as_str()).collect();
    for property in ["Cutoff", "Items", "FormatItems", "MinFormatScore"] {
        assert!(told.contains(&property), "{told:?}");
    }
    assert_eq!(served.put("/qualityprofile/4", &profile).await.expect(202), profile);
    assert_eq!(served.delete(&format!("/customformat/{id}")).await.status, 200);
    let profile = served.get("/qualityprofile/4").await.expect(200);
    assert!(!profile["formatItems"].as_array().unwrap().iter().any(|item| item["format"] == id));
    let used = served.delete("/qualityprofile/4").await.expect(400);
    assert_eq!(used["message"], "QualityProfile [HD-1080p] is in use.");
    assert_eq!(served.delete("/qualityprofile/2").await.status, 200);
    let mut copy = profile;
    copy.as_object_mut().unwrap().shift_remove("id");
    assert_eq!(served.post("/qualityprofile", &copy).await.status, 201);
}

#[tokio::test]
async fn bulk_changes_of_formats_and_exclusions() {
    let served = serve().await;
    let body = json!({"ids": [1, 3], "includeCustomFormatWhenRenaming": true});
    let changed = served.put("/customformat/bulk", &body).await.expect(202);
    assert_eq!(changed.as_array().unwrap().len(), 2);
    assert!(changed.as_array().unwrap().iter().all(|format| format["includeCustomFormatWhenRenaming"] == true));
    assert_eq!(served.put("/customformat/bulk", &json!({"ids": []})).await.status, 400);
    assert_eq!(served.put("/customformat/bulk", &json!({"ids": [99]})).await.status, 500);
    let deleted = served.call("DELETE", "/customformat/bulk", Some(&json!({"ids": [1]}))).await;
    assert_eq!(deleted.expect(200), json!({}));
    assert_eq!(served.call("DELETE", "/customformat/bulk", Some(&json!({"ids": [1]}))).await.status, 404);
    let deleted = served.call("DELETE", "/importlistexclusion/bulk", Some(&json!({"ids": [1, 2]}))).await;
    assert_eq!(deleted.expect(200), json!({}));
    assert_eq!(served.sonarr.ids("importlistexclusion"), Vec::<i64>::new());
    assert_eq!(served.call("DELETE", "/importlistexclusion/bulk", Some(&json!({}))).await.status, 500);
}

#[tokio::test]
async fn delay_profiles_keep_an_order() {
    let served = serve().await;
    assert_eq!(served.delete("/delayprofile/1").await.expect(405)["content"], "Cannot delete global delay profile");
    let order =
        |list: Value| -> Vec<i64> { list.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect() };
    assert_eq!(order(served.call("PUT", "/delayprofile/reorder/3", None).await.expect(200)), [3, 2, 1]);
    assert_eq!(order(served.call("PUT", "/delayprofile/reorder/3?after=2", None).await.expect(200)), [2, 3, 1]);
    assert_eq!(order(served.call("PUT", "/delayprofile/reorder/77", None).await.expect(200)), [2, 3, 1]);
    let first = served.get("/delayprofile").await.expect(200);
    assert_eq!(first[2]["order"], 2_147_483_647_i64);
}

#[tokio::test]
async fn quality_definitions_have_limits() {
    let served = serve().await;
    let mut row = served.get("/qualitydefinition/9").await.expect(200);
    row["minSize"] = json!(90);
    row["preferredSize"] = json!(50);
    let failed = served.put("/qualitydefinition/9", &row).await.expect(400);
    assert_eq!(failed[0]["propertyName"], "MinSize");
    row["preferredSize"] = json!(95.5);
    assert_eq!(served.put("/qualitydefinition/9", &row).await.expect(202)["minSize"], json!(90));
    let all = served.get("/qualitydefinition").await.expect(200);
    assert_eq!(served.put("/qualitydefinition/update", &all).await.expect(202), all);
    let without_id = served.put("/qualitydefinition/update", &json!([{"title": "x"}])).await.expect(400);
    assert_eq!(without_id[0]["propertyName"], "Id");
    let high = served.put("/qualitydefinition/update", &json!([{"id": 1, "maxSize": 1001}])).await.expect(400);
    assert_eq!(high[0]["propertyName"], "[0].MaxSize");
    assert_eq!(served.get("/qualitydefinition/limits").await.expect(200), json!({"min": 0, "max": 1000}));
}

#[tokio::test]
async fn settings_are_saved_as_a_whole() {
    let served = serve().await;
    let media = served.get("/config/mediamanagement").await.expect(200);
    assert_eq!(served.get("/config/mediamanagement/77").await.expect(200), media, "any id reads the one record");
    let mut part = media.clone();
    part.as_object_mut().unwrap().retain(|name, _| matches!(name.as_str(), "id" | "minimumFreeSpaceWhenImporting"));
    let saved = served.put("/config/mediamanagement/1", &part).await.expect(202);
    assert_eq!(saved["copyUsingHardlinks"], false, "an absent flag is false");
    assert_eq!(saved["recycleBin"], media["recycleBin"], "an absent text stays");
    let mut host = served.get("/config/host").await.expect(200);
    assert_eq!(host["passwordConfirmation"], "");
    let (key, password) = (host["apiKey"].clone(), host["password"].clone());
    host["apiKey"] = json!("another");
    let saved = served.put("/config/host/1", &host).await.expect(202);
    assert_eq!(
        (&saved["apiKey"], &saved["password"]),
        (&key, &password),
        "the hash may be sent back, the key is ignored"
    );
    host["password"] = json!("new");
    assert_eq!(served.put("/config/host/1", &host).await.expect(400)[0]["propertyName"], "PasswordConfirmation");
    host["passwordConfirmation"] = json!("new");
    assert_ne!(served.put("/config/host/1", &host).await.expect(202)["password"], json!("new"));
    let refused = [
        ("config/host", "port", json!(81), "Port"),
        ("config/host", "urlBase", json!("http://x"), "UrlBase"),
        ("config/host", "instanceName", json!("Other"), "InstanceName"),
        ("config/host", "backupRetention", json!(0), "BackupRetention"),
        ("config/host", "bindAddress", json!("nowhere"), "BindAddress"),
        ("config/indexer", "rssSyncInterval", json!(5), "RssSyncInterval"),
        ("config/importlist", "listSyncLevel", json!("keepAndTag"), "ListSyncTag"),
        ("config/mediamanagement", "minimumFreeSpaceWhenImporting", json!(5), "MinimumFreeSpaceWhenImporting"),
        ("config/mediamanagement", "chmodFolder", json!("999"), "ChmodFolder"),
        ("config/mediamanagement", "recycleBin", json!("/nope"), "RecycleBin"),
        ("config/mediamanagement", "recycleBin", json!("/media"), "RecycleBin"),
        ("config/mediamanagement", "recycleBinCleanupDays", json!(-1), "RecycleBinCleanupDays"),
        ("config/host", "logSizeLimit", json!(11), "LogSizeLimit"),
        ("config/host", "branch", json!(""), "Branch"),
        ("config/host", "backupFolder", json!("/nope"), "BackupFolder"),
        ("config/host", "updateMechanism", json!("script"), "UpdateScriptPath"),
        ("config/naming", "dailyEpisodeFormat", json!("x"), "DailyEpisodeFormat"),
        ("config/naming", "animeEpisodeFormat", json!("x"), "AnimeEpisodeFormat"),
        ("config/naming", "seriesFolderFormat", json!("x"), "SeriesFolderFormat"),
        ("config/naming", "seasonFolderFormat", json!("x"), "SeasonFolderFormat"),
        ("config/naming", "specialsFolderFormat", json!(""), "SpecialsFolderFormat"),
        ("config/indexer", "minimumAge", json!(-1), "MinimumAge"),
        ("config/naming", "standardEpisodeFormat", json!("{Series Title}"), "StandardEpisodeFormat"),
        ("config/naming", "multiEpisodeStyle", json!(6), "MultiEpisodeStyle"),
        ("config/ui", "uiLanguage", json!(0), "UiLanguage"),
    ];
    for (path, member, value, property) in refused {
        let mut row = served.get(&format!("/{path}")).await.expect(200);
        row[member] = value;
        let failed = served.put(&format!("/{path}/1"), &row).await.expect(400);
        assert_eq!(failed[0]["propertyName"], property, "{path} {member}");
    }
    assert_eq!(served.put("/config/ui/0", &json!({})).await.expect(400)[0]["propertyName"], "Id");
}
