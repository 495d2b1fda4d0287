//! Typed [`httpmock`] helpers for programs that use [`sonarr_client`]: for each operation a method of the mock server,
//! whose `When` takes the operation's arguments and whose `Then` takes its answer.
//!
//! ```
//! use httpmock::MockServer;
//! use sonarr_client::prelude::*;
//! use sonarr_client::types::{HistoryResource, HistoryResourcePagingResource};
//! use sonarr_client_mock::MockServerExt as _;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sonarr = MockServer::start_async().await;
//! let history = sonarr.list_history(|when, then| {
//!     // An array is sent by repeating its name.
//!     when.series_ids(&vec![3, 4]).page_size(50);
//!     let record = HistoryResource { id: Some(7), ..Default::default() };
//!     let page = HistoryResourcePagingResource { records: Some(vec![record]), ..Default::default() };
//!     then.success(200, &page);
//! });
//!
//! let client = Client::connect(&sonarr.base_url(), "a-key")?;
//! let page = client.list_history().series_ids(vec![3, 4]).page_size(50).send().await?;
//! assert_eq!(page.records.as_ref().map(Vec::len), Some(1));
//! history.assert();
//! # Ok(())
//! # }
//! ```
//!
//! An argument that is not mentioned may have any value or none; `None` says that it has to be absent. What the types
//! do not allow, such as a refusal, goes through `into_inner`:
//!
//! ```
//! # use httpmock::MockServer;
//! # use sonarr_client::prelude::*;
//! # use sonarr_client_mock::MockServerExt as _;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sonarr = MockServer::start_async().await;
//! sonarr.get_tag(|when, then| {
//!     when.id(9);
//!     then.into_inner().status(404).header("content-type", "application/json").body(r#"{"message": "NotFound"}"#);
//! });
//! let client = Client::connect(&sonarr.base_url(), "a-key")?;
//! let error = client.get_tag().id(9).send().await.unwrap_err();
//! assert_eq!(error.kind(), sonarr_client::ErrorKind::NotFound);
//! # Ok(())
//! # }
//! ```
//!
//! The paths are those of a Sonarr without a URL base. The upload of a backup, `restore_backup_upload`, has no helper.
//! A Sonarr that keeps what it is told, and follows its own rules, is the crate `embedded-sonarr`.

#![forbid(unsafe_code)]

// rustfmt has its own mind about generated code, and regen writes it the same way each time.
#[rustfmt::skip]
mod generated;

pub use generated::*;
