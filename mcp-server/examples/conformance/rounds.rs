//! Tools and a prompt that answer with what they have to know, as revision 2026-07-28 does.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, InputRequiredResult, InputResponses,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

use super::{Fixtures, content, tools, typed};

pub const TOOLS: [&str; 8] = [
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

/// The prompt that has to know something first.
pub const PROMPT: &str = "test_input_required_result_prompt";

pub fn knows(tool: &str) -> bool {
    TOOLS.contains(&tool)
}

/// A form with one field that must be filled in.
fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    json!({
        "method": "elicitation/create",
        "params": {"mode": "form", "message": message, "requestedSchema": schema}
    })
}

fn sampling(prompt: &str, tokens: u32) -> Value {
    let messages = json!([{"role": "user", "content": content::text(prompt)}]);
    json!({"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": tokens}})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// What has to be known, by name.
type Wanted = Map<String, Value>;

fn wanted(all: &[(&str, Value)]) -> Wanted {
    all.iter().map(|(name, request)| ((*name).to_owned(), request.clone())).collect()
}

fn first_round(tool: &str, context: &RequestContext<RoleServer>) -> Wanted {
    match tool {
        "test_input_required_result_sampling" => {
            wanted(&[("capital_question", sampling("What is the capital of France?", 100))])
        }
        "test_input_required_result_list_roots" => wanted(&[("client_roots", roots())]),
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            wanted(&[("confirm", form("Please confirm", "ok", "boolean"))])
        }
        "test_input_required_result_multiple_inputs" => wanted(&[
            ("user_name", form("What is your name?", "name", "string")),
            ("greeting", sampling("Generate a greeting", 50)),
            ("client_roots", roots()),
        ]),
        "test_input_required_result_multi_round" => {
            wanted(&[("step1", form("Step 1: What is your name?", "name", "string"))])
        }
        "test_input_required_result_capabilities" => {
            let capabilities = json!(context.client_capabilities().unwrap_or_default());
            let mut all = wanted(&[
                ("user_name", form("What is your name?", "name", "string")),
                ("greeting", sampling("Generate a greeting", 50)),
                ("client_roots", roots()),
            ]);
            let able = |capability: &str| capabilities.get(capability).is_some_and(|value| !value.is_null());
            all.retain(|name, _| match name.as_str() {
                "user_name" => able("elicitation"),
                "greeting" => able("sampling"),
                _ => able("roots"),
            });
            all
        }
        _ => wanted(&[("user_name", form("What is your name?", "name", "string"))]),
    }
}

/// Whether a tool gives out a state.
fn is_stateful(tool: &str) -> bool {
    ["state", "multiple_inputs", "multi_round"].iter().any(|part| tool.ends_with(part))
}

impl Fixtures {
    /// A state that is taken back once. The second round's is told apart by its name.
    fn give_state(&self, round: u8) -> String {
        let state = format!("{round}-{}", uuid::Uuid::new_v4());
        if let Ok(mut states) = self.states.lock() {
            states.insert(state.clone());
        }
        state
    }

    fn take_state(&self, state: Option<&str>) -> Result<u8, ErrorData> {
        let known = state.filter(|state| self.states.lock().is_ok_and(|mut states| states.remove(*state)));
        let round = known.and_then(|state| state.split('-').next()?.parse().ok());
        round.ok_or_else(|| ErrorData::invalid_params("the requestState is none of this server's", None))
    }
}

pub fn call(
    fixtures: &Fixtures,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let tool = request.name.as_ref();
    let first = first_round(tool, context);
    let ask = |wanted: Wanted, round: u8| {
        let state = is_stateful(tool).then(|| fixtures.give_state(round));
        required(wanted, state.as_deref()).map(CallToolResponse::from)
    };
    let Some(responses) = &request.input_responses else {
        return ask(first, 1);
    };
    let round = match is_stateful(tool) {
        true => fixtures.take_state(request.request_state.as_deref())?,
        false => 1,
    };
    if round == 1 && !first.iter().all(|(name, request)| is_answer(responses.get(name), request)) {
        return ask(first, 1);
    }
    if tool == "test_input_required_result_multi_round" && round == 1 {
        return ask(wanted(&[("step2", form("Step 2: What is your favorite color?", "color", "string"))]), 2);
    }
    Ok(typed::<CallToolResult>(tools::success(&[content::text(&told(tool, responses))]))?.into())
}

/// Whether a response answers a request.
fn is_answer(response: Option<&Value>, request: &Value) -> bool {
    let Some(response) = response else { return false };
    let member = match request.get("method").and_then(Value::as_str) {
        Some("elicitation/create") => "action",
        Some("roots/list") => "roots",
        _ => "content",
    };
    response.get(member).is_some()
}

fn told(tool: &str, responses: &InputResponses) -> String {
    let text = |name: &str, pointer: &str| {
        responses.get(name).and_then(|response| response.pointer(pointer)?.as_str()).unwrap_or_default().to_owned()
    };
    match tool {
        "test_input_required_result_sampling" => text("capital_question", "/content/text"),
        "test_input_required_result_request_state" => "state-ok".to_owned(),
        "test_input_required_result_elicitation" => format!("Hello, {}!", text("user_name", "/content/name")),
        _ => format!("Received: {}", json!(responses)),
    }
}

fn required(wanted: Wanted, state: Option<&str>) -> Result<InputRequiredResult, ErrorData> {
    let mut result = json!({"resultType": "input_required", "inputRequests": wanted});
    if let (Some(state), Some(members)) = (state, result.as_object_mut()) {
        members.insert("requestState".to_owned(), json!(state));
    }
    typed(result)
}

pub fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let wanted = wanted(&[("user_context", form("What context should the prompt use?", "context", "string"))]);
    let given = request.input_responses.as_ref().and_then(|responses| responses.get("user_context"));
    let Some(context) = given.and_then(|response| response.pointer("/content/context")?.as_str()) else {
        return required(wanted, None).map(GetPromptResponse::from);
    };
    let message = json!({"role": "user", "content": content::text(&format!("Use this context: {context}"))});
    Ok(typed::<GetPromptResult>(json!({"resultType": "complete", "messages": [message]}))?.into())
}
