//! Paths of Sonarr's machine, compared as the disks of any system would.

/// A path as it is compared: `/` between its parts, none at its end, in lower case and without accents.
///
/// Windows takes both separators and does not tell cases apart, a Mac spells an accent as a letter of its own. Where a
/// disk does tell them apart two files may look like one, so that a finding is missed; none is made up.
pub fn key(path: &str) -> String {
    let mut key = String::with_capacity(path.len());
    let folded = if path.is_ascii() { path.to_ascii_lowercase() } else { deunicode::deunicode(path).to_lowercase() };
    for letter in folded.chars().map(|letter| if letter == '\\' { '/' } else { letter }) {
        // Two separators in a row say the same as one, but for the beginning of a share's path.
        if letter != '/' || key.len() < 2 || !key.ends_with('/') {
            key.push(letter);
        }
    }
    key.truncate(key.trim_end_matches('/').len());
    key
}

/// Whether a path is a folder or lies somewhere below it; both as [`key`] makes them.
pub fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path itself and the folders that hold it, the innermost first.
pub fn upwards(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(key), |path| path.rfind('/').and_then(|end| path.get(..end)))
}

/// The last part of a path.
pub fn name(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Folders whose videos Sonarr's scan of a series passes over.
const EXTRAS: &[&str] = &[
    "extras",
    "extrafanart",
    "behind the scenes",
    "deleted scenes",
    "featurettes",
    "interviews",
    "other",
    "plex versions",
    "sample",
    "samples",
    "scenes",
    "shorts",
    "trailers",
];

/// Endings of the names, without extension, of videos that are no episodes.
const SUFFIXES: &[&str] =
    &["-trailer", "-other", "-behindthescenes", "-deleted", "-featurette", "-interview", "-scene", "-short"];

/// Whether a video is one that Sonarr's scan passes over, or may: what is in folders for extras, in hidden ones and in
/// those of other programs, trailers and samples. `relative` is the [`key`] of its path below the series' folder.
pub fn is_passed_over(relative: &str) -> bool {
    let (folders, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_sample = stem.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "sample");
    folders.split('/').any(|folder| folder.starts_with(['.', '@', '#', '$']) || EXTRAS.contains(&folder))
        || name.starts_with('.')
        || SUFFIXES.iter().any(|suffix| stem.ends_with(suffix))
        || is_sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_key_on_every_system() {
        assert_eq!(key(r"D:\TV\Some Show\Season 1\x.MKV"), key("d:/tv/some show/Season 1/x.mkv"));
        assert_eq!(key(r"\\nas\tv\Show\"), "//nas/tv/show");
        assert_eq!(key("/tv//Show/"), "/tv/show");
        assert_eq!((key("/"), key(r"C:\")), (String::new(), "c:".to_owned()));
        // A letter with its accent, and the accent on its own.
        assert_eq!(key("/tv/Caf\u{e9}"), key("/tv/Cafe\u{301}"));
        assert_ne!(key("/tv/第1話"), key("/tv/第2話"));
    }

    #[test]
    fn folders_hold_what_is_below_them_and_nothing_beside_them() {
        let (root, show) = (key("/tv"), key("/tv/Show"));
        assert!(is_within(&show, &root) && is_within(&root, &root) && is_within(&show, &key("/")));
        assert!(!is_within(&key("/tv2/Show"), &root) && !is_within(&root, &show));
        assert!(is_within(&key(r"D:\TV\Show"), &key("D:/")));
        let parts: Vec<String> = upwards(&show).map(str::to_owned).collect();
        assert_eq!(parts, ["/tv/show", "/tv", ""]);
        assert_eq!((name(r"D:\TV\Show\"), name("/tv/Show"), name("x")), ("Show", "Show", "x"));
    }

    #[test]
    fn extras_and_samples_are_passed_over() {
        for relative in [
            "Extras/Making of.mkv",
            "Season 1/Deleted Scenes/a.mkv",
            ".unwanted/a.mkv",
            "@eaDir/a.mkv",
            "Season 1/._a.mkv",
            "Show-trailer.mkv",
            "Season 1/show.s01e01.sample.mkv",
            "Season 1/sample-show.s01e01.mkv",
            "Plex Versions/Phone/a.mp4",
        ] {
            assert!(is_passed_over(&key(relative)), "{relative}");
        }
        for relative in ["Season 1/Show - S01E01.mkv", "The Sampler - S01E01.mkv", "Others/a.mkv", "a.mkv"] {
            assert!(!is_passed_over(&key(relative)), "{relative}");
        }
    }
}
