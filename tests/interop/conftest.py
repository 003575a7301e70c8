# SPDX-License-Identifier: Apache-2.0
"""Drones for the tests of real clients: each test gets a fresh process of its own on free ports."""
import importlib.metadata
import itertools
import math
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "ci"))     # figures.py
MAYFLY = pathlib.Path(os.environ.get("MAYFLY", "build/mayfly")).resolve()
HOME = (47.397742, 8.545594, 488.0)
PATIENCE_S = 60         # with what would hang for ever

# MAVSDK 3 and 4 are packages of one name: each environment runs what is written for its own, and the plugin's tests.
if importlib.metadata.version("mavsdk").startswith("3."):
    collect_ignore = ["test_mavsdk4.py", "test_swarm4.py"]
else:
    ours = ("test_mavsdk4.py", "test_swarm4.py", "test_plugin_pytest.py", "test_virtual_clients.py")
    collect_ignore = [p.name for p in pathlib.Path(__file__).parent.glob("test_*.py") if p.name not in ours]

# The board in QEMU has a step of its own (STM32=1): beside other flights it would be too slow.
if "STM32" not in os.environ:
    collect_ignore = [*globals().get("collect_ignore", []), "test_stm32.py"]

# Never those that the kernel hands out to connections.
PORTS = itertools.cycle(random.SystemRandom().sample(range(20000, 32000), 12000))
CLAIMS = {}


def claim(port, *kinds):
    """Whether the port is free, and then this test's until it gives the claim back."""
    held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        held.bind(f"\0mayfly-test-port-{port}")
        for kind in kinds:
            with socket.socket(socket.AF_INET, kind) as s:
                s.bind(("127.0.0.1", port))
    except OSError:
        held.close()
        return False
    CLAIMS[port] = held
    return True


def give_back(ports):
    for port in ports:
        CLAIMS.pop(port).close()


def free_port(kind=socket.SOCK_STREAM):
    """A port that no other test gets before its drone is stopped, also where nobody listens yet: else a drone would
    talk to another test's."""
    return next(port for port in PORTS if claim(port, kind))


def free_ports(count):
    """Neighbours, for TCP and UDP."""
    for first in PORTS:
        ports = range(first, first + count)
        missed = next((port for port in ports if not claim(port, socket.SOCK_STREAM, socket.SOCK_DGRAM)), None)
        if missed is None:
            return ports
        give_back(range(first, missed))


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: measures time, so nothing else may run beside it")


BUSY = []     # processes that take processors away from repeated runs, in which the machine's load must not matter


def pytest_sessionstart(session):
    if os.environ.get("MF_SUITE_RUNS") and not hasattr(session.config, "workerinput"):     # not once for each of xdist's
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


class Drone:
    """One build/mayfly. tcp, udp: its servers; udp_out: where it talks to by itself."""

    def __init__(self, *args):
        self.log, self.args = [], args
        for _ in range(3):  # a program that is no test may take a port before the drone does
            self.tcp, self.udp = free_port(), free_port(socket.SOCK_DGRAM)
            self.udp_out = free_port(socket.SOCK_DGRAM)
            why = self.start()
            if why is None:
                return
            give_back([self.tcp, self.udp, self.udp_out])
            if "taken by another program" not in why:
                break
        raise RuntimeError(why)

    def start(self):
        """Why it does not listen, or None."""
        self.process = subprocess.Popen(
            [MAYFLY, "--tcp", f"127.0.0.1:{self.tcp}", "--udp", f"127.0.0.1:{self.udp}",
             "--udp-out", f"127.0.0.1:{self.udp_out}", *self.args],
            stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.tcp), timeout=1).close()
                return None
            except OSError:
                if self.process.poll() is not None:
                    return "mayfly ended: " + self.process.stderr.read()
                time.sleep(0.01)
        return "mayfly does not listen"

    def url(self, transport):
        """A MAVSDK connection string."""
        return {"tcp": f"tcpout://127.0.0.1:{self.tcp}",
                "udp": f"udpout://127.0.0.1:{self.udp}",
                "udp-out": f"udpin://127.0.0.1:{self.udp_out}"}[transport]

    def stop(self):
        """End it; it must have survived the test and end cleanly. Returns its log."""
        alive = self.process.poll() is None
        self.process.send_signal(signal.SIGTERM)
        try:
            _, log = self.process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        give_back([self.tcp, self.udp, self.udp_out])
        assert alive, f"mayfly died during the test:\n{log}"
        assert self.process.returncode == 0, log
        return log


@pytest.fixture
def drone(request):
    d = Drone(*getattr(request, "param", ()))
    yield d
    d.stop()


def distance_m(a, b):
    """Horizontal distance of two (lat, lon) a few hundred metres apart."""
    north = math.radians(a[0] - b[0]) * 6367000
    east = math.radians(a[1] - b[1]) * 6389000 * math.cos(math.radians(a[0]))
    return math.hypot(north, east)


def offset(north_m, east_m, origin=HOME):
    """The place north and east of another, (lat, lon) in degrees."""
    lat = origin[0] + math.degrees(north_m / 6367000)
    return lat, origin[1] + math.degrees(east_m / (6389000 * math.cos(math.radians(origin[0]))))


def run_example(page, index, drone):
    """A Python example of the documentation, as it stands but for the port. Returns what it printed."""
    text = (pathlib.Path(__file__).resolve().parents[2] / page).read_text(encoding="utf-8")
    code = [c for c in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S) if "mavsdk" in c][index]
    done = subprocess.run([sys.executable, "-c", code.replace(":5760", f":{drone.tcp}")], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Swarm:
    """build/mayfly-swarm with 10,000 vehicles at x5. All fly a survey but number 7,312, which waits on the ground."""

    COUNT, GUEST = 10000, 7312

    def __init__(self, folder):
        plan = pathlib.Path(__file__).parents[1] / "data" / "plans" / "survey.plan"
        self.tcp, self.api, self.window = free_port(), free_port(), free_port()
        self.groups = free_ports(self.COUNT // 250)
        self.group = self.groups[0]
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
        self.process = subprocess.Popen([MAYFLY.with_name("mayfly-swarm"), scenario, "--quiet"], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.api), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("mayfly-swarm does not listen: " + self.text())

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
        give_back([self.tcp, self.api, self.window, *self.groups])
        assert alive and self.process.returncode == 130, f"exit code {self.process.returncode}\n{self.text()}"
        return self.text()


@pytest.fixture
def swarm(tmp_path):
    s = Swarm(tmp_path)
    yield s
    s.stop()
