//! How long a value is as compact JSON, without writing it anywhere.

use std::io::{Error, Result, Write};

use serde::Serialize;

/// The length of a value as compact JSON, in bytes.
pub fn of(value: &(impl Serialize + ?Sized)) -> usize {
    let mut counter = Counter { count: 0, most: usize::MAX };
    // Only a counter that is full fails.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.count
}

/// Whether a value takes at most `most` bytes as compact JSON; looks no further than these.
pub fn within(value: &(impl Serialize + ?Sized), most: usize) -> bool {
    serde_json::to_writer(Counter { count: 0, most }, value).is_ok()
}

struct Counter {
    count: usize,
    most: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.count = self.count.saturating_add(bytes.len());
        if self.count > self.most {
            return Err(Error::other("full"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{of, within};
    use serde_json::json;

    #[test]
    fn the_length_is_that_of_the_text() {
        for value in [json!(null), json!("a\n\"ö\u{1}"), json!({"a": [1, 2.5, {"b": true}]}), json!([])] {
            let length = value.to_string().len();
            assert_eq!(of(&value), length);
            assert!(within(&value, length));
            assert!(!within(&value, length - 1));
        }
    }
}
