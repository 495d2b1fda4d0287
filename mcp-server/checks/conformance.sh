#!/usr/bin/env bash
# The official conformance suite against the example with its fixtures, on this crate's transport.
set -euo pipefail
. "$(dirname "$0")/clients.sh"
from_npm
cargo build --quiet -p sonarr-mcp --example conformance
serve target/debug/examples/conformance 0

# check PACKAGE REVISION DUE: every check passes, and none has gone missing.
check() {
  local log version passed failed
  version=$(node -p 'require(process.argv[1]).version' "$modules/$1/package.json")
  log=$clients/conformance-$1-$2.log
  (cd "$clients" && node "$modules/$1/dist/index.js" server --url "$url" --suite all --spec-version "$2") > "$log" 2>&1 \
    || { cat "$log"; echo "version $version does not pass for $2"; exit 1; }
  read -r passed failed < <(sed -n 's/^Total: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log") || true
  echo "version $version, revision $2: ${passed:-0} of $3 checks passed, ${failed:-?} failed"
  [ "${failed:-1}" = 0 ] && [ "${passed:-0}" = "$3" ] || { cat "$log"; exit 1; }
}

check stable 2025-11-25 46
check newest 2025-11-25 83
check newest 2026-07-28 150
