//! The real texts behind masked ones, so that what was masked can be sent back.

use std::collections::{HashMap, VecDeque};

use super::MASK;

/// How many texts are kept; the oldest goes first. An interactive search shows some hundreds.
const CAPACITY: usize = 20_000;

/// Texts longer than this are not kept: they are messages, which nobody sends back.
const LONGEST: usize = 4096;

/// Real texts by their masked ones. Two real texts never share a masked one: the second gets a
/// number behind its mask.
#[derive(Default)]
pub struct Vault {
    real: HashMap<String, String>,
    order: VecDeque<String>,
}

impl Vault {
    /// Keeps `real` and returns the text that stands for it: `masked`, or `masked` with a number
    /// behind its first mask when that stands for another text.
    pub fn keep(&mut self, real: &str, masked: String) -> String {
        if real.len() > LONGEST {
            return masked;
        }
        let mut candidate = masked.clone();
        for number in 2..=CAPACITY {
            match self.real.get(&candidate) {
                None => break,
                Some(known) if known == real => return candidate,
                Some(_) => candidate = masked.replacen(MASK, &format!("{MASK}{number}"), 1),
            }
        }
        if self.order.len() >= CAPACITY
            && let Some(oldest) = self.order.pop_front()
        {
            self.real.remove(&oldest);
        }
        self.real.insert(candidate.clone(), real.to_owned());
        self.order.push_back(candidate.clone());
        candidate
    }

    /// The real text behind a masked one.
    pub fn reveal(&self, masked: &str) -> Option<&str> {
        self.real.get(masked).map(String::as_str)
    }
}

impl std::fmt::Debug for Vault {
    /// What is kept are secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vault").field("kept", &self.order.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, Vault};

    #[test]
    fn each_real_text_has_its_own_masked_one() {
        let mut vault = Vault::default();
        let masked = || "https://host/********".to_owned();
        assert_eq!(vault.keep("https://host/a", masked()), "https://host/********");
        assert_eq!(vault.keep("https://host/b", masked()), "https://host/********2");
        assert_eq!(vault.keep("https://host/a", masked()), "https://host/********");
        assert_eq!(vault.keep("https://host/b", masked()), "https://host/********2");
        assert_eq!(vault.reveal("https://host/********2"), Some("https://host/b"));
        assert_eq!(vault.reveal("https://host/********3"), None);
    }

    #[test]
    fn the_oldest_goes_first_and_nothing_is_shown() {
        let mut vault = Vault::default();
        for number in 0..=CAPACITY {
            vault.keep(&format!("s3cret{number}"), format!("********/{number}"));
        }
        assert_eq!(vault.reveal("********/0"), None);
        assert_eq!(vault.reveal("********/1"), Some("s3cret1"));
        assert!(!format!("{vault:?}").contains("s3cret"));
    }
}
