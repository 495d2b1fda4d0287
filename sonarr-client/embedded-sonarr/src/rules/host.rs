//! Rules of the host settings.

use std::net::IpAddr;

use super::{must, not_empty};
use crate::http::Rule;
use crate::state::{Row, State, flag, int, text};

pub(super) fn check(state: &State, row: &Row) -> Vec<Rule> {
    let mut failed = Vec::new();
    let address = text(row, "bindAddress");
    let good = matches!(address, "*" | "localhost") || address.parse::<IpAddr>().is_ok();
    must(
        &mut failed,
        good,
        "BindAddress",
        "PredicateValidator",
        "Must be a valid IP Address or '*' or 'localhost'",
        address.into(),
    );
    port(&mut failed, "Port", int(row, "port"));
    let base = text(row, "urlBase");
    must(
        &mut failed,
        !base.contains("://"),
        "UrlBase",
        "UrlBaseValidator",
        format!("Invalid Url Base: '{base}'"),
        base.into(),
    );
    let name = text(row, "instanceName");
    must(
        &mut failed,
        name.starts_with("Sonarr") || name.ends_with("Sonarr"),
        "InstanceName",
        "PredicateValidator",
        "Must start or end with Sonarr",
        name.into(),
    );
    credentials(state, &mut failed, row);
    if flag(row, "enableSsl") {
        port(&mut failed, "SslPort", int(row, "sslPort"));
        must(
            &mut failed,
            int(row, "sslPort") != int(row, "port"),
            "SslPort",
            "NotEqualValidator",
            "'Ssl Port' must not be equal to 'Port'.",
            int(row, "sslPort").into(),
        );
        super::plain::path_exists(state, &mut failed, "SslCertPath", text(row, "sslCertPath"));
    }
    between(&mut failed, "LogSizeLimit", int(row, "logSizeLimit"), 1, 10);
    not_empty(&mut failed, "Branch", row.get("branch"));
    if text(row, "updateMechanism") == "script" {
        let script = text(row, "updateScriptPath");
        must(
            &mut failed,
            script.starts_with('/'),
            "UpdateScriptPath",
            "PathValidator",
            format!("Invalid Path: '{script}'"),
            script.into(),
        );
    }
    let folder = text(row, "backupFolder");
    if folder.starts_with('/') {
        super::plain::path_exists(state, &mut failed, "BackupFolder", folder);
    }
    between(&mut failed, "BackupInterval", int(row, "backupInterval"), 1, 7);
    between(&mut failed, "BackupRetention", int(row, "backupRetention"), 1, 90);
    failed
}

fn port(failed: &mut Vec<Rule>, property: &str, port: i64) {
    let good = port == 80 || port == 443 || (1025..=65_535).contains(&port);
    must(failed, good, property, "PredicateValidator", "Must be 80, 443 or between 1025 and 65535", port.into());
}

fn between(failed: &mut Vec<Rule>, property: &str, value: i64, low: i64, high: i64) {
    let message = format!("'{}' must be between {low} and {high}. You entered {value}.", super::words(property));
    must(failed, (low..=high).contains(&value), property, "InclusiveBetweenValidator", message, value.into());
}

fn credentials(state: &State, failed: &mut Vec<Rule>, row: &Row) {
    let method = text(row, "authenticationMethod");
    if state.next_version {
        must(
            failed,
            method != "basic",
            "AuthenticationMethod",
            "PredicateValidator",
            "'Basic' is no longer supported, switch to 'Forms' instead.",
            method.into(),
        );
    }
    if !matches!(method, "basic" | "forms") {
        return;
    }
    not_empty(failed, "Username", row.get("username"));
    not_empty(failed, "Password", row.get("password"));
    let password = text(row, "password");
    let stored = state.setting("config/host", "password").as_str().unwrap_or_default();
    let same = password == stored || password == text(row, "passwordConfirmation");
    must(failed, same, "PasswordConfirmation", "PredicateValidator", "Must match Password", "********".into());
}
