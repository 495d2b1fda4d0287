use serde_json::json;

#[test]
fn dummy() {
    assert_eq!(super::NAME, json!("help"));
}
