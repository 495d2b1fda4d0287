//! Whether a call goes, is asked about first, or is refused.

use serde_json::{Map, Value};

use super::commands;
use super::tokens::Problem;
use crate::operation::Operation;

/// Which writes are asked about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Those that take something away.
    #[default]
    Auto,
    /// All.
    Always,
    /// None.
    Never,
}

impl Mode {
    /// The words for the modes.
    pub const NAMES: [&'static str; 3] = ["auto", "always", "never"];

    /// The mode of a word, in any case.
    pub fn named(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "auto" => Some(Mode::Auto),
            "always" => Some(Mode::Always),
            "never" => Some(Mode::Never),
            _ => None,
        }
    }
}

/// What came as `confirm`, or as the answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Nothing.
    None,
    /// A token for this very call.
    Valid,
    /// A token for nothing.
    Invalid(Problem),
}

/// What decides over a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Which writes are asked about.
    pub mode: Mode,
    /// Whether the server must not write.
    pub read_only: bool,
    /// Whether the call writes.
    pub writes: bool,
    /// Whether the call takes something away.
    pub takes: bool,
    /// Whether the client can ask a person.
    pub can_ask: bool,
    /// What came along.
    pub consent: Consent,
}

/// What is done with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is made.
    Go,
    /// A person is asked, and nothing is sent before the answer.
    Ask,
    /// It is shown, with a token that makes it go, and nothing is sent.
    Preview,
    /// It is refused, for the server must not write.
    ReadOnly,
    /// It is refused, for its token is not good.
    Refuse(Problem),
}

/// Decides over a call. Without a consent that can be checked, nothing that needs one goes.
pub fn decide(facts: Facts) -> Decision {
    if !facts.writes {
        return Decision::Go;
    }
    if facts.read_only {
        return Decision::ReadOnly;
    }
    let needed = match facts.mode {
        Mode::Auto => facts.takes,
        Mode::Always => true,
        Mode::Never => false,
    };
    match (needed, facts.consent, facts.can_ask) {
        (false, ..) | (true, Consent::Valid, _) => Decision::Go,
        (true, Consent::Invalid(problem), _) => Decision::Refuse(problem),
        (true, Consent::None, true) => Decision::Ask,
        (true, Consent::None, false) => Decision::Preview,
    }
}

/// What a call takes away or overwrites, when it does.
pub fn takes(operation: &Operation, arguments: &Map<String, Value>) -> Option<&'static str> {
    match operation.name {
        "run_command" => commands::takes(arguments.get("body")),
        _ => operation.destructive,
    }
}

#[cfg(test)]
mod tests {
    use super::{Consent, Decision, Facts, Mode, decide, takes};
    use crate::generated::GROUPS;
    use crate::write::tokens::Problem;
    use serde_json::{Map, json};

    const CONSENTS: [Consent; 5] = [
        Consent::None,
        Consent::Valid,
        Consent::Invalid(Problem::Unknown),
        Consent::Invalid(Problem::Expired),
        Consent::Invalid(Problem::OtherCall),
    ];

    fn all() -> Vec<Facts> {
        let mut all = Vec::new();
        for mode in [Mode::Auto, Mode::Always, Mode::Never] {
            for bits in 0..16u8 {
                for consent in CONSENTS {
                    let bit = |at: u8| bits & (1 << at) != 0;
                    all.push(Facts {
                        mode,
                        read_only: bit(0),
                        writes: bit(1),
                        takes: bit(2),
                        can_ask: bit(3),
                        consent,
                    });
                }
            }
        }
        all
    }

    #[test]
    fn every_case_is_decided_as_it_should_be() {
        let all = all();
        assert_eq!(all.len(), 3 * 16 * 5);
        for facts in all {
            let decision = decide(facts);
            let needs = match facts.mode {
                Mode::Auto => facts.takes,
                Mode::Always => true,
                Mode::Never => false,
            };
            let due = if !facts.writes {
                Decision::Go
            } else if facts.read_only {
                Decision::ReadOnly
            } else if !needs || facts.consent == Consent::Valid {
                Decision::Go
            } else if let Consent::Invalid(problem) = facts.consent {
                Decision::Refuse(problem)
            } else if facts.can_ask {
                Decision::Ask
            } else {
                Decision::Preview
            };
            assert_eq!(decision, due, "{facts:?}");
        }
    }

    /// The one thing that must never be: a write that takes something away goes in a server that
    /// asks, without a consent for it.
    #[test]
    fn nothing_goes_without_consent() {
        for facts in all() {
            let guarded = facts.writes && facts.takes && facts.mode != Mode::Never;
            if guarded && facts.consent != Consent::Valid {
                assert_ne!(decide(facts), Decision::Go, "{facts:?}");
            }
            if facts.writes && facts.read_only {
                assert_eq!(decide(facts), Decision::ReadOnly, "{facts:?}");
            }
        }
    }

    #[test]
    fn what_destroys_takes_something_away() {
        let destructive: Vec<_> = GROUPS
            .iter()
            .flat_map(|group| group.operations)
            .filter(|operation| operation.destructive.is_some())
            .collect();
        assert_eq!(destructive.len(), 36);
        for operation in destructive {
            assert!(takes(operation, &Map::new()).is_some(), "{}", operation.name);
            assert!(operation.effect.writes(), "{}", operation.name);
        }
        let command = GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == "run_command").unwrap();
        let body = |name: &str| Map::from_iter([("body".to_owned(), json!({"name": name}))]);
        assert!(takes(command, &body("Restart")).is_some());
        assert!(takes(command, &body("RefreshSeries")).is_none());
    }

    #[test]
    fn modes_have_names() {
        for (name, mode) in Mode::NAMES.into_iter().zip([Mode::Auto, Mode::Always, Mode::Never]) {
            assert_eq!(Mode::named(name), Some(mode));
            assert_eq!(Mode::named(&name.to_uppercase()), Some(mode));
        }
        assert_eq!(Mode::named("yes"), None);
    }
}
