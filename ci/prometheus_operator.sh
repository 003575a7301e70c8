#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# prometheus_operator.sh FOLDER: builds the Prometheus Operator as FOLDER/operator, and puts its CRDs into FOLDER/crds, for
# tests/cluster/test_monitoring.py. Needs Go and its module proxy; takes minutes. Does nothing if the program is there, or Go is not.
set -eu
module=github.com/prometheus-operator/prometheus-operator
version=v0.85.0
[ ! -x "$1/operator" ] || exit 0
command -v go >/dev/null || { echo "prometheus_operator: no go, which golang-go has"; exit 0; }

source_of() { (cd / && go mod download -json "$1@$version") | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cp -r "$(source_of $module)" "$folder/source"
chmod -R u+w "$folder/source"
for part in pkg/apis/monitoring pkg/client; do # go.mod wants these modules as folders, and the archive does not contain them
    mkdir -p "$folder/source/$part"
    cp -r "$(source_of $module/$part)/." "$folder/source/$part"
    chmod -R u+w "$folder/source/$part"
done
(cd "$folder/source" && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -p 2 -ldflags '-s -w' -o "$folder/operator.new" ./cmd/operator)
mv "$folder/source/example/prometheus-operator-crd" "$folder/crds"
rm -rf "$folder/source"
mv "$folder/operator.new" "$folder/operator"
