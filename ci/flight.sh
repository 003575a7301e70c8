#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# flight.sh MAYFLY FLY [ARGUMENTS OF MAYFLY]: a drone of its own, on free ports, flies the built-in square.
# TERM=dumb: fly rewrites no line of the terminal, since the drone writes between its lines. WRAP (such as 'valgrind -q')
# goes before the drone. Fails if the flight or the drone does.
set -eu
mayfly=$1 fly=$2
shift 2
# shellcheck disable=SC2016,SC2086 # the inner shell knows the variables; WRAP is a list of words
exec env TERM=dumb ${WRAP:-} "$mayfly" exec "$@" -- sh -c '"$1" "$MAYFLY_PYMAVLINK_URL"' sh "$fly"
