//! What a person or a client can read by address: the reference, and a live view of Sonarr.
//!
//! An address names one of the things here; it is never a file's, nor a path of the caller's.

mod address;
mod live;
mod reference;

use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use crate::completions::Source;
use crate::instances::{Instances, MEMBER};

use address::{Address, View};

const JSON: &str = "application/json";

/// The resources that can be listed: the reference, and the live ones that need no argument.
pub fn list(instances: &Instances) -> Vec<Resource> {
    let mut resources = reference::list(instances);
    if instances.names().is_empty() {
        let views = View::PLAIN.into_iter().filter(|view| view.is_offered(instances));
        resources.extend(views.map(|view| {
            Resource::new(view.uri(None), view.name())
                .with_title(view.title())
                .with_description(view.description())
                .with_mime_type(JSON)
        }));
    }
    resources
}

/// The addresses that take an argument.
pub fn templates(instances: &Instances) -> Vec<ResourceTemplate> {
    let mut templates = reference::templates();
    let several = !instances.names().is_empty();
    let instance = several.then_some("{instance}");
    let mut views = vec![View::Series];
    if several {
        views.extend(View::PLAIN);
    }
    templates.extend(views.into_iter().filter(|view| view.is_offered(instances)).map(|view| {
        ResourceTemplate::new(view.template(instance), view.name())
            .with_title(view.title())
            .with_description(view.description())
            .with_mime_type(JSON)
    }));
    templates
}

/// Where the values of a template's argument come from; `None` when there is no such argument.
pub fn source(instances: &Instances, template: &str, argument: &str) -> Option<Source> {
    let known = templates(instances).into_iter().any(|known| known.uri_template == template);
    if !known || !template.contains(&format!("{{{argument}}}")) {
        return None;
    }
    match argument {
        "tool" => Some(Source::Tools),
        "operation" => Some(Source::Operations),
        "id" => Some(Source::SeriesIds),
        MEMBER => Some(Source::Instances),
        _ => None,
    }
}

/// Reads a resource.
///
/// # Errors
/// An address that is none, or names nothing there is; for a live one also what keeps Sonarr from
/// answering.
pub async fn read(instances: &Instances, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = match Address::read(uri).ok_or_else(|| unknown(uri))? {
        Address::Operations => reference::operations(instances),
        Address::Failures => reference::failures(),
        Address::Commands => reference::commands(),
        Address::Tool(tool) => reference::tool(instances, &tool).ok_or_else(|| unknown(uri))?,
        Address::Operation(operation) => reference::operation(instances, &operation).ok_or_else(|| unknown(uri))?,
        Address::Live { instance, view, id } => {
            let dispatcher = instances.named(instance.as_deref()).map_err(|_| unknown(uri))?;
            live::read(dispatcher, view, id, uri).await?
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]))
}

fn unknown(uri: &str) -> ErrorData {
    let shown: String = uri.chars().take(200).collect();
    ErrorData::resource_not_found(format!("there is no resource `{shown}`"), Some(serde_json::json!({"uri": shown})))
}

#[cfg(test)]
mod tests;
