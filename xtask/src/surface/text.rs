//! Rust in one line, as short as it stays clear.

use quote::ToTokens;
use syn::{Attribute, Field, Fields, Meta, Signature, Visibility};

/// What an item is only there with, such as ` [stream]`; nothing for what only tests have.
pub fn cfg(attributes: &[Attribute]) -> Option<String> {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
        let Meta::List(list) = &attribute.meta else { continue };
        let condition = tidy(&list.tokens);
        if condition == "test" {
            return None;
        }
        text.push_str(&condition_of(&condition));
    }
    Some(text)
}

/// ` [stream]` of `feature = "stream"`.
pub fn condition_of(condition: &str) -> String {
    let feature = condition.strip_prefix("feature = \"").and_then(|rest| rest.strip_suffix('"'));
    format!(" [{}]", feature.filter(|name| !name.contains('"')).unwrap_or(condition))
}

/// The types of a tuple, `_` for one that is private; the members of a struct stand for themselves. A variant's are
/// as public as the enum.
pub fn tuple(fields: &Fields, variant: bool) -> String {
    let Fields::Unnamed(fields) = fields else { return String::new() };
    let shown = |field: &Field| variant || matches!(field.vis, Visibility::Public(_));
    let types: Vec<String> =
        fields.unnamed.iter().map(|field| if shown(field) { tidy(&field.ty) } else { "_".to_owned() }).collect();
    format!("({})", types.join(", "))
}

/// A setter by what it takes, another function by its signature.
pub fn signature(signature: &Signature) -> String {
    let text = tidy(signature);
    let taken = text.split_once(" where V: TryInto<").and_then(|(start, rest)| {
        start.ends_with("<V>(mut self, value: V) -> Self").then(|| rest.split_once(">,").map(|(taken, _)| taken))
    });
    match taken.flatten() {
        Some(taken) => format!("set {taken}"),
        None => text,
    }
}

/// Rust without the paths and blanks that say nothing.
pub fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    for path in [
        "std :: option ::",
        "std :: vec ::",
        "std :: string ::",
        "std :: result ::",
        "std :: collections ::",
        "std :: convert ::",
        "std :: fmt ::",
        "chrono :: offset ::",
        "chrono ::",
        "serde_json ::",
        "serde :: ser ::",
        "serde :: de ::",
        "serde ::",
    ] {
        text = text.replace(&format!(":: {path} "), "").replace(&format!("{path} "), "");
    }
    for (wide, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" - >", " ->"),
        (" ->", "->"),
        ("->", " ->"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
        ("& ", "&"),
        (" :", ":"),
        (" = >", " =>"),
        ("! ", "!"),
        ("->(", "-> ("),
        ("->[", "-> ["),
        (":(", ": ("),
        ("' ", "'"),
        (",)", ")"),
    ] {
        text = text.replace(wide, tight);
    }
    text.trim().to_owned()
}
