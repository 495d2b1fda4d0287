//! A text: cut after a line, and a line of its own after a character.

use serde_json::Value;

use super::hint::Origin;
use super::{Extent, Fitted, Frame, OMITTED, list, size};

/// Makes a text fit that Sonarr answered as such. A query on one goes through its lines.
pub fn fit_text(text: String, frame: &Frame<'_>) -> Fitted {
    if size::within(&text, frame.cap) {
        return Fitted { value: Value::String(text), extent: None };
    }
    let mut fitted = fit_lines(text.lines().map(Value::from).collect(), frame);
    if let Some(extent) = &mut fitted.extent {
        extent.say("The last lines: query \"[-100:]\".");
    }
    fitted
}

/// Makes lines fit, and puts them together to a text again. What are no lines fit as a list.
pub fn fit_lines(mut lines: Vec<Value>, frame: &Frame<'_>) -> Fitted {
    if lines.is_empty() || !lines.iter().all(Value::is_string) {
        return super::fit(Value::Array(lines), frame);
    }
    let length_of = |line: &Value| size::of(line).saturating_sub(1);
    let joined = |lines: &[Value]| {
        let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
        Value::String(lines.join("\n"))
    };
    if lines.iter().map(length_of).sum::<usize>() <= frame.cap {
        return Fitted { value: joined(&lines), extent: None };
    }
    let origin = Origin::of_list(frame.query, frame.cap);
    let mut extent = Extent {
        total: (origin.passed() + lines.len()) as u64,
        returned: 0,
        next: Some(origin.after(lines.len())),
        omitted: Vec::new(),
        note: format!("More than {} bytes; counted in lines. The same call with what `next` says goes on.", frame.cap),
    };
    // What the caller adds to the note.
    const ADDED: usize = 80;
    let room = frame.cap.saturating_sub(extent.length() + ADDED);
    let part = list::part(&lines, room, length_of, |index| origin.item(index));
    extent.returned = part.shown.len() as u64;
    extent.next = (part.passed < lines.len()).then(|| origin.after(part.passed));
    if !part.omitted.is_empty() {
        extent.say(OMITTED);
    }
    extent.omitted = part.omitted;
    let mut index = 0;
    lines.truncate(part.passed);
    lines.retain(|_| {
        index += 1;
        part.shown.binary_search(&(index - 1)).is_ok()
    });
    Fitted { value: joined(&lines), extent: Some(extent.explain_ends()) }
}

/// Makes one long string fit, which a query goes through by its characters.
pub fn fit_characters(text: &str, frame: &Frame<'_>) -> Fitted {
    let origin = Origin::of_list(frame.query, frame.cap);
    let characters = text.chars().count();
    let mut extent = Extent {
        total: (origin.passed() + characters) as u64,
        returned: 0,
        next: Some(origin.after(characters)),
        omitted: Vec::new(),
        note: format!(
            "A text of more than {} bytes; counted in characters. The same call with what `next` says goes on.",
            frame.cap
        ),
    };
    let room = frame.cap.saturating_sub(extent.length() + 2);
    let mut length = 0;
    let mut end = 0;
    let mut after_line = None;
    let mut encoded = [0; 4];
    for character in text.chars() {
        // Without the quotes around it.
        length += size::of(&&*character.encode_utf8(&mut encoded)).saturating_sub(2);
        if length > room {
            break;
        }
        end += 1;
        if character == '\n' {
            after_line = Some(end);
        }
    }
    // A line is left whole unless it takes more than half of what fits.
    let shown = after_line.filter(|place| *place > end / 2).unwrap_or(end).max(1);
    extent.returned = shown as u64;
    extent.next = (shown < characters).then(|| origin.after(shown));
    Fitted { value: Value::String(text.chars().take(shown).collect()), extent: Some(extent) }
}
