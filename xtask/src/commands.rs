//! The commands of `POST /api/v3/command`, from `openapi/commands.toml`: typed requests for the SDK, a table for the facade.

use crate::document::Document;
use crate::names::{field, pascal};
use crate::output::Files;
use crate::problems::{Kind, Problem};
use crate::table::{Effect, plain};
use anyhow::{Context, Result, bail, ensure};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde::Deserialize;
use std::collections::BTreeSet;
use syn::parse_quote;

pub const FILE: &str = "openapi/commands.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandsFile {
    command: Vec<Command>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    name: String,
    summary: String,
    #[serde(default)]
    details: String,
    effect: Effect,
    #[serde(default)]
    downloads: bool,
    destructive: Option<String>,
    #[serde(default)]
    long_running: bool,
    since: Option<String>,
    #[serde(default)]
    internal: bool,
    #[serde(default)]
    parameters: Vec<Parameter>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    #[serde(default)]
    required: bool,
    default: Option<toml::Value>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    members: Vec<Parameter>,
    summary: String,
}

/// Writes the SDK's command types and the facade's table, and says which commands name a type that is not there.
pub fn generate(text: &str, document: &Document, files: &mut Files) -> Result<Vec<Problem>> {
    let file: CommandsFile = toml::from_str(text).context(FILE)?;
    let mut names = BTreeSet::new();
    let mut problems = Vec::new();
    for command in &file.command {
        ensure!(names.insert(command.name.to_lowercase()), "{FILE}: {} stands there twice", command.name);
        ensure!(command.effect != Effect::Read, "{FILE}: {} is a command and does not only read", command.name);
        for parameter in &command.parameters {
            parameter.check(document, &mut problems).with_context(|| command.name.clone())?;
        }
    }
    sdk(&file.command, files);
    facade(&file.command, files);
    Ok(problems)
}

impl Parameter {
    fn check(&self, document: &Document, problems: &mut Vec<Problem>) -> Result<()> {
        let (base, _) = self.base();
        let known = matches!(base, "integer" | "boolean" | "string" | "object");
        if !known && !document.schemas()?.contains_key(base) {
            let text = format!("`{}` is of type {base}, which the document does not have", self.name);
            problems.push(Problem::new(FILE, Kind::Mend, text));
        }
        ensure!((base == "object") != self.members.is_empty(), "{FILE}: `{}`: an object has members", self.name);
        // In a request `body` would be read as a command again, without end: it kills the server.
        if self.name.eq_ignore_ascii_case("body") || self.name.eq_ignore_ascii_case("name") {
            bail!("{FILE}: no parameter may be called `{}`", self.name);
        }
        self.members.iter().try_for_each(|member| member.check(document, problems))
    }

    /// The type without `[]`, and whether it had that.
    fn base(&self) -> (&str, bool) {
        self.ty.strip_suffix("[]").map_or((self.ty.as_str(), false), |base| (base, true))
    }

    fn rust(&self, owner: &str) -> TokenStream {
        let (base, list) = self.base();
        let one = match base {
            "integer" => quote!(i32),
            "boolean" => quote!(bool),
            "string" => quote!(String),
            "object" => {
                let name = self.item_name(owner);
                quote!(#name)
            }
            name => {
                let name = format_ident!("{name}");
                quote!(types::#name)
            }
        };
        if list { quote!(Vec<#one>) } else { one }
    }

    /// `ManualImport` + `files` → `ManualImportFile`.
    fn item_name(&self, owner: &str) -> Ident {
        let plural = pascal(&self.name);
        let item = if plural == "Series" { "Series" } else { plural.strip_suffix('s').unwrap_or(&plural) };
        format_ident!("{owner}{item}")
    }

    fn doc(&self) -> String {
        let default = match &self.default {
            Some(value) => format!(" Default: {}.", plain(value)),
            None => String::new(),
        };
        let values =
            if self.values.is_empty() { String::new() } else { format!(" One of {}.", self.values.join(", ")) };
        format!(" {}{values}{default}", self.summary)
    }

    fn row(&self) -> TokenStream {
        let Self { name, ty, required, values, members, summary, .. } = self;
        let default = match &self.default {
            Some(value) => {
                let value = plain(value);
                quote!(Some(#value))
            }
            None => quote!(None),
        };
        let members = members.iter().map(Parameter::row);
        quote! {
            CommandParameter {
                name: #name,
                type_name: #ty,
                required: #required,
                default: #default,
                values: &[#(#values),*],
                summary: #summary,
                members: &[#(#members),*],
            }
        }
    }
}

/// A struct of parameters, with what its members need.
fn structs(name: &Ident, doc: &str, parameters: &[Parameter], out: &mut Vec<TokenStream>) {
    let mut fields = Vec::new();
    for parameter in parameters {
        let (wire, ident) = (&parameter.name, format_ident!("{}", field(&parameter.name)));
        let (rust, doc) = (parameter.rust(&name.to_string()), parameter.doc());
        let rename = (ident != wire.as_str()).then(|| quote!(#[serde(rename = #wire)]));
        let field = if parameter.required {
            quote!(#[doc = #doc] #rename pub #ident: #rust)
        } else {
            quote!(#[doc = #doc] #rename #[serde(skip_serializing_if = "Option::is_none")] pub #ident: Option<#rust>)
        };
        fields.push(field);
        if !parameter.members.is_empty() {
            let item = parameter.item_name(&name.to_string());
            let doc = format!(" An item of `{wire}` of [`{name}`].");
            structs(&item, &doc, &parameter.members, out);
        }
    }
    out.push(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        pub struct #name { #(#fields),* }
    });
}

fn sdk(commands: &[Command], files: &mut Files) {
    let mut items = Vec::new();
    for command in commands.iter().filter(|command| !command.internal) {
        let (wire, name) = (&command.name, format_ident!("{}", command.name));
        let mut doc = format!(" {}", command.summary);
        for (label, text) in [("", Some(&command.details)), ("Destroys: ", command.destructive.as_ref())] {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                doc.push_str(&format!("\n\n {label}{text}"));
            }
        }
        if let Some(since) = &command.since {
            doc.push_str(&format!("\n\n Sonarr {since} and later."));
        }
        structs(&name, &doc, &command.parameters, &mut items);
        items.push(quote!(impl Command for #name { const NAME: &'static str = #wire; }));
    }
    files.rust(
        "sonarr-client/src/generated/commands.rs",
        &parse_quote! {
            use super::types;
            use crate::Command;
            use serde::Serialize;
            #(#items)*
        },
    );
}

fn facade(commands: &[Command], files: &mut Files) {
    let rows = commands.iter().map(|command| {
        let Command { name, summary, details, downloads, long_running, internal, .. } = command;
        let effect = command.effect.tokens();
        let option = |value: &Option<String>| match value {
            Some(value) => quote!(Some(#value)),
            None => quote!(None),
        };
        let (destructive, since) = (option(&command.destructive), option(&command.since));
        let parameters = command.parameters.iter().map(Parameter::row);
        quote! {
            Command {
                name: #name,
                summary: #summary,
                details: #details,
                effect: #effect,
                downloads: #downloads,
                destructive: #destructive,
                long_running: #long_running,
                since: #since,
                internal: #internal,
                parameters: &[#(#parameters),*],
            }
        }
    });
    files.rust(
        "mcp-server/src/generated/commands.rs",
        &parse_quote! {
            //! The commands `run_command` takes.
            use crate::command::{Command, CommandParameter};
            use crate::operation::Effect;

            /// Every command, in the table's order.
            pub static COMMANDS: &[Command] = &[#(#rows),*];
        },
    );
}
