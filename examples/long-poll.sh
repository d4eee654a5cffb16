#!/usr/bin/env bash
# Follow events over plain HTTP with curl and jq: print failed loops and new inbox items, one JSON
# object per line. Survives restarts of the daemon, and its own if you pass a file for the cursor.
#
#   examples/long-poll.sh [CURSOR_FILE]
set -euo pipefail

home=${LOOPWATCH_HOME:-$HOME/.loopwatch}
types='auto.failed,attention.raised'
file=${1:-}

# Pass the token on stdin: every user of the machine can read a command line.
ask() {
  local url
  url=$(jq -r .url "$home/daemon.json") || return 1
  printf 'Authorization: Bearer %s\n' "$(cat "$home/token")" |
    curl --silent --show-error --fail --max-time 40 --header @- "$url/api/$1"
}

cursor=
[ -n "$file" ] && [ -s "$file" ] && cursor=$(cat "$file")
while :; do
  if [ -z "$cursor" ]; then
    # Start from now. A cursor is epoch:seq; the epoch identifies the database.
    status=$(ask status) || { sleep 2; continue; }
    cursor=$(jq -r '"\(.epoch):\(.head)"' <<<"$status")
    [ -n "$file" ] && echo "$cursor" >"$file"
    echo "following from $cursor" >&2
  fi
  page=$(ask "events?after=$cursor&types=$types&wait=25") || { sleep 2; continue; }
  jq -e .reset <<<"$page" >/dev/null && echo 'some events are no longer kept' >&2
  jq -c '.epoch as $epoch | .events[] | {key: "\($epoch):\(.seq)"} + .' <<<"$page"
  # Save the cursor only after printing: if killed in between, the events are printed again.
  cursor=$(jq -r '"\(.epoch):\(.next)"' <<<"$page")
  [ -n "$file" ] && echo "$cursor" >"$file"
done
