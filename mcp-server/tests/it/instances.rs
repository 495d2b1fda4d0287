//! Several instances of Sonarr behind one server.

use embedded_sonarr::{EmbeddedSonarr, Options};
use serde_json::{Value, json};

use crate::session::{Session, command};

async fn two() -> [EmbeddedSonarr; 2] {
    [EmbeddedSonarr::start(Options::default()).await.unwrap(), EmbeddedSonarr::start(Options::default()).await.unwrap()]
}

fn variables(instances: &[EmbeddedSonarr; 2]) -> Vec<(&'static str, String)> {
    let [hd, uhd] = instances;
    vec![
        ("SONARR_MCP_INSTANCE", format!("hd={},4k={}/api/v3", hd.url(), uhd.url())),
        ("SONARR_API_KEY_HD", hd.api_key().to_owned()),
        ("SONARR_API_KEY_4K", uhd.api_key().to_owned()),
    ]
}

fn borrowed(variables: &[(&'static str, String)]) -> Vec<(&'static str, &'static str)> {
    variables.iter().map(|(name, value)| (*name, &*value.clone().leak())).collect()
}

fn labels(answer: &Value) -> String {
    answer["structuredContent"].to_string()
}

#[tokio::test]
async fn a_call_reaches_the_instance_it_names() {
    let instances = two().await;
    let mut session = Session::spawn(&borrowed(&variables(&instances))).await;
    let tools = session.request("tools/list", json!({})).await;
    let schema = &tools["result"]["tools"][0]["inputSchema"];
    assert_eq!(schema["properties"]["instance"]["enum"], json!(["hd", "4k"]));

    let create = |instance: &str| json!({"operation": "create_tag", "instance": instance, "arguments": {"body": {"label": format!("only-{instance}")}}});
    for instance in ["hd", "4k"] {
        let created = session.call("sonarr_tags", create(instance)).await;
        assert_ne!(created["isError"], true, "{created}");
    }
    for (instance, other) in [("hd", "4k"), ("4k", "hd")] {
        let tags = session.call("sonarr_tags", json!({"operation": "list_tags", "instance": instance})).await;
        assert!(labels(&tags).contains(&format!("only-{instance}")), "{tags}");
        assert!(!labels(&tags).contains(&format!("only-{other}")), "{tags}");
    }
    let failure = session.fail("sonarr_tags", json!({"operation": "list_tags"})).await;
    assert_eq!((&failure["path"], &failure["accepted"]), (&json!("instance"), &json!(["hd", "4k"])));
}

#[tokio::test]
async fn the_key_of_one_instance_is_not_sent_to_another() {
    let instances = two().await;
    let mut variables = variables(&instances);
    if let Some((_, key)) = variables.last_mut() {
        *key = "0".repeat(32);
    }
    let mut session = Session::spawn(&borrowed(&variables)).await;
    let hd = session.call("sonarr_tags", json!({"operation": "list_tags", "instance": "hd"})).await;
    assert_ne!(hd["isError"], true, "{hd}");
    let failure = session.fail("sonarr_tags", json!({"operation": "list_tags", "instance": "4k"})).await;
    assert_eq!(failure["code"], "key_refused");
    assert!(failure["cure"].as_str().unwrap().contains("SONARR_API_KEY_4K"), "{failure}");
}

#[tokio::test]
async fn a_file_names_them_and_check_checks_each() {
    let [hd, uhd] = two().await;
    let file = std::env::temp_dir().join(format!("sonarr-mcp-two-{}.toml", std::process::id()));
    let text = format!(
        "[instances.hd]\nurl = {:?}\napi_key = {:?}\n[instances.4k]\nurl = {:?}\napi_key = \"wrong\"\n",
        hd.url(),
        hd.api_key(),
        uhd.url()
    );
    std::fs::write(&file, text).unwrap();
    let output = command(&[("SONARR_MCP_CONFIG", file.to_str().unwrap())]).arg("check").output().await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("hd: API key: accepted") && said.contains("4k: API key: refused"), "{said}");

    let call = ["call", "tags", "list_tags", "--on", "hd"];
    let output = command(&[("SONARR_MCP_CONFIG", file.to_str().unwrap())]).args(call).output().await.unwrap();
    assert!(output.status.success(), "{output:?}");
    std::fs::remove_file(file).unwrap();
}
