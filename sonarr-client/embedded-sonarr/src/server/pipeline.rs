//! The way of a request, in the order of the real server's pipeline: key, URL base, start-up, route, body, handler.

use serde_json::{Value, json};

use super::below_base;
use crate::http::{Content, Failure, Incoming, Reply};
use crate::routes::{self, Call, Match};
use crate::state::State;

/// Answers a request.
pub(crate) fn process(state: &mut State, incoming: &Incoming) -> Reply {
    let path = incoming.path.to_ascii_lowercase();
    let anonymous = path == "/ping" || path == "/login" || path.starts_with("/content/");
    let guarded = is_below(&path, "/api") || is_below(&path, "/feed");
    // Pages of any origin may ask, and browsers ask beforehand whether they may: before the key is looked at.
    if incoming.method == "OPTIONS" && is_below(&path, "/api") && incoming.header("origin").is_some() {
        let allowed = incoming.header("access-control-request-headers").unwrap_or("*").to_owned();
        return Reply::status(204)
            .with("Access-Control-Allow-Origin", "*")
            .with("Access-Control-Allow-Methods", incoming.header("access-control-request-method").unwrap_or("*"))
            .with("Access-Control-Allow-Headers", allowed);
    }
    if guarded && !anonymous && !authorised(state, incoming) {
        return Reply::status(401);
    }
    let decoded = percent_encoding::percent_decode_str(&incoming.raw_path).decode_utf8_lossy();
    if !state.url_base.is_empty() && below_base(&decoded, &state.url_base).is_none() {
        let query = if incoming.raw_query.is_empty() { String::new() } else { format!("?{}", incoming.raw_query) };
        let target = format!("{}{}{query}", state.url_base, incoming.raw_path);
        return finish(state, incoming, &path, Reply::status(307).with("Location", target));
    }
    if state.now < state.starting_until {
        return finish(state, incoming, &path, starting());
    }
    let reply = match routes::find(&incoming.method, &incoming.path, state.next_version) {
        Match::Found { route, parameters } => {
            let found = call(state, incoming, route, parameters).unwrap_or_else(Failure::into_reply);
            decorate(state, route.answer, found)
        }
        Match::WrongMethod(allowed) => Reply::status(405).with("Allow", allowed),
        Match::None if guarded => Reply::status(404),
        Match::None if path == "/login" => Reply::bytes("text/html; charset=utf-8", LOGIN_PAGE),
        Match::None => Reply::status(302).with("Location", format!("/login?returnUrl={}", incoming.raw_path)),
    };
    finish(state, incoming, &path, reply)
}

/// The body of a starting server.
pub(crate) fn starting() -> Reply {
    Reply::json(503, json!({"errorMessage": "Sonarr is starting up, please try again later"}))
}

/// What the web UI shows to those who are not logged in.
pub(crate) const LOGIN_PAGE: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Login - Sonarr</title></head>\n\
    <body><form method=\"POST\"><input name=\"username\"><input name=\"password\" type=\"password\"></form></body>\n</html>\n";

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The first place that holds a key decides: query, `X-Api-Key`, `Authorization`.
fn authorised(state: &State, incoming: &Incoming) -> bool {
    let given = incoming
        .query
        .present("apikey")
        .or_else(|| incoming.header("x-api-key"))
        .or_else(|| incoming.header("authorization").map(|value| value.strip_prefix("Bearer ").unwrap_or(value)));
    given == Some(state.api_key.as_str())
}

fn call(
    state: &mut State,
    incoming: &Incoming,
    route: &'static routes::Route,
    parameters: Vec<(&'static str, String)>,
) -> Result<Reply, Failure> {
    if route.answers_json() && !incoming.accepts_json() {
        return Err(Failure::Bare(406));
    }
    let body = match route.body {
        "" => Value::Null,
        kind => read_body(state, incoming, kind)?,
    };
    let given = if route.body.is_empty() { Value::Null } else { parse(&incoming.body).unwrap_or_default() };
    (route.handler)(&mut Call { state, incoming, route, parameters, body, given })
}

fn read_body(state: &State, incoming: &Incoming, kind: &str) -> Result<Value, Failure> {
    let problem = |path: &str, message: String| Failure::Problem { path: path.to_owned(), message };
    if !incoming.body.is_empty() && !incoming.sends_json() {
        return Err(Failure::Bare(415));
    }
    if incoming.body.iter().all(u8::is_ascii_whitespace) {
        return Err(problem("", "A non-empty request body is required.".to_owned()));
    }
    let value = parse(&incoming.body).map_err(|error| {
        problem("$", format!("{error}. Path: $ | LineNumber: 0 | BytePositionInLine: {}.", error.column()))
    })?;
    if value.is_null() {
        return Err(problem("", "A non-empty request body is required.".to_owned()));
    }
    state.types.bind(kind, &value).map_err(|error| problem(&error.path, error.message))
}

/// JSON, with the trailing commas that the server tolerates.
fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|error| match without_trailing_commas(bytes) {
        Some(cleaned) => serde_json::from_slice(&cleaned).map_err(|_| error),
        None => Err(error),
    })
}

fn without_trailing_commas(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let (mut in_string, mut escaped, mut removed) = (false, false, false);
    for (index, byte) in bytes.iter().enumerate() {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
        } else if *byte == b'"' {
            in_string = true;
        } else if *byte == b',' {
            let next = bytes.iter().skip(index + 1).find(|byte| !byte.is_ascii_whitespace());
            let previous = out.iter().rev().find(|byte| !byte.is_ascii_whitespace());
            if matches!(next, Some(b'}' | b']')) && !matches!(previous, None | Some(b'{' | b'[' | b',')) {
                removed = true;
                continue;
            }
        }
        out.push(*byte);
    }
    removed.then_some(out)
}

/// The members of a coming version on what was not stored.
fn decorate(state: &State, kind: &str, mut reply: Reply) -> Reply {
    if (200..300).contains(&reply.status)
        && let Content::Json(value) = &mut reply.content
    {
        state.types.decorate(kind, value);
    }
    reply
}

/// The headers of every authenticated answer.
fn finish(state: &State, incoming: &Incoming, path: &str, mut reply: Reply) -> Reply {
    if is_below(path, "/api") {
        reply = reply.with("X-Application-Version", state.version());
        if incoming.header("origin").is_some() {
            reply = reply.with("Access-Control-Allow-Origin", "*");
        }
        // The web UI puts a hash of the content into `h`, so such an answer may be kept for a year.
        if path.contains("/mediacover/") || incoming.query.present("h").is_some() {
            reply = reply
                .with("Cache-Control", "max-age=31536000, public")
                .with("Last-Modified", "Fri, 26 Jun 2026 17:21:08 GMT");
        } else {
            reply = reply.with("Cache-Control", "no-cache, no-store").with("Expires", "-1").with("Pragma", "no-cache");
        }
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_commas_are_tolerated_outside_of_strings() {
        assert_eq!(parse(br#"{"a": [1, 2,], "b": ",}",}"#).unwrap(), json!({"a": [1, 2], "b": ",}"}));
        assert!(parse(b"{,}").is_err());
        assert!(parse(b"{\"a\"").is_err());
    }
}
