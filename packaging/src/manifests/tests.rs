use super::{all, bundle, bundled, server};
use crate::Table;
use crate::table::Kind;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_committed_manifests_are_those_of_the_table_and_the_version() {
    for (path, due) in all(&root()).unwrap() {
        assert!(read(path) == due, "{path} is not what the table makes: run `cargo xtask regen`");
    }
}

#[test]
fn one_version_is_everywhere() {
    let mut table = Table::load(&root()).unwrap();
    table.version = "7.8.9".to_owned();
    let manifest = server(&table, Some(&"0".repeat(64)));
    assert_eq!(manifest["version"], "7.8.9");
    assert_eq!(manifest["packages"][0]["version"], "7.8.9");
    assert!(manifest["packages"][1]["identifier"].as_str().unwrap().ends_with(":7.8.9"));
    assert!(manifest["packages"][2]["identifier"].as_str().unwrap().contains("/v7.8.9/"));
    assert_eq!(bundle(&table, &bundled(&table))["version"], "7.8.9");
    let npm = super::npm(&table);
    assert_eq!(npm["version"], "7.8.9");
    let platforms = npm["optionalDependencies"].as_object().unwrap();
    assert_eq!(platforms.len(), table.platforms.len());
    assert!(platforms.values().all(|version| version == "7.8.9"), "{platforms:?}");

    // What the workspace says of its own crates.
    let version = Table::load(&root()).unwrap().version;
    let workspace: toml::Value = toml::from_str(&read("Cargo.toml")).unwrap();
    for ours in ["sonarr-client", "embedded-sonarr"] {
        let due = workspace["workspace"]["dependencies"][ours]["version"].as_str().unwrap();
        assert_eq!(due, version, "{ours}");
    }
}

#[test]
fn a_bundle_names_what_it_carries_and_nothing_else() {
    let table = Table::load(&root()).unwrap();
    let whole = bundle(&table, &bundled(&table));
    assert_eq!(whole["compatibility"]["platforms"], serde_json::json!(["linux", "darwin", "win32"]));
    let config = &whole["server"]["mcp_config"];
    assert!(config["platform_overrides"]["win32"]["command"].as_str().unwrap().ends_with("sonarr-mcp.exe"));
    let part = bundle(&table, &bundled(&table)[..1]);
    assert_eq!(part["compatibility"]["platforms"], serde_json::json!(["linux"]));
    assert_eq!(part["server"]["mcp_config"]["platform_overrides"], Value::Null);
}

#[test]
fn a_host_is_told_which_values_are_secret() {
    let table = Table::load(&root()).unwrap();
    for setting in &table.settings {
        let secret = setting.variable.ends_with("API_KEY");
        assert_eq!(setting.kind == Kind::Secret, secret, "{}", setting.variable);
    }
    let manifest = bundle(&table, &bundled(&table));
    assert_eq!(manifest["user_config"]["api_key"]["sensitive"], true);
    // What is asked without a default would reach the program as the placeholder itself.
    for (key, question) in manifest["user_config"].as_object().unwrap() {
        assert!(question["required"] == true || !question["default"].is_null(), "{key}");
        let handed = manifest["server"]["mcp_config"]["env"].as_object().unwrap();
        assert!(handed.values().any(|value| *value == format!("${{user_config.{key}}}")), "{key}");
    }
}
