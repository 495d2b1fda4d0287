//! The public items of generated Rust, and what two states of them differ in.

use super::facts::Facts;
use anyhow::{Context, Result};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{Fields, ImplItem, Item, Signature, TraitItem, Visibility};

/// What users of the SDK see of its generated code: signature or type by path.
#[derive(Debug, Default, PartialEq)]
pub struct Surface(Facts);

/// What a program that uses the SDK notices.
#[derive(Debug, Default, PartialEq)]
pub struct Impact {
    pub breaks: Vec<String>,
    pub adds: Vec<String>,
}

impl Surface {
    /// Reads the files of the generated folder, by name without the folder.
    pub fn read(files: &BTreeMap<String, String>) -> Result<Self> {
        let mut surface = Self::default();
        let root = files.get("mod.rs").context("the generated code has no mod.rs")?;
        let root = syn::parse_file(root).context("mod.rs")?;
        for item in &root.items {
            // Modules with a body are read with the rest.
            let Item::Mod(module) = item else { continue };
            if !is_public(&module.vis) || module.content.is_some() {
                continue;
            }
            let name = format!("{}.rs", module.ident);
            let Some(text) = files.get(&name) else { continue };
            let file = syn::parse_file(text).with_context(|| name.clone())?;
            surface.items(&module.ident.to_string(), &file.items);
        }
        surface.items("", &root.items);
        Ok(surface)
    }

    /// What changes for users when `self` becomes `new`.
    pub fn becomes(&self, new: &Self) -> Impact {
        // What goes or comes with its owner is not told again.
        let with_owner = |there: &Self, elsewhere: &Self, path: &str| {
            owner(path).is_some_and(|owner| there.0.contains_key(owner) && !elsewhere.0.contains_key(owner))
        };
        let mut impact = Impact::default();
        for (path, before) in &self.0 {
            match new.0.get(path) {
                None if with_owner(self, new, path) => {}
                None => impact.breaks.push(format!("removed: `{path}`")),
                Some(after) if after != before => {
                    impact.breaks.push(format!("changed: `{path}`: `{before}` → `{after}`"));
                }
                Some(_) => {}
            }
        }
        for (path, after) in &new.0 {
            if !self.0.contains_key(path) && !with_owner(new, self, path) {
                impact.adds.push(if after.is_empty() { format!("`{path}`") } else { format!("`{path}`: `{after}`") });
            }
        }
        impact
    }

    fn items(&mut self, module: &str, items: &[Item]) {
        let path = |name: &dyn ToString| {
            if module.is_empty() { name.to_string() } else { format!("{module}::{}", name.to_string()) }
        };
        for item in items {
            match item {
                Item::Struct(item) if is_public(&item.vis) => {
                    let owner = path(&item.ident);
                    self.0.insert(owner.clone(), fields(&item.fields));
                    for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                        if let Some(ident) = &field.ident {
                            self.0.insert(format!("{owner}.{ident}"), tidy(&field.ty));
                        }
                    }
                }
                Item::Enum(item) if is_public(&item.vis) => {
                    let owner = path(&item.ident);
                    self.0.insert(owner.clone(), String::new());
                    for variant in &item.variants {
                        self.0.insert(format!("{owner}::{}", variant.ident), fields(&variant.fields));
                    }
                }
                Item::Trait(item) if is_public(&item.vis) => {
                    let owner = path(&item.ident);
                    self.0.insert(owner.clone(), String::new());
                    for method in &item.items {
                        if let TraitItem::Fn(method) = method {
                            self.0.insert(format!("{owner}::{}", method.sig.ident), signature(&method.sig));
                        }
                    }
                }
                Item::Impl(item) if item.trait_.is_none() => {
                    let owner = path(&tidy(&item.self_ty).replace("<'a>", ""));
                    for method in &item.items {
                        if let ImplItem::Fn(method) = method
                            && is_public(&method.vis)
                        {
                            self.0.insert(format!("{owner}::{}", method.sig.ident), signature(&method.sig));
                        }
                    }
                }
                Item::Fn(item) if is_public(&item.vis) => {
                    self.0.insert(path(&item.sig.ident), signature(&item.sig));
                }
                Item::Type(item) if is_public(&item.vis) => {
                    self.0.insert(path(&item.ident), tidy(&item.ty));
                }
                Item::Mod(item) if is_public(&item.vis) => {
                    if let Some((_, items)) = &item.content {
                        self.items(&path(&item.ident), items);
                    }
                }
                _ => {}
            }
        }
    }
}

/// `types::Tag` of `types::Tag.label`.
fn owner(path: &str) -> Option<&str> {
    path.get(..path.rfind('.').max(path.rfind("::"))?)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The types of a tuple; the members of a struct stand for themselves.
fn fields(fields: &Fields) -> String {
    match fields {
        Fields::Unnamed(fields) => tidy(fields),
        Fields::Named(_) | Fields::Unit => String::new(),
    }
}

/// A setter by what it takes, another function by its signature.
fn signature(signature: &Signature) -> String {
    let text = tidy(signature);
    let taken = text.split_once("V:TryInto<").and_then(|(_, rest)| rest.split_once(">,"));
    match taken {
        Some((taken, _)) => taken.to_owned(),
        None => text,
    }
}

/// Rust without the paths and blanks that say nothing.
fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    text.retain(|letter| letter != '\n');
    for path in [
        ":: std :: option ::",
        ":: std :: vec ::",
        ":: std :: string ::",
        ":: std :: collections ::",
        ":: chrono :: offset ::",
        ":: chrono ::",
        ":: serde_json ::",
        "std :: convert ::",
    ] {
        text = text.replace(path, "");
    }
    for (wide, tight) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("& ", "&"),
        (" : ", ":"),
        (" :", ":"),
        (">  ", "> "),
    ] {
        text = text.replace(wide, tight);
    }
    text.trim().to_owned()
}
