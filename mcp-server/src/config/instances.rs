//! Several instances of Sonarr: by flags, or in a file.
//!
//! ```toml
//! [instances.hd]
//! url = "http://nas:8989"
//! api_key_file = "/run/secrets/sonarr_hd"
//!
//! [instances.4k]
//! url = "https://nas:9898/sonarr"
//! ca_file = "/etc/ssl/nas.pem"
//! # The key comes from the variable SONARR_API_KEY_4K.
//! ```

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use serde::Deserialize;

use super::{ApiKey, ConfigError, Origin, Target, certificates, present, refused, secret, text_of};
use crate::cli::Flags;

/// Looks a variable of the environment up.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What a variable's name begins with that holds the key of one instance.
const KEY_OF: &str = "SONARR_API_KEY_";

/// The longest name; it is repeated in every call.
const MAX_NAME: usize = 24;

/// The file's contents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    instances: BTreeMap<String, Entry>,
}

/// One instance in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    url: String,
    api_key: Option<String>,
    api_key_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
    accept_invalid_certs: Option<bool>,
}

/// Reads the instances by name; `usual` is what all have in common. None are no mistake.
pub(super) fn read(flags: &Flags, usual: &Target, variables: Variables) -> Result<Vec<(String, Target)>, ConfigError> {
    let mut instances: Vec<(String, Target)> = Vec::new();
    for (flag, name, entry) in from_file(flags)?.into_iter().chain(from_flags(flags)?) {
        check_name(flag, &name)?;
        if instances.iter().any(|(known, _)| variable_of(known) == variable_of(&name)) {
            return Err(refused(flag, &format!("the name `{name}` is given twice")));
        }
        let target = target(flag, &name, entry, usual, variables)?;
        instances.push((name, target));
    }
    Ok(instances)
}

fn from_file(flags: &Flags) -> Result<Vec<(&'static str, String, Entry)>, ConfigError> {
    const FLAG: &str = "config";
    let Some(path) = flags.config.as_ref().filter(|path| !path.as_os_str().is_empty()) else {
        return Ok(Vec::new());
    };
    let text = text_of(FLAG, path)?;
    // The error's own text shows the line, where a key may stand.
    let file: File = toml::from_str(&text).map_err(|error| {
        let line = error.span().map(|span| text.get(..span.start).unwrap_or_default().lines().count().max(1));
        let place = line.map(|line| format!(", near line {line}")).unwrap_or_default();
        refused(FLAG, &format!("the file cannot be read{place}: {}", without_values(error.message())))
    })?;
    if file.instances.is_empty() {
        return Err(refused(FLAG, "the file names no instance; one is a table such as [instances.hd] with `url`"));
    }
    Ok(file.instances.into_iter().map(|(name, entry)| (FLAG, name, entry)).collect())
}

/// What a message of the TOML reader says, without what it quotes of a value.
fn without_values(message: &str) -> String {
    match message.split_once(": string \"") {
        Some((kind, rest)) => {
            let expected = rest.split_once("\", ").map(|(_, expected)| format!(", {expected}"));
            format!("{kind}{}", expected.unwrap_or_default())
        }
        None => message.to_owned(),
    }
}

fn from_flags(flags: &Flags) -> Result<Vec<(&'static str, String, Entry)>, ConfigError> {
    const FLAG: &str = "instance";
    let given = flags.instance.iter().filter_map(|text| present(Some(text)));
    given
        .map(|text| {
            let (name, url) = text.split_once('=').ok_or_else(|| refused(FLAG, "expected NAME=URL"))?;
            let url = present(Some(url)).ok_or_else(|| refused(FLAG, "expected NAME=URL, and the URL is empty"))?;
            let entry = Entry {
                url: url.to_owned(),
                api_key: None,
                api_key_file: None,
                ca_file: None,
                accept_invalid_certs: None,
            };
            Ok((FLAG, name.trim().to_owned(), entry))
        })
        .collect()
}

fn check_name(flag: &'static str, name: &str) -> Result<(), ConfigError> {
    let fits = (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !fits {
        let problem = format!("a name has up to {MAX_NAME} letters, digits, hyphens and underscores");
        return Err(refused(flag, &problem));
    }
    // It would be taken for the series of an instance without a name.
    if name.eq_ignore_ascii_case("series") {
        return Err(refused(flag, "`series` cannot be the name of an instance"));
    }
    Ok(())
}

/// The variable that holds the key of one of several instances: `4k-anime` →
/// `SONARR_API_KEY_4K_ANIME`.
pub fn variable_of(name: &str) -> String {
    format!("{KEY_OF}{}", name.replace('-', "_").to_uppercase())
}

fn target(
    flag: &'static str,
    name: &str,
    entry: Entry,
    usual: &Target,
    variables: Variables,
) -> Result<Target, ConfigError> {
    let Entry { url, api_key, api_key_file, ca_file, accept_invalid_certs } = entry;
    let of_instance = |problem: ConfigError| match problem {
        ConfigError::Value { problem, .. } => refused(flag, &format!("instance `{name}`: {problem}")),
        other => other,
    };
    let variable = variable_of(name);
    let file = api_key_file.or_else(|| variables(&format!("{variable}_FILE")).map(PathBuf::from));
    let api_key = match api_key.as_deref().and_then(ApiKey::new) {
        Some(key) => Some(key),
        None => secret(flag, file.as_ref(), &variable, variables(&variable))
            .map_err(of_instance)?
            .as_deref()
            .and_then(ApiKey::new),
    };
    let ca_pem = match ca_file {
        Some(file) => certificates(flag, Some(&file)).map_err(of_instance)?,
        None => usual.ca_pem.clone(),
    };
    Ok(Target {
        url: present(Some(&url)).map(str::to_owned),
        api_key,
        ca_pem,
        accept_invalid_certs: accept_invalid_certs.unwrap_or(usual.accept_invalid_certs),
        origin: Origin::Instance { name: name.to_owned(), key_variable: variable },
        ..usual.clone()
    })
}

#[cfg(test)]
mod tests;
