#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh BUILD: writes the pages of docs/ that show tables of the code, and tests/texts.txt.
set -eu
build=$1
for file in parameters.md streams.md messages.md modes.md faults.md misbehaviour.md mission-items.md differences.md openapi.json; do
    "$build/ci/docs" "${file%.*}" >"docs/$file"
done
for page in options scenarios; do
    "$build/ci/$page" page >"docs/$page.md"
done
"$build/simctl" openapi >docs/controller-openapi.json
python3 ci/pages.py "$build"
python3 ci/error_codes.py
python3 ci/requirements.py
python3 ci/texts.py
python3 ci/prose.py --lower
