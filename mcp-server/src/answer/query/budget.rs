//! How much a query may cost.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::QueryError;
use super::item::weigh;

/// How many steps a query may take; one is the visit of one part of the expression for one value,
/// or of one value of a list. Tens of thousands of records with a dozen columns need a tenth.
const STEPS: u64 = 20_000_000;

/// How long a query may take.
const TIME: Duration = Duration::from_secs(2);

/// How often the clock is looked at, in steps.
const TICK: u64 = 4096;

/// What any result may weigh, in bytes; beyond it may weigh as much as what it is made from.
const WEIGHT: usize = 8 * 1024 * 1024;

/// How many times as much the lists and objects on the way to the result may weigh.
const WORKING: usize = 8;

/// What is left of the bounds.
#[derive(Debug)]
pub struct Budget<'v> {
    steps: u64,
    next_look: u64,
    started: Instant,
    working: usize,
    result: usize,
    /// What the query is made on, until it had to be weighed.
    data: Option<&'v Value>,
}

impl<'v> Budget<'v> {
    /// The bounds for a query on `data`.
    pub fn new(data: &'v Value) -> Self {
        Budget {
            steps: 0,
            next_look: TICK,
            started: Instant::now(),
            working: WEIGHT * WORKING,
            result: WEIGHT,
            data: Some(data),
        }
    }

    /// Counts steps.
    pub fn step(&mut self, count: usize) -> Result<(), QueryError> {
        self.steps = self.steps.saturating_add(count as u64);
        if self.steps < self.next_look {
            return Ok(());
        }
        self.next_look = self.steps + TICK;
        if self.steps > STEPS || self.started.elapsed() > TIME {
            return Err(QueryError::new(
                "the query takes too long on this answer and was stopped; filter before it projects or sorts, and \
                 compare each list once",
            ));
        }
        Ok(())
    }

    /// Counts what is kept on the way to the result, in bytes.
    pub fn keep(&mut self, bytes: usize) -> Result<(), QueryError> {
        if self.working < bytes {
            self.weigh_data();
        }
        take(&mut self.working, bytes)
    }

    /// Counts what becomes part of the result, in bytes.
    pub fn give(&mut self, bytes: usize) -> Result<(), QueryError> {
        if self.result < bytes {
            self.weigh_data();
        }
        take(&mut self.result, bytes)
    }

    /// Raises the bounds, once, to what the data itself weighs. Most queries end before.
    fn weigh_data(&mut self) {
        let more = self.data.take().map_or(0, weigh);
        self.result = self.result.saturating_add(more);
        self.working = self.working.saturating_add(more.saturating_mul(WORKING));
    }
}

fn take(left: &mut usize, bytes: usize) -> Result<(), QueryError> {
    match left.checked_sub(bytes) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => Err(QueryError::new(
            "the result grows far beyond the answer it is made from and was stopped; select each member once",
        )),
    }
}
