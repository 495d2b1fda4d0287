//! From what a person has, a URL and an API key, to a [`Client`].

use std::time::Duration;

use reqwest::header::HeaderValue;

use crate::Client;

mod base_url;
mod tls;

pub(crate) use base_url::display_url;

/// How long a call may take from sending to the last byte of its answer,
/// unless [`ClientBuilder::timeout`] says otherwise. An interactive search asks
/// every indexer in turn, which takes minutes with slow ones.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// How long it may take to reach the server, unless
/// [`ClientBuilder::connect_timeout`] says otherwise.
const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How many times a read is sent again, unless [`ClientBuilder::retries`] says otherwise.
const DEFAULT_RETRIES: usize = 2;

/// How long an idle connection is kept for the next call. Proxies close theirs
/// after about a minute, and a call sent at that moment would be lost.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// What a [`Client`] needs for each of its calls.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Marked sensitive, so that no `Debug` output shows it.
    pub(crate) api_key: Option<HeaderValue>,
    pub(crate) timeout: Duration,
    pub(crate) connect_timeout: Duration,
    /// How many times a read is sent again.
    pub(crate) retries: usize,
}

impl Settings {
    /// The key as text, to keep it out of texts.
    pub(crate) fn secret(&self) -> Option<&str> {
        self.api_key.as_ref().and_then(|key| key.to_str().ok())
    }
}

/// Why no [`Client`] could be made. None of these texts holds the API key or
/// credentials of the URL.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The URL cannot be that of a Sonarr server.
    #[error("the URL of Sonarr {reason}; accepted are forms like {}", base_url::ACCEPTED)]
    InvalidUrl {
        /// What is wrong with it.
        reason: String,
    },
    /// The API key cannot be sent.
    #[error("the API key {reason}; Sonarr shows its key under Settings > General")]
    InvalidApiKey {
        /// What is wrong with it; never the key itself.
        reason: String,
    },
    /// The text for the `User-Agent` header cannot be sent.
    #[error("the user agent may hold visible ASCII characters and spaces only")]
    InvalidUserAgent,
    /// A time-out of zero would fail every call.
    #[error("{setting} must be longer than zero")]
    InvalidTimeout {
        /// The setting's name.
        setting: &'static str,
    },
    /// The extra certificates cannot be read.
    #[error("the CA certificates cannot be used: {reason}; accepted is PEM text with one or more certificates")]
    InvalidCertificate {
        /// What is wrong with them.
        reason: String,
    },
    /// The URL begins with `https` but this build has no TLS.
    #[error(
        "this build cannot speak https: it was made with neither of the features `rustls` and `native-tls`; \
         enable one of them or use an http URL"
    )]
    TlsNotBuilt,
    /// This machine trusts no certificate authority, so no https server can be verified.
    #[error(
        "no trusted CA certificates were found on this machine, so an https server cannot be verified ({reason}); \
         install the operating system's CA certificates (often the package `ca-certificates`), \
         give the server's own CA with `ClientBuilder::ca_certificate_pem`, or use an http URL"
    )]
    NoTrustedRoots {
        /// What the TLS library says.
        reason: String,
    },
    /// The HTTP library could not be set up.
    #[error("the HTTP client could not be set up: {0}")]
    Setup(#[source] reqwest::Error),
}

impl Client {
    /// A client for the Sonarr server at `url`, with default settings.
    ///
    /// Nothing is sent yet: a wrong address or key shows with the first call.
    /// [`Client::builder`] has more settings and says which URLs are accepted.
    ///
    /// ```
    /// let client = sonarr_client::Client::connect("http://localhost:8989/sonarr", "0123abcd")?;
    /// assert_eq!(client.base_url(), "http://localhost:8989/sonarr");
    /// # Ok::<(), sonarr_client::ConnectError>(())
    /// ```
    ///
    /// # Errors
    /// When the URL or the key cannot be one, or TLS is needed and cannot be set up.
    pub fn connect(url: &str, api_key: &str) -> Result<Self, ConnectError> {
        Self::builder(url).api_key(api_key).build()
    }

    /// Settings for a client of the Sonarr server at `url`.
    ///
    /// `url` is what a browser uses to open Sonarr: `http` or `https`, host,
    /// port, and the URL base where one is set in Sonarr (`http://nas:8989/sonarr`).
    /// A trailing slash, a trailing `/api/v3` and a missing `http://` are put
    /// right. Credentials, a query and a fragment are refused.
    ///
    /// A proxy named by the environment (`HTTP_PROXY`, `HTTPS_PROXY`,
    /// `NO_PROXY`) is used for every server but one on this machine, unless
    /// [`ClientBuilder::no_proxy`] is called.
    pub fn builder(url: impl Into<String>) -> ClientBuilder {
        ClientBuilder {
            url: url.into(),
            api_key: None,
            timeout: DEFAULT_TIMEOUT,
            connect_timeout: DEFAULT_CONNECT_TIMEOUT,
            retries: DEFAULT_RETRIES,
            user_agent: concat!("sonarr-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            ca_certificates_pem: Vec::new(),
            accept_invalid_certs: false,
            no_proxy: false,
        }
    }

    /// The address every path is appended to, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.baseurl
    }

    /// Whether calls carry an API key.
    pub fn has_api_key(&self) -> bool {
        self.inner.api_key.is_some()
    }
}

/// Settings for a [`Client`], made by [`Client::builder`].
///
/// Its `Debug` output shows neither the key nor the URL.
#[must_use = "settings do nothing until `build` is called"]
#[derive(Clone)]
pub struct ClientBuilder {
    url: String,
    api_key: Option<String>,
    timeout: Duration,
    connect_timeout: Duration,
    retries: usize,
    user_agent: String,
    ca_certificates_pem: Vec<Vec<u8>>,
    accept_invalid_certs: bool,
    no_proxy: bool,
}

impl ClientBuilder {
    /// The API key, sent in the header `X-Api-Key` and nowhere else. White
    /// space around it is dropped.
    ///
    /// Without a key, calls are sent all the same; Sonarr answers all but
    /// `ping` with 401.
    pub fn api_key(mut self, api_key: impl Into<String>) -> Self {
        self.api_key = Some(api_key.into());
        self
    }

    /// How long a call may take from sending to the last byte of its answer;
    /// 300 seconds unless set. Interactive searches take minutes.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long it may take to reach the server; 10 seconds unless set.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How many times a read is sent again when the connection is refused or
    /// breaks off, or the answer is 502, 503 or 504; twice unless set, and 0
    /// for never. The pauses before begin at 0.2 seconds and double.
    ///
    /// All of it together ends within [`ClientBuilder::timeout`]. A write is
    /// never repeated, for Sonarr may have done it before its answer was lost.
    pub fn retries(mut self, retries: usize) -> Self {
        self.retries = retries;
        self
    }

    /// The text of the `User-Agent` header, which shows in Sonarr's trace log;
    /// `sonarr-client/` and this crate's version unless set.
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Certificates (PEM text, one or more) of certificate authorities to
    /// trust beside the operating system's, for a server with a certificate of
    /// its own making. May be called several times.
    pub fn ca_certificate_pem(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca_certificates_pem.push(pem.into());
        self
    }

    /// Accepts any certificate, also an expired one or one of another host.
    ///
    /// Whoever stands between this machine and the server can then read the
    /// API key; [`ClientBuilder::ca_certificate_pem`] is the safe way to use a
    /// self-signed certificate.
    pub fn accept_invalid_certs(mut self, accept: bool) -> Self {
        self.accept_invalid_certs = accept;
        self
    }

    /// Ignores the proxies named by the environment.
    pub fn no_proxy(mut self) -> Self {
        self.no_proxy = true;
        self
    }

    /// Makes the client. Nothing is sent yet.
    ///
    /// # Errors
    /// When a setting cannot be used, or TLS is needed and cannot be set up.
    pub fn build(self) -> Result<Client, ConnectError> {
        let base_url = base_url::read(&self.url)?;
        let api_key = self.api_key.as_deref().map(key_header).transpose()?;
        let user_agent = HeaderValue::from_str(&self.user_agent)
            .ok()
            .filter(|value| value.to_str().is_ok())
            .ok_or(ConnectError::InvalidUserAgent)?;
        for (setting, value) in [("the time-out", self.timeout), ("the connect time-out", self.connect_timeout)] {
            if value.is_zero() {
                return Err(ConnectError::InvalidTimeout { setting });
            }
        }

        let mut http = reqwest::Client::builder()
            .user_agent(user_agent)
            .timeout(self.timeout)
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            // Followed, a redirect to the login page would turn a POST into a
            // GET of a page, and the key could travel to another host.
            .redirect(reqwest::redirect::Policy::none());
        // No proxy can reach this machine's own Sonarr by such a name.
        if self.no_proxy || base_url::is_loopback(&base_url) {
            http = http.no_proxy();
        }
        let http =
            tls::set_up(http, base_url.scheme() == "https", &self.ca_certificates_pem, self.accept_invalid_certs)?
                .build()
                .map_err(ConnectError::Setup)?;

        let settings =
            Settings { api_key, timeout: self.timeout, connect_timeout: self.connect_timeout, retries: self.retries };
        let base_url = base_url.as_str().trim_end_matches('/').to_owned();
        Ok(Client::assemble(base_url, http, settings))
    }
}

impl std::fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("has_api_key", &self.api_key.is_some())
            .field("timeout", &self.timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("retries", &self.retries)
            .field("user_agent", &self.user_agent)
            .field("accept_invalid_certs", &self.accept_invalid_certs)
            .field("no_proxy", &self.no_proxy)
            .finish_non_exhaustive()
    }
}

/// The key as a header value that no `Debug` output shows.
fn key_header(key: &str) -> Result<HeaderValue, ConnectError> {
    let invalid = |reason: String| ConnectError::InvalidApiKey { reason };
    let key = key.trim();
    if key.is_empty() {
        return Err(invalid("is empty".to_owned()));
    }
    if let Some(index) = key.chars().position(|c| !c.is_ascii_graphic()) {
        return Err(invalid(format!(
            "has a character at position {} that no key has (a space, a control character or one outside ASCII)",
            index + 1
        )));
    }
    let mut value = HeaderValue::from_str(key).map_err(|_| invalid("cannot be sent in a header".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests;
