//! The table of names, platforms and settings, and the version.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;

/// Where the table lies, from the workspace root.
pub const FILE: &str = "packaging/packages.toml";

/// The longest description the MCP registry takes, in characters.
const LONGEST_DESCRIPTION: usize = 100;

/// What the server is shipped as.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// `OWNER/NAME` on GitHub.
    pub repository: String,
    /// The name of the program and its packages.
    pub name: String,
    /// What hosts show for the name.
    pub title: String,
    /// One line, at most 100 characters.
    pub description: String,
    /// What people look for.
    pub keywords: Vec<String>,
    /// What binaries are built for.
    #[serde(rename = "platform")]
    pub platforms: Vec<Platform>,
    /// What can be set, the most needed first.
    #[serde(rename = "setting")]
    pub settings: Vec<Setting>,
    /// The workspace's version.
    #[serde(skip)]
    pub version: String,
    /// The workspace's licence, an SPDX expression.
    #[serde(skip)]
    pub license: String,
}

/// A platform a binary is built for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// Rust's name for it.
    pub target: String,
    /// `process.platform` of Node.
    pub os: String,
    /// `process.arch` of Node.
    pub cpu: String,
    /// The target whose binary the bundle carries for this system.
    pub bundle: Option<String>,
}

/// A setting, by its environment variable.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The variable.
    pub variable: String,
    /// What its value is.
    pub kind: Kind,
    /// What it does.
    pub description: String,
    /// What holds when it is not set, where that is not plain from the kind.
    pub default: Option<String>,
    /// A value to start from.
    pub example: Option<String>,
    /// Whether nothing works without it.
    #[serde(default)]
    pub required: bool,
    /// The title under which a bundle asks for it.
    pub ask: Option<String>,
}

/// What the value of a setting is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Any text.
    Text,
    /// Text nobody may see.
    Secret,
    /// `true` or `false`.
    Switch,
    /// A whole number.
    Number,
    /// The path of a file.
    File,
}

#[derive(Deserialize)]
struct Manifest {
    workspace: Workspace,
}

#[derive(Deserialize)]
struct Workspace {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    version: String,
    license: String,
}

impl Table {
    /// Reads the table, and version and licence of the workspace.
    ///
    /// # Errors
    /// When a file is missing or wrong.
    pub fn load(root: &Path) -> Result<Self> {
        let read = |path: &str| std::fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"));
        Self::parse(&read(FILE)?, &read("Cargo.toml")?)
    }

    fn parse(table: &str, workspace: &str) -> Result<Self> {
        let mut table: Table = toml::from_str(table).context(FILE)?;
        let manifest: Manifest = toml::from_str(workspace).context("Cargo.toml")?;
        table.version = manifest.workspace.package.version;
        table.license = manifest.workspace.package.license;
        let parts: Vec<&str> = table.repository.split('/').collect();
        ensure!(parts.len() == 2 && !parts.contains(&""), "{FILE}: repository: expected OWNER/NAME");
        let length = table.description.chars().count();
        ensure!(
            (1..=LONGEST_DESCRIPTION).contains(&length),
            "{FILE}: description: {length} characters; the MCP registry takes 1 to {LONGEST_DESCRIPTION}"
        );
        Ok(table)
    }

    /// Whose repository it is.
    pub fn owner(&self) -> &str {
        self.repository.split('/').next().unwrap_or_default()
    }

    /// The repository's address.
    pub fn url(&self) -> String {
        format!("https://github.com/{}", self.repository)
    }

    /// The name in the MCP registry.
    pub fn registry_name(&self) -> String {
        format!("io.github.{}/{}", self.owner(), self.name)
    }

    /// The npm package people install. Scopes are in lower case.
    pub fn npm_name(&self) -> String {
        format!("@{}/{}", self.owner().to_lowercase(), self.name)
    }

    /// The container image, without a tag. Images are in lower case.
    pub fn image(&self) -> String {
        format!("ghcr.io/{}", self.repository.to_lowercase())
    }

    /// The file name of the bundle.
    pub fn bundle_name(&self) -> String {
        format!("{}-{}.mcpb", self.name, self.version)
    }

    /// The address of the bundle once this version is released.
    pub fn bundle_url(&self) -> String {
        format!("{}/releases/download/v{}/{}", self.url(), self.version, self.bundle_name())
    }

    /// The npm package that carries the binary for a platform.
    pub fn npm_platform_name(&self, platform: &Platform) -> String {
        format!("{}-{}-{}", self.npm_name(), platform.os, platform.cpu)
    }

    /// The file name of the program on a system.
    pub fn program(&self, os: &str) -> String {
        if os == "win32" { format!("{}.exe", self.name) } else { self.name.clone() }
    }

    /// The settings a bundle asks for, each with its title.
    pub fn asked(&self) -> impl Iterator<Item = (&Setting, &str)> {
        self.settings.iter().filter_map(|setting| Some((setting, setting.ask.as_deref()?)))
    }
}

impl Setting {
    /// The name of the setting in a bundle: `SONARR_MCP_READ_ONLY` is `read_only`.
    pub fn key(&self) -> String {
        let name = self.variable.strip_prefix("SONARR_").unwrap_or(&self.variable);
        name.strip_prefix("MCP_").unwrap_or(name).to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::{FILE, Table};

    const WORKSPACE: &str = "[workspace.package]\nversion = \"1.2.3\"\nlicense = \"MIT\"\n";

    fn table(repository: &str, description: &str) -> String {
        format!(
            "repository = \"{repository}\"\nname = \"n\"\ntitle = \"T\"\ndescription = \"{description}\"\n\
             keywords = []\nplatform = []\nsetting = []\n"
        )
    }

    #[test]
    fn names_follow_from_the_repository() {
        let table = Table::parse(&table("Some-One/repo", "d"), WORKSPACE).unwrap();
        assert_eq!(table.registry_name(), "io.github.Some-One/n");
        assert_eq!(table.npm_name(), "@some-one/n");
        assert_eq!(table.image(), "ghcr.io/some-one/repo");
        assert_eq!(table.bundle_url(), "https://github.com/Some-One/repo/releases/download/v1.2.3/n-1.2.3.mcpb");
    }

    #[test]
    fn what_no_registry_takes_is_refused() {
        for (text, told) in [
            (table("repo", "d"), "expected OWNER/NAME"),
            (table("a/b/c", "d"), "expected OWNER/NAME"),
            (table("a/b", &"x".repeat(101)), "101 characters"),
            (table("a/b", "d") + "more = 1\n", "more"),
        ] {
            let error = format!("{:#}", Table::parse(&text, WORKSPACE).unwrap_err());
            assert!(error.contains(told) && error.contains(FILE), "{error}");
        }
    }
}
