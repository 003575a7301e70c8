#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# image.sh BUILD: the container image as BUILD/mayfly-image.tar (OCI archive), with buildah or else podman.
# Both keep what they store under BUILD/containers, so that nothing is left on the machine. Needs no network.
set -eu
build=$1
store=$(cd "$build" && pwd)/containers
archive=$build/mayfly-image.tar
name=mayfly:latest
mkdir -p "$store"

if command -v buildah >/dev/null 2>&1; then
    tool=buildah
elif command -v podman >/dev/null 2>&1; then
    tool=podman
else
    echo "image: neither buildah nor podman is installed (make deps-dev)" >&2
    exit 1
fi
run() {
    "$tool" --root "$store/root" --runroot "$store/run" --storage-driver vfs "$@"
}

# The same binary gives the same image, whenever it is built.
run build --quiet --format oci --timestamp 0 --build-arg BINARY=mayfly -t "$name" -f Containerfile "$build" >/dev/null
rm -f "$archive"
run push --quiet "$name" "oci-archive:$archive:$name" >/dev/null
echo "image: $archive, $(wc -c <"$archive") bytes compressed"
