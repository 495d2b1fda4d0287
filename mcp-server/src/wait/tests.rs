use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::{follow, listening, take};
use crate::answer::{Answer, Content};
use crate::failure::{Code, Failure};
use crate::generated::GROUPS;
use crate::write::Reader;

/// Looks that are told one after the other; the last one again and again.
struct Looks(Mutex<VecDeque<Result<Value, Code>>>, Mutex<usize>);

impl Looks {
    fn new(looks: impl IntoIterator<Item = Result<Value, Code>>) -> Self {
        Looks(Mutex::new(looks.into_iter().collect()), Mutex::new(0))
    }

    fn made(&self) -> usize {
        *self.1.lock().unwrap()
    }
}

impl Reader for Looks {
    fn read<'a>(
        &'a self,
        operation: &'static str,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        assert_eq!((operation, &arguments["id"]), ("get_command", &json!(5)));
        *self.1.lock().unwrap() += 1;
        let mut looks = self.0.lock().unwrap();
        let look = if looks.len() > 1 { looks.pop_front().unwrap() } else { looks[0].clone() };
        async move { look.map_err(|code| Failure::new(code, "no way")) }.boxed()
    }
}

fn command(status: &str, result: &str, message: &str) -> Value {
    json!({"id": 5, "name": "RssSync", "status": status, "result": result, "message": message})
}

fn queued() -> Answer {
    Answer::new(Content::Json(command("queued", "unknown", "")))
}

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn a_command_is_followed_to_its_good_end_and_no_further() {
    let looks = Looks::new([
        Ok(command("queued", "unknown", "")),
        Err(Code::Unreachable),
        Ok(command("started", "unknown", "Starting")),
        Ok(command("completed", "successful", "RSS Sync Completed")),
        Ok(command("failed", "unsuccessful", "otherwise")),
    ]);
    let answer = follow(&looks, queued(), MINUTE).await.unwrap();
    assert_eq!(answer.content, Content::Json(command("completed", "successful", "RSS Sync Completed")));
    assert_eq!((answer.note, looks.made()), (None, 4));
}

#[tokio::test(start_paused = true)]
async fn what_has_ended_before_is_not_looked_at() {
    let looks = Looks::new([Ok(command("failed", "unsuccessful", "otherwise"))]);
    let done = Answer::new(Content::Json(command("completed", "successful", "")));
    assert_eq!(follow(&looks, done.clone(), MINUTE).await.unwrap(), done);
    assert_eq!(looks.made(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_bad_end_is_a_failure_with_its_reason() {
    for (status, how) in [
        ("completed", "ended without success: Nothing imported"),
        ("failed", "failed: Nothing imported"),
        ("aborted", "was aborted"),
        ("cancelled", "was cancelled"),
        ("orphaned", "was cut off"),
    ] {
        let looks = Looks::new([Ok(command(status, "unsuccessful", "Nothing imported"))]);
        let failure = follow(&looks, queued(), MINUTE).await.unwrap_err();
        assert_eq!(failure.code, Code::SonarrFailed);
        assert!(failure.message.contains(how) && failure.message.contains("RssSync (command 5)"), "{failure}");
        assert!(failure.text().contains("get_command"), "{failure}");
    }
    let mut failed = command("failed", "unsuccessful", "It broke");
    failed["exception"] = json!("System.Exception: It broke\n   at Some.Code()");
    let failure = follow(&Looks::new([Ok(failed)]), queued(), MINUTE).await.unwrap_err();
    assert!(failure.message.ends_with("failed: System.Exception: It broke"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn patience_ends_and_says_how_to_look_again() {
    let looks = Looks::new([Ok(command("started", "unknown", "Searching"))]);
    let begun = tokio::time::Instant::now();
    let answer = follow(&looks, queued(), MINUTE).await.unwrap();
    assert_eq!(begun.elapsed().as_secs(), 60);
    // The pauses grow.
    assert!((10..30).contains(&looks.made()), "{}", looks.made());
    let note = answer.note.unwrap();
    assert!(note.contains("still running after 60 s"), "{note}");
    assert!(note.contains(r#"{"operation":"get_command","arguments":{"id":5}}"#), "{note}");
}

#[tokio::test(start_paused = true)]
async fn a_command_out_of_sight_is_neither_good_nor_bad() {
    for code in [Code::Unreachable, Code::NotFound, Code::KeyRefused] {
        let looks = Looks::new([Ok(command("started", "unknown", "")), Err(code)]);
        let answer = follow(&looks, queued(), MINUTE).await.unwrap();
        let note = answer.note.unwrap();
        assert!(note.contains("was running when it was last seen") && note.contains("not known"), "{note}");
        assert_eq!(looks.made() == 2, code != Code::Unreachable);
    }
}

#[tokio::test(start_paused = true)]
async fn who_listens_is_told_how_it_goes() {
    let looks = Looks::new([Ok(command("started", "unknown", "Searching"))]);
    let (sender, receiver) = tokio::sync::watch::channel(super::Told::default());
    listening(sender, follow(&looks, queued(), Duration::from_secs(2))).await.unwrap();
    assert_eq!(receiver.borrow().message, "RssSync is running");
}

#[tokio::test]
async fn a_wait_is_a_number_of_seconds() {
    let operation = |name: &str| GROUPS.iter().flat_map(|group| group.operations).find(|it| it.name == name).unwrap();
    let run = operation("run_command");
    let wait = |value: Value| take(run, &mut Map::from_iter([("wait".to_owned(), value)]));
    assert_eq!(wait(json!(3)), Ok(Some(Duration::from_secs(3))));
    assert_eq!(wait(json!("3")), Ok(Some(Duration::from_secs(3))));
    assert_eq!(wait(json!(0)), Ok(None));
    assert_eq!(wait(Value::Null), Ok(None));
    for wrong in [json!(-1), json!(3601), json!("long"), json!(true), json!(1.5)] {
        assert_eq!(wait(wrong).unwrap_err().path, "arguments.wait");
    }
    let mut other = Map::from_iter([("wait".to_owned(), json!(3))]);
    assert_eq!(take(operation("create_tag"), &mut other), Ok(None));
    assert!(other.contains_key("wait"));
}
