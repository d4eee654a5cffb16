#!/usr/bin/env bash
# Follows the events over plain HTTP with curl and jq: prints loops that failed and places where a
# person is needed, one JSON object a line. Survives restarts of the daemon, and of itself when it is
# given a file to keep its cursor in.
#
#   examples/long-poll.sh [CURSOR_FILE]
set -euo pipefail

home=${LOOPWATCH_HOME:-$HOME/.loopwatch}
types='auto.failed,attention.raised'
file=${1:-}

# The token goes in by standard input: a command line can be read by everybody on the machine.
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
    # From now on. A cursor is epoch:seq; the epoch names the life of the database.
    status=$(ask status) || { sleep 2; continue; }
    cursor=$(jq -r '"\(.epoch):\(.head)"' <<<"$status")
    [ -n "$file" ] && echo "$cursor" >"$file"
    echo "following from $cursor" >&2
  fi
  page=$(ask "events?after=$cursor&types=$types&wait=25") || { sleep 2; continue; }
  jq -e .reset <<<"$page" >/dev/null && echo 'some events are not kept any more' >&2
  jq -c '.epoch as $epoch | .events[] | {key: "\($epoch):\(.seq)"} + .' <<<"$page"
  # Only now, after they were printed: whoever is killed in between prints them again.
  cursor=$(jq -r '"\(.epoch):\(.next)"' <<<"$page")
  [ -n "$file" ] && echo "$cursor" >"$file"
done
