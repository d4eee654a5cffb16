#!/usr/bin/env bash
# Watch the raw frames of the WebSocket with wscat (npm install -g wscat), curl and jq. Only a
# ticket is on the command line; it opens one WebSocket and expires after 30 seconds.
#
#   examples/wscat.sh [TYPE]                          e.g. 'auto.*'
set -euo pipefail

home=${LOOPWATCH_HOME:-$HOME/.loopwatch}
url=$(jq -r .url "$home/daemon.json")
ticket=$(
  printf 'Authorization: Bearer %s\n' "$(cat "$home/token")" |
    curl --silent --show-error --fail --request POST --header @- "$url/api/tickets" |
    jq -r .ticket
)
subscribe=$(jq -cn --arg type "${1:-*}" '{type: "subscribe", id: 1, types: [$type], after: 0}')
exec wscat --connect "ws${url#http}/ws" \
  --subprotocol loopwatch.v1 --subprotocol "ticket.$ticket" \
  --execute "$subscribe" --wait -1
