//! The command `sonarr-mcp`.

fn main() -> std::process::ExitCode {
    sonarr_mcp::cli::main()
}
