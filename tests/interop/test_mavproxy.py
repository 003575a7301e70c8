# SPDX-License-Identifier: Apache-2.0
"""MAVProxy, scripted through its console, watched by pymavlink on a second link."""
import pathlib
import subprocess
import sys
import time

import pytest

from conftest import offset
from test_pymavlink import connect, expect


class Proxy:
    """MAVProxy with its console on pipes."""

    def __init__(self, master, directory):
        program = pathlib.Path(sys.executable).with_name("mavproxy.py")
        self.output = open(directory / "mavproxy.log", "w+")
        self.process = subprocess.Popen(
            [sys.executable, program, "--master", master, "--nowait", "--force-connected",
             "--state-basedir", str(directory)],
            cwd=directory, stdin=subprocess.PIPE, stdout=self.output, stderr=subprocess.STDOUT, text=True)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def log(self):
        self.output.flush()
        return pathlib.Path(self.output.name).read_text(errors="replace")

    def wait(self, part, timeout=20):
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if part in self.log():
                return
            time.sleep(0.1)
        raise AssertionError(f"no '{part}' in:\n{self.log()[-2000:]}")

    def stop(self):
        self.process.kill()     # its input thread does not end by itself
        self.process.wait()
        self.output.close()


def plan(path):
    rows = ["QGC WPL 110"]
    places = [(0, 22, 0, 0, 6), (1, 16, 20, 0, 6), (2, 16, 20, 20, 8), (3, 21, 0, 0, 0)]
    for seq, command, north, east, height in places:
        lat, lon = offset(north, east)
        rows.append(f"{seq}\t{int(seq == 0)}\t3\t{command}\t0\t0\t0\t0\t{lat:.7f}\t{lon:.7f}\t{height}\t1")
    path.write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_param_fetch_wp_load_arm_mission(drone, tmp_path, transport):
    plan(tmp_path / "square.txt")
    master = f"tcp:127.0.0.1:{drone.tcp}" if transport == "tcp" else f"udpout:127.0.0.1:{drone.udp}"
    proxy = Proxy(master, tmp_path)
    try:
        link = connect(drone, "udp-out")
        proxy.wait("Received", 30)                      # "Received 150 parameters": fetched by itself
        proxy.say("param show RTL_RETURN_ALT")
        proxy.wait("RTL_RETURN_ALT   30.0")
        proxy.say("wp load square.txt")
        proxy.wait("Got MISSION_ACK: TYPE_MISSION: ACCEPTED", 20)
        expect(link, "MISSION_CURRENT", lambda m: m.total == 4, 5)
        proxy.say("arm throttle")
        expect(link, "HEARTBEAT", lambda m: m.base_mode & 128, 5)
        proxy.say("long MISSION_START 0 0 0 0 0 0 0")   # its "mode" command cannot name PX4 modes
        expect(link, "HEARTBEAT", lambda m: link.flightmode == "MISSION", 5)
        expect(link, "MISSION_ITEM_REACHED", lambda m: m.seq == 2, 40)
        expect(link, "HEARTBEAT", lambda m: not m.base_mode & 128, 40)
        expect(link, "GLOBAL_POSITION_INT", lambda m: abs(m.relative_alt) < 10, 5)
    finally:
        proxy.stop()
