//! The reference: tools, operations, commands and failures, made from the tables the server works
//! by.

use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Value, json};

use super::JSON;
use super::address::Address;
use crate::catalogue::PREFIX;
use crate::failure::Code;
use crate::generated::{GROUPS, examples};
use crate::help;
use crate::instances::Instances;

/// The operation that takes commands.
const RUN: &str = "run_command";

pub(super) fn list(instances: &Instances) -> Vec<Resource> {
    let resource = |address: Address, name: &str, title: &str, description: &str| {
        Resource::new(address.uri(), name).with_title(title).with_description(description).with_mime_type(JSON)
    };
    let mut resources = vec![
        resource(
            Address::Operations,
            "operations",
            "Operations",
            "All operations by tool, a line each: arguments, effect and what it does",
        ),
        resource(
            Address::Failures,
            "failures",
            "Failures",
            "Every kind of failure a call can end with: its cause, and what to do",
        ),
        resource(
            Address::Commands,
            "commands",
            "Commands",
            "The commands `run_command` takes, with their parameters and effects",
        ),
    ];
    resources.extend(instances.catalogue().offers().iter().map(|offer| {
        let group = offer.group();
        resource(Address::Tool(offer.tool().to_owned()), offer.tool(), group.title, group.summary)
    }));
    resources
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |address: Address, name: &str, title: &str, description: &str| {
        ResourceTemplate::new(address.uri(), name).with_title(title).with_description(description).with_mime_type(JSON)
    };
    vec![
        template(
            Address::Tool("{tool}".to_owned()),
            "tool",
            "One tool",
            "A tool's operations, a line each: arguments, effect and what it does",
        ),
        template(
            Address::Operation("{operation}".to_owned()),
            "operation",
            "One operation",
            "All arguments of an operation, what it does, destroys and checks, and an example",
        ),
    ]
}

pub(super) fn operations(instances: &Instances) -> String {
    let tools: Vec<Value> = instances
        .catalogue()
        .offers()
        .iter()
        .map(|offer| help::group(offer.tool(), offer.group().summary, offer.operations()))
        .collect();
    json!({"tools": tools}).to_string()
}

pub(super) fn tool(instances: &Instances, name: &str) -> Option<String> {
    let offer = instances.catalogue().tool(name).ok()?;
    Some(help::group(offer.tool(), offer.group().summary, offer.operations()).to_string())
}

pub(super) fn operation(instances: &Instances, name: &str) -> Option<String> {
    let (offer, operation) = instances.catalogue().offers().iter().find_map(|offer| {
        let operation = offer.operations().iter().find(|operation| operation.name == name)?;
        Some((offer, operation))
    })?;
    Some(help::operation(offer.tool(), operation, examples::of(name)).to_string())
}

pub(super) fn failures() -> String {
    let failures: Vec<Value> = Code::ALL
        .into_iter()
        .map(|code| json!({"code": code.name(), "cause": code.cause(), "cure": code.remedy()}))
        .collect();
    json!({"failures": failures}).to_string()
}

pub(super) fn commands() -> String {
    let all = GROUPS.iter().flat_map(|group| group.operations.iter().map(move |operation| (group, operation)));
    let mut told = Value::Null;
    for (group, operation) in all.filter(|(_, operation)| operation.name == RUN) {
        let tool = format!("{PREFIX}{}", group.name);
        let commands = help::operation(&tool, operation, "").get_mut("commands").map(Value::take);
        told = json!({"tool": tool, "operation": RUN, "commands": commands});
    }
    told.to_string()
}
