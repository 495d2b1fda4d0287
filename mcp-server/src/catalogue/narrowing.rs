//! Which part of the catalogue is offered, and in which form.

use crate::arguments::nearest;
use crate::operation::Group;

use super::PREFIX;

/// What is left out of the list of tools; nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Whether operations that write are left out, whatever else is asked for.
    pub read_only: bool,
    /// The groups that are offered, without [`PREFIX`]; empty for all of them.
    pub tools: Vec<&'static str>,
    /// How much of each tool is described.
    pub form: Form,
}

impl Narrowing {
    /// Everything, or everything that reads.
    pub fn reading(read_only: bool) -> Self {
        Narrowing { read_only, ..Narrowing::default() }
    }

    /// Whether a group is offered.
    pub fn offers(&self, group: &Group) -> bool {
        self.tools.is_empty() || self.tools.contains(&group.name)
    }
}

/// How much of a tool is described.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// The operations with what they need and do, and every argument with its type.
    #[default]
    Full,
    /// The names of the operations; `help` tells the arguments.
    Lean,
}

impl Form {
    /// The names of all forms.
    pub const NAMES: [&'static str; 2] = ["full", "lean"];

    /// The form of a name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        [Form::Full, Form::Lean]
            .into_iter()
            .zip(Form::NAMES)
            .find(|(_, known)| known.eq_ignore_ascii_case(name))
            .map(|(form, _)| form)
    }
}

/// The names of groups in a list with commas, each with or without [`PREFIX`]. An empty list is
/// all of them.
///
/// # Errors
/// The first name that no group has: what is wrong and which names there are.
pub fn tools(list: &str, groups: &'static [Group]) -> Result<Vec<&'static str>, String> {
    let mut tools = Vec::new();
    for given in list.split(',').map(str::trim).filter(|given| !given.is_empty()) {
        let bare = given.strip_prefix(PREFIX).unwrap_or(given);
        let names = || groups.iter().map(|group| group.name);
        let Some(name) = names().find(|name| *name == bare) else {
            // What resembles no name is not repeated: it may be a secret in the wrong place.
            let meant = nearest(bare, names()).map(|name| format!(" (did you mean {name}?)")).unwrap_or_default();
            let names: Vec<&str> = names().collect();
            return Err(format!(
                "there is no such tool{meant}; expected some of {}, with commas between them",
                names.join(", ")
            ));
        };
        if !tools.contains(&name) {
            tools.push(name);
        }
    }
    Ok(tools)
}

#[cfg(test)]
mod tests {
    use super::{Form, tools};
    use crate::generated::GROUPS;

    #[test]
    fn tools_are_named_with_or_without_the_prefix() {
        assert_eq!(tools("queue, sonarr_tags,,queue", GROUPS), Ok(vec!["queue", "tags"]));
        assert_eq!(tools(" ", GROUPS), Ok(Vec::new()));
    }

    #[test]
    fn an_unknown_tool_is_answered_with_all_of_them() {
        let problem = tools("queue,sonarr_tag", GROUPS).unwrap_err();
        assert!(problem.contains("did you mean tags?"), "{problem}");
        assert!(GROUPS.iter().all(|group| problem.contains(group.name)), "{problem}");
        assert!(!tools("s3cret", GROUPS).unwrap_err().contains("s3cret"));
    }

    #[test]
    fn forms_have_names() {
        assert_eq!(["FULL", "lean", "thin"].map(Form::named), [Some(Form::Full), Some(Form::Lean), None]);
    }
}
