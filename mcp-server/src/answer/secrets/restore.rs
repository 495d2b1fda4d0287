//! Masked values that are sent back, put right before they are written.

use serde_json::Value;

use super::{MASK, Secrets};
use crate::arguments::ArgumentError;
use crate::write::keys;

impl Secrets {
    /// Puts the real values in the place of masked ones in `sent`.
    ///
    /// A masked value is looked up in `current`, the object as Sonarr has it now, at the same
    /// place; else among the texts masked before. One that Sonarr itself shows masked is left:
    /// Sonarr puts it right.
    ///
    /// # Errors
    /// The path below `path` of a masked value that stands for nothing known.
    pub fn restore(&self, sent: &mut Value, current: Option<&Value>, path: &str) -> Result<(), ArgumentError> {
        if !holds_mask(sent) {
            return Ok(());
        }
        let masked = current.map(|current| {
            let mut masked = current.clone();
            self.cover(&mut masked);
            masked
        });
        self.put_right(sent, current.zip(masked.as_ref()), path)
    }

    fn put_right(&self, sent: &mut Value, now: Option<(&Value, &Value)>, path: &str) -> Result<(), ArgumentError> {
        match sent {
            Value::String(text) if text.contains(MASK) => {
                if let Some((Value::String(real), Value::String(masked))) = now
                    && masked == text
                {
                    text.clone_from(real);
                } else if let Some(real) = self.reveal(text) {
                    *text = real;
                } else if is_mask(text) {
                    return Err(unknown(path));
                }
                Ok(())
            }
            Value::Array(items) => {
                let now = now.and_then(|(real, masked)| Some((real.as_array()?, masked.as_array()?)));
                for (at, item) in items.iter_mut().enumerate() {
                    // An item is found again by its key, or else by its place.
                    let same = match (now, keys::key_of(item)) {
                        (None, _) => None,
                        (Some((real, _)), Some(key)) => {
                            real.iter().position(|other| keys::key_of(other).as_ref() == Some(&key))
                        }
                        (Some(_), None) => Some(at),
                    };
                    let now =
                        same.and_then(|same| now.and_then(|(real, masked)| Some((real.get(same)?, masked.get(same)?))));
                    let path = match keys::key_of(item) {
                        Some(key) => format!("{path}[{key}]"),
                        None => format!("{path}[{at}]"),
                    };
                    self.put_right(item, now, &path)?;
                }
                Ok(())
            }
            Value::Object(members) => {
                for (name, value) in members.iter_mut() {
                    let now = now.and_then(|(real, masked)| Some((real.get(name)?, masked.get(name)?)));
                    self.put_right(value, now, &format!("{path}.{name}"))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Whether a text is a mask or a URL or pair with one, and not a text with asterisks.
fn is_mask(text: &str) -> bool {
    text == MASK || text.contains("://") || text.contains(&format!("={MASK}"))
}

/// Whether anything in a value is masked, so that it has to be put right.
pub fn holds_mask(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(holds_mask),
        Value::Object(members) => members.values().any(holds_mask),
        _ => false,
    }
}

fn unknown(path: &str) -> ArgumentError {
    ArgumentError::new(
        path,
        format!(
            "`{MASK}` stands for a secret that this server masked, and here it is not known which; \
             give the value itself, or read the object again and send back what was just shown"
        ),
    )
}
