#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# page.sh: tests/page, the pages of BUILD's programs in a browser. Installs Chromium if it is missing, and the packages of
# tests/page/package.json into BUILD/page. npm brings some 400 packages: without it this prints so and ends.
set -eu
build=$BUILD
if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "page: skipped: the live picture is not tested, no node or no npm here (apt-get install nodejs npm)"
    exit 0
fi
sh ci/deps.sh page
mkdir -p "$build/page"
if ! cmp -s tests/page/package.json "$build/page/ok"; then
    cp tests/page/package.json "$build/page/package.json"
    npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts --prefix "$build/page"
    cp tests/page/package.json "$build/page/ok"
fi
[ "${PAGE:-}" != install ] || exit 0 # make doors looks by itself
export SITE="$build/site" MAYFLY="$build/mayfly" SWARM="$build/mayfly-swarm" SIMCTL="$build/simctl" REPLAY="$build/replay"
NODE_PATH="$build/page/node_modules" node --test --test-reporter=spec tests/page/*.test.cjs
