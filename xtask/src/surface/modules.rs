//! The modules of a crate, and what a path in one of them names.

use super::text::cfg;
use anyhow::{Context, Result};
use proc_macro2::TokenTree;
use std::collections::BTreeMap;
use syn::{Item, UseTree};

/// Where an item is defined.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Definition {
    pub module: String,
    pub name: String,
}

/// What a path leads to.
pub enum Target {
    Module(String),
    Item(Definition),
}

/// One name of a `use`: its path, and what it is called here; `*` is all names of the path.
pub struct Import {
    pub path: Vec<String>,
    pub name: String,
}

/// The items of all modules, without those of tests, by the module's path; the root's is empty.
#[derive(Default)]
pub struct Modules {
    pub items: BTreeMap<String, Vec<Item>>,
    /// What a module is only there with.
    pub conditions: BTreeMap<String, String>,
    /// The first rule of each macro, by name.
    pub macros: BTreeMap<String, Vec<TokenTree>>,
}

impl Modules {
    pub fn load(read: &dyn Fn(&str) -> Option<String>) -> Result<Self> {
        let text = read("lib.rs").context("the crate has no lib.rs")?;
        let mut modules = Self::default();
        modules.add(read, "", syn::parse_file(&text).context("lib.rs")?.items, String::new())?;
        Ok(modules)
    }

    fn add(
        &mut self,
        read: &dyn Fn(&str) -> Option<String>,
        path: &str,
        items: Vec<Item>,
        condition: String,
    ) -> Result<()> {
        let mut kept = Vec::new();
        for item in items {
            match &item {
                Item::Mod(module) => {
                    let Some(own) = cfg(&module.attrs) else { continue };
                    let inner = join(path, &module.ident.to_string());
                    let items = match &module.content {
                        Some((_, items)) => items.clone(),
                        None => {
                            let file = inner.replace("::", "/");
                            let text = read(&format!("{file}.rs")).or_else(|| read(&format!("{file}/mod.rs")));
                            let text = text.with_context(|| format!("the module {inner} has no file"))?;
                            syn::parse_file(&text).with_context(|| inner.clone())?.items
                        }
                    };
                    self.add(read, &inner, items, format!("{condition}{own}"))?;
                }
                Item::Macro(item) => {
                    if let Some(name) = &item.ident {
                        self.macros.insert(name.to_string(), item.mac.tokens.clone().into_iter().collect());
                    }
                }
                _ => {}
            }
            kept.push(item);
        }
        self.items.insert(path.to_owned(), kept);
        self.conditions.insert(path.to_owned(), condition);
        Ok(())
    }

    /// What a path means in a module; nothing where it leads out of the crate.
    pub fn resolve(&self, module: &str, path: &[String]) -> Option<Target> {
        self.resolve_within(module, path, 16)
    }

    fn resolve_within(&self, module: &str, path: &[String], depth: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(String::new()),
            "self" => Target::Module(module.to_owned()),
            "super" => Target::Module(parent(module).to_owned()),
            name => self.find(module, name, depth)?,
        };
        rest.iter().try_fold(start, |at, name| match at {
            Target::Module(module) if name == "super" => Some(Target::Module(parent(&module).to_owned())),
            Target::Module(module) => self.find(&module, name, depth),
            Target::Item(_) => None,
        })
    }

    fn find(&self, module: &str, name: &str, depth: usize) -> Option<Target> {
        let depth = depth.checked_sub(1)?;
        let inner = join(module, name);
        if self.items.contains_key(&inner) {
            return Some(Target::Module(inner));
        }
        let items = self.items.get(module)?;
        if items.iter().any(|item| ident(item).is_some_and(|ident| ident == name)) {
            return Some(Target::Item(Definition { module: module.to_owned(), name: name.to_owned() }));
        }
        let imports =
            || items.iter().filter_map(|item| if let Item::Use(item) = item { Some(&item.tree) } else { None });
        for import in imports().flat_map(imports_of) {
            let found = match import.name.as_str() {
                "*" => match self.resolve_within(module, &import.path, depth) {
                    Some(Target::Module(other)) if other != module => self.find(&other, name, depth),
                    _ => None,
                },
                // A `use x` of another crate would find itself.
                known if known == name && import.path != [name] => self.resolve_within(module, &import.path, depth),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// `a::b`, without colons before the root's items.
pub fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn parent(module: &str) -> &str {
    module.rsplit_once("::").map_or("", |(parent, _)| parent)
}

/// The name of what can be named.
pub fn ident(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The single names of a `use`.
pub fn imports_of(tree: &UseTree) -> Vec<Import> {
    let under = |first: &str, inner: Vec<Import>| {
        let add = |mut import: Import| {
            import.path.insert(0, first.to_owned());
            import
        };
        inner.into_iter().map(add).collect()
    };
    match tree {
        UseTree::Path(path) => under(&path.ident.to_string(), imports_of(&path.tree)),
        UseTree::Group(group) => group.items.iter().flat_map(imports_of).collect(),
        UseTree::Name(name) => vec![Import { path: vec![name.ident.to_string()], name: name.ident.to_string() }],
        UseTree::Rename(name) => vec![Import { path: vec![name.ident.to_string()], name: name.rename.to_string() }],
        UseTree::Glob(_) => vec![Import { path: Vec::new(), name: "*".to_owned() }],
    }
}
