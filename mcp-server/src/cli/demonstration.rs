//! The flags of the embedded Sonarr.

use clap::Args;
use embedded_sonarr::{Fault, Options, Scenario};

use crate::config::{ConfigError, switch, variable};

/// The largest library the demonstration makes; its list of series is some 350 MB.
const MOST_SERIES: usize = 100_000;

/// What the embedded Sonarr is like, as text. Each of these flags brings it in, as `--demo` does.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Demonstration")]
pub struct DemoFlags {
    /// Series in the library of the embedded Sonarr [default: 12]
    #[arg(long, global = true, env = "SONARR_MCP_DEMO_SERIES", hide_env_values = true, value_name = "NUMBER")]
    pub demo_series: Option<String>,
    /// What the library is made from: the same number makes the same library [default: 1]
    #[arg(long, global = true, env = "SONARR_MCP_DEMO_SEED", hide_env_values = true, value_name = "NUMBER")]
    pub demo_seed: Option<String>,
    /// Let the embedded Sonarr answer as a coming version, with members and values nobody knows yet
    #[arg(long, global = true, env = "SONARR_MCP_DEMO_NEXT_VERSION", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub demo_next_version: Option<String>,
    /// What goes wrong with the embedded Sonarr, as KIND[=VALUE][*COUNT][@PATH], such as reset*3@/series; may be repeated
    #[arg(
        long,
        global = true,
        env = "SONARR_MCP_DEMO_FAULT",
        hide_env_values = true,
        value_name = "FAULT",
        value_delimiter = ','
    )]
    pub demo_fault: Vec<String>,
    /// What is wrong in the library of the embedded Sonarr: clean for nothing, all for everything, or a name such as
    /// new_seasons_ignored (a wrong one lists them); may be repeated
    #[arg(
        long,
        global = true,
        env = "SONARR_MCP_DEMO_SCENARIO",
        hide_env_values = true,
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub demo_scenario: Vec<String>,
}

impl DemoFlags {
    /// Whether one of them asks for the embedded Sonarr.
    pub fn given(&self) -> bool {
        self.demo_series.is_some()
            || self.demo_seed.is_some()
            || self.demo_next_version.as_deref().is_some_and(|value| value != "false")
            || !self.demo_fault.is_empty()
            || !self.demo_scenario.is_empty()
    }

    /// What the embedded Sonarr is started with.
    ///
    /// # Errors
    /// The first flag that cannot be read.
    pub fn options(&self) -> Result<Options, ConfigError> {
        let mut options = Options::default();
        if let Some(series) = number("demo-series", self.demo_series.as_deref())? {
            options.series = usize::try_from(series)
                .ok()
                .filter(|series| (1..=MOST_SERIES).contains(series))
                .ok_or_else(|| refused("demo-series", format!("expected a number from 1 to {MOST_SERIES}")))?;
        }
        if let Some(seed) = number("demo-seed", self.demo_seed.as_deref())? {
            options.seed = seed;
        }
        options.next_version = switch("demo-next-version", self.demo_next_version.as_deref())?;
        options.faults = self
            .demo_fault
            .iter()
            .map(|fault| fault.parse::<Fault>().map_err(|error| refused("demo-fault", error.to_string())))
            .collect::<Result<_, _>>()?;
        options.scenarios = self.scenarios()?;
        Ok(options)
    }

    fn scenarios(&self) -> Result<Vec<Scenario>, ConfigError> {
        let mut scenarios = Vec::new();
        for name in self.demo_scenario.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            match name {
                "all" => scenarios.extend(Scenario::all()),
                name => scenarios.push(
                    name.parse().map_err(|error| refused("demo-scenario", format!("{error}; or `all` of them")))?,
                ),
            }
        }
        Ok(scenarios)
    }
}

fn number(flag: &'static str, value: Option<&str>) -> Result<Option<u64>, ConfigError> {
    let number = value.map(str::trim).filter(|value| !value.is_empty()).map(str::parse);
    number.transpose().map_err(|_| refused(flag, "expected a whole number".to_owned()))
}

fn refused(flag: &'static str, problem: String) -> ConfigError {
    ConfigError::Value { flag, variable: variable(flag), problem }
}

#[cfg(test)]
mod tests {
    use embedded_sonarr::Scenario;

    use super::DemoFlags;

    #[test]
    fn each_flag_brings_the_embedded_sonarr_in_and_reaches_it() {
        assert!(!DemoFlags::default().given());
        let flags = DemoFlags {
            demo_series: Some("5000".to_owned()),
            demo_seed: Some("7".to_owned()),
            demo_next_version: Some("true".to_owned()),
            demo_fault: vec!["latency=2s*3@/series".to_owned(), "reset".to_owned()],
            demo_scenario: vec!["clean".to_owned(), "new_seasons_ignored".to_owned()],
        };
        assert!(flags.given());
        let options = flags.options().unwrap();
        assert_eq!((options.series, options.seed, options.next_version), (5000, 7, true));
        assert_eq!(options.faults.len(), 2);
        let names: Vec<&str> = options.scenarios.iter().map(Scenario::name).collect();
        assert_eq!(names, ["clean", "new_seasons_ignored"]);
    }

    #[test]
    fn all_means_every_scenario() {
        let flags = DemoFlags { demo_scenario: vec!["all".to_owned()], ..DemoFlags::default() };
        assert!(flags.given());
        assert_eq!(flags.options().unwrap().scenarios, Scenario::all());
    }

    #[test]
    fn what_cannot_be_read_names_the_flag() {
        for (flags, flag) in [
            (DemoFlags { demo_series: Some("many".to_owned()), ..DemoFlags::default() }, "demo-series"),
            (DemoFlags { demo_series: Some("0".to_owned()), ..DemoFlags::default() }, "demo-series"),
            (DemoFlags { demo_seed: Some("-1".to_owned()), ..DemoFlags::default() }, "demo-seed"),
            (DemoFlags { demo_fault: vec!["gremlins".to_owned()], ..DemoFlags::default() }, "demo-fault"),
            (DemoFlags { demo_scenario: vec!["gremlins".to_owned()], ..DemoFlags::default() }, "demo-scenario"),
        ] {
            let message = flags.options().unwrap_err().to_string();
            assert!(message.contains(flag), "{message}");
        }
    }
}
