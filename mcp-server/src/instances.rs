//! The instances of Sonarr a server speaks to: one, or several with a name each.
//!
//! With several a call says by `instance` which one it is for. With one there is no such member,
//! so it costs a model nothing.

use std::sync::{Arc, OnceLock};

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::arguments::{ArgumentError, nearest};
use crate::catalogue::Catalogue;
use crate::config::{API_KEY_SETTING, URL_SETTING, key_variable_of};
use crate::dispatch::{Asking, Dispatcher, Outcome};
use crate::failure::Failure;

/// The member of a call that names the instance.
pub const MEMBER: &str = "instance";

/// The instances, each with a dispatcher of its own.
#[derive(Debug)]
pub struct Instances {
    first: Dispatcher,
    /// The names, in the order of the settings; empty where there is but one instance.
    names: Vec<String>,
    /// Those after the first.
    others: Vec<Dispatcher>,
    tools: OnceLock<Vec<Tool>>,
}

impl Instances {
    /// One instance, which needs no name.
    pub fn one(dispatcher: Dispatcher) -> Self {
        Instances { first: dispatcher, names: Vec::new(), others: Vec::new(), tools: OnceLock::new() }
    }

    /// Several instances by name; `None` when there are none. One alone needs its name no more.
    pub fn several(instances: Vec<(String, Dispatcher)>) -> Option<Self> {
        let (mut names, dispatchers): (Vec<String>, Vec<Dispatcher>) = instances.into_iter().unzip();
        let mut dispatchers = dispatchers.into_iter();
        let first = dispatchers.next()?;
        let others: Vec<Dispatcher> = dispatchers.collect();
        if others.is_empty() {
            names.clear();
        }
        Some(Instances { first, names, others, tools: OnceLock::new() })
    }

    /// The names; empty where there is but one instance.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What is offered, which is the same for all.
    pub fn catalogue(&self) -> &Catalogue {
        self.first.catalogue()
    }

    /// The instances with their names; one alone has none.
    pub fn all(&self) -> impl Iterator<Item = (Option<&str>, &Dispatcher)> {
        let names = self.names.iter().map(|name| Some(name.as_str())).chain(std::iter::repeat(None));
        names.zip(std::iter::once(&self.first).chain(&self.others))
    }

    /// The tools as the protocol lists them.
    pub fn tools(&self) -> &[Tool] {
        if self.names.is_empty() {
            return self.catalogue().tools();
        }
        self.tools.get_or_init(|| self.catalogue().tools().iter().map(|tool| self.asking_which(tool)).collect())
    }

    /// A tool whose calls say which instance they are for.
    fn asking_which(&self, tool: &Tool) -> Tool {
        let mut schema = Map::clone(&tool.input_schema);
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.insert(MEMBER.to_owned(), json!({"type": "string", "enum": self.names}));
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.push(json!(MEMBER));
        }
        let mut tool = tool.clone();
        tool.input_schema = Arc::new(schema);
        tool
    }

    /// The instance of a name; the only one needs none.
    ///
    /// # Errors
    /// When there are several and none has this name, or none is named.
    pub fn named(&self, name: Option<&str>) -> Result<&Dispatcher, Failure> {
        self.find(name).map(|(_, dispatcher)| dispatcher)
    }

    fn find(&self, name: Option<&str>) -> Result<(Option<&str>, &Dispatcher), Failure> {
        let Some(name) = name else {
            return match self.names.as_slice() {
                [] => Ok((None, &self.first)),
                names => {
                    Err(ArgumentError::new(MEMBER, "say which Sonarr the call is for").accepting(names.to_vec()).into())
                }
            };
        };
        let found = self.all().find(|(known, _)| known.is_some_and(|known| known.eq_ignore_ascii_case(name)));
        found.ok_or_else(|| {
            let mut error =
                ArgumentError::new(MEMBER, "there is no instance of this name").accepting(self.names.clone());
            error.nearest = nearest(name, self.names.iter().map(String::as_str)).map(str::to_owned);
            error.into()
        })
    }

    /// Makes one call to the instance it names, unless a person has to be asked first.
    ///
    /// # Errors
    /// Anything that keeps the call from being answered, with what to do about it.
    pub async fn attempt(&self, tool: &str, mut call: Map<String, Value>, asking: &Asking) -> Result<Outcome, Failure> {
        let (name, dispatcher) = self.taken(&mut call)?;
        dispatcher.attempt(tool, call, asking).await.map_err(|failure| told_of(name, failure))
    }

    /// Makes one call to the instance it names, for a caller that cannot ask anybody.
    ///
    /// # Errors
    /// Anything that keeps the call from being answered, with what to do about it.
    pub async fn call(&self, tool: &str, mut call: Map<String, Value>) -> Result<Answer, Failure> {
        let (name, dispatcher) = self.taken(&mut call)?;
        dispatcher.call(tool, call).await.map_err(|failure| told_of(name, failure))
    }

    /// Takes the name out of a call. With one instance it stays, for the call has no such member.
    fn taken(&self, call: &mut Map<String, Value>) -> Result<(Option<&str>, &Dispatcher), Failure> {
        if self.names.is_empty() {
            return Ok((None, &self.first));
        }
        match call.shift_remove(MEMBER) {
            None | Some(Value::Null) => self.find(None),
            Some(Value::String(name)) => self.find(Some(name.trim())),
            Some(_) => {
                let error = ArgumentError::new(MEMBER, "the name of an instance is expected");
                Err(error.accepting(self.names.clone()).into())
            }
        }
    }
}

/// A failure whose cure names the settings of the instance it is about, not those of an only one.
fn told_of(name: Option<&str>, mut failure: Failure) -> Failure {
    let Some(name) = name else { return failure };
    let address = format!("the address of the instance `{name}` (--instance or --config)");
    let key = format!("{} (or the instance `{name}` in --config)", key_variable_of(name));
    let cure = failure.cure.take();
    failure.cure = cure.map(|cure| cure.replace(URL_SETTING, &address).replace(API_KEY_SETTING, &key));
    failure
}

#[cfg(test)]
mod tests {
    use super::{Instances, told_of};
    use crate::config::{API_KEY, API_KEY_SETTING, ApiKey, Target, URL, URL_SETTING};
    use crate::connection::Connection;
    use crate::dispatch::Dispatcher;
    use crate::failure::{Code, Failure};
    use crate::generated::GROUPS;
    use serde_json::{Map, Value, json};

    fn dispatcher() -> Dispatcher {
        let target = Target { api_key: ApiKey::new("k"), ..Target::default() };
        Dispatcher::new(GROUPS, Connection::new(target), false)
    }

    fn several(names: &[&str]) -> Instances {
        Instances::several(names.iter().map(|name| ((*name).to_owned(), dispatcher())).collect()).unwrap()
    }

    fn call(text: Value) -> Map<String, Value> {
        text.as_object().unwrap().clone()
    }

    /// Whatever the cure says beside the settings stays, first of all that a write may have been done.
    #[test]
    fn a_cure_names_the_settings_of_its_instance() {
        assert!(URL_SETTING.starts_with(URL) && API_KEY_SETTING.starts_with(API_KEY));
        let cure = format!("look before repeating it; is {URL_SETTING} right? set {API_KEY_SETTING}");
        let failure = Failure::new(Code::Timeout, "").cure(cure.clone());
        assert_eq!(told_of(None, failure.clone()).cure, Some(cure));
        assert_eq!(
            told_of(Some("4k"), failure).cure.as_deref(),
            Some(
                "look before repeating it; is the address of the instance `4k` (--instance or --config) right? set \
                 SONARR_API_KEY_4K (or the instance `4k` in --config)"
            )
        );
    }

    #[test]
    fn one_instance_costs_nothing() {
        let plain = serde_json::to_string(dispatcher().catalogue().tools()).unwrap();
        for instances in [Instances::one(dispatcher()), several(&["hd"])] {
            assert_eq!(serde_json::to_string(instances.tools()).unwrap(), plain);
        }
    }

    #[test]
    fn several_are_an_enum_that_must_be_given() {
        let instances = several(&["hd", "4k"]);
        assert_eq!(instances.tools().len(), 15);
        for tool in instances.tools() {
            let schema = serde_json::to_value(&tool.input_schema).unwrap();
            assert_eq!(schema["properties"]["instance"], json!({"type": "string", "enum": ["hd", "4k"]}));
            assert!(schema["required"].as_array().unwrap().contains(&json!("instance")));
        }
    }

    #[tokio::test]
    async fn a_call_goes_to_the_instance_it_names() {
        let instances = several(&["hd", "4k"]);
        for (named, position) in [("hd", 0), ("4K", 1)] {
            let found = std::ptr::from_ref(instances.named(Some(named)).unwrap());
            let (_, due) = instances.all().nth(position).unwrap();
            assert!(std::ptr::eq(found, due), "{named}");
        }
        for (instance, nearest) in [(json!(null), None), (json!(7), None), (json!("4kk"), Some("4k"))] {
            let asked = call(json!({"operation": "list_tags", "instance": instance}));
            let failure = instances.call("sonarr_tags", asked).await.unwrap_err();
            assert_eq!((failure.code, failure.path.as_deref()), (Code::InvalidArguments, Some("instance")));
            assert_eq!(failure.accepted, ["hd", "4k"]);
            assert_eq!(failure.nearest.as_deref(), nearest);
        }
        // It gets as far as the connection, whose address is missing.
        let asked = call(json!({"operation": "list_tags", "instance": "hd"}));
        assert_eq!(instances.call("sonarr_tags", asked).await.unwrap_err().code, Code::NotConfigured);
    }

    #[tokio::test]
    async fn the_only_instance_is_not_named() {
        let asked = call(json!({"operation": "list_tags", "instance": "hd"}));
        let failure = Instances::one(dispatcher()).call("sonarr_tags", asked).await.unwrap_err();
        assert_eq!((failure.code, failure.path.as_deref()), (Code::InvalidArguments, Some("instance")));
    }
}
