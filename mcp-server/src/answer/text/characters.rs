//! Which characters cannot be seen, and where one of them is part of the writing.

/// A joiner that keeps letters apart.
const NON_JOINER: char = '\u{200c}';
/// A joiner that ties letters or emoji.
const JOINER: char = '\u{200d}';

/// Whether a character has no shape of its own: a control, or what Unicode lets a reader ignore.
pub fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a hidden character is part of the writing between its neighbours.
pub fn is_needed(before: Option<char>, character: char, after: Option<char>) -> bool {
    match (before, character, after) {
        (Some(before), NON_JOINER | JOINER, Some(after)) if takes_joiners(before) && takes_joiners(after) => true,
        (Some(before), JOINER, Some(after)) => {
            (is_symbol(before) || before == '\u{fe0f}' || is_skin_tone(before)) && is_symbol(after)
        }
        (Some(before), '\u{fe0e}' | '\u{fe0f}', _) => is_symbol(before) || is_keycap(before),
        _ => false,
    }
}

/// Letters and marks of scripts that are written with joiners.
fn takes_joiners(character: char) -> bool {
    !is_hidden(character)
        && matches!(character,
            '\u{600}'..='\u{8ff}'       // Arabic, Syriac, Thaana, N'Ko, Mandaic
            | '\u{900}'..='\u{dff}'     // the scripts of India and Sri Lanka
            | '\u{f00}'..='\u{109f}'    // Tibetan, Myanmar
            | '\u{1780}'..='\u{18af}'   // Khmer, Mongolian
            | '\u{1a20}'..='\u{1b7f}'   // Tai Tham, Balinese
            | '\u{a8e0}'..='\u{a8ff}' | '\u{aa60}'..='\u{aa7f}'
            | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{11000}'..='\u{11fff}')
}

/// Emoji and other pictures.
fn is_symbol(character: char) -> bool {
    matches!(character,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}'
        | '\u{2934}'..='\u{2935}' | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

fn is_skin_tone(character: char) -> bool {
    matches!(character, '\u{1f3fb}'..='\u{1f3ff}')
}

/// What a selector and the enclosing keycap make a key.
fn is_keycap(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*')
}
