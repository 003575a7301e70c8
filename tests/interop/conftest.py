# SPDX-License-Identifier: Apache-2.0
"""Drones for the tests of real clients: each test gets a fresh process of its own on free ports."""
import os
import pathlib
import signal
import subprocess
import sys

import pytest

from client_drone import PATIENCE_S, Drone
from connections import listens
from mavsdk_version import MAVSDK4
from paths import PLANS, SWARM
from ports import free_port, free_ports, give_back
from waiting import wait_until

# Each environment runs what is written for its MAVSDK, and the plugin's tests.
if not MAVSDK4:
    collect_ignore = ["test_mavsdk4.py", "test_swarm4.py"]
    import pymavlink_client  # noqa: F401  MAVLink 2, for whoever imports pymavlink afterwards
else:
    ours = ("test_mavsdk4.py", "test_swarm4.py", "test_plugin_pytest.py", "test_virtual_clients.py", "test_cosim.py")
    collect_ignore = [p.name for p in pathlib.Path(__file__).parent.glob("test_*.py") if p.name not in ours]

# The board in QEMU has a step of its own (STM32=1): beside other flights it would be too slow.
if "STM32" not in os.environ:
    collect_ignore = [*globals().get("collect_ignore", []), "test_stm32.py"]


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: measures time, so nothing else may run beside it")


BUSY = []     # processes that take processors away from repeated runs, in which the machine's load must not matter


def pytest_sessionstart(session):
    if os.environ.get("SUITE_RUNS") and not hasattr(session.config, "workerinput"):     # not once for each of xdist's
        BUSY.extend(subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2))


def pytest_sessionfinish():
    while BUSY:
        busy = BUSY.pop()
        busy.kill()
        busy.wait()


def pytest_terminal_summary(terminalreporter):
    """What was measured: the lines that tests print with a limit, or about determinism."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for line in report.capstdout.splitlines():
            if line.startswith("determinism: ") or " must " in line:
                terminalreporter.write_line(line)


@pytest.fixture
def drone(request):
    d = Drone(*getattr(request, "param", ()))
    yield d
    d.stop()


class Swarm:
    """build/mayfly-swarm with 10,000 vehicles at x5. All fly a survey but number 7,312, which waits on the ground."""

    COUNT, GUEST = 10000, 7312

    def __init__(self, folder):
        plan = os.path.join(PLANS, "survey.plan")
        self.tcp, self.api, self.window = free_port(), free_port(), free_port()
        self.group = free_ports(self.COUNT // 250)
        scenario = folder / "swarm.yaml"
        scenario.write_text(f"""swarm: 1
time: {{clock: x5}}
entities:
  - {{name: before, count: {self.GUEST - 1}, place: {{at: [500, 0], grid: [100, 74], spacing: 10}}, plan: {plan}}}
  - {{name: guest}}
  - {{name: after, count: {self.COUNT - self.GUEST}, place: {{at: [-2000, 0], grid: [100, 100], spacing: 10}}, plan: {plan}}}
links: {{address: "127.64.0.0:{self.tcp}", group: {self.group}, window: {{port: {self.window}, vehicles: [guest]}}, api: "{self.api}"}}
""", encoding="utf-8")
        self.log = open(folder / "swarm.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen([SWARM, scenario, "--quiet"], stdout=self.log, stderr=self.log)
        wait_until(lambda: self.process.poll() is not None or listens(self.api), "mayfly-swarm listens", PATIENCE_S)
        assert self.process.poll() is None, self.text()

    def address(self, number):
        return f"127.64.{number >> 8}.{number & 255}"

    def url(self, number, scheme="tcpout"):
        return f"{scheme}://{self.address(number)}:{self.tcp}"

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        """Ctrl-C; it must have survived. Returns what it printed."""
        alive = self.process.poll() is None
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        give_back([self.tcp, self.api, self.window, *range(self.group, self.group + self.COUNT // 250)])
        assert alive and self.process.returncode == 130, f"exit code {self.process.returncode}\n{self.text()}"
        return self.text()


@pytest.fixture
def swarm(tmp_path):
    s = Swarm(tmp_path)
    yield s
    s.stop()
