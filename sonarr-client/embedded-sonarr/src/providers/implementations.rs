//! The table of implementations.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::state::{Row, object};

/// A settings field of an implementation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub order: usize,
    pub name: String,
    pub label: String,
    pub kind: String,
    pub privacy: String,
    pub value: Value,
    pub required: bool,
    words: Vec<(String, String)>,
}

impl Field {
    fn word(&self, name: &str) -> Option<&str> {
        self.words.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The field as the API writes it, with its default value.
    pub(crate) fn json(&self) -> Row {
        let mut row = Row::new();
        row.insert("order".into(), self.order.into());
        row.insert("name".into(), self.name.as_str().into());
        row.insert("label".into(), self.label.as_str().into());
        if let Some(unit) = self.word("unit") {
            row.insert("unit".into(), unit.into());
        }
        if let Some(help) = self.word("help") {
            row.insert("helpText".into(), help.into());
        }
        if let Some(link) = self.word("link") {
            row.insert("helpLink".into(), link.into());
        }
        if !self.value.is_null() {
            row.insert("value".into(), self.value.clone());
        }
        row.insert("type".into(), self.kind.as_str().into());
        row.insert("advanced".into(), self.word("advanced").is_some().into());
        if self.kind == "select" && self.word("action").is_none() {
            row.insert("selectOptions".into(), self.options());
        }
        if let Some(action) = self.word("action") {
            row.insert("selectOptionsProviderAction".into(), action.into());
        }
        match self.word("hidden") {
            Some("") => {
                row.insert("hidden".into(), "hidden".into());
            }
            Some(how) => {
                row.insert("hidden".into(), how.into());
            }
            None => {}
        }
        row.insert("privacy".into(), self.privacy.as_str().into());
        if let Some(placeholder) = self.word("placeholder") {
            row.insert("placeholder".into(), placeholder.into());
        }
        row.insert("isFloat".into(), self.word("float").is_some().into());
        row
    }

    fn options(&self) -> Value {
        let options = self.word("options").unwrap_or_default().split(',').filter_map(|option| {
            let mut parts = option.splitn(3, ':');
            let value: i64 = parts.next()?.parse().ok()?;
            let mut option = object(json!({"value": value, "name": parts.next()?, "order": value}));
            if let Some(hint) = parts.next() {
                option.insert("hint".into(), hint.into());
            }
            Some(Value::Object(option))
        });
        options.collect()
    }
}

/// A kind of provider, or of condition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implementation {
    pub resource: String,
    pub name: String,
    pub display: String,
    pub contract: String,
    extra: Row,
    pub fields: Vec<Field>,
}

impl Implementation {
    /// The members that the implementation decides, whatever a request says.
    pub(crate) fn members(&self) -> Row {
        let mut row = Row::new();
        row.insert("implementationName".into(), self.display.as_str().into());
        row.insert("implementation".into(), self.name.as_str().into());
        row.insert("configContract".into(), self.contract.as_str().into());
        row.insert(
            "infoLink".into(),
            format!("https://docs.example/supported#{}", self.name.to_ascii_lowercase()).into(),
        );
        if self.resource == "notification" {
            for event in EVENTS {
                let supported = !matches!(event, "OnRename");
                row.insert(format!("supports{event}"), supported.into());
            }
        }
        for (name, value) in &self.extra {
            row.insert(name.clone(), value.clone());
        }
        row
    }

    /// A blank provider of this kind, as `/schema` lists it.
    pub(crate) fn template(&self) -> Row {
        let mut row = match self.resource.as_str() {
            "indexer" => {
                let searches = self.extra.get("supportsSearch") == Some(&Value::Bool(true));
                object(json!({
                    "enableRss": true, "enableAutomaticSearch": searches, "enableInteractiveSearch": searches,
                    "supportsRss": true, "supportsSearch": searches, "protocol": "unknown", "priority": 25,
                    "seasonSearchMaximumSingleEpisodeAge": 0, "downloadClientId": 0,
                }))
            }
            "downloadclient" => object(json!({
                "enable": true, "protocol": "unknown", "priority": 1,
                "removeCompletedDownloads": true, "removeFailedDownloads": true,
            })),
            "importlist" => object(json!({
                "enableAutomaticAdd": true, "searchForMissingEpisodes": true, "shouldMonitor": "unknown",
                "monitorNewItems": "all", "qualityProfileId": 0, "seriesType": "standard", "seasonFolder": false,
                "listType": "other", "listOrder": 1, "minRefreshInterval": "06:00:00",
            })),
            "notification" => {
                let mut row = Row::new();
                for event in EVENTS {
                    let mut name = event.to_owned();
                    name.replace_range(..1, "o");
                    row.insert(name, false.into());
                    if event == "OnHealthIssue" {
                        row.insert("includeHealthWarnings".into(), false.into());
                    }
                }
                row
            }
            _ => object(json!({"enable": false})),
        };
        row.insert("name".into(), "".into());
        row.insert("fields".into(), self.fields.iter().map(|field| Value::Object(field.json())).collect());
        row.extend(self.members());
        row.insert("tags".into(), json!([]));
        row
    }
}

/// The events that a notification can be sent on.
const EVENTS: [&str; 13] = [
    "OnGrab",
    "OnDownload",
    "OnUpgrade",
    "OnImportComplete",
    "OnRename",
    "OnSeriesAdd",
    "OnSeriesDelete",
    "OnEpisodeFileDelete",
    "OnEpisodeFileDeleteForUpgrade",
    "OnHealthIssue",
    "OnHealthRestored",
    "OnApplicationUpdate",
    "OnManualInteractionRequired",
];

struct Known {
    providers: Vec<Implementation>,
    conditions: Vec<Implementation>,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| read(include_str!("implementations.txt")))
}

fn read(text: &str) -> Known {
    let mut known = Known { providers: Vec::new(), conditions: Vec::new() };
    let mut current: Option<(bool, Implementation)> = None;
    let mut keep = |current: &mut Option<(bool, Implementation)>| match current.take() {
        Some((true, implementation)) => known.providers.push(implementation),
        Some((false, implementation)) => known.conditions.push(implementation),
        None => {}
    };
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let cell = |index: usize| cells.get(index).copied().unwrap_or_default();
        if line.starts_with(' ') {
            if let Some((_, implementation)) = &mut current {
                let order = implementation.fields.len();
                implementation.fields.push(Field {
                    order,
                    name: cell(0).to_owned(),
                    label: cell(1).to_owned(),
                    kind: cell(2).to_owned(),
                    privacy: cell(3).to_owned(),
                    value: serde_json::from_str(cell(4)).unwrap_or_default(),
                    required: cell(5).split_whitespace().any(|word| word == "required"),
                    words: words(cell(5)),
                });
            }
        } else {
            keep(&mut current);
            let mut head = cell(0).split_whitespace();
            let provider = head.next() == Some("provider");
            let implementation = Implementation {
                resource: head.next().unwrap_or_default().to_owned(),
                name: head.next().unwrap_or_default().to_owned(),
                display: cell(1).to_owned(),
                contract: cell(2).to_owned(),
                extra: serde_json::from_str(cell(3)).unwrap_or_default(),
                fields: Vec::new(),
            };
            current = Some((provider, implementation));
        }
    }
    keep(&mut current);
    known
}

/// `advanced unit=minutes help=to the end` as pairs.
fn words(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        // These run to the end of the cell: their texts hold blanks.
        let whole = ["help=", "placeholder=", "options="].iter().any(|word| rest.starts_with(word));
        let (word, tail) = if whole { (rest, "") } else { rest.split_once(' ').unwrap_or((rest, "")) };
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        pairs.push((name.to_owned(), value.to_owned()));
        rest = tail.trim_start();
    }
    pairs
}

/// The implementations of a kind of provider.
pub(crate) fn of_resource(resource: &str) -> impl Iterator<Item = &'static Implementation> {
    known().providers.iter().filter(move |implementation| implementation.resource == resource)
}

/// One implementation by its name, in any case.
pub(crate) fn implementation(resource: &str, name: &str) -> Option<&'static Implementation> {
    of_resource(resource).find(|implementation| implementation.name.eq_ignore_ascii_case(name))
}

/// A kind of condition of custom formats or auto tagging rules; `""` as name has none.
pub(crate) fn specification(resource: &str, name: &str) -> Option<&'static Implementation> {
    specifications(resource).find(|implementation| implementation.name == name)
}

/// Every kind of condition.
pub(crate) fn specifications(resource: &str) -> impl Iterator<Item = &'static Implementation> {
    known().conditions.iter().filter(move |implementation| implementation.resource == resource)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reads_whole() {
        let counts: Vec<usize> = ["indexer", "downloadclient", "importlist", "notification", "metadata"]
            .map(|kind| of_resource(kind).count())
            .to_vec();
        assert_eq!(counts, [4, 4, 3, 7, 4]);
        assert_eq!(specifications("customformat").count(), 8);
        assert_eq!(specifications("autotagging").count(), 9);
        for implementation in known().providers.iter().chain(&known().conditions) {
            for field in &implementation.fields {
                assert!(matches!(field.privacy.as_str(), "normal" | "password" | "apiKey" | "userName"), "{field:?}");
                assert!(!field.kind.is_empty() && !field.label.is_empty(), "{field:?}");
            }
        }
    }

    #[test]
    fn fields_say_what_they_are() {
        let torznab = implementation("indexer", "torznab").unwrap();
        let ratio = torznab.fields.iter().find(|field| field.name == "seedCriteria.seedRatio").unwrap().json();
        assert_eq!(ratio["isFloat"], true);
        assert!(ratio.get("value").is_none());
        let fail = torznab.fields.iter().find(|field| field.name == "failDownloads").unwrap().json();
        assert_eq!(fail["selectOptions"][1]["name"], "Potentially Dangerous");
        assert_eq!(torznab.template()["protocol"], "torrent");
    }
}
