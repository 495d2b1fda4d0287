use std::collections::BTreeSet;

use super::{AUDITS, WORKFLOWS};
use crate::generated::GROUPS;

#[test]
fn the_table_is_sound() {
    let mut kinds = BTreeSet::new();
    for audit in AUDITS {
        assert!(audit.name.starts_with("audit_") && audit.name != "audit_library", "{}", audit.name);
        assert!(GROUPS.iter().any(|group| group.name == audit.group), "{}", audit.name);
        assert!(audit.summary.ends_with('.') && !audit.kinds.is_empty(), "{}", audit.name);
        for kind in audit.kinds {
            assert!(kinds.insert(kind.name), "{} is a kind twice", kind.name);
            assert!(kind.meaning.ends_with('.'), "{}", kind.name);
            assert!(kind.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'), "{}", kind.name);
        }
    }
    assert_eq!(WORKFLOWS.len(), AUDITS.len() + 1);
}
