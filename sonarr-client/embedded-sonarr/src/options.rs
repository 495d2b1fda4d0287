//! What an embedded Sonarr is started with.

use std::time::Duration;

use crate::{Clock, Fault, Scenario};

/// How an [`EmbeddedSonarr`](crate::EmbeddedSonarr) is built. Start from [`Options::default`] and change what matters.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of series in the library. Default: 12. Sizes of several thousand are made in well under two seconds.
    pub series: usize,
    /// Episodes in the regular seasons of each series; `None` (default) for some 12 to 30, as the series goes. Specials
    /// come on top.
    pub episodes_per_series: Option<usize>,
    /// What goes wrong in the library. Empty (default): the usual library, in which a few things are wrong. Any scenario,
    /// and be it [`Scenario::clean`] alone: a library in which nothing is wrong but what they plant.
    pub scenarios: Vec<Scenario>,
    /// Seed of everything invented: the same seed, size and clock give the same library, byte for byte. Default: 1.
    pub seed: u64,
    /// The key that requests must carry. Default: an invented one of 32 hexadecimal digits.
    pub api_key: String,
    /// Path below which the server lives: empty (default) or such as `/sonarr`.
    pub url_base: String,
    /// Whether to behave as a coming version: members and enum values that no published document knows, everywhere.
    /// Default: false.
    pub next_version: bool,
    /// Where time comes from. Default: [`Clock::Real`].
    pub clock: Clock,
    /// TCP port on 127.0.0.1; 0 (default) takes any free one.
    pub port: u16,
    /// For how long after the start every authenticated request is answered with 503. Default: zero.
    pub starting_for: Duration,
    /// Faults that are there from the start; more can be added with
    /// [`EmbeddedSonarr::inject`](crate::EmbeddedSonarr::inject). Default: none.
    pub faults: Vec<Fault>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            series: 12,
            episodes_per_series: None,
            scenarios: Vec::new(),
            seed: 1,
            api_key: DEFAULT_API_KEY.to_owned(),
            url_base: String::new(),
            next_version: false,
            clock: Clock::Real,
            port: 0,
            starting_for: Duration::ZERO,
            faults: Vec::new(),
        }
    }
}

impl Options {
    /// The URL base with one leading and no trailing slash, or empty.
    pub(crate) fn normal_url_base(&self) -> String {
        let trimmed = self.url_base.trim_matches('/');
        if trimmed.is_empty() { String::new() } else { format!("/{trimmed}") }
    }
}

/// The key of a server that was started without one of its own.
pub(crate) const DEFAULT_API_KEY: &str = "e4b3d5ede0f54a5ea0d3c0ffee5eed01";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_base_is_normalised() {
        for (given, expected) in [("", ""), ("/", ""), ("sonarr", "/sonarr"), ("/tv/sonarr/", "/tv/sonarr")] {
            let options = Options { url_base: given.to_owned(), ..Options::default() };
            assert_eq!(options.normal_url_base(), expected);
        }
    }
}
