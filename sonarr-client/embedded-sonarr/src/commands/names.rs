//! Every command with its parameters.

use serde_json::{Value, json};

use crate::state::Row;

/// What a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    /// An integer that may be absent.
    OptionalInt,
    Ints,
    Text,
    /// A flag with its default.
    Flag(bool),
    /// A list of objects.
    List,
    ImportMode,
}

/// A parameter of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
}

/// A command.
#[derive(Debug)]
pub(crate) struct Definition {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// Only one command with this flag runs at a time.
    pub disk: bool,
    pub long: bool,
    /// How long it runs.
    pub millis: i64,
}

impl Definition {
    /// The name in words: `RssSync` as `Rss Sync`.
    pub(crate) fn display(&self) -> String {
        let mut words = String::new();
        for (index, letter) in self.name.chars().enumerate() {
            if index > 0 && letter.is_ascii_uppercase() {
                words.push(' ');
            }
            words.push(letter);
        }
        words
    }

    /// Reads the parameters beside `name`: names in any case, unknown ones ignored, absent ones at their defaults.
    pub(crate) fn read(&self, given: &Row) -> Result<Row, String> {
        let mut row = Row::new();
        for parameter in self.parameters {
            let sent = given.iter().find(|(name, _)| name.eq_ignore_ascii_case(parameter.name)).map(|(_, value)| value);
            let sent = sent.filter(|value| !value.is_null());
            let value = match sent {
                Some(value) if fits(parameter.kind, value) => value.clone(),
                Some(_) => return Err(parameter.name.to_owned()),
                None => match parameter.kind {
                    Kind::Int => json!(0),
                    Kind::Flag(default) => json!(default),
                    Kind::ImportMode => json!("auto"),
                    Kind::OptionalInt | Kind::Ints | Kind::Text | Kind::List => continue,
                },
            };
            row.insert(parameter.name.to_owned(), value);
        }
        Ok(row)
    }
}

/// Quoted numbers are refused here, unlike in other bodies.
fn fits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Int | Kind::OptionalInt => value.is_i64(),
        Kind::Ints => value.as_array().is_some_and(|items| items.iter().all(Value::is_i64)),
        Kind::Text => value.is_string(),
        Kind::Flag(_) => value.is_boolean(),
        Kind::List => value.is_array(),
        Kind::ImportMode => match value {
            Value::String(text) => ["auto", "move", "copy"].iter().any(|known| text.eq_ignore_ascii_case(known)),
            value => value.is_i64(),
        },
    }
}

const fn int(name: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Int }
}

const fn optional(name: &'static str) -> Parameter {
    Parameter { name, kind: Kind::OptionalInt }
}

const fn ints(name: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Ints }
}

const fn words(name: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Text }
}

const fn flag(name: &'static str, default: bool) -> Parameter {
    Parameter { name, kind: Kind::Flag(default) }
}

const IMPORT_MODE: Parameter = Parameter { name: "importMode", kind: Kind::ImportMode };

const fn short(name: &'static str, parameters: &'static [Parameter]) -> Definition {
    Definition { name, parameters, disk: false, long: false, millis: 300 }
}

const fn slow(name: &'static str, parameters: &'static [Parameter]) -> Definition {
    Definition { name, parameters, disk: false, long: false, millis: 2_000 }
}

const fn disk(name: &'static str, parameters: &'static [Parameter]) -> Definition {
    Definition { name, parameters, disk: true, long: false, millis: 1_000 }
}

const fn long(name: &'static str, parameters: &'static [Parameter]) -> Definition {
    Definition { name, parameters, disk: false, long: true, millis: 800 }
}

/// The 36 commands.
pub(crate) const COMMANDS: &[Definition] = &[
    slow("EpisodeSearch", &[ints("episodeIds")]),
    slow("SeasonSearch", &[int("seriesId"), int("seasonNumber")]),
    slow("SeriesSearch", &[int("seriesId")]),
    slow("MissingEpisodeSearch", &[optional("seriesId"), flag("monitored", true)]),
    slow("CutoffUnmetEpisodeSearch", &[optional("seriesId"), flag("monitored", true)]),
    long("RssSync", &[]),
    slow("ImportListSync", &[optional("definitionId")]),
    slow("RescanSeries", &[optional("seriesId")]),
    disk("RenameFiles", &[int("seriesId"), ints("files")]),
    disk("RenameSeries", &[ints("seriesIds")]),
    disk("MoveSeries", &[int("seriesId"), words("sourcePath"), words("destinationPath")]),
    disk("BulkMoveSeries", &[Parameter { name: "series", kind: Kind::List }, words("destinationRootFolder")]),
    disk("ManualImport", &[Parameter { name: "files", kind: Kind::List }, IMPORT_MODE]),
    Definition {
        long: true,
        ..disk("DownloadedEpisodesScan", &[words("path"), words("downloadClientId"), IMPORT_MODE])
    },
    Definition { long: true, ..disk("ProcessMonitoredDownloads", &[]) },
    short("CleanUpRecycleBin", &[]),
    long("RefreshSeries", &[ints("seriesIds"), flag("isNewSeries", false)]),
    short("RefreshMonitoredDownloads", &[]),
    short("CheckForFinishedDownload", &[]),
    short("UpdateSceneMapping", &[]),
    short("CheckHealth", &[]),
    slow("Housekeeping", &[]),
    short("MessagingCleanup", &[]),
    short("ResetQualityDefinitions", &[flag("resetTitles", false)]),
    short("ClearBlocklist", &[]),
    short("ClearLog", &[]),
    short("DeleteLogFiles", &[]),
    short("DeleteUpdateLogFiles", &[]),
    slow("Backup", &[]),
    short("ApplicationUpdateCheck", &[flag("installMajorUpdate", false)]),
    slow("ApplicationUpdate", &[flag("installMajorUpdate", false)]),
    short("ResetApiKey", &[]),
    short("Restart", &[]),
    short("Shutdown", &[]),
    short("Unknown", &[words("contractName")]),
    short("Test", &[int("duration")]),
];

/// Commands that only a coming version knows.
const NEXT_COMMANDS: &[Definition] = &[disk("DeleteSeriesFiles", &[ints("seriesIds")])];

/// A command by its name, in any case.
pub(crate) fn definition(name: &str, next_version: bool) -> Option<&'static Definition> {
    let next = if next_version { NEXT_COMMANDS } else { &[] };
    COMMANDS.iter().chain(next).find(|definition| definition.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::object;

    #[test]
    fn there_are_36_commands() {
        assert_eq!(COMMANDS.len(), 36);
        assert!(definition("rsssync", false).is_some());
        assert!(definition("DeleteSeriesFiles", false).is_none());
        assert!(definition("DeleteSeriesFiles", true).is_some());
    }

    #[test]
    fn parameters_are_read_strictly() {
        let season = definition("SeasonSearch", false).unwrap();
        let read = season.read(&object(json!({"SERIESID": 3, "seasonNumber": 1, "other": true}))).unwrap();
        assert_eq!(read, object(json!({"seriesId": 3, "seasonNumber": 1})));
        assert_eq!(season.read(&object(json!({"seriesId": "3"}))), Err("seriesId".to_owned()));
        assert_eq!(season.read(&Row::new()).unwrap(), object(json!({"seriesId": 0, "seasonNumber": 0})));
    }
}
