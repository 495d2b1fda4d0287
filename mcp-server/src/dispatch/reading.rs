//! Reading objects for this server's own use.

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use sonarr_client::Client;

use super::{Dispatcher, finish};
use crate::answer::Content;
use crate::failure::{Code, Failure};
use crate::generated::GROUPS;
use crate::operation::Operation;
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
            match finish(operation, request.await).await?.content {
                Content::Json(value) => Ok(value),
                _ => Err(Failure::new(Code::UnreadableAnswer, format!("`{}` answered no JSON", operation.name))),
            }
        }
        .boxed()
    }

    fn client(&self) -> Result<&Client, Failure> {
        self.connection.client()
    }
}

/// The operation of a name.
pub(crate) fn named(name: &str) -> Result<&'static Operation, Failure> {
    let operations = GROUPS.iter().flat_map(|group| group.operations);
    operations.into_iter().find(|operation| operation.name == name).ok_or_else(Failure::internal)
}
