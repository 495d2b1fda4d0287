//! When two names are the same, and how alike they are otherwise.

use deunicode::deunicode;

/// A name without case, accents, spaces and marks: `Pokémon: The Series` is `pokemontheseries`.
pub fn squeezed(name: &str) -> String {
    let plain = deunicode(name).to_lowercase().replace('&', "and");
    let squeezed: String = plain.chars().filter(|c| c.is_alphanumeric()).collect();
    // A name of nothing but marks is what it is.
    if squeezed.is_empty() { name.trim().to_owned() } else { squeezed }
}

/// The places of those of `names` that resemble `text` most, at most `count`, the best first.
pub fn closest(text: &str, names: &[String], count: usize) -> Vec<usize> {
    let text = squeezed(text);
    let likeness = |name: &str| {
        let name = squeezed(name);
        let part = if name.contains(&text) || text.contains(&name) { 0.5 } else { 0.0 };
        strsim::normalized_damerau_levenshtein(&text, &name) + part
    };
    let mut ranked: Vec<(usize, f64)> = names.iter().map(|name| likeness(name)).enumerate().collect();
    ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    ranked.into_iter().take(count).map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::{closest, squeezed};

    #[test]
    fn case_accents_and_marks_do_not_count() {
        for (one, other) in [
            ("Pokémon", "pokemon"),
            ("M*A*S*H", "MASH"),
            ("Law & Order", "law and order"),
            ("9-1-1", "911"),
            ("Grey's Anatomy", "Greys anatomy"),
            ("Łódź Øst", "Lodz Ost"),
        ] {
            assert_eq!(squeezed(one), squeezed(other));
        }
        assert_ne!(squeezed("???"), squeezed("!!!"));
        assert_ne!(squeezed("24"), squeezed("42"));
    }

    #[test]
    fn the_likest_come_first() {
        let names = ["Alpha", "Beta Station", "Gamma"].map(str::to_owned);
        assert_eq!(closest("station", &names, 1), [1]);
        assert_eq!(closest("alpa", &names, 2)[0], 0);
    }
}
