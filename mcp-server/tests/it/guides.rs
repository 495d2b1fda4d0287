//! The commands of the guides run as they stand.

use std::process::Command;

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
