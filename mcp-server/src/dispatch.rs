//! The one way a call takes: from a tool's name and JSON to an answer or a failure.
//!
//! The protocol's server, the command line and the tests all enter here.

mod auditing;
mod carrying;
mod helping;
mod reading;
pub mod several;
mod shaping;
mod splitting;
mod writing;

pub(crate) use reading::named;

use serde_json::{Map, Value};

use crate::answer::secrets::Secrets;
use crate::answer::{self, Answer};
use crate::arguments::{self, ArgumentError, Envelope};
use crate::catalogue::Catalogue;
use crate::catalogue::narrowing::Narrowing;
use crate::config;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::help;
use crate::names;
use crate::operation::{Group, Operation, Reply};
use crate::workflows;
use crate::write::consent::Mode;
use crate::write::tokens::Tokens;
use crate::write::turns::Turns;

/// What is offered, and the way to Sonarr.
#[derive(Debug)]
pub struct Dispatcher {
    catalogue: Catalogue,
    connection: Connection,
    read_only: bool,
    policy: Policy,
    secrets: Secrets,
    tokens: Tokens,
    turns: Turns,
    max_result_bytes: usize,
}

/// What is asked about, and what is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Policy {
    /// Which writes are asked about.
    pub mode: Mode,
    /// Whether answers show secrets.
    pub show_secrets: bool,
}

/// How a call can be consented to, or was.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    /// Whether the caller can ask a person.
    pub can_ask: bool,
    /// The token of the question that a person agreed to.
    pub answer: Option<String>,
}

/// What came of a call.
#[derive(Debug)]
pub enum Outcome {
    /// An answer.
    Answer(Answer),
    /// Nothing yet: a person has to be asked, and nothing was sent.
    Ask(Question),
}

/// What a person has to be asked.
#[derive(Debug)]
pub struct Question {
    /// The question.
    pub text: String,
    /// To be given back as [`Asking::answer`] when the person agreed.
    pub token: String,
}

impl Dispatcher {
    /// Offers the operations of `groups`, or only those that read.
    pub fn new(groups: &'static [Group], connection: Connection, read_only: bool) -> Self {
        Dispatcher::narrowed(groups, connection, Narrowing::reading(read_only))
    }

    /// Offers of `groups` what `narrowing` leaves.
    pub fn narrowed(groups: &'static [Group], connection: Connection, narrowing: Narrowing) -> Self {
        let policy = Policy::default();
        let secrets = secrets(policy, &connection);
        let read_only = narrowing.read_only;
        let catalogue = Catalogue::narrowed(groups, narrowing);
        let (tokens, turns) = (Tokens::default(), Turns::default());
        let max_result_bytes = config::MAX_RESULT_BYTES;
        Dispatcher { catalogue, connection, read_only, policy, secrets, tokens, turns, max_result_bytes }
    }

    /// Shortens answers whose text takes more than `bytes`, instead of [`config::MAX_RESULT_BYTES`].
    #[must_use]
    pub fn with_max_result_bytes(mut self, bytes: usize) -> Self {
        self.max_result_bytes = bytes;
        self
    }

    /// Asks and shows as `policy` says, instead of what is usual.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.secrets = secrets(policy, &self.connection);
        self.policy = policy;
        self
    }

    /// What is offered.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Makes one call for a caller that cannot ask anybody: what needs consent is answered by a
    /// preview. Dropping the future stops its HTTP request.
    ///
    /// # Errors
    /// Anything that keeps the call from being answered, with what to do about it.
    pub async fn call(&self, tool: &str, call: Map<String, Value>) -> Result<Answer, Failure> {
        match self.attempt(tool, call, &Asking::default()).await? {
            Outcome::Answer(answer) => Ok(answer),
            // It is asked only where that can be.
            Outcome::Ask(_) => Err(Failure::internal()),
        }
    }

    /// Makes one call, unless a person has to be asked first. Whatever comes of it holds no secret
    /// and no hidden character, and an answer is selected from and shortened.
    ///
    /// # Errors
    /// Anything that keeps the call from being answered, with what to do about it.
    pub async fn attempt(&self, tool: &str, mut call: Map<String, Value>, asking: &Asking) -> Result<Outcome, Failure> {
        let query = match self.prepare(tool, &mut call) {
            Ok(query) => query,
            Err(failure) => return Err(self.fitting(failure)),
        };
        let outcome = self.masked(tool, call, asking, query.is_some()).await;
        self.shape(outcome, query).await.map_err(|failure| self.fitting(failure))
    }

    /// A call whose answer is selected from needs the `whole` of it.
    async fn masked(
        &self,
        tool: &str,
        call: Map<String, Value>,
        asking: &Asking,
        whole: bool,
    ) -> Result<Outcome, Failure> {
        if let Some(help) = self.help(tool, &call) {
            return help.map(Outcome::Answer);
        }
        let called = call.clone();
        match self.unmasked(tool, call, asking, whole).await {
            Ok(Outcome::Answer(mut answer)) => {
                self.secrets.mask_answer(&mut answer);
                Ok(Outcome::Answer(answer))
            }
            Ok(Outcome::Ask(question)) => {
                let text = self.secrets.mask_text(&question.text).into_owned();
                Ok(Outcome::Ask(Question { text, ..question }))
            }
            Err(failure) => {
                let mut failure = self.taught(tool, &called, failure).await;
                self.secrets.mask_failure(&mut failure);
                Err(failure)
            }
        }
    }

    async fn unmasked(
        &self,
        tool: &str,
        call: Map<String, Value>,
        asking: &Asking,
        whole: bool,
    ) -> Result<Outcome, Failure> {
        let group = self.catalogue.tool(tool)?;
        let envelope = match Envelope::read(call) {
            Ok(envelope) => envelope,
            Err(error) if error.path == "operation" => {
                return Err(error.accepting(self.catalogue.operation_names(group)).into());
            }
            Err(error) => return Err(error.into()),
        };
        let operation = self.catalogue.operation(group, &envelope.operation)?;
        if self.read_only && envelope.confirm.is_some() {
            let problem = "this server was started read-only, so nothing is confirmed: leave it out, or start without --read-only";
            return Err(ArgumentError::new("confirm", problem).into());
        }
        let mut given = envelope.arguments;
        let ids = several::take(operation, &mut given)?;
        if let Some(ids) = ids.filter(|_| !envelope.dry_run) {
            return self.each(operation, ids, &given).await.map(Outcome::Answer);
        }
        let (arguments, new_tags) = names::resolve(self, operation, given).await?;
        let envelope = Envelope { arguments, ..envelope };
        let workflow = workflows::of(operation);
        if operation.effect.writes() {
            return match workflow {
                Some(workflow) => self.carry_out(workflow, envelope, new_tags, asking).await,
                None => self.write(operation, envelope, new_tags, asking).await,
            };
        }
        if envelope.dry_run {
            return Err(ArgumentError::new(
                "dry_run",
                format!("`{}` changes nothing: call it as it is", operation.name),
            )
            .into());
        }
        if let Some(workflow) = workflow {
            return self.carry_out(workflow, envelope, new_tags, asking).await;
        }
        self.plain(operation, envelope.arguments, whole).await.map(Outcome::Answer)
    }

    /// Makes a call that reads. Unless the `whole` is needed, a list far beyond the cap comes reduced.
    async fn plain(
        &self,
        operation: &Operation,
        arguments: Map<String, Value>,
        whole: bool,
    ) -> Result<Answer, Failure> {
        let arguments = arguments::settle(operation, arguments)?;
        let client = self.connection.client()?;
        let parts = splitting::parts(operation, arguments)?;
        let cap = (!whole && parts.len() == 1).then_some(self.max_result_bytes);
        let mut all = None;
        for part in parts {
            let (request, _) = request(operation, client, part)?;
            tracing::debug!(operation = operation.name, "calling");
            let replied = request.await;
            if let (Ok(reply), Some(cap)) = (&replied, cap)
                && let Some(summary) = answer::summary(operation, reply, cap)
            {
                return Ok(summary);
            }
            all = Some(splitting::join(all, finish(operation, replied).await?));
        }
        all.ok_or_else(Failure::internal)
    }
}

fn secrets(policy: Policy, connection: &Connection) -> Secrets {
    let key = connection.target().api_key.as_ref();
    Secrets::new(policy.show_secrets, key.map(|key| key.reveal()))
}

type Request<'a> = futures::future::BoxFuture<'a, Result<Reply, sonarr_client::Error>>;

/// Reads the arguments into the operation's own type, as they are or else with every plain
/// meaning put right; the arguments come back as they are read.
fn request<'a>(
    operation: &Operation,
    client: &'a sonarr_client::Client,
    mut arguments: Map<String, Value>,
) -> Result<(Request<'a>, Map<String, Value>), ArgumentError> {
    let misnamed = arguments.values().any(has_snake_case);
    if !misnamed {
        match (operation.call)(client, arguments.clone()) {
            Ok(request) => {
                help::check(operation, &arguments)?;
                return Ok((request, arguments));
            }
            Err(error) => tracing::debug!(path = error.path, "reading the arguments again"),
        }
    }
    let schema = (operation.arguments)().to_value();
    let mut whole = Value::Object(arguments);
    arguments::coerce(&schema, &mut whole);
    arguments = match whole {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    match (operation.call)(client, arguments.clone()) {
        Ok(request) => {
            help::check(operation, &arguments)?;
            Ok((request, arguments))
        }
        Err(error) => Err(arguments::explain(error, &schema)),
    }
}

/// Whether an object within has a member in snake case: the types of bodies know only Sonarr's
/// own names, and would keep such a member as one they do not know.
fn has_snake_case(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('_') || has_snake_case(value)),
        Value::Array(items) => items.iter().any(has_snake_case),
        _ => false,
    }
}

/// Turns what the SDK returned into an answer.
async fn finish(operation: &Operation, replied: Result<Reply, sonarr_client::Error>) -> Result<Answer, Failure> {
    match replied {
        Ok(reply) => answer::gather(reply).await.map(|answer| answer.answering(operation)).map_err(Failure::from),
        Err(error) => match answer::misfit(operation, &error) {
            Some(answer) => Ok(answer.answering(operation)),
            None => Err(Failure::from_sonarr(operation, &error)),
        },
    }
}
