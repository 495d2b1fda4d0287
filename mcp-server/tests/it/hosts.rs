//! The guide to hosts: each of its snippets is read as the host reads it, and does what it says.

use embedded_sonarr::{EmbeddedSonarr, Options};
use serde_json::{Map, Value, json};

use crate::listening::Program;
use crate::session::Session;
use crate::transport::client;

const GUIDE: &str = include_str!("../../../docs/hosts.md");

/// The README's section on it has the shortest of the snippets.
const README: &str = include_str!("../../../README.md");

/// What the guide calls the address, the key and the token that a reader has.
const URL: &str = "http://localhost:8989";
const KEYS: [&str; 4] = ["your-api-key", "${input:sonarr-api-key}", "${env:SONARR_API_KEY}", "${SONARR_API_KEY}"];
const TOKENS: [&str; 3] = ["your-token", "${input:sonarr-token}", "${env:SONARR_MCP_TOKEN}"];

/// What a snippet makes a host do.
#[derive(Debug, PartialEq)]
enum Connection {
    /// Starts a program, with arguments and variables.
    Program { command: String, args: Vec<String>, env: Vec<(String, String)> },
    /// Goes to an address with this header `Authorization`.
    Address { url: String, authorization: String },
    /// Starts the program as a server on the network.
    Listener { args: Vec<String> },
}

/// The headings, languages and texts of the fenced blocks.
fn snippets(page: &'static str) -> Vec<(&'static str, &'static str, String)> {
    let (mut found, mut heading, mut open) = (Vec::new(), "", None::<(&'static str, String)>);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language, String::new())),
            (None, None) => heading = line.strip_prefix("## ").unwrap_or(heading),
            (Some(_), Some(_)) => {
                let (language, text) = open.take().unwrap();
                found.push((heading, language, text));
            }
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    assert!(open.is_none());
    found
}

/// Reads a snippet as its host does.
fn read(heading: &str, language: &str, text: &str) -> Connection {
    match language {
        "json" => of_settings(heading, &serde_json::from_str(text).unwrap()),
        "toml" => of_settings(heading, &toml::from_str(text).unwrap()),
        "sh" => of_shell(text),
        other => panic!("{heading}: a snippet in {other} that no test reads"),
    }
}

fn of_settings(heading: &str, settings: &Value) -> Connection {
    let (member, typed) = match heading {
        "VS Code" => ("servers", true),
        "Zed" => ("context_servers", false),
        "Codex" => ("mcp_servers", false),
        "Claude Desktop" | "Claude Code" | "Cursor" | "Connect it" => ("mcpServers", false),
        "By URL" => (
            ["servers", "mcpServers", "mcp_servers"].into_iter().find(|name| settings[name].is_object()).unwrap(),
            false,
        ),
        other => panic!("a host that no test knows: {other}"),
    };
    let server = settings[member]["sonarr"].as_object().unwrap();
    assert_eq!(settings[member].as_object().unwrap().len(), 1);
    // What is asked for is declared, and the other way round.
    let inputs = settings["inputs"].as_array().cloned().unwrap_or_default();
    let asked: Vec<String> =
        inputs.iter().map(|input| format!("${{input:{}}}", input["id"].as_str().unwrap())).collect();
    for input in &inputs {
        assert_eq!((input["type"].as_str(), input["password"].as_bool()), (Some("promptString"), Some(true)));
    }
    let written = json!(server).to_string();
    assert!(asked.iter().all(|input| written.contains(input.as_str())));
    assert_eq!(written.matches("${input:").count(), asked.len());
    match server.get("url").and_then(Value::as_str) {
        Some(url) => {
            assert!(server.get("type").is_none_or(|kind| kind == "http"));
            Connection::Address { url: url.to_owned(), authorization: authorization(server) }
        }
        None => {
            assert!(if typed {
                server["type"] == "stdio"
            } else {
                server.get("type").is_none_or(|kind| kind == "stdio")
            });
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let env = server["env"].as_object().unwrap();
            Connection::Program {
                command: text(&server["command"]),
                args: server.get("args").and_then(Value::as_array).into_iter().flatten().map(text).collect(),
                env: env.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            }
        }
    }
}

fn authorization(server: &Map<String, Value>) -> String {
    if let Some(variable) = server.get("bearer_token_env_var") {
        return format!("Bearer ${{env:{}}}", variable.as_str().unwrap());
    }
    server["headers"]["Authorization"].as_str().unwrap().to_owned()
}

/// Reads a command that adds the server to a host, or that starts it.
fn of_shell(text: &str) -> Connection {
    let words = words(text.trim());
    let at = |name: &str| words.iter().position(|word| word == name);
    let after = |flag: &str| -> Vec<String> {
        let places = words.iter().enumerate().filter(|(_, word)| *word == flag);
        places.map(|(place, _)| words[place + 1].clone()).collect()
    };
    let pairs = |flag: &str| -> Vec<(String, String)> {
        let split =
            |pair: &String| pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap();
        after(flag).iter().map(split).collect()
    };
    let program = |rest: &[String], env| {
        let (command, args) = rest.split_first().unwrap();
        Connection::Program { command: command.clone(), args: args.to_vec(), env }
    };
    match words[0].as_str() {
        "sonarr-mcp" => Connection::Listener { args: words[1..].to_vec() },
        "claude" | "codex" => {
            assert_eq!(words[1..3], ["mcp", "add"]);
            assert!(words.contains(&"sonarr".to_owned()));
            if let [kind] = after("--transport").as_slice() {
                assert_eq!(kind, "http");
                let url = words.iter().find(|word| word.starts_with("http://")).unwrap().clone();
                let header = after("--header").pop().unwrap();
                let (name, value) = header.split_once(": ").unwrap();
                assert_eq!(name, "Authorization");
                return Connection::Address { url, authorization: value.to_owned() };
            }
            program(&words[at("--").unwrap() + 1..], pairs("--env"))
        }
        "npx" => {
            assert_eq!(words[1], "@modelcontextprotocol/inspector");
            let place = at("sonarr-mcp").unwrap();
            program(&words[place..=place], pairs("-e"))
        }
        other => panic!("a command that no test knows: {other}"),
    }
}

/// The words of a shell's line with nothing but double quotes in it.
fn words(line: &str) -> Vec<String> {
    assert!(!line.contains(['\'', '\\', '\n', '$', '|', '>']), "{line}");
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(number, part)| -> Vec<String> {
            if number % 2 == 1 { vec![part.to_owned()] } else { part.split_whitespace().map(str::to_owned).collect() }
        })
        .collect()
}

/// What a reader puts in the place of a value.
fn filled(value: &str, sonarr: &EmbeddedSonarr) -> String {
    if value == URL || value == format!("${{SONARR_URL:-{URL}}}") {
        return sonarr.url();
    }
    if KEYS.contains(&value) {
        return sonarr.api_key().to_owned();
    }
    assert!(!value.contains("your-") && !value.contains("${"), "{value}");
    value.to_owned()
}

#[tokio::test]
async fn each_snippet_does_what_it_says() {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let (mut programs, mut addresses, mut listeners) = (0, 0, 0);
    let token = "0123456789abcdef0123456789";
    let program = Program::start("http", &[("SONARR_MCP_DEMO", "1"), ("SONARR_MCP_AUTH_TOKEN", token)]).await;
    let of_readme = snippets(README).into_iter().filter(|(heading, language, text)| {
        *heading == "Connect it" && (*language == "json" || text.starts_with("claude "))
    });
    for (heading, language, text) in snippets(GUIDE).into_iter().chain(of_readme) {
        match read(heading, language, &text) {
            Connection::Program { command, args, env } => {
                assert_eq!(command, "sonarr-mcp", "{heading}");
                let env: Vec<(String, String)> =
                    env.into_iter().map(|(name, value)| (name, filled(&value, &sonarr))).collect();
                let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let mut session = Session::spawn_with(&args, &env).await;
                let tools = session.request("tools/list", json!({})).await;
                assert_eq!(tools["result"]["tools"].as_array().map(Vec::len), Some(15), "{heading}");
                let result = session.call("sonarr_tags", json!({"operation": "list_tags"})).await;
                assert_ne!(result["isError"], true, "{heading}: {result}");
                programs += 1;
            }
            Connection::Address { url, authorization } => {
                let path = url.strip_prefix("http://127.0.0.1:8990").unwrap();
                let given = TOKENS.iter().find_map(|known| Some(authorization.strip_suffix(known)?.to_owned() + token));
                let message = client::stateless_call(1, "sonarr_tags", json!({"operation": "list_tags"}));
                let request = client::stateless(&format!("{}{path}", program.url), &message);
                assert_eq!(request.try_clone().unwrap().send().await.unwrap().status(), 401, "{heading}");
                let answer = request.header("authorization", given.unwrap()).send().await.unwrap();
                let answer: Value = answer.json().await.unwrap();
                assert_ne!(answer["result"]["isError"], true, "{heading}: {answer}");
                addresses += 1;
            }
            Connection::Listener { args } => {
                assert_eq!(args, ["--transport", "http", "--auth-token-file", "token"], "{heading}");
                listeners += 1;
            }
        }
    }
    assert_eq!((programs, addresses, listeners), (12, 4, 1));
}

#[test]
fn the_guide_has_each_host_and_is_found_from_the_readme() {
    assert!(README.contains("docs/hosts.md"));
    let hosts: Vec<&str> = GUIDE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    for host in ["Claude Desktop", "Claude Code", "VS Code", "Cursor", "Zed", "Codex", "MCP Inspector"] {
        assert!(hosts.contains(&host), "{host}");
    }
}
