//! The embedded Sonarr behind `--demo`.

use embedded_sonarr::{EmbeddedSonarr, Options};

use crate::config::{ApiKey, Target};

/// Starts an embedded Sonarr on a free loopback port, as `options` say, and points `target` at it. It lives as long
/// as what is returned.
///
/// # Errors
/// When no port can be had.
pub async fn start(target: &mut Target, options: Options) -> std::io::Result<EmbeddedSonarr> {
    let sonarr = EmbeddedSonarr::start(options).await?;
    target.url = Some(sonarr.url().to_owned());
    target.api_key = ApiKey::new(sonarr.api_key());
    Ok(sonarr)
}
