//! The manifests: what the MCP registry, Glama, npm and MCPB hosts read.

use crate::table::{Kind, Platform, Setting, Table};
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The revision of the registry's schema the manifest is written for.
const SERVER_SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The revision of the bundle's manifest: the newest that hosts beyond the newest read.
const BUNDLE_REVISION: &str = "0.3";

/// The oldest Node whose `require` and `child_process` the launcher is tested to need.
const NODE: &str = ">=18";

/// Every committed manifest: its path from the workspace root, and its text.
///
/// `glama.json` lies in the root, because Glama looks for it there and nowhere else. The others are given to their
/// programs by path.
///
/// # Errors
/// When the table cannot be read.
pub fn all(root: &Path) -> Result<Vec<(&'static str, String)>> {
    let table = Table::load(root)?;
    let files = [
        ("glama.json", glama(&table)),
        ("packaging/server.json", server(&table, None)),
        ("packaging/mcpb/manifest.json", bundle(&table, &bundled(&table))),
        ("packaging/npm/package.json", npm(&table)),
    ];
    files.into_iter().map(|(path, manifest)| Ok((path, text(&manifest)?))).collect()
}

/// A manifest as it stands in a file.
pub(crate) fn text(manifest: &Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(manifest)? + "\n")
}

/// Who may claim the listing on Glama.
pub fn glama(table: &Table) -> Value {
    json!({ "$schema": "https://glama.ai/mcp/schemas/server.json", "maintainers": [table.owner()] })
}

/// The manifest for the MCP registry. The bundle is listed with the sum of the file that is released, and therefore
/// only once there is one.
pub fn server(table: &Table, bundle_sha256: Option<&str>) -> Value {
    let transport = json!({ "type": "stdio" });
    let mut packages = vec![
        json!({
            "registryType": "npm",
            "identifier": table.npm_name(),
            "version": table.version,
            "transport": transport,
            "environmentVariables": variables(table, |_| true),
        }),
        json!({
            "registryType": "oci",
            "identifier": format!("{}:{}", table.image(), table.version),
            "transport": transport,
            // A path on the user's disk means nothing within the container.
            "environmentVariables": variables(table, |setting| setting.kind != Kind::File),
        }),
    ];
    if let Some(sum) = bundle_sha256 {
        packages.push(json!({
            "registryType": "mcpb",
            "identifier": table.bundle_url(),
            "fileSha256": sum,
            "transport": transport,
            "environmentVariables": variables(table, |setting| setting.ask.is_some()),
        }));
    }
    json!({
        "$schema": SERVER_SCHEMA,
        "name": table.registry_name(),
        "title": table.title,
        "description": table.description,
        "version": table.version,
        "repository": { "url": table.url(), "source": "github", "subfolder": "mcp-server" },
        "packages": packages,
    })
}

fn variables(table: &Table, wanted: impl Fn(&Setting) -> bool) -> Vec<Value> {
    let row = |setting: &Setting| {
        let mut row = Map::new();
        let mut put = |name: &str, value: Value| row.insert(name.to_owned(), value);
        put("name", json!(setting.variable));
        put("description", json!(setting.description));
        match setting.kind {
            Kind::Text => {}
            Kind::Secret => drop(put("isSecret", json!(true))),
            Kind::Switch => drop(put("format", json!("boolean"))),
            Kind::Number => drop(put("format", json!("number"))),
            Kind::File => drop(put("format", json!("filepath"))),
        }
        if setting.required {
            put("isRequired", json!(true));
        }
        match (&setting.default, setting.kind) {
            (Some(default), _) => drop(put("default", json!(default))),
            (None, Kind::Switch) => drop(put("default", json!("false"))),
            (None, _) => {}
        }
        if let Some(example) = &setting.example {
            put("placeholder", json!(example));
        }
        Value::Object(row)
    };
    table.settings.iter().filter(|setting| wanted(setting)).map(row).collect()
}

/// The platforms whose binaries a complete bundle carries, one for each system.
pub fn bundled(table: &Table) -> Vec<&Platform> {
    table.platforms.iter().filter(|platform| platform.bundle.is_some()).collect()
}

/// Where a bundle keeps the program for a system.
pub fn bundle_path(table: &Table, platform: &Platform) -> String {
    format!("server/{}/{}", platform.os, table.program(&platform.os))
}

/// The manifest of a bundle that carries binaries for these platforms.
pub fn bundle(table: &Table, platforms: &[&Platform]) -> Value {
    let command = |platform: &Platform| format!("${{__dirname}}/{}", bundle_path(table, platform));
    let env: Map<String, Value> = table
        .asked()
        .map(|(setting, _)| (setting.variable.clone(), json!(format!("${{user_config.{}}}", setting.key()))))
        .collect();
    let overrides: Map<String, Value> = platforms
        .iter()
        .skip(1)
        .map(|platform| (platform.os.clone(), json!({ "command": command(platform) })))
        .collect();
    let mut config = Map::new();
    if let Some(first) = platforms.first() {
        config.insert("command".to_owned(), json!(command(first)));
    }
    config.insert("args".to_owned(), json!([]));
    config.insert("env".to_owned(), Value::Object(env));
    if !overrides.is_empty() {
        config.insert("platform_overrides".to_owned(), Value::Object(overrides));
    }
    json!({
        "manifest_version": BUNDLE_REVISION,
        "name": table.name,
        "display_name": table.title,
        "version": table.version,
        "description": table.description,
        "author": { "name": format!("The {} authors", table.name), "url": table.url() },
        "repository": { "type": "git", "url": format!("{}.git", table.url()) },
        "homepage": table.url(),
        "documentation": format!("{}#readme", table.url()),
        "support": format!("{}/issues", table.url()),
        "license": table.license,
        "keywords": table.keywords,
        "server": {
            "type": "binary",
            "entry_point": platforms.first().map(|first| bundle_path(table, first)),
            "mcp_config": config,
        },
        // Which tools there are depends on the settings.
        "tools_generated": true,
        "prompts_generated": true,
        "compatibility": {
            "platforms": platforms.iter().map(|platform| &platform.os).collect::<Vec<_>>(),
        },
        "user_config": questions(table),
    })
}

fn questions(table: &Table) -> Map<String, Value> {
    let question = |(setting, title): (&Setting, &str)| {
        let mut question = Map::new();
        let mut put = |name: &str, value: Value| question.insert(name.to_owned(), value);
        let kind = match setting.kind {
            Kind::Text | Kind::Secret => "string",
            Kind::Switch => "boolean",
            Kind::Number => "number",
            Kind::File => "file",
        };
        put("type", json!(kind));
        put("title", json!(title));
        put("description", json!(setting.description));
        put("required", json!(setting.required));
        match (setting.kind, &setting.default) {
            (Kind::Secret, _) => drop(put("sensitive", json!(true))),
            // A host leaves what has neither value nor default in the variable as it stands in the manifest.
            (Kind::Switch, _) => drop(put("default", json!(false))),
            (_, Some(default)) => drop(put("default", json!(default))),
            (_, None) => drop(put("default", json!(setting.example.as_deref().unwrap_or_default()))),
        }
        (setting.key(), Value::Object(question))
    };
    table.asked().map(question).collect()
}

/// The manifest of the npm package people install.
pub fn npm(table: &Table) -> Value {
    let platforms: Map<String, Value> =
        table.platforms.iter().map(|platform| (table.npm_platform_name(platform), json!(table.version))).collect();
    json!({
        "name": table.npm_name(),
        "version": table.version,
        "mcpName": table.registry_name(),
        "description": table.description,
        "keywords": table.keywords,
        "license": table.license,
        "homepage": format!("{}#readme", table.url()),
        "bugs": format!("{}/issues", table.url()),
        "repository": repository(table),
        "bin": { &table.name: "launcher.js" },
        "files": ["launcher.js", "LICENSE-*"],
        "engines": { "node": NODE },
        "optionalDependencies": platforms,
    })
}

/// The manifest of the npm package that carries the binary for a platform.
pub fn npm_platform(table: &Table, platform: &Platform) -> Value {
    json!({
        "name": table.npm_platform_name(platform),
        "version": table.version,
        "description": format!("The {} program for {} on {}", table.name, platform.os, platform.cpu),
        "license": table.license,
        "homepage": format!("{}#readme", table.url()),
        "repository": repository(table),
        "os": [platform.os],
        "cpu": [platform.cpu],
        "files": ["bin", "LICENSE-*"],
        "preferUnplugged": true,
    })
}

fn repository(table: &Table) -> Value {
    json!({ "type": "git", "url": format!("git+{}.git", table.url()), "directory": "packaging/npm" })
}

#[cfg(test)]
pub(crate) mod tests;
