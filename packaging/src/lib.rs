//! What sonarr-mcp is shipped as: the manifests of the registries and hosts, made from one table, and the packages that
//! carry a binary.
//!
//! [`Table`] is `packaging/packages.toml` with the workspace's version. [`manifests`] are its texts, which `cargo xtask
//! regen` writes; [`pack`] makes npm packages, the bundle and their checksums of binaries that were built, which `cargo
//! xtask package` does; [`release`] says whether a tag may be released.

mod bundle;
#[cfg(test)]
mod files;
pub mod manifests;
mod npm;
mod pack;
pub mod release;
mod table;

pub use bundle::pack as pack_bundle;
pub use npm::pack as pack_npm;
pub use pack::{Binary, pack};
pub use table::{Kind, Platform, Setting, Table};
