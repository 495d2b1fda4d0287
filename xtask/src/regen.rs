//! From the sources in `openapi/` to every generated file, in memory.

use crate::document::{Document, VENDORED};
use crate::output::Files;
use crate::table::Table;
use crate::{
    columns, commands, corrections, examples, facade, invariants, notes, problems, reference, requests, sdk, table,
};
use anyhow::{Context, Result};
use std::path::Path;

/// The texts everything is made from.
#[derive(Clone)]
pub struct Sources {
    document: String,
    pub operations: String,
    pub parameters: String,
    pub corrections: String,
    pub columns: String,
    pub commands: String,
    pub examples: String,
    pub errors: String,
    pub versions: String,
}

impl Sources {
    /// The vendored document.
    pub fn vendored(&self) -> Result<Document> {
        Ok(Document(serde_json::from_str(&self.document).with_context(|| format!("{VENDORED} is not JSON"))?))
    }

    /// Reads `openapi/`.
    pub fn load(root: &Path) -> Result<Self> {
        let read = |path: &str| std::fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"));
        Ok(Self {
            document: read(VENDORED).context("run `cargo xtask import FILE` first")?,
            operations: read(table::OPERATIONS)?,
            parameters: read(table::PARAMETERS)?,
            corrections: read(corrections::FILE)?,
            columns: read(columns::FILE)?,
            commands: read(commands::FILE)?,
            examples: read(examples::FILE)?,
            errors: read(notes::ERRORS)?,
            versions: read(notes::VERSIONS)?,
        })
    }
}

/// The table, and the document with our corrections and descriptions.
pub fn described(sources: &Sources) -> Result<(Table, Document)> {
    let table = Table::parse(&sources.operations, &sources.parameters)?;
    let vendored = sources.vendored()?;
    let mut problems = table.coverage(&vendored);
    let (corrected, misfits) = corrections::apply(&sources.corrections, vendored)?;
    problems.extend(misfits);
    problems::none(&problems)?;
    problems::none(&invariants::check(&corrected, &table)?)?;
    let (described, problems) = table.describe(corrected)?;
    problems::none(&problems)?;
    Ok((table, described))
}

/// Every generated file with its content.
pub fn generate(sources: &Sources) -> Result<Files> {
    let (table, described) = described(sources)?;
    let mut files = Files::default();
    let reasons = corrections::reasons(&sources.corrections)?;
    let notes = notes::read(&sources.errors, &sources.versions, &reasons, &described, &table)?;
    sdk::generate(&described, &table, &notes, &mut files)?;
    facade::generate(&described, &table, &mut files)?;
    reference::generate(&described, &table, &mut files)?;
    let mut problems = columns::generate(&sources.columns, &described, &table, &mut files)?;
    problems.extend(commands::generate(&sources.commands, &described, &mut files)?);
    problems.extend(examples::generate(&sources.examples, &described, &table, &mut files)?);
    problems::none(&problems)?;
    requests::generate(&described, &table, &mut files)?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Sources {
        Sources::load(&crate::document::root().unwrap()).unwrap()
    }

    fn refusal(sources: &Sources) -> String {
        format!("{:#}", generate(sources).err().unwrap())
    }

    #[test]
    fn two_runs_make_the_same_bytes() {
        assert_eq!(generate(&sources()).unwrap(), generate(&sources()).unwrap());
    }

    #[test]
    fn a_deleted_row_fails_by_name() {
        let mut sources = sources();
        let start = sources.operations.find("[[operation]]\nname = \"create_tag\"").unwrap();
        let length = sources.operations[start + 1..].find("[[operation]]").unwrap();
        sources.operations.replace_range(start..start + 1 + length, "");
        assert!(refusal(&sources).contains("POST /api/v3/tag"), "{}", refusal(&sources));
    }

    #[test]
    fn a_new_path_fails_by_name() {
        let mut sources = sources();
        let path = "\"paths\": {\n    \"/api/v3/premiere\": { \"get\": { \"responses\": { \"200\": {} } } },";
        sources.document = sources.document.replacen("\"paths\": {", path, 1);
        assert!(refusal(&sources).contains("GET /api/v3/premiere"), "{}", refusal(&sources));
    }

    #[test]
    fn a_fault_mended_upstream_fails_with_the_name_of_its_correction() {
        let mut sources = sources();
        let mut document: serde_json::Value = serde_json::from_str(&sources.document).unwrap();
        document["components"]["schemas"]["HealthResource"]["properties"]["wikiUrl"] =
            serde_json::json!({ "type": "string" });
        sources.document = document.to_string();
        assert!(refusal(&sources).contains("correction `health"), "{}", refusal(&sources));
    }

    /// Each correction has a cause: the document that has it applied is refused.
    #[test]
    fn every_correction_refuses_the_document_it_has_cured() {
        let sources = sources();
        let vendored = Document(serde_json::from_str(&sources.document).unwrap());
        let mut rest = sources.corrections.split("[[correction]]").skip(1).peekable();
        assert!(rest.peek().is_some());
        for body in rest {
            let one = format!("[[correction]]{body}");
            let (cured, misfits) = corrections::apply(&one, vendored.clone()).unwrap();
            assert_eq!(misfits, []);
            let name = body.lines().find(|line| line.starts_with("name")).unwrap();
            let quoted = name.split('"').nth(1).unwrap();
            let (_, misfits) = corrections::apply(&one, cured).unwrap();
            assert!(!misfits.is_empty(), "{name}");
            assert!(misfits.iter().all(|misfit| misfit.text.contains(quoted)), "{misfits:?}");
        }
    }
}
