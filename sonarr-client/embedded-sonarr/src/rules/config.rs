//! Rules of the settings.

use serde_json::Value;

use super::{must, not_empty};
use crate::disk::is_within;
use crate::http::Rule;
use crate::state::{Row, State, flag, int, text};

pub(super) fn check(state: &State, path: &str, row: &Row) -> Vec<Rule> {
    let mut failed = Vec::new();
    match path {
        "config/importlist" => {
            let tag = int(row, "listSyncTag");
            let needed = text(row, "listSyncLevel") == "keepAndTag";
            must(
                &mut failed,
                !needed || tag > 0,
                "ListSyncTag",
                "GreaterThanValidator",
                "Tag must be specified",
                tag.into(),
            );
        }
        "config/indexer" => {
            for (member, property) in [("minimumAge", "MinimumAge"), ("retention", "Retention")] {
                not_negative(&mut failed, property, int(row, member));
            }
            let interval = int(row, "rssSyncInterval");
            let holds = interval == 0 || (10..=120).contains(&interval);
            must(
                &mut failed,
                holds,
                "RssSyncInterval",
                "RssSyncIntervalValidator",
                "Must be between 10 and 120 or 0 to disable",
                interval.into(),
            );
        }
        "config/mediamanagement" => media_management(state, &mut failed, row),
        "config/naming" => naming(&mut failed, row),
        "config/ui" => {
            let language = int(row, "uiLanguage");
            let holds = language >= 1 && crate::seed::reference::language(language).is_some();
            must(&mut failed, holds, "UiLanguage", "PredicateValidator", "Invalid UI Language value", language.into());
        }
        _ => {}
    }
    failed
}

fn not_negative(failed: &mut Vec<Rule>, property: &str, value: i64) {
    must(
        failed,
        value >= 0,
        property,
        "GreaterThanOrEqualValidator",
        format!("'{}' must be greater than or equal to '0'.", super::words(property)),
        value.into(),
    );
}

fn media_management(state: &State, failed: &mut Vec<Rule>, row: &Row) {
    not_negative(failed, "RecycleBinCleanupDays", int(row, "recycleBinCleanupDays"));
    let mode = text(row, "chmodFolder");
    let octal = mode.is_empty() || ((3..=4).contains(&mode.len()) && mode.chars().all(|digit| digit.is_digit(8)));
    must(
        failed,
        octal,
        "ChmodFolder",
        "FolderChmodValidator",
        "Must contain a valid Unix permissions octal",
        mode.into(),
    );
    let bin = text(row, "recycleBin");
    if !bin.is_empty() {
        super::plain::path_exists(state, failed, "RecycleBin", bin);
        // Neither what holds a root folder nor what lies in a series' folder may be emptied.
        let root = state.table("rootfolder").rows().any(|folder| is_within(text(folder, "path"), bin));
        let message = format!("Path '{bin}' is already configured as a root folder");
        must(failed, !root, "RecycleBin", "RootFolderValidator", message, bin.into());
        let series = state.library.iter().any(|(_, entry)| is_within(bin, text(&entry.row, "path")));
        let message = format!("Path '{bin}' is already configured for another series");
        must(failed, !series, "RecycleBin", "SeriesPathValidator", message, bin.into());
    }
    if flag(row, "useScriptImport") {
        let script = text(row, "scriptImportPath");
        must(
            failed,
            script.starts_with('/'),
            "ScriptImportPath",
            "PathValidator",
            format!("Invalid Path: '{script}'"),
            script.into(),
        );
    }
    let free = int(row, "minimumFreeSpaceWhenImporting");
    must(
        failed,
        free >= 100,
        "MinimumFreeSpaceWhenImporting",
        "GreaterThanOrEqualValidator",
        "'Minimum Free Space When Importing' must be greater than or equal to '100'.",
        free.into(),
    );
}

fn naming(failed: &mut Vec<Rule>, row: &Row) {
    let style = int(row, "multiEpisodeStyle");
    must(
        failed,
        (0..=5).contains(&style),
        "MultiEpisodeStyle",
        "InclusiveBetweenValidator",
        format!("'Multi Episode Style' must be between 0 and 5. You entered {style}."),
        style.into(),
    );
    let lower = |member: &str| text(row, member).to_ascii_lowercase();
    let numbers = |format: &str| format.contains("{season") && format.contains("{episode");
    let air_date = |format: &str| format.contains("{air-date}") || format.contains("{air date}");
    let title = |format: &str| format.contains("{series ");
    type FormatRule<'a> = (&'a str, &'a str, &'a str, &'a dyn Fn(&str) -> bool);
    let rules: [FormatRule<'_>; 6] = [
        (
            "standardEpisodeFormat",
            "StandardEpisodeFormat",
            "Must contain season and episode numbers OR Original Title",
            &|format| numbers(format) || format.contains("{original "),
        ),
        (
            "dailyEpisodeFormat",
            "DailyEpisodeFormat",
            "Must contain Air Date OR Season and Episode OR Original Title",
            &|format| numbers(format) || air_date(format) || format.contains("{original "),
        ),
        (
            "animeEpisodeFormat",
            "AnimeEpisodeFormat",
            "Must contain Absolute Episode number OR Season and Episode OR Original Title",
            &|format| numbers(format) || format.contains("{absolute") || format.contains("{original "),
        ),
        ("seriesFolderFormat", "SeriesFolderFormat", "Must contain series title", &|format| title(format)),
        ("seasonFolderFormat", "SeasonFolderFormat", "Must contain season number", &|format| {
            format.contains("{season")
        }),
        ("specialsFolderFormat", "SpecialsFolderFormat", "Must not be empty", &|format| !format.trim().is_empty()),
    ];
    for (member, property, message, holds) in rules {
        let value = row.get(member);
        not_empty(failed, property, value);
        let format = lower(member);
        if !format.trim().is_empty() {
            must(
                failed,
                holds(&format),
                property,
                "RegularExpressionValidator",
                message,
                value.cloned().unwrap_or(Value::Null),
            );
        }
    }
    if int(row, "colonReplacementFormat") == 5 {
        let custom = text(row, "customColonReplacementFormat");
        let bad = custom.contains([':', '/', '\\']);
        must(
            failed,
            !bad,
            "CustomColonReplacementFormat",
            "IllegalColonCharactersValidator",
            "Contains illegal characters",
            custom.into(),
        );
    }
}
