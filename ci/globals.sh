#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# globals.sh BUILD: the rooms of which ten thousand instances share one process have no mutable state at file scope. No compiler
# reports a static counter that two vehicles share; no commit records one that this found.
# The objects are built with -fno-pie: with PIE, constant tables of pointers would show as data.
set -eu
cd "$1/obj"
find mavlink math hal firmware world drone hal-sim -name '*.o' -exec nm -A --format=posix {} + |
    awk '$3 ~ /^[bBdDCgGsS]$/ { print "mutable state at file scope: " $1 " " $2; found = 1 } END { exit found + 0 }' || {
    echo "    why: state belongs into struct mf_vehicle, so that instances run side by side and a crash names its instance"
    exit 1
}
