#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# determinism.sh BUILD: the same bits from both compilers, without and with optimisation.
# Runs the conformance script of tests/conform if there is one: whole flights, all bytes that leave the links. Without
# it tests/perf/hash.c stands in, which covers the arithmetic of math/ and the motion of world/, and nothing else.
set -eu
build=$1
out=$build/determinism
mkdir -p "$out"

if ls tests/conform/*.c >/dev/null 2>&1; then
    main='tests/conform/*.c'
    rooms='mavlink math hal firmware world'
    what='the conformance script: all bytes that left the links'
else
    main=tests/perf/hash.c
    rooms='math hal world'
    what='the arithmetic of math/ and the motion of world/; whole flights are not covered'
fi
files=
for room in $rooms; do
    files="$files $(find "$room" -name '*.c' | sort | tr '\n' ' ')"
done

first=
for compiler in "${CC:-gcc}" "${CLANG:-clang}"; do
    for level in -O0 -O2 -O3; do
        program=$out/$(echo "$compiler$level" | tr -c 'a-zA-Z0-9\n' _)
        # shellcheck disable=SC2086 # lists of words
        $compiler -std=c11 -ffp-contract=off -I. -D_GNU_SOURCE $level $main $files -lm -o "$program"
        hash=$("$program")
        echo "$hash  $compiler $level"
        first=${first:-$hash}
        if [ "$hash" != "$first" ]; then
            echo "determinism: differs from the first; see $program"
            exit 1
        fi
    done
done
echo "determinism: one hash, $first, of $what"
