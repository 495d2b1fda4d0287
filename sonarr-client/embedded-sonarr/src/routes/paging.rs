//! Pages: number, size, key and direction of sorting.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::Call;
use crate::http::{Failure, Reply};

/// The page that a request asks for.
#[derive(Clone, Debug)]
pub(super) struct Paging {
    pub page: usize,
    pub size: usize,
    pub key: String,
    /// As the answer names it.
    pub direction: &'static str,
    /// Whether the order is reversed.
    pub descending: bool,
}

/// Reads the paging parameters. An unknown key falls back to the first of `keys`; without a direction the order is
/// descending; `default` takes the endpoint's own.
pub(super) fn read(call: &Call<'_>, keys: &[&str], descending_by_default: bool) -> Result<Paging, Failure> {
    let query = call.query();
    let number = |name: &str, default: i64| query.int(name).map(|value| value.unwrap_or(default).max(1));
    let page = usize::try_from(number("page", 1)?).unwrap_or(1);
    let size = usize::try_from(number("pageSize", 10)?).unwrap_or(10);
    let asked = query.text("sortKey").unwrap_or_default();
    let known = keys.iter().find(|key| key.eq_ignore_ascii_case(asked)).or(keys.first()).copied().unwrap_or_default();
    let (direction, descending) = match query.enumeration("sortDirection", "SortDirection")?.as_deref() {
        Some("ascending") => ("ascending", false),
        Some("default") => {
            let own = if descending_by_default { "descending" } else { "ascending" };
            (own, descending_by_default)
        }
        _ => ("descending", true),
    };
    Ok(Paging { page, size, key: known.to_owned(), direction, descending })
}

impl Paging {
    /// Sorts by what `key_of` makes of an item and cuts the page out. Equal items keep the order of their ids.
    pub(super) fn cut<T>(&self, mut items: Vec<T>, key_of: impl Fn(&T) -> SortKey) -> (usize, Vec<T>) {
        items.sort_by(|left, right| {
            let order = key_of(left).cmp(&key_of(right));
            if self.descending { order.reverse() } else { order }
        });
        let total = items.len();
        let start = (self.page - 1).saturating_mul(self.size);
        (total, items.into_iter().skip(start).take(self.size).collect())
    }

    /// The answer with the records of the page.
    pub(super) fn reply(&self, total: usize, records: Vec<Value>) -> Reply {
        Reply::ok(json!({
            "page": self.page,
            "pageSize": self.size,
            "sortKey": self.key,
            "sortDirection": self.direction,
            "totalRecords": total,
            "records": records,
        }))
    }
}

/// What items are sorted by: a number or a text, then the id.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SortKey(pub f64, pub String, pub i64);

impl Eq for SortKey {}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then_with(|| self.1.cmp(&other.1)).then_with(|| self.2.cmp(&other.2))
    }
}

impl SortKey {
    pub(super) fn text(text: impl Into<String>, id: i64) -> SortKey {
        SortKey(0.0, text.into(), id)
    }

    pub(super) fn number(number: f64, id: i64) -> SortKey {
        SortKey(number, String::new(), id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(page: usize, descending: bool) -> Paging {
        Paging { page, size: 2, key: "a".into(), direction: "ascending", descending }
    }

    #[test]
    fn pages_are_cut_after_sorting() {
        let items = vec![3, 1, 2];
        let key = |item: &i64| SortKey::number(0.0, *item);
        assert_eq!(paging(1, false).cut(items.clone(), key), (3, vec![1, 2]));
        assert_eq!(paging(2, true).cut(items.clone(), key), (3, vec![1]));
        assert_eq!(paging(9, true).cut(items, key).1, Vec::<i64>::new());
    }
}
