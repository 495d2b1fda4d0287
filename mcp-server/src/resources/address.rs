//! The addresses of the resources.

use crate::instances::Instances;

const REFERENCE: &str = "sonarr://reference";
const LIVE: &str = "sonarr://live";

/// What an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Operations,
    Failures,
    Commands,
    Tool(String),
    Operation(String),
    Live { instance: Option<String>, view: View, id: Option<i64> },
}

/// A live view of Sonarr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Series,
    Queue,
    Calendar,
    Health,
}

impl View {
    /// The views that need no argument.
    pub(super) const PLAIN: [View; 3] = [View::Queue, View::Calendar, View::Health];

    pub(super) fn name(self) -> &'static str {
        match self {
            View::Series => "series",
            View::Queue => "queue",
            View::Calendar => "calendar",
            View::Health => "health",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            View::Series => "One series",
            View::Queue => "Download queue",
            View::Calendar => "Calendar of this week",
            View::Health => "Health warnings",
        }
    }

    pub(super) fn description(self) -> &'static str {
        match self {
            View::Series => "A series of the library by its id, with its seasons and their numbers of episodes",
            View::Queue => "What is being downloaded, with the state and the messages of each download",
            View::Calendar => "The episodes that air from today on for seven days",
            View::Health => "The warnings and errors Sonarr reports about itself",
        }
    }

    /// The tool and the operation that show it.
    pub(super) fn operation(self) -> (&'static str, &'static str) {
        match self {
            View::Series => ("sonarr_media_library", "get_series"),
            View::Queue => ("sonarr_queue", "list_queue"),
            View::Calendar => ("sonarr_calendar", "list_calendar"),
            View::Health => ("sonarr_system_commands", "list_health"),
        }
    }

    /// Whether its operation is offered.
    pub(super) fn is_offered(self, instances: &Instances) -> bool {
        let (tool, operation) = self.operation();
        let catalogue = instances.catalogue();
        catalogue.tool(tool).is_ok_and(|offer| catalogue.operation(offer, operation).is_ok())
    }

    pub(super) fn uri(self, instance: Option<&str>) -> String {
        match instance {
            Some(instance) => format!("{LIVE}/{instance}/{}", self.name()),
            None => format!("{LIVE}/{}", self.name()),
        }
    }

    pub(super) fn template(self, instance: Option<&str>) -> String {
        let id = if self == View::Series { "/{id}" } else { "" };
        format!("{}{id}", self.uri(instance))
    }

    fn named(name: &str) -> Option<Self> {
        [View::Series, View::Queue, View::Calendar, View::Health].into_iter().find(|view| view.name() == name)
    }
}

impl Address {
    /// Reads an address; `None` when it is none of ours.
    pub(super) fn read(uri: &str) -> Option<Self> {
        if let Some(rest) = uri.strip_prefix(REFERENCE) {
            let segments: Vec<&str> = rest.strip_prefix('/')?.split('/').collect();
            return match segments.as_slice() {
                ["operations"] => Some(Address::Operations),
                ["failures"] => Some(Address::Failures),
                ["commands"] => Some(Address::Commands),
                ["tools", tool] => Some(Address::Tool((*tool).to_owned())),
                ["operations", operation] => Some(Address::Operation((*operation).to_owned())),
                _ => None,
            };
        }
        let segments: Vec<&str> = uri.strip_prefix(LIVE)?.strip_prefix('/')?.split('/').collect();
        match segments.as_slice() {
            ["series", id] => Address::live(None, View::Series, Some(id)),
            [view] => Address::live(None, View::named(view)?, None),
            [instance, "series", id] => Address::live(Some(instance), View::Series, Some(id)),
            [instance, view] => Address::live(Some(instance), View::named(view)?, None),
            _ => None,
        }
    }

    fn live(instance: Option<&str>, view: View, id: Option<&str>) -> Option<Self> {
        let id = match id {
            Some(id) => Some(id.parse().ok().filter(|id: &i64| *id > 0)?),
            None => None,
        };
        let instance = instance.map(str::to_owned);
        ((view == View::Series) == id.is_some()).then_some(Address::Live { instance, view, id })
    }

    pub(super) fn uri(&self) -> String {
        match self {
            Address::Operations => format!("{REFERENCE}/operations"),
            Address::Failures => format!("{REFERENCE}/failures"),
            Address::Commands => format!("{REFERENCE}/commands"),
            Address::Tool(tool) => format!("{REFERENCE}/tools/{tool}"),
            Address::Operation(operation) => format!("{REFERENCE}/operations/{operation}"),
            Address::Live { instance, view, id } => {
                let id = id.map(|id| format!("/{id}")).unwrap_or_default();
                format!("{}{id}", view.uri(instance.as_deref()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, View};

    #[test]
    fn an_address_names_what_it_was_made_of() {
        let instance = |name: Option<&str>| name.map(str::to_owned);
        for address in [
            Address::Operations,
            Address::Failures,
            Address::Commands,
            Address::Tool("sonarr_tags".to_owned()),
            Address::Operation("list_tags".to_owned()),
            Address::Live { instance: None, view: View::Series, id: Some(7) },
            Address::Live { instance: instance(Some("4k")), view: View::Series, id: Some(7) },
            Address::Live { instance: instance(Some("hd")), view: View::Queue, id: None },
            Address::Live { instance: None, view: View::Calendar, id: None },
            Address::Live { instance: None, view: View::Health, id: None },
        ] {
            assert_eq!(Address::read(&address.uri()), Some(address));
        }
    }

    #[test]
    fn anything_else_is_no_address() {
        for uri in [
            "",
            "sonarr://",
            "sonarr://live",
            "sonarr://live/",
            "sonarr://live/series",
            "sonarr://live/series/x",
            "sonarr://live/series/0",
            "sonarr://live/series/-1",
            "sonarr://live/series/1/2",
            "sonarr://live/queue/1/2",
            "sonarr://live/hd/series",
            "sonarr://reference",
            "sonarr://reference/../live/queue",
            "sonarr://reference/tools/a/b",
            "sonarr://referenceoperations",
            "file:///etc/passwd",
            "http://localhost/",
        ] {
            assert_eq!(Address::read(uri), None, "{uri}");
        }
    }
}
