#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# promtool.sh FILE: promtool alone, out of Debian's package prometheus: installing that would start a server. Nothing
# happens if the file is there.
set -eu
[ ! -x "$1" ] || exit 0
if command -v promtool >/dev/null 2>&1; then
    ln -sf "$(command -v promtool)" "$1"
    exit 0
fi
root=
[ "$(id -u)" = 0 ] || root=sudo
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
echo "promtool: taken out of the package prometheus"
(
    cd "$folder"
    apt-get -q download prometheus >/dev/null 2>&1 ||
        { $root apt-get -q update >/dev/null && apt-get -q download prometheus >/dev/null; }
    dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool
)
mkdir -p "$(dirname "$1")"
mv "$folder/usr/bin/promtool" "$1"
