//! A page of Sonarr's: the members around the records stay, and Sonarr's own paging goes on.

use serde_json::{Map, Value};

use super::hint::{Next, Origin};
use super::list::{self, Summary};
use super::{Extent, Fitted, Frame, OMITTED, size};

/// With so many columns a page is shown that has to be cut.
const COLUMNS_OF_A_PART: usize = 3;

/// A page, taken apart.
pub struct Page {
    members: Map<String, Value>,
    records: Vec<Value>,
    /// From 1.
    number: u64,
    size: u64,
    total: u64,
}

impl Page {
    /// Takes a page apart; anything else, and what a query made, is given back.
    pub fn of(mut members: Map<String, Value>, frame: &Frame<'_>) -> Result<Self, Map<String, Value>> {
        let number = |name: &str| members.get(name).and_then(Value::as_u64).filter(|number| *number > 0);
        let (Some(page), Some(page_size), Some(total), None) =
            (number("page"), number("pageSize"), number("totalRecords"), frame.query)
        else {
            return Err(members);
        };
        let records = match members.get_mut("records") {
            Some(Value::Array(records)) => std::mem::take(records),
            _ => return Err(members),
        };
        // Everything around the records is small, or this is no page.
        if size::of(&members) > frame.cap / 8 {
            members.insert("records".to_owned(), Value::Array(records));
            return Err(members);
        }
        Ok(Page { members, records, number: page, size: page_size, total })
    }

    /// Makes the page fit.
    pub fn fit(self, frame: &Frame<'_>) -> Fitted {
        let summary = Summary::of(&self.records, frame, "records[");
        let mut extent = self.extent(summary.as_ref(), frame);
        let room = frame.cap.saturating_sub(extent.length() + size::of(&self.members));
        let records = &self.records;
        if let Some(columns) = summary.as_ref().and_then(|summary| summary.all_rows_within(records, room)) {
            extent.returned = records.len() as u64;
            extent.next = self.following();
            let shown = records.iter().map(|record| columns.of(record)).collect();
            return self.with(shown, extent);
        }
        let columns = summary.as_ref().map(|summary| summary.first(COLUMNS_OF_A_PART));
        let length_of = |record: &Value| match &columns {
            Some(columns) => columns.length_of(record),
            None => size::of(record),
        };
        let origin = Origin::of_list(None, frame.cap).then("records");
        let part = list::part(records, room, length_of, |index| origin.item(index));
        let start = self.number.saturating_sub(1).saturating_mul(self.size);
        let (passed, page_size) = turn(start, part.passed as u64);
        let end = start + passed;
        extent.next = if passed == records.len() as u64 {
            self.following()
        } else {
            (end < self.total).then_some(Next::Page { page: end / page_size + 1, page_size })
        };
        let before = |index: &usize| (*index as u64) < passed;
        extent.omitted = part.omitted;
        extent.omitted.retain(|omitted| omitted.what.as_u64().is_some_and(|index| index < passed));
        if !extent.omitted.is_empty() {
            extent.say(OMITTED);
        }
        let shown: Vec<Value> = part
            .shown
            .iter()
            .filter(|index| before(index))
            .filter_map(|index| records.get(*index))
            .map(|record| columns.as_ref().map_or_else(|| record.clone(), |columns| columns.of(record)))
            .collect();
        extent.returned = shown.len() as u64;
        self.with(shown, extent)
    }

    /// The longest that can be said about this page.
    fn extent(&self, summary: Option<&Summary<'_>>, frame: &Frame<'_>) -> Extent {
        let next = Some(Next::Page { page: self.total, page_size: self.total.max(self.size) });
        match summary {
            Some(summary) => {
                let extent = summary.extent(self.records.len(), next);
                Extent { total: self.total, ..extent }
            }
            None => Extent {
                total: self.total,
                returned: 0,
                next,
                omitted: Vec::new(),
                note: format!("More than {} bytes; the same call with what `next` says goes on.", frame.cap),
            },
        }
    }

    /// The page after this one, if there is one.
    fn following(&self) -> Option<Next> {
        let next = Next::Page { page: self.number + 1, page_size: self.size };
        (self.number.saturating_mul(self.size) < self.total).then_some(next)
    }

    fn with(mut self, shown: Vec<Value>, extent: Extent) -> Fitted {
        self.members.insert("records".to_owned(), Value::Array(shown));
        Fitted { value: Value::Object(self.members), extent: Some(extent) }
    }
}

/// How many of the records to show, and the size of the pages from there on.
///
/// Sonarr's pages begin at multiples of their size, so what is shown has to end at one; the most
/// is shown for which there is a size that is neither larger than what fits nor half as large.
fn turn(start: u64, fits: u64) -> (u64, u64) {
    let mut best = (0, 1);
    for page_size in (fits / 2 + 1..=fits.max(1)).rev() {
        let end = (start + fits) / page_size * page_size;
        let passed = end.saturating_sub(start);
        if passed > best.0 {
            best = (passed, page_size);
        }
        if best.0 == fits {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn a_turn_ends_where_a_page_begins() {
        for start in 0..60 {
            for fits in 1..60 {
                let (passed, size) = turn(start, fits);
                assert!(passed >= 1 && passed <= fits, "{start} {fits}");
                assert_eq!((start + passed) % size, 0, "{start} {fits}");
                assert!(size <= fits && size * 2 > fits.saturating_sub(1), "{start} {fits}");
            }
        }
        assert_eq!(turn(0, 300), (300, 300));
    }
}
