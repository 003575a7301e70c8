#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# determinism.sh BUILD: the same bytes from every build (SIM-042). Runs the sessions of tests/conform and the flights of
# tests/data/recordings through boards/conform, built by each compiler, level, C library and processor there is; one
# line per variant. The hashes must be those of tests/conform/expected, and each flight must send what is recorded. Where
# one does not, build/replay names the first difference. It found that gcc computes floats for s390x in double precision.
# After a change of behaviour that is wanted: UPDATE=yes make determinism
set -eu
build=$1
out=$build/determinism
runs=${RUNS:-100}
expected=tests/conform/expected
flights=tests/data/recordings
packs=$(for pack in "$flights"/*.mfpk; do printf ' --terrain %s' "$pack"; done)
replay=$build/replay

# again PROGRAM EMULATOR FLIGHT: does it send what is recorded? What it sends is beside the program
again() {
    # shellcheck disable=SC2086 # the emulator, or nothing; options
    $2 "$1" --quiet $packs --out "$1.$(basename "$3")" "$3" && cmp -s "$3" "$1.$(basename "$3")"
}

# hashes PROGRAM EMULATOR [records]: one line per session; with records, recordings beside the program, and of each flight
# whether it is the same
hashes() {
    for session in tests/conform/*.txt; do
        name=$(basename "$session" .txt)
        # shellcheck disable=SC2086 # the emulator, or nothing
        hash=$($2 "$1" ${3:+--out "$1.$name.mfr"} "$session") || hash=failed
        echo "${hash%% *}  $name"
    done
    for flight in ${3:+"$flights"/*.mfr}; do
        if again "$1" "$2" "$flight"; then echo "same  $flight"; else echo "differs  $flight"; fi
    done
}

# what is run side by side, as many at once as there are processors
case ${2:-} in
variant) # COMPILER AND FLAGS, PROGRAM, EMULATOR
    sh -c "$3 -o $4" && hashes "$4" "$5" records >"$4.hashes"
    exit
    ;;
again) # PROGRAM
    hashes "$3" ''
    exit
    ;;
esac

mkdir -p "$out"
: >"$out/commands" >"$out/variants"

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

# wanted: what the hashes must be
wanted() {
    cp "$expected" "$out/expected"
    printf 'same  %s\n' "$flights"/*.mfr >>"$out/expected"
}

# judge NAME: what its hashes say
judge() {
    program=$(program_of "$1")
    if [ "${UPDATE:-}" = yes ]; then
        python3 ci/recordings.py "$build" --conform "$program" --update # what the first variant does is what is wanted
        UPDATE=
        hashes "$program" '' records >"$program.hashes"
        wanted
    fi
    if cmp -s "$out/expected" "$program.hashes"; then
        echo "$(sha256sum <"$program.hashes" | cut -c1-64)  $1"
        [ -n "${first:-}" ] || first=$program
        return
    fi
    broken=1
    echo "determinism: $1 differs:"
    diff "$out/expected" "$program.hashes" | sed -n 's/^> /  /p'
    sed -n 's/^differs  //p' "$program.hashes" | while read -r flight; do
        "$replay" --compare "$program.$(basename "$flight")" "$flight" | sed 's/^/  /' || true
    done
    for session in tests/conform/*.txt; do
        name=$(basename "$session" .txt)
        if [ -n "${first:-}" ] && ! cmp -s "$first.$name.mfr" "$program.$name.mfr"; then
            "$replay" --compare "$program.$name.mfr" "$first.$name.mfr" | sed 's/^/  /' || true
        fi
    done
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
wanted
while read -r name; do
    judge "$name" </dev/null
done <"$out/variants"

# A process more may hide what memory or addresses decide: the sessions again and again.
if [ -n "${first:-}" ]; then
    yes "$first" | head -n "$runs" | xargs -P "$(nproc)" -n 1 sh "$0" "$build" again | sort | uniq -c >"$out/runs"
    if [ "$(wc -l <"$out/runs")" -eq "$(wc -l <"$expected")" ]; then
        echo "determinism: $runs runs of each session, one sha256 each:"
    else
        broken=1
        echo "determinism: $runs runs, and they differ:"
    fi
    sed 's/^/ /' "$out/runs"
fi
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
echo "determinism: one hash, $(sha256sum <"$out/expected" | cut -c1-64), from every build"
