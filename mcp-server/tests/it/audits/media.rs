//! Files that are not what they are recorded as.

use serde_json::{Value, json};

use super::planted::Planted;

#[tokio::test]
async fn a_quality_that_the_picture_contradicts_is_recorded_as_it_is() {
    let house = Planted::with("quality_contradicts_streams").await;
    let rows = house.finds_what_was_planted("audit_media").await;
    house.mend(&rows[0]).await;
    for file in rows[0]["episodeFileIds"].as_array().unwrap() {
        let file = house.house.sonarr.object("episodefile", file.as_i64().unwrap()).unwrap();
        assert_eq!(file["quality"]["quality"]["resolution"], json!(720), "{file}");
    }
    assert_eq!(house.find("audit_media").await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_file_that_breaks_off_is_deleted() {
    let house = Planted::with("running_time_off").await;
    let rows = house.finds_what_was_planted("audit_media").await;
    assert!(rows[0]["reason"].as_str().unwrap().contains("runs for 4.2 of"), "{rows:?}");
    house.mend(&rows[0]).await;
    assert_eq!(house.find("audit_media").await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_file_in_another_language_than_all_others_is_deleted() {
    let house = Planted::with("language_unwanted").await;
    let rows = house.finds_what_was_planted("audit_media").await;
    assert!(rows[0]["reason"].as_str().unwrap().contains("speaks ger"), "{rows:?}");
    house.mend(&rows[0]).await;
    assert_eq!(house.find("audit_media").await, [] as [Value; 0]);
}

/// Where a custom format with a score looks at languages, it says what is wanted.
#[tokio::test]
async fn what_a_profile_wants_of_languages_goes_before() {
    let house = Planted::with("language_unwanted").await;
    let german = json!({
        "name": "German", "includeCustomFormatWhenRenaming": false,
        "specifications": [{
            "name": "german", "implementation": "LanguageSpecification", "negate": false, "required": true,
            "fields": [{"name": "value", "value": 4}],
        }],
    });
    let (format, _) = house.house.get("profiles_formats", "create_custom_format", json!({"body": german})).await;
    let series = house.rows()[0]["seriesId"].as_i64().unwrap();
    let profile = house.house.sonarr.object("series", series).unwrap()["qualityProfileId"].clone();
    let mut items =
        house.house.sonarr.object("qualityprofile", profile.as_i64().unwrap()).unwrap()["formatItems"].clone();
    for item in items.as_array_mut().unwrap() {
        if item["format"] == format["id"] {
            item["score"] = json!(100);
        }
    }
    let patch = json!({"id": profile, "patch": {"formatItems": items}});
    house.house.call("profiles_formats", "update_quality_profile", patch).await.unwrap();
    assert_eq!(house.find("audit_media").await, [] as [Value; 0]);
}
