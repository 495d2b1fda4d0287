use super::Binary;
use crate::Table;
use crate::manifests::tests::root;

#[test]
fn a_release_without_a_binary_names_the_missing_ones() {
    let table = Table::load(&root()).unwrap();
    let folder = std::env::temp_dir().join(format!("packaging-complete-{}", std::process::id()));
    let error = Binary::complete(&table, &folder).unwrap_err().to_string();
    for missing in ["x86_64-unknown-linux-musl/sonarr-mcp", "universal-apple-darwin", "sonarr-mcp.exe"] {
        assert!(error.contains(missing), "{error}");
    }
    // One for each platform, and the one of both architectures of macOS.
    assert_eq!(error.matches(", ").count(), table.platforms.len());
}
