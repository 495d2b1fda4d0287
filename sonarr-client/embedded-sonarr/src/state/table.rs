//! Rows with ids.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Row;

/// The rows of one resource by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    rows: BTreeMap<i64, Row>,
    last: i64,
}

impl Table {
    pub(crate) const fn new() -> Table {
        Table { rows: BTreeMap::new(), last: 0 }
    }

    /// Stores a row under the next id, which is written into it as its last member.
    pub(crate) fn insert(&mut self, mut row: Row) -> i64 {
        self.last += 1;
        row.shift_remove("id");
        row.insert("id".to_owned(), Value::from(self.last));
        self.rows.insert(self.last, row);
        self.last
    }

    /// Replaces or makes the row with that id.
    pub(crate) fn put(&mut self, id: i64, mut row: Row) {
        row.shift_remove("id");
        row.insert("id".to_owned(), Value::from(id));
        self.last = self.last.max(id);
        self.rows.insert(id, row);
    }

    pub(crate) fn get(&self, id: i64) -> Option<&Row> {
        self.rows.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: i64) -> Option<&mut Row> {
        self.rows.get_mut(&id)
    }

    pub(crate) fn remove(&mut self, id: i64) -> Option<Row> {
        self.rows.remove(&id)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Row) -> bool) {
        self.rows.retain(|_, row| keep(row));
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }

    pub(crate) fn contains(&self, id: i64) -> bool {
        self.rows.contains_key(&id)
    }

    pub(crate) fn ids(&self) -> Vec<i64> {
        self.rows.keys().copied().collect()
    }

    /// The rows in the order of their ids.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.values()
    }

    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        self.rows.values_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_never_used_twice() {
        let mut table = Table::new();
        assert_eq!(table.insert(Row::new()), 1);
        assert_eq!(table.insert(Row::new()), 2);
        table.remove(2);
        assert_eq!(table.insert(Row::new()), 3);
        table.put(9, Row::new());
        assert_eq!(table.insert(Row::new()), 10);
        assert_eq!(table.get(9).and_then(|row| row.get("id")).and_then(Value::as_i64), Some(9));
    }
}
