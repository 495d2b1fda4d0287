//! Names in the place of ids.

use serde_json::json;
use sonarr_mcp::failure::Code;
use sonarr_mcp::write::consent::Mode;

use super::House;

const LIBRARY: &str = "media_library";

#[tokio::test]
async fn a_title_does_what_the_id_does() {
    let house = House::still(Mode::Never).await;
    let (by_id, _) = house.get(LIBRARY, "get_series", json!({"id": 6})).await;
    assert_eq!(house.requests().1, 1, "an id costs nothing");
    for name in ["Harrow & Daughters", "harrow and daughters", "HARROW & DAUGHTERS (2015)", "tvdb:9100005", "6"] {
        let (by_name, _) = house.get(LIBRARY, "get_series", json!({"id": name})).await;
        assert_eq!(by_name, by_id, "{name}");
        assert_eq!(house.requests().1, 2, "{name}");
    }
    let (found, _) = house.get(LIBRARY, "get_series", json!({"id": "The Herons Ledger UK"})).await;
    assert_eq!(found["id"], 1);

    let failure = house.call(LIBRARY, "get_series", json!({"id": "Saltmarsh Radios"})).await.unwrap_err();
    assert_eq!((failure.code, failure.path.as_deref()), (Code::InvalidArguments, Some("arguments.id")));
    assert_eq!(failure.accepted.first().map(String::as_str), Some("7 (Saltmarsh Radio (2023))"));
}

#[tokio::test]
async fn an_episode_goes_by_its_number() {
    let house = House::still(Mode::Never).await;
    let (by_id, _) = house.get(LIBRARY, "get_episode", json!({"id": 62})).await;
    for arguments in [
        json!({"id": "S01E08", "seriesId": 4}),
        json!({"id": "1x08", "series_id": "Paper Lantern Brigade"}),
        json!({"id": "paper lantern brigade S1E8"}),
        json!({"id": "tvdb:9100003 S01E08"}),
    ] {
        assert_eq!(house.get(LIBRARY, "get_episode", arguments.clone()).await.0, by_id, "{arguments}");
    }
    let failure = house.call(LIBRARY, "get_episode", json!({"id": "S01E99", "seriesId": 4})).await.unwrap_err();
    assert!(failure.message.contains("and no 99"), "{failure}");
}

#[tokio::test]
async fn names_work_in_patches_and_a_tag_is_created_when_asked() {
    let house = House::still(Mode::Never).await;
    let mut due = house.sonarr.object("series", 8).unwrap();
    let patch = json!({"qualityProfileId": "any", "tags": ["family", "+brand-new"]});
    let call = json!({"operation": "update_series", "arguments": {"id": "the quiet cartographers", "patch": patch}});

    let mut dry = call.clone();
    dry["dry_run"] = json!(true);
    house.sonarr.clear_requests();
    let (shown, _) = super::inner(&house.send(LIBRARY, dry).await.unwrap());
    assert_eq!(shown["creates_tags"], json!(["brand-new"]));
    assert_eq!(house.requests().0, Vec::<String>::new());

    let (changed, note) = super::inner(&house.send(LIBRARY, call).await.unwrap());
    let tag = *house.sonarr.ids("tag").last().unwrap();
    assert!(note.contains(&format!("created the tag `brand-new` (id {tag})")), "{note}");
    assert_eq!(house.sonarr.object("tag", tag).unwrap()["label"], "brand-new");
    due["qualityProfileId"] = json!(1);
    due["tags"] = json!([2, tag]);
    assert_eq!(house.sonarr.object("series", 8).unwrap(), due);
    assert!(changed.to_string().contains(&tag.to_string()) && !changed.to_string().contains("-1"), "{changed}");

    let patch = json!({"id": 8, "patch": {"tags": ["no-such"]}});
    let failure = house.call(LIBRARY, "update_series", patch).await.unwrap_err();
    assert!(failure.message.contains("`+no-such` creates it"), "{failure}");
}

#[tokio::test]
async fn consent_is_bound_to_the_tags_that_would_be_created() {
    let house = House::still(Mode::Always).await;
    let call = |tag: &str| json!({"operation": "update_series", "arguments": {"id": 8, "patch": {"tags": [tag]}}});
    let (asked, _) = super::inner(&house.send(LIBRARY, call("+one")).await.unwrap());
    let mut other = call("+two");
    other["confirm"] = asked["confirm"].clone();
    house.sonarr.clear_requests();
    assert_eq!(house.send(LIBRARY, other).await.unwrap_err().code, Code::NotConfirmed);
    assert_eq!(house.requests().0, Vec::<String>::new());
    let (asked, _) = super::inner(&house.send(LIBRARY, call("+one")).await.unwrap());
    let mut same = call("+one");
    same["confirm"] = asked["confirm"].clone();
    house.send(LIBRARY, same).await.unwrap();
    assert_eq!(house.requests().0, ["POST /api/v3/tag", "PUT /api/v3/series/8"]);
}

#[tokio::test]
async fn hundreds_of_ids_go_in_several_requests() {
    let house = House::still(Mode::Never).await;
    let ids = house.sonarr.ids("episode");
    let (all, _) = house.get(LIBRARY, "list_episodes", json!({"episodeIds": ids[..120]})).await;
    assert_eq!(house.requests().1, 2);
    let listed: Vec<i64> = all.as_array().unwrap().iter().filter_map(|it| it["id"].as_i64()).collect();
    assert!(ids[..120].iter().all(|id| listed.contains(id)), "{listed:?}");
    assert_eq!(listed.len(), 120);
}

#[tokio::test]
async fn several_ids_are_read_in_one_call() {
    let house = House::still(Mode::Never).await;
    let asked = json!({"ids": [8, 9_999, "Harrow & Daughters", 1]});
    let (rows, note) = house.get(LIBRARY, "get_series", asked.clone()).await;
    let ids: Vec<&serde_json::Value> = rows.as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, [8, 9_999, 6, 1]);
    assert_eq!(rows[1]["error"]["code"], "not_found", "{rows}");
    assert!(rows[0]["title"].is_string() && note.contains("1 of 4 ids"), "{note}");
    // One each, and the list of series for the title.
    assert_eq!(house.requests().1, 5);

    let (one, _) = house.get(LIBRARY, "get_series", json!({"id": 8})).await;
    assert_eq!((one, house.requests().1), (rows[0].clone(), 1));

    let call = json!({"operation": "get_series", "arguments": asked, "query": "[].id"});
    assert_eq!(super::inner(&house.send(LIBRARY, call).await.unwrap()).0, json!([8, 9_999, 6, 1]));

    let failure = house.call(LIBRARY, "get_series", json!({"ids": [1], "id": 1})).await.unwrap_err();
    assert_eq!((failure.code, failure.path.as_deref()), (Code::InvalidArguments, Some("arguments.ids")));
    assert_eq!(house.call("tags", "list_tags", json!({"ids": [1]})).await.unwrap_err().code, Code::InvalidArguments);
}
