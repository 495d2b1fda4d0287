//! Tokens that stand for a consent to one call: each good once, for that call, for five minutes.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::operation::Operation;

/// How long a token is good.
pub const LIFETIME: Duration = Duration::from_secs(300);

/// How many tokens are kept; the oldest goes first.
const CAPACITY: usize = 256;

/// Bytes of chance in a token: more than can be guessed.
const BYTES: usize = 16;

/// What a token is given out for. One for the answer to a question is of no use as `confirm`:
/// whoever holds it has not been shown the preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be given back as `confirm`.
    Confirm,
    /// To come back beside a person's answer.
    Answer,
}

/// Why a token is not good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// It was never given out, was used, or was given out too many tokens ago.
    Unknown,
    /// It is older than [`LIFETIME`].
    Expired,
    /// It was given out for other arguments, and is used up by that.
    OtherCall,
}

/// What a call is, so that another one can be told from it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Of a call of `operation` with `arguments` on the Sonarr called `instance`. The order of
    /// members does not count.
    pub fn of(instance: &str, operation: &Operation, arguments: &Map<String, Value>) -> Self {
        let mut hash = Sha256::new();
        for part in [instance, operation.name] {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        add_members(&mut hash, arguments);
        Fingerprint(hash.finalize().into())
    }
}

fn add_members(hash: &mut Sha256, members: &Map<String, Value>) {
    let mut names: Vec<&String> = members.keys().collect();
    names.sort_unstable();
    hash.update(b"{");
    hash.update(names.len().to_le_bytes());
    for name in names {
        add(hash, &Value::String(name.clone()));
        add(hash, members.get(name).unwrap_or(&Value::Null));
    }
}

fn add(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(members) => add_members(hash, members),
        Value::Array(items) => {
            hash.update(b"[");
            hash.update(items.len().to_le_bytes());
            items.iter().for_each(|item| add(hash, item));
        }
        plain => {
            let text = plain.to_string();
            hash.update(b"=");
            hash.update(text.len().to_le_bytes());
            hash.update(text.as_bytes());
        }
    }
}

/// The tokens given out and not used.
#[derive(Default)]
pub struct Tokens {
    given: Mutex<VecDeque<Given>>,
}

struct Given {
    /// The token's hash: the token itself is not kept.
    token: [u8; 32],
    purpose: Purpose,
    call: Fingerprint,
    until: Instant,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tokens(…)")
    }
}

impl Tokens {
    /// Gives out a token for a call; nothing when the system has no randomness to give.
    pub fn give(&self, purpose: Purpose, call: Fingerprint, now: Instant) -> Option<String> {
        let mut bytes = [0u8; BYTES];
        getrandom::fill(&mut bytes).ok()?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.retain(|other| other.until > now);
        if given.len() >= CAPACITY {
            given.pop_front();
        }
        given.push_back(Given { token: hash(&token), purpose, call, until: now + LIFETIME });
        Some(token)
    }

    /// Uses a token for a call. Whatever comes of it, the token is of no more use.
    ///
    /// # Errors
    /// Why the token is not good for this call.
    pub fn redeem(&self, token: &str, purpose: Purpose, call: Fingerprint, now: Instant) -> Result<(), Problem> {
        let token = hash(token.trim());
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        // All are compared, so that the time taken says nothing.
        let mut found = None;
        for (at, other) in given.iter().enumerate() {
            if bool::from(other.token.ct_eq(&token)) && other.purpose == purpose {
                found = Some(at);
            }
        }
        let given = found.and_then(|at| given.remove(at)).ok_or(Problem::Unknown)?;
        if given.until <= now {
            return Err(Problem::Expired);
        }
        if !bool::from(given.call.0.ct_eq(&call.0)) {
            return Err(Problem::OtherCall);
        }
        Ok(())
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, Fingerprint, LIFETIME, Problem, Purpose, Tokens};
    use crate::generated::GROUPS;
    use crate::operation::Operation;
    use serde_json::{Value, json};
    use std::time::{Duration, Instant};

    fn operation(name: &str) -> &'static Operation {
        GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == name).unwrap()
    }

    fn call(arguments: Value) -> Fingerprint {
        Fingerprint::of("home", operation("delete_series"), arguments.as_object().unwrap())
    }

    #[test]
    fn a_token_is_good_once_for_its_call() {
        let (tokens, now) = (Tokens::default(), Instant::now());
        let one = call(json!({"id": 1, "deleteFiles": true}));
        let same = call(json!({"deleteFiles": true, "id": 1}));
        let token = tokens.give(Purpose::Confirm, one, now).unwrap();
        assert_eq!(tokens.redeem(&token, Purpose::Confirm, same, now), Ok(()));
        assert_eq!(tokens.redeem(&token, Purpose::Confirm, one, now), Err(Problem::Unknown));
    }

    #[test]
    fn a_token_is_bound_to_operation_arguments_and_instance() {
        let (tokens, now) = (Tokens::default(), Instant::now());
        let one = call(json!({"id": 1}));
        let arguments = json!({"id": 1});
        let arguments = arguments.as_object().unwrap();
        for other in [
            call(json!({"id": 2})),
            call(json!({"id": "1"})),
            call(json!({"id": 1, "deleteFiles": true})),
            call(json!({"id": 1, "body": [1, [2]]})),
            Fingerprint::of("other", operation("delete_series"), arguments),
            Fingerprint::of("home", operation("delete_tag"), arguments),
        ] {
            let token = tokens.give(Purpose::Confirm, one, now).unwrap();
            assert_eq!(tokens.redeem(&token, Purpose::Confirm, other, now), Err(Problem::OtherCall));
            assert_eq!(tokens.redeem(&token, Purpose::Confirm, one, now), Err(Problem::Unknown), "it is used up");
        }
        assert!(call(json!({"a": [1, [2]]})) != call(json!({"a": [[1], 2]})));
    }

    #[test]
    fn a_token_is_good_for_five_minutes() {
        let (tokens, now) = (Tokens::default(), Instant::now());
        let one = call(json!({}));
        let token = tokens.give(Purpose::Confirm, one, now).unwrap();
        let later = now + LIFETIME;
        assert_eq!(tokens.redeem(&token, Purpose::Confirm, one, later), Err(Problem::Expired));
        let token = tokens.give(Purpose::Confirm, one, now).unwrap();
        let just = later.checked_sub(Duration::from_millis(1)).unwrap();
        assert_eq!(tokens.redeem(&token, Purpose::Confirm, one, just), Ok(()));
    }

    #[test]
    fn a_token_for_an_answer_is_no_confirmation() {
        let (tokens, now) = (Tokens::default(), Instant::now());
        let one = call(json!({}));
        let token = tokens.give(Purpose::Answer, one, now).unwrap();
        assert_eq!(tokens.redeem(&token, Purpose::Confirm, one, now), Err(Problem::Unknown));
        assert_eq!(tokens.redeem(&token, Purpose::Answer, one, now), Ok(()));
    }

    #[test]
    fn guesses_fail_and_the_store_is_bounded() {
        let (tokens, now) = (Tokens::default(), Instant::now());
        let one = call(json!({}));
        let first = tokens.give(Purpose::Confirm, one, now).unwrap();
        for guess in ["", "true", "yes", &"0".repeat(32)] {
            assert_eq!(tokens.redeem(guess, Purpose::Confirm, one, now), Err(Problem::Unknown));
        }
        let others: Vec<String> = (0..CAPACITY).map(|_| tokens.give(Purpose::Confirm, one, now).unwrap()).collect();
        assert_eq!(tokens.redeem(&first, Purpose::Confirm, one, now), Err(Problem::Unknown));
        assert!(others.iter().all(|token| tokens.redeem(token, Purpose::Confirm, one, now) == Ok(())));
        let mut unlike = others.clone();
        unlike.sort_unstable();
        unlike.dedup();
        assert_eq!(unlike.len(), others.len());
    }
}
