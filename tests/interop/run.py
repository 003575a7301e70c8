# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of this folder; arguments go to pytest. Most wait for flights in real time and run side by side; what is
marked 'alone' is measured, and runs afterwards. What they and their clients leave among temporary files is removed."""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
# Repeated runs (SUITE_RUNS) have other processes beside them, and are fewer; clients leave descriptors open, of which
# select() takes 1,024, so so many runs are one pytest's.
RUNS, RUNS_AT_ONCE = int(os.environ.get("SUITE_RUNS", "0")), 20
BESIDE = 2 if RUNS else 6
SIDE_BY_SIDE = ["-n", str(BESIDE * (os.cpu_count() or 2)), "--dist", "worksteal", "-m", "not alone"]
ALONE = ["-m", "alone"]
NOTHING_TO_RUN = 5     # an exit code of pytest

pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "-rsfE"]
code = 0
with tempfile.TemporaryDirectory(prefix="mayfly-interop-", ignore_cleanup_errors=True) as folder:
    for begin in range(0, max(RUNS, 1), RUNS_AT_ONCE):
        runs = {"SUITE_RUNS": str(min(RUNS_AT_ONCE, RUNS - begin))} if RUNS else {}
        for part in (SIDE_BY_SIDE, ALONE):
            done = subprocess.call([*pytest, *part, *(sys.argv[1:] or [HERE])], env={**os.environ, "TMPDIR": folder, **runs})
            code = code or (0 if done == NOTHING_TO_RUN else done)
sys.exit(code)
