#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh FOLDER PROCESSOR: the libraries that static programs need, for another processor, in FOLDER. For arm64 Debian has
# packages; for riscv64 ci/sources.sh compiles Debian's sources. Packages are kept in FOLDER.debs, with lists and cache of apt of
# their own, so that those of the machine stay as they are; a file ok there says that all is complete.
set -eu
folder=$1 processor=$2 debs=$1.debs
[ "$processor" != riscv64 ] || exec sh ci/sources.sh "$folder" riscv64-linux-gnu libyaml http-parser jansson
set -- libc6-dev libyaml-dev libhttp-parser-dev libjansson-dev
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
