//! Settings that do nothing.

use serde_json::json;

use super::{COMMAND, Journey, differing};

#[tokio::test]
async fn an_unused_profile() {
    let journey = Journey::to("quality_profile_unused").await;
    let before = journey.state();
    journey.mend(COMMAND).await;
    let [(Some(gone), None)] = &differing(&before, &journey.state())[..] else { panic!("one profile is gone") };
    let mut again = gone.clone();
    again.as_object_mut().unwrap().remove("id");
    journey.put_back("profiles_formats", "create_quality_profile", json!({"body": again})).await;
    // It has another id now, and nothing else is different.
    let [(Some(_), None), (None, Some(made))] = &differing(&before, &journey.state())[..] else { panic!("{again}") };
    let mut made = made.clone();
    made.as_object_mut().unwrap().remove("id");
    assert_eq!(made, again);
    assert_eq!(journey.worklist().await.len(), 1);
}
