//! An object: without its largest members, or else without its last ones.

use serde_json::{Map, Value};

use super::hint::Origin;
use super::{Extent, Fitted, Frame, MOST_OMITTED, OMITTED, Omitted, size};

/// A member is large that takes this part of the cap.
const LARGE: usize = 16;

/// Makes an object fit.
pub fn fit(members: Map<String, Value>, frame: &Frame<'_>) -> Fitted {
    let lengths: Vec<usize> = members.iter().map(|(name, value)| size::of(name) + size::of(value) + 2).collect();
    let total: usize = lengths.iter().sum::<usize>() + 1;
    match without_largest(&members, &lengths, total, frame) {
        Some(fitted) => fitted,
        None => first_members(members, &lengths, frame),
    }
}

/// Leaves out the largest members, if that is enough and they are few.
fn without_largest(members: &Map<String, Value>, lengths: &[usize], total: usize, frame: &Frame<'_>) -> Option<Fitted> {
    let origin = Origin::of_members(frame.query, frame.cap);
    let mut large: Vec<(usize, usize)> =
        lengths.iter().copied().enumerate().filter(|(_, length)| *length > frame.cap / LARGE).collect();
    large.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
    let mut left_out = Vec::new();
    let mut extent = extent(origin.passed() + members.len(), OMITTED.to_owned());
    let mut length = total;
    for (index, member_length) in large.into_iter().take(MOST_OMITTED) {
        let (name, value) = members.iter().nth(index)?;
        extent.omitted.push(Omitted::new(name.as_str().into(), value, size::of(value), origin.member(name)));
        left_out.push(index);
        length -= member_length;
        if extent.length() + length > frame.cap {
            continue;
        }
        let kept = members.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
        let shown: Map<String, Value> = kept.map(|(_, (name, value))| (name.clone(), value.clone())).collect();
        extent.returned = shown.len() as u64;
        return Some(Fitted { value: Value::Object(shown), extent: Some(extent) });
    }
    None
}

/// Shows as many members as fit, in order.
fn first_members(members: Map<String, Value>, lengths: &[usize], frame: &Frame<'_>) -> Fitted {
    let origin = Origin::of_members(frame.query, frame.cap);
    let note = format!("More than {} bytes; the same call with what `next` says goes on. {OMITTED}", frame.cap);
    let mut extent = extent(origin.passed() + members.len(), note);
    extent.next = Some(origin.after(members.len()));
    let room = frame.cap.saturating_sub(extent.length());
    let mut left = room;
    let mut passed = 0;
    let mut shown = Map::new();
    for ((name, value), length) in members.iter().zip(lengths) {
        if *length > room.saturating_sub(room / 4) {
            let omitted = Omitted::new(name.as_str().into(), value, size::of(value), origin.member(name));
            let length = size::of(&omitted.to_value()) + 1;
            if extent.omitted.len() == MOST_OMITTED || length > left && passed > 0 {
                break;
            }
            left = left.saturating_sub(length);
            extent.omitted.push(omitted);
        } else {
            let Some(rest) = left.checked_sub(*length) else {
                break;
            };
            left = rest;
            shown.insert(name.clone(), value.clone());
        }
        passed += 1;
    }
    extent.returned = shown.len() as u64;
    extent.next = (passed < members.len()).then(|| origin.after(passed));
    Fitted { value: Value::Object(shown), extent: Some(extent) }
}

fn extent(total: usize, note: String) -> Extent {
    Extent { total: total as u64, returned: 0, next: None, omitted: Vec::new(), note }
}
