use super::{ApiKey, Config, ConfigError};
use crate::catalogue::narrowing::{Form, Narrowing};
use crate::cli::Flags;
use crate::dispatch::Policy;
use crate::write::consent::Mode;
use std::time::Duration;

fn read(flags: &Flags) -> Result<Config, ConfigError> {
    Config::with_variables(flags, &|_| None)
}

fn with_key(flags: &Flags, key: &str) -> Result<Config, ConfigError> {
    Config::with_variables(flags, &|name| (name == "SONARR_API_KEY").then(|| key.into()))
}

#[test]
fn nothing_set_is_a_configuration() {
    let config = read(&Flags::default()).unwrap();
    assert_eq!(config.target.url, None);
    assert_eq!(config.target.api_key, None);
    assert!(!config.demo && config.narrowing == Narrowing::default());
}

#[test]
fn nothing_is_shown_or_done_unasked_unless_told_to() {
    assert_eq!(read(&Flags::default()).unwrap().policy, Policy { mode: Mode::Auto, show_secrets: false });
    let flags = Flags { confirm: Some("Never".to_owned()), show_secrets: Some("true".to_owned()), ..Flags::default() };
    assert_eq!(read(&flags).unwrap().policy, Policy { mode: Mode::Never, show_secrets: true });
}

#[test]
fn empty_values_count_as_unset() {
    let flags = Flags {
        url: Some(" ".to_owned()),
        demo: Some(String::new()),
        timeout: Some(String::new()),
        ..Flags::default()
    };
    assert_eq!(read(&flags).unwrap(), read(&Flags::default()).unwrap());
    assert_eq!(with_key(&flags, "").unwrap().target.api_key, None);
}

#[test]
fn an_error_names_flag_and_variable_but_not_the_value() {
    let bad = || Some("s3cret".to_owned());
    for (flags, variable) in [
        (Flags { demo: bad(), ..Flags::default() }, "SONARR_MCP_DEMO"),
        (Flags { read_only: bad(), ..Flags::default() }, "SONARR_MCP_READ_ONLY"),
        (Flags { tools: bad(), ..Flags::default() }, "--tools (or SONARR_MCP_TOOLS)"),
        (Flags { catalogue: bad(), ..Flags::default() }, "SONARR_MCP_CATALOGUE"),
        (Flags { confirm: bad(), ..Flags::default() }, "SONARR_MCP_CONFIRM"),
        (Flags { show_secrets: bad(), ..Flags::default() }, "SONARR_MCP_SHOW_SECRETS"),
        (Flags { timeout: bad(), ..Flags::default() }, "SONARR_MCP_TIMEOUT"),
        (Flags { connect_timeout: bad(), ..Flags::default() }, "SONARR_MCP_CONNECT_TIMEOUT"),
        (Flags { concurrency: bad(), ..Flags::default() }, "SONARR_MCP_CONCURRENCY"),
        (Flags { accept_invalid_certs: bad(), ..Flags::default() }, "SONARR_MCP_ACCEPT_INVALID_CERTS"),
        (Flags { ca_file: Some("/nowhere/s3cret".into()), ..Flags::default() }, "SONARR_MCP_CA_FILE"),
        (Flags { api_key_file: Some("/nowhere/s3cret".into()), ..Flags::default() }, "SONARR_MCP_API_KEY_FILE"),
    ] {
        let message = read(&flags).unwrap_err().to_string();
        assert!(message.contains(variable), "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    }
}

#[test]
fn what_is_offered_is_chosen() {
    let word = |text: &str| Some(text.to_owned());
    let flags = Flags {
        tools: word("sonarr_queue,tags"),
        catalogue: word("Lean"),
        read_only: word("true"),
        ..Flags::default()
    };
    let due = Narrowing { read_only: true, tools: vec!["queue", "tags"], form: Form::Lean };
    assert_eq!(read(&flags).unwrap().narrowing, due);
}

#[test]
fn numbers_are_bounded() {
    for timeout in ["0", "-1", "NaN", "inf", "1e9"] {
        let flags = Flags { timeout: Some(timeout.to_owned()), ..Flags::default() };
        assert!(read(&flags).is_err(), "{timeout}");
    }
    let flags = Flags { timeout: Some("2.5".to_owned()), ..Flags::default() };
    assert_eq!(read(&flags).unwrap().target.timeout, Duration::from_millis(2500));
    for concurrency in ["0", "1025", "x"] {
        let flags = Flags { concurrency: Some(concurrency.to_owned()), ..Flags::default() };
        assert!(read(&flags).is_err(), "{concurrency}");
    }
}

#[test]
fn the_length_of_an_answer_has_bounds() {
    assert_eq!(read(&Flags::default()).unwrap().max_result_bytes, 60_000);
    for (given, expected) in
        [("4000", Some(4_000)), (" 100000 ", Some(100_000)), ("3999", None), ("60k", None), ("9000000", None)]
    {
        let flags = Flags { max_result_bytes: Some(given.to_owned()), ..Flags::default() };
        assert_eq!(read(&flags).ok().map(|config| config.max_result_bytes), expected, "{given}");
    }
}

#[test]
fn the_file_wins_over_the_variable_and_a_newline_is_dropped() {
    let file = std::env::temp_dir().join(format!("sonarr-mcp-key-{}", std::process::id()));
    std::fs::write(&file, "from-file\n").unwrap();
    let flags = Flags { api_key_file: Some(file.clone()), ..Flags::default() };
    let config = with_key(&flags, "from-variable").unwrap();
    assert_eq!(config.target.api_key, ApiKey::new("from-file"));
    std::fs::write(&file, "\n").unwrap();
    assert!(Config::with_variables(&flags, &|_| None).unwrap_err().to_string().contains("empty"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn one_address_and_several_instances_contradict() {
    let flags = Flags { url: Some("http://s3cret".to_owned()), instance: vec!["hd=h".to_owned()], ..Flags::default() };
    let message = read(&flags).unwrap_err().to_string();
    assert!(message.contains("SONARR_URL") && !message.contains("s3cret"), "{message}");
}

#[test]
fn a_certificate_file_holds_certificates() {
    let file = std::env::temp_dir().join(format!("sonarr-mcp-ca-{}", std::process::id()));
    std::fs::write(&file, "no certificate").unwrap();
    let flags = Flags { ca_file: Some(file.clone()), ..Flags::default() };
    let message = read(&flags).unwrap_err().to_string();
    assert!(message.contains("SONARR_MCP_CA_FILE") && message.contains("PEM"), "{message}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_key_is_never_shown() {
    let flags = Flags { url: Some("http://u:s3cret@h".to_owned()), ..Flags::default() };
    let config = with_key(&flags, "s3cret").unwrap();
    assert!(!format!("{config:?}").contains("s3cret"));
}
