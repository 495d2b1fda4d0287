use std::sync::{Arc, Mutex};

use futures::TryStreamExt as _;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::*;

/// A page of bare ids.
struct Ids {
    size: Option<i32>,
    total: Option<i32>,
    ids: Vec<i32>,
}

impl Page for Ids {
    type Record = i32;

    fn extent(&self) -> (Option<i32>, Option<i32>) {
        (self.size, self.total)
    }

    fn into_records(self) -> Vec<i32> {
        self.ids
    }

    fn id(record: &i32) -> Option<i32> {
        Some(*record)
    }
}

type Change = dyn Fn(usize, &mut Vec<i32>) + Send + Sync;

/// A list that changes as `change` says before each page but the first; `change` gets the number of the request.
struct Changing {
    list: Mutex<Vec<i32>>,
    requests: Mutex<usize>,
    change: Box<Change>,
}

impl Changing {
    fn new(length: i32, change: impl Fn(usize, &mut Vec<i32>) + Send + Sync + 'static) -> Arc<Self> {
        let (list, requests) = (Mutex::new((1..=length).collect()), Mutex::new(0));
        Arc::new(Self { list, requests, change: Box::new(change) })
    }

    fn page(&self, page: i32, size: i32) -> Ids {
        let mut list = self.list.lock().unwrap();
        let mut requests = self.requests.lock().unwrap();
        *requests += 1;
        if *requests > 1 {
            (self.change)(*requests, &mut list);
        }
        let ids = list.iter().copied().skip(((page - 1) * size) as usize).take(size as usize).collect();
        Ids { size: Some(size), total: Some(list.len() as i32), ids }
    }

    async fn walked(self: &Arc<Self>, size: i32) -> (Vec<i32>, usize) {
        let list = Arc::clone(self);
        let records = walk(&Ok(None), &Ok(Some(size)), move |page, size| {
            let list = Arc::clone(&list);
            async move { Ok(ResponseValue::new(list.page(page, size), StatusCode::OK, HeaderMap::new())) }
        });
        let ids: Vec<i32> = records.try_collect().await.unwrap();
        let requests = *self.requests.lock().unwrap();
        let distinct: HashSet<i32> = ids.iter().copied().collect();
        assert_eq!(distinct.len(), ids.len(), "a record came twice: {ids:?}");
        (ids, requests)
    }
}

#[tokio::test]
async fn a_list_that_stands_still_is_read_with_the_fewest_requests() {
    for (length, size, expected) in [(0, 10, 1), (1, 10, 1), (10, 10, 1), (11, 10, 2), (30, 10, 3), (5, 1, 5)] {
        let (ids, requests) = Changing::new(length, |_, _| {}).walked(size).await;
        assert_eq!((ids, requests), ((1..=length).collect(), expected), "{length} by {size}");
    }
}

#[tokio::test]
async fn what_is_added_in_front_hides_nothing_that_was_there() {
    for size in [1, 3, 10] {
        // A burst once, then nothing.
        let (ids, _) = Changing::new(30, |request, list| {
            if request == 2 {
                list.splice(0..0, 100..107);
            }
        })
        .walked(size)
        .await;
        assert!((1..=30).all(|id| ids.contains(&id)), "by {size}: {ids:?}");
    }
}

#[tokio::test]
async fn what_is_added_at_the_end_comes_in_its_turn() {
    let (ids, _) =
        Changing::new(20, |request, list| list.extend((request < 4).then_some(request as i32 + 100))).walked(5).await;
    assert_eq!(ids, (1..=20).chain([102, 103]).collect::<Vec<i32>>()[..ids.len()]);
    assert!(ids.len() >= 22, "{ids:?}");
}

#[tokio::test]
async fn what_is_removed_hides_nothing_of_the_rest() {
    for size in [1, 2, 5, 10] {
        for gone in [1, 4, 5, 12] {
            let (ids, _) = Changing::new(40, move |request, list| {
                if request == 3 {
                    list.retain(|id| *id > gone);
                }
            })
            .walked(size)
            .await;
            assert!((gone + 1..=40).all(|id| ids.contains(&id)), "{gone} gone by {size}: {ids:?}");
        }
    }
}

#[tokio::test]
async fn a_list_that_grows_as_fast_as_it_is_read_has_an_end() {
    let grows = |request: usize, list: &mut Vec<i32>| list.insert(0, request as i32 + 1000);
    let (ids, requests) = Changing::new(10, grows).walked(1).await;
    assert_eq!(ids, [1], "every page shows what the one before it showed");
    assert_eq!(requests, (10 + 1) * MOST_PAGES);
    // At larger pages the walk is faster than the list.
    let (ids, _) = Changing::new(100, grows).walked(10).await;
    assert!((1..=100).all(|id| ids.contains(&id)), "{ids:?}");
}

#[tokio::test]
async fn a_server_that_does_not_count_is_read_to_its_first_short_page() {
    let fetch = |page: i32, _| async move {
        let ids = if page < 3 { vec![page * 2, page * 2 + 1] } else { vec![page * 2] };
        Ok(ResponseValue::new(Ids { size: None, total: None, ids }, StatusCode::OK, HeaderMap::new()))
    };
    let ids: Vec<i32> = walk(&Ok(None), &Ok(Some(2)), fetch).try_collect().await.unwrap();
    assert_eq!(ids, [2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn one_that_sends_the_same_page_for_ever_is_left() {
    for total in [Some(1000), None] {
        let fetch = move |_, _| async move {
            Ok(ResponseValue::new(Ids { size: Some(2), total, ids: vec![1, 2] }, StatusCode::OK, HeaderMap::new()))
        };
        let ids: Vec<i32> = walk(&Ok(None), &Ok(Some(2)), fetch).try_collect().await.unwrap();
        assert_eq!(ids, [1, 2]);
    }
}

#[tokio::test]
async fn shorter_pages_than_asked_for_are_counted_by_their_own_size() {
    let fetch = |page: i32, _| async move {
        let ids = (page * 10 - 9..=page * 10).collect();
        Ok(ResponseValue::new(Ids { size: Some(10), total: Some(30), ids }, StatusCode::OK, HeaderMap::new()))
    };
    let ids: Vec<i32> = walk(&Ok(None), &Ok(Some(1000)), fetch).try_collect().await.unwrap();
    assert_eq!(ids, (1..=30).collect::<Vec<i32>>());
}

#[tokio::test]
async fn a_number_that_is_none_is_the_only_item() {
    let refused = Err("`page`: too large".to_owned());
    let fetch = |_, _| async { Err::<ResponseValue<Ids>, _>(Error::InvalidRequest("not sent".to_owned())) };
    let items: Vec<Result<i32, Error>> = walk(&refused, &Ok(None), fetch).collect().await;
    let [Err(Error::InvalidRequest(reason))] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!(reason, "`page`: too large");
}
