use std::collections::BTreeSet;

use chrono::{Duration, Utc};
use embedded_sonarr::{Clock, EmbeddedSonarr, Options};
use sonarr_client::prelude::*;
use sonarr_client::{Client, types};

use super::windows::windows;
use super::{Library, episodes::seconds};

async fn served(series: usize) -> (EmbeddedSonarr, Client) {
    let sonarr = EmbeddedSonarr::start(Options { series, clock: Clock::fixed(), ..Options::default() }).await.unwrap();
    let client = Client::builder(sonarr.url()).api_key(sonarr.api_key()).build().unwrap();
    (sonarr, client)
}

/// The windows hold every episode with its file exactly once, in far fewer requests than there are series.
#[tokio::test]
async fn episodes_read_in_windows_are_those_read_series_by_series() {
    let (_sonarr, client) = served(60).await;
    let library = Library::new(&client);
    let episodes = library.episodes().await.unwrap();
    let mut expected = BTreeSet::new();
    for series in library.series().await.unwrap() {
        let request = client.list_episodes().series_id(series.id.unwrap()).include_episode_file(true);
        for row in request.send().await.unwrap().into_inner() {
            let file = row.episode_file.as_ref().and_then(|file| file.path.clone());
            if row.air_date_utc.is_some() || file.is_some() {
                expected.insert((row.id.unwrap(), file));
            }
        }
    }
    let found: Vec<_> = episodes
        .all()
        .iter()
        .map(|episode| (episode.id, episodes.file_of(episode).map(|file| file.path.to_string())))
        .collect();
    assert_eq!(found.len(), expected.len());
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    assert!(library.requests() < 8, "{}", library.requests());
    assert_eq!(library.unseen(), Vec::<String>::new());
}

/// What one audit asked for the next one has, a failure as well.
#[tokio::test]
async fn each_thing_is_asked_for_once() {
    let (sonarr, client) = served(3).await;
    let library = Library::new(&client);
    let (one, other) = tokio::join!(library.series(), library.series());
    assert_eq!(one.unwrap().len(), other.unwrap().len());
    library.queue().await.unwrap();
    library.history().await.unwrap();
    assert_eq!(library.requests(), 3);
    sonarr.inject("500*9@/tag".parse().unwrap());
    let before = sonarr.requests().len();
    let failure = library.tags().await.unwrap_err();
    let tried = sonarr.requests().len() - before;
    assert_eq!(library.tags().await.unwrap_err(), failure);
    assert_eq!(sonarr.requests().len() - before, tried);
}

#[test]
fn windows_follow_each_other_and_share_the_episodes_out() {
    let now = Utc::now();
    let one = |first: i64, last: i64, count: i32| types::SeriesResource {
        first_aired: Some(now - Duration::days(first)),
        last_aired: Some(now - Duration::days(last)),
        statistics: Some(types::SeriesStatisticsResource { total_episode_count: Some(count), ..Default::default() }),
        ..Default::default()
    };
    assert_eq!(windows(&[], now, 100).len(), 1);
    let library: Vec<_> = (0..50).map(|n| one(4_000 - n, 100 + n, 40)).collect();
    let windows = windows(&library, now, 100);
    assert!((20..=24).contains(&windows.len()), "{}", windows.len());
    for pair in windows.windows(2) {
        assert_eq!(pair[0].end, pair[1].start);
        assert!(pair[0].start < pair[0].end);
    }
    assert!(windows.first().unwrap().start < now - Duration::days(30_000));
    assert!(windows.last().unwrap().end > now + Duration::days(3_000));
}

#[test]
fn a_running_time_is_seconds() {
    for (text, expected) in [
        ("57:31", Some(3_451)),
        ("1:20:56", Some(4_856)),
        ("60:05", Some(3_605)),
        ("0:00", None),
        ("", None),
        ("soon", None),
    ] {
        assert_eq!(seconds(text), expected, "{text}");
    }
}
