//! A small program that uses the SDK, and how it is tested with a mock server: `cargo run --example monitored`.

use std::error::Error;
use std::io::Write as _;

use httpmock::MockServer;
use sonarr_client::prelude::*;
use sonarr_client::types::SeriesResource;
use sonarr_client_mock::MockServerExt as _;

/// The titles of the series that are monitored: what is tested here.
async fn monitored(client: &Client) -> Result<Vec<String>, sonarr_client::Error> {
    let library = client.list_series().send().await?.into_inner();
    Ok(library.into_iter().filter(|series| series.monitored == Some(true)).filter_map(|series| series.title).collect())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let series = |title: &str, monitored| SeriesResource {
        title: Some(title.to_owned()),
        monitored: Some(monitored),
        ..Default::default()
    };
    let sonarr = MockServer::start_async().await;
    let library = sonarr.list_series(|_, then| {
        then.success(200, &vec![series("The First", true), series("The Second", false)]);
    });

    let client = Client::connect(&sonarr.base_url(), "a-key")?;
    let titles = monitored(&client).await?;
    library.assert();
    if titles != ["The First"] {
        return Err(format!("{titles:?}").into());
    }
    writeln!(std::io::stdout(), "monitored: {}", titles.join(", "))?;
    Ok(())
}
