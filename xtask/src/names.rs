//! Names as the generated code spells them.

use heck::{ToPascalCase, ToSnakeCase};

/// Words of the language that a field cannot be called.
const KEYWORDS: [&str; 12] =
    ["type", "ref", "match", "move", "in", "as", "use", "mod", "loop", "where", "self", "crate"];

/// `seriesId` → `series_id`, `type` → `type_`: a field, an argument, a builder's setter.
pub fn field(wire: &str) -> String {
    let snake = wire.to_snake_case();
    if KEYWORDS.contains(&snake.as_str()) { format!("{snake}_") } else { snake }
}

/// `list_queue` → `ListQueue`.
pub fn pascal(name: &str) -> String {
    name.to_pascal_case()
}

/// The trait that carries a group's methods.
pub fn group_trait(group: &str) -> String {
    format!("Client{}Ext", pascal(group))
}
