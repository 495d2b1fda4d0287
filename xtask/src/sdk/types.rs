//! progenitor's types → open types: unknown members, explicit nulls and unknown enum values are kept.

use anyhow::{Context, Result, bail, ensure};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, Field, File, Ident, Item, ItemEnum, ItemImpl, ItemStruct, LitStr, Path, Token, parse_quote};

/// The variants every enum gets for what it does not know.
const UNKNOWN: [&str; 2] = ["Unrecognized", "UnrecognizedNumber"];

/// The module's items as a file of their own.
pub fn open(items: &[Item]) -> Result<File> {
    let opened: BTreeSet<&Ident> = items
        .iter()
        .filter_map(|item| match item {
            Item::Enum(item) => Some(&item.ident),
            Item::Struct(item) if has_extra(item) => Some(&item.ident),
            _ => None,
        })
        .collect();
    let mut out = Vec::new();
    for item in items {
        match item {
            Item::Enum(item) => out.extend(open_enum(item)?),
            Item::Struct(item) if has_extra(item) => out.extend(open_struct(item)?),
            // Builders of values: with every member optional, `Type { member, ..Default::default() }` does it.
            Item::Mod(module) if module.ident == "builder" => {}
            // Conversions between a type and its builder, and of closed enums from text.
            Item::Impl(item) if names_one_of(item, &opened) => {}
            other => out.push(other.clone()),
        }
    }
    let error = out.iter().position(|item| matches!(item, Item::Mod(module) if module.ident == "error"));
    if let Some(error) = error {
        let module = out.remove(error);
        if out.iter().any(mentions_error) {
            out.insert(0, module);
        }
    }
    Ok(File { shebang: None, attrs: Vec::new(), items: out })
}

fn has_extra(item: &ItemStruct) -> bool {
    item.fields.iter().any(|field| field.ident.as_ref().is_some_and(|ident| ident == "extra"))
}

fn names_one_of(item: &ItemImpl, names: &BTreeSet<&Ident>) -> bool {
    matches!(&*item.self_ty, syn::Type::Path(path)
        if path.path.segments.last().is_some_and(|segment| names.contains(&segment.ident)))
}

fn mentions_error(item: &Item) -> bool {
    struct Finder(bool);
    impl Visit<'_> for Finder {
        fn visit_path(&mut self, path: &Path) {
            self.0 |= path.segments.iter().any(|segment| segment.ident == "ConversionError");
            syn::visit::visit_path(self, path);
        }
    }
    let mut finder = Finder(false);
    finder.visit_item(item);
    finder.0
}

/// Members that hold a secret though their name does not say so: a provider's setting may be a password, and
/// indexers put their key into the addresses of releases.
const SECRETS: [(&str, &str); 5] = [
    ("Field", "value"),
    ("HistoryResource", "data"),
    ("ReleaseResource", "downloadUrl"),
    ("ReleaseResource", "guid"),
    ("ReleaseResource", "magnetUrl"),
];

fn is_secret(owner: &Ident, wire: &str) -> bool {
    let lower = wire.to_lowercase();
    lower.contains("apikey") || lower.contains("password") || SECRETS.iter().any(|(o, w)| owner == o && wire == *w)
}

/// `Debug` that tells of a secret only whether it is there: debug output ends up in logs.
fn masked_debug(name: &Ident, fields: &[(Ident, bool)]) -> Item {
    let rows = fields.iter().map(|(ident, secret)| {
        let label = ident.to_string();
        if *secret {
            quote!(.field(#label, &self.#ident.as_ref().map(|_| "********")))
        } else {
            quote!(.field(#label, &self.#ident))
        }
    });
    parse_quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!(#name)) #(#rows)* .finish()
            }
        }
    }
}

fn open_struct(item: &ItemStruct) -> Result<Vec<Item>> {
    let mut item = item.clone();
    let name = item.ident.clone();
    item.attrs.retain(|attribute| attribute.path().is_ident("doc"));
    let mut rows = Vec::new();
    let mut shown = Vec::new();
    for field in &mut item.fields {
        let ident = field.ident.clone().context("a field without a name")?;
        let wire = wire_name(&field.attrs)?.unwrap_or_else(|| ident.to_string());
        field.attrs.retain(|attribute| attribute.path().is_ident("doc"));
        shown.push((ident.clone(), is_secret(&name, &wire)));
        if ident == "extra" {
            field.attrs = vec![
                parse_quote!(#[doc = " Members this version does not know, and explicit nulls; written back as they came."]),
                parse_quote!(#[cfg_attr(feature = "json-schema", schemars(flatten))]),
            ];
            continue;
        }
        ensure!(is_option(field), "{name}.{ident} is not optional");
        if ident != wire.as_str() {
            field.attrs.push(parse_quote!(#[cfg_attr(feature = "json-schema", schemars(rename = #wire))]));
        }
        rows.push(quote!(#ident: #wire));
    }
    let secret = shown.iter().any(|(_, secret)| *secret);
    item.attrs.push(if secret {
        parse_quote!(#[derive(Clone, Default, PartialEq)])
    } else {
        parse_quote!(#[derive(Clone, Debug, Default, PartialEq)])
    });
    item.attrs.push(parse_quote!(#[cfg_attr(feature = "json-schema", derive(::schemars::JsonSchema))]));
    let mut items = vec![item.into(), parse_quote!(crate::open_object! { #name { #(#rows),* } })];
    items.extend(secret.then(|| masked_debug(&name, &shown)));
    Ok(items)
}

fn is_option(field: &Field) -> bool {
    matches!(&field.ty, syn::Type::Path(path)
        if path.path.segments.last().is_some_and(|segment| segment.ident == "Option"))
}

fn open_enum(item: &ItemEnum) -> Result<[Item; 2]> {
    let mut item = item.clone();
    let name = item.ident.clone();
    item.attrs.retain(|attribute| attribute.path().is_ident("doc"));
    item.attrs.push(parse_quote!(#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]));
    let mut rows = Vec::new();
    for variant in &mut item.variants {
        ensure!(matches!(variant.fields, syn::Fields::Unit), "{name}::{} carries a value", variant.ident);
        if UNKNOWN.iter().any(|unknown| variant.ident == unknown) {
            bail!("{name} has a value of its own called {}", variant.ident);
        }
        let wire = wire_name(&variant.attrs)?.unwrap_or_else(|| variant.ident.to_string());
        variant.attrs = vec![syn::parse_quote_spanned!(variant.ident.span()=> #[doc = #wire])];
        let ident = &variant.ident;
        rows.push(quote!(#ident: #wire));
    }
    let [text, number] = UNKNOWN.map(|unknown| format_ident!("{unknown}"));
    item.variants.push(parse_quote! {
        /// A name this version does not know, as it came.
        #text(::std::string::String)
    });
    item.variants.push(parse_quote! {
        /// A value Sonarr itself has no name for: it writes those as numbers.
        #number(i64)
    });
    Ok([item.into(), parse_quote!(crate::open_enum! { #name { #(#rows),* } })])
}

/// `#[serde(rename = "…")]`.
fn wire_name(attributes: &[Attribute]) -> Result<Option<String>> {
    let mut found = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let parts = attribute.parse_args_with(Punctuated::<syn::Meta, Token![,]>::parse_terminated)?;
        for part in parts {
            if let syn::Meta::NameValue(pair) = &part
                && pair.path.is_ident("rename")
            {
                found = Some(syn::parse2::<LitStr>(pair.value.to_token_stream())?.value());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_struct_keeps_what_it_does_not_know() {
        let file = open(&[parse_quote! {
            #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug)]
            pub struct Tag {
                #[serde(rename = "seriesId", skip_serializing_if = "::std::option::Option::is_none")]
                pub series_id: ::std::option::Option<i32>,
                pub label: ::std::option::Option<String>,
                #[serde(flatten)]
                pub extra: ::serde_json::Map<String, ::serde_json::Value>,
            }
        }])
        .unwrap();
        let text = prettyplease::unparse(&file);
        assert!(text.contains("open_object!"), "{text}");
        assert!(text.contains(r#"series_id : "seriesId""#) || text.contains(r#"series_id: "seriesId""#), "{text}");
        assert!(!text.contains("serde("), "serde's own derive is gone: {text}");
    }

    #[test]
    fn an_enum_gets_a_place_for_unknown_names_and_numbers() {
        let file = open(&[parse_quote! {
            #[derive(Copy, Clone)]
            pub enum Status { #[serde(rename = "continuing")] Continuing, #[serde(rename = "ended")] Ended }
        }])
        .unwrap();
        let text = prettyplease::unparse(&file);
        assert!(text.contains("Unrecognized(") && text.contains("UnrecognizedNumber(i64)"), "{text}");
        assert!(!text.contains("Copy"), "{text}");
    }

    #[test]
    fn debug_output_hides_secrets() {
        let file = open(&[parse_quote! {
            pub struct Host {
                #[serde(rename = "apiKey")]
                pub api_key: ::std::option::Option<String>,
                pub port: ::std::option::Option<i32>,
                pub extra: ::serde_json::Map<String, ::serde_json::Value>,
            }
        }])
        .unwrap();
        let text = prettyplease::unparse(&file);
        assert!(text.contains("self.api_key.as_ref().map(|_| \"********\")"), "{text}");
        assert!(text.contains(".field(\"port\", &self.port)"), "{text}");
        assert!(!text.contains("derive(Clone, Debug"), "{text}");
    }

    #[test]
    fn a_member_that_is_not_optional_is_refused_by_name() {
        let error = open(&[parse_quote! {
            pub struct Tag { pub label: String, pub extra: ::serde_json::Map<String, ::serde_json::Value> }
        }])
        .unwrap_err();
        assert!(error.to_string().contains("Tag.label"), "{error}");
    }
}
