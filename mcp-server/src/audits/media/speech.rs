//! The languages of a file, against that in which its series was made.

/// Sonarr's ids of languages that can be told from the audio of a file, with the codes (ISO 639) that audio has.
const CODES: &[(i32, &[&str])] = &[
    (1, &["eng", "en"]),
    (2, &["fre", "fra", "fr"]),
    (3, &["spa", "es"]),
    (4, &["ger", "deu", "de"]),
    (5, &["ita", "it"]),
    (6, &["dan", "da"]),
    (7, &["dut", "nld", "nl"]),
    (8, &["jpn", "ja"]),
    (9, &["ice", "isl", "is"]),
    (10, &["chi", "zho", "zh", "cmn", "yue"]),
    (11, &["rus", "ru"]),
    (12, &["pol", "pl"]),
    (13, &["vie", "vi"]),
    (14, &["swe", "sv"]),
    (15, &["nor", "no", "nob", "nno", "nb", "nn"]),
    (16, &["fin", "fi"]),
    (17, &["tur", "tr"]),
    (18, &["por", "pt"]),
    (19, &["dut", "nld", "nl", "vls"]),
    (20, &["gre", "ell", "el"]),
    (21, &["kor", "ko"]),
    (22, &["hun", "hu"]),
    (23, &["heb", "he"]),
    (24, &["lit", "lt"]),
    (25, &["cze", "ces", "cs"]),
    (26, &["ara", "ar"]),
    (27, &["hin", "hi"]),
    (28, &["bul", "bg"]),
    (29, &["mal", "ml"]),
    (30, &["ukr", "uk"]),
    (31, &["slo", "slk", "sk"]),
    (32, &["tha", "th"]),
    (33, &["por", "pt"]),
    (34, &["spa", "es"]),
    (35, &["rum", "ron", "ro"]),
    (36, &["lav", "lv"]),
    (37, &["per", "fas", "fa"]),
    (38, &["cat", "ca"]),
    (39, &["hrv", "hr"]),
    (40, &["srp", "sr"]),
    (41, &["bos", "bs"]),
    (42, &["est", "et"]),
    (43, &["tam", "ta"]),
    (44, &["ind", "id"]),
    (45, &["mac", "mkd", "mk"]),
    (46, &["slv", "sl"]),
];

fn codes(language: i32) -> Option<&'static [&'static str]> {
    CODES.iter().find(|(id, _)| *id == language).map(|(_, codes)| *codes)
}

/// Whether a file speaks a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaks {
    Yes,
    No,
    /// Neither can be told.
    Unknown,
}

/// Whether a file speaks a language, by the languages recorded for it and by those that its audio names (`eng/jpn`).
///
/// It does not only where both say so, and say all there is to say: no language is unknown, no sound is unnamed.
pub fn speaks(language: i32, recorded: &[i32], audio: Option<&str>) -> Speaks {
    let Some(codes) = codes(language) else { return Speaks::Unknown };
    let spoken: Vec<String> = audio
        .unwrap_or_default()
        .split(['/', ',', ';'])
        .map(|code| code.trim().to_ascii_lowercase())
        .filter(|code| !code.is_empty())
        .collect();
    // `pt-BR` and `por-BR` say `pt` and `por`.
    let base = |code: &str| code.split(['-', '_']).next().unwrap_or_default().to_owned();
    let twins = |id: &i32| self::codes(*id).is_some_and(|other| other.iter().any(|code| codes.contains(code)));
    if recorded.iter().any(|id| *id == language || twins(id)) || spoken.iter().any(|code| codes.contains(&&*base(code)))
    {
        return Speaks::Yes;
    }
    let all_recorded = !recorded.is_empty() && recorded.iter().all(|id| self::codes(*id).is_some());
    let known = |code: &String| CODES.iter().any(|(_, codes)| codes.contains(&&*base(code)));
    if all_recorded && !spoken.is_empty() && spoken.iter().all(known) { Speaks::No } else { Speaks::Unknown }
}

/// How many other files of a series must speak a language before one that does not is odd.
const OTHERS: usize = 3;

/// Which of a series' files certainly lack the language that the series is kept in: nearly all others have it.
///
/// Somebody may like a series dubbed, so that a library of dubbed files is as it should be. One file in twenty that
/// lacks what the others have is not.
pub fn odd(files: &[Speaks]) -> Vec<bool> {
    let count = |what: Speaks| files.iter().filter(|file| **file == what).count();
    let (yes, no) = (count(Speaks::Yes), count(Speaks::No));
    let is_kept = yes >= OTHERS && yes >= no * 4;
    files.iter().map(|file| is_kept && *file == Speaks::No).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: i32 = 1;
    const JAPANESE: i32 = 8;

    #[test]
    fn a_file_lacks_a_language_only_where_record_and_audio_say_so() {
        for (language, recorded, audio, told) in [
            (JAPANESE, &[8][..], Some("jpn"), Speaks::Yes),
            // A dub beside the original.
            (JAPANESE, &[1, 8], Some("eng/jpn"), Speaks::Yes),
            (JAPANESE, &[1], Some("eng/jpn"), Speaks::Yes),
            (JAPANESE, &[8], Some("eng"), Speaks::Yes),
            (JAPANESE, &[1], Some("eng"), Speaks::No),
            (ENGLISH, &[4], Some("ger/deu"), Speaks::No),
            // Nothing is said, or not all.
            (JAPANESE, &[1], None, Speaks::Unknown),
            (JAPANESE, &[1], Some(""), Speaks::Unknown),
            (JAPANESE, &[1], Some("eng/und"), Speaks::Unknown),
            (JAPANESE, &[0], Some("eng"), Speaks::Unknown),
            (JAPANESE, &[-2], Some("eng"), Speaks::Unknown),
            (JAPANESE, &[], Some("eng"), Speaks::Unknown),
            (999, &[1], Some("eng"), Speaks::Unknown),
            // One code for two languages of Sonarr's.
            (33, &[18], Some("por"), Speaks::Yes),
            (18, &[1], Some("pt-BR"), Speaks::Yes),
            (7, &[19], Some("nld"), Speaks::Yes),
        ] {
            assert_eq!(speaks(language, recorded, audio), told, "{language} {recorded:?} {audio:?}");
        }
    }

    #[test]
    fn one_among_many_is_odd_and_a_dubbed_series_is_not() {
        use Speaks::{No, Unknown, Yes};
        assert_eq!(odd(&[Yes, Yes, Yes, Yes, No]), [false, false, false, false, true]);
        for files in [&[No, No, No, No, No][..], &[Yes, Yes, Yes, No], &[Yes, Yes, No], &[Yes, Yes, Yes, Yes, Unknown]]
        {
            assert_eq!(odd(files), vec![false; files.len()], "{files:?}");
        }
    }
}
