use rmcp::model::Tool;
use serde_json::{Value, json};

use super::narrowing::{Form, Narrowing};
use super::{Catalogue, MAX_DESCRIPTION};
use crate::failure::Code;
use crate::generated::GROUPS;
use crate::workflows;
use crate::write::pairs;

/// What all tools together may take in a `tools/list`, in bytes: about 6,000 tokens. Every
/// conversation pays for it, so it is raised only with a reason.
const MAX_LIST_BYTES: usize = 28_000;

/// What one tool may take, in bytes: about 1,000 tokens.
const MAX_TOOL_BYTES: usize = 4_000;

/// What all tools may take when only those that read are offered: about 3,500 tokens.
const MAX_READ_ONLY_BYTES: usize = 16_500;

/// What all lean tools may take: about 2,800 tokens of name, description and input schema.
const MAX_LEAN_BYTES: usize = 15_500;

fn lean(read_only: bool) -> Catalogue {
    Catalogue::narrowed(GROUPS, Narrowing { read_only, form: Form::Lean, ..Narrowing::default() })
}

fn all() -> Catalogue {
    Catalogue::new(GROUPS, false)
}

fn json_of(tool: &Tool) -> Value {
    serde_json::to_value(tool).unwrap()
}

fn description(tool: &Tool) -> &str {
    tool.description.as_deref().unwrap()
}

#[test]
fn every_operation_is_in_exactly_one_tool() {
    let catalogue = all();
    let mut names: Vec<Value> = catalogue
        .tools()
        .iter()
        .flat_map(|tool| json_of(tool)["inputSchema"]["properties"]["operation"]["enum"].as_array().unwrap().clone())
        .collect();
    let count = names.len();
    names.sort_by_key(ToString::to_string);
    names.dedup();
    // And the workflows, and `help` in each tool.
    let own = 228 + workflows::all().count();
    assert_eq!((catalogue.tools().len(), count, names.len()), (15, own + 15, own + 1));
}

#[test]
fn the_list_stays_small() {
    let catalogue = all();
    let sizes: Vec<(String, usize)> =
        catalogue.tools().iter().map(|tool| (tool.name.to_string(), json_of(tool).to_string().len())).collect();
    for (name, size) in &sizes {
        assert!(*size <= MAX_TOOL_BYTES, "{name} takes {size} bytes");
    }
    let whole: usize = sizes.iter().map(|(_, size)| size).sum();
    assert!(whole <= MAX_LIST_BYTES, "{whole} bytes: {sizes:?}");
}

#[test]
fn the_smaller_forms_stay_smaller() {
    let size =
        |catalogue: &Catalogue| -> usize { catalogue.tools().iter().map(|tool| json_of(tool).to_string().len()).sum() };
    let (read_only, lean, lean_read_only) =
        (size(&Catalogue::new(GROUPS, true)), size(&lean(false)), size(&lean(true)));
    assert!(read_only <= MAX_READ_ONLY_BYTES, "{read_only}");
    assert!(lean <= MAX_LEAN_BYTES, "{lean}");
    assert!(lean_read_only < lean && lean_read_only < read_only, "{lean_read_only}");
}

#[test]
fn a_lean_tool_names_its_operations_and_what_destroys() {
    let (full, lean) = (all(), lean(false));
    for (full, (offer, lean)) in full.tools().iter().zip(lean.offers().iter().zip(lean.tools())) {
        assert_eq!((&full.name, &full.annotations), (&lean.name, &lean.annotations));
        let (full, schema) = (json_of(full), json_of(lean));
        let members = |tool: &Value, name: &str| tool["inputSchema"]["properties"][name].clone();
        assert_eq!(members(&full, "operation"), members(&schema, "operation"));
        assert_eq!(members(&schema, "arguments"), json!({"type": "object", "additionalProperties": true}));
        for operation in offer.operations() {
            let told = sections_of(description(lean), operation.name);
            // A verb may stand for a write that destroys nothing, too, but never for a read.
            assert!(operation.destructive.is_none() || told == ["Destroys!"], "{}", operation.name);
            assert!(operation.effect.writes() || told.is_empty(), "{}", operation.name);
        }
    }
}

#[test]
fn only_the_tools_that_are_asked_for_are_offered() {
    let narrowing = Narrowing { tools: vec!["queue", "tags"], ..Narrowing::default() };
    let catalogue = Catalogue::narrowed(GROUPS, narrowing.clone());
    let names: Vec<&str> = catalogue.tools().iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["sonarr_queue", "sonarr_tags"]);
    for left_out in ["sonarr_calendar", "calendar"] {
        let failure = catalogue.tool(left_out).unwrap_err();
        assert_eq!(failure.code, Code::UnknownTool);
        assert!(failure.text().contains("SONARR_MCP_TOOLS"), "{failure}");
    }
    assert!(!catalogue.tool("nothing").unwrap_err().text().contains("SONARR_MCP_TOOLS"));

    let both = Catalogue::narrowed(GROUPS, Narrowing { read_only: true, ..narrowing });
    assert_eq!(both.tools().len(), 2);
    for tool in both.tools() {
        assert_eq!(tool.annotations.as_ref().unwrap().read_only_hint, Some(true), "{}", tool.name);
    }
    let tags = both.tool("tags").unwrap();
    assert_eq!(both.operation(tags, "delete_tag").unwrap_err().code, Code::ReadOnly);
}

#[test]
fn no_host_refuses_a_tool() {
    for tool in all().tools() {
        assert!(tool.name.len() <= 40, "{}", tool.name);
        let length = description(tool).chars().count();
        assert!(length <= MAX_DESCRIPTION, "{}: {length}", tool.name);
        let schema = &json_of(tool)["inputSchema"];
        assert_eq!(schema["type"], "object");
        for refused in ["oneOf", "anyOf", "allOf", "not", "$ref"] {
            assert!(schema.get(refused).is_none(), "{}: {refused}", tool.name);
        }
        let text = schema.to_string();
        for refused in ["$ref", "$defs", "maxLength", "\"null\""] {
            assert!(!text.contains(refused), "{}: {refused}", tool.name);
        }
        let fits = |key: &String| {
            (1..=64).contains(&key.len()) && key.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
        };
        let arguments = &schema["properties"]["arguments"]["properties"];
        if let Some(arguments) = arguments.as_object() {
            assert!(arguments.keys().all(fits), "{}: {:?}", tool.name, arguments.keys());
        }
    }
}

#[test]
fn the_arguments_are_the_closed_union_of_the_parameters() {
    let catalogue = all();
    for (offer, tool) in catalogue.offers().iter().zip(catalogue.tools()) {
        let schema = json_of(tool);
        let arguments = &schema["inputSchema"]["properties"]["arguments"];
        let known = arguments["properties"].as_object();
        let mut due: Vec<&str> = offer
            .operations()
            .iter()
            .flat_map(|operation| operation.takes().map(|parameter| pairs::argument(operation, parameter)))
            .collect();
        due.push(crate::help::TOPIC);
        due.sort_unstable();
        due.dedup();
        let mut named: Vec<&str> = known.map(|known| known.keys().map(String::as_str).collect()).unwrap_or_default();
        named.sort_unstable();
        assert_eq!(named, due, "{}", tool.name);
        if !due.is_empty() {
            assert_eq!(arguments["additionalProperties"], json!(false));
        }
        for (name, property) in known.into_iter().flatten() {
            let open = property.to_string().contains("\"additionalProperties\":true");
            assert_eq!(open, name == "body" || name == "patch", "{}: {name}", tool.name);
        }
    }
}

/// The sections of a description: their titles and the entries in each, without arguments.
fn sections(description: &str) -> Vec<(&str, Vec<&str>)> {
    description
        .lines()
        .skip(1)
        .filter(|line| *line != crate::help::HINT)
        .map(|line| {
            let (title, mut rest) = line.split_once(": ").unwrap();
            let mut entries = Vec::new();
            while !rest.is_empty() {
                let end = rest.find([',', '(']).unwrap_or(rest.len());
                entries.push(&rest[..end]);
                let end = match rest[end..].strip_prefix('(') {
                    Some(arguments) => end + 2 + arguments.find(')').unwrap(),
                    None => end,
                };
                rest = rest[end..].trim_start_matches([',', ' ']);
            }
            (title, entries)
        })
        .collect()
}

/// The titles of the sections in which an operation stands: by its name, or else by its verb and
/// the ending of its name.
fn sections_of<'a>(description: &'a str, name: &str) -> Vec<&'a str> {
    let sections = sections(description);
    let having = |fits: &dyn Fn(&str) -> bool| -> Vec<&'a str> {
        sections
            .iter()
            .filter(|(_, entries)| entries.iter().any(|entry| fits(entry)))
            .map(|(title, _)| *title)
            .collect()
    };
    let named = having(&|entry| entry == name);
    let family = |entry: &str| {
        entry.split_once('…').is_some_and(|(verb, ending)| name.starts_with(verb) && name.ends_with(ending))
    };
    if named.is_empty() { having(&family) } else { named }
}

#[test]
fn every_operation_stands_in_the_section_of_what_it_does() {
    let catalogue = all();
    for (offer, tool) in catalogue.offers().iter().zip(catalogue.tools()) {
        for operation in offer.operations() {
            let found = sections_of(description(tool), operation.name);
            let needs = operation.takes().any(|parameter| pairs::is_required(operation, parameter));
            let due: &[&str] = match (operation.destructive, operation.effect.writes()) {
                (Some(_), _) => &["Destroys!"],
                (None, true) => &["Writes*"],
                // One that needs nothing may be left out.
                (None, false) if !needs && found.is_empty() => &[],
                (None, false) => &["Reads"],
            };
            assert_eq!(found, due, "{}: {}", operation.name, description(tool));
        }
    }
}

#[test]
fn the_hints_are_true() {
    let forms = [false, true].map(|read_only| [Catalogue::new(GROUPS, read_only), lean(read_only)]);
    for (read_only, catalogue) in
        forms.into_iter().zip([false, true]).flat_map(|(forms, on)| forms.map(|form| (on, form)))
    {
        for (offer, tool) in catalogue.offers().iter().zip(catalogue.tools()) {
            let hints = tool.annotations.as_ref().unwrap();
            let operations = offer.operations();
            let reads = operations.iter().all(|one| !one.effect.writes());
            assert_eq!(hints.read_only_hint, Some(reads), "{}", tool.name);
            assert!(!read_only || reads, "{}", tool.name);
            assert_eq!(hints.title.as_deref(), Some(offer.group().title));
            assert_eq!(hints.open_world_hint, None, "{}", tool.name);
            if reads {
                assert_eq!((hints.destructive_hint, hints.idempotent_hint), (None, None));
            } else {
                let destroys = operations.iter().any(|one| one.destructive.is_some());
                assert_eq!(hints.destructive_hint, Some(destroys), "{}", tool.name);
                let idempotent = operations.iter().all(|one| one.idempotent);
                // Left out, it is false; so is that the world is closed.
                assert_eq!(hints.idempotent_hint, idempotent.then_some(true), "{}", tool.name);
            }
        }
    }
}

#[test]
fn names_are_found_with_and_without_the_prefix() {
    let catalogue = all();
    for tool in ["sonarr_tags", "tags"] {
        let offer = catalogue.tool(tool).unwrap();
        for operation in ["list_tags", "sonarr_list_tags"] {
            assert_eq!(catalogue.operation(offer, operation).unwrap().name, "list_tags");
        }
    }
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let catalogue = all();
    let failure = catalogue.tool("sonarr_tag").unwrap_err();
    assert_eq!(failure.code, Code::UnknownTool);
    assert_eq!(failure.nearest.as_deref(), Some("sonarr_tags"));
    assert_eq!(failure.accepted.len(), 15);

    let tags = catalogue.tool("sonarr_tags").unwrap();
    let failure = catalogue.operation(tags, "list_tag").unwrap_err();
    assert_eq!(failure.code, Code::UnknownOperation);
    assert!(failure.nearest.is_some(), "{failure}");
    assert_eq!(failure.accepted.len(), tags.operations().len());

    let failure = catalogue.operation(tags, "list_queue").unwrap_err();
    assert!(failure.text().contains("`sonarr_queue`"), "{failure}");
}

#[test]
fn read_only_hides_and_refuses_what_writes() {
    let catalogue = Catalogue::new(GROUPS, true);
    for offer in catalogue.offers() {
        assert!(offer.operations().iter().all(|operation| !operation.effect.writes()));
    }
    let tags = catalogue.tool("sonarr_tags").unwrap();
    assert_eq!(catalogue.operation(tags, "create_tag").unwrap_err().code, Code::ReadOnly);
    assert!(catalogue.operation(tags, "list_tags").is_ok());
}

#[test]
fn what_writes_can_be_tried_and_confirmed() {
    for read_only in [false, true] {
        let catalogue = Catalogue::new(GROUPS, read_only);
        for (offer, tool) in catalogue.offers().iter().zip(catalogue.tools()) {
            let writes = offer.operations().iter().any(|operation| operation.effect.writes());
            let properties = &json_of(tool)["inputSchema"]["properties"];
            assert_eq!(properties.get("dry_run").is_some(), writes, "{}", tool.name);
            assert_eq!(properties.get("confirm").is_some(), writes, "{}", tool.name);
        }
    }
}
