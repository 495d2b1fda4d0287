//! The kinds of failures in general: what causes them and what to do, whatever the call was.

use super::Code;

impl Code {
    /// All kinds.
    pub const ALL: [Code; 21] = [
        Code::UnknownTool,
        Code::UnknownOperation,
        Code::InvalidArguments,
        Code::ReadOnly,
        Code::NotConfigured,
        Code::Unreachable,
        Code::Timeout,
        Code::KeyRefused,
        Code::NotSonarr,
        Code::StartingUp,
        Code::Rejected,
        Code::NotFound,
        Code::NotSupported,
        Code::Conflict,
        Code::SonarrFailed,
        Code::UnreadableAnswer,
        Code::AnswerTooLarge,
        Code::Declined,
        Code::NotConfirmed,
        Code::Cancelled,
        Code::Internal,
    ];

    /// What such failures come from.
    pub fn cause(self) -> &'static str {
        match self {
            Code::UnknownTool => "There is no tool of this name, or it is not offered.",
            Code::UnknownOperation => "The tool has no operation of this name, or it is not offered.",
            Code::InvalidArguments => {
                "An argument is unknown, missing or of the wrong kind; nothing was sent to Sonarr."
            }
            Code::ReadOnly => "The operation changes Sonarr, and the server was started read-only.",
            Code::NotConfigured => "The address or the API key is missing or cannot be used.",
            Code::Unreachable => {
                "No connection to Sonarr: nothing listens there, the name is unknown, TLS failed, or it broke off."
            }
            Code::Timeout => "Sonarr did not answer in time. An operation that asks all indexers takes long.",
            Code::KeyRefused => "Sonarr answered, and refused the API key.",
            Code::NotSonarr => {
                "Something answered that is not Sonarr's API: another program, a proxy's page, or a missing URL base."
            }
            Code::StartingUp => "Sonarr is starting up or migrating its database.",
            Code::Rejected => "Sonarr understood the request and found it wrong; single fields may say why.",
            Code::NotFound => "Sonarr does not have the object that was asked for; it may have been removed.",
            Code::NotSupported => "This Sonarr does not have the operation: it is of another version.",
            Code::Conflict => "What was asked for contradicts what is there, such as a series that was added already.",
            Code::SonarrFailed => "Sonarr failed while it worked on the request.",
            Code::UnreadableAnswer => "Sonarr's answer is not what this operation answers with.",
            Code::AnswerTooLarge => "Sonarr's answer is too large to be passed on.",
            Code::Declined => "The call needs a person's consent, and the person who was asked did not give it.",
            Code::NotConfirmed => {
                "The token given as `confirm` is not for this call: it is another call's, used already, or too old."
            }
            Code::Cancelled => "The client took the call back before it was answered.",
            Code::Internal => "A bug in this server. The other operations still work.",
        }
    }

    /// What to do about such failures.
    pub fn remedy(self) -> &'static str {
        match self {
            Code::UnknownTool | Code::UnknownOperation => {
                "Use one of the names in `accepted`; `nearest` is the one that resembles yours."
            }
            Code::InvalidArguments => {
                "Correct what `path` names; `accepted` lists what is taken there, and the tool's operation `help` \
                 describes the arguments."
            }
            Code::ReadOnly => "Start the server without --read-only, or do it in Sonarr itself.",
            Code::NotConfigured => {
                "Set SONARR_URL and SONARR_API_KEY (Settings > General in Sonarr) and start the server again; \
                 `sonarr-mcp check` tells whether they work."
            }
            Code::Unreachable => {
                "See that Sonarr runs and that SONARR_URL is right as seen from the server's machine or container."
            }
            Code::Timeout => "Try again, ask for less, or raise --timeout.",
            Code::KeyRefused => "Set SONARR_API_KEY to the key under Settings > General in Sonarr.",
            Code::NotSonarr => "Correct SONARR_URL: the port, and the URL base under Settings > General in Sonarr.",
            Code::StartingUp => "Try again in a minute.",
            Code::Rejected => {
                "Correct the fields that are named. Warnings alone can be overruled with `forceSave` or `forceTest` \
                 where the operation has it."
            }
            Code::NotFound => "List what is there and take the id from the list.",
            Code::NotSupported => "Use another operation, or a Sonarr of the version this server was made for.",
            Code::Conflict => "Look at the object that is there, and change it instead of adding another.",
            Code::SonarrFailed => "Look at Sonarr's log; try again if the cause is a passing one.",
            Code::UnreadableAnswer => "Try again; if it stays, see Sonarr's log, and report it with the version.",
            Code::AnswerTooLarge => "Ask for a smaller page or a single object.",
            Code::Declined => "Do not repeat it; ask what is wanted instead.",
            Code::NotConfirmed => "Make the call without `confirm`, show the preview, and use its token once.",
            Code::Cancelled => "If it was a write, look at what Sonarr did with it before repeating it.",
            Code::Internal => "The server's log on standard error says where it is; please report it.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn all_kinds_are_among_all() {
        let named = include_str!("mod.rs").matches(" => \"").count();
        let mut names = Code::ALL.map(Code::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), named);
    }

    #[test]
    fn each_kind_has_a_cause_and_a_cure() {
        for code in Code::ALL {
            for text in [code.cause(), code.remedy()] {
                assert!(text.ends_with('.') && text.len() < 200, "{}: {text}", code.name());
            }
        }
    }
}
