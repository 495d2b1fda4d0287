//! What a model reads before it calls: the tools, made from the table of operations.
//!
//! Hosts refuse long descriptions and schemas with references or alternatives at the root, and
//! every token is paid in every conversation, so a tool says each thing once.

mod describe;
pub mod narrowing;
mod schema;

use std::sync::OnceLock;

use rmcp::model::{Tool, ToolAnnotations};

use crate::config;
use crate::failure::Failure;
use crate::operation::{Group, Operation};
use crate::workflows;

use narrowing::{Form, Narrowing};

/// What stands before a group's name to make the tool's, and may stand before an operation's.
pub const PREFIX: &str = "sonarr_";

/// The longest description of a tool, in characters; model APIs refuse more.
pub const MAX_DESCRIPTION: usize = 1024;

/// The tools and their operations.
#[derive(Debug)]
pub struct Catalogue {
    groups: Vec<Offer>,
    /// The tools there are beside those offered.
    left_out: Vec<String>,
    narrowing: Narrowing,
    tools: OnceLock<Vec<Tool>>,
}

/// A group and the operations of it that are offered.
#[derive(Debug)]
pub struct Offer {
    group: &'static Group,
    tool: String,
    operations: Vec<&'static Operation>,
}

impl Offer {
    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The group behind it.
    pub fn group(&self) -> &'static Group {
        self.group
    }

    /// All that are in the group, offered or not.
    fn all(&self) -> impl Iterator<Item = &'static Operation> {
        self.group.operations.iter().chain(workflows::of_group(self.group.name))
    }

    /// The operations offered, in the group's order.
    pub fn operations(&self) -> &[&'static Operation] {
        &self.operations
    }
}

impl Catalogue {
    /// Offers the operations of `groups`, or only those that read. A group with none of these is
    /// no tool.
    pub fn new(groups: &'static [Group], read_only: bool) -> Self {
        Catalogue::narrowed(groups, Narrowing::reading(read_only))
    }

    /// Offers of `groups` what `narrowing` leaves.
    pub fn narrowed(groups: &'static [Group], narrowing: Narrowing) -> Self {
        let (offered, left_out): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(|group| narrowing.offers(group));
        let left_out = left_out.iter().map(|group| format!("{PREFIX}{}", group.name)).collect();
        let groups = offered
            .into_iter()
            .map(|group| Offer {
                group,
                tool: format!("{PREFIX}{}", group.name),
                operations: group
                    .operations
                    .iter()
                    .chain(workflows::of_group(group.name))
                    .filter(|operation| !narrowing.read_only || !operation.effect.writes())
                    .collect(),
            })
            .filter(|offer| !offer.operations.is_empty())
            .collect();
        Catalogue { groups, left_out, narrowing, tools: OnceLock::new() }
    }

    /// What is offered, a group after the other.
    pub fn offers(&self) -> &[Offer] {
        &self.groups
    }

    /// The tools as the protocol lists them, made at the first call.
    pub fn tools(&self) -> &[Tool] {
        self.tools.get_or_init(|| self.groups.iter().map(|offer| tool(offer, &self.narrowing)).collect())
    }

    /// The tool of a name, also without [`PREFIX`].
    ///
    /// # Errors
    /// When there is none; the failure names the ones there are.
    pub fn tool(&self, name: &str) -> Result<&Offer, Failure> {
        self.groups.iter().find(|offer| offer.tool == name || offer.group.name == name).ok_or_else(|| {
            let tools: Vec<&str> = self.groups.iter().map(Offer::tool).collect();
            let mut failure = Failure::unknown_tool(name, &tools);
            if self
                .left_out
                .iter()
                .any(|tool| tool.strip_prefix(PREFIX) == Some(name.strip_prefix(PREFIX).unwrap_or(name)))
            {
                failure = failure.cure(format!(
                    "this server was started without it: add it to --tools (or {}), or use one of the tools there are",
                    config::variable("tools")
                ));
            }
            failure
        })
    }

    /// A tool's operation of a name, also with [`PREFIX`].
    ///
    /// # Errors
    /// When the tool has none: the failure names the ones it has, or the tool that has it. When
    /// the operation writes and only those that read are offered.
    pub fn operation(&self, offer: &Offer, name: &str) -> Result<&'static Operation, Failure> {
        let bare = name.strip_prefix(PREFIX).unwrap_or(name);
        let named = |operation: &&&'static Operation| operation.name == bare;
        if let Some(operation) = offer.operations.iter().find(named) {
            return Ok(operation);
        }
        if self.narrowing.read_only && offer.all().any(|one| one.name == bare) {
            return Err(Failure::read_only(bare));
        }
        let elsewhere =
            self.groups.iter().find(|other| other.operations.iter().any(|one| one.name == bare)).map(Offer::tool);
        let names: Vec<&str> = offer.operations.iter().map(|one| one.name).collect();
        Err(Failure::unknown_operation(name, &offer.tool, &names, elsewhere))
    }

    /// The names of a tool's operations.
    pub fn operation_names(&self, offer: &Offer) -> Vec<String> {
        offer.operations.iter().map(|operation| operation.name.to_owned()).collect()
    }
}

fn tool(offer: &Offer, narrowing: &Narrowing) -> Tool {
    let (description, input) = match narrowing.form {
        Form::Full => {
            let shown = if narrowing.read_only { describe::Shown::Nothing } else { describe::Shown::All };
            (describe::describe(offer.group.summary, &offer.operations, shown), schema::input(&offer.operations))
        }
        Form::Lean => {
            let shown = describe::Shown::Destroys;
            (describe::describe(offer.group.summary, &offer.operations, shown), schema::lean(&offer.operations))
        }
    };
    Tool::new(offer.tool.clone(), description, input)
        .with_raw_output_schema(schema::output())
        .with_annotations(annotations(offer))
}

/// The hints, true for what is offered. Those that say what the protocol takes for granted are left
/// out: that a call may not be repeated, and that it reaches beyond this server.
fn annotations(offer: &Offer) -> ToolAnnotations {
    let all_read = offer.operations.iter().all(|one| !one.effect.writes());
    let mut annotations = ToolAnnotations::with_title(offer.group.title).read_only(all_read);
    if all_read {
        return annotations;
    }
    annotations = annotations.destructive(offer.operations.iter().any(|one| one.destructive.is_some()));
    if offer.operations.iter().all(|one| one.idempotent) {
        annotations = annotations.idempotent(true);
    }
    annotations
}

#[cfg(test)]
mod tests;
