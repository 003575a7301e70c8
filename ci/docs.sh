#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh PROGRAM [--check]: writes the pages of docs/ that come from the tables of the code; with --check it only says
# which of them is not what would be written.
set -eu
program=$1
stale=0
for page in parameters streams messages modes faults misbehaviour differences; do
    if [ "${2:-}" = --check ]; then
        "$program" "$page" | cmp -s - "docs/$page.md" || { echo "docs/$page.md is not what the tables say: make docs"; stale=1; }
    else
        "$program" "$page" >"docs/$page.md"
    fi
done
exit "$stale"
