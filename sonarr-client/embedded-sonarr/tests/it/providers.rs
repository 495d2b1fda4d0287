//! Providers: secrets, tests, force, bulk.

use serde_json::{Value, json};

use crate::support::{Served, serve};

fn set(provider: &mut Value, name: &str, value: Value) {
    let fields = provider["fields"].as_array_mut().unwrap();
    fields.iter_mut().find(|field| field["name"] == name).unwrap()["value"] = value;
}

fn field<'a>(provider: &'a Value, name: &str) -> &'a Value {
    let fields = provider["fields"].as_array().unwrap();
    &fields.iter().find(|field| field["name"] == name).unwrap()["value"]
}

async fn template(served: &Served, path: &str, implementation: &str, name: &str) -> Value {
    let schema = served.get(&format!("/{path}/schema")).await.expect(200);
    let mut found =
        schema.as_array().unwrap().iter().find(|row| row["implementation"] == implementation).unwrap().clone();
    assert!(found.get("id").is_none());
    found["name"] = json!(name);
    found
}

#[tokio::test]
async fn secrets_are_masked_and_kept() {
    let served = serve().await;
    for path in ["indexer", "downloadclient", "importlist", "notification", "metadata"] {
        for id in served.sonarr.ids(path) {
            let shown = served.get(&format!("/{path}/{id}")).await.expect(200);
            let stored = served.sonarr.object(path, id).unwrap();
            for field in shown["fields"].as_array().unwrap() {
                if matches!(field["privacy"].as_str(), Some("password" | "apiKey")) {
                    assert!(
                        field.get("value").is_none_or(|value| value == "********" || value == ""),
                        "{path} {id}: {field}"
                    );
                }
            }
            // Sent back, the mask keeps what is stored; nothing changed, so nothing is tested either.
            served.put(&format!("/{path}/{id}"), &shown).await.expect(202);
            assert_eq!(served.sonarr.object(path, id).unwrap(), stored, "{path} {id}");
        }
    }
    let stored = served.sonarr.object("indexer", 1).unwrap();
    assert!(field(&stored, "apiKey").as_str().unwrap().contains("canary"));
}

#[tokio::test]
async fn an_absent_field_goes_back_to_its_default() {
    let served = serve().await;
    let mut indexer = served.get("/indexer/2").await.expect(200);
    indexer["fields"].as_array_mut().unwrap().retain(|field| field["name"] != "minimumSeeders");
    let stored = served.put("/indexer/2", &indexer).await.expect(202);
    assert_eq!(field(&stored, "minimumSeeders"), &json!(1));
}

#[tokio::test]
async fn settings_and_tests_follow_the_table_of_force() {
    let served = serve().await;
    // (host, category, POST, POST force, PUT force)
    let cases = [
        ("ok.example", "tv", 201, 201, 202),
        ("", "tv", 400, 400, 400),
        ("ok.example", "", 400, 201, 202),
        ("a.unreachable.example", "tv", 400, 400, 202),
        ("a.warning.example", "tv", 400, 201, 202),
    ];
    for (index, (host, category, post, force, put)) in cases.into_iter().enumerate() {
        let mut client = template(&served, "downloadclient", "Sabnzbd", &format!("client {index}")).await;
        set(&mut client, "host", json!(host));
        set(&mut client, "tvCategory", json!(category));
        assert_eq!(served.post("/downloadclient", &client).await.status, post, "POST {host} {category}");
        client["name"] = json!(format!("forced {index}"));
        assert_eq!(served.post("/downloadclient?forceSave=true", &client).await.status, force, "POST force {host}");
        let mut known = served.get("/downloadclient/1").await.expect(200);
        set(&mut known, "host", json!(host));
        set(&mut known, "tvCategory", json!(category));
        assert_eq!(served.put("/downloadclient/1?forceSave=true", &known).await.status, put, "PUT force {host}");
        client["name"] = json!(format!("tested {index}"));
        let test = served.post("/downloadclient/test", &client).await.status;
        assert_eq!(test, if post == 201 { 200 } else { 400 }, "test {host}");
        let forced = served.post("/downloadclient/test?forceTest=true", &client).await.status;
        let settings_only = host == "ok.example";
        assert_eq!(forced, if settings_only { 200 } else { 400 }, "forced test {host}");
        // A disabled provider is stored without validation or test.
        client["name"] = json!(format!("disabled {index}"));
        client["enable"] = json!(false);
        assert_eq!(served.post("/downloadclient", &client).await.status, 201, "disabled {host}");
    }
}

#[tokio::test]
async fn failures_of_providers_carry_more_members() {
    let served = serve().await;
    let mut client = template(&served, "downloadclient", "QBittorrent", "q").await;
    set(&mut client, "host", json!("q.warning.example"));
    let failed = served.post("/downloadclient/test", &client).await.expect(400);
    assert_eq!(failed[0]["isWarning"], true);
    assert_eq!(failed[0]["severity"], "warning");
    assert!(failed[0]["infoLink"].is_string());
    set(&mut client, "host", json!("q.unreachable.example"));
    let failed = served.post("/downloadclient/test", &client).await.expect(400);
    assert_eq!((&failed[0]["isWarning"], &failed[0]["propertyName"]), (&json!(false), &json!("Host")));
}

#[tokio::test]
async fn a_good_test_answers_the_text_of_an_empty_object() {
    let served = serve().await;
    let client = served.get("/downloadclient/1").await.expect(200);
    let request = served.request("POST", "/api/v3/downloadclient/test").json(&client);
    let named = served.send(request.header("Accept", "application/json")).await;
    assert_eq!(named.expect(200), json!("{}"));
    let any = served.send(served.request("POST", "/api/v3/downloadclient/test").json(&client)).await;
    assert_eq!((any.status, any.text().as_str()), (200, "{}"));
    assert!(any.header("content-type").unwrap().starts_with("text/plain"));
}

#[tokio::test]
async fn testing_all_is_400_with_a_good_body_when_one_fails() {
    let served = serve().await;
    let answer = served.call("POST", "/indexer/testall", None).await.expect(400);
    let list = answer.as_array().unwrap();
    assert_eq!(list.len(), 3);
    let bad: Vec<&Value> = list.iter().filter(|row| row["isValid"] == false).collect();
    assert_eq!(bad.len(), 1);
    assert!(bad[0]["validationFailures"][0].get("isWarning").is_none());
    for path in ["downloadclient", "notification", "metadata", "importlist"] {
        let list = served.call("POST", &format!("/{path}/testall"), None).await.expect(200);
        assert!(list.as_array().unwrap().iter().all(|row| row["isValid"] == true), "{path}");
    }
}

#[tokio::test]
async fn shared_rules_come_first() {
    let served = serve().await;
    let good = template(&served, "indexer", "Newznab", "new").await;
    let cases = [
        ("name", json!(""), "Name"),
        ("name", json!("MEADOW index"), "Name"),
        ("implementation", json!(""), "Implementation"),
        ("configContract", json!(""), "ConfigContract"),
        ("downloadClientId", json!(77), "DownloadClientId"),
        ("fields", Value::Null, "Fields"),
    ];
    for (member, value, property) in cases {
        let mut row = good.clone();
        row[member] = value;
        assert_eq!(served.post("/indexer", &row).await.expect(400)[0]["propertyName"], property);
    }
    let mut unknown = good.clone();
    unknown["configContract"] = json!("NoSettings");
    assert_eq!(served.post("/indexer", &unknown).await.status, 500);
    let mut list = template(&served, "importlist", "CustomImport", "l").await;
    list["rootFolderPath"] = json!("/nope");
    let failed = served.post("/importlist", &list).await.expect(400);
    let told: Vec<&str> = failed.as_array().unwrap().iter().filter_map(|rule| rule["propertyName"].as_str()).collect();
    assert_eq!(told, ["RootFolderPath", "QualityProfileId"]);
    assert_eq!(served.put("/indexer/99", &good).await.expect(404)["title"], "Not Found");
}

#[tokio::test]
async fn bulk_changes_are_lists() {
    let served = serve().await;
    let body = json!({"ids": [1, 2], "priority": 40, "enableRss": false, "tags": [3]});
    let changed = served.put("/indexer/bulk", &body).await.expect(202);
    assert_eq!(changed.as_array().unwrap().len(), 2);
    for indexer in changed.as_array().unwrap() {
        assert_eq!(
            (&indexer["priority"], &indexer["enableRss"], &indexer["enableInteractiveSearch"]),
            (&json!(40), &json!(false), &json!(true))
        );
        assert!(indexer["tags"].as_array().unwrap().contains(&json!(3)));
    }
    assert_eq!(served.put("/indexer/bulk", &json!({"ids": []})).await.status, 400);
    assert_eq!(served.put("/indexer/bulk", &json!({"ids": [1, 99]})).await.status, 500);
    for path in ["indexer", "downloadclient", "importlist"] {
        let gone = served.call("DELETE", &format!("/{path}/bulk"), Some(&json!({"ids": [1, 99]}))).await;
        assert_eq!(gone.expect(200), json!({}), "{path}");
        assert!(!served.sonarr.ids(path).contains(&1));
    }
    for path in ["notification", "metadata"] {
        assert_eq!(served.call("DELETE", &format!("/{path}/1"), None).await.expect(200), json!({}));
    }
}

#[tokio::test]
async fn actions_depend_on_the_implementation() {
    let served = serve().await;
    let indexer = served.get("/indexer/1").await.expect(200);
    let categories = served.post("/indexer/action/newznabCategories?x=1", &indexer).await.expect(200);
    assert!(categories["options"].as_array().unwrap().len() > 2);
    assert_eq!(served.post("/indexer/action/other", &indexer).await.expect(200), json!({}));
    let list = served.get("/importlist/2").await.expect(200);
    let profiles = served.post("/importlist/action/getProfiles", &list).await.expect(200);
    assert_eq!(profiles["options"].as_array().unwrap().len(), 5);
}
