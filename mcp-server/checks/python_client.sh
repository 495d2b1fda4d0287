#!/usr/bin/env bash
# The official Python client on the program with its built-in Sonarr, on each transport.
set -euo pipefail
. "$(dirname "$0")/clients.sh"
from_pip
cargo build --quiet -p sonarr-mcp
program=target/debug/sonarr-mcp
serve "$program" --demo --transport http --port 0
http=$url
serve "$program" --demo --transport sse --port 0
"$python" mcp-server/checks/python_client.py "$program" "$http" "$url"
