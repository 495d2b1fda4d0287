//! What the audits find, for people: the part of docs/audits.md that is made from their table.

use std::fmt::Write;

use super::AUDITS;

/// A section for each audit, in Markdown: its tool, what it takes, and the kinds of its findings.
pub fn kinds() -> String {
    let mut text = String::new();
    for audit in AUDITS {
        let _ = write!(text, "\n### `{}` (tool `sonarr_{}`)\n\n{}\n\n", audit.name, audit.group, audit.summary);
        if !audit.parameters.is_empty() {
            let takes: Vec<String> =
                audit.parameters.iter().map(|one| format!("`{}`: {}", one.name, one.summary)).collect();
            let _ = write!(text, "Takes {}\n\n", takes.join(" "));
        }
        text.push_str("| kind | what is claimed |\n|---|---|\n");
        for kind in audit.kinds {
            let _ = writeln!(text, "| `{}` | {} |", kind.name, kind.meaning);
        }
    }
    text
}
