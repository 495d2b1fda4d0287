//! progenitor's helpers for httpmock, with what they get wrong put right.

use super::settings;
use crate::normalise::normalise;
use crate::output::Files;
use crate::{document::Document, table::Table};
use anyhow::{Context, Result, anyhow, ensure};
use progenitor::Generator;
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, ExprMethodCall, File, FnArg, ImplItemFn, Item, Path, TraitItem, parse_quote};

const FILE: &str = "sonarr-client/mock/src/generated/mod.rs";

/// The SDK, as the helpers name it.
const SDK: &str = "sonarr_client";

/// Writes `sonarr-client/mock/src/generated/`.
pub fn generate(document: &Document, table: &Table, files: &mut Files) -> Result<()> {
    let spec = normalise(document)?;
    let tokens = Generator::new(&settings()).httpmock(&spec, SDK).map_err(|error| anyhow!("progenitor: {error}"))?;
    let mut output: File = syn::parse2(tokens).context("progenitor's helpers for httpmock are not Rust")?;
    let mut mended = Mend::default();
    mended.visit_file_mut(&mut output);
    ensure!(mended.lists > 0 && mended.streams > 0, "progenitor's helpers have another form than they had");
    for item in &mut output.items {
        if let Item::Trait(item) = item {
            item.attrs = docs("Methods of a mock server, one an operation. Each makes a mock that answers it.");
            for method in &mut item.items {
                let TraitItem::Fn(method) = method else { continue };
                let row = table.rows.iter().find(|row| method.sig.ident == row.name);
                let row = row.with_context(|| format!("no row for {}", method.sig.ident))?;
                method.attrs = docs(&format!("`{}`: {}", row.at, row.summary));
            }
        }
    }
    output.attrs = vec![parse_quote!(
        #![allow(missing_docs, unused_imports, unused_qualifications, clippy::all, clippy::unwrap_used, reason = "progenitor writes for machines")]
    )];
    files.rust(FILE, &output);
    Ok(())
}

fn docs(text: &str) -> Vec<Attribute> {
    let text = format!(" {text}");
    vec![parse_quote!(#[doc = #text])]
}

/// The passes over progenitor's output.
#[derive(Default)]
struct Mend {
    lists: usize,
    streams: usize,
}

impl VisitMut for Mend {
    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        let signature = method.sig.to_token_stream().to_string();
        let mut calls =
            Calls { is_list: signature.contains("Vec <"), is_time: signature.contains("DateTime"), ..Calls::default() };
        calls.visit_block_mut(&mut method.block);
        self.lists += usize::from(calls.lists > 0);
        if calls.is_stream {
            self.streams += 1;
            // A log, a picture or a calendar is no JSON.
            for argument in &mut method.sig.inputs {
                if let FnArg::Typed(argument) = argument
                    && argument.pat.to_token_stream().to_string() == "value"
                {
                    *argument.ty = parse_quote!(impl AsRef<[u8]>);
                }
            }
            method.sig.inputs.insert(method.sig.inputs.len() - 1, parse_quote!(content_type: &str));
        }
        syn::visit_mut::visit_impl_item_fn_mut(self, method);
    }

    /// A type that replaces one of the document's is named as the SDK names it.
    fn visit_path_mut(&mut self, path: &mut Path) {
        syn::visit_mut::visit_path_mut(self, path);
        if let Some(first) = path.segments.first_mut().filter(|first| first.ident == "crate") {
            first.ident = quote::format_ident!("{SDK}");
        }
    }
}

/// The calls in the body of a method.
#[derive(Default)]
struct Calls {
    is_list: bool,
    is_time: bool,
    lists: usize,
    is_stream: bool,
}

impl VisitMut for Calls {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expression);
        let Expr::MethodCall(ExprMethodCall { receiver, method, args, .. }) = &*expression else { return };
        match method.to_string().as_str() {
            // Sonarr takes a list by the repetition of its name.
            "query_param" if self.is_list => {
                self.lists += 1;
                let name = args.first().cloned();
                *expression = parse_quote!(
                    value.iter().fold(#receiver, |when, value| when.query_param(#name, value.to_string()))
                );
            }
            // Its `Display` is not what is sent.
            "to_string" if self.is_time && receiver.to_token_stream().to_string() == "value" => {
                *expression = parse_quote!(value.to_rfc3339_opts(::chrono::SecondsFormat::AutoSi, true));
            }
            "json_body" if receiver.to_token_stream().to_string().contains("content-type") => {
                self.is_stream = true;
                *expression = parse_quote!(self.0.status(status).header("content-type", content_type).body(value));
            }
            _ => {}
        }
    }
}
