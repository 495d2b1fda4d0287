use std::ffi::OsString;
use std::path::PathBuf;

use super::{ConfigError, Target, read};
use crate::cli::Flags;
use crate::config::ApiKey;

fn none(_: &str) -> Option<OsString> {
    None
}

fn flags(instances: &[&str]) -> Flags {
    Flags { instance: instances.iter().map(|one| (*one).to_owned()).collect(), ..Flags::default() }
}

/// A file that is there as long as this.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sonarr-mcp-instances-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        File(path)
    }

    fn flags(&self) -> Flags {
        Flags { config: Some(self.0.clone()), ..Flags::default() }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn read_file(name: &str, text: &str) -> Result<Vec<(String, Target)>, ConfigError> {
    read(&File::new(name, text).flags(), &Target::default(), &none)
}

#[test]
fn flags_name_address_and_instance_and_variables_the_key() {
    let key = |name: &str| (name == "SONARR_API_KEY_4K_ANIME").then(|| OsString::from("k4"));
    let instances = read(&flags(&["hd=nas:8989", "4k-anime=http://[::1]:9/sonarr?a=b", ""]), &Target::default(), &key);
    let instances = instances.unwrap();
    let [(hd, first), (anime, second)] = instances.as_slice() else { panic!("two are due: {instances:?}") };
    assert_eq!((hd.as_str(), first.url.as_deref(), &first.api_key), ("hd", Some("nas:8989"), &None));
    assert_eq!((anime.as_str(), second.url.as_deref()), ("4k-anime", Some("http://[::1]:9/sonarr?a=b")));
    assert_eq!(second.api_key, ApiKey::new("k4"));
}

#[test]
fn a_file_tells_everything() {
    let key = File::new("key", "from-file\n");
    let certificate = File::new("ca", "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");
    let text = format!(
        "[instances.hd]\nurl = \"http://hd\"\napi_key_file = {:?}\nca_file = {:?}\n\
         [instances.4k]\nurl = \"https://uhd\"\napi_key = \"written\"\naccept_invalid_certs = true\n",
        key.0, certificate.0
    );
    let instances = read_file("all", &text).unwrap();
    let of = |name: &str| instances.iter().find(|(known, _)| known == name).map(|(_, target)| target).unwrap();
    assert_eq!(of("hd").api_key, ApiKey::new("from-file"));
    assert!(of("hd").ca_pem.as_ref().is_some_and(|pem| pem.starts_with(b"-----BEGIN")));
    assert!(!of("hd").accept_invalid_certs);
    assert_eq!(of("4k").api_key, ApiKey::new("written"));
    assert!(of("4k").accept_invalid_certs);
}

#[test]
fn a_key_can_come_from_a_file_that_a_variable_names() {
    let key = File::new("secret", "from-file");
    let named = |name: &str| (name == "SONARR_API_KEY_HD_FILE").then(|| key.0.clone().into_os_string());
    let instances = read(&flags(&["hd=h"]), &Target::default(), &named).unwrap();
    assert_eq!(instances.first().unwrap().1.api_key, ApiKey::new("from-file"));
}

#[test]
fn what_is_wrong_is_told_by_its_place() {
    for (given, says) in [
        (&["hd"][..], "NAME=URL"),
        (&["hd="], "the URL is empty"),
        (&["=http://h"], "a name has up to"),
        (&["h d=http://h"], "a name has up to"),
        (&["../x=http://h"], "a name has up to"),
        (&["series=http://h"], "`series`"),
        (&["hd=http://a", "HD=http://b"], "`HD` is given twice"),
        (&["a-b=http://a", "a_b=http://b"], "`a_b` is given twice"),
    ] {
        let message = read(&flags(given), &Target::default(), &none).unwrap_err().to_string();
        assert!(message.contains(says) && message.contains("SONARR_MCP_INSTANCE"), "{message}");
    }
    for (name, text, says) in [
        ("empty", "", "names no instance"),
        ("no-url", "[instances.hd]\napi_key = \"s3cret\"", "url"),
        ("typo", "[instances.hd]\nurl = \"h\"\napi_kee = \"s3cret\"", "api_kee"),
        ("broken", "[instances.hd]\nurl = \"h\"\napi_key = \"s3cret\nx", "near line"),
        ("kind", "[instances.hd]\nurl = \"h\"\naccept_invalid_certs = \"s3cret\"", "near line 3"),
        ("key-file", "[instances.hd]\nurl = \"h\"\napi_key_file = \"/no/s3cret\"", "instance `hd`"),
        ("ca-file", "[instances.hd]\nurl = \"h\"\nca_file = \"/no/s3cret\"", "instance `hd`"),
    ] {
        let message = read_file(name, text).unwrap_err().to_string();
        assert!(message.contains(says) && message.contains("SONARR_MCP_CONFIG"), "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    }
}
