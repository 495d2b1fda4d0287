//! Files that are not what they are recorded as.

use serde_json::{Value, json};

use super::{Ground, Scenario};
use crate::quality;
use crate::state::{Entry, Row, text};

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario::new(
        "quality_contradicts_streams",
        "Files are recorded as 1080p whose video is 720 lines high.",
        quality_contradicts_streams,
    ),
    Scenario::new("running_time_off", "A file runs for a fifth of its episode.", running_time_off),
    Scenario::new(
        "language_unwanted",
        "One file of a series is in another language than all others.",
        language_unwanted,
    ),
];

/// Enough files to tell what is usual.
const ENOUGH: usize = 8;

/// Changes what is recorded of some files of a series: `change` is given the media info. Returns the series' id and
/// title, and the ids of the files.
fn change_files(
    ground: &mut Ground<'_>,
    files: std::ops::Range<usize>,
    fits: impl Fn(&Entry) -> bool,
    change: impl Fn(&mut Row, &mut Row),
) -> Option<(i64, String, Vec<i64>)> {
    let series = ground.series(|entry| entry.files.len() > ENOUGH && fits(entry))?;
    let entry = ground.state.library.get(series)?;
    let title = text(&entry.row, "title").to_owned();
    let chosen = entry.files.iter().filter(|file| file.season > 0 && entry.episodes_of_file(file.id).count() == 1);
    let chosen: Vec<i64> = chosen.skip(files.start).take(files.len()).map(|file| file.id).collect();
    for id in &chosen {
        let (entry, file) = ground.state.library.file(*id)?;
        let mut written = ground.state.file_json(entry, file);
        let mut info = written.get_mut("mediaInfo")?.as_object_mut()?.clone();
        let mut members = Row::new();
        change(&mut members, &mut info);
        members.insert("mediaInfo".into(), info.into());
        ground.state.library.file_mut(*id)?.changed.get_or_insert_default().extend(members);
    }
    Some((series, title, chosen))
}

fn quality_contradicts_streams(ground: &mut Ground<'_>) -> Vec<Value> {
    let full_hd = |entry: &Entry| {
        let is_full = |quality: i64| quality::by_id(quality).is_some_and(|quality| quality.resolution == 1080);
        entry.files.iter().all(|file| is_full(file.quality))
    };
    let planted = change_files(ground, 1..3, full_hd, |_, info| {
        info.insert("resolution".into(), "1280x716".into());
    });
    // Black bars that were cut off change nothing.
    let _ = change_files(ground, 3..4, full_hd, |_, info| {
        info.insert("resolution".into(), "1920x800".into());
    });
    planted
        .map(|(id, title, files)| json!({"seriesId": id, "title": title, "episodeFileIds": files}))
        .into_iter()
        .collect()
}

fn running_time_off(ground: &mut Ground<'_>) -> Vec<Value> {
    let planted = change_files(
        ground,
        2..3,
        |_| true,
        |_, info| {
            info.insert("runTime".into(), "4:12".into());
        },
    );
    one_file(planted)
}

fn language_unwanted(ground: &mut Ground<'_>) -> Vec<Value> {
    let planted = change_files(
        ground,
        2..3,
        |_| true,
        |members, info| {
            members.insert("languages".into(), json!([{"id": 4, "name": "German"}]));
            info.insert("audioLanguages".into(), "ger".into());
        },
    );
    one_file(planted)
}

fn one_file(planted: Option<(i64, String, Vec<i64>)>) -> Vec<Value> {
    let row = planted
        .and_then(|(id, title, files)| Some(json!({"seriesId": id, "title": title, "episodeFileId": files.first()?})));
    row.into_iter().collect()
}
