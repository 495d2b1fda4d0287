//! The settings, from flags and from a file of instances, and the address among them.
//!
//! Invariant: nothing panics; a refused value never appears in the error, nor does a value whose
//! neighbour is refused; what is accepted as an address makes URLs below that address; what is
//! accepted as a part of a path stays one part.
//!
//! An input is lines of `FLAG=VALUE`; what follows on an empty line is the file of instances.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{CommandFactory, Parser};
use sonarr_client::{Client, PathSegment};
use sonarr_mcp::cli::Cli;
use sonarr_mcp::config::Config;
use sonarr_mcp::connection::Connection;

/// What is woven into values: no message has it of itself.
const CANARY: &str = "s3cret-c4nary";

/// The flags that name a file. Their value is what the file holds.
const FILES: &[&str] = &["api-key-file", "auth-token-file", "ca-file", "config"];

/// The flags whose values are not shown of accepted settings, either.
const HIDDEN: &[&str] = &["api-key-file", "auth-token-file", "ca-file", "instance", "url"];

/// A folder of this process alone.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("sonarr-fuzz-settings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for files");
    folder
});

static FLAGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let command = Cli::command();
    let flags = command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned);
    flags.filter(|flag| flag != "help" && flag != "version").collect()
});

/// Reads the settings as they are, and with a secret in each value.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // A file of instances names files of its own, and a device never ends.
    if text.contains('\0') || ["/dev", "/proc", "/sys"].iter().any(|folder| text.contains(folder)) {
        return;
    }
    let (lines, file) = text.split_once("\n\n").unwrap_or((text, ""));
    let flags: Vec<(&str, &str)> = lines
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(flag, _)| FLAGS.iter().any(|known| known == flag))
        .collect();
    read(&flags, file);
    for (at, (flag, value)) in flags.iter().enumerate() {
        let value = format!("{value}{CANARY}");
        let mut flags = flags.clone();
        if let Some(place) = flags.get_mut(at) {
            *place = (flag, &value);
        }
        let (told, shown) = read(&flags, file);
        hides(&told);
        if HIDDEN.contains(flag) {
            hides(&[shown]);
        }
    }
    let (told, shown) = read(&flags, &woven(file));
    hides(&told);
    hides(&[shown]);
    for (_, value) in flags.iter().filter(|(flag, _)| *flag == "url") {
        address(value);
        segment(value);
    }
}

/// What is wrong with the settings or with the addresses in them, and how the settings are shown.
fn read(flags: &[(&str, &str)], file: &str) -> (Vec<String>, String) {
    let mut arguments = vec!["sonarr-mcp".to_owned()];
    let with_file = (!file.is_empty()).then_some(("config", file));
    for (flag, value) in flags.iter().copied().chain(with_file) {
        let value = if FILES.contains(&flag) {
            let path = FOLDER.join(flag);
            std::fs::write(&path, value).expect("a file can be written");
            path.display().to_string()
        } else {
            value.to_owned()
        };
        arguments.push(format!("--{flag}={value}"));
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return (vec![error.to_string()], String::new()),
    };
    let config = match Config::read(&cli.flags) {
        Ok(config) => config,
        Err(error) => return (vec![error.to_string(), format!("{error:?}")], String::new()),
    };
    let shown = format!("{config:?}");
    let mut told = Vec::new();
    let targets = std::iter::once(config.target).chain(config.instances.into_iter().map(|(_, target)| target));
    for mut target in targets {
        // The system's certificates are the same for all.
        target.url = target.url.map(|url| url.replacen("https://", "http://", 1));
        let connection = Connection::new(target);
        told.extend(connection.client().err().map(|failure| failure.text()));
    }
    (told, shown)
}

/// The file with a secret at the end of each text in it; as it is where it cannot be read.
fn woven(file: &str) -> String {
    fn weave(value: &mut toml::Value) {
        match value {
            toml::Value::String(text) => text.push_str(CANARY),
            toml::Value::Array(items) => items.iter_mut().for_each(weave),
            toml::Value::Table(members) => members.iter_mut().for_each(|(_, value)| weave(value)),
            // A number or a date in the place of a key is one, too.
            other => *other = toml::Value::String(CANARY.to_owned()),
        }
    }
    match file.parse::<toml::Table>() {
        Ok(mut table) => {
            table.iter_mut().for_each(|(_, value)| weave(value));
            table.to_string()
        }
        Err(_) => file.to_owned(),
    }
}

fn hides(told: &[String]) {
    for text in told {
        assert!(!text.contains(CANARY), "{text}");
    }
}

/// An accepted address makes URLs below it.
fn address(text: &str) {
    let plain = text.replacen("https://", "http://", 1);
    let Ok(client) = Client::connect(&plain, "0123456789abcdef") else { return };
    let base = reqwest::Url::parse(client.base_url()).unwrap_or_else(|error| panic!("{plain}: {error}"));
    let whole = format!("{}/api/v3/tag", client.base_url());
    let url = reqwest::Url::parse(&whole).unwrap_or_else(|error| panic!("{whole}: {error}"));
    assert_eq!((url.scheme(), url.host(), url.port()), (base.scheme(), base.host(), base.port()), "{whole}");
    let below = url.path().strip_prefix(base.path().trim_end_matches('/'));
    assert_eq!(below, Some("/api/v3/tag"), "{whole} is not below {base}");
    assert!(url.query().is_none() && url.fragment().is_none() && url.username().is_empty(), "{whole}");
    assert!(url.password().is_none() && base.scheme() == "http", "{whole}");
}

/// An accepted part of a path is one part of a URL.
fn segment(text: &str) {
    let Ok(segment) = PathSegment::try_from(text) else { return };
    let Ok(mut url) = reqwest::Url::parse("http://h/") else { return };
    if let Ok(mut parts) = url.path_segments_mut() {
        parts.clear().extend(["log", segment.as_str()]);
    }
    assert_eq!(url.path_segments().map(Iterator::count), Some(2), "{url}");
    assert!(url.query().is_none() && url.fragment().is_none(), "{url}");
}
