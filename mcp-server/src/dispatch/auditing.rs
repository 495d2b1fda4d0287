//! Several audits in one go, for people.

use super::Dispatcher;
use crate::answer::{self, Answer};
use crate::audits::{self, Audit, Scope};
use crate::failure::Failure;

impl Dispatcher {
    /// Makes audits over one reading of the library. The answer has all of their findings, is not shortened, and holds
    /// no secret and no hidden character.
    ///
    /// # Errors
    /// Where not even the series can be read; that a single audit failed is in the answer.
    pub async fn survey(&self, audits: &[&'static Audit], scope: &Scope) -> Result<Answer, Failure> {
        let surveyed = async { audits::survey(self.connection.client()?, audits, scope).await };
        match surveyed.await {
            Ok(mut answer) => {
                self.secrets.mask_answer(&mut answer);
                answer::shape(answer, None, usize::MAX).map_err(|_| Failure::internal())
            }
            Err(mut failure) => {
                self.secrets.mask_failure(&mut failure);
                answer::clean_failure(&mut failure);
                Err(failure)
            }
        }
    }
}
