//! Whether a tag may be released.

use crate::table::Table;
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Holds a tag and the repository it was pushed to against the table, and looks for the version in the changelog.
///
/// # Errors
/// Names everything that does not fit.
pub fn check(root: &Path, table: &Table, tag: &str, repository: &str) -> Result<()> {
    let changelog = std::fs::read_to_string(root.join("CHANGELOG.md")).context("cannot read CHANGELOG.md")?;
    let wrong = problems(table, &changelog, tag, repository);
    ensure!(wrong.is_empty(), "this cannot be released:\n  {}", wrong.join("\n  "));
    Ok(())
}

fn problems(table: &Table, changelog: &str, tag: &str, repository: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let due = format!("v{}", table.version);
    if tag != due {
        wrong.push(format!("the tag is {tag}, the workspace's version makes it {due}"));
    }
    if !repository.eq_ignore_ascii_case(&table.repository) {
        wrong.push(format!(
            "the repository is {repository}, the packages are named for {}: change `repository` in \
             packaging/packages.toml and run `cargo xtask regen`",
            table.repository
        ));
    }
    let heading = format!("## {}", table.version);
    let named = |line: &str| line.strip_prefix(&heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    if !changelog.lines().any(named) {
        wrong.push(format!("CHANGELOG.md has no section `{heading}`"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::problems;
    use crate::Table;

    #[test]
    fn a_release_needs_its_tag_its_home_and_its_section() {
        let mut table = Table::load(&crate::manifests::tests::root()).unwrap();
        table.version = "1.2.3".to_owned();
        table.repository = "a/b".to_owned();
        let changelog = "# Changelog\n\n## 1.2.3 - 2030-01-01\n\n- All.\n";
        assert_eq!(problems(&table, changelog, "v1.2.3", "A/b"), Vec::<String>::new());
        let wrong = problems(&table, "## 1.2.30\n", "v1.2.4", "c/b");
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        for (problem, told) in wrong.iter().zip(["v1.2.4", "c/b", "## 1.2.3"]) {
            assert!(problem.contains(told), "{problem}");
        }
    }
}
