#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lib.sh ARCHIVE FOLDER FLAG ROOM...: puts libmayfly.a, the headers of the rooms and mayfly.pc into FOLDER, which may be
# moved. FLAG is what programs have to be linked with, or empty.
set -eu
archive=$1 to=$2 flag=$3
shift 3
version=$(sed -n 's/^#define MF_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$(find firmware -name version.h)" | paste -sd.)
mkdir -p "$to/lib/pkgconfig" "$to/include"
rm -rf "$to/include/mayfly" # a header that is gone from the tree is gone from here
mkdir "$to/include/mayfly"
find "$@" \( -name '*.h' -o -name '*.def' \) -exec cp --parents -t "$to/include/mayfly" {} +
cp "$archive" "$to/lib/libmayfly.a"
cat >"$to/lib/pkgconfig/mayfly.pc" <<END
prefix=\${pcfiledir}/../..
Name: mayfly
Description: a PX4-compatible drone as an object: autopilot, simulated world, MAVLink
Version: $version
Cflags: -I\${prefix}/include/mayfly
Libs: -L\${prefix}/lib -lmayfly -lm $flag
END
echo "lib: $to/lib/libmayfly.a, $version"
