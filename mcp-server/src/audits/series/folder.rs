//! Where the folder of a series lies, and what it is called.

use serde_json::json;
use sonarr_client::types::SeriesResource;

use super::{FOLDER_OFF_FORMAT, OUTSIDE_ROOT_FOLDERS, subject};
use crate::audits::{Finding, Library, Worklist};

/// So many folders are asked for at most: Sonarr tells the right name of one series a request.
const MOST: usize = 60;

/// Adds what is odd about folders to the worklist.
pub(super) async fn look(library: &Library<'_>, series: &[SeriesResource], worklist: &mut Worklist) {
    let roots = match library.root_folders().await {
        Ok(roots) => roots.iter().filter_map(|root| root.path.clone()).collect(),
        Err(failure) => {
            worklist.unseen.push(format!("the root folders: {}", failure.message));
            Vec::new()
        }
    };
    if !roots.is_empty() {
        worklist.findings.extend(series.iter().filter_map(|one| outside(one, &roots)));
    }
    let format = match library.naming().await {
        Ok(naming) => naming.series_folder_format.clone().unwrap_or_default(),
        Err(failure) => return worklist.unseen.push(format!("the series folder format: {}", failure.message)),
    };
    let mut doubtful: Vec<&SeriesResource> = series.iter().filter(|one| may_be_off(one, &format)).collect();
    if doubtful.len() > MOST {
        let more = doubtful.len() - MOST;
        worklist.unseen.push(format!("the folders of {more} more series that seem to be off the format"));
    }
    doubtful.truncate(MOST);
    let mut asked = Vec::new();
    for one in &doubtful {
        asked.push(library.series_folder(one));
    }
    let answers = futures::future::join_all(asked).await;
    for (one, answer) in doubtful.into_iter().zip(answers) {
        match answer {
            Ok(right) => worklist.findings.extend(off_format(one, &right)),
            Err(failure) => {
                worklist.unseen.push(format!("the right folder of {}: {}", super::title(one), failure.message));
            }
        }
    }
}

fn outside(series: &SeriesResource, roots: &[String]) -> Option<Finding> {
    let path = series.path.as_deref().filter(|path| !path.is_empty())?;
    if roots.iter().any(|root| lies_in(path, root)) {
        return None;
    }
    let reason = format!("its folder {path} lies in none of the root folders: {}", roots.join(", "));
    let finding = Finding::new(&OUTSIDE_ROOT_FOLDERS, subject(series), reason);
    let Some((parent, _)) = split(path).filter(|(parent, _)| !parent.is_empty()) else {
        return Some(finding);
    };
    Some(finding.mended_by("add_root_folder", json!({"body": {"path": parent}})))
}

/// Whether a path lies below a root folder; disks that ignore case are given the benefit of the doubt.
fn lies_in(path: &str, root: &str) -> bool {
    let plain = |path: &str| path.replace('\\', "/").trim_end_matches('/').to_lowercase();
    let (path, root) = (plain(path), plain(root));
    path.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'))
}

/// The folder above, and the name of the last one.
fn split(path: &str) -> Option<(&str, &str)> {
    path.trim_end_matches(['/', '\\']).rsplit_once(['/', '\\'])
}

/// Whether a folder may be off the format: it is not when its letters and digits are those that the format gives. The
/// rules of punctuation are Sonarr's own, so that only Sonarr can tell the rest.
fn may_be_off(series: &SeriesResource, format: &str) -> bool {
    let Some((_, folder)) = series.path.as_deref().and_then(split) else {
        return false;
    };
    filled(format, series).is_none_or(|right| plain(&right) != plain(folder))
}

/// The format with its tokens filled; nothing where it has one that is not known here.
fn filled(format: &str, series: &SeriesResource) -> Option<String> {
    let title = super::title(series);
    let year = series.year.filter(|year| *year > 0).map(|year| year.to_string()).unwrap_or_default();
    let with_year = if title.ends_with(&format!("({year})")) { title.to_owned() } else { format!("{title} {year}") };
    let mut right = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('{') {
        let (token, tail) = after.split_once('}')?;
        let value = match plain(token).as_str() {
            "seriestitle" | "seriescleantitle" => title.to_owned(),
            "seriestitleyear" | "seriescleantitleyear" => with_year.clone(),
            "seriestitlewithoutyear" | "seriescleantitlewithoutyear" => {
                title.strip_suffix(&format!("({year})")).unwrap_or(title).to_owned()
            }
            "seriesyear" => year.clone(),
            "tvdbid" => series.tvdb_id?.to_string(),
            "tmdbid" => series.tmdb_id?.to_string(),
            "tvmazeid" => series.tv_maze_id?.to_string(),
            "imdbid" => series.imdb_id.clone()?,
            _ => return None,
        };
        right.push_str(before);
        right.push_str(&value);
        rest = tail;
    }
    right.push_str(rest);
    Some(right)
}

/// The letters and digits, in lower case and without accents.
fn plain(name: &str) -> String {
    deunicode::deunicode(name)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

fn off_format(series: &SeriesResource, right: &str) -> Option<Finding> {
    let path = series.path.as_deref()?;
    let (parent, folder) = split(path)?;
    if right.is_empty() || folder == right {
        return None;
    }
    let separator = path.get(parent.len()..)?.chars().next()?;
    let reason = format!("its folder is called `{folder}`, and by the format `{right}`");
    let arguments =
        json!({"id": series.id, "patch": {"path": format!("{parent}{separator}{right}")}, "moveFiles": true});
    Some(Finding::new(&FOLDER_OFF_FORMAT, subject(series), reason).mended_by("update_series", arguments))
}

#[cfg(test)]
mod tests {
    use super::{may_be_off, off_format, outside};
    use serde_json::json;
    use sonarr_client::types::SeriesResource;

    fn series(path: &str) -> SeriesResource {
        let value =
            json!({"id": 7, "title": "Tidewater: Nine", "year": 2021, "tvdbId": 77, "imdbId": "tt7", "path": path});
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_folder_is_doubtful_when_its_letters_are_not_those_of_the_format() {
        for (path, format, doubtful) in [
            ("/tv/Tidewater - Nine", "{Series Title}", false),
            ("/tv/Tidewater Nine/", "{Series Title}", false),
            ("/tv/Tidewater - Nine (2021)", "{Series Title}", true),
            ("/tv/Tidewater - Nine (2021)", "{Series TitleYear}", false),
            ("/tv/Tidewater - Nine (2021) [tvdbid-77]", "{Series TitleYear} [tvdbid-{TvdbId}]", false),
            ("/tv/Tidewater - Nine (2021) {imdb-tt7}", "{Series TitleYear} {imdb-{ImdbId}}", true),
            ("D:\\TV\\Tidewater - Nine", "{Series.Title}", false),
            ("/tv/Nine", "{Series Title}", true),
            ("/tv/Tidewater - Nine", "{Series Title} {Something New}", true),
            ("Tidewater", "{Series Title}", false),
        ] {
            assert_eq!(may_be_off(&series(path), format), doubtful, "{path} {format}");
        }
    }

    #[test]
    fn the_folder_is_moved_within_its_parent() {
        for (path, to) in [("/tv/Nine", "/tv/Tidewater - Nine"), ("D:\\TV\\Nine\\", "D:\\TV\\Tidewater - Nine")] {
            let finding = off_format(&series(path), "Tidewater - Nine").unwrap();
            let arguments = finding.mend.unwrap().arguments;
            assert_eq!(arguments, json!({"id": 7, "patch": {"path": to}, "moveFiles": true}));
        }
        assert_eq!(off_format(&series("/tv/Tidewater - Nine"), "Tidewater - Nine"), None);
        assert_eq!(off_format(&series("/tv/Nine"), ""), None);
    }

    #[test]
    fn a_series_outside_every_root_is_told_where_one_could_be_added() {
        let roots = ["/tv/".to_owned(), "D:\\TV".to_owned()];
        for path in ["/tv/Nine", "/TV/shows/Nine", "D:/tv/Nine", ""] {
            assert_eq!(outside(&series(path), &roots), None, "{path}");
        }
        for (path, parent) in [("/tvs/Nine", "/tvs"), ("/tv", ""), ("E:\\TV\\Nine", "E:\\TV")] {
            let mend = outside(&series(path), &roots).unwrap().mend;
            assert_eq!(
                mend.map(|mend| mend.arguments),
                (!parent.is_empty()).then(|| json!({"body": {"path": parent}})),
                "{path}"
            );
        }
    }
}
