//! The records of paged operations as a stream.

use std::collections::BTreeSet;

use embedded_sonarr::{EmbeddedSonarr, Fault, FaultKind, Options};
use futures::{StreamExt as _, TryStreamExt as _};
use sonarr_client::prelude::*;
use sonarr_client::{Error, ErrorKind, types};

async fn start() -> (EmbeddedSonarr, Client) {
    let sonarr = EmbeddedSonarr::start(Options::default()).await.unwrap();
    let client = Client::connect(&sonarr.url(), sonarr.api_key()).unwrap();
    sonarr.clear_requests();
    (sonarr, client)
}

async fn exclude(client: &Client, tvdb_ids: impl IntoIterator<Item = i32>) {
    for id in tvdb_ids {
        let body = types::ImportListExclusionResource {
            tvdb_id: Some(id),
            title: Some(format!("Excluded {id}")),
            ..Default::default()
        };
        client.create_import_list_exclusion().body(body).send().await.unwrap();
    }
}

/// The ids of a walk, which come once each.
macro_rules! walked {
    ($builder:expr) => {{
        let records: Vec<_> = $builder.stream().try_collect().await.unwrap();
        let ids: Vec<i32> = records.iter().map(|record| record.id.unwrap()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "a record came twice");
        ids
    }};
}

#[tokio::test]
async fn every_paged_operation_is_walked_to_its_end() {
    let (_sonarr, client) = start().await;
    exclude(&client, 1..=7).await;
    macro_rules! holds {
        ($($operation:ident)*) => {$(
            let whole = client.$operation().page_size(10_000).send().await.unwrap().into_inner();
            let expected: Vec<i32> = whole.records.unwrap().iter().map(|record| record.id.unwrap()).collect();
            assert_eq!(whole.total_records.unwrap() as usize, expected.len());
            assert!(!expected.is_empty(), stringify!($operation));
            for size in [1, 3, 10_000] {
                assert_eq!(walked!(client.$operation().page_size(size)), expected, stringify!($operation));
            }
            assert_eq!(walked!(client.$operation()), expected, stringify!($operation));
        )*};
    }
    holds!(list_history list_queue list_blocklist list_log_entries list_missing_episodes list_cutoff_unmet_episodes
        list_import_list_exclusions);
}

#[tokio::test]
async fn filters_hold_on_every_page_and_the_walk_begins_where_it_is_told() {
    let (_sonarr, client) = start().await;
    let of_one: Vec<types::HistoryResource> =
        client.list_history().series_ids(vec![1]).page_size(2).stream().try_collect().await.unwrap();
    assert!(of_one.len() > 2 && of_one.iter().all(|record| record.series_id == Some(1)), "{}", of_one.len());
    let all = walked!(client.list_history());
    assert_eq!(walked!(client.list_history().page(2).page_size(5)), all[5..]);
}

#[tokio::test]
async fn an_empty_list_has_no_records() {
    let (sonarr, client) = start().await;
    let none = client.list_history().series_ids(vec![987_654]).stream().next().await;
    assert!(none.is_none(), "{none:?}");
    assert_eq!(sonarr.requests().len(), 1);
}

#[tokio::test]
async fn an_error_is_the_last_item() {
    let (sonarr, client) = start().await;
    let client = Client::builder(client.base_url()).api_key(sonarr.api_key()).retries(0).build().unwrap();
    let mut records = client.list_history().page_size(4).stream();
    for _ in 0..4 {
        records.next().await.unwrap().unwrap();
    }
    sonarr.inject("500*1@/history".parse::<Fault>().unwrap());
    let error = records.next().await.unwrap().unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::ServerError, Some("list_history")));
    assert!(records.next().await.is_none());
    assert_eq!(sonarr.requests().len(), 2);

    let error = client.list_history().page_size(u64::MAX).stream().next().await.unwrap().unwrap_err();
    assert!(matches!(error, Error::InvalidRequest(_)), "{error}");
    assert_eq!(sonarr.requests().len(), 2);
}

#[tokio::test]
async fn a_page_is_asked_for_when_it_is_wanted() {
    let (sonarr, client) = start().await;
    let records = client.list_history().page_size(4).stream();
    assert_eq!(sonarr.requests().len(), 0);
    let first: Vec<_> = records.take(4).collect().await;
    assert!(first.iter().all(Result::is_ok));
    assert_eq!(sonarr.requests().len(), 1);
    sonarr.inject(Fault::new(FaultKind::ServerError));
    let records = client.list_history().stream();
    drop(records);
    assert_eq!(sonarr.requests().len(), 1);
}

#[tokio::test]
async fn records_added_between_pages_neither_repeat_nor_hide_others() {
    let (_sonarr, client) = start().await;
    exclude(&client, 1..=12).await;
    let before: BTreeSet<i32> = walked!(client.list_import_list_exclusions()).into_iter().collect();
    // Sorted descending by id, new records stand in front and move the others to the next page.
    let mut records = client.list_import_list_exclusions().sort_key("id").page_size(5).stream();
    let mut seen = Vec::new();
    while let Some(record) = records.next().await {
        seen.push(record.unwrap().id.unwrap());
        if seen.len() == 5 {
            exclude(&client, 100..=107).await;
        }
    }
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "{seen:?}");
    assert!(before.iter().all(|id| seen.contains(id)), "{seen:?}");
}

#[tokio::test]
async fn a_list_can_be_emptied_while_it_is_read() {
    for size in [1, 4, 100] {
        let (_sonarr, client) = start().await;
        exclude(&client, 1..=13).await;
        let mut records = client.list_import_list_exclusions().page_size(size).stream();
        while let Some(record) = records.next().await {
            let id = record.unwrap().id.unwrap();
            client.delete_import_list_exclusion().id(id).send().await.unwrap();
        }
        assert_eq!(walked!(client.list_import_list_exclusions()), Vec::<i32>::new(), "by {size}");
    }
}
