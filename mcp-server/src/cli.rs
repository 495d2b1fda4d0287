//! The command line.

mod audit;
mod call;
mod demonstration;
mod network;
mod operations;
mod serve;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
pub use demonstration::DemoFlags;
pub use network::NetworkFlags;

use crate::config::{Config, ConfigError, Target};
use crate::connection::Connection;
use crate::dispatch::Dispatcher;
use crate::generated::GROUPS;
use crate::instances::Instances;
use crate::server::Server;
use crate::{check, demo, logging};

/// Lets a language model read and manage a Sonarr instance over the Model Context Protocol.
///
/// Without a command it serves: one client on standard input and output, or with --transport any
/// number of them on the network. The API key comes from
/// the variable SONARR_API_KEY or from a file, never from a flag.
#[derive(Debug, Parser)]
#[command(version, name = "sonarr-mcp")]
pub struct Cli {
    /// The settings.
    #[command(flatten)]
    pub flags: Flags,
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The settings, as text: [`Config`] reads them.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// Sonarr's address, such as http://localhost:8989, with its URL base where it has one
    #[arg(long, global = true, env = crate::config::URL, hide_env_values = true)]
    pub url: Option<String>,
    /// A file that holds the API key
    #[arg(long, global = true, env = "SONARR_MCP_API_KEY_FILE", hide_env_values = true)]
    pub api_key_file: Option<PathBuf>,
    /// One of several instances, as NAME=URL, its key in SONARR_API_KEY_NAME; may be repeated
    #[arg(
        long,
        global = true,
        env = "SONARR_MCP_INSTANCE",
        hide_env_values = true,
        value_name = "NAME=URL",
        value_delimiter = ','
    )]
    pub instance: Vec<String>,
    /// A TOML file that names several instances
    #[arg(long, global = true, env = "SONARR_MCP_CONFIG", hide_env_values = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A file with the certificates (PEM) of an authority to trust, for a Sonarr that uses its own
    #[arg(long, global = true, env = "SONARR_MCP_CA_FILE", hide_env_values = true, value_name = "FILE")]
    pub ca_file: Option<PathBuf>,
    /// Accept any certificate of Sonarr's; whoever is in between can then read the API key
    #[arg(long, global = true, env = "SONARR_MCP_ACCEPT_INVALID_CERTS", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub accept_invalid_certs: Option<String>,
    /// Use an embedded Sonarr with an invented library
    #[arg(long, global = true, env = "SONARR_MCP_DEMO", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub demo: Option<String>,
    /// Leave out every operation that changes Sonarr
    #[arg(long, global = true, env = "SONARR_MCP_READ_ONLY", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub read_only: Option<String>,
    /// The tools to offer, such as media_library,queue; all of them unless told otherwise
    #[arg(long, global = true, env = "SONARR_MCP_TOOLS", hide_env_values = true, value_name = "NAMES")]
    pub tools: Option<String>,
    /// How the tools are described: full, or lean at the least cost for a model [default: full]
    #[arg(long, global = true, env = "SONARR_MCP_CATALOGUE", hide_env_values = true, value_name = "FORM")]
    pub catalogue: Option<String>,
    /// Which changes are asked about first: auto (those that delete, overwrite or stop something), always or never [default: auto]
    #[arg(long, global = true, env = "SONARR_MCP_CONFIRM", hide_env_values = true, value_name = "MODE")]
    pub confirm: Option<String>,
    /// Show API keys, passwords and tokens in answers instead of ********; whoever reads along then has them
    #[arg(long, global = true, env = "SONARR_MCP_SHOW_SECRETS", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub show_secrets: Option<String>,
    /// Seconds a call may take [default: 300]
    #[arg(long, global = true, env = "SONARR_MCP_TIMEOUT", hide_env_values = true, value_name = "SECONDS")]
    pub timeout: Option<String>,
    /// Seconds reaching Sonarr may take [default: 10]
    #[arg(long, global = true, env = "SONARR_MCP_CONNECT_TIMEOUT", hide_env_values = true, value_name = "SECONDS")]
    pub connect_timeout: Option<String>,
    /// Calls that run at once [default: 16]
    #[arg(long, global = true, env = "SONARR_MCP_CONCURRENCY", hide_env_values = true, value_name = "NUMBER")]
    pub concurrency: Option<String>,
    /// Bytes an answer may take; a longer one is shortened and says how to get the rest [default: 60000]
    #[arg(long, global = true, env = "SONARR_MCP_MAX_RESULT_BYTES", hide_env_values = true, value_name = "BYTES")]
    pub max_result_bytes: Option<String>,
    /// Answer in text alone, for hosts that hand a model the structured copy as well
    #[arg(long, global = true, env = "SONARR_MCP_TEXT_ONLY", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub text_only: Option<String>,
    /// What is logged on standard error: off, error, warn, info or debug [default: warn]
    #[arg(long, global = true, env = "SONARR_MCP_LOG", hide_env_values = true, value_name = "LEVEL")]
    pub log: Option<String>,
    /// What the embedded Sonarr is like.
    #[command(flatten)]
    pub demonstration: DemoFlags,
    /// How clients reach the server.
    #[command(flatten)]
    pub network: NetworkFlags,
}

/// What the program can do beside serving.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make one call, as a model would, and print the answer
    Call(CallArgs),
    /// Look through the library for what needs a person
    ///
    /// Tables on a terminal, else a JSON object with the call that mends each finding. Ends with status 0 where nothing
    /// was found, 1 where something needs a person, and 2 where the library could not be looked through.
    Audit(AuditArgs),
    /// List the operations of all tools
    Operations(OperationsArgs),
    /// Say whether the address and the key are right, and which Sonarr answers
    Check,
}

/// What `call` takes.
#[derive(Debug, Args)]
pub struct CallArgs {
    /// The tool, with or without `sonarr_`
    pub tool: String,
    /// The operation
    pub operation: String,
    /// Its arguments, a JSON object such as '{"id": 1}'
    #[arg(value_name = "JSON")]
    pub arguments: Option<String>,
    /// Show what the call would do, and send nothing
    #[arg(long, env = "SONARR_MCP_DRY_RUN", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub dry_run: Option<String>,
    /// What to select from the answer, a JMESPath expression such as '[*].{id: id, title: title}'
    #[arg(long, env = "SONARR_MCP_QUERY", hide_env_values = true, value_name = "JMESPATH")]
    pub query: Option<String>,
    /// The instance it is for, where there are several
    #[arg(long, env = "SONARR_MCP_ON", hide_env_values = true, value_name = "NAME")]
    pub on: Option<String>,
}

/// What `audit` takes.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The audits, with or without `audit_`, such as missing; all of them unless told otherwise, and then the file names of some series only
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// How many days of the history are looked at [default: 30]
    #[arg(long, env = "SONARR_MCP_DAYS", hide_env_values = true, value_name = "NUMBER")]
    pub days: Option<String>,
    /// Print JSON on a terminal, too
    #[arg(long, env = "SONARR_MCP_JSON", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub json: Option<String>,
    /// The instance to look at, where there are several
    #[arg(long, env = "SONARR_MCP_ON", hide_env_values = true, value_name = "NAME")]
    pub on: Option<String>,
}

/// What `operations` takes.
#[derive(Debug, Args)]
pub struct OperationsArgs {
    /// Print a JSON array with the schema of each operation's arguments
    #[arg(long, env = "SONARR_MCP_JSON", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub json: Option<String>,
    /// With --json: also what is made of several operations of Sonarr's API
    #[arg(long, env = "SONARR_MCP_WORKFLOWS", hide_env_values = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub workflows: Option<String>,
}

/// Why a command ended without doing its work.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The arguments of `call` are wrong.
    #[error("{0}")]
    Usage(String),
    /// The call failed; the text says why.
    #[error("{0}")]
    Failed(String),
    /// The library could not be looked through; the text says why.
    #[error("{0}")]
    Unseen(String),
    /// There is no listener to be had.
    #[error("{0}")]
    Listen(String),
    /// Reading, writing or starting failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl CommandError {
    fn exit_code(&self) -> ExitCode {
        match self {
            CommandError::Config(_) | CommandError::Usage(_) | CommandError::Unseen(_) => ExitCode::from(2),
            CommandError::Failed(_) | CommandError::Listen(_) | CommandError::Io(_) => ExitCode::FAILURE,
        }
    }
}

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    match start(Cli::parse()) {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(CommandError::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell if standard error is closed.
            let _ = writeln!(std::io::stderr(), "sonarr-mcp: {error}");
            error.exit_code()
        }
    }
}

fn start(cli: Cli) -> Result<ExitCode, CommandError> {
    logging::start(crate::config::log_level(&cli.flags)?);
    // Calls wait for Sonarr nearly all the time. With more threads they would also wait for each other's wake-up, and
    // each thread would keep memory of its own.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(run(cli));
    // A read of standard input that nobody waits for any more must not hold up the end.
    runtime.shutdown_timeout(Duration::from_millis(100));
    outcome
}

async fn run(mut cli: Cli) -> Result<ExitCode, CommandError> {
    if cli.flags.demonstration.given() && cli.flags.demo.is_none() {
        cli.flags.demo = Some("true".to_owned());
    }
    let mut config = Config::read(&cli.flags)?;
    if let Some(Command::Operations(arguments)) = &cli.command {
        let json = crate::config::switch("json", arguments.json.as_deref())?;
        let workflows = crate::config::switch("workflows", arguments.workflows.as_deref())?;
        operations::print_all(&dispatcher(&config, &config.target), json, workflows)?;
        return Ok(ExitCode::SUCCESS);
    }
    let _demo = match config.demo {
        true => Some(demo::start(&mut config.target, cli.flags.demonstration.options()?).await?),
        false => None,
    };
    if matches!(cli.command, Some(Command::Check)) {
        // It asks with a tool that need not be offered.
        config.narrowing.tools.clear();
    }
    let instances = instances(&config);
    match cli.command {
        None => {
            let server = Server::new(instances, config.concurrency).with_text_only(config.text_only);
            serve::serve(server, config.serving).await?;
        }
        Some(Command::Call(arguments)) => call::call(&instances, &arguments).await?,
        Some(Command::Audit(arguments)) => return audit::audit(&instances, &arguments).await,
        Some(Command::Operations(_)) => {}
        Some(Command::Check) => {
            let report = check::check_all(&instances).await;
            print(&report.lines.join("\n"))?;
            return Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn instances(config: &Config) -> Arc<Instances> {
    let named = config.instances.iter().map(|(name, target)| (name.clone(), dispatcher(config, target)));
    let several = Instances::several(named.collect());
    Arc::new(several.unwrap_or_else(|| Instances::one(dispatcher(config, &config.target))))
}

fn dispatcher(config: &Config, target: &Target) -> Dispatcher {
    Dispatcher::narrowed(GROUPS, Connection::new(target.clone()), config.narrowing.clone())
        .with_policy(config.policy)
        .with_max_result_bytes(config.max_result_bytes)
}

/// Prints text and a newline on standard output.
fn print(text: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()
}

#[cfg(test)]
mod tests;
