# SPDX-License-Identifier: Apache-2.0
"""node-mavlink: a flight by flight.cjs. Debian's npm brings some 400 packages, so `make interop` does not install it: where node
and npm are there this runs, elsewhere it is skipped and says so. `make nightly` installs them."""
import fcntl
import json
import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import HOME

SCRIPT = pathlib.Path(__file__).with_name("flight.cjs")
PACKAGES = ("node-mavlink@2.3.0", "mavlink-mappings@1.0.21-20250824-1")
FOLDER = pathlib.Path(os.environ.get("BUILD", "build")).resolve() / "node"


def install():
    """Once, although the test of virtual time wants it too, at the same time in another process."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (FOLDER / "node_modules/node-mavlink").is_dir():
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts",
                            "--prefix", FOLDER, *PACKAGES], check=True, timeout=120)


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")),
                    reason="node-mavlink is not tested: no node or no npm here (apt-get install nodejs npm)")
def test_node_mavlink_flies(drone):
    install()
    done = subprocess.run(["node", SCRIPT, str(drone.tcp), str(HOME[2] + 6)], capture_output=True, text=True,
                          env={**os.environ, "NODE_PATH": str(FOLDER / "node_modules")}, timeout=60)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert (seen["identity"], seen["version"]) == ([2, 12], 0x011100FF)
    assert seen["parameters"][0] == seen["parameters"][1] > 130
    assert seen["acks"] == [[command, 0] for command in (512, 400, 22, 511, 21)]
    assert (seen["top"], seen["attitude"]) == (6000, [1, 0, 0, 0])
    hold, takeoff, land = 50593792, 33816576, 100925440
    assert [mode for mode in seen["modes"] if mode in (takeoff, land)] == [takeoff, land] and seen["modes"][-1] == hold
    for text in ("Takeoff detected", "Landing detected", "Disarmed by landing"):
        assert any(text in t for t in seen["texts"]), seen["texts"]
    assert {"SYS_STATUS", "GPS_RAW_INT", "BATTERY_STATUS", "EXTENDED_SYS_STATE", "ATTITUDE"} <= set(seen["messages"])
    assert seen["badFrames"] == 0
