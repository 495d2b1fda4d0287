//! progenitor's traits and builders → one file a group, ending in the SDK's own `exchange`.

use super::module;
use super::pages::{self, Paged};
use crate::names::{group_trait, pascal};
use crate::table::{Row, Table};
use anyhow::{Context, Result, bail, ensure};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, File, ImplItem, ImplItemFn, Item, ItemImpl, Path, Stmt, TraitItem, parse_quote};

/// The file of one group: the trait, its implementation, and the builders.
///
/// `docs` is what the docs of each operation end in.
pub fn group(
    output: &File,
    group: &str,
    table: &Table,
    docs: &BTreeMap<String, String>,
    paged: &BTreeMap<String, Paged>,
) -> Result<File> {
    let wanted = group_trait(group);
    let mut items: Vec<Item> = Vec::new();
    for item in &output.items {
        match item {
            Item::Trait(item) if item.ident == wanted => {
                let doc = format!(" Operations of the group `{group}`.");
                let mut item = item.clone();
                SketchesAreText.visit_item_trait_mut(&mut item);
                for method in &mut item.items {
                    if let TraitItem::Fn(method) = method
                        && let Some(rest) = docs.get(&method.sig.ident.to_string())
                    {
                        method.attrs.push(parse_quote!(#[doc = #rest]));
                    }
                }
                item.attrs.insert(0, parse_quote!(#[doc = #doc]));
                items.push(item.into());
            }
            Item::Impl(item) if item.trait_.as_ref().is_some_and(|(_, path, _)| path.is_ident(&wanted)) => {
                items.push(item.clone().into());
            }
            _ => {}
        }
    }
    ensure!(items.len() == 2, "progenitor made no trait {wanted}");
    let builders = builders(module(output, "builder")?, group, table, paged)?;
    // Not every group streams, has a body or a path argument: import what the builders mention.
    let mentioned: BTreeSet<String> = idents(quote!(#(#builders)*)).collect();
    let imported = |names: &[&str]| -> Vec<syn::Ident> {
        names.iter().filter(|name| mentioned.contains(**name)).map(|name| format_ident!("{name}")).collect()
    };
    let ours = imported(&["ByteStream", "Error", "ResponseValue"]);
    let progenitors = imported(&["RequestBuilderExt", "encode_path"]);
    let types = imported(&["types"]);
    items.insert(
        0,
        parse_quote!(
            use super::Client;
        ),
    );
    let use_types: Option<Item> = types.first().map(|types| parse_quote!(use super::super::#types;));
    let use_progenitor: Option<Item> =
        (!progenitors.is_empty()).then(|| parse_quote!(use progenitor_client::{#(#progenitors),*};));
    items.push(parse_quote! {
        /// One builder an operation: set its arguments, then `send`.
        pub mod builder {
            #use_types
            use crate::{#(#ours),*};
            #use_progenitor
            #(#builders)*
        }
    });
    Ok(File { shebang: None, attrs: Vec::new(), items })
}

/// Every identifier of the tokens, at any depth.
fn idents(tokens: TokenStream) -> Box<dyn Iterator<Item = String>> {
    Box::new(tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(ident) => Box::new(std::iter::once(ident.to_string())) as Box<dyn Iterator<Item = String>>,
        TokenTree::Group(group) => idents(group.stream()),
        _ => Box::new(std::iter::empty()),
    }))
}

fn builders(items: &[Item], group: &str, table: &Table, paged: &BTreeMap<String, Paged>) -> Result<Vec<Item>> {
    let mut out = Vec::new();
    for row in table.in_group(group) {
        if crate::normalise::BY_HAND.contains(&row.name.as_str()) {
            continue;
        }
        let name = pascal(&row.name);
        let mut found = 0;
        for item in items {
            match item {
                Item::Struct(item) if item.ident == name => {
                    found += 1;
                    let mut item = Item::Struct(item.clone());
                    PlainTypes.visit_item_mut(&mut item);
                    out.push(item);
                }
                Item::Impl(item) if is_of(item, &name) => {
                    found += 1;
                    let mut item = rebuilt(item, row).with_context(|| row.name.clone())?;
                    item.items.extend(paged.get(&row.at).map(|paged| pages::stream(paged).into()));
                    out.push(item.into());
                }
                _ => {}
            }
        }
        ensure!(found == 2, "progenitor made {found} items called {name}");
    }
    Ok(out)
}

fn is_of(item: &ItemImpl, name: &str) -> bool {
    item.trait_.is_none()
        && matches!(&*item.self_ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == name))
}

fn rebuilt(item: &ItemImpl, row: &Row) -> Result<ItemImpl> {
    let mut item = item.clone();
    // Without builders of values there is nothing to map.
    item.items.retain(|item| !matches!(item, ImplItem::Fn(method) if method.sig.ident == "body_map"));
    for method in &mut item.items {
        let ImplItem::Fn(method) = method else { continue };
        match method.sig.ident.to_string().as_str() {
            "new" => body_has_no_default(&mut method.block),
            "send" => send(method, row)?,
            _ => says_why(method),
        }
    }
    PlainTypes.visit_item_impl_mut(&mut item);
    Ok(item)
}

/// progenitor shows each call as Rust that no test can run; as text it is none that was passed over.
struct SketchesAreText;
impl VisitMut for SketchesAreText {
    fn visit_lit_str_mut(&mut self, text: &mut syn::LitStr) {
        *text = syn::LitStr::new(&text.value().replace("```ignore", "```text"), text.span());
    }
    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        if let syn::Meta::NameValue(pair) = &mut attribute.meta {
            self.visit_expr_mut(&mut pair.value);
        }
    }
}

/// progenitor would send `{}` for a body that was never set.
fn body_has_no_default(block: &mut Block) {
    struct Unset;
    impl VisitMut for Unset {
        fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
            if matches!(&field.member, syn::Member::Named(name) if name == "body") {
                field.expr = parse_quote!(Err("body was not initialized".to_string()));
            }
        }
    }
    Unset.visit_block_mut(block);
}

/// progenitor's setters say that a conversion failed, but not why.
fn says_why(setter: &mut ImplItemFn) {
    struct Reason(String);
    impl VisitMut for Reason {
        fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
            syn::visit_mut::visit_expr_method_call_mut(self, call);
            if call.method == "map_err" {
                let message = format!("`{}`: {{error}}", self.0);
                call.args = std::iter::once::<Expr>(parse_quote!(|error| format!(#message))).collect();
            }
        }
    }
    Reason(setter.sig.ident.to_string()).visit_block_mut(&mut setter.block);
    let Some(bounds) = &mut setter.sig.generics.where_clause else { return };
    let converted = bounds.predicates.iter().find_map(|predicate| match predicate {
        syn::WherePredicate::Type(predicate) if predicate.bounded_ty.to_token_stream().to_string() == "V" => {
            predicate.bounds.first().cloned()
        }
        _ => None,
    });
    if let Some(conversion) = converted
        && bounds.predicates.len() == 1
    {
        bounds.predicates.push(parse_quote!(<V as #conversion>::Error: std::fmt::Display));
    }
}

/// Keeps what builds the request, and hands it to `exchange` instead of progenitor's hooks.
fn send(method: &mut ImplItemFn, row: &Row) -> Result<()> {
    let kind = answer_kind(&method.block)?;
    let mut statements = Vec::new();
    for statement in &method.block.stmts {
        match bound(statement).as_deref() {
            Some("header_map") => continue,
            Some("info") => break,
            Some("request") => {
                let mut statement = statement.clone();
                NoHeaderMap.visit_stmt_mut(&mut statement);
                if let Stmt::Local(local) = &mut statement {
                    local.attrs.clear();
                    local.pat = parse_quote!(request);
                }
                statements.push(statement);
            }
            None if statement.to_token_stream().to_string().starts_with("header_map") => continue,
            _ => statements.push(statement.clone()),
        }
    }
    let name = &row.name;
    let exchange = format_ident!("{kind}");
    let last: Expr = if row.accepts.is_empty() {
        parse_quote!(crate::exchange::#exchange(client, request, #name).await)
    } else {
        ensure!(kind == "json", "only a JSON answer can come with another status");
        let accepts = &row.accepts;
        parse_quote!(crate::exchange::json_accepting(client, request, #name, &[#(#accepts),*]).await)
    };
    statements.push(Stmt::Expr(last, None));
    method.block.stmts = statements;
    OwnError.visit_return_type_mut(&mut method.sig.output);
    let doc = format!(" Sends `{}`.\n\n # Errors\n\n See [`Error`](crate::Error).", row.at);
    method.attrs = vec![parse_quote!(#[doc = #doc])];
    Ok(())
}

/// The variable a `let` statement binds.
fn bound(statement: &Stmt) -> Option<String> {
    let Stmt::Local(local) = statement else { return None };
    match &local.pat {
        syn::Pat::Ident(pat) => Some(pat.ident.to_string()),
        _ => Some(String::new()),
    }
}

/// Which of progenitor's three ways of reading an answer the method takes.
fn answer_kind(block: &Block) -> Result<&'static str> {
    struct Finder(Option<&'static str>);
    impl Visit<'_> for Finder {
        fn visit_path(&mut self, path: &Path) {
            for (method, kind) in [("from_response", "json"), ("stream", "stream"), ("empty", "empty")] {
                if path.segments.len() == 2
                    && path.segments.first().is_some_and(|segment| segment.ident == "ResponseValue")
                    && path.segments.last().is_some_and(|segment| segment.ident == method)
                {
                    self.0 = Some(kind);
                }
            }
        }
    }
    let mut finder = Finder(None);
    finder.visit_block(block);
    match finder.0 {
        Some(kind) => Ok(kind),
        None => bail!("progenitor reads the answer in a way the generator does not know"),
    }
}

/// Drops `.headers(header_map)`: it held progenitor's `api-version`, which Sonarr does not know.
struct NoHeaderMap;
impl VisitMut for NoHeaderMap {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expression);
        if let Expr::MethodCall(call) = expression
            && call.method == "headers"
            && call.args.to_token_stream().to_string() == "header_map"
        {
            *expression = (*call.receiver).clone();
        }
    }
}

/// `Error<()>` → the SDK's `Error`.
struct OwnError;
impl VisitMut for OwnError {
    fn visit_path_mut(&mut self, path: &mut Path) {
        if path.segments.len() == 1 && path.segments.first().is_some_and(|segment| segment.ident == "Error") {
            *path = parse_quote!(Error);
            return;
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}

/// `types::builder::Tag` → `types::Tag`.
struct PlainTypes;
impl VisitMut for PlainTypes {
    fn visit_path_mut(&mut self, path: &mut Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [first, second, name] = names.as_slice()
            && first == "types"
            && second == "builder"
        {
            let name = format_ident!("{name}");
            *path = parse_quote!(types::#name);
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}
