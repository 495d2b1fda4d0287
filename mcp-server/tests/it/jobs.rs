//! The jobs whose tokens are counted, on a small library: each call of each way works.

#[path = "../../examples/jobs/jobs.rs"]
mod scripts;
#[path = "../../examples/jobs/session.rs"]
mod session;

use scripts::{JOBS, by_calls, by_requests};
use session::{Exchange, Session};

/// Enough for ten series of the profile that series change from.
const SERIES: usize = 60;

fn answered(exchanges: &[Exchange]) -> usize {
    exchanges.iter().map(|one| one.answered.len()).sum()
}

#[tokio::test]
async fn every_job_is_done_in_every_way() {
    let mut plain = Session::start(SERIES, false).await.unwrap();
    let mut whole = Session::start(SERIES, false).await.unwrap();
    let mut selected = Session::start(SERIES, true).await.unwrap();
    for (number, job) in JOBS.iter().enumerate() {
        let ways = [by_requests(&mut plain, number).await, by_calls(&mut whole, number).await];
        assert_eq!(ways, [Ok(()), Ok(())], "{job}");
        assert_eq!(by_calls(&mut selected, number).await, Ok(()), "{job}");
        let (plain, whole, selected) = (plain.take(), whole.take(), selected.take());
        assert!(!plain.is_empty() && !whole.is_empty(), "{job}");
        // A query saves, and finds something: all but whether a title is there, which is then added.
        assert!(!selected.is_empty() && selected.len() <= whole.len(), "{job}");
        assert!(answered(&selected) <= answered(&whole), "{job}");
        let empty = selected.iter().any(|one| ["null", "[]", "{}"].contains(&one.answered.as_str()));
        assert_eq!(empty, number == 2, "{job} {selected:?}");
        let unread = |one: &Exchange| one.answered.contains("`query` was not applied");
        assert!(!selected.iter().any(unread), "{job} {selected:?}");
    }
}

#[tokio::test]
async fn the_same_jobs_cost_the_same_every_time() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let mut session = Session::start(12, true).await.unwrap();
        for job in 0..JOBS.len() {
            by_calls(&mut session, job).await.unwrap();
        }
        let exchanges: Vec<_> = session.take().into_iter().map(|one| (one.sent, one.answered)).collect();
        runs.push(exchanges);
    }
    assert_eq!(runs[0], runs[1]);
}
