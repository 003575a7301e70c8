#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh FOLDER PROCESSOR PACKAGE...: Debian's packages for another processor, unpacked into FOLDER and kept beside it in
# FOLDER.debs, where a file ok says that all is there. Lists and cache of apt are there, too, so the machine's own packages and processors stay as they are.
set -eu
folder=$1 processor=$2 debs=$1.debs
shift 2
rm -rf "$folder" "$debs"
mkdir -p "$folder" "$debs/lists/partial" "$debs/archives/partial"
cd "$debs"

get() {
    apt-get -q -q -o APT::Architecture="$processor" -o APT::Architectures="$processor" -o APT::Sandbox::User= \
        -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
        -o Dir::State="$PWD" -o Dir::State::status=/dev/null -o Dir::Cache="$PWD" "$@"
}
echo "sysroot: $* for $processor"
get update
get download "$@"
rm -rf lists archives ./*.bin
cd - >/dev/null
for deb in "$debs"/*.deb; do
    dpkg-deb --extract "$deb" "$folder"
done
touch "$debs/ok"
