use std::collections::HashSet;

use embedded_sonarr::{EmbeddedSonarr, Options};
use rmcp::model::{ErrorCode, ResourceContents};
use serde_json::Value;

use super::{list, read, source, templates};
use crate::completions::Source;
use crate::config::{ApiKey, Target};
use crate::connection::Connection;
use crate::dispatch::Dispatcher;
use crate::failure::Code;
use crate::generated::GROUPS;
use crate::instances::Instances;

fn dispatcher(url: Option<&str>, key: &str, read_only: bool) -> Dispatcher {
    let target = Target { url: url.map(str::to_owned), api_key: ApiKey::new(key), ..Target::default() };
    Dispatcher::new(GROUPS, Connection::new(target), read_only)
}

fn nowhere() -> Instances {
    Instances::one(dispatcher(None, "k", false))
}

fn two(url: Option<&str>, key: &str) -> Instances {
    let named = ["hd", "4k"].map(|name| (name.to_owned(), dispatcher(url, key, false)));
    Instances::several(named.into()).unwrap()
}

async fn json(instances: &Instances, uri: &str) -> Value {
    let mut contents = read(instances, uri).await.unwrap_or_else(|error| panic!("{uri}: {error}")).contents;
    match contents.pop() {
        Some(ResourceContents::TextResourceContents { text, uri: of, mime_type, .. }) => {
            assert_eq!((of.as_str(), mime_type.as_deref()), (uri, Some("application/json")));
            serde_json::from_str(&text).unwrap()
        }
        other => panic!("{uri}: {other:?}"),
    }
}

#[tokio::test]
async fn the_reference_can_be_read_without_sonarr() {
    let instances = nowhere();
    let listed = list(&instances);
    assert_eq!(listed.len(), 3 + 15 + 3);
    for resource in listed.iter().filter(|resource| resource.uri.starts_with("sonarr://reference/")) {
        let content = json(&instances, &resource.uri).await;
        assert!(content.is_object() && content.to_string().len() > 200, "{}", resource.uri);
    }
    let failures = json(&instances, "sonarr://reference/failures").await;
    assert_eq!(failures["failures"].as_array().unwrap().len(), Code::ALL.len());
    let commands = json(&instances, "sonarr://reference/commands").await;
    assert!(commands["commands"]["RefreshSeries"].is_object(), "{commands}");
}

#[tokio::test]
async fn each_operation_can_be_read() {
    let instances = nowhere();
    for operation in instances.catalogue().offers().iter().flat_map(|offer| offer.operations()) {
        let content = json(&instances, &format!("sonarr://reference/operations/{}", operation.name)).await;
        assert_eq!(content["operation"], operation.name);
    }
}

#[tokio::test]
async fn live_resources_show_what_sonarr_has() {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let instances = Instances::one(dispatcher(Some(&sonarr.url()), sonarr.api_key(), false));
    assert_eq!(json(&instances, "sonarr://live/series/1").await["id"], 1);
    assert!(json(&instances, "sonarr://live/queue").await["records"].is_array());
    for view in ["calendar", "health"] {
        json(&instances, &format!("sonarr://live/{view}")).await;
    }
    let gone = read(&instances, "sonarr://live/series/99999").await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::RESOURCE_NOT_FOUND);

    let instances = two(Some(&sonarr.url()), sonarr.api_key());
    assert_eq!(json(&instances, "sonarr://live/4k/series/1").await["id"], 1);
    json(&instances, "sonarr://live/hd/health").await;
    for unknown in ["sonarr://live/health", "sonarr://live/uhd/health", "sonarr://live/series/1"] {
        assert_eq!(read(&instances, unknown).await.unwrap_err().code, ErrorCode::RESOURCE_NOT_FOUND, "{unknown}");
    }
}

#[tokio::test]
async fn what_keeps_sonarr_from_answering_is_told() {
    let error = read(&nowhere(), "sonarr://live/health").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::INTERNAL_ERROR);
    assert!(error.message.contains("SONARR_URL"), "{error}");
}

#[tokio::test]
async fn nothing_else_can_be_read() {
    for uri in
        ["file:///etc/passwd", "sonarr://reference/tools/none", "sonarr://reference/operations/none", "/etc/passwd", ""]
    {
        let error = read(&nowhere(), uri).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::RESOURCE_NOT_FOUND, "{uri}");
    }
}

#[test]
fn with_several_instances_the_live_ones_are_templates() {
    let instances = two(None, "k");
    assert!(list(&instances).iter().all(|resource| !resource.uri.contains("live")));
    let templates: Vec<String> = templates(&instances).into_iter().map(|one| one.uri_template).collect();
    for template in ["sonarr://live/{instance}/series/{id}", "sonarr://live/{instance}/queue"] {
        assert!(templates.iter().any(|known| known == template), "{template}: {templates:?}");
    }
}

#[test]
fn what_is_not_offered_is_not_listed() {
    static SOME: &[crate::operation::Group] = GROUPS.split_at(1).0;
    let instances = Instances::one(Dispatcher::new(SOME, Connection::new(Target::default()), false));
    assert!(list(&instances).iter().all(|resource| !resource.uri.contains("live")));
}

#[test]
fn each_argument_of_a_template_can_be_completed() {
    for instances in [nowhere(), two(None, "k")] {
        let mut sources = HashSet::new();
        for template in templates(&instances) {
            let arguments = template.uri_template.split('{').skip(1).filter_map(|part| part.split('}').next());
            for argument in arguments {
                sources.insert(source(&instances, &template.uri_template, argument).unwrap());
            }
        }
        assert_eq!(sources.contains(&Source::Instances), !instances.names().is_empty());
        assert!(sources.contains(&Source::SeriesIds) && sources.contains(&Source::Operations));
        assert_eq!(source(&instances, "sonarr://live/queue", "id"), None);
        assert_eq!(source(&instances, "sonarr://none/{id}", "id"), None);
    }
}
