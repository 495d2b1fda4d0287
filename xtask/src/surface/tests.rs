use super::{Surface, differences, run};
use std::collections::BTreeMap;

const FILES: [(&str, &str); 3] = [
    (
        "lib.rs",
        r#"
        mod inner;
        mod private { pub struct Unreachable; }
        #[cfg(test)]
        mod tests { pub struct OfTests; }
        pub mod shown { pub use crate::inner::deep::Deep; pub fn go(on: &str) -> ::std::option::Option<u8> { None } }
        pub mod prelude { pub use super::Kept; }
        macro_rules! open { ($name:ident { $($x:ident),* }) => {
            impl $name { /// Names.
                pub const NAMES: &'static [&'static str] = &[]; fn hidden() {} }
            impl<'de> ::serde::Deserialize<'de> for $name { fn deserialize() {} }
        }; }
        pub use inner::*;
        #[cfg(feature = "extra")]
        pub use inner::only::Only;
        pub use other_crate::Foreign;
        "#,
    ),
    (
        "inner.rs",
        r#"
        pub mod deep;
        pub(crate) mod only { pub struct Only(u8, pub u16); }
        #[derive(Clone, Debug)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct Kept<'a> { pub id: ::std::option::Option<i32>, secret: &'a str }
        impl<'a> Kept<'a> {
            pub fn name<V>(mut self, value: V) -> Self where V: std::convert::TryInto<String>, { self }
            pub async fn send(self) -> Result<(), Error> { Ok(()) }
            fn own(&self) {}
        }
        trait Sealed {}
        impl Sealed for Kept<'_> {}
        impl std::fmt::Display for Kept<'_> {}
        struct Hidden;
        "#,
    ),
    ("inner/deep.rs", "#[non_exhaustive] pub enum Deep { One(u8), Two { a: i32 } } open! { Deep { One } }"),
];

fn surface(files: &[(&str, &str)]) -> Surface {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    Surface::of(&|path| files.get(path).map(|text| (*text).to_owned())).unwrap()
}

#[test]
fn everything_that_can_be_named_is_listed_once_and_nothing_else() {
    let lines: Vec<String> = surface(&FILES).0.iter().map(|(path, what)| format!("{path}: {what}")).collect();
    let due = [
        "Foreign: use other_crate::Foreign",
        "Kept: struct<'a> { .. }",
        "Kept impl: Clone, Debug, Display, JsonSchema [schema]",
        "Kept.id: Option<i32>",
        "Kept::name: set String",
        "Kept::send: async fn send(self) -> Result<(), Error>",
        "Only: struct(_, u16) [extra]",
        "deep::Deep: enum, non-exhaustive",
        "deep::Deep impl: Deserialize<'de>",
        "deep::Deep::NAMES: const &'static [&'static str]",
        "deep::Deep::One: variant(u8)",
        "deep::Deep::Two: variant { a: i32 }",
        "prelude::Kept: use Kept",
        "shown::Deep: use deep::Deep",
        "shown::go: fn go(on: &str) -> Option<u8>",
    ];
    assert_eq!(lines, due);
}

#[test]
fn a_page_is_a_module() {
    let pages = surface(&FILES).pages();
    let names: Vec<&str> = pages.keys().map(String::as_str).collect();
    assert_eq!(names, ["crate.txt", "deep.txt", "prelude.txt", "shown.txt"]);
}

#[test]
fn a_difference_is_told_by_its_lines() {
    let page = |text: &str| Some(text.to_owned());
    let (before, after) = (page("A: struct\nB: struct\n"), page("A: enum\nB: struct\n"));
    assert_eq!(differences(before.as_ref(), after.as_ref()), ["- A: struct", "+ A: enum"]);
    assert_eq!(differences(None, after.as_ref()).len(), 2);
}

#[test]
fn the_public_items_are_those_of_the_snapshots() {
    run(&crate::document::root().unwrap(), true).unwrap();
}

#[test]
fn an_item_that_goes_or_comes_fails_the_check_until_it_is_accepted() {
    let root = std::env::temp_dir().join(format!("xtask-surface-{}", std::process::id()));
    let source = root.join("sonarr-client/src");
    std::fs::create_dir_all(&source).unwrap();
    std::fs::write(source.join("lib.rs"), "pub struct Tag; pub mod old { pub fn gone() {} }").unwrap();
    run(&root, false).unwrap();
    run(&root, true).unwrap();

    std::fs::write(source.join("lib.rs"), "pub struct Label;").unwrap();
    let message = run(&root, true).unwrap_err().to_string();
    for part in ["crate.txt - Tag: struct", "crate.txt + Label: struct", "old.txt - old::gone", "cargo xtask api"] {
        assert!(message.contains(part), "{part} in {message}");
    }
    run(&root, false).unwrap();
    run(&root, true).unwrap();
    assert!(!root.join("snapshots/api/sonarr-client/old.txt").exists());
    std::fs::remove_dir_all(&root).unwrap();
}
