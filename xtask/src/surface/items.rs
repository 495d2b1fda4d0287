//! What can be named from outside, and what is said of it.

use super::modules::{Definition, Import, Modules, Target, ident, imports_of, join};
use super::text::{cfg, condition_of, signature, tidy, tuple};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Attribute, Generics, ImplItem, Item, ItemImpl, Meta, TraitItem, Type, Visibility};

/// The public paths, each with what it is.
pub fn list(modules: &Modules) -> BTreeMap<String, String> {
    let mut names = Names { modules, paths: BTreeMap::new(), foreign: BTreeMap::new(), seen: BTreeSet::new() };
    names.visit("", "", "");
    let mut listing = Listing { out: names.foreign, modules, own: BTreeMap::new(), traits: BTreeMap::new() };
    for (definition, paths) in &names.paths {
        // The shortest path stands for the item, the others for the path. A prelude only repeats.
        let mut paths: Vec<_> = paths.iter().collect();
        paths.sort_by_key(|(path, _)| {
            (path.starts_with("prelude::"), path.matches("::").count(), path.len(), path.as_str())
        });
        let Some(((own, condition), others)) = paths.split_first() else { continue };
        for (path, condition) in others {
            listing.out.insert((*path).clone(), format!("use {own}{condition}"));
        }
        listing.own.insert(definition.clone(), ((*own).clone(), (*condition).clone()));
    }
    for (module, items) in &modules.items {
        for item in items {
            listing.item(module, item);
        }
    }
    let traits = std::mem::take(&mut listing.traits);
    for (path, traits) in traits {
        let traits: Vec<String> = traits.into_iter().collect();
        listing.out.insert(format!("{path} impl"), traits.join(", "));
    }
    listing.out
}

/// Which public paths lead to each definition.
struct Names<'a> {
    modules: &'a Modules,
    paths: BTreeMap<Definition, BTreeMap<String, String>>,
    /// What is taken over from other crates.
    foreign: BTreeMap<String, String>,
    seen: BTreeSet<(String, String)>,
}

impl Names<'_> {
    /// Takes the public items of `module` as items of the public path `at`.
    fn visit(&mut self, at: &str, module: &str, condition: &str) {
        if !self.seen.insert((at.to_owned(), module.to_owned())) {
            return;
        }
        for item in self.modules.items.get(module).into_iter().flatten() {
            match item {
                Item::Mod(inner) if is_public(&inner.vis) => {
                    if let Some(own) = cfg(&inner.attrs) {
                        let name = inner.ident.to_string();
                        self.visit(&join(at, &name), &join(module, &name), &format!("{condition}{own}"));
                    }
                }
                Item::Use(item) if is_public(&item.vis) => {
                    let Some(own) = cfg(&item.attrs) else { continue };
                    for import in imports_of(&item.tree) {
                        self.import(at, module, &import, &format!("{condition}{own}"));
                    }
                }
                item => {
                    let (Some(name), Some((vis, attributes))) = (ident(item), visibility(item)) else { continue };
                    let Some(own) = cfg(attributes).filter(|_| is_public(vis)) else { continue };
                    let path = join(at, &name);
                    let definition = Definition { module: module.to_owned(), name };
                    self.paths.entry(definition).or_default().insert(path, format!("{condition}{own}"));
                }
            }
        }
    }

    fn import(&mut self, at: &str, module: &str, import: &Import, condition: &str) {
        let hidden = import.name == "_";
        let path = if hidden { join(at, &format!("_{}", import.path.join("_"))) } else { join(at, &import.name) };
        match (self.modules.resolve(module, &import.path), import.name.as_str()) {
            (Some(Target::Module(other)), "*") => self.visit(at, &other, condition),
            (Some(Target::Module(other)), _) => self.visit(&path, &other, condition),
            (Some(Target::Item(definition)), _) => {
                self.paths.entry(definition).or_default().insert(path, condition.to_owned());
            }
            (None, _) => {
                self.foreign.insert(path, format!("use {}{condition}", import.path.join("::")));
            }
        }
    }
}

struct Listing<'a> {
    out: BTreeMap<String, String>,
    modules: &'a Modules,
    /// The path that stands for each definition, and what it is only there with.
    own: BTreeMap<Definition, (String, String)>,
    /// The traits of each type, by its path.
    traits: BTreeMap<String, BTreeSet<String>>,
}

impl Listing<'_> {
    fn item(&mut self, module: &str, item: &Item) {
        match item {
            Item::Impl(item) => return self.implementation(module, item),
            Item::Macro(item) => return self.macro_call(module, item),
            _ => {}
        }
        let Some(name) = ident(item) else { return };
        let definition = Definition { module: module.to_owned(), name };
        let Some((path, condition)) = self.own.get(&definition).cloned() else { return };
        let mut add = |below: String, what: String| {
            self.out.insert(format!("{path}{below}"), format!("{what}{condition}"));
        };
        match item {
            Item::Struct(item) => {
                let hidden = is_open(&item.attrs)
                    || item.fields.iter().any(|field| field.ident.is_some() && !is_public(&field.vis));
                let rest = if hidden { " { .. }" } else { "" };
                add(String::new(), format!("struct{}{}{rest}", generics(&item.generics), tuple(&item.fields, false)));
                for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                    if let Some(ident) = &field.ident {
                        add(format!(".{ident}"), tidy(&field.ty));
                    }
                }
                self.derives(&path, &item.attrs);
            }
            Item::Enum(item) => {
                let open = if is_open(&item.attrs) { ", non-exhaustive" } else { "" };
                add(String::new(), format!("enum{}{open}", generics(&item.generics)));
                for variant in &item.variants {
                    let members: Vec<String> = variant
                        .fields
                        .iter()
                        .filter_map(|field| Some(format!("{}: {}", field.ident.as_ref()?, tidy(&field.ty))))
                        .collect();
                    let members =
                        if members.is_empty() { String::new() } else { format!(" {{ {} }}", members.join(", ")) };
                    add(format!("::{}", variant.ident), format!("variant{}{members}", tuple(&variant.fields, true)));
                }
                self.derives(&path, &item.attrs);
            }
            Item::Trait(item) => {
                let above = tidy(&item.supertraits);
                let above = if above.is_empty() { above } else { format!(": {above}") };
                add(String::new(), format!("trait{}{above}", generics(&item.generics)));
                for member in &item.items {
                    match member {
                        TraitItem::Fn(member) => add(format!("::{}", member.sig.ident), signature(&member.sig)),
                        TraitItem::Const(member) => {
                            add(format!("::{}", member.ident), format!("const {}", tidy(&member.ty)));
                        }
                        TraitItem::Type(member) => {
                            add(format!("::{}", member.ident), format!("type {}", tidy(&member.bounds)));
                        }
                        _ => {}
                    }
                }
            }
            Item::Fn(item) => add(String::new(), signature(&item.sig)),
            Item::Type(item) => add(String::new(), format!("type{} = {}", generics(&item.generics), tidy(&item.ty))),
            Item::Const(item) => add(String::new(), format!("const {}", tidy(&item.ty))),
            Item::Static(item) => add(String::new(), format!("static {}", tidy(&item.ty))),
            _ => {}
        }
    }

    fn derives(&mut self, path: &str, attributes: &[Attribute]) {
        for attribute in attributes {
            let Meta::List(list) = &attribute.meta else { continue };
            let text = tidy(&list.tokens);
            let (condition, names) = if list.path.is_ident("derive") {
                (String::new(), text)
            } else if let Some((condition, rest)) =
                text.split_once(", derive(").filter(|_| list.path.is_ident("cfg_attr"))
            {
                (condition_of(condition), rest.trim_end_matches(')').to_owned())
            } else {
                continue;
            };
            for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                self.implements(path, format!("{}{condition}", name.rsplit("::").next().unwrap_or(name)));
            }
        }
    }

    fn implements(&mut self, path: &str, name: String) {
        self.traits.entry(path.to_owned()).or_default().insert(name);
    }

    /// The public path of a type, where it is one of ours.
    fn path_of(&self, module: &str, ty: &Type) -> Option<(String, String)> {
        let path: Vec<String> = match ty {
            Type::Path(ty) => ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect(),
            Type::Reference(ty) => return self.path_of(module, &ty.elem),
            _ => return None,
        };
        let Target::Item(definition) = self.modules.resolve(module, &path)? else { return None };
        self.own.get(&definition).cloned()
    }

    /// Whether a trait can be named: it is another crate's, or a public one.
    fn is_known(&self, module: &str, name: &syn::Path) -> bool {
        let path: Vec<String> = name.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match self.modules.resolve(module, &path) {
            Some(Target::Item(definition)) => self.own.contains_key(&definition),
            _ => true,
        }
    }

    fn implementation(&mut self, module: &str, item: &ItemImpl) {
        let Some(own) = cfg(&item.attrs) else { return };
        let Some((path, outer)) = self.path_of(module, &item.self_ty) else { return };
        let around = self.modules.conditions.get(module).cloned().unwrap_or_default();
        let condition = if around == outer { format!("{outer}{own}") } else { format!("{outer}{around}{own}") };
        let Some((_, name, _)) = &item.trait_ else {
            for member in &item.items {
                let (vis, attributes, name, what) = match member {
                    ImplItem::Fn(member) => (&member.vis, &member.attrs, &member.sig.ident, signature(&member.sig)),
                    ImplItem::Const(member) => {
                        (&member.vis, &member.attrs, &member.ident, format!("const {}", tidy(&member.ty)))
                    }
                    _ => continue,
                };
                if let Some(own) = cfg(attributes).filter(|_| is_public(vis)) {
                    self.out.insert(format!("{path}::{name}"), format!("{what}{condition}{own}"));
                }
            }
            return;
        };
        if !self.is_known(module, name) {
            return;
        }
        let Some(last) = name.segments.last() else { return };
        let mut text = tidy(&last);
        for member in &item.items {
            if let ImplItem::Type(member) = member {
                text.push_str(&format!(" {} = {}", member.ident, tidy(&member.ty)));
            }
        }
        let by_reference = if matches!(*item.self_ty, Type::Reference(_)) { " for &Self" } else { "" };
        self.implements(&path, format!("{text}{by_reference}{own}"));
    }

    /// What a call of one of the crate's macros implements: its rule is read, not run.
    fn macro_call(&mut self, module: &str, item: &syn::ItemMacro) {
        let Some(name) = item.mac.path.segments.last() else { return };
        let Some(rule) = self.modules.macros.get(&name.ident.to_string()) else { return };
        let mut body = rule.iter().filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
            _ => None,
        });
        let Some(TokenTree::Ident(target)) = item.mac.tokens.clone().into_iter().next() else { return };
        let ty: Type = syn::parse_quote!(#target);
        let Some((path, condition)) = self.path_of(module, &ty) else { return };
        for (head, inner) in body.next_back().map(implementations).unwrap_or_default() {
            let trait_of = head.split_once(" for ").map(|(name, _)| name.to_owned());
            match trait_of {
                Some(name) => self.implements(&path, name),
                None => {
                    for (name, what) in public_members(inner) {
                        self.out.insert(format!("{path}::{name}"), format!("{what}{condition}"));
                    }
                }
            }
        }
    }
}

/// The `impl … { … }` of a macro's rule: what stands between the word and the brace, and what is within.
fn implementations(body: TokenStream) -> Vec<(String, TokenStream)> {
    let mut found = Vec::new();
    let mut head: Option<Vec<TokenTree>> = None;
    let mut condition = String::new();
    for token in body {
        match (&token, &mut head) {
            (TokenTree::Ident(word), None) if word == "impl" => head = Some(Vec::new()),
            (TokenTree::Group(group), Some(tokens)) if group.delimiter() == Delimiter::Brace => {
                let text = tidy(&without_generics(std::mem::take(tokens)));
                found.push((with_condition(&text, &condition), group.stream()));
                condition.clear();
                head = None;
            }
            (TokenTree::Group(group), None) if group.delimiter() == Delimiter::Bracket => {
                let text = tidy(&group.stream());
                let inner = text.strip_prefix("cfg(").and_then(|rest| rest.strip_suffix(')'));
                condition = inner.map(condition_of).unwrap_or_default();
            }
            (_, Some(tokens)) => tokens.push(token),
            _ => {}
        }
    }
    found
}

/// `Trait for Type` of `<'de> Trait for Type`.
fn without_generics(tokens: Vec<TokenTree>) -> TokenStream {
    let is = |token: &TokenTree, sign: char| matches!(token, TokenTree::Punct(found) if found.as_char() == sign);
    let generic = tokens.first().is_some_and(|token| is(token, '<'));
    let end = tokens.iter().position(|token| is(token, '>')).filter(|_| generic);
    tokens.into_iter().skip(end.map_or(0, |end| end + 1)).collect()
}

fn with_condition(head: &str, condition: &str) -> String {
    match head.split_once(" for ") {
        Some((name, ty)) => {
            let path = name.split('<').next().and_then(|path| path.rfind("::"));
            let name = path.and_then(|at| name.get(at + 2..)).unwrap_or(name);
            format!("{name}{condition} for {ty}")
        }
        None => head.to_owned(),
    }
}

/// The `pub` functions and constants among the tokens of an `impl`.
fn public_members(inner: TokenStream) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut tokens = inner.into_iter();
    while let Some(token) = tokens.next() {
        if !matches!(&token, TokenTree::Ident(word) if word == "pub") {
            continue;
        }
        let upto = |token: &TokenTree| match token {
            TokenTree::Punct(sign) => sign.as_char() != '=',
            TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
            _ => true,
        };
        let text = tidy(&tokens.by_ref().take_while(upto).collect::<TokenStream>());
        let name = text.trim_start_matches("const ").trim_start_matches("fn ");
        let name: String = name.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let what = text.replacen(&format!("const {name}: "), "const ", 1);
        found.push((name, what));
    }
    found
}

fn generics(generics: &Generics) -> String {
    let bounds = generics.where_clause.as_ref().map(|bounds| format!(" {}", tidy(bounds))).unwrap_or_default();
    format!("{}{bounds}", tidy(&generics.to_token_stream()))
}

fn visibility(item: &Item) -> Option<(&Visibility, &[Attribute])> {
    Some(match item {
        Item::Const(item) => (&item.vis, &item.attrs),
        Item::Enum(item) => (&item.vis, &item.attrs),
        Item::Fn(item) => (&item.vis, &item.attrs),
        Item::Static(item) => (&item.vis, &item.attrs),
        Item::Struct(item) => (&item.vis, &item.attrs),
        Item::Trait(item) => (&item.vis, &item.attrs),
        Item::Type(item) => (&item.vis, &item.attrs),
        Item::Union(item) => (&item.vis, &item.attrs),
        _ => return None,
    })
}

fn is_open(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"))
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}
