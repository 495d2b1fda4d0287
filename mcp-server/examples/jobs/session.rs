//! One way of doing jobs, on a library of its own, with a record of what goes to and fro.

use std::time::Duration;

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use serde_json::{Map, Value, json};
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::Dispatcher;
use sonarr_mcp::generated::GROUPS;

/// Shorter than a failed download stays in the queue.
const STEP: Duration = Duration::from_secs(10);
/// More than any download takes.
const STEPS: usize = 360;

/// Stands for the token of a consent, which is another every time and would change what is counted.
const TOKEN: &str = "5ca1ab1e0ddba11f00d5eed0ca5caded";

/// What was sent and what came back, once.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The arguments of a call, or the request line and body of a plain request.
    pub sent: String,
    /// The text of the answer.
    pub answered: String,
}

/// A library and the ways to it.
pub struct Session {
    sonarr: EmbeddedSonarr,
    dispatcher: Dispatcher,
    http: reqwest::Client,
    queries: bool,
    exchanges: Vec<Exchange>,
}

impl Session {
    /// Starts a library of so many series, the same on every day. Calls leave their query out unless `queries`.
    ///
    /// # Errors
    /// What kept it from starting.
    pub async fn start(series: usize, queries: bool) -> Result<Self, String> {
        let options = Options { series, clock: Clock::fixed(), ..Options::default() };
        let sonarr = EmbeddedSonarr::start(options).await.map_err(|error| error.to_string())?;
        let target = Target { url: Some(sonarr.url()), api_key: ApiKey::new(sonarr.api_key()), ..Target::default() };
        let dispatcher = Dispatcher::new(GROUPS, Connection::new(target), false);
        // Another session, or another test of the same program, may have set it before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().map_err(|error| error.to_string())?;
        let mut session = Session { sonarr, dispatcher, http, queries, exchanges: Vec::new() };
        session.until_failed().await?;
        Ok(session)
    }

    /// Moves the library's time on until a download has failed.
    async fn until_failed(&mut self) -> Result<(), String> {
        for _ in 0..STEPS {
            let queue = self.request("GET", "/queue", None).await?;
            self.exchanges.clear();
            if id_where(records(&queue), "status", "failed").is_ok() {
                return Ok(());
            }
            self.sonarr.advance(STEP);
        }
        Err("no download has failed".to_owned())
    }

    /// Whether calls select from their answers.
    pub fn queries(&self) -> bool {
        self.queries
    }

    /// What was exchanged since this was asked last.
    pub fn take(&mut self) -> Vec<Exchange> {
        std::mem::take(&mut self.exchanges)
    }

    /// Makes one call, as a model would; where it is answered by a preview to confirm, makes it again with the
    /// token, which is a call of its own.
    ///
    /// # Errors
    /// The failure's text.
    pub async fn call(&mut self, tool: &str, operation: &str, arguments: Value, query: &str) -> Result<Value, String> {
        let mut call = json!({"operation": operation, "arguments": arguments});
        if self.queries && !query.is_empty() {
            insert(&mut call, "query", query.into());
        }
        let answer = self.send(tool, &call).await?;
        let Some(token) = answer.pointer("/result/confirm").or_else(|| answer.get("confirm")) else {
            return Ok(answer);
        };
        let token = token.as_str().unwrap_or_default().to_owned();
        insert(&mut call, "confirm", token.as_str().into());
        let answer = self.send(tool, &call).await?;
        for Exchange { sent, answered } in self.exchanges.iter_mut().filter(|_| !token.is_empty()) {
            *sent = sent.replace(&token, TOKEN);
            *answered = answered.replace(&token, TOKEN);
        }
        Ok(answer)
    }

    async fn send(&mut self, tool: &str, call: &Value) -> Result<Value, String> {
        let members: Map<String, Value> = call.as_object().cloned().unwrap_or_default();
        let result = self.dispatcher.call(tool, members).await;
        let answered = result.map(|answer| answer.text()).map_err(|failure| format!("{tool} {call}: {failure}"))?;
        let value = serde_json::from_str(&answered).unwrap_or_else(|_| Value::from(answered.as_str()));
        let count = |member| value.get(member).and_then(Value::as_u64);
        if let (Some(returned), Some(total)) = (count("returned"), count("total"))
            && returned < total
        {
            return Err(format!("{tool} {call}: {returned} of {total} records are not all that the job needs"));
        }
        self.exchanges.push(Exchange { sent: call.to_string(), answered });
        Ok(value)
    }

    /// Makes one request of Sonarr's API and keeps its whole answer.
    ///
    /// # Errors
    /// What went wrong, a status of failure included.
    pub async fn request(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let line = format!("{method} {path}");
        let failed = |error: &dyn std::fmt::Display| format!("{line}: {error}");
        let method = method.parse().map_err(|_| failed(&"no method"))?;
        let address = format!("{}/api/v3{path}", self.sonarr.url());
        let mut request = self.http.request(method, address).header("X-Api-Key", self.sonarr.api_key());
        if let Some(body) = body {
            request = request.header("Content-Type", "application/json").body(body.to_string());
        }
        let response = request.send().await.map_err(|error| failed(&error))?;
        let status = response.status();
        let answered = response.text().await.map_err(|error| failed(&error))?;
        if !status.is_success() {
            return Err(failed(&format!("{status}: {answered}")));
        }
        let value = serde_json::from_str(&answered).unwrap_or_default();
        let sent = body.map_or_else(|| line.clone(), |body| format!("{line} {body}"));
        self.exchanges.push(Exchange { sent, answered });
        Ok(value)
    }
}

/// Sets a member of an object.
pub fn insert(object: &mut Value, member: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(member.to_owned(), value);
    }
}

/// The records of an answer: a list, a page of one, or what stands in `result` beside a note.
pub fn records(answer: &Value) -> &[Value] {
    match answer {
        Value::Array(items) => items,
        Value::Object(members) => members.get("result").or_else(|| members.get("records")).map_or(&[], records),
        _ => &[],
    }
}

/// The ids of the first `count` series that have the quality profile.
pub fn with_profile(series: &[Value], profile: i64, count: usize) -> Vec<i64> {
    let having = series.iter().filter(|one| one.get("qualityProfileId").and_then(Value::as_i64) == Some(profile));
    having.filter_map(|one| one.get("id").and_then(Value::as_i64)).take(count).collect()
}

/// The id of the record of which the member is as given.
///
/// # Errors
/// When there is none.
pub fn id_where(records: &[Value], member: &str, is: &str) -> Result<i64, String> {
    let found = records.iter().find(|one| one.get(member).and_then(Value::as_str) == Some(is));
    found
        .and_then(|one| one.get("id"))
        .and_then(Value::as_i64)
        .ok_or_else(|| format!("none of {} records has {member} {is}", records.len()))
}
