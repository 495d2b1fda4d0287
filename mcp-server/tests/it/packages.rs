//! What is shipped, installed as a user would and spoken to: the npm packages and the bundle.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use packaging::{Binary, Kind, Table};
use serde_json::Value;
use sonarr_mcp::cli::Cli;
use sonarr_mcp::config::{API_KEY, AUTH_TOKEN};
use tokio::process::Command;

use crate::session::Session;

/// A folder that is there while a test runs.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sonarr-mcp-packages-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The program of this build, as if it had been built for the platform packages are made for; without its symbols,
/// which are half of it, where there is a tool to take them out.
async fn binary(table: &Table, folder: &Folder) -> Binary {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let cpu = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let platform = table.platforms.iter().find(|platform| platform.os == os && platform.cpu == cpu).unwrap();
    let whole = Path::new(env!("CARGO_BIN_EXE_sonarr-mcp"));
    let small = folder.0.join("stripped").join(whole.file_name().unwrap());
    std::fs::create_dir_all(small.parent().unwrap()).unwrap();
    let stripped = Command::new("strip").arg("-o").arg(&small).arg(whole).status().await;
    let file = if stripped.is_ok_and(|status| status.success()) { small } else { whole.to_owned() };
    Binary { target: platform.target.clone(), file }
}

async fn npm(folder: &Path, arguments: &[&str], files: &[PathBuf]) {
    let mut npm = Command::new("npm");
    npm.args(arguments).args(files).current_dir(folder);
    // Neither a registry nor what an earlier run fetched.
    npm.env("npm_config_cache", folder.join("cache")).args(["--offline", "--ignore-scripts", "--no-audit"]);
    let output = npm.output().await.expect("these tests need Node 18 or newer with its npm");
    assert!(output.status.success(), "npm {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A command with no variable of ours but these.
fn command(program: impl AsRef<std::ffi::OsStr>, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SONARR_")) {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command
}

/// Shakes hands and lists the tools.
async fn speak(command: Command) -> Vec<Value> {
    let mut session = Session::start(command);
    let server = session.initialize().await["serverInfo"].clone();
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    let tools = session.request("tools/list", serde_json::json!({})).await["result"]["tools"].clone();
    session.close();
    let (status, errors) = session.ended().await;
    assert!(status.success(), "{errors}");
    tools.as_array().unwrap().clone()
}

#[tokio::test]
async fn the_npm_packages_install_without_a_registry_and_serve() {
    let table = Table::load(root()).unwrap();
    let folder = Folder::new("npm");
    let tarballs = packaging::pack_npm(root(), &table, &[binary(&table, &folder).await], &folder.0).unwrap();
    assert_eq!(tarballs.len(), 2, "{tarballs:?}");
    npm(&folder.0, &["install", "--no-save", "--prefix", "."], &tarballs).await;

    let program = folder.0.join("node_modules/.bin").join(&table.name);
    assert_eq!(speak(command(&program, &[])).await.len(), 15);
    let version = command(&program, &[]).arg("--version").output().await.unwrap();
    assert_eq!(String::from_utf8_lossy(&version.stdout), format!("sonarr-mcp {}\n", table.version));
    // The status of the program is that of the package's command, and so is what it says.
    let wrong = command(&program, &[("SONARR_MCP_TIMEOUT", "soon")]).arg("check").output().await.unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("SONARR_MCP_TIMEOUT"));

    // A host ends the package's command, and means the program: standard input is open still, so only the signal can
    // have ended it.
    let mut session = Session::start(command(&program, &[]));
    session.initialize().await;
    let signalled = Command::new("kill").arg(session.process_id().to_string()).status().await.unwrap();
    assert!(signalled.success());
    let (status, errors) = session.ended().await;
    assert!(status.success(), "{status}: {errors}");
}

#[tokio::test]
async fn an_npm_package_without_its_platform_says_what_to_do() {
    let table = Table::load(root()).unwrap();
    let folder = Folder::new("alone");
    let tarballs = packaging::pack_npm(root(), &table, &[], &folder.0).unwrap();
    npm(&folder.0, &["install", "--no-save", "--prefix", "."], &tarballs).await;
    let output = command(folder.0.join("node_modules/.bin").join(&table.name), &[]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("is missing") && told.contains(&table.npm_name()), "{told}");
}

#[tokio::test]
async fn the_bundle_unpacks_to_what_its_manifest_runs() {
    let table = Table::load(root()).unwrap();
    let folder = Folder::new("bundle");
    let bundle = packaging::pack_bundle(root(), &table, &[binary(&table, &folder).await], &folder.0).unwrap().unwrap();
    let opened = folder.0.join("opened");
    zip::ZipArchive::new(std::fs::File::open(&bundle).unwrap()).unwrap().extract(&opened).unwrap();
    let manifest: Value = serde_json::from_slice(&std::fs::read(opened.join("manifest.json")).unwrap()).unwrap();
    assert!(opened.join(manifest["server"]["entry_point"].as_str().unwrap()).is_file());

    for read_only in [None, Some("true")] {
        // What a host does with the answers of the user and the defaults of the rest.
        let questions = manifest["user_config"].as_object().unwrap();
        let answer = |key: &str| match (key, read_only) {
            ("api_key", _) => "0123456789abcdef0123456789abcdef".to_owned(),
            ("read_only", Some(answer)) => answer.to_owned(),
            _ => questions[key]["default"].to_string().trim_matches('"').to_owned(),
        };
        let fill = |text: &Value| {
            let mut text = text.as_str().unwrap().replace("${__dirname}", opened.to_str().unwrap());
            for key in questions.keys() {
                text = text.replace(&format!("${{user_config.{key}}}"), &answer(key));
            }
            assert!(!text.contains("${"), "{text}");
            text
        };
        let config = &manifest["server"]["mcp_config"];
        let variables: Vec<(&String, String)> =
            config["env"].as_object().unwrap().iter().map(|(name, value)| (name, fill(value))).collect();
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let tools = speak(command(fill(&config["command"]), &variables)).await;
        let writing = tools.iter().filter(|tool| tool["annotations"]["readOnlyHint"] != true).count();
        assert_eq!(tools.len(), 15);
        assert_eq!(writing == 0, read_only.is_some(), "{writing} tools write");
    }
}

/// Every variable of ours with the help of its flag, but for the transports and the demonstration's details, which no
/// host that starts a program has a use for.
fn variables() -> BTreeMap<String, (String, bool)> {
    let command = Cli::command();
    let listed = command.get_arguments().filter(|argument| {
        let long = argument.get_long().unwrap_or_default();
        argument.get_help_heading() != Some("Transport") && !long.starts_with("demo-")
    });
    listed
        .filter_map(|argument| {
            let variable = argument.get_env()?.to_str().unwrap().to_owned();
            let switch = argument.get_num_args().is_some_and(|number| number.min_values() == 0);
            Some((variable, (argument.get_help().unwrap().to_string(), switch)))
        })
        .collect()
}

#[test]
fn the_settings_of_the_manifests_are_those_of_the_program() {
    let table = Table::load(root()).unwrap();
    let mut known = variables();
    assert!(known.len() > 12, "{known:?}");
    assert!(!table.settings.iter().any(|setting| setting.variable == AUTH_TOKEN));
    for setting in &table.settings {
        if setting.variable == API_KEY {
            assert_eq!(setting.kind, Kind::Secret);
            continue;
        }
        let (help, switch) = known.remove(&setting.variable).unwrap_or_else(|| panic!("no {}", setting.variable));
        let default = setting.default.as_ref().map(|default| format!(" [default: {default}]")).unwrap_or_default();
        assert_eq!(format!("{}{default}", setting.description), help, "{}", setting.variable);
        assert_eq!(setting.kind == Kind::Switch, switch, "{}", setting.variable);
    }
    assert!(known.is_empty(), "packaging/packages.toml does not name {:?}", known.keys());
}
