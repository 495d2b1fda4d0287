//! Secrets never reach an answer: one rule over any JSON and any text.
//!
//! API keys, passwords, tokens and cookies are found by the name they stand under, and within
//! URLs and running text by the names and places that hold keys there. Each is shown as
//! [`MASK`], which is also how Sonarr shows those it keeps back itself. What was masked can be
//! sent back in a write: [`Secrets::restore`] puts the real value in its place.

mod names;
mod restore;
mod text;
mod url;
mod vault;
mod walk;

pub use restore::holds_mask;

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::{Answer, Content};
use crate::failure::Failure;
use vault::Vault;

/// What stands for a secret. Sonarr uses the same eight asterisks for provider settings.
pub const MASK: &str = "********";

/// Masks what goes out and puts right what comes back.
#[derive(Debug)]
pub struct Secrets {
    shown: bool,
    own_key: Option<OwnKey>,
    vault: Mutex<Vault>,
}

/// Sonarr's API key, as this server uses it.
struct OwnKey(String);

impl std::fmt::Debug for OwnKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OwnKey(…)")
    }
}

impl Secrets {
    /// Masks secrets, unless they are `shown`. `own_key`, Sonarr's API key, is masked wherever
    /// it appears, whatever it is called there.
    pub fn new(shown: bool, own_key: Option<&str>) -> Self {
        /// A shorter text would be found by chance.
        const SHORTEST: usize = 8;
        Secrets {
            shown,
            own_key: own_key.filter(|key| key.len() >= SHORTEST).map(|key| OwnKey(key.to_owned())),
            vault: Mutex::default(),
        }
    }

    /// Masks the secrets in an answer with its note.
    pub fn mask_answer(&self, answer: &mut Answer) {
        match &mut answer.content {
            Content::Json(value) => self.mask(value),
            Content::Text(text) => self.mask_in(text),
            Content::Image { .. } => {}
        }
        if let Some(note) = &mut answer.note {
            self.mask_in(note);
        }
    }

    /// Masks the secrets in a failure: Sonarr repeats addresses in its messages.
    pub fn mask_failure(&self, failure: &mut Failure) {
        self.mask_in(&mut failure.message);
        if let Some(cure) = &mut failure.cure {
            self.mask_in(cure);
        }
        for field in &mut failure.fields {
            self.mask_in(&mut field.message);
        }
    }

    fn mask_in(&self, text: &mut String) {
        if let Cow::Owned(masked) = self.mask_text(text) {
            *text = masked;
        }
    }

    /// Masks the secrets in a JSON value.
    pub fn mask(&self, value: &mut Value) {
        if !self.shown {
            self.cover(value);
        }
    }

    /// Masks the secrets in a text, such as a log or the message of an error.
    pub fn mask_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.shown {
            return Cow::Borrowed(text);
        }
        self.cover_text(text)
    }

    /// The same as [`mask`](Self::mask), also where secrets are shown.
    fn cover(&self, value: &mut Value) {
        walk::mask(value, &mut |text| {
            let masked = match self.cover_text(text) {
                Cow::Owned(masked) => masked,
                Cow::Borrowed(_) => return None,
            };
            let mut vault = self.vault.lock().unwrap_or_else(PoisonError::into_inner);
            Some(vault.keep(text, masked))
        });
    }

    fn cover_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let masked = text::mask(text);
        match &self.own_key {
            Some(OwnKey(key)) if masked.contains(key.as_str()) => Cow::Owned(masked.replace(key.as_str(), MASK)),
            _ => masked,
        }
    }

    fn reveal(&self, masked: &str) -> Option<String> {
        let vault = self.vault.lock().unwrap_or_else(PoisonError::into_inner);
        vault.reveal(masked).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests;
