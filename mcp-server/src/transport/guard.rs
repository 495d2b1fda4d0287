//! Who may speak to a listener: the Host and Origin of each request, and the bearer token.
//!
//! A page in a browser can send requests to this machine, and by a name of its own that it lets
//! point here (DNS rebinding) even read the answers. Such a request names the page's host in
//! `Host` or `Origin`.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::uri::{Authority, Scheme, Uri};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use super::reply;

/// A secret that clients send as `Authorization: Bearer …`. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The shortest token, in characters: what is shorter can be guessed.
    pub const SHORTEST: usize = 16;

    /// A token, without the white space around it.
    ///
    /// # Errors
    /// What is wrong with it, without showing it.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() < Token::SHORTEST {
            return Err(format!("the token must have at least {} characters", Token::SHORTEST));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the token must consist of visible ASCII characters".to_owned());
        }
        Ok(Token(text.to_owned()))
    }

    /// Compares in a time that does not tell how much of it is right.
    fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The rules of one listener.
#[derive(Debug, Clone)]
pub struct Guard {
    token: Option<Token>,
    hosts: Vec<String>,
    origins: Vec<String>,
    any_address: bool,
}

/// Why a request is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Refusal {
    Host(String),
    Origin(String),
    NoToken,
    WrongToken,
}

impl Guard {
    /// Lets in requests to this machine by its loopback names, and from pages on it.
    pub fn new() -> Self {
        Guard { token: None, hosts: Vec::new(), origins: Vec::new(), any_address: false }
    }

    /// Demands a token.
    #[must_use]
    pub fn token(mut self, token: Option<Token>) -> Self {
        self.token = token;
        self
    }

    /// Also lets in requests by these names, given without a port.
    #[must_use]
    pub fn hosts(mut self, hosts: impl IntoIterator<Item = String>) -> Self {
        self.hosts.extend(hosts.into_iter().map(|host| bare(&host)));
        self
    }

    /// Also lets in requests from pages of these origins, such as `https://chat.example`.
    #[must_use]
    pub fn origins(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.origins.extend(origins.into_iter().map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()));
        self
    }

    /// Also lets in requests by any IP address: a name can be made to point here by others, an
    /// address cannot.
    #[must_use]
    pub fn any_address(mut self, any_address: bool) -> Self {
        self.any_address = any_address;
        self
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check_host(uri, headers)?;
        if let Some(origin) = headers.get(ORIGIN)
            && !self.allows_origin(origin)
        {
            return Err(Refusal::Origin(shown(origin)));
        }
        self.check_token(headers)
    }

    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let (host, another) = (hosts.next(), hosts.next());
        let named = match (host, another) {
            (Some(host), None) => host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()),
            (None, _) => uri.authority().cloned(),
            (Some(_), Some(_)) => None,
        };
        match named {
            Some(authority) if self.allows_host(authority.host()) => Ok(()),
            Some(authority) => Err(Refusal::Host(authority.host().chars().take(80).collect())),
            None => Err(Refusal::Host(host.map(shown).unwrap_or_default())),
        }
    }

    fn allows_host(&self, host: &str) -> bool {
        let host = bare(host);
        match host.parse::<IpAddr>() {
            Ok(address) => self.any_address || address.is_loopback() || self.hosts.contains(&host),
            Err(_) => is_localhost(&host) || self.hosts.contains(&host),
        }
    }

    /// Whether pages of an origin may send requests.
    pub fn allows_origin(&self, origin: &HeaderValue) -> bool {
        let Ok(origin) = origin.to_str() else { return false };
        let origin = origin.to_ascii_lowercase();
        if self.origins.contains(&origin) {
            return true;
        }
        let Ok(uri) = origin.parse::<Uri>() else { return false };
        let on_the_web = uri.scheme() == Some(&Scheme::HTTP) || uri.scheme() == Some(&Scheme::HTTPS);
        on_the_web
            && uri.host().is_some_and(|host| {
                let host = bare(host);
                is_localhost(&host) || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            })
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        let Some(value) = headers.get(AUTHORIZATION) else { return Err(Refusal::NoToken) };
        let given = value.to_str().ok().and_then(|value| value.split_once(' '));
        match given {
            Some((scheme, given)) if scheme.eq_ignore_ascii_case("bearer") && token.is(given.trim()) => Ok(()),
            _ => Err(Refusal::WrongToken),
        }
    }
}

impl Default for Guard {
    fn default() -> Self {
        Guard::new()
    }
}

/// The middleware: lets a request in or answers why not.
pub async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            tracing::warn!(?refusal, "a request was not let in");
            refusal.into_response()
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Host(host) => reply::error(
                StatusCode::FORBIDDEN,
                &format!(
                    "the Host `{host}` is none of this server's; if it is meant to be, start it with --allowed-host"
                ),
            ),
            Refusal::Origin(origin) => reply::error(
                StatusCode::FORBIDDEN,
                &format!(
                    "pages of the Origin `{origin}` may not use this server; if they are meant to, start it with \
                     --allowed-origin"
                ),
            ),
            Refusal::NoToken => unauthorized("send the server's token as `Authorization: Bearer TOKEN`", "Bearer"),
            Refusal::WrongToken => {
                unauthorized("this is not the server's bearer token", "Bearer error=\"invalid_token\"")
            }
        }
    }
}

fn unauthorized(message: &str, challenge: &'static str) -> Response {
    let mut response = reply::error(StatusCode::UNAUTHORIZED, message);
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    response
}

/// A host without brackets and a final dot, in lower case.
fn bare(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_ascii_lowercase()
}

fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// A header from outside, no longer than it need be.
fn shown(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::{Guard, Refusal, Token};
    use axum::http::uri::Uri;
    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    fn check(guard: &Guard, headers: &[(&'static str, &str)]) -> Result<(), Refusal> {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
            .collect();
        guard.check(&Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn loopback_names_are_let_in_and_others_are_not() {
        let guard = Guard::new();
        for host in
            ["localhost", "LOCALHOST:8990", "127.0.0.1:1", "127.9.9.9", "[::1]:80", "mcp.localhost", "localhost."]
        {
            assert_eq!(check(&guard, &[("host", host)]), Ok(()), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example:8990", "192.168.1.5:8990", "127.0.0.1.nip.io", "", "a b", "[::2]"]
        {
            assert!(matches!(check(&guard, &[("host", host)]), Err(Refusal::Host(_))), "{host}");
        }
        assert!(matches!(check(&guard, &[]), Err(Refusal::Host(_))));
    }

    #[test]
    fn two_hosts_are_none() {
        let mut headers = HeaderMap::new();
        headers.append("host", HeaderValue::from_static("localhost"));
        headers.append("host", HeaderValue::from_static("evil.example"));
        assert!(Guard::new().check(&Uri::from_static("/mcp"), &headers).is_err());
    }

    #[test]
    fn beyond_loopback_any_address_but_only_named_hosts() {
        let guard = Guard::new().any_address(true).hosts(["NAS.lan".to_owned()]);
        for host in ["192.168.1.5:8990", "[fd00::7]:8990", "nas.lan:8990", "localhost"] {
            assert_eq!(check(&guard, &[("host", host)]), Ok(()), "{host}");
        }
        assert!(check(&guard, &[("host", "evil.example")]).is_err());
    }

    #[test]
    fn pages_from_elsewhere_are_kept_out() {
        let guard = Guard::new().origins(["https://Chat.example/".to_owned()]);
        for origin in ["http://localhost:6274", "http://127.0.0.1", "https://[::1]:3000", "https://chat.example"] {
            assert_eq!(check(&guard, &[("host", "localhost"), ("origin", origin)]), Ok(()), "{origin}");
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://localhost.evil.example",
            "http://chat.example",
            "https://chat.example:8443",
            "file://localhost",
            "http://192.168.1.5",
            "",
        ] {
            let refused = check(&guard, &[("host", "localhost"), ("origin", origin)]);
            assert!(matches!(refused, Err(Refusal::Origin(_))), "{origin}");
        }
    }

    #[test]
    fn the_token_is_demanded() {
        let token = Token::new("0123456789abcdef\n").unwrap();
        let guard = Guard::new().token(Some(token));
        let host = ("host", "localhost");
        assert_eq!(check(&guard, &[host]), Err(Refusal::NoToken));
        for value in ["Bearer 0123456789abcdef", "bearer  0123456789abcdef"] {
            assert_eq!(check(&guard, &[host, ("authorization", value)]), Ok(()));
        }
        for value in ["Bearer 0123456789abcdeF", "Bearer", "Bearer ", "Basic 0123456789abcdef", "0123456789abcdef"] {
            assert_eq!(check(&guard, &[host, ("authorization", value)]), Err(Refusal::WrongToken), "{value}");
        }
    }

    #[test]
    fn a_weak_token_is_none_and_a_token_is_never_shown() {
        for text in ["", "short", "with a space in it", "0123456789abcdeé"] {
            let problem = Token::new(text).unwrap_err();
            assert!(text.is_empty() || !problem.contains(text), "{problem}");
        }
        assert!(!format!("{:?}", Token::new("0123456789abcdef").unwrap()).contains("0123"));
    }
}
