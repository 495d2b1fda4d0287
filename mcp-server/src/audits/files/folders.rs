//! Folders in the root folders that belong to no series.

use std::collections::HashMap;

use serde_json::json;
use sonarr_client::types;

use super::paths::{is_passed_over, is_within, key, name};
use super::{FOLDER_UNMAPPED, Finding, Home};

/// A folder that Sonarr says no series uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmapped {
    pub path: String,
}

/// The folders of the accessible root folders, but for those that hold a series, another root folder or the recycle
/// bin, and those that belong to a system or another program.
pub fn unmapped(roots: &[types::RootFolderResource], homes: &[Home], bin: Option<&str>) -> Vec<Unmapped> {
    let mut used: Vec<String> = homes.iter().map(|home| home.key.clone()).collect();
    used.extend(roots.iter().filter_map(|root| root.path.as_deref()).map(key));
    used.extend(bin.map(key));
    let mut found = Vec::new();
    for root in roots.iter().filter(|root| root.accessible == Some(true)) {
        for folder in root.unmapped_folders.iter().flatten() {
            let Some(path) = folder.path.as_deref().filter(|path| !is_system(name(path))) else { continue };
            let own = key(path);
            if !used.iter().any(|used| is_within(used, &own)) {
                found.push(Unmapped { path: path.to_owned() });
            }
        }
    }
    found
}

/// Whether a folder belongs to a system or to another program.
fn is_system(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.starts_with(['.', '@', '#', '$']) || ["lost+found", "system volume information", "recycler"].contains(&&*lower)
}

/// How many videos, but for extras, lie below each of the folders.
pub fn videos(folders: &[Unmapped], strays: &[String]) -> Vec<usize> {
    let mut sorted: Vec<&str> = strays.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let count = |folder: &Unmapped| {
        let prefix = format!("{}/", key(&folder.path));
        let start = sorted.partition_point(|path| *path < prefix.as_str());
        let below = sorted.iter().skip(start).map_while(|path| path.strip_prefix(prefix.as_str()));
        below.filter(|relative| !is_passed_over(relative)).count()
    };
    folders.iter().map(count).collect()
}

/// What a folder's name says of a series: the words without a year in brackets and without tags, the year, and an id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Named {
    title: String,
    year: Option<i32>,
    /// As it is looked up: `tvdb:81189`.
    id: Option<String>,
}

fn named(folder: &str) -> Named {
    let mut named = Named::default();
    let mut rest = folder;
    while let Some(start) = rest.find(['(', '[', '{']) {
        let (before, group) = rest.split_at(start);
        let Some(end) = group.find([')', ']', '}']) else { break };
        let (inside, after) = group.split_at(end);
        let inside = inside.trim_start_matches(['(', '[', '{']).trim();
        named.title.push_str(before);
        match inside.parse::<i32>() {
            Ok(year) if (1900..2200).contains(&year) => named.year = Some(year),
            _ if id(inside).is_some() => named.id = id(inside),
            // Other words belong to the title, as in `House (UK)`.
            _ => named.title.push_str(group.get(..=end).unwrap_or_default()),
        }
        rest = after.get(1..).unwrap_or_default();
    }
    named.title.push_str(rest);
    named.title = named.title.split_whitespace().collect::<Vec<_>>().join(" ");
    named
}

/// `tvdbid-81189`, `tvdb-81189` or `imdb-tt0903747`, as a look-up takes it.
fn id(inside: &str) -> Option<String> {
    let lower = inside.to_ascii_lowercase();
    let (kind, id) = lower.split_once(['-', '=', ':'])?;
    let digits = |id: &str| !id.is_empty() && id.chars().all(|letter| letter.is_ascii_digit());
    match kind.trim() {
        "tvdb" | "tvdbid" if digits(id) => Some(format!("tvdb:{id}")),
        "imdb" | "imdbid" if id.strip_prefix("tt").is_some_and(digits) => Some(format!("imdb:{id}")),
        _ => None,
    }
}

/// Letters and digits of a title.
fn clean(title: &str) -> String {
    key(title).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The series of the library by what their folders may be called.
#[derive(Debug)]
pub struct Titles<'a>(HashMap<String, Vec<&'a types::SeriesResource>>);

impl<'a> Titles<'a> {
    pub fn new(series: &'a [types::SeriesResource]) -> Self {
        let mut titles: HashMap<String, Vec<&types::SeriesResource>> = HashMap::new();
        for one in series {
            let title = named(one.title.as_deref().unwrap_or_default()).title;
            titles.entry(clean(&title)).or_default().push(one);
        }
        Titles(titles)
    }

    /// The one series that a folder is of, by its title and, where the folder has one, its year.
    fn of(&self, named: &Named) -> Option<&'a types::SeriesResource> {
        let fits = |one: &&&types::SeriesResource| named.year.is_none() || named.year == one.year;
        let mut fitting = self.0.get(&clean(&named.title)).into_iter().flatten().filter(fits);
        let first = fitting.next()?;
        fitting.next().is_none().then_some(*first)
    }
}

/// The finding about a folder that holds so many videos.
pub fn finding(folder: &Unmapped, videos: usize, titles: &Titles<'_>) -> Finding {
    let folder_name = name(&folder.path);
    let named = named(folder_name);
    let subject = json!({"name": folder_name, "path": folder.path});
    let has = if videos == 1 { "1 video".to_owned() } else { format!("{videos} videos") };
    if let Some(series) = titles.of(&named) {
        let title = series.title.as_deref().unwrap_or_default();
        let (id, home) = (series.id.unwrap_or_default(), series.path.as_deref().unwrap_or_default());
        let reason = format!("{has} in a folder of no series; `{title}` (id {id}) of that name lives in {home}");
        return Finding::new(&FOLDER_UNMAPPED, subject, reason)
            .mended_by("import_files", json!({"folder": folder.path, "importMode": "move"}));
    }
    let term = match (&named.id, named.year) {
        (Some(id), _) => id.clone(),
        (None, Some(year)) => format!("{} ({year})", named.title),
        (None, None) => named.title,
    };
    Finding::new(&FOLDER_UNMAPPED, subject, format!("{has} in a folder of no series"))
        .mended_by("add_series_by_title", json!({"term": term, "path": folder.path}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(path: &str, accessible: bool, unmapped: &[&str]) -> types::RootFolderResource {
        serde_json::from_value(json!({
            "id": 1, "path": path, "accessible": accessible,
            "unmappedFolders": unmapped.iter().map(|path| json!({"path": path})).collect::<Vec<_>>(),
        }))
        .unwrap()
    }

    fn series(id: i32, title: &str, year: i32) -> types::SeriesResource {
        serde_json::from_value(json!({"id": id, "title": title, "year": year, "path": format!("/tv/{title}")})).unwrap()
    }

    #[test]
    fn folders_that_hold_something_known_are_no_strangers() {
        let roots = [
            root("/media", true, &["/media/tv", "/media/Bin", "/media/@eaDir", "/media/lost+found", "/media/New Show"]),
            root("/media/tv/kids", true, &["/media/tv/kids/Group"]),
            root("/offline", false, &["/offline/Show"]),
        ];
        let homes = [Home { id: 1, title: String::new(), key: key("/media/tv/kids/Group/Show") }];
        let found = unmapped(&roots, &homes, Some("/media/Bin/"));
        assert_eq!(found, [Unmapped { path: "/media/New Show".to_owned() }]);
    }

    #[test]
    fn videos_are_counted_below_the_folder() {
        let folders = ["/tv/New", r"D:\TV\Empty"].map(|path| Unmapped { path: path.to_owned() });
        let strays: Vec<String> =
            ["/tv/New/S1/a.mkv", "/tv/New/b.mkv", "/tv/New/Extras/x.mkv", "/tv/Newer/c.mkv", "/tv/d.mkv"]
                .iter()
                .map(|path| key(path))
                .collect();
        assert_eq!(videos(&folders, &strays), [2, 0]);
    }

    #[test]
    fn names_of_folders_are_read() {
        let told = |folder: &str| {
            let named = named(folder);
            (named.title, named.year, named.id)
        };
        assert_eq!(told("Some Show (2019)"), ("Some Show".to_owned(), Some(2019), None));
        assert_eq!(
            told("Some Show (2019) {tvdb-81189}"),
            ("Some Show".to_owned(), Some(2019), Some("tvdb:81189".to_owned()))
        );
        assert_eq!(
            told("Some Show [imdbid-tt0903747]"),
            ("Some Show".to_owned(), None, Some("imdb:tt0903747".to_owned()))
        );
        assert_eq!(told("House (UK)"), ("House (UK)".to_owned(), None, None));
        assert_eq!(told("Odd (name"), ("Odd (name".to_owned(), None, None));
    }

    #[test]
    fn a_second_folder_of_a_series_is_imported_and_another_one_added() {
        let library = [series(1, "Some Show", 2019), series(2, "Twice", 1990), series(3, "Twice", 2020)];
        let titles = Titles::new(&library);
        let mend = |name: &str| {
            let folder = Unmapped { path: format!("/tv/{name}") };
            let mend = finding(&folder, 3, &titles).mend.unwrap();
            (mend.operation, mend.arguments)
        };
        let import = |path: &str| ("import_files", json!({"folder": path, "importMode": "move"}));
        let add = |term: &str, path: &str| ("add_series_by_title", json!({"term": term, "path": path}));
        assert_eq!(mend("some show (2019)"), import("/tv/some show (2019)"));
        assert_eq!(mend("Some.Show"), import("/tv/Some.Show"));
        assert_eq!(mend("Some Show (2001)"), add("Some Show (2001)", "/tv/Some Show (2001)"));
        assert_eq!(mend("Twice (1990)"), import("/tv/Twice (1990)"));
        assert_eq!(mend("Twice"), add("Twice", "/tv/Twice"));
        assert_eq!(mend("New {tvdb-5}"), add("tvdb:5", "/tv/New {tvdb-5}"));
    }
}
