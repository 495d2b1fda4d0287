//! Writes: drafted, consented to, and sent.

mod putting;

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Asking, Dispatcher, Outcome, Question, finish, request};
use crate::answer::secrets::holds_mask;
use crate::answer::{Answer, Content};
use crate::arguments::{self, ArgumentError, Envelope};
use crate::failure::{Code, Failure};
use crate::names::{self, NewTags};
use crate::operation::Operation;
use crate::write::consent::{self, Consent, Decision, Facts, decide};
use crate::write::difference::{Change, difference};
use crate::write::pairs::{self, PATCH, Target};
use crate::write::stakes::{self, Stakes};
use crate::write::tokens::{Fingerprint, LIFETIME, Problem, Purpose};
use crate::write::{Reader, patch, preview, question};
use crate::{command, wait};

/// The argument in which what is written travels.
const BODY: &str = "body";

/// A write as it was called, with the names of its arguments settled.
struct Asked {
    operation: &'static Operation,
    /// Without the body, where a patch takes its place.
    arguments: Map<String, Value>,
    patch: Option<Value>,
    target: Option<Target>,
    /// For how long a command is followed.
    wait: Option<Duration>,
    /// The tags that are created before it is sent.
    new_tags: NewTags,
}

/// A write as it would be sent.
struct Draft {
    arguments: Map<String, Value>,
    /// The object a patch was put on, and what that changes.
    before: Option<Value>,
    changes: Vec<Change>,
}

impl Dispatcher {
    /// Makes a call that writes, or asks, or shows what it would do.
    pub(super) async fn write(
        &self,
        operation: &'static Operation,
        envelope: Envelope,
        new_tags: NewTags,
        asking: &Asking,
    ) -> Result<Outcome, Failure> {
        let asked = Asked { new_tags, ..Asked::read(operation, envelope.arguments)? };
        let draft = self.draft(&asked, None).await?;
        if envelope.dry_run {
            return self.show(&asked, &draft).await.map(Outcome::Answer);
        }
        if asked.patch.is_some() && draft.changes.is_empty() {
            return Ok(Outcome::Answer(unchanged(&asked)));
        }
        let takes = consent::takes(operation, &draft.arguments);
        let call = self.fingerprint(&asked, &draft);
        let facts = |consent| Facts {
            mode: self.policy.mode,
            read_only: self.read_only,
            writes: true,
            takes: takes.is_some(),
            can_ask: asking.can_ask,
            consent,
        };
        let mut decision = decide(facts(Consent::None));
        if matches!(decision, Decision::Ask | Decision::Preview) {
            // A token is used up only by a call that needs one.
            decision = decide(facts(self.consent(asking, envelope.confirm.as_deref(), call)));
        }
        match decision {
            Decision::Go => self.send_with_tags(asked, draft, takes.is_some()).await.map(Outcome::Answer),
            Decision::ReadOnly => Err(Failure::read_only(operation.name)),
            Decision::Refuse(problem) => Err(not_confirmed(problem)),
            Decision::Ask => {
                let stakes = self.stakes(&asked, &draft).await?;
                let text = self.question(&asked, &draft, takes, &stakes);
                let token = self.token(Purpose::Answer, call)?;
                Ok(Outcome::Ask(Question { text, token }))
            }
            Decision::Preview => {
                let stakes = self.stakes(&asked, &draft).await?;
                let text = self.question(&asked, &draft, takes, &stakes);
                let token = self.token(Purpose::Confirm, call)?;
                let mut shown = self.preview(&asked, &draft, &stakes);
                // A patch is told by what it changes.
                if let (Some(_), Some(request)) =
                    (&asked.patch, shown.get_mut("request").and_then(Value::as_object_mut))
                {
                    request.shift_remove(BODY);
                }
                shown.insert("question".to_owned(), json!(text));
                shown.insert("confirm".to_owned(), json!(token));
                Ok(Outcome::Answer(Answer::new(Content::Json(Value::Object(shown))).noting(format!(
                    "nothing was sent: this needs a person's consent. Show them the question; if they agree, make the \
                     same call once more within {} minutes with this `confirm` beside `operation` and `arguments`",
                    LIFETIME.as_secs() / 60
                ))))
            }
        }
    }

    /// The write as it would be sent: masked values put right, a patch put on the object. `now`
    /// is that object where it was read already.
    async fn draft(&self, asked: &Asked, now: Option<Value>) -> Result<Draft, Failure> {
        let operation = asked.operation;
        let client = self.connection.client()?;
        let mut arguments = asked.arguments.clone();
        let Some(patch) = &asked.patch else {
            self.restore(asked, &mut arguments).await?;
            let (_, arguments) = request(operation, client, arguments)?;
            return Ok(Draft { arguments, before: None, changes: Vec::new() });
        };
        let before = match now {
            Some(now) => now,
            None => self.current(asked).await?,
        };
        let schema = (operation.arguments)().to_value();
        let mut body = patch::apply(&before, patch, &schema)?;
        self.secrets.restore(&mut body, Some(&before), "arguments.patch")?;
        arguments.insert(BODY.to_owned(), body);
        let (_, arguments) = request(operation, client, arguments).map_err(of_the_patch)?;
        let after = arguments.get(BODY).unwrap_or(&Value::Null);
        let changes = difference(&before, after, |value| self.secrets.mask(value));
        Ok(Draft { arguments, before: Some(before), changes })
    }

    /// Puts right what came back masked.
    async fn restore(&self, asked: &Asked, arguments: &mut Map<String, Value>) -> Result<(), Failure> {
        if !arguments.values().any(holds_mask) {
            return Ok(());
        }
        let current = match asked.target {
            Some(target) => match self.read(target.read, target.arguments()).await {
                Err(failure) if failure.code == Code::NotFound => None,
                found => Some(found?),
            },
            None => None,
        };
        for (name, value) in arguments.iter_mut() {
            let current = current.as_ref().filter(|_| name == BODY);
            self.secrets.restore(value, current, &format!("arguments.{name}"))?;
        }
        Ok(())
    }

    async fn current(&self, asked: &Asked) -> Result<Value, Failure> {
        let target = asked.target.ok_or_else(|| ArgumentError::new("arguments.id", "expected the object's id"))?;
        match self.read(target.read, target.arguments()).await? {
            object @ Value::Object(_) => Ok(object),
            _ => Err(Failure::new(Code::UnreadableAnswer, format!("`{}` answered no object", target.read))),
        }
    }

    fn fingerprint(&self, asked: &Asked, draft: &Draft) -> Fingerprint {
        let instance = self.connection.target().url.as_deref().unwrap_or_default();
        let mut call = asked.arguments.clone();
        if let Some(patch) = &asked.patch {
            call.insert(PATCH.to_owned(), patch.clone());
            // Consent is given to what was shown: that the object changed since makes it another.
            call.insert("changes".to_owned(), json!(draft.changes));
        }
        if !asked.new_tags.is_empty() {
            call.insert("new_tags".to_owned(), json!(asked.new_tags.labels()));
        }
        Fingerprint::of(instance, asked.operation, &call)
    }

    fn consent(&self, asking: &Asking, confirm: Option<&str>, call: Fingerprint) -> Consent {
        let redeemed = match (&asking.answer, confirm) {
            (Some(answer), _) => self.tokens.redeem(answer, Purpose::Answer, call, Instant::now()),
            (None, Some(token)) => self.tokens.redeem(token, Purpose::Confirm, call, Instant::now()),
            (None, None) => return Consent::None,
        };
        match redeemed {
            Ok(()) => Consent::Valid,
            Err(problem) => Consent::Invalid(problem),
        }
    }

    fn token(&self, purpose: Purpose, call: Fingerprint) -> Result<String, Failure> {
        self.tokens.give(purpose, call, Instant::now()).ok_or_else(Failure::internal)
    }

    async fn stakes(&self, asked: &Asked, draft: &Draft) -> Result<Stakes, Failure> {
        match asked.patch {
            Some(_) => Ok(Stakes::default()),
            None => stakes::look_up(self, asked.operation, &draft.arguments).await,
        }
    }

    fn question(&self, asked: &Asked, draft: &Draft, takes: Option<&str>, stakes: &Stakes) -> String {
        let mut body = draft.arguments.get(BODY).filter(|_| asked.patch.is_none()).cloned();
        if let Some(body) = &mut body {
            self.secrets.mask(body);
        }
        question::compose(asked.operation, &draft.arguments, takes, stakes, &draft.changes, body.as_ref())
    }

    /// What `dry_run` answers.
    async fn show(&self, asked: &Asked, draft: &Draft) -> Result<Answer, Failure> {
        let takes = consent::takes(asked.operation, &draft.arguments);
        let stakes = match takes {
            Some(_) => self.stakes(asked, draft).await?,
            None => Stakes::default(),
        };
        let mut shown = self.preview(asked, draft, &stakes);
        if let Some(takes) = takes {
            shown.insert("takes".to_owned(), json!(takes));
        }
        let surprises = question::surprises(asked.operation, &draft.arguments);
        if !surprises.is_empty() {
            shown.insert("mind".to_owned(), json!(surprises));
        }
        Ok(Answer::new(Content::Json(Value::Object(shown))).noting("a dry run: nothing was sent"))
    }

    /// The request, what it changes and what would go.
    fn preview(&self, asked: &Asked, draft: &Draft, stakes: &Stakes) -> Map<String, Value> {
        let mut shown = Map::new();
        shown.insert("request".to_owned(), preview::request(asked.operation, &draft.arguments));
        if asked.patch.is_some() {
            shown.insert("changes".to_owned(), json!(draft.changes));
        }
        if !asked.new_tags.is_empty() {
            // The request has a negative number in the place of each one's id.
            shown.insert("creates_tags".to_owned(), json!(asked.new_tags.labels()));
        }
        if *stakes != Stakes::default() {
            shown.insert("would_go".to_owned(), json!(stakes));
        }
        shown
    }

    /// Creates the tags that were asked for, and sends what was decided on.
    async fn send_with_tags(&self, mut asked: Asked, mut draft: Draft, agreed: bool) -> Result<Answer, Failure> {
        if asked.new_tags.is_empty() {
            return self.send(&asked, draft, agreed).await;
        }
        let operation = super::reading::named("create_tag")?;
        let mut ids = Vec::new();
        let mut told = Vec::new();
        for label in asked.new_tags.labels() {
            let answer = self.exchange(operation, names::create(label)).await?;
            let Content::Json(tag) = &answer.content else {
                return Err(Failure::new(
                    Code::UnreadableAnswer,
                    format!("creating the tag `{label}` answered no JSON"),
                ));
            };
            let id = tag.get("id").and_then(Value::as_i64);
            let id =
                id.ok_or_else(|| Failure::new(Code::UnreadableAnswer, format!("the new tag `{label}` has no id")))?;
            told.push(format!("`{label}` (id {id})"));
            ids.push(id);
        }
        let bodies = [draft.arguments.get_mut(BODY), asked.patch.as_mut()];
        bodies.into_iter().flatten().for_each(|body| asked.new_tags.fill(&ids, body));
        for change in &mut draft.changes {
            let mut after = json!({"tags": change.after.take()});
            asked.new_tags.fill(&ids, &mut after);
            change.after = after.get_mut("tags").map(Value::take).unwrap_or_default();
        }
        let created = format!("created the tag {}", told.join(", "));
        match self.send(&asked, draft, agreed).await {
            Ok(answer) => Ok(answer.noting(created)),
            Err(mut failure) => {
                failure.message.push_str(&format!("; before that, this call {created}"));
                Err(failure)
            }
        }
    }

    /// Sends what was decided on. `agreed` says that consent was given to the changes shown.
    async fn send(&self, asked: &Asked, draft: Draft, agreed: bool) -> Result<Answer, Failure> {
        tracing::debug!(operation = asked.operation.name, "calling");
        if asked.patch.is_none() {
            let answer = self.exchange(asked.operation, draft.arguments).await?;
            return match asked.wait {
                Some(patience) => wait::follow(self, answer, patience).await,
                None => Ok(answer),
            };
        }
        // The last look and the write are one: no other call of this server comes in between.
        let _turn = match asked.target {
            Some(target) => Some(self.turns.take(target).await),
            None => None,
        };
        let mut draft = draft;
        for last in [false, true] {
            let now = self.current(asked).await?;
            if draft.before.as_ref() == Some(&now) {
                return self.put(asked, draft).await;
            }
            if last {
                break;
            }
            let again = self.draft(asked, Some(now)).await?;
            if agreed && again.changes != draft.changes {
                break;
            }
            draft = again;
        }
        Err(Failure::new(Code::Conflict, "the object keeps changing while it is read, so nothing was written")
            .cure("read it again and see whether the patch still fits, then call again"))
    }

    async fn exchange(&self, operation: &Operation, arguments: Map<String, Value>) -> Result<Answer, Failure> {
        let request = (operation.call)(self.connection.client()?, arguments)?;
        finish(operation, request.await).await
    }
}

impl Asked {
    /// Settles the names. An update takes `patch`; a whole object as `body` is one, too.
    fn read(operation: &'static Operation, mut arguments: Map<String, Value>) -> Result<Self, ArgumentError> {
        let wait = wait::take(operation, &mut arguments)?;
        let mut patch = None;
        if pairs::takes_patch(operation) {
            patch = Some(patch_of(operation, &mut arguments)?);
            pairs::complete(operation, &mut arguments);
            arguments.insert(BODY.to_owned(), json!({}));
        }
        let mut arguments = arguments::settle(operation, arguments).map_err(|mut error| {
            if patch.is_some() {
                error.accepted.iter_mut().for_each(|argument| {
                    if let Some(rest) = argument.strip_prefix("body ") {
                        *argument = format!("{PATCH} {rest}");
                    }
                });
            }
            error
        })?;
        if patch.is_some() {
            arguments.shift_remove(BODY);
        }
        if operation.name == wait::OPERATION
            && let Some(body) = arguments.get_mut(BODY)
        {
            *body = command::check(body)?;
        }
        let target = pairs::target(operation, &arguments);
        Ok(Asked { operation, arguments, patch, target, wait, new_tags: NewTags::default() })
    }
}

fn patch_of(operation: &Operation, arguments: &mut Map<String, Value>) -> Result<Value, ArgumentError> {
    let path = format!("arguments.{PATCH}");
    let given = match (arguments.shift_remove(PATCH), arguments.shift_remove(BODY)) {
        (Some(patch), None) | (None, Some(patch)) => patch,
        (Some(_), Some(_)) => return Err(ArgumentError::new(path, "is given beside `body`; one of them is enough")),
        (None, None) => {
            let problem = format!("`{}` needs `{PATCH}`, an object with the members to change", operation.name);
            return Err(ArgumentError::new(path, problem));
        }
    };
    match given {
        Value::String(text) => serde_json::from_str(&text).map_err(|error| {
            ArgumentError::new(path, format!("expected an object, got a string that is no JSON ({error})"))
        }),
        other => Ok(other),
    }
}

/// An error in the body that a patch made is one of the patch.
fn of_the_patch(mut error: ArgumentError) -> ArgumentError {
    if let Some(inner) = error.path.strip_prefix("arguments.body") {
        error.path = format!("arguments.patch{inner}");
    }
    error
}

fn unchanged(asked: &Asked) -> Answer {
    let id = asked.target.map(|target| target.id);
    Answer::new(Content::Json(json!({"id": id, "changed": []})))
        .noting("the object is already as the patch would make it, so nothing was sent")
}

fn not_confirmed(problem: Problem) -> Failure {
    let why = match problem {
        Problem::Unknown => "this `confirm` was never given out or was used already",
        Problem::Expired => "this `confirm` is too old",
        Problem::OtherCall => {
            "this `confirm` was given for other arguments, or what they would change has changed; it is used up"
        }
    };
    Failure::new(Code::NotConfirmed, format!("{why}; nothing was sent"))
        .cure("make the call without `confirm` to see again what it would do, and get a new one")
}
