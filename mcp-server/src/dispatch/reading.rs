//! Reading objects for this server's own use.

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use sonarr_client::Client;

use super::{Dispatcher, finish};
use crate::answer::columns::Columns;
use crate::answer::{Answer, Content};
use crate::failure::{Code, Failure};
use crate::generated::GROUPS;
use crate::operation::{Operation, Reply};
use crate::write::Reader;

impl Reader for Dispatcher {
    fn read<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        async move {
            let operation = named(operation)?;
            let request = (operation.call)(self.connection.client()?, arguments)?;
            json(operation, finish(operation, request.await).await?)
        }
        .boxed()
    }

    fn read_members<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
        members: &'static [&'static str],
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        async move {
            let operation = named(operation)?;
            let request = (operation.call)(self.connection.client()?, arguments)?;
            let replied = request.await;
            if let Ok(Reply::Json { document, .. }) = &replied
                && let Ok(records) = document.records(&Columns::new(members))
            {
                return Ok(Value::Array(records));
            }
            json(operation, finish(operation, replied).await?)
        }
        .boxed()
    }

    fn client(&self) -> Result<&Client, Failure> {
        self.connection.client()
    }
}

fn json(operation: &Operation, answer: Answer) -> Result<Value, Failure> {
    match answer.content {
        Content::Json(value) => Ok(value),
        _ => Err(Failure::new(Code::UnreadableAnswer, format!("`{}` answered no JSON", operation.name))),
    }
}

/// The operation of a name.
pub(crate) fn named(name: &str) -> Result<&'static Operation, Failure> {
    let operations = GROUPS.iter().flat_map(|group| group.operations);
    operations.into_iter().find(|operation| operation.name == name).ok_or_else(Failure::internal)
}
