//! All records of a paged operation, one after the other.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::stream::{BoxStream, Stream, StreamExt as _};

use crate::{Error, ResponseValue};

/// How many records are asked for at a time unless `page_size` says otherwise.
const PAGE_SIZE: i32 = 100;

/// How many times as many pages as the first answer calls for are asked for at most. A list that
/// grows as fast as it is read, as the log does, would have no end.
const MOST_PAGES: usize = 4;

/// A page of a list; the generated types of pages are some.
pub(crate) trait Page {
    /// What it holds.
    type Record;

    /// How many records each page has, and how many all of them have together.
    fn extent(&self) -> (Option<i32>, Option<i32>);

    /// What is on it.
    fn into_records(self) -> Vec<Self::Record>;

    /// What tells a record from the others.
    fn id(record: &Self::Record) -> Option<i32>;
}

/// The records of a paged operation, over all its pages, in the order of the list.
///
/// The `stream` of a paged operation makes it, such as
/// [`ListHistory::stream`](crate::history_blocklist::builder::ListHistory::stream). It is a
/// [`Stream`]; [`Records::next`] reads it without the traits of the crate `futures`. A page is
/// asked for when its first record is wanted, so whoever stops reading, or drops it, stops asking.
///
/// An error ends it: the records before it are good, and nothing comes after it.
///
/// # When the list changes meanwhile
///
/// A record comes once, however often it moves to another page: ids are remembered. What is added
/// in front of the place that is read moves the rest back, and what is added behind it comes in its
/// turn. When records are gone, the pages that the rest has moved to are read again; so a list can
/// be emptied while it is read. Missed are:
///
/// - what is added in front of the place that is read, which is where new records of a list sorted
///   by descending date stand;
/// - records that move forward while as many are added as are removed between two pages, since
///   then the length of the list shows nothing;
/// - the end of a list that grows so fast that it takes more than four times the pages that it
///   had at first.
#[must_use = "nothing is asked for until it is read"]
pub struct Records<'a, T>(BoxStream<'a, Result<T, Error>>);

impl<T> Records<'_, T> {
    /// The next record; nothing when there are no more.
    ///
    /// # Errors
    /// That of the call that asked for the page. It is the last item.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        self.0.next().await
    }
}

impl<T> Stream for Records<'_, T> {
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl<T> fmt::Debug for Records<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}

/// Walks from the page `first` to the last one; `fetch` gets the number of a page and its size.
///
/// Both come as a builder has them: unset, or refused, which the first call then says.
pub(crate) fn walk<'a, P, F>(
    first: &Result<Option<i32>, String>,
    size: &Result<Option<i32>, String>,
    fetch: impl Fn(i32, i32) -> F + Send + 'a,
) -> Records<'a, P::Record>
where
    P: Page + Send + 'a,
    P::Record: Send,
    F: Future<Output = Result<ResponseValue<P>, Error>> + Send + 'a,
{
    let set = |value: &Result<Option<i32>, String>, default: i32| match value {
        Ok(value) => Ok(value.unwrap_or(default).max(1)),
        Err(reason) => Err(Error::InvalidRequest(reason.clone())),
    };
    let (first, size) = match set(first, 1).and_then(|first| Ok((first, set(size, PAGE_SIZE)?))) {
        Ok(numbers) => numbers,
        Err(error) => return Records(futures::stream::iter([Err(error)]).boxed()),
    };
    let start = (Place::start(first, size), VecDeque::new(), HashSet::new(), fetch);
    let records = futures::stream::unfold(start, |(mut place, mut waiting, mut seen, fetch)| async move {
        loop {
            if let Some(record) = waiting.pop_front() {
                return Some((Ok(record), (place, waiting, seen, fetch)));
            }
            let page = match fetch(place.next?, place.size).await {
                Ok(page) => page.into_inner(),
                Err(error) => {
                    place.next = None;
                    return Some((Err(error), (place, waiting, seen, fetch)));
                }
            };
            let (size, total) = page.extent();
            let records = page.into_records();
            place.saw(records.len(), size, total);
            let new = |record: &P::Record| P::id(record).is_none_or(|id| seen.insert(id));
            waiting.extend(records.into_iter().filter(new));
        }
    });
    Records(records.boxed())
}

/// Where in a list the walk is.
#[derive(Debug)]
struct Place {
    first: i32,
    size: i32,
    /// The page to ask for; none when the walk has ended.
    next: Option<i32>,
    /// How long the list was when it was last seen.
    total: Option<i32>,
    /// How many more pages may be asked for; not known before the first.
    left: Option<usize>,
}

impl Place {
    fn start(first: i32, size: i32) -> Self {
        Self { first, size, next: Some(first), total: None, left: None }
    }

    /// Takes in the page that was asked for, and decides which is the next.
    fn saw(&mut self, records: usize, size: Option<i32>, total: Option<i32>) {
        let Some(page) = self.next.take() else { return };
        // A server that cuts pages shorter than it was asked to counts them by its own size.
        if let Some(size) = size.filter(|size| *size > 0) {
            self.size = size;
        }
        let pages = |records: i32| records.max(0).unsigned_abs().div_ceil(self.size.unsigned_abs()) as usize;
        let left = self.left.unwrap_or_else(|| (pages(total.unwrap_or_default()) + 1).saturating_mul(MOST_PAGES));
        self.left = Some(left.saturating_sub(1));
        let gone = match (self.total, total) {
            (Some(before), Some(now)) => before.saturating_sub(now).max(0),
            _ => 0,
        };
        self.total = total.or(self.total);
        if self.left == Some(0) || total == Some(0) {
            return;
        }
        if gone > 0 {
            // The rest has moved forward by as many places: read on where it may be by now.
            let back = i32::try_from(pages(gone)).unwrap_or(i32::MAX);
            self.next = Some(page.saturating_sub(back).max(self.first));
            return;
        }
        let more = match total {
            Some(total) => page.saturating_mul(self.size) < total && records > 0,
            None => records as u64 >= u64::from(self.size.unsigned_abs()),
        };
        self.next = more.then(|| page.saturating_add(1));
    }
}

#[cfg(test)]
mod tests;
