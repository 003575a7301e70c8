#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# globals.sh BUILD: no mutable file-scope state in the rooms of which ten thousand instances share one process.
# Reads the objects of BUILD/obj, built -fno-pie (with PIE, constant tables of pointers would show as data).
set -eu
build=$1
objects=
for room in mavlink math hal firmware world drone hal-sim; do
    objects="$objects $(find "$build/obj/$room" "$build/obj/$build/batch/$room" -name '*.o' 2>/dev/null || true)"
done
# shellcheck disable=SC2086 # a list of words
set -- $objects
if [ $# = 0 ]; then
    echo "globals: no objects in $build/obj; run 'make all' first"
    exit 1
fi
if nm -A --format=posix "$@" | awk '$3 ~ /^[bBdDCgGsS]$/ { print $1 " mutable state at file scope: " $2; found = 1 } END { exit !found }'; then
    echo "    why: state belongs into struct mf_vehicle, so that instances run side by side and a crash names its instance"
    exit 1
fi
echo "globals: none in $# objects"
