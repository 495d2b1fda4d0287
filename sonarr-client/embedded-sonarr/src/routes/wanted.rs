//! What is wanted: missing episodes, and files below the cutoff.

use serde_json::Value;

use super::Call;
use super::paging::{self, SortKey};
use crate::http::{Failure, Reply};
use crate::state::episode::{Episode, With};
use crate::state::{Entry, text};

const KEYS: [&str; 3] = ["episodes.airDateUtc", "episodes.lastSearchTime", "series.sortTitle"];

pub(super) fn missing(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let monitored = call.query().flag("monitored", true)?;
    let state = &*call.state;
    let items: Vec<(&Entry, &Episode)> = state.library.missing(state.now, monitored).collect();
    answer(call, items, false)
}

pub(super) fn cutoff(call: &mut Call<'_>) -> Result<Reply, Failure> {
    let monitored = call.query().flag("monitored", true)?;
    let file = call.query().flag("includeEpisodeFile", false)?;
    let state = &*call.state;
    let items: Vec<(&Entry, &Episode)> =
        state.below_cutoff(monitored).into_iter().filter_map(|(_, episode)| state.library.episode(episode)).collect();
    answer(call, items, file)
}

fn answer(call: &Call<'_>, items: Vec<(&Entry, &Episode)>, file: bool) -> Result<Reply, Failure> {
    let with = With {
        series: call.query().flag("includeSeries", false)?,
        file,
        images: call.query().flag("includeImages", false)?,
    };
    let paging = paging::read(call, &KEYS, false)?;
    let key = paging.key.clone();
    let (total, items) = paging.cut(items, |(entry, episode)| match key.as_str() {
        "series.sortTitle" => SortKey::text(text(&entry.row, "sortTitle"), episode.id),
        "episodes.lastSearchTime" => {
            SortKey::number(episode.last_search.map_or(0.0, |time| time.timestamp() as f64), episode.id)
        }
        _ => SortKey::number(episode.air.map_or(0.0, |air| air.timestamp() as f64), episode.id),
    });
    let records: Vec<Value> =
        items.into_iter().map(|(entry, episode)| call.state.episode_json(entry, episode, with)).collect();
    Ok(paging.reply(total, records))
}
