//! Constants of the server: languages, indexer flags, texts.

use serde_json::{Value, json};

/// Every language with its id. `Original` and `Unknown` come first, as the server sorts them.
pub(crate) const LANGUAGES: [(i64, &str); 48] = [
    (-2, "Original"),
    (0, "Unknown"),
    (26, "Arabic"),
    (41, "Bosnian"),
    (28, "Bulgarian"),
    (38, "Catalan"),
    (10, "Chinese"),
    (39, "Croatian"),
    (25, "Czech"),
    (6, "Danish"),
    (7, "Dutch"),
    (1, "English"),
    (42, "Estonian"),
    (16, "Finnish"),
    (19, "Flemish"),
    (2, "French"),
    (4, "German"),
    (20, "Greek"),
    (23, "Hebrew"),
    (27, "Hindi"),
    (22, "Hungarian"),
    (9, "Icelandic"),
    (44, "Indonesian"),
    (5, "Italian"),
    (8, "Japanese"),
    (21, "Korean"),
    (36, "Latvian"),
    (24, "Lithuanian"),
    (45, "Macedonian"),
    (29, "Malayalam"),
    (15, "Norwegian"),
    (37, "Persian"),
    (12, "Polish"),
    (18, "Portuguese"),
    (33, "Portuguese (Brazil)"),
    (35, "Romanian"),
    (11, "Russian"),
    (40, "Serbian"),
    (31, "Slovak"),
    (46, "Slovenian"),
    (3, "Spanish"),
    (34, "Spanish (Latino)"),
    (14, "Swedish"),
    (43, "Tamil"),
    (32, "Thai"),
    (17, "Turkish"),
    (30, "Ukrainian"),
    (13, "Vietnamese"),
];

/// A language's name by its id.
pub(crate) fn language(id: i64) -> Option<&'static str> {
    LANGUAGES.iter().find(|(known, _)| *known == id).map(|(_, name)| *name)
}

/// The indexer flags by their bits.
pub(crate) const INDEXER_FLAGS: [(i64, &str); 8] = [
    (1, "Freeleech"),
    (2, "Halfleech"),
    (4, "DoubleUpload"),
    (8, "Internal"),
    (16, "Scene"),
    (32, "Freeleech75"),
    (64, "Freeleech25"),
    (128, "Nuked"),
];

/// Texts of the web UI: keys keep their case.
pub(crate) fn texts() -> Value {
    json!({
        "About": "About",
        "Activity": "Activity",
        "AddSeries": "Add series",
        "AirDate": "Air date",
        "Backup": "Backup",
        "Calendar": "Calendar",
        "ConnectionLost": "Connection lost",
        "CustomFormats": "Custom formats",
        "DownloadClients": "Download clients",
        "EpisodeCount": "{count} episodes",
        "Health": "Health",
        "Indexers": "Indexers",
        "Monitored": "Monitored",
        "QualityProfile": "Quality profile",
        "Queue": "Queue",
        "RootFolder": "Root folder",
        "SeasonNumberToken": "Season {seasonNumber}",
        "Tags": "Tags",
        "Wanted": "Wanted",
    })
}
