#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD: all figures of speed and memory, against ci/budgets.
set -eu
build=$1
python=${PYTHON:-python3}
export PYTHONPATH=tests/lib:ci
rm -rf "$build/sih"
mkdir "$build/sih"
"$python" tests/perf/sih_flights.py "$build/mayfly" "$build/sih"
"$build/tests/perf/physics_vs_sih" "$build/sih" || [ $? = 2 ] # 2: it has printed that there are no recordings
for program in pass crowd rays readers; do
    "$build/tests/perf/$program"
done >"$build/figures"
for program in walk search radio bees processes hosts; do
    "$python" "tests/perf/$program.py" "$build/mayfly-swarm"
done >>"$build/figures"
"$python" ci/figures.py <"$build/figures"
"$python" tests/perf/bench.py "$build/mayfly"
