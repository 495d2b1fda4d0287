//! Words: where they begin in a path, and their forms.

use heck::ToSnakeCase;
use std::collections::BTreeSet;

/// The words of names and schemas; paths write them without a gap.
pub struct Words(BTreeSet<String>);

/// Nouns that are their own plural.
const UNCOUNTED: [&str; 8] = ["series", "metadata", "media", "health", "space", "history", "blocklist", "since"];

impl Words {
    /// Learns the words of operations' names and of schemas' names.
    pub fn learn<'a>(names: impl Iterator<Item = &'a str>, schemas: impl Iterator<Item = &'a str>) -> Self {
        let names = names.flat_map(|name| name.split('_').map(str::to_owned).collect::<Vec<_>>());
        let schemas = schemas.flat_map(|name| name.to_snake_case().split('_').map(str::to_owned).collect::<Vec<_>>());
        Self(names.chain(schemas).filter(|word| word.len() > 1).collect())
    }

    /// `qualityprofile` → `quality_profile`: as few known words as possible, or the segment as it is.
    pub fn split(&self, segment: &str) -> String {
        let segment = segment.to_snake_case();
        // The best way to write the first n bytes.
        let mut best: Vec<Option<Vec<&str>>> = vec![Some(Vec::new())];
        for end in 1..=segment.len() {
            let mut found: Option<Vec<&str>> = None;
            for start in 0..end {
                let (Some(Some(before)), Some(word)) = (best.get(start), segment.get(start..end)) else { continue };
                let known = self.0.contains(word) || self.0.contains(&singular(word));
                if known && found.as_ref().is_none_or(|found| before.len() + 1 < found.len()) {
                    found = Some(before.iter().copied().chain([word]).collect());
                }
            }
            best.push(found);
        }
        match best.pop().flatten() {
            Some(words) if !words.is_empty() => words.join("_"),
            _ => segment,
        }
    }
}

/// `quality_profile` → `quality_profiles`.
pub fn plural(noun: &str) -> String {
    if UNCOUNTED.iter().any(|word| noun.ends_with(word)) {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with("ss") || noun.ends_with('x') || noun.ends_with("ch") => format!("{noun}es"),
        _ if noun.ends_with('s') => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}

/// `quality_profiles` → `quality_profile`.
pub fn singular(noun: &str) -> String {
    if UNCOUNTED.iter().any(|word| noun.ends_with(word)) || noun.ends_with("ss") || noun.ends_with("us") {
        return noun.to_owned();
    }
    if let Some(stem) = noun.strip_suffix("ies") {
        return format!("{stem}y");
    }
    noun.strip_suffix('s').unwrap_or(noun).to_owned()
}

/// `indexer` → `an indexer`.
pub fn with_article(noun: &str) -> String {
    if noun.starts_with(['a', 'e', 'i', 'o']) { format!("an {noun}") } else { format!("a {noun}") }
}

/// `grab` → `Grabs`.
pub fn third_person(verb: &str) -> String {
    let mut letters = verb.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let verb = format!("{first}{}", letters.as_str());
    if verb.ends_with("sh") || verb.ends_with('x') || verb.ends_with("ch") {
        format!("{verb}es")
    } else {
        format!("{verb}s")
    }
}
