#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh PROGRAM [--check]: writes the pages of docs/ that come from the tables of the code; with --check it only says
# which of them is not what would be written.
set -eu
program=$1
stale=0
for file in parameters.md streams.md messages.md modes.md faults.md misbehaviour.md differences.md openapi.json; do
    page=${file%.*}
    if [ "${2:-}" = --check ]; then
        "$program" "$page" | cmp -s - "docs/$file" || { echo "docs/$file is not what the tables say: make docs"; stale=1; }
    else
        "$program" "$page" >"docs/$file"
    fi
done
exit "$stale"
