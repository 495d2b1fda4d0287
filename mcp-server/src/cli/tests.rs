use clap::{CommandFactory, Parser};

use super::{Cli, Command};
use crate::config;

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

/// Every flag, with the commands it belongs to.
fn flags() -> Vec<(String, Option<String>)> {
    let command = Cli::command();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    commands
        .flat_map(|command| command.get_arguments())
        .filter_map(|argument| {
            let long = argument.get_long()?;
            let variable = argument.get_env().map(|name| name.to_string_lossy().into_owned());
            Some((long.to_owned(), variable))
        })
        .filter(|(long, _)| !["help", "version"].contains(&long.as_str()))
        .collect()
}

#[test]
fn every_flag_has_its_variable() {
    let flags = flags();
    assert!(flags.len() >= 9, "{flags:?}");
    for (long, variable) in flags {
        let due = match long.as_str() {
            "url" => config::URL.to_owned(),
            other => config::variable(other),
        };
        assert_eq!(variable, Some(due), "--{long}");
    }
}

#[test]
fn the_key_has_no_flag() {
    assert!(flags().iter().all(|(long, _)| long != "api-key"));
    assert!(Cli::try_parse_from(["sonarr-mcp", "--api-key", "x"]).is_err());
}

#[test]
fn a_switch_stands_alone_or_with_a_value() {
    for (arguments, demo) in [
        (&["sonarr-mcp", "--demo", "check"][..], Some("true")),
        (&["sonarr-mcp", "--demo=false", "check"], Some("false")),
        (&["sonarr-mcp", "check", "--demo"], Some("true")),
    ] {
        let cli = Cli::try_parse_from(arguments).unwrap();
        assert_eq!(cli.flags.demo.as_deref(), demo);
        assert!(matches!(cli.command, Some(Command::Check)));
    }
}
