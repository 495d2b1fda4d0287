//! The vocabulary of the generated table of commands.

mod check;

pub use check::check;

use crate::operation::Effect;

/// A command of `POST /api/v3/command`: its parameters stand beside `name` in the body.
#[derive(Debug)]
pub struct Command {
    /// Sonarr's spelling; Sonarr takes any case.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What else a caller should know; may be empty.
    pub details: &'static str,
    /// What it does to Sonarr; never [`Effect::Read`].
    pub effect: Effect,
    /// Whether it may make Sonarr download something.
    pub downloads: bool,
    /// What is lost or cut off, where something is.
    pub destructive: Option<&'static str>,
    /// Whether it usually takes longer than some seconds.
    pub long_running: bool,
    /// The first major version of Sonarr that has it, where version 4 does not.
    pub since: Option<&'static str>,
    /// Whether it serves Sonarr itself and no caller.
    pub internal: bool,
    /// Its parameters.
    pub parameters: &'static [CommandParameter],
}

/// A parameter of a command, or a member of one.
#[derive(Debug)]
pub struct CommandParameter {
    /// The name Sonarr uses.
    pub name: &'static str,
    /// `integer`, `boolean`, `string`, `object` or a type of the document; `[]` behind it for a list.
    pub type_name: &'static str,
    /// Whether the command is refused or fails without it.
    pub required: bool,
    /// What Sonarr takes when it is left out.
    pub default: Option<&'static str>,
    /// The values it takes; empty where any goes.
    pub values: &'static [&'static str],
    /// What it means.
    pub summary: &'static str,
    /// What an object is made of.
    pub members: &'static [CommandParameter],
}

/// The command of a name, in any case.
pub fn find(name: &str) -> Option<&'static Command> {
    crate::generated::commands::COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_command_is_found_in_any_case() {
        assert_eq!(find("seasonsearch").map(|command| command.name), Some("SeasonSearch"));
        assert!(find("MakeCoffee").is_none());
    }
}
