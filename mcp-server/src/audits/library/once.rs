//! Something that is read once, whoever needs it first.

use std::future::Future;

use tokio::sync::OnceCell;

use crate::failure::Failure;

/// What was read, or why it could not be: a second audit that needs it does not try again.
#[derive(Debug)]
pub struct Once<T>(OnceCell<Result<T, Failure>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Once(OnceCell::new())
    }
}

impl<T> Once<T> {
    /// What `load` gives, which runs only the first time; others wait for it meanwhile.
    pub async fn get(&self, load: impl Future<Output = Result<T, Failure>>) -> Result<&T, Failure> {
        self.0.get_or_init(|| load).await.as_ref().map_err(Clone::clone)
    }
}
