//! Functions of numbers. Whole numbers stay whole.

use serde_json::Number;

use super::Call;
use crate::answer::query::QueryError;
use crate::answer::query::item::{Item, whole};

impl<'a> Call<'_, '_, 'a> {
    pub(super) fn float(&self, value: f64) -> Item<'a> {
        Number::from_f64(value).map_or(Item::Null, Item::Number)
    }

    pub(super) fn whole(&self, value: i128) -> Item<'a> {
        let number = i64::try_from(value).map(Number::from).or_else(|_| u64::try_from(value).map(Number::from));
        match number {
            Ok(number) => Item::Number(number),
            // Only a sum gets beyond 64 bits; then it is no count of anything any more.
            Err(_) => self.float(value as f64),
        }
    }

    pub(super) fn rounded(
        &mut self,
        of_float: impl Fn(f64) -> f64,
        of_whole: impl Fn(i128) -> i128,
    ) -> Result<Item<'a>, QueryError> {
        let item = self.only()?;
        let Some(number) = item.number() else {
            return Err(self.wrong(1, "a number", &item));
        };
        if let Some(number) = whole(number) {
            return Ok(self.whole(of_whole(number)));
        }
        let rounded = of_float(number.as_f64().unwrap_or_default());
        // A double of this size is a whole number exactly.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        Ok(if rounded.fract() == 0.0 && rounded.abs() <= EXACT {
            self.whole(rounded as i128)
        } else {
            self.float(rounded)
        })
    }

    pub(super) fn numbers(&mut self) -> Result<Vec<Number>, QueryError> {
        let items = self.only_list()?;
        self.evaluation.budget.step(items.len())?;
        self.evaluation.budget.keep(items.len() * size_of::<Number>())?;
        items
            .iter()
            .map(|item| item.number().cloned().ok_or_else(|| self.wrong(1, "a list of numbers", &item)))
            .collect()
    }

    pub(super) fn average(&mut self) -> Result<Item<'a>, QueryError> {
        let numbers = self.numbers()?;
        if numbers.is_empty() {
            return Ok(Item::Null);
        }
        let sum: f64 = numbers.iter().filter_map(Number::as_f64).sum();
        Ok(self.float(sum / numbers.len() as f64))
    }

    pub(super) fn sum(&mut self) -> Result<Item<'a>, QueryError> {
        let numbers = self.numbers()?;
        match numbers.iter().map(whole).sum::<Option<i128>>() {
            Some(sum) => Ok(self.whole(sum)),
            None => Ok(self.float(numbers.iter().filter_map(Number::as_f64).sum())),
        }
    }

    pub(super) fn number_of(&mut self) -> Result<Item<'a>, QueryError> {
        let item = self.only()?;
        if item.number().is_some() {
            return Ok(item);
        }
        let number = item.text().and_then(|text| text.parse::<Number>().ok());
        Ok(number.map_or(Item::Null, Item::Number))
    }
}
