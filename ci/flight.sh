#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# flight.sh MAYFLY FLY [ARGUMENTS OF MAYFLY]: starts a drone, flies the built-in square with it, ends it with SIGTERM.
# WRAP (such as 'valgrind -q') goes before the drone; PORT is 5760 or 'auto'. Fails if the flight or the drone's exit does.
set -eu
mayfly=$1 fly=$2
shift 2
port=${PORT:-5760}
if [ "$port" = auto ]; then # beside other drones on this machine
    port=$((10000 + $$ % 4000))
    set -- --instance $((1000 + $$ % 10000)) --sysid 1 "$@"
fi

# shellcheck disable=SC2086 # WRAP is a list of words
${WRAP:-} "$mayfly" --tcp "127.0.0.1:$port" "$@" &
drone=$!
trap 'kill "$drone" 2>/dev/null || true' EXIT

flight=0
"$fly" "tcp:127.0.0.1:$port" || flight=$?

kill -TERM "$drone" 2>/dev/null || true
trap - EXIT
end=0
wait "$drone" || end=$?
[ "$end" = 0 ] || echo "flight: the drone ended with exit code $end" >&2
[ "$flight" = 0 ] || echo "flight: the flight failed with exit code $flight" >&2
[ "$flight" = 0 ] && [ "$end" = 0 ]
