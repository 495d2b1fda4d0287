//! An object around a list to go through: what is around it stays, and the list is cut after some row.

use serde_json::{Map, Value};

use super::hint::Origin;
use super::{Extent, Fitted, Frame, OMITTED, list, object, size};

/// What is around the list may take this part of the cap.
const AROUND: usize = 2;

/// Makes an object fit, by its list where the frame names one.
pub fn fit(mut members: Map<String, Value>, frame: &Frame<'_>) -> Fitted {
    let Some((name, mut rows)) = frame.list.and_then(|name| match members.get_mut(name) {
        Some(Value::Array(rows)) => Some((name, std::mem::take(rows))),
        _ => None,
    }) else {
        return object::fit(members, frame);
    };
    let around = size::of(&members);
    if around > frame.cap / AROUND {
        members.insert(name.to_owned(), Value::Array(rows));
        return object::fit(members, frame);
    }
    let origin = Origin::of_list(None, frame.cap).then(name);
    let mut extent = Extent {
        total: rows.len() as u64,
        returned: 0,
        next: Some(origin.after(rows.len())),
        omitted: Vec::new(),
        note: format!(
            "More than {} bytes, so `{name}` is cut; the same call with what `next` says goes on with it.",
            frame.cap
        ),
    };
    let room = frame.cap.saturating_sub(extent.length() + around);
    let part = list::part(&rows, room, size::of, |index| origin.item(index));
    extent.returned = part.shown.len() as u64;
    extent.next = (part.passed < rows.len()).then(|| origin.after(part.passed));
    if !part.omitted.is_empty() {
        extent.say(OMITTED);
    }
    extent.omitted = part.omitted;
    let mut index = 0;
    rows.truncate(part.passed);
    rows.retain(|_| {
        index += 1;
        part.shown.binary_search(&(index - 1)).is_ok()
    });
    // It keeps its place among the members.
    members.insert(name.to_owned(), Value::Array(rows));
    Fitted { value: Value::Object(members), extent: Some(extent) }
}
