# SPDX-License-Identifier: Apache-2.0
"""Examples of co-simulation that need clients (docs/cosim.md): GZ-05 by a script of MAVSDK, GZ-16 by seven of DroneKit that flock over ns-3."""
import os
import pathlib
import re
import subprocess
import sys

from client_drone import PATIENCE_S
from examples import alone
from mavsdk_version import of_3, of_4
from paths import SWARM, TOP
from swarm_case import needs_ns3


def run(example, folder):
    env = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    with alone(example):
        done = subprocess.run([SWARM, f"examples/cosim/{example}.yaml", "--out", folder], capture_output=True, text=True, cwd=TOP, env=env,
                              timeout=4 * PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fly(folder):
    said = sorted(re.findall(r"^(?:10\.|station:|hash).*", run("flock", folder), re.M))
    return said, (folder / "events.csv").read_text(encoding="utf-8")


@of_4
def test_gz05_a_mavsdk_script_in_virtual_time(tmp_path):
    """GZ-05: the example of one line"""
    first, second = (re.findall(r"^(?:landed.*|[\d.]+ m .*|hash.*|process   script +[\d.]+)", run("mavsdk", tmp_path), re.M) for _ in range(2))
    assert first == second
    assert re.match(r"2\.5 m above home after 2[01]\.\d s", first[0]), first


@of_3
@needs_ns3
def test_gz16_seven_dronekit_scripts_flock_and_lose_their_station_at_the_same_instant(tmp_path):
    said, events = fly(tmp_path)
    assert fly(tmp_path) == (said, events)
    lost = {name: float(t) for t, name in re.findall(r"^([\d.]+),(flock\.\d),failsafe", events, re.M)}
    assert sorted(lost) == [f"flock.{k}" for k in range(1, 8)]
    assert sum("heard 6 others" in line for line in said) == 7
    # a HEARTBEAT leaves at each whole second, and arrives some milliseconds later; the failsafe follows the last one by ten seconds
    assert all(0 < t % 1 < 0.05 for t in lost.values()), lost
    heard = {int(k): int(t) for k, t in re.findall(r"the last of drone (\d) at (\d+) s", "\n".join(said))}
    assert all(0 <= heard[k] - (int(lost[f"flock.{k}"]) - 10) <= 1 for k in range(1, 8)), (heard, lost)
