#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# image.sh BUILD PROGRAM             localhost/mayfly, the drone's container image
# image.sh BUILD --index PROGRAM...  an index of these images, of one program per processor
# image.sh BUILD --tools PROGRAM...  localhost/mayfly-tools: programs with their shared libraries, certificates and PROJ's database
#
# OCI archives: BUILD/mayfly-image.tar, BUILD/mayfly-images.tar (the index), BUILD/mayfly-tools-image.tar; what each contains is
# listed beside it in .spdx.json. buildah or else podman build them and leave nothing on the machine. Needs no network and no base
# image. The same programs at the same commit give the same digest, from the same version of buildah or podman.
set -eu
umask 022
sh ci/deps.sh image
build=$1
shift
name=mayfly containerfile=Containerfile index=
case $1 in
--tools)
    name=mayfly-tools containerfile=tools/Containerfile
    shift
    ;;
--index)
    index=yes
    shift
    ;;
esac
store=$(cd "$build" && pwd)/containers/$name$index # while it is built
roots=$build/image/$name$index # of each processor the root of its image
LC_ALL=C SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export LC_ALL SOURCE_DATE_EPOCH

tool=$(command -v buildah || command -v podman) || {
    echo "image: neither buildah nor podman is installed (make deps-dev)" >&2
    exit 1
}
run() {
    "$tool" --root "$store/root" --runroot "$store/run" --storage-driver vfs "$@"
}

# processor PROGRAM: of its ELF header, in the words of OCI
processor() {
    case $(od -An -tx2 -j18 -N2 "$1") in
    *003e) echo amd64 ;;
    *00b7) echo arm64 ;;
    *00f3) echo riscv64 ;;
    *)
        echo "image: $1 is for none of amd64, arm64, riscv64" >&2
        exit 1
        ;;
    esac
}

# root_of_mayfly PROGRAM ROOT
root_of_mayfly() {
    install -D -m 0755 "$1" "$2/mayfly"
    python3 ci/sbom.py --program "$1" >"$2/mayfly.spdx.json"
}

# root_of_tools ROOT PROGRAM...
root_of_tools() {
    root=$1
    shift
    install -D -s -m 0755 -t "$root/usr/bin" "$@"
    install -D -s -m 0644 -t "$root/usr/lib/mayfly" "$build/libmayflytime.so"
    ldd "$@" >"$root.ldd"
    if grep 'not found' "$root.ldd" >&2; then exit 1; fi
    for file in $(sed -nE 's/^\t([^ ]+ => )?(\/[^ ]+) \(0x.*/\2/p' "$root.ldd" | sort -u) /usr/share/proj/proj.db; do
        install -D -m "$(stat -L -c %a "$file")" "$file" "$root$file"
    done
    # Mozilla's, without those that an administrator has added to this machine
    mkdir -p "$root/etc/ssl/certs"
    cat /usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
    python3 ci/sbom.py --root "$root" >"$root.spdx.json"
    install -D -m 0644 "$root.spdx.json" "$root/mayfly-tools.spdx.json"
}

# image ROOT OPTION...: an image of what is in ROOT, a folder named after its processor
image() {
    root=$1
    shift
    [ "$name" = mayfly-tools ] || # the texts of some forty licences are in its list
        set -- --label "org.opencontainers.image.licenses=$(python3 ci/sbom.py --licenses "$root/$name.spdx.json")" "$@"
    run build --quiet --format oci --timestamp "$SOURCE_DATE_EPOCH" --identity-label=false --arch "${root##*/}" \
        --label "org.opencontainers.image.version=$("$build/mayfly" --version | cut -d' ' -f2)" \
        ${revision:+--label "org.opencontainers.image.revision=$revision"} "$@" -f "$containerfile" "$root" >/dev/null
}

rm -rf "$roots" "$store"
mkdir -p "$store" "$roots"
trap 'rm -rf "$store"' EXIT
revision=$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null) || revision=
archive=$build/$name-image.tar
if [ "$name" = mayfly-tools ]; then
    processor=$(processor "$1")
    root_of_tools "$roots/$processor" "$@"
    set -- "$processor"
else
    for program in "$@"; do
        processor=$(processor "$program")
        [ ! -e "$roots/$processor" ] || { echo "image: $program is the second one for $processor" >&2; exit 1; }
        root_of_mayfly "$program" "$roots/$processor"
    done
fi
if [ -z "$index" ]; then
    image "$roots/$processor" -t "localhost/$name"
    cp "$roots/$processor/$name.spdx.json" "${archive%.tar}.spdx.json"
    rm -f "$archive"
    run push --quiet "localhost/$name" "oci-archive:$archive:localhost/$name:latest"
else
    archive=$build/$name-images.tar
    for processor in $(cd "$roots" && echo *); do
        image "$roots/$processor" --manifest "localhost/$name-index"
        cp "$roots/$processor/$name.spdx.json" "${archive%.tar}.$processor.spdx.json"
    done
    rm -f "$archive"
    run manifest push --quiet --all "localhost/$name-index" "oci-archive:$archive:localhost/$name:latest"
fi
echo "image: $archive, $(wc -c <"$archive") bytes compressed"
