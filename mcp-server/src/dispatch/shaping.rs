//! What a caller gets of an answer: clean, selected by the call's query, and no longer than the cap.

use serde_json::{Map, Value};

use super::{Dispatcher, Outcome, Question};
use crate::answer::query::{self, QueryError};
use crate::answer::{self, Answer, text};
use crate::arguments::Envelope;
use crate::failure::{Code, Failure};

/// The member of a call that is about its answer.
const QUERY: &str = "query";

impl Dispatcher {
    /// Puts right what a caller read in its cleaned form, and takes the query out of a call.
    ///
    /// # Errors
    /// A query that is no text; one that cannot be read, where the operation writes: afterwards
    /// would be too late to refuse it.
    pub(super) fn prepare(&self, tool: &str, call: &mut Map<String, Value>) -> Result<Option<String>, Failure> {
        let query = Envelope::query(call)?;
        if let Some(expression) = &query
            && self.writes(tool, call)
        {
            query::check(expression).map_err(of_query)?;
        }
        if let Some(arguments @ Value::Object(_)) = call.get_mut("arguments") {
            text::restore_value(arguments);
        }
        Ok(query)
    }

    fn writes(&self, tool: &str, call: &Map<String, Value>) -> bool {
        let operation = || {
            let name = call.get("operation")?.as_str()?;
            self.catalogue.operation(self.catalogue.tool(tool).ok()?, name).ok()
        };
        operation().is_some_and(|operation| operation.effect.writes())
    }

    /// A failure as a caller gets it, whoever's words it repeats: clean, and no longer than the cap.
    pub(super) fn fitting(&self, mut failure: Failure) -> Failure {
        answer::clean_failure(&mut failure);
        failure.fit(self.max_result_bytes);
        failure
    }

    /// Shapes an answer or a question.
    pub(super) async fn shape(
        &self,
        outcome: Result<Outcome, Failure>,
        query: Option<String>,
    ) -> Result<Outcome, Failure> {
        match outcome {
            Ok(Outcome::Answer(answer)) => shaped(answer, query, self.max_result_bytes).await.map(Outcome::Answer),
            Ok(Outcome::Ask(question)) => {
                let text = text::cleaned(&question.text).into_owned();
                Ok(Outcome::Ask(Question { text, ..question }))
            }
            Err(failure) => Err(failure),
        }
    }
}

/// A query may take a while, so it runs where it holds nobody up.
async fn shaped(answer: Answer, query: Option<String>, cap: usize) -> Result<Answer, Failure> {
    let Some(query) = query else {
        return answer::shape(answer, None, cap).map_err(of_query);
    };
    let shape = move || answer::shape(answer, Some(&query), cap);
    tokio::task::spawn_blocking(shape).await.map_err(|_| Failure::internal())?.map_err(of_query)
}

fn of_query(mut error: QueryError) -> Failure {
    let example = error.example.take();
    let mut failure = Failure::new(Code::InvalidArguments, error.to_string());
    failure.path = Some(QUERY.to_owned());
    failure.cure = example.map(|example| format!("on this answer works, for example, the query {example}"));
    failure
}
