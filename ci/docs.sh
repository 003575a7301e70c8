#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh PROGRAM [--check]: writes the pages of docs/ that come from the tables of the code, and of options, scenarios and simctl beside it; with --check it only says
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
for page in options scenarios; do
    if [ "${2:-}" = --check ]; then
        "${program%/*}/$page" page | cmp -s - "docs/$page.md" || { echo "docs/$page.md is not what the tables say: make docs"; stale=1; }
    else
        "${program%/*}/$page" page >"docs/$page.md"
    fi
done
simctl=${program%/*}/simctl # built where its libraries are
if [ -x "$simctl" ]; then
    if [ "${2:-}" = --check ]; then
        "$simctl" openapi | cmp -s - docs/controller-openapi.json || { echo "docs/controller-openapi.json is not what the tables say: make docs"; stale=1; }
    else
        "$simctl" openapi >docs/controller-openapi.json
    fi
fi
exit "$stale"
