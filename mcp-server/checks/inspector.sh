#!/usr/bin/env bash
# The official inspector's command line on the program with its built-in Sonarr: tools, resources and prompts, on each
# transport.
set -euo pipefail
. "$(dirname "$0")/clients.sh"
from_npm
cargo build --quiet -p sonarr-mcp
program=target/debug/sonarr-mcp
count=0

# is PART METHOD [FLAGS…]: what comes back has the part.
is() {
  local part=$1 method=$2 answer
  shift 2
  answer=$(node "$modules/inspector/clients/launcher/build/index.js" --cli "${target[@]}" --method "$method" "$@") \
    || { echo "$transport: $method failed: $answer"; exit 1; }
  [[ $answer == *"$part"* ]] || { echo "$transport: $method has no $part: $answer"; exit 1; }
  count=$((count + 1))
  echo "$transport: $method $*: has $part"
}

for transport in stdio http sse; do
  if [ "$transport" = stdio ]; then
    target=("$program" --demo)
  else
    serve "$program" --demo --transport "$transport" --port 0
    target=("$url")
  fi
  # Strictly: no schema has what hosts or model APIs refuse.
  is '"sonarr_media_library"' tools/list --strict
  is '"isError": false' tools/call --tool-name sonarr_tags --tool-arg operation=list_tags
  is '"title"' tools/call --tool-name sonarr_media_library --tool-arg operation=get_series --tool-arg 'arguments={"id": 1}'
  is '"sonarr://reference/operations"' resources/list
  is '"sonarr://live/series/{id}"' resources/templates/list
  is '"contents"' resources/read --uri sonarr://live/health
  is '"clean_queue"' prompts/list
  is '"messages"' prompts/get --prompt-name clean_queue
done
echo "$count calls answered"
