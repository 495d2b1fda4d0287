# Read by the other scripts here: builds what they need, brings the clients of others at fixed versions into
# target/clients, and serves a program on a free port until the script ends. Needs npm, and Python with venv for `python`.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

clients=$PWD/target/clients
npm=(node@24.21.0 stable@npm:@modelcontextprotocol/conformance@0.1.16
  newest@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 inspector@npm:@modelcontextprotocol/inspector@2.12.0)
pip=(mcp==2.3.0)

# The suite and the inspector want a newer Node than many systems have, so Node is one of the packages. Its binary is
# put in place by its install script.
from_npm() {
  local stamp=$clients/npm-$(printf '%s\n' "${npm[@]}" | sha256sum | head -c 12)
  if [ ! -e "$stamp" ]; then
    rm -rf "$clients/node" && mkdir -p "$clients/node"
    echo '{"private": true}' > "$clients/node/package.json"
    npm install --silent --no-fund --no-audit --prefix "$clients/node" "${npm[@]}" < /dev/null
    touch "$stamp"
  fi
  modules=$clients/node/node_modules
  PATH=$modules/node/bin:$PATH
}

from_pip() {
  local stamp=$clients/pip-$(printf '%s\n' "${pip[@]}" | sha256sum | head -c 12)
  if [ ! -e "$stamp" ]; then
    rm -rf "$clients/python" && mkdir -p "$clients"
    python3 -m venv "$clients/python"
    "$clients/python/bin/pip" install --quiet --disable-pip-version-check "${pip[@]}"
    touch "$stamp"
  fi
  python=$clients/python/bin/python
}

served=()
trap '[ ${#served[@]} = 0 ] || kill "${served[@]}"' EXIT

# serve COMMAND…: starts it and sets `url` to where it says that it listens.
serve() {
  local log
  log=$(mktemp)
  "$@" > "$log" 2>&1 &
  served+=($!)
  for _ in $(seq 100); do
    url=$(sed -n 's/.*listening at \(http[^ ]*\).*/\1/p' "$log")
    [ -n "$url" ] && { rm -f "$log"; return; }
    sleep 0.1
  done
  echo "it does not listen: $*"; cat "$log"; rm -f "$log"; exit 1
}
