#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages named as arguments that are missing, and says so. Silent, and without network, when all
# are there. The packages and why each is needed stand in the Makefile.
set -eu

if [ "${DEPS:-yes}" = no ]; then
    exit 0
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "deps: this is no Debian; needed are the equivalents of: $*" >&2
    exit 0
fi

missing=
for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null 2>&1; then
    root=sudo
else
    echo "deps: missing:$missing; become root or install sudo, then: apt-get install$missing" >&2
    exit 1
fi

echo "deps: installing$missing (what each is for: the package list in the Makefile)"
# The lists of a fresh machine or image are empty or old: refreshed once, only when something is missing.
$root apt-get -q -o Dpkg::Use-Pty=0 update >/dev/null
# shellcheck disable=SC2086 # a list of words
$root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends $missing >/dev/null
echo "deps: done"
