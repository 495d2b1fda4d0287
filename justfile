# Each recipe is one command; `just` lists them.

_list:
    @just --list

# Everything generated, made again from openapi/
regen:
    cargo xtask regen

# What CI runs
ci:
    bash .ci/run

# All tests
test:
    cargo test --workspace

# Fuzzes each target, a minute unless told otherwise
fuzz seconds="60":
    .ci/fuzz {{seconds}}

# Format and lints, warnings denied
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# The embedded Sonarr answers one call
demo:
    cargo run --release -p sonarr-mcp -- --demo call sonarr_media_library list_series

# Decodes a folder of captured responses into the generated types and back
decode folder:
    cargo xtask decode {{folder}}

# The live suite against SONARR_URL and SONARR_API_KEY; with SONARR_WRITE_TESTS=1 scratch objects are written, too
live:
    cargo build -p sonarr-mcp
    cargo run -p sonarr-mcp --example live

# What twelve everyday jobs cost a model, written to docs/jobs.md
jobs:
    cargo xtask jobs

# Speed, size and memory of the release build, beside the least possible and other servers; written to docs/performance.md
bench *flags:
    cargo xtask bench {{flags}}

# What is shipped, as far as this machine can build it, into target/package; held against the published schemas
package:
    cargo xtask package
    bash .ci/manifests

# What the audits find, and what each costs on a large library; written to docs/audits.md
audits:
    cargo build --release -p sonarr-mcp
    cargo run --release -p sonarr-mcp --example audits

# The official conformance suite against the example with its fixtures; docs/transports.md has the figures
conformance:
    bash mcp-server/checks/conformance.sh

# The official inspector's command line on the program, on each transport
inspector:
    bash mcp-server/checks/inspector.sh

# The official Python client on the program, on each transport
python-client:
    bash mcp-server/checks/python_client.sh

# Licences, sources and doubles of the dependencies
deny:
    bash .ci/deny

