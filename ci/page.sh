#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# page.sh BUILD PACKAGE ...: tests/page, the live picture and the controller's page in a browser. Installs the Debian packages if they are missing, and
# what tests/page/package.json names into BUILD/page. npm brings some 400 packages: without it this says so and ends, but in
# CI, which must see the page, it is installed.
set -eu
build=$1
shift
if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    [ -z "${CI:-}" ] || sh ci/deps.sh nodejs npm
fi
if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "page: skipped: the live picture is not tested, no node or no npm here (apt-get install nodejs npm)"
    exit 0
fi
sh ci/deps.sh "$@"
mkdir -p "$build/page"
if ! cmp -s tests/page/package.json "$build/page/ok"; then
    cp tests/page/package.json "$build/page/package.json"
    npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts --prefix "$build/page"
    cp tests/page/package.json "$build/page/ok"
fi
[ "${PAGE:-}" != install ] || exit 0 # make doors looks by itself
NODE_PATH="$build/page/node_modules" node --test --test-reporter=spec tests/page/*.test.cjs
