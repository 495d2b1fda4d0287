//! Asking a person, as the revisions of the protocol do it.
//!
//! Up to 2025-11-25 the server sends a request of its own and waits for the answer. Since
//! 2026-07-28 it answers the call with what it has to know, and the client makes the call again
//! with the person's answer beside it.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    InputRequest, InputRequests, InputRequiredResult, ProtocolVersion,
};
use rmcp::service::RequestContext;

use crate::dispatch::{Asking, Question};
use crate::failure::{Code, Failure};
use crate::write::tokens::LIFETIME;

/// The name of the question among the requests for input, and of the only member of its form.
const CONFIRM: &str = "confirm";

/// Whether the client of this call can show a form to a person.
pub fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let elicitation = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    // A client that names no mode means forms, the only mode there was.
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// Whether the client is asked by answering its call.
pub fn by_answer(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// What a call says about a question asked before.
///
/// # Errors
/// When the person did not agree.
pub fn asking(context: &RequestContext<RoleServer>, request: &CallToolRequestParams) -> Result<Asking, Failure> {
    let mut asking = Asking { can_ask: can_ask(context), answer: None };
    let responses = request.input_responses.as_ref();
    if let (Some(token), Some(response)) = (&request.request_state, responses.and_then(|all| all.get(CONFIRM))) {
        let result: ElicitResult =
            serde_json::from_value(response.clone()).map_err(|_| declined("could not be read"))?;
        agreed(&result)?;
        asking.answer = Some(token.clone());
    }
    Ok(asking)
}

/// The question as an answer to the call.
///
/// # Errors
/// Never, as long as the form is one.
pub fn as_answer(question: Question) -> Result<InputRequiredResult, Failure> {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(question.text)?));
    let requests = InputRequests::from([(CONFIRM.to_owned(), request)]);
    Ok(InputRequiredResult::new(Some(requests), Some(question.token)))
}

/// Asks, and waits for the answer as long as it would count.
///
/// # Errors
/// When the person did not agree, or the question did not reach them.
pub async fn ask(context: &RequestContext<RoleServer>, text: String) -> Result<(), Failure> {
    match context.peer.create_elicitation_with_timeout(form(text)?, Some(LIFETIME)).await {
        Ok(result) => agreed(&result),
        Err(error) => {
            tracing::debug!(%error, "the question was not answered");
            Err(declined("could not be asked, or did not come in time"))
        }
    }
}

fn form(message: String) -> Result<ElicitRequestParams, Failure> {
    let schema = ElicitationSchema::builder()
        .required_bool_property(CONFIRM, |property| property.title("Do it"))
        .build()
        .map_err(|_| Failure::internal())?;
    Ok(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: schema })
}

/// Only a form sent with a yes in it is one.
fn agreed(result: &ElicitResult) -> Result<(), Failure> {
    match result.action {
        ElicitationAction::Accept => {
            let content = result.content.as_ref().and_then(|content| content.get(CONFIRM));
            match content.and_then(serde_json::Value::as_bool) {
                Some(true) => Ok(()),
                Some(false) => Err(declined("is no")),
                None => Err(declined("is neither yes nor no")),
            }
        }
        ElicitationAction::Decline => Err(declined("is no")),
        ElicitationAction::Cancel => Err(declined("is none: the question was dismissed")),
        _ => Err(declined("could not be read")),
    }
}

fn declined(answer: &str) -> Failure {
    Failure::new(
        Code::Declined,
        format!("a person was asked to confirm this, and the answer {answer}; nothing was sent"),
    )
    .cure("do not repeat the call unless the person asks for it")
}

#[cfg(test)]
mod tests {
    use super::{CONFIRM, agreed, as_answer};
    use crate::dispatch::Question;
    use crate::failure::Code;
    use rmcp::model::{ElicitResult, ElicitationAction};
    use serde_json::{Value, json};

    #[test]
    fn only_a_clear_yes_is_one() {
        let result = |action: ElicitationAction, content: Option<Value>| {
            let mut result = ElicitResult::new(action);
            result.content = content;
            result
        };
        use ElicitationAction::{Accept, Cancel, Decline};
        assert!(agreed(&result(Accept, Some(json!({CONFIRM: true})))).is_ok());
        for no in [
            result(Accept, Some(json!({CONFIRM: false}))),
            result(Accept, Some(json!({CONFIRM: "true"}))),
            result(Accept, Some(json!({"yes": true}))),
            result(Accept, Some(json!({}))),
            result(Accept, None),
            result(Decline, Some(json!({CONFIRM: true}))),
            result(Cancel, None),
        ] {
            assert_eq!(agreed(&no).unwrap_err().code, Code::Declined, "{no:?}");
        }
    }

    #[test]
    fn a_question_as_an_answer_has_the_form_and_the_token() {
        let question = Question { text: "Do it?".to_owned(), token: "t".to_owned() };
        let answer = serde_json::to_value(as_answer(question).unwrap()).unwrap();
        assert_eq!(answer["resultType"], "input_required");
        assert_eq!(answer["requestState"], "t");
        let request = &answer["inputRequests"][CONFIRM];
        assert_eq!(
            (&request["method"], &request["params"]["message"]),
            (&json!("elicitation/create"), &json!("Do it?"))
        );
        let form = &request["params"]["requestedSchema"];
        assert_eq!((&form["properties"][CONFIRM]["type"], &form["required"]), (&json!("boolean"), &json!([CONFIRM])));
    }
}
