//! How clients reach the server.

use std::ffi::OsString;

use super::{ConfigError, present, refused, secret, switch};
use crate::cli::NetworkFlags;
use crate::transport::guard::Token;
use crate::transport::limits::Limits;
use crate::transport::network::{Network, Protocol};

/// The variable that holds the bearer token. There is no flag for it: other users of the machine
/// can read a process's arguments.
pub const AUTH_TOKEN: &str = "SONARR_MCP_AUTH_TOKEN";

/// Where a listener listens unless told otherwise: nobody but this machine reaches it.
pub const HOST: &str = "127.0.0.1";

/// The port unless told otherwise: the one after Sonarr's.
pub const PORT: u16 = 8990;

/// How clients reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Serving {
    /// One client, on standard input and output.
    Stdio,
    /// Any number of clients, on the network.
    Network(Protocol, Box<Network>),
}

impl Serving {
    pub(super) fn read(flags: &NetworkFlags, token: Option<OsString>) -> Result<Self, ConfigError> {
        let protocol = match present(flags.transport.as_deref()).map(str::to_ascii_lowercase).as_deref() {
            None | Some("stdio") => {
                return match [("host", &flags.host), ("port", &flags.port)]
                    .into_iter()
                    .find(|(_, value)| present(value.as_deref()).is_some())
                {
                    Some((flag, _)) => Err(refused(flag, "it is for --transport http or sse, not for stdio")),
                    None => Ok(Serving::Stdio),
                };
            }
            Some("http") => Protocol::Http,
            Some("sse") => Protocol::Sse,
            Some(_) => return Err(refused("transport", "expected stdio, http or sse")),
        };
        let network = Network {
            host: present(flags.host.as_deref()).unwrap_or(HOST).to_owned(),
            port: port(flags.port.as_deref())?,
            token: bearer_token(flags, token)?,
            allow_unauthenticated: switch("allow-unauthenticated", flags.allow_unauthenticated.as_deref())?,
            allowed_hosts: several(&flags.allowed_host),
            allowed_origins: several(&flags.allowed_origin),
            limits: Limits::default(),
        };
        if network.allowed_origins.iter().any(|origin| !origin.contains("://")) {
            return Err(refused("allowed-origin", "expected a scheme and a host, such as https://chat.example"));
        }
        Ok(Serving::Network(protocol, Box::new(network)))
    }
}

fn port(value: Option<&str>) -> Result<u16, ConfigError> {
    match present(value) {
        None => Ok(PORT),
        Some(value) => value.parse().map_err(|_| refused("port", "expected a whole number from 0 to 65535")),
    }
}

fn bearer_token(flags: &NetworkFlags, variable: Option<OsString>) -> Result<Option<Token>, ConfigError> {
    const FLAG: &str = "auth-token-file";
    let from_file = flags.auth_token_file.as_ref().is_some_and(|file| !file.as_os_str().is_empty());
    let Some(text) = secret(FLAG, flags.auth_token_file.as_ref(), AUTH_TOKEN, variable)? else {
        return Ok(None);
    };
    Token::new(&text).map(Some).map_err(|problem| {
        if from_file {
            refused(FLAG, &problem)
        } else {
            ConfigError::Variable { variable: AUTH_TOKEN.to_owned(), problem }
        }
    })
}

/// A list without its empty members.
fn several(values: &[String]) -> Vec<String> {
    values.iter().filter_map(|value| present(Some(value))).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{NetworkFlags, PORT, Protocol, Serving};

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn flags(transport: &str) -> NetworkFlags {
        NetworkFlags { transport: text(transport), ..NetworkFlags::default() }
    }

    #[test]
    fn nobody_listens_unless_asked() {
        for flags in [NetworkFlags::default(), flags("stdio"), flags("")] {
            assert_eq!(Serving::read(&flags, None), Ok(Serving::Stdio));
        }
    }

    #[test]
    fn a_listener_is_private_unless_told_otherwise() {
        for (transport, due) in [("http", Protocol::Http), ("SSE", Protocol::Sse)] {
            let Ok(Serving::Network(protocol, network)) = Serving::read(&flags(transport), None) else {
                panic!("{transport} is a network transport");
            };
            assert_eq!(protocol, due);
            assert_eq!((network.host.as_str(), network.port), ("127.0.0.1", PORT));
            assert_eq!((network.token, network.allow_unauthenticated), (None, false));
        }
    }

    #[test]
    fn an_error_names_flag_and_variable_but_not_the_value() {
        let bad = || text("s3cret");
        for (flags, variable) in [
            (flags("s3cret"), "SONARR_MCP_TRANSPORT"),
            (NetworkFlags { port: bad(), ..flags("http") }, "SONARR_MCP_PORT"),
            (NetworkFlags { port: text("65536"), ..flags("http") }, "SONARR_MCP_PORT"),
            (NetworkFlags { port: text("80"), ..NetworkFlags::default() }, "SONARR_MCP_PORT"),
            (NetworkFlags { host: bad(), ..NetworkFlags::default() }, "SONARR_MCP_HOST"),
            (NetworkFlags { allow_unauthenticated: bad(), ..flags("http") }, "SONARR_MCP_ALLOW_UNAUTHENTICATED"),
            (NetworkFlags { allowed_origin: vec!["s3cret".to_owned()], ..flags("sse") }, "SONARR_MCP_ALLOWED_ORIGIN"),
            (NetworkFlags { auth_token_file: Some("/no/s3cret".into()), ..flags("sse") }, "SONARR_MCP_AUTH_TOKEN_FILE"),
        ] {
            let message = Serving::read(&flags, None).unwrap_err().to_string();
            assert!(message.contains(variable), "{message}");
            assert!(!message.contains("s3cret"), "{message}");
        }
        let message = Serving::read(&flags("http"), Some("s3cret".into())).unwrap_err().to_string();
        assert!(message.contains("SONARR_MCP_AUTH_TOKEN: the token must have at least 16"), "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    }

    #[test]
    fn lists_have_no_empty_members() {
        let flags = NetworkFlags { allowed_host: vec![String::new(), " nas.lan ".to_owned()], ..flags("http") };
        let Ok(Serving::Network(_, network)) = Serving::read(&flags, None) else { panic!("it is a network transport") };
        assert_eq!(network.allowed_hosts, ["nas.lan"]);
    }
}
