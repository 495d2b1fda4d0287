//! The examples, run against the embedded server: what they print, and what they leave behind.

use embedded_sonarr::{EmbeddedSonarr, Options};
use sonarr_client::Client;

/// The examples' own files; their `main` and the choice of a server are not called here.
macro_rules! examples {
    ($($name:ident $path:literal)*) => {$(
        #[path = $path]
        #[allow(dead_code, clippy::duplicate_mod, reason = "each is a program of its own, with a `main` and what it shares")]
        mod $name;
    )*};
}

examples! {
    airing "../../examples/airing.rs"
    add_series "../../examples/add_series.rs"
    follow_command "../../examples/follow_command.rs"
    quality_profile "../../examples/quality_profile.rs"
    log_file "../../examples/log_file.rs"
}

#[cfg(feature = "stream")]
examples! {
    history "../../examples/history.rs"
}

async fn start(options: Options) -> (EmbeddedSonarr, Client) {
    let sonarr = EmbeddedSonarr::start(options).await.unwrap();
    let client = Client::connect(&sonarr.url(), sonarr.api_key()).unwrap();
    (sonarr, client)
}

fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap()
}

/// The number before the words.
fn count(text: &str, words: &str) -> usize {
    let line = text.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words} in {text}"));
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn what_airs_is_listed_a_line_an_episode() {
    let (_sonarr, client) = start(Options::default()).await;
    let mut out = Vec::new();
    airing::airing(&client, &mut out).await.unwrap();
    let out = text(out);
    let episodes = count(&out, "episodes air within a week");
    assert!(episodes > 0 && out.lines().count() == episodes + 1, "{out}");
    for line in out.lines().take(episodes) {
        assert!(line.contains(" UTC  ") && line.contains(" S") && !line.contains('?'), "{line}");
    }
}

#[tokio::test]
async fn a_series_is_added() {
    let (sonarr, client) = start(Options::default()).await;
    let before = sonarr.ids("series").len();
    let mut out = Vec::new();
    add_series::add_series(&client, "letters", &mut out).await.unwrap();
    let out = text(out);
    assert!(out.starts_with("added ") && out.contains(" in /media/"), "{out}");
    assert_eq!(sonarr.ids("series").len(), before + 1);
    let error = add_series::add_series(&client, "no such series at all", &mut Vec::new()).await.unwrap_err();
    assert!(error.to_string().contains("not there yet"), "{error}");
}

#[tokio::test]
async fn a_command_is_followed() {
    let (_sonarr, client) = start(Options::default()).await;
    let mut out = Vec::new();
    follow_command::follow_command(&client, &mut out).await.unwrap();
    let out = text(out);
    assert!(out.starts_with("CheckHealth is queued\n") && out.contains("CheckHealth is completed\n"), "{out}");
    assert!(out.lines().count() > 3, "the checks find something: {out}");
}

#[cfg(feature = "stream")]
#[tokio::test]
async fn the_history_is_counted_to_its_end() {
    let (sonarr, client) = start(Options::default()).await;
    let mut out = Vec::new();
    history::history(&client, &mut out).await.unwrap();
    let out = text(out);
    assert_eq!(count(&out, "records in all"), sonarr.ids("history").len(), "{out}");
    assert!(count(&out, "grabbed") > 0, "{out}");
}

#[tokio::test]
async fn a_quality_profile_keeps_what_is_not_known_and_is_put_back() {
    for next_version in [false, true] {
        let (sonarr, client) = start(Options { next_version, ..Options::default() }).await;
        let id = sonarr.ids("qualityprofile")[0];
        let before = sonarr.object("qualityprofile", id);
        let mut out = Vec::new();
        quality_profile::quality_profile(&client, &mut out).await.unwrap();
        let out = text(out);
        assert!(out.contains("true -> false") || out.contains("false -> true"), "{out}");
        assert_eq!(out.contains(" 0 further members"), !next_version, "{out}");
        assert_eq!(sonarr.object("qualityprofile", id), before);
    }
}

#[tokio::test]
async fn a_log_file_is_written_as_it_comes() {
    let (_sonarr, client) = start(Options::default()).await;
    let (mut file, mut out) = (Vec::new(), Vec::new());
    log_file::log_file(&client, &mut file, &mut out).await.unwrap();
    let out = text(out);
    assert!(out.starts_with("sonarr") && out.ends_with(&format!(": {} bytes\n", file.len())), "{out}");
    assert!(!file.is_empty());
}
