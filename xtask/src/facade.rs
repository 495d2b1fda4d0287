//! The facade's generated code: per group, a struct of arguments and a row of the table for each operation.

use crate::document::{Document, parameters, success, text};
use crate::names::{field, group_trait, pascal};
use crate::normalise::BY_HAND;
use crate::output::Files;
use crate::rust_types::{Kind, shape};
use crate::table::{GROUPS, Row, Table};
use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::{Map, Value};
use syn::parse_quote;

const FOLDER: &str = "mcp-server/src/generated";

/// Writes `mcp-server/src/generated/`.
pub fn generate(document: &Document, table: &Table, files: &mut Files) -> Result<()> {
    for group in GROUPS {
        let mut structs = Vec::new();
        let mut rows = Vec::new();
        for row in table.in_group(group) {
            let operation = Operation::read(document, row).with_context(|| row.name.clone())?;
            structs.push(operation.arguments());
            rows.push(operation.row());
        }
        let extension = format_ident!("{}", group_trait(group));
        let tokens: TokenStream = quote!(#(#structs)*);
        // A group without bodies and enums names no type.
        let types = tokens.to_string().contains("types ::").then(|| {
            quote!(
                use sonarr_client::types;
            )
        });
        let doc = format!(" Operations of the group `{group}`.");
        files.rust(
            format!("{FOLDER}/{group}.rs"),
            &parse_quote! {
                #![doc = #doc]
                use crate::operation::{Effect, Kind, Operation, Parameter, Place, Reply, read, schema};
                use schemars::JsonSchema;
                use serde::Deserialize;
                use sonarr_client::prelude::#extension;
                #types

                /// The rows, in the table's order.
                pub static OPERATIONS: &[Operation] = &[#(#rows),*];
                #tokens
            },
        );
    }
    files.rust(format!("{FOLDER}/mod.rs"), &root(table)?);
    Ok(())
}

fn root(table: &Table) -> Result<syn::File> {
    let mut rows = Vec::new();
    let mut modules = Vec::new();
    for name in GROUPS {
        let ident = format_ident!("{name}");
        let group = table.groups.get(name).context("a group without a row")?;
        let (title, summary) = (&group.title, &group.summary);
        modules.push(quote!(pub mod #ident;));
        rows.push(quote! {
            Group { name: #name, title: #title, summary: #summary, operations: #ident::OPERATIONS }
        });
    }
    Ok(parse_quote! {
        //! The table of operations.
        #![allow(missing_docs, reason = "an argument without a summary is the body")]
        #(#modules)*
        pub mod columns;
        pub mod commands;
        pub mod examples;

        use crate::operation::Group;

        /// The fifteen groups, each of which is a tool.
        pub static GROUPS: &[Group] = &[#(#rows),*];
    })
}

/// What the generator needs to know of an operation.
pub struct Operation<'a> {
    row: &'a Row,
    pub arguments: Vec<Argument>,
    answer: Answer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Json,
    Empty,
    Stream,
}

/// Where an argument travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Path,
    Query,
    Body,
    Form,
}

/// An argument of an operation.
pub struct Argument {
    /// The wire name.
    pub name: String,
    pub place: Place,
    pub required: bool,
    summary: String,
    values: Vec<String>,
    kind: Kind,
    rust: TokenStream,
    /// The schema, for examples.
    pub schema: Value,
}

impl<'a> Operation<'a> {
    /// Reads the row's operation from the described document.
    pub fn read(document: &Document, row: &'a Row) -> Result<Self> {
        let operation = document.operation(&row.at)?;
        let mut arguments = Vec::new();
        for declared in parameters(operation) {
            arguments.push(Argument::declared(document, declared)?);
        }
        // What has to be given comes first, as people read it.
        arguments.sort_by_key(|argument| !argument.required);
        arguments.extend(body(document, operation)?);
        Ok(Self { row, arguments, answer: answer(operation)? })
    }

    fn struct_name(&self) -> syn::Ident {
        format_ident!("{}", pascal(&self.row.name))
    }

    /// The struct the arguments are read into.
    fn arguments(&self) -> TokenStream {
        let name = self.struct_name();
        let doc = format!(" Arguments of `{}`.", self.row.name);
        let fields = self.arguments.iter().map(|argument| {
            let (wire, ident, rust) = (&argument.name, argument.ident(), &argument.rust);
            let snake = ident.to_string();
            let alias = (snake != *wire).then(|| quote!(#[serde(rename = #wire, alias = #snake)]));
            let ty = if argument.required { quote!(#rust) } else { quote!(Option<#rust>) };
            let summary = &argument.summary;
            let doc = (!summary.is_empty()).then(|| format!(" {summary}")).map(|doc| quote!(#[doc = #doc]));
            quote!(#doc #alias pub #ident: #ty)
        });
        quote! {
            #[doc = #doc]
            #[derive(Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct #name { #(#fields),* }
        }
    }

    /// The row of the table.
    fn row(&self) -> TokenStream {
        let row = self.row;
        let Row { name, group, summary, requires, .. } = row;
        let (method, path) = (row.method(), row.path());
        let mut details = row.details.trim().to_owned();
        if let Some(instead) = &row.deprecated {
            details = format!("Deprecated: {instead}. {details}").trim_end().to_owned();
        }
        let (idempotent, long_running) = (row.idempotent(), row.long_running);
        let effect = row.effect.tokens();
        let destructive = match &row.destructive {
            Some(what) => quote!(Some(#what)),
            None => quote!(None),
        };
        let parameters = self.arguments.iter().map(Argument::row);
        let arguments = self.struct_name();
        let call = self.call();
        quote! {
            Operation {
                name: #name,
                group: #group,
                method: #method,
                path: #path,
                effect: #effect,
                destructive: #destructive,
                idempotent: #idempotent,
                long_running: #long_running,
                summary: #summary,
                details: #details,
                requires: &[#(#requires),*],
                parameters: &[#(#parameters),*],
                arguments: schema::<#arguments>,
                call: #call,
            }
        }
    }

    /// Reads the arguments, then calls the SDK's method.
    fn call(&self) -> TokenStream {
        let (arguments, method) = (self.struct_name(), format_ident!("{}", self.row.name));
        if BY_HAND.contains(&self.row.name.as_str()) {
            let passed = self.arguments.iter().map(Argument::ident);
            return quote! {
                |client, arguments| {
                    let arguments: #arguments = read(arguments)?;
                    Ok(Box::pin(async move {
                        crate::upload::restore(client, #(arguments.#passed),*).await
                    }))
                }
            };
        }
        let setters = self.arguments.iter().map(|argument| {
            let ident = argument.ident();
            if argument.required {
                quote!(let request = request.#ident(arguments.#ident);)
            } else {
                quote! {
                    let request = match arguments.#ident {
                        Some(value) => request.#ident(value),
                        None => request,
                    };
                }
            }
        });
        let reply = match self.answer {
            Answer::Json => quote!(Reply::json),
            Answer::Empty => quote!(Reply::empty),
            Answer::Stream => quote!(Reply::stream),
        };
        let binding = if self.arguments.is_empty() {
            quote!(let #arguments {} = read(arguments)?;)
        } else {
            quote!(let arguments: #arguments = read(arguments)?;)
        };
        quote! {
            |client, arguments| {
                #binding
                Ok(Box::pin(async move {
                    let request = client.#method();
                    #(#setters)*
                    #reply(request.send().await?)
                }))
            }
        }
    }
}

impl Argument {
    fn ident(&self) -> syn::Ident {
        format_ident!("{}", field(&self.name))
    }

    fn row(&self) -> TokenStream {
        let Self { name, required, summary, values, .. } = self;
        let kind = self.kind.tokens();
        let place = format_ident!("{}", format!("{:?}", self.place));
        quote! {
            Parameter {
                name: #name,
                place: Place::#place,
                kind: #kind,
                required: #required,
                summary: #summary,
                values: &[#(#values),*],
            }
        }
    }

    /// A path or query parameter of the document.
    fn declared(document: &Document, declared: &Value) -> Result<Self> {
        let name = text(declared, "name")?.to_owned();
        let place = match text(declared, "in")? {
            "path" => Place::Path,
            "query" => Place::Query,
            other => bail!("the parameter `{name}` is in {other}, which the generator does not know"),
        };
        let schema = declared.get("schema").with_context(|| format!("`{name}` has no schema"))?;
        let required = place == Place::Path || declared.get("required").and_then(Value::as_bool).unwrap_or(false);
        let summary = text(declared, "description")?.to_owned();
        let (kind, rust, values) = shape(document, schema).with_context(|| format!("parameter `{name}`"))?;
        Ok(Self { name, place, required, summary, values, kind, rust, schema: schema.clone() })
    }
}

/// The arguments that make the request's body.
fn body(document: &Document, operation: &Map<String, Value>) -> Result<Vec<Argument>> {
    let Some(content) = operation.get("requestBody").and_then(crate::document::content) else { return Ok(Vec::new()) };
    if content.contains_key("multipart/form-data") {
        // A language model has no file to send, only text: the content travels as base64.
        let text = |name: &str, summary: &str| Argument {
            name: name.into(),
            place: Place::Form,
            required: true,
            summary: summary.into(),
            values: Vec::new(),
            kind: Kind::Plain("String"),
            rust: quote!(String),
            schema: serde_json::json!({ "type": "string" }),
        };
        return Ok(vec![
            text("fileName", "Name of the backup, ending in .zip or .db."),
            text("content", "The backup's bytes in base64."),
        ]);
    }
    let schema = content
        .get("application/json")
        .and_then(|json| json.get("schema"))
        .context("the body is neither JSON nor a form")?;
    let (kind, rust, values) = shape(document, schema).context("the body")?;
    Ok(vec![Argument {
        name: "body".into(),
        place: Place::Body,
        required: true,
        summary: String::new(),
        values,
        kind,
        rust,
        schema: schema.clone(),
    }])
}

fn answer(operation: &Map<String, Value>) -> Result<Answer> {
    let (_, response) = success(operation)?;
    Ok(match crate::document::content(response) {
        None => Answer::Empty,
        Some(content) if content.contains_key("application/json") => Answer::Json,
        Some(_) => Answer::Stream,
    })
}
