//! What the list of tools costs a model: the tokens of each tool, counted by the tokenizer of the o200k models.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tiktoken_rs::CoreBPE;

/// What all tools may cost together, in tokens.
pub const MAX_TOTAL: usize = 6_000;

/// What one tool may cost, in tokens.
const MAX_TOOL: usize = 1_000;

/// What all tools may cost together when only those that read are offered, in tokens.
const MAX_READ_ONLY: usize = 3_500;

/// What name, description and input schema of all lean tools may cost together, in tokens.
const MAX_LEAN: usize = 2_800;

/// How many characters a description may have: model APIs refuse more.
const MAX_DESCRIPTION: usize = 1_024;

/// The members of a tool that reach a model, or may.
const MEMBERS: [&str; 5] = ["name", "description", "inputSchema", "outputSchema", "annotations"];

/// What a tool costs.
struct Cost {
    name: String,
    /// The tokens of each of [`MEMBERS`].
    members: [usize; 5],
    /// The tokens of all of them as one JSON object, keys included.
    whole: usize,
    /// Characters of the description.
    description: usize,
}

/// A form of the list of tools.
struct Form {
    flags: &'static [&'static str],
    /// Of [`MEMBERS`], how many count.
    counted: usize,
    limit: usize,
}

/// The forms beside the one that is asked for.
const FORMS: [Form; 3] = [
    Form { flags: &["--read-only"], counted: 5, limit: MAX_READ_ONLY },
    Form { flags: &["--catalogue", "lean"], counted: 3, limit: MAX_LEAN },
    Form { flags: &["--catalogue", "lean", "--read-only"], counted: 3, limit: MAX_LEAN },
];

/// Starts the server with `flags`, asks it for its tools and prints what each costs. Without flags
/// it also prints what all tools cost in each form.
///
/// # Errors
/// When a limit is passed, or the server does not answer.
pub fn run(root: &Path, limit: usize, flags: &[String]) -> Result<()> {
    let tokenizer = tiktoken_rs::o200k_base()?;
    let costs = |flags: &[String]| -> Result<Vec<Cost>> {
        Ok(list(root, flags)?.iter().map(|tool| cost(&tokenizer, tool)).collect())
    };
    let asked = costs(flags)?;
    let mut output = std::io::stdout();
    output.write_all(table(&asked).as_bytes())?;
    check(&asked, limit)?;
    if !flags.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{:32}{:>8}{:>40}", "form", "whole", "name, description and inputSchema")?;
    writeln!(output, "{:32}{:>8}{:>40}", "full", total(&asked), counted(&asked, 3))?;
    for form in FORMS {
        let flags: Vec<String> = form.flags.iter().map(|flag| (*flag).to_owned()).collect();
        let costs = costs(&flags)?;
        writeln!(output, "{:32}{:>8}{:>40}", flags.join(" "), total(&costs), counted(&costs, 3))?;
        let cost = if form.counted == MEMBERS.len() { total(&costs) } else { counted(&costs, form.counted) };
        ensure!(
            cost <= form.limit,
            "with {} all tools cost {cost} tokens; the limit is {}",
            flags.join(" "),
            form.limit
        );
    }
    Ok(())
}

/// What the first members of all tools cost.
fn counted(costs: &[Cost], members: usize) -> usize {
    costs.iter().flat_map(|cost| cost.members.iter().take(members)).sum()
}

fn cost(tokenizer: &CoreBPE, tool: &Value) -> Cost {
    let count = |text: &str| tokenizer.encode_ordinary(text).len();
    let member = |name: &str| match tool.get(name) {
        None => 0,
        Some(Value::String(text)) => count(text),
        Some(value) => count(&value.to_string()),
    };
    let all: Map<String, Value> =
        MEMBERS.iter().filter_map(|name| Some(((*name).to_owned(), tool.get(*name)?.clone()))).collect();
    let text = |name: &str| tool.get(name).and_then(Value::as_str).unwrap_or_default();
    Cost {
        name: text("name").to_owned(),
        members: MEMBERS.map(member),
        whole: count(&Value::Object(all).to_string()),
        description: text("description").chars().count(),
    }
}

fn table(costs: &[Cost]) -> String {
    let mut table = String::new();
    let mut line = |name: &str, members: [String; 5], whole: &str, characters: &str| {
        table.push_str(&format!("{name:32}"));
        for member in members {
            table.push_str(&format!("{member:>13}"));
        }
        table.push_str(&format!("{whole:>8}{characters:>12}\n"));
    };
    line("tool", MEMBERS.map(str::to_owned), "whole", "characters");
    let mut sums = [0; 5];
    for cost in costs {
        for (sum, member) in sums.iter_mut().zip(cost.members) {
            *sum += member;
        }
        line(
            &cost.name,
            cost.members.map(|count| count.to_string()),
            &cost.whole.to_string(),
            &cost.description.to_string(),
        );
    }
    line("all", sums.map(|count| count.to_string()), &total(costs).to_string(), "");
    table
}

fn total(costs: &[Cost]) -> usize {
    costs.iter().map(|cost| cost.whole).sum()
}

fn check(costs: &[Cost], limit: usize) -> Result<()> {
    for Cost { name, whole, description, .. } in costs {
        ensure!(*whole <= MAX_TOOL, "{name} costs {whole} tokens; the limit is {MAX_TOOL}");
        ensure!(
            *description <= MAX_DESCRIPTION,
            "the description of {name} has {description} characters; the limit is {MAX_DESCRIPTION}"
        );
    }
    let total = total(costs);
    ensure!(total <= limit, "all tools cost {total} tokens; the limit is {limit}");
    Ok(())
}

/// The tools as a client gets them, over standard input and output.
fn list(root: &Path, flags: &[String]) -> Result<Vec<Value>> {
    let mut server = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "sonarr-mcp", "--"])
        .args(flags)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo run --package sonarr-mcp")?;
    let (Some(mut input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
        bail!("the server's standard streams cannot be reached");
    };
    let mut output = BufReader::new(output).lines();
    let client =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "xtask", "version": "1"}});
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}))?;
    output.next().context("the server ended without an answer")??;
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))?;
    let answer: Value = serde_json::from_str(&output.next().context("the server ended without listing its tools")??)?;
    drop(input);
    server.wait()?;
    let tools = answer.pointer("/result/tools").and_then(Value::as_array);
    tools.cloned().with_context(|| format!("no list of tools: {answer}"))
}

#[cfg(test)]
mod tests {
    use super::{check, cost, table};
    use serde_json::{Value, json};

    fn tool(words: usize) -> Value {
        json!({"name": "sonarr_x", "description": "word ".repeat(words), "inputSchema": {"type": "object"}, "title": "not counted"})
    }

    #[test]
    fn a_tool_costs_what_its_members_do() {
        let tokenizer = tiktoken_rs::o200k_base().unwrap();
        let cost = cost(&tokenizer, &tool(10));
        assert_eq!(cost.description, 50);
        // Ten words and the blank behind the last.
        assert_eq!(cost.members[1], 11);
        assert_eq!(cost.members[3..], [0, 0]);
        assert!(cost.whole > cost.members.iter().sum());
        assert!(table(&[cost]).contains("sonarr_x"));
    }

    #[test]
    fn a_limit_passed_is_an_error() {
        let tokenizer = tiktoken_rs::o200k_base().unwrap();
        let costs = |words| [cost(&tokenizer, &tool(words))];
        assert!(check(&costs(10), 100).is_ok());
        assert!(check(&costs(100), 100).unwrap_err().to_string().contains("the limit is 100"));
        assert!(check(&costs(300), 6_000).unwrap_err().to_string().contains("characters"));
        let wide = json!({"name": "x", "inputSchema": {"description": "word ".repeat(1_200)}});
        assert!(check(&[cost(&tokenizer, &wide)], 6_000).unwrap_err().to_string().contains("x costs"));
    }
}
