# SPDX-License-Identifier: Apache-2.0
"""node-mavlink: a flight by flight.cjs."""
import json
import os
import pathlib
import subprocess

import pytest

import node_mavlink
from geography import HOME

SCRIPT = pathlib.Path(__file__).with_name("flight.cjs")


@pytest.mark.skipif(node_mavlink.MISSING is not None, reason=str(node_mavlink.MISSING))
def test_node_mavlink_flies(drone):
    node_mavlink.install()
    done = subprocess.run(["node", SCRIPT, str(drone.tcp), str(HOME[2] + 6)], capture_output=True, text=True,
                          env={**os.environ, "NODE_PATH": node_mavlink.MODULES}, timeout=60)
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
