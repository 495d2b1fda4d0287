//! The two copies of an answer: text, and structured content under the tool's output schema.
//!
//! Some hosts hand a model both, which doubles what an answer costs; for these there is text alone.

use rmcp::model::{CallToolResponse, Tool};

/// A response without its structured copy.
pub fn text_alone(response: CallToolResponse) -> CallToolResponse {
    match response {
        CallToolResponse::Complete(mut result) => {
            result.structured_content = None;
            CallToolResponse::Complete(result)
        }
        other => other,
    }
}

/// A tool that promises no structured copy.
pub fn without_schema(mut tool: Tool) -> Tool {
    tool.output_schema = None;
    tool
}
