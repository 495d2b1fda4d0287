//! What a caller wants done, against the embedded Sonarr: commands to their end, names in the place
//! of ids, and workflows.

mod commands;
mod names;
mod workflows;

use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use serde_json::{Value, json};
use sonarr_mcp::answer::{Answer, Content};
use sonarr_mcp::config::{ApiKey, Target};
use sonarr_mcp::connection::Connection;
use sonarr_mcp::dispatch::{Dispatcher, Policy};
use sonarr_mcp::failure::Failure;
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::write::consent::Mode;

/// An embedded Sonarr and a server before it.
pub struct House {
    pub sonarr: EmbeddedSonarr,
    pub dispatcher: Dispatcher,
}

impl House {
    /// With a clock that runs, for commands take time.
    pub async fn running(mode: Mode) -> Self {
        House::with(mode, Options::default()).await
    }

    /// With a clock that stands still.
    pub async fn still(mode: Mode) -> Self {
        House::with(mode, Options { clock: Clock::fixed(), ..Options::default() }).await
    }

    pub async fn with(mode: Mode, options: Options) -> Self {
        let sonarr = EmbeddedSonarr::start(options).await.unwrap();
        let target = Target { url: Some(sonarr.url()), api_key: ApiKey::new(sonarr.api_key()), ..Target::default() };
        let policy = Policy { mode, ..Policy::default() };
        let dispatcher = Dispatcher::new(GROUPS, Connection::new(target), false).with_policy(policy);
        House { sonarr, dispatcher }
    }

    pub async fn send(&self, tool: &str, call: Value) -> Result<Answer, Failure> {
        let Value::Object(call) = call else { panic!("a call is an object") };
        self.dispatcher.call(tool, call).await
    }

    pub async fn call(&self, tool: &str, operation: &str, arguments: Value) -> Result<Answer, Failure> {
        self.send(tool, json!({"operation": operation, "arguments": arguments})).await
    }

    /// Calls, and returns what was answered without the note around it, and the note.
    pub async fn get(&self, tool: &str, operation: &str, arguments: Value) -> (Value, String) {
        match self.call(tool, operation, arguments).await {
            Ok(answer) => inner(&answer),
            Err(failure) => panic!("{failure}"),
        }
    }

    /// The requests since the last look that changed something, and the number of all.
    pub fn requests(&self) -> (Vec<String>, usize) {
        let requests = self.sonarr.requests();
        self.sonarr.clear_requests();
        let writes = requests.iter().filter(|request| request.method != "GET");
        (writes.map(|request| format!("{} {}", request.method, request.path)).collect(), requests.len())
    }
}

/// What was answered, and the note about it.
pub fn inner(answer: &Answer) -> (Value, String) {
    let Content::Json(told) = &answer.content else { panic!("{answer:?}") };
    (told.clone(), answer.note.clone().unwrap_or_default())
}
