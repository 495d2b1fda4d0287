//! Files that are not named to the format.

use serde_json::{Value, json};

use super::planted::Planted;

#[tokio::test]
async fn files_off_the_format_are_renamed() {
    let house = Planted::with("file_name_off_format").await;
    let rows = house.finds_what_was_planted("audit_names").await;
    assert!(rows[0]["reason"].as_str().unwrap().contains("`Season 01/old name 1.mkv` would be `"), "{rows:?}");
    house.mend(&rows[0]).await;
    assert_eq!(house.find("audit_names").await, [] as [Value; 0]);
}

#[tokio::test]
async fn no_name_is_wrong_while_renaming_is_off() {
    let house = Planted::with("file_name_off_format").await;
    let patch = json!({"patch": {"renameEpisodes": false}});
    house.house.call("config", "update_naming_config", patch).await.unwrap();
    let told = house.told("audit_names").await;
    assert_eq!((&told["total"], &told["examined"]["renameEpisodes"]), (&json!(0), &json!(false)), "{told}");
}

#[tokio::test]
async fn a_series_that_gives_no_answer_is_named() {
    let house = Planted::with("file_name_off_format").await;
    house.house.sonarr.inject("500@/rename".parse().unwrap());
    let told = house.told("audit_names").await;
    let unseen = told["unseen"].as_array().unwrap();
    assert_eq!((&told["total"], unseen.len()), (&json!(0), 6), "{told}");
    assert!(unseen[5].as_str().unwrap().contains("more series"), "{told}");
}
