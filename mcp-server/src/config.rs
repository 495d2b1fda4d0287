//! The settings, from flags and environment variables.
//!
//! An error names the flag and the variable, never the value: it may be a key or hold one.

mod instances;
mod network;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use instances::variable_of as key_variable_of;
pub use network::{AUTH_TOKEN, Serving};

use crate::catalogue::narrowing::{self, Form, Narrowing};
use crate::cli::Flags;
use crate::dispatch::Policy;
use crate::generated::GROUPS;
use crate::logging;
use crate::write::consent::Mode;

/// The variable that holds the URL; the flag is `--url`.
pub const URL: &str = "SONARR_URL";

/// The variable that holds the API key. There is no flag for it: other users of the machine can
/// read a process's arguments.
pub const API_KEY: &str = "SONARR_API_KEY";

/// Where the URL of an only instance is set, as failures name it.
pub const URL_SETTING: &str = "SONARR_URL (or --url)";

/// Where the key of an only instance is set, as failures name it.
pub const API_KEY_SETTING: &str = "SONARR_API_KEY (or --api-key-file)";

/// How long a call may take unless told otherwise. An interactive search asks every indexer.
pub const TIMEOUT: Duration = Duration::from_secs(300);

/// How long reaching Sonarr may take unless told otherwise.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How many calls run at once unless told otherwise.
pub const CONCURRENCY: usize = 16;

/// How long an answer's text may be unless told otherwise, in bytes: some 20,000 tokens, below what
/// hosts pass on to a model.
pub const MAX_RESULT_BYTES: usize = 60_000;

/// What is wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A flag or its variable has a value that cannot be read.
    #[error("--{flag} (or {variable}): {problem}")]
    Value {
        /// The flag, without dashes.
        flag: &'static str,
        /// The environment variable that stands for it.
        variable: String,
        /// What is wrong and what is accepted.
        problem: String,
    },
    /// A variable without a flag has a value that cannot be read.
    #[error("{variable}: {problem}")]
    Variable {
        /// The environment variable.
        variable: String,
        /// What is wrong and what is accepted.
        problem: String,
    },
}

/// An API key. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key as it came, without the white space around it; `None` when nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| ApiKey(text.to_owned()))
    }

    /// The key, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// How Sonarr is reached. Either part may be missing: the server starts all the same, and the
/// first call says what to set.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    /// Where Sonarr is.
    pub url: Option<String>,
    /// Its API key.
    pub api_key: Option<ApiKey>,
    /// How long a call may take.
    pub timeout: Duration,
    /// How long reaching Sonarr may take.
    pub connect_timeout: Duration,
    /// Certificates of authorities to trust beside the system's, as PEM.
    pub ca_pem: Option<Vec<u8>>,
    /// Whether any certificate is accepted.
    pub accept_invalid_certs: bool,
    /// Where these settings come from.
    pub origin: Origin,
}

/// Where a target's settings come from, for the failures that say what to change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Origin {
    /// The flags and variables of the only instance.
    #[default]
    Only,
    /// Those of one instance among several.
    Instance {
        /// Its name.
        name: String,
        /// The variable that holds its key.
        key_variable: String,
    },
}

impl Default for Target {
    /// Nothing set, and the usual limits.
    fn default() -> Self {
        Target {
            url: None,
            api_key: None,
            timeout: TIMEOUT,
            connect_timeout: CONNECT_TIMEOUT,
            ca_pem: None,
            accept_invalid_certs: false,
            origin: Origin::Only,
        }
    }
}

impl std::fmt::Debug for Target {
    /// Shows no URL, for people paste passwords and keys into it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Target")
            .field("url", &self.url.as_ref().map(|_| "…"))
            .field("api_key", &self.api_key)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How Sonarr is reached.
    pub target: Target,
    /// How each of several instances is reached, by name; empty where there is only `target`.
    pub instances: Vec<(String, Target)>,
    /// Whether the embedded Sonarr is used instead.
    pub demo: bool,
    /// What of the tools is offered.
    pub narrowing: Narrowing,
    /// What is asked about, and what is shown.
    pub policy: Policy,
    /// How many calls run at once.
    pub concurrency: usize,
    /// How long an answer's text may be, in bytes.
    pub max_result_bytes: usize,
    /// Whether answers come as text alone, without a structured copy.
    pub text_only: bool,
    /// How clients reach the server.
    pub serving: Serving,
}

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    /// The first setting that cannot be read.
    pub fn read(flags: &Flags) -> Result<Self, ConfigError> {
        Config::with_variables(flags, &|name| std::env::var_os(name))
    }

    fn with_variables(flags: &Flags, variables: instances::Variables) -> Result<Self, ConfigError> {
        let demo = switch("demo", flags.demo.as_deref())?;
        let usual = Target {
            timeout: seconds("timeout", flags.timeout.as_deref(), TIMEOUT)?,
            connect_timeout: seconds("connect-timeout", flags.connect_timeout.as_deref(), CONNECT_TIMEOUT)?,
            ca_pem: certificates("ca-file", flags.ca_file.as_ref())?,
            accept_invalid_certs: switch("accept-invalid-certs", flags.accept_invalid_certs.as_deref())?,
            ..Target::default()
        };
        // The demonstration has an address and a key of its own, so no file is read for it.
        let instances = if demo { Vec::new() } else { instances::read(flags, &usual, variables)? };
        let url = present(flags.url.as_deref()).map(str::to_owned);
        if url.is_some() && !instances.is_empty() {
            return Err(ConfigError::Variable {
                variable: URL.to_owned(),
                problem: "it (or --url) is for one instance; with --instance or --config each has its own".to_owned(),
            });
        }
        let alone = !demo && instances.is_empty();
        let api_key = if alone { api_key(flags.api_key_file.as_ref(), variables(API_KEY))? } else { None };
        Ok(Config {
            target: Target { url, api_key, ..usual },
            instances,
            demo,
            narrowing: narrowing(flags)?,
            policy: Policy {
                mode: mode(flags.confirm.as_deref())?,
                show_secrets: switch("show-secrets", flags.show_secrets.as_deref())?,
            },
            concurrency: count("concurrency", flags.concurrency.as_deref(), CONCURRENCY)?,
            max_result_bytes: bytes("max-result-bytes", flags.max_result_bytes.as_deref(), MAX_RESULT_BYTES)?,
            text_only: switch("text-only", flags.text_only.as_deref())?,
            serving: Serving::read(&flags.network, variables(AUTH_TOKEN))?,
        })
    }
}

/// The level of the log.
///
/// # Errors
/// Any word that is no level.
pub fn log_level(flags: &Flags) -> Result<&'static str, ConfigError> {
    let Some(level) = present(flags.log.as_deref()) else {
        return Ok(logging::DEFAULT);
    };
    logging::LEVELS
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(level))
        .ok_or_else(|| refused("log", &format!("expected one of {}", logging::LEVELS.join(", "))))
}

/// The environment variable that stands for a flag.
pub fn variable(flag: &str) -> String {
    format!("SONARR_MCP_{}", flag.replace('-', "_").to_uppercase())
}

/// An empty value counts as none: that is how a container's settings leave one out.
fn present(value: Option<&str>) -> Option<&str> {
    value.map(str::trim).filter(|value| !value.is_empty())
}

fn refused(flag: &'static str, problem: &str) -> ConfigError {
    ConfigError::Value { flag, variable: variable(flag), problem: problem.to_owned() }
}

/// A flag that is on or off; on where it stands alone.
///
/// # Errors
/// Any word but true, false, yes, no, on, off, 1 and 0.
pub fn switch(flag: &'static str, value: Option<&str>) -> Result<bool, ConfigError> {
    match present(value).map(str::to_ascii_lowercase).as_deref() {
        None | Some("false" | "0" | "no" | "off") => Ok(false),
        Some("true" | "1" | "yes" | "on") => Ok(true),
        Some(_) => Err(refused(flag, "expected true or false")),
    }
}

fn narrowing(flags: &Flags) -> Result<Narrowing, ConfigError> {
    let tools = narrowing::tools(flags.tools.as_deref().unwrap_or_default(), GROUPS);
    let form = match present(flags.catalogue.as_deref()) {
        None => Form::default(),
        Some(word) => Form::named(word)
            .ok_or_else(|| refused("catalogue", &format!("expected one of {}", Form::NAMES.join(", "))))?,
    };
    Ok(Narrowing {
        read_only: switch("read-only", flags.read_only.as_deref())?,
        tools: tools.map_err(|problem| refused("tools", &problem))?,
        form,
    })
}

fn mode(value: Option<&str>) -> Result<Mode, ConfigError> {
    match present(value) {
        None => Ok(Mode::default()),
        Some(word) => {
            Mode::named(word).ok_or_else(|| refused("confirm", &format!("expected one of {}", Mode::NAMES.join(", "))))
        }
    }
}

fn seconds(flag: &'static str, value: Option<&str>, default: Duration) -> Result<Duration, ConfigError> {
    /// A day; a longer wait is a mistake.
    const LONGEST: f64 = 86_400.0;
    let Some(value) = present(value) else {
        return Ok(default);
    };
    match value.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(refused(flag, "expected a number of seconds above 0, at most 86400")),
    }
}

fn count(flag: &'static str, value: Option<&str>, default: usize) -> Result<usize, ConfigError> {
    /// Enough for any client, and far below what a semaphore can count.
    const MOST: usize = 1024;
    let Some(value) = present(value) else {
        return Ok(default);
    };
    match value.parse::<usize>() {
        Ok(count) if (1..=MOST).contains(&count) => Ok(count),
        _ => Err(refused(flag, "expected a whole number from 1 to 1024")),
    }
}

fn bytes(flag: &'static str, value: Option<&str>, default: usize) -> Result<usize, ConfigError> {
    /// With less, what is said about an answer takes the room of the answer.
    const LEAST: usize = 4_000;
    /// As much as is read of a text or an image.
    const MOST: usize = 8 * 1024 * 1024;
    let Some(value) = present(value) else {
        return Ok(default);
    };
    match value.parse::<usize>() {
        Ok(bytes) if (LEAST..=MOST).contains(&bytes) => Ok(bytes),
        _ => Err(refused(flag, "expected a whole number of bytes from 4000 to 8388608")),
    }
}

/// The key from its file, else from its variable.
fn api_key(file: Option<&PathBuf>, variable: Option<OsString>) -> Result<Option<ApiKey>, ConfigError> {
    Ok(secret("api-key-file", file, API_KEY, variable)?.as_deref().and_then(ApiKey::new))
}

/// A secret from its file, else from its variable. An empty variable holds none, but an empty
/// file is a mistake.
fn secret(
    flag: &'static str,
    file: Option<&PathBuf>,
    variable: &str,
    value: Option<OsString>,
) -> Result<Option<String>, ConfigError> {
    if let Some(file) = file.filter(|file| !file.as_os_str().is_empty()) {
        let text = text_of(flag, file)?;
        return match present(Some(&text)) {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(refused(flag, "the file is empty")),
        };
    }
    match value.map(OsString::into_string) {
        None => Ok(None),
        Some(Ok(text)) => Ok(present(Some(&text)).map(str::to_owned)),
        Some(Err(_)) => Err(ConfigError::Variable {
            variable: variable.to_owned(),
            problem: "expected text, got bytes that are no UTF-8".to_owned(),
        }),
    }
}

/// A file's text. An error does not show the path: it was given in place of a secret more than once.
fn text_of(flag: &'static str, file: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(file).map_err(|error| refused(flag, &format!("the file cannot be read: {}", error.kind())))
}

/// The certificates in a file, as PEM.
fn certificates(flag: &'static str, file: Option<&PathBuf>) -> Result<Option<Vec<u8>>, ConfigError> {
    let Some(file) = file.filter(|file| !file.as_os_str().is_empty()) else {
        return Ok(None);
    };
    let text = text_of(flag, file)?;
    if !text.contains("-----BEGIN CERTIFICATE-----") {
        return Err(refused(flag, "expected certificates as PEM, which begin with -----BEGIN CERTIFICATE-----"));
    }
    Ok(Some(text.into_bytes()))
}

#[cfg(test)]
mod tests;
