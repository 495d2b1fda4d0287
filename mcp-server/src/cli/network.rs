//! The flags of the listening transports.

use std::path::PathBuf;

use clap::Args;

/// How clients reach the server, as text: [`Config`](crate::config::Config) reads it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Transport")]
pub struct NetworkFlags {
    /// How clients speak to the server: stdio, http or sse [default: stdio]
    #[arg(long, env = "SONARR_MCP_TRANSPORT", hide_env_values = true, value_name = "TRANSPORT")]
    pub transport: Option<String>,
    /// The name or address http and sse listen at [default: 127.0.0.1]
    #[arg(long, env = "SONARR_MCP_HOST", hide_env_values = true)]
    pub host: Option<String>,
    /// The port http and sse listen at; 0 is any free one [default: 8990]
    #[arg(long, env = "SONARR_MCP_PORT", hide_env_values = true)]
    pub port: Option<String>,
    /// A file that holds the bearer token clients of http and sse must send
    #[arg(long, env = "SONARR_MCP_AUTH_TOKEN_FILE", hide_env_values = true)]
    pub auth_token_file: Option<PathBuf>,
    /// Let anybody who can reach http and sse use them without a token
    #[arg(long, env = "SONARR_MCP_ALLOW_UNAUTHENTICATED", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub allow_unauthenticated: Option<String>,
    /// Another name clients reach http and sse by, as behind a proxy; may be repeated
    #[arg(long, env = "SONARR_MCP_ALLOWED_HOST", hide_env_values = true, value_name = "NAME", value_delimiter = ',')]
    pub allowed_host: Vec<String>,
    /// The origin of pages that may use http and sse, such as https://chat.example; may be repeated
    #[arg(
        long,
        env = "SONARR_MCP_ALLOWED_ORIGIN",
        hide_env_values = true,
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub allowed_origin: Vec<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::cli::Cli;
    use crate::config::{AUTH_TOKEN, key_variable_of, variable};

    const GUIDE: &str = include_str!("../../../docs/transports.md");

    #[test]
    fn the_guide_names_every_flag_of_the_transports_with_its_variable() {
        let command = Cli::command();
        let flags: Vec<&str> = command
            .get_arguments()
            .filter(|argument| argument.get_help_heading() == Some("Transport"))
            .filter_map(|argument| argument.get_long())
            .collect();
        assert_eq!(flags.len(), 7, "{flags:?}");
        for flag in flags {
            let row = format!("| `--{flag}` | `{}` |", variable(flag));
            assert!(GUIDE.contains(&row), "{row}");
        }
        assert!(GUIDE.contains(AUTH_TOKEN) && GUIDE.contains(&key_variable_of("4k")));
    }

    #[test]
    fn every_flag_and_variable_the_guide_names_is_there() {
        let command = Cli::command();
        let commands = || std::iter::once(&command).chain(command.get_subcommands());
        let flags: Vec<&str> =
            commands().flat_map(|one| one.get_arguments()).filter_map(|argument| argument.get_long()).collect();
        // The other programs' lines stand in blocks of their own, after this heading.
        let (ours, _) = GUIDE.split_once("## Checking it").unwrap();
        let words = || ours.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        let named: Vec<&str> = words()
            .filter_map(|word| word.strip_prefix("--"))
            .filter(|flag| flag.starts_with(|first: char| first.is_ascii_alphabetic()))
            .collect();
        assert!(named.len() > 20, "{named:?}");
        for flag in named {
            assert!(flags.contains(&flag), "--{flag}");
        }
        for name in words().filter(|word| word.starts_with("SONARR_MCP_")) {
            assert!(name == AUTH_TOKEN || flags.iter().any(|flag| variable(flag) == name), "{name}");
        }
    }
}
