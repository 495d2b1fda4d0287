//! The words a fuzzer puts together, from the tables that the server is made of.

use std::collections::BTreeSet;

use clap::CommandFactory;
use sonarr_mcp::cli::Cli;
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::operation::Operation;
use sonarr_mcp::write::keys::KEYED;

/// The words of a target, in the form the fuzzer reads: a quoted word a line.
pub fn of(target: &str) -> String {
    let words: BTreeSet<String> = match target {
        "stdio" => operations()
            .flat_map(|operation| {
                let parameters = operation.takes().map(|parameter| format!("\"{}\":", parameter.name));
                parameters.chain([format!("\"{}\"", operation.name), format!("\"sonarr_{}\"", operation.group)])
            })
            .chain(strings(&[
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"",
                "tools/call",
                "resources/read",
                "completion/complete",
                "prompts/get",
                "\"params\":{",
                "\"arguments\":{",
                "\"operation\":",
                "\"query\":",
                "\"patch\":{",
                "\"ids\":[",
                "\"dry_run\":true",
                "\"_meta\":{",
                "sonarr://",
                "..%2f",
                "+tag",
            ]))
            .collect(),
        "answers" => operations()
            .map(|operation| format!("{} 200 application/json small\n\n", operation.name))
            .chain(strings(&[
                "400",
                "401",
                "503",
                "text/html",
                "text/plain",
                "image/png",
                "apiKey",
                "\u{202e}",
                "records",
            ]))
            .collect(),
        "selection" => KEYED
            .iter()
            .map(|keyed| format!("\"{}\":", keyed.member))
            .chain(operations().filter(|one| one.method == "PUT").map(|one| format!("\"update\":\"{}\"", one.name)))
            .chain(strings(&[
                "sort_by(@, &",
                "max_by(",
                "group_by(",
                "map(&",
                "reverse(",
                "[?",
                "[*].",
                "[]",
                "| [0]",
                "items(@)",
                "from_items(@)",
                "&&",
                "||",
                "`0`",
                "'a'",
                "\"current\":",
                "\"patch\":",
                "\"add\":",
                "\"remove\":",
            ]))
            .collect(),
        "settings" => Cli::command()
            .get_arguments()
            .filter_map(|argument| argument.get_long())
            .map(|flag| format!("{flag}="))
            .chain(strings(&[
                "http://",
                "https://",
                "[::1]:8989",
                "/api/v3",
                "\n\n[instances.hd]\nurl = \"",
                "api_key = \"",
                "api_key_file = \"",
                "ca_file = \"",
                "-----BEGIN CERTIFICATE-----",
                "true",
                "%2e%2e",
                "@",
                "\\",
            ]))
            .collect(),
        "document" => operations()
            .map(|operation| format!("\"{}\":{{\"{}\":", operation.path, operation.method.to_lowercase()))
            .chain(strings(&[
                "\"openapi\":\"3.0.4\"",
                "\"info\":{\"version\":\"3\"}",
                "\"components\":{\"schemas\":{",
                "\"paths\":{",
                "\"responses\":{\"200\":{",
                "\"properties\":{",
                "\"$ref\":\"#/components/schemas/",
                "\"parameters\":[",
                "\"content\":{\"application/json\":{\"schema\":{",
            ]))
            .collect(),
        _ => BTreeSet::new(),
    };
    words.iter().map(|word| format!("\"{}\"\n", escaped(word))).collect()
}

fn operations() -> impl Iterator<Item = &'static Operation> {
    GROUPS.iter().flat_map(|group| group.operations)
}

fn strings(words: &'static [&'static str]) -> impl Iterator<Item = String> {
    words.iter().map(|word| (*word).to_owned())
}

/// A word as it stands between quotes.
fn escaped(word: &str) -> String {
    word.bytes()
        .map(|byte| match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).to_string(),
            other => format!("\\x{other:02x}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, of};
    use crate::TARGETS;

    #[test]
    fn every_target_has_words() {
        for target in TARGETS {
            assert!(of(target.name).lines().count() > 20, "{}", target.name);
        }
        assert!(of("stdio").contains("\"\\\"get_series\\\"\"\n"));
    }

    #[test]
    fn a_word_is_quoted() {
        assert_eq!(escaped("a\"\\\n\u{e9}"), "a\\\"\\\\\\x0a\\xc3\\xa9");
    }
}
