//! Invented titles, people's networks and texts. Nothing here exists on television.

/// Titles of the first series of every library, each with the year it began.
pub(crate) const FIRST: [(&str, i64); 24] = [
    ("The Heron's Ledger", 2019),
    ("Copperfield Street", 2021),
    ("Late Evening with Odile Marsh", 2017),
    ("Paper Lantern Brigade", 2022),
    ("Tidewater: Nine", 2026),
    ("Harrow & Daughters", 2015),
    ("Saltmarsh Radio", 2023),
    ("The Quiet Cartographers", 2018),
    ("Midnight at Fenwick Hall", 2020),
    ("Ninefold", 2024),
    ("Orchard Falls", 2016),
    ("Signal from Brae", 2025),
    ("The Glassblower's Winter", 2014),
    ("Kestrel Division", 2021),
    ("Bramble and Ash", 2013),
    ("A Field Guide to Leaving", 2022),
    ("Lowland Express", 2019),
    ("The Understudies", 2018),
    ("Moth Season", 2023),
    ("Ferrymen of Osk", 2020),
    ("Underhill Kitchen", 2024),
    ("Doctor Vane Regrets", 2012),
    ("Small Hours in Tarn", 2017),
    ("The Last Lighthouse Keeper", 2011),
];

const ADJECTIVES: [&str; 48] = [
    "Amber",
    "Borrowed",
    "Brittle",
    "Broken",
    "Cobalt",
    "Crooked",
    "Distant",
    "Drifting",
    "Early",
    "Empty",
    "Faded",
    "Feral",
    "Folded",
    "Forgotten",
    "Frozen",
    "Gentle",
    "Gilded",
    "Hidden",
    "Hollow",
    "Iron",
    "Ivory",
    "Lonesome",
    "Lost",
    "Marble",
    "Mirrored",
    "Nameless",
    "Narrow",
    "Northern",
    "Opal",
    "Painted",
    "Patient",
    "Quiet",
    "Restless",
    "Rusted",
    "Second",
    "Silver",
    "Sleeping",
    "Southern",
    "Stolen",
    "Sunken",
    "Tangled",
    "Tidal",
    "Uneven",
    "Velvet",
    "Wandering",
    "Weathered",
    "Winding",
    "Wintry",
];

const NOUNS: [&str; 60] = [
    "Almanac",
    "Anchor",
    "Archive",
    "Arcade",
    "Balcony",
    "Beacon",
    "Bridge",
    "Canal",
    "Choir",
    "Circuit",
    "Compass",
    "Corridor",
    "Courtyard",
    "Crossing",
    "Dockyard",
    "Echo",
    "Ember",
    "Estuary",
    "Ferry",
    "Foundry",
    "Garden",
    "Gate",
    "Harbour",
    "Hillside",
    "Horizon",
    "Inlet",
    "Island",
    "Kiln",
    "Labyrinth",
    "Lantern",
    "Ledger",
    "Library",
    "Meadow",
    "Mill",
    "Moor",
    "Observatory",
    "Orchard",
    "Parade",
    "Pavilion",
    "Pier",
    "Quarry",
    "Railway",
    "Reservoir",
    "Ridge",
    "Rooftop",
    "Sanctuary",
    "Shoreline",
    "Signal",
    "Station",
    "Staircase",
    "Sundial",
    "Terrace",
    "Theatre",
    "Tollhouse",
    "Tower",
    "Valley",
    "Viaduct",
    "Wharf",
    "Window",
    "Workshop",
];

const PLACES: [&str; 40] = [
    "Alder Cross",
    "Ashcombe",
    "Bellhaven",
    "Brackwater",
    "Calder Point",
    "Carrow",
    "Denholm Quay",
    "Dunmere",
    "Eastmarch",
    "Elderby",
    "Farrowdale",
    "Fenmoor",
    "Galloway End",
    "Glasswick",
    "Hartsea",
    "Hollin",
    "Inverlark",
    "Jutland Row",
    "Kelmouth",
    "Kingsferry",
    "Larkhill",
    "Lindenau",
    "Marrowstone",
    "Merrow",
    "Netherby",
    "Norwold",
    "Oakhampton Sound",
    "Ormsby",
    "Pellworth",
    "Quenby",
    "Ravensend",
    "Rushmere",
    "Saltash Bay",
    "Sedgewick",
    "Thornley",
    "Tolland",
    "Underwood",
    "Varnhem",
    "Westering",
    "Yarrow",
];

/// Networks that nobody can receive.
pub(crate) const NETWORKS: [&str; 8] =
    ["Channel Larch", "Nine West", "Harbour Television", "Meridian+", "Public Four", "Studio Osk", "Vantage", "Tern"];

/// Genres as TheTVDB names them.
pub(crate) const GENRES: [&str; 10] = [
    "Action",
    "Animation",
    "Comedy",
    "Crime",
    "Documentary",
    "Drama",
    "Fantasy",
    "Mystery",
    "Science Fiction",
    "Thriller",
];

/// Release groups whose downloads end well.
pub(crate) const GROUPS: [&str; 6] = ["NEST", "TIDE", "QUILL", "LARCH", "MOSS", "EMBER"];

fn of<'a>(items: &[&'a str], index: usize) -> &'a str {
    items.get(index % items.len().max(1)).copied().unwrap_or_default()
}

/// The title and first year of the series at a place in the library. No two places share a title.
pub(crate) fn series(index: usize) -> (String, i64) {
    if let Some((title, year)) = FIRST.get(index) {
        return ((*title).to_owned(), *year);
    }
    let index = index - FIRST.len();
    let pairs = ADJECTIVES.len() * NOUNS.len();
    let (pattern, within) = (index / pairs, index % pairs);
    // A stride that shares no factor with the count visits every pair once, in no visible order.
    let pair = within * 1_009 % pairs;
    let (adjective, noun) = (of(&ADJECTIVES, pair / NOUNS.len()), of(&NOUNS, pair % NOUNS.len()));
    let title = match pattern {
        0 => format!("The {adjective} {noun}"),
        1 => format!("{adjective} {noun}s of {}", of(&PLACES, within)),
        2 => format!("{noun}: {adjective} Days"),
        _ => format!("{} {pattern}: The {adjective} {noun}", of(&PLACES, within)),
    };
    (title, 2005 + i64::try_from(within % 20).unwrap_or(0))
}

/// The title and first year of a series that is not in any library, but can be looked up.
pub(crate) fn catalogue(number: usize) -> (String, i64) {
    let title = format!(
        "Letters from {}: {} {}",
        of(&PLACES, number),
        of(&ADJECTIVES, number * 5 + number / 40),
        of(&NOUNS, number * 7)
    );
    (title, 2000 + i64::try_from(number % 22).unwrap_or(0))
}

/// A sentence or two about a series.
pub(crate) fn series_overview(title: &str, seed: u64) -> String {
    let pick =
        |shift: u32, items: &[&'static str]| of(items, usize::try_from(seed >> shift & 0xffff).unwrap_or(0)).to_owned();
    let place = pick(3, &PLACES);
    let opening = pick(
        11,
        &[
            "When a letter arrives forty years late,",
            "After the ferry stops running,",
            "In the winter that nobody can date,",
            "With one week left on the lease,",
            "Between two elections,",
        ],
    );
    let middle = pick(
        19,
        &[
            "three siblings return to",
            "a retired surveyor takes a room in",
            "the night shift at a small station watches over",
            "a choir without a conductor gathers in",
            "an auditor and a thief share an office in",
        ],
    );
    format!("{opening} {middle} {place}, where {title} began. What they count, they must answer for.")
}

/// The title of an episode.
pub(crate) fn episode(seed: u32) -> String {
    let seed = seed as usize;
    let (adjective, noun, place) = (of(&ADJECTIVES, seed / 7), of(&NOUNS, seed / 3), of(&PLACES, seed / 5));
    match seed % 5 {
        0 => format!("The {adjective} {noun}"),
        1 => format!("{noun} in {place}"),
        2 => adjective.to_owned(),
        3 => format!("A {noun} for {place}"),
        _ => format!("{adjective} {noun}"),
    }
}

/// A sentence about an episode.
pub(crate) fn episode_overview(seed: u32) -> String {
    let seed = seed as usize;
    format!(
        "The {} is closed for the day, and {} has to be crossed before the {} is opened again.",
        of(&NOUNS, seed / 11).to_lowercase(),
        of(&PLACES, seed / 13),
        of(&NOUNS, seed / 17).to_lowercase(),
    )
}

/// The letters and digits of a title, as Sonarr compares titles.
pub(crate) fn clean(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty());
    let kept = words.filter(|word| !matches!(*word, "a" | "an" | "the" | "and" | "of" | "or"));
    kept.map(|word| word.replace('\'', "")).collect()
}

/// A title as a slug.
pub(crate) fn slug(title: &str) -> String {
    let lower = title.to_lowercase().replace('\'', "");
    lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// A title as it is sorted: lower case, without a leading article.
pub(crate) fn sort(title: &str) -> String {
    let lower = title.to_lowercase();
    let plain: String = lower.chars().filter(|letter| letter.is_alphanumeric() || letter.is_whitespace()).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    for article in ["the ", "a ", "an "] {
        if let Some(rest) = plain.strip_prefix(article) {
            return rest.to_owned();
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_title_is_used_twice() {
        let titles: HashSet<String> = (0..9000).map(|index| clean(&series(index).0)).collect();
        assert_eq!(titles.len(), 9000);
    }

    #[test]
    fn titles_are_sorted_and_cleaned() {
        assert_eq!(sort("The Heron's Ledger"), "herons ledger");
        assert_eq!(clean("Harrow & Daughters"), "harrowdaughters");
        assert_eq!(slug("Tidewater: Nine"), "tidewater-nine");
    }
}
