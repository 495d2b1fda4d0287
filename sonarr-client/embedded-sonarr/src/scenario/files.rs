//! Files and folders that do not agree with the library.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::state::{Entry, State, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new("file_gone", "Files are recorded that are no longer on the disk.", file_gone),
    Scenario::new("file_untracked", "Videos lie in a series' folder that no episode has.", file_untracked),
    Scenario::new(
        "folder_unmapped",
        "Folders with videos lie in a root folder and belong to no series.",
        folder_unmapped,
    ),
];

/// A standard series that is on air and has more than so many files.
fn on_air(entry: &Entry, files: usize) -> bool {
    text(&entry.row, "status") == "continuing"
        && text(&entry.row, "seriesType") == "standard"
        && entry.files.len() > files
        && next_code(entry).is_some()
}

/// Season and number of the first episode that has not aired, as a file's name tells them.
fn next_code(entry: &Entry) -> Option<String> {
    let regular = entry.episodes.iter().filter(|episode| episode.season > 0);
    let last = regular.clone().rfind(|episode| episode.file_id != 0)?.air;
    regular.filter(|episode| episode.file_id == 0 && episode.air > last).map(|episode| episode.code()).next()
}

/// Lays a video on the disk.
fn lay(state: &mut State, path: &str) {
    state.disk.files.insert(path.to_owned(), 1_400_000_000);
}

fn place(entry: &Entry) -> (String, String) {
    (text(&entry.row, "title").to_owned(), text(&entry.row, "path").to_owned())
}

fn file_gone(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(|entry| on_air(entry, 6)) else { return Vec::new() };
    let Some(entry) = ground.state.library.get_mut(id) else { return Vec::new() };
    let mut files = Vec::new();
    for file in entry.files.iter_mut().skip(1).take(2) {
        file.gone = true;
        files.push(file.id);
    }
    vec![json!({"seriesId": id, "title": text(&entry.row, "title"), "episodeFileIds": files})]
}

/// One that a scan would import and one that it would not; extras and a sample, which are as they should be.
fn file_untracked(ground: &mut Ground<'_>) -> Vec<Value> {
    let Some(id) = ground.series(|entry| on_air(entry, 0)) else { return Vec::new() };
    let Some(entry) = ground.state.library.get(id) else { return Vec::new() };
    let (title, path) = place(entry);
    let Some(next) = next_code(entry) else { return Vec::new() };
    let Some(there) = entry.episodes.iter().find(|it| it.season > 0 && it.file_id != 0).map(|it| it.code()) else {
        return Vec::new();
    };
    let new = format!("{path}/Season 01/{title} - {next} - Early Copy HDTV-720p.mkv");
    let copy = format!("{path}/Season 01/{title} - {there} - Copy HDTV-720p.mkv");
    for video in [&new, &copy] {
        lay(ground.state, video);
    }
    lay(ground.state, &format!("{path}/Extras/{title} - {next} - Making Of.mkv"));
    lay(ground.state, &format!("{path}/Season 01/{title} - {next} - sample.mkv"));
    vec![
        json!({"seriesId": id, "title": title, "paths": [new]}),
        json!({"seriesId": id, "title": title, "paths": [copy]}),
    ]
}

/// A series that is not in the library, and a second folder of one that is; an empty folder, which needs nobody.
fn folder_unmapped(ground: &mut Ground<'_>) -> Vec<Value> {
    let mut rows = Vec::new();
    let known = ground.state.known_series().next();
    if let Some(known) = known {
        let folder = crate::naming::series_folder(ground.state, &known);
        let path = format!("/media/tv/{folder}");
        ground.state.disk.add_folder(&path);
        for number in 1..=3 {
            let name = format!("{} - S01E{number:02} - Found Again WEBDL-1080p.mkv", text(&known, "title"));
            lay(ground.state, &format!("{path}/Season 01/{}", name.replace(':', "")));
        }
        rows.push(json!({"name": folder, "path": path}));
    }
    let second = ground.series(|entry| {
        on_air(entry, 0)
            && text(&entry.row, "rootFolderPath") == "/media/tv"
            && !text(&entry.row, "title").contains([':', '('])
    });
    if let Some(entry) = second.and_then(|id| ground.state.library.get(id)) {
        let (title, next) = (text(&entry.row, "title").to_owned(), next_code(entry).unwrap_or_default());
        let path = format!("/media/tv/{title}");
        ground.state.disk.add_folder(&path);
        lay(ground.state, &format!("{path}/{title} - {next} - Early Copy HDTV-720p.mkv"));
        rows.push(json!({"name": title, "path": path}));
    }
    ground.state.disk.add_folder("/media/tv/Nothing Yet");
    rows
}
