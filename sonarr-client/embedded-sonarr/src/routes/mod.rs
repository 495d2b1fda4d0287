//! The 228 operations and the functions that answer them.

mod backups;
mod blocklist;
mod bulk;
mod calendar;
mod commands;
mod config;
mod crud;
mod episode_files;
mod episodes;
mod files;
mod history;
mod import;
mod logs;
mod paging;
pub(crate) mod parsing;
mod profiles;
mod providers;
mod queue;
mod reference;
mod releases;
mod series;
mod series_edit;
mod stored;
mod system;
mod table;
mod tags;
mod wanted;

use serde_json::Value;

use crate::http::{Failure, Incoming, Query, Reply};
use crate::state::{Row, State};

/// Answers one operation.
pub(crate) type Handler = fn(&mut Call<'_>) -> Result<Reply, Failure>;

/// An operation: method, path, the types of its body and answer, and what answers it.
#[derive(Debug)]
pub(crate) struct Route {
    pub method: &'static str,
    /// The path with `{name}` for what varies; `{id}` and `{seriesId}` take integers only.
    pub path: &'static str,
    /// The type of the JSON body; empty for none; `any` for JSON that the handler reads itself.
    pub body: &'static str,
    /// The type of the JSON answer; empty for none.
    pub answer: &'static str,
    pub handler: Handler,
}

impl Route {
    /// Whether the answer is JSON, so that `Accept` counts.
    pub(crate) fn answers_json(&self) -> bool {
        self.answer != "text"
    }

    /// The resource that the path belongs to, such as `tag` or `config/host`.
    pub(crate) fn resource(&self) -> &'static str {
        let below = self.path.strip_prefix("/api/v3/").unwrap_or_default();
        let words = if below.starts_with("config/") { 2 } else { 1 };
        let end = below.match_indices('/').nth(words - 1).map_or(below.len(), |(index, _)| index);
        below.get(..end).unwrap_or_default()
    }
}

/// An operation that the server answers, for tables and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// HTTP method in upper case.
    pub method: &'static str,
    /// The path with `{name}` for what varies.
    pub path: &'static str,
}

/// The 228 operations, sorted by path and method.
pub fn operations() -> Vec<Operation> {
    let mut operations: Vec<Operation> = table::ROUTES
        .iter()
        .filter(|route| route.method != "HEAD")
        .map(|route| Operation { method: route.method, path: route.path })
        .collect();
    operations.sort_by_key(|operation| (operation.path, operation.method));
    operations
}

/// What varies in a path, by name.
pub(crate) type Parameters = Vec<(&'static str, String)>;

/// A request on its way through a handler.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub state: &'a mut State,
    pub incoming: &'a Incoming,
    pub route: &'static Route,
    pub parameters: Parameters,
    /// The body, bound to its type; null when the operation takes none.
    pub body: Value,
    /// The body as sent.
    pub given: Value,
}

impl Call<'_> {
    pub(crate) fn query(&self) -> &Query {
        &self.incoming.query
    }

    /// A path parameter as text.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.parameters.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The `{id}` of the path; 0 when it was left out.
    pub(crate) fn id(&self) -> i64 {
        self.parameter("id").parse().unwrap_or(0)
    }

    /// The body as object.
    pub(crate) fn object(&self) -> Row {
        self.body.as_object().cloned().unwrap_or_default()
    }

    /// What deletes do with ids that cannot be.
    pub(crate) fn positive_id(&self) -> Result<i64, Failure> {
        let id = self.id();
        if id > 0 { Ok(id) } else { Err(Failure::BadRequest(format!("'{id}' is not a valid ID"))) }
    }

    /// 500 now, 400 in a coming version.
    pub(crate) fn invalid_operation(&self, message: impl Into<String>) -> Failure {
        Failure::invalid_operation(self.state.next_version, message)
    }

    /// What reading one object answers when there is none: problem details, or nothing in a coming version.
    pub(crate) fn not_found(&self) -> Failure {
        if self.state.next_version { Failure::Bare(404) } else { Failure::NotFoundProblem }
    }
}

/// What a method and path lead to.
#[derive(Debug)]
pub(crate) enum Match {
    Found {
        route: &'static Route,
        parameters: Parameters,
    },
    /// The path is known; the methods it takes.
    WrongMethod(String),
    None,
}

/// Finds the route of a request. Case does not matter; literal segments win over parameters.
pub(crate) fn find(method: &str, path: &str, next_version: bool) -> Match {
    let given: Vec<&str> = path.trim_end_matches('/').split('/').skip(1).collect();
    let mut best: Option<(usize, &'static Route, Parameters)> = None;
    let mut allowed: Vec<&str> = Vec::new();
    let coming = if next_version { table::NEXT_ROUTES } else { &[] };
    for route in table::ROUTES.iter().chain(coming) {
        let Some((literals, parameters)) = fits(route, &given) else { continue };
        if route.method != method {
            if !allowed.contains(&route.method) {
                allowed.push(route.method);
            }
        } else if best.as_ref().is_none_or(|(known, _, _)| literals > *known) {
            best = Some((literals, route, parameters));
        }
    }
    match best {
        Some((_, route, parameters)) => Match::Found { route, parameters },
        None if allowed.is_empty() => Match::None,
        None => Match::WrongMethod(allowed.join(", ")),
    }
}

/// The number of literal segments and the parameters, when the path fits the route.
fn fits(route: &'static Route, given: &[&str]) -> Option<(usize, Parameters)> {
    let template: Vec<&'static str> = route.path.split('/').skip(1).collect();
    let optional = id_is_optional(route) && given.len() + 1 == template.len();
    if template.len() != given.len() && !optional {
        return None;
    }
    let mut parameters = Vec::new();
    let mut literals = 0;
    for (wanted, given) in template.iter().zip(given) {
        match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => {
                let number = matches!(name, "id" | "seriesId");
                if given.is_empty() || (number && given.parse::<i32>().is_err()) {
                    return None;
                }
                parameters.push((name, (*given).to_owned()));
            }
            None if wanted.eq_ignore_ascii_case(given) => literals += 1,
            None => return None,
        }
    }
    Some((literals, parameters))
}

/// `PUT /resource` without the id works where the body carries it: not for providers and episodes.
fn id_is_optional(route: &Route) -> bool {
    route.method == "PUT"
        && route.path.ends_with("/{id}")
        && !route.path.contains("/reorder/")
        && !crate::providers::is_provider(route.resource())
        && route.resource() != "episode"
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn found(method: &str, path: &str) -> &'static str {
        match find(method, path, false) {
            Match::Found { route, .. } => route.path,
            Match::WrongMethod(_) => "405",
            Match::None => "404",
        }
    }

    #[test]
    fn there_are_228_operations() {
        let operations = operations();
        assert_eq!(operations.len(), 228);
        let distinct: HashSet<_> = operations.iter().map(|operation| (operation.method, operation.path)).collect();
        assert_eq!(distinct.len(), 228);
    }

    #[test]
    fn literals_win_over_ids_and_case_is_ignored() {
        assert_eq!(found("PUT", "/api/v3/episode/monitor"), "/api/v3/episode/monitor");
        assert_eq!(found("GET", "/API/V3/Tag/5"), "/api/v3/tag/{id}");
        assert_eq!(found("GET", "/api/v3/queue/5"), "405");
        assert_eq!(found("GET", "/api/v3/tag/five"), "404");
        assert_eq!(found("GET", "/feed/v3/calendar/Sonarr.ics"), "/feed/v3/calendar/sonarr.ics");
        assert_eq!(found("PUT", "/api/v3/tag"), "/api/v3/tag/{id}");
        assert_eq!(found("PUT", "/api/v3/indexer"), "405");
        assert_eq!(found("GET", "/api/v3/rename/bulk"), "404");
        assert!(matches!(find("GET", "/api/v3/rename/bulk", true), Match::Found { .. }));
    }

    #[test]
    fn every_type_of_the_table_is_known() {
        let types = crate::types::Types::of(false);
        for route in table::ROUTES {
            for kind in [route.body, route.answer] {
                let name = kind.trim_matches(['[', ']']);
                let plain = matches!(name, "" | "any" | "text");
                assert!(plain || types.object(name).is_some(), "{} {}: {kind}", route.method, route.path);
            }
        }
    }
}
