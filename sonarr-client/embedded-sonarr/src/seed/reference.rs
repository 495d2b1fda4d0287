//! Constants of the server: languages, indexer flags, texts.

use serde_json::Value;

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

/// Texts of the web UI: keys keep their case. About as many and as long as the real ones.
pub(crate) fn texts() -> Value {
    const THINGS: [&str; 40] = [
        "Activity",
        "Alternate",
        "AnimeEpisode",
        "Application",
        "Authentication",
        "Backup",
        "Blocklist",
        "Branch",
        "Calendar",
        "Certificate",
        "Condition",
        "Connection",
        "CustomFormat",
        "DailyEpisode",
        "DelayProfile",
        "DiskSpace",
        "DownloadClient",
        "Episode",
        "EpisodeFile",
        "Exclusion",
        "Health",
        "History",
        "ImportList",
        "Indexer",
        "Language",
        "LogFile",
        "MediaManagement",
        "Metadata",
        "Naming",
        "Notification",
        "Profile",
        "Proxy",
        "Quality",
        "QualityDefinition",
        "Queue",
        "ReleaseProfile",
        "RemotePath",
        "RootFolder",
        "Season",
        "Series",
    ];
    const FORMS: [(&str, &str); 26] = [
        ("", "{}"),
        ("Add", "Add {}"),
        ("AddError", "Unable to add this {}, please try again"),
        ("AddedToast", "{} '{name}' added"),
        ("Clone", "Clone {}"),
        ("Count", "{count} of {}"),
        ("Delete", "Delete {}"),
        ("DeleteMessage", "Are you sure that you want to delete the {} '{name}'?"),
        ("DeleteSelected", "Delete the selected items of {}"),
        ("DeleteSelectedMessage", "Are you sure that you want to delete {count} selected items of {}?"),
        ("Details", "Details of {}"),
        ("Edit", "Edit {}"),
        ("EditSelected", "Edit the selected items of {}"),
        ("Enable", "Enable {}"),
        ("EnableHelpText", "When this is off, {} is kept but not used"),
        ("HelpText", "What {} does is told where it is set"),
        ("HelpTextWarning", "A change of {} takes effect after a restart"),
        ("LoadError", "Unable to load {}"),
        ("Manage", "Manage {}"),
        ("Missing", "{} is missing"),
        ("None", "No {} has been found"),
        ("Options", "Options of {}"),
        ("Priority", "Priority of {}"),
        ("Reset", "Reset {}"),
        ("Settings", "Settings of {}"),
        ("Tags", "{} is used only for series with at least one of these tags; leave it blank for all series"),
    ];
    let mut texts = serde_json::Map::new();
    for thing in THINGS {
        let mut words = String::new();
        for letter in thing.chars() {
            if letter.is_ascii_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(letter.to_ascii_lowercase());
        }
        for (form, text) in FORMS {
            texts.insert(format!("{thing}{form}"), text.replace("{}", &words).into());
        }
    }
    Value::Object(texts)
}
