#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deps.sh GROUP...: installs the packages of these groups of ci/packages that are missing, as root or by sudo. Prints
# nothing and needs no network if all are installed. DEPS=no installs nothing.
set -eu
[ "${DEPS:-yes}" != no ] || exit 0
packages=$(awk -v groups=" $* " '!/^#/ && NF && index(groups, " " $1 " ") { print $2 }' ci/packages | sort -u)
if ! command -v dpkg-query >/dev/null; then
    echo "deps: this is not Debian; install the equivalents of:" $packages >&2
    exit 0
fi

missing() {
    # shellcheck disable=SC2086 # a list of words
    dpkg-query -W -f '${db:Status-Status} ${Package}\n' $packages 2>/dev/null | sed -n 's/^installed //p' >"$installed"
    echo "$packages" | grep -vxF -f "$installed" | tr '\n' ' ' || true
}
installed=$(mktemp)
trap 'rm -f "$installed"' EXIT
[ -n "$(missing)" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
    root=sudo
    command -v sudo >/dev/null || {
        echo "deps: missing: $(missing); become root or install sudo, then: apt-get install $(missing)" >&2
        exit 1
    }
fi
# A second make waits here until the first one has installed its packages.
exec 9<ci/packages
flock 9
list=$(missing)
[ -n "$list" ] || exit 0
echo "deps: installing $list(reasons: ci/packages)"
$root apt-get -qq update
# shellcheck disable=SC2086 # a list of words
$root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 install \
    --no-install-recommends $list >/dev/null
