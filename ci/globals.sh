#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# globals.sh BUILD: no mutable file-scope state in the rooms of which ten thousand instances share one process.
# Reads the objects of BUILD/obj, built -fno-pie (with PIE, constant tables of pointers would show as data).
set -eu
build=$1
found=0
objects=0
for room in mavlink math hal firmware world drone; do
    for object in $(find "$build/obj/$room" -name '*.o' 2>/dev/null); do
        objects=$((objects + 1))
        bad=$(nm "$object" | awk '$2 ~ /^[bBdDCgGsS]$/ || $1 ~ /^[C]$/ { print "    " $0 }')
        if [ -n "$bad" ]; then
            printf '%s: mutable state at file scope\n%s\n' "$object" "$bad"
            found=1
        fi
    done
done
if [ "$found" = 1 ]; then
    echo "    why: state belongs into struct mf_vehicle, so that instances run side by side and a crash names its instance"
    exit 1
fi
if [ "$objects" = 0 ]; then
    echo "globals: no objects in $build/obj; run 'make all' first"
    exit 1
fi
echo "globals: none in $objects objects"
