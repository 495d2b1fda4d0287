//! The commands of the guides run as they stand.

use std::process::Command;

use sonarr_mcp::audits;

/// The guide, and how often it calls the program.
const GUIDES: [(&str, usize); 1] = [(include_str!("../../../docs/writing.md"), 5)];

#[test]
fn every_command_of_the_guides_works() {
    for (guide, expected) in GUIDES {
        let commands: Vec<&str> = guide.lines().filter(|line| line.starts_with("sonarr-mcp ")).collect();
        assert_eq!(commands.len(), expected);
        for command in commands {
            let rest = command.trim_start_matches("sonarr-mcp ");
            let (words, json) = rest.split_once(" '").unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_sonarr-mcp"))
                .args(words.split(' '))
                .arg(json.trim_end_matches('\''))
                .output()
                .unwrap();
            assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// The figures are those of `just audits`; what stands before them is the table of the audits.
#[test]
fn the_guide_to_the_audits_has_their_table_and_a_cost_for_each() {
    let guide = include_str!("../../../docs/audits.md");
    let (before, costs) = guide.split_once("\n## What they cost\n").unwrap();
    assert!(before.ends_with(&audits::guide::kinds()), "`just audits` writes the table anew");
    let measured: Vec<&str> =
        costs.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(name, _)| name).collect();
    let all = [audits::OVERVIEW.operation.name].into_iter().chain(audits::AUDITS.iter().map(|audit| audit.name));
    assert_eq!(measured, all.collect::<Vec<_>>());
    assert!(costs.trim_end().ends_with(": met."), "a goal is not met");
}

/// The script fails unless these are passed, so the figures of the guide are what was seen last.
#[test]
fn the_guide_has_the_figures_the_conformance_suite_must_reach() {
    let script = include_str!("../../checks/conformance.sh");
    let versions = include_str!("../../checks/clients.sh");
    let guide = include_str!("../../../docs/transports.md");
    let runs: Vec<Vec<&str>> =
        script.lines().filter_map(|line| line.strip_prefix("check ")).map(|run| run.split(' ').collect()).collect();
    assert_eq!(runs.len(), 3);
    for run in runs {
        let [package, revision, due] = run[..] else { panic!("{run:?}") };
        let pinned = format!("{package}@npm:@modelcontextprotocol/conformance@");
        let (_, version) = versions.split_once(&pinned).unwrap();
        let version = version.split([' ', '\n', ')']).next().unwrap();
        let row = format!("| {version} | {revision} | {due} of {due} |");
        assert!(guide.contains(&row), "{row}");
    }
}
