//! Runs an embedded Sonarr until it is interrupted: a server to try a client against.
//!
//! ```console
//! cargo run -p embedded-sonarr --example serve -- --port 8989 --series 200 --fault 'latency=2s@/release'
//! cargo run -p embedded-sonarr --example serve -- --series 2000 --episodes-per-series 30 --scenario all
//! ```

use std::error::Error;

use embedded_sonarr::{EmbeddedSonarr, Options, Scenario};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        if flag == "--next-version" {
            options.next_version = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{flag} takes a value"))?;
        match flag.as_str() {
            "--port" => options.port = value.parse()?,
            "--series" => options.series = value.parse()?,
            "--episodes-per-series" => options.episodes_per_series = Some(value.parse()?),
            "--scenario" if value == "all" => options.scenarios.extend(Scenario::all()),
            "--scenario" => options.scenarios.push(value.parse()?),
            "--seed" => options.seed = value.parse()?,
            "--url-base" => options.url_base = value,
            "--api-key" => options.api_key = value,
            "--fault" => options.faults.push(value.parse()?),
            _ => {
                return Err(format!(
                    "{flag} is not accepted: use --port, --series, --episodes-per-series, --scenario, --seed, --url-base, --api-key, --fault or --next-version"
                )
                .into());
            }
        }
    }
    let sonarr = EmbeddedSonarr::start(options).await?;
    eprintln!("Sonarr at {} with the API key {}", sonarr.url(), sonarr.api_key());
    tokio::signal::ctrl_c().await?;
    Ok(())
}
