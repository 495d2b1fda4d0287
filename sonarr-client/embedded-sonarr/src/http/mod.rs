//! HTTP as the server sees it: requests in, replies and failures out.

mod failure;
mod query;
mod reply;
mod request;

pub(crate) use failure::{Failure, Rule, Severity, failure_list, rule, rules};
pub(crate) use query::Query;
pub(crate) use reply::{Content, Reply};
pub(crate) use request::Incoming;
