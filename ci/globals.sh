#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# globals.sh BUILD: the rooms of which ten thousand instances share one process have no mutable state at file scope. No compiler
# reports a static counter that two vehicles share; no commit records one that this found. boards/swarm has none but these, so
# that two swarms can share a process:
#   main.o s_stop, control.o s_toggles s_steps   counts of signals: a handler is called without a run
#   main.o s_swarm                               a checkpoint holds its address, which is that of each process
#   plugins.o s_call s_watch* t_call              calls of threads: one that does not return ends the process
# A static of a function is s_swarm.0 for gcc, main.s_swarm for clang. The objects are built with -fno-pie: with PIE, constant tables of pointers would show as data.
set -eu
top=$PWD
cd "$1/obj"
find mavlink math hal firmware world drone hal-sim -name '*.o' -exec nm -A --format=posix {} + |
    awk '$3 ~ /^[bBdDCgGsS]$/ { print "mutable state at file scope: " $1 " " $2; found = 1 } END { exit found + 0 }' || {
    echo "    why: state belongs into struct mf_vehicle, so that instances run side by side and a crash names its instance"
    exit 1
}
find boards/swarm -name '*.o' | while read -r o; do # objects of files that a move has left behind do not count
    [ -e "$top/${o%.o}.c" ] && nm -A --format=posix "$o"
done | awk '$3 ~ /^[bBdDCgGsS]$/ && $1 " " $2 !~ /\/main.o: (s_stop|s_swarm\.[0-9]+|main\.s_swarm)$|\/control.o: s_(toggles|steps)$|\/plugins.o: (s_call|t_call|s_watch_(once|error))$/ {
    print "mutable state at file scope: " $1 " " $2; found = 1 } END { exit found + 0 }' || {
    echo "    why: state belongs into a slot of struct swarm (boards/swarm/core/slots.h), so that two swarms can share a process"
    exit 1
}
