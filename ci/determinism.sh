#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# determinism.sh BUILD: the same bytes from every build (SIM-042). ci/recordings.py gives the sessions of tests/conform and the
# flights of tests/data/recordings to boards/conform, built by each compiler, level, C library and processor there is; one line
# per variant, with the fields that differ. It found that gcc computes floats for s390x in double precision.
# After a change of behaviour that is wanted: UPDATE=yes make determinism
set -eu
build=$1
out=$build/determinism
runs=${RUNS:-100}
expected=tests/conform/expected

# what is run side by side, as many at once as there are processors
case ${2:-} in
variant) # COMPILER AND FLAGS, PROGRAM, EMULATOR
    sh -c "$3 -o $4" && python3 ci/recordings.py "$build" --conform "$5 $4" >"$4.log" 2>&1 && touch "$4.same"
    exit 0
    ;;
again) # PROGRAM
    for session in tests/conform/*.txt; do
        hash=$("$3" "$session") || hash=failed
        echo "${hash%% *}  $(basename "$session" .txt)"
    done
    exit
    ;;
esac

[ "${UPDATE:-}" != yes ] || python3 ci/recordings.py "$build" --update
rm -rf "$out"
mkdir -p "$out"
sources=$(find mavlink math hal firmware world drone boards/conform -name '*.c' | sort | tr '\n' ' ')
sources="$sources host/base/guard.c host/record/recording.c host/record/post.c host/spec/faultspec.c host/spec/geoidspec.c host/base/value.c host/base/json.c $build/made/egm96.c"
broken=0
skipped=

program_of() {
    echo "$out/$(echo "$1" | tr -c 'a-zA-Z0-9\n' _)"
}

# variant NAME COMPILER FLAGS [EMULATOR]: one more to build and to run
variant() {
    echo "'$2 -std=c11 -D_GNU_SOURCE -ffp-contract=off -I. $3 $sources -lm' $(program_of "$1") '${4:-}'" >>"$out/commands"
    echo "$1" >>"$out/variants"
}

# have VARIANT PROGRAM...: are they here?
have() {
    what=$1
    shift
    for program in "$@"; do
        if ! command -v "$program" >/dev/null 2>&1; then
            skipped="$skipped
determinism: skipped: $what ($program is not here; make nightly installs it)"
            return 1
        fi
    done
}

for level in -O0 -O2 -O3; do
    variant "gcc x86-64 glibc $level" "${CC:-gcc}" "$level"
    if have "clang $level" "${CLANG:-clang}"; then
        variant "clang x86-64 glibc $level" "${CLANG:-clang}" "$level"
    fi
done
if have 'musl' musl-gcc; then
    variant 'gcc x86-64 musl -O2' musl-gcc '-O2 -static'
fi

# The C libraries of s390x once had a float_t of double, and gcc follows them unless told otherwise.
s390x=-fexcess-precision=fast
for level in -O0 -O2; do
    if have "i386 $level" i686-linux-gnu-gcc qemu-i386-static; then
        variant "gcc i386 glibc $level" i686-linux-gnu-gcc "$level -static -msse2 -mfpmath=sse" qemu-i386-static
    fi
    if have "arm64 $level" aarch64-linux-gnu-gcc qemu-aarch64-static; then
        variant "gcc arm64 glibc $level" aarch64-linux-gnu-gcc "$level -static" qemu-aarch64-static
    fi
    if have "riscv64 $level" riscv64-linux-gnu-gcc qemu-riscv64-static; then
        variant "gcc riscv64 glibc $level" riscv64-linux-gnu-gcc "$level -static" qemu-riscv64-static
    fi
    if have "s390x (big-endian) $level" s390x-linux-gnu-gcc qemu-s390x-static; then
        variant "gcc s390x (big-endian) glibc $level" s390x-linux-gnu-gcc "$level -static $s390x" qemu-s390x-static
    fi
done

# those that take long, the last, come first
tac "$out/commands" | xargs -P "$(nproc)" -n 3 sh "$0" "$build" variant
while read -r name; do
    if [ -e "$(program_of "$name").same" ]; then
        echo "determinism: $name: the same bytes"
    else
        broken=1
        echo "determinism: $name differs:"
        sed 's/^/  /' "$(program_of "$name").log" || true
    fi
done <"$out/variants"

# A process more may hide what memory or addresses decide: the sessions again and again.
yes "$build/conform" | head -n "$runs" | xargs -P "$(nproc)" -n 1 sh "$0" "$build" again | sort | uniq -c >"$out/runs"
[ "$(wc -l <"$out/runs")" -eq "$(wc -l <"$expected")" ] || broken=1
echo "determinism: $runs runs of each session:"
sed 's/^/ /' "$out/runs"
# Live clients: MAVSDK and pymavlink, on every clock.
if [ -x "$build/venv/bin/pytest" ]; then
    MAYFLY=$build/mayfly "$build/venv/bin/python" -m pytest -q -p no:cacheprovider -W ignore -n 4 tests/interop/test_determinism.py ||
        broken=1
else
    skipped="$skipped
determinism: skipped: scripts of MAVSDK and pymavlink, which are not in $build/venv; make interop flies them"
fi
[ -z "$skipped" ] || echo "$skipped" | sed 1d
[ "$broken" -eq 0 ] || exit 1
echo "determinism: the same bytes from every build, sha256 of the hashes $(sha256sum <"$expected" | cut -c1-64)"
