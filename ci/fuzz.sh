#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh SECONDS PROGRAM...: runs each libFuzzer program for SECONDS, as many at once as there are processors.
# Seeds come from tests/fuzz/corpus/NAME; what is found new goes to FOLDER-OF-PROGRAM/corpus/NAME. A crash prints one
# line that reproduces it. Fuzzers found a container without a restricted security context, a touchdown that a mission saw a second
# late, and a configuration that did not read back what it had printed.
set -eu
if [ "$1" != one ]; then
    seconds=$1
    shift
    [ $# -gt 0 ] || { echo "fuzz: no program tests/fuzz/fuzz_*.c"; exit 1; }
    echo "$@" | tr ' ' '\n' | xargs -P "$(nproc)" -n 1 sh "$0" one "$seconds"
    echo "fuzz: $# programs, $seconds s each, nothing found"
    exit 0
fi

seconds=$2
program=$3
name=$(basename "$program" | sed 's/^fuzz_//')
folder=$(dirname "$program")
found=$folder/corpus/$name
crash=$folder/crash-$name-
log=$folder/$name.log
mkdir -p "$found"
seeds=tests/fuzz/corpus/$name
[ -d "$seeds" ] || seeds=
rm -f "$crash"*

# shellcheck disable=SC2086 # seeds may be empty
if "$program" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$crash" "$found" $seeds >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz: $name: ${runs:-0} runs in $seconds s, corpus $(find "$found" $seeds -type f | wc -l), clean"
    exit 0
fi
tail -n 40 "$log"
for artifact in "$crash"*; do
    [ -e "$artifact" ] || continue
    input=$folder/input-$name
    echo "reproduce: make BUILD=build/fuzz FUZZ=1 $program && echo $(base64 -w 0 "$artifact") | base64 -d >$input && $program $input"
done
exit 255 # tells xargs to start no more
