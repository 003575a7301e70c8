#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist.sh BUILD PROCESSOR...: BUILD/dist, what a release consists of, out of the static programs of each processor: BUILD/ship for
# amd64, else BUILD/PROCESSOR/ship. The same commit, built with the same packages of Debian, gives the same bytes in any folder.
set -eu
umask 022
build=$1
shift
dist=$build/dist stage=$build/dist-stage
LC_ALL=C SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export LC_ALL SOURCE_DATE_EPOCH
version=$(sed -n 's/^#define MF_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' firmware/state/version.h | paste -sd.)
grep -qx "__version__ = \"$version\"" tools/pytest-mayfly/src/pytest_mayfly/__init__.py || {
    echo "dist: pytest-mayfly is not of version $version: __version__ in its __init__.py" >&2
    exit 1
}

# release_notes: the version's section of CHANGELOG.md without its heading, each item in one line, since a release's page keeps breaks
release_notes() {
    awk -v version="$version" '/^## / { inside = $2 == version; next }
        inside && /^  / { sub(/^ +/, " "); printf "%s", $0; next }
        inside && (begun || NF) { printf "%s%s", begun ? "\n" : "", $0; begun = 1 }
        END { if (begun) print ""; else exit 1 }' CHANGELOG.md
}

# archive FOLDER: a tar of what is in it, without who made it and when
archive() {
    (cd "$1" && tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX -cf - -- *)
}

# debian ROOT PROCESSOR: the package of what is below ROOT
debian() {
    gzip -9n "$1"/usr/share/man/man1/*.1
    mkdir "$1/DEBIAN"
    (cd "$1" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
    cat >"$1/DEBIAN/control" <<END
Package: mayfly
Version: $version
Architecture: $2
Maintainer: ${MAINTAINER:-Mayfly <maintainer@mayfly.invalid>}
Installed-Size: $(find "$1/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
Section: science
Priority: optional
Description: PX4-compatible drone in one small process
 Autopilot, simulated world and MAVLink for tests of ground stations, SDKs and
 planners. The programs are static and need no other package.
END
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$1" "$dist/mayfly_${version}_$2.deb" >/dev/null
}

# ship PROCESSOR: the folder of its programs
ship() {
    case $1 in
    amd64) echo "$build/ship" ;;
    *) echo "$build/$1/ship" ;;
    esac
}

notes=$(release_notes) || {
    echo "dist: CHANGELOG.md has no text for version $version: write what the release changes below '## $version - DATE'" >&2
    exit 1
}
rm -rf "$dist" "$stage"
mkdir -p "$dist" "$stage"
printf '%s\n' "$notes" >"$dist/RELEASE_NOTES.md"
for processor in "$@"; do
    root=$stage/$processor/deb doc=share/doc/mayfly
    ship=$(ship "$processor")
    paths=
    for program in mayfly mayfly-swarm replay conform fly; do
        python3 ci/sbom.py --program "$ship/$program" >"$ship/$program.spdx.json"
        paths="$paths $ship/$program"
    done
    sh ci/install.sh install "$build" "$root/usr" "$ship" >/dev/null
    for path in $paths; do
        install -m 644 "$path.spdx.json" "$root/usr/$doc"
    done
    cat >"$root/usr/$doc/copyright" <<END
Mayfly is under the Apache License, version 2.0: LICENSE in this folder. The programs are static. Files .spdx.json in this folder list
what each contains of other projects, with licences and copyrights. The library contains nothing of them.
END
    mkdir "$stage/$processor/tar"
    cp -R "$root/usr" "$stage/$processor/tar/mayfly"
    archive "$stage/$processor/tar" | gzip -9n >"$dist/mayfly-linux-$processor.tar.gz"
    debian "$root" "$processor"
    # shellcheck disable=SC2086 # a list of words
    python3 tools/pytest-mayfly/backend.py "$dist" "$processor" $paths "$ship/libmayflytime.so" >/dev/null
    cp "$ship/mayfly.spdx.json" "$dist/mayfly-linux-$processor.spdx.json"
done
mkdir "$stage/image"
tar -C "$stage/image" -xf "$build/mayfly-images.tar"
archive "$stage/image" >"$dist/mayfly-image.tar"
(cd "$dist" && sha256sum -- * >SHA256SUMS)
rm -rf "$stage"
echo "dist: $dist, version $version for $*:"
(cd "$dist" && wc -c -- * | sed '$d')
