# SPDX-License-Identifier: Apache-2.0
"""Clients as they are, in virtual time (docs/virtual-time.md): pymavlink, MAVSDK 4 (synchronous and asyncio), DroneKit, node-mavlink
and a C++20 program. Each flies three times, with MF_LONG=1 a hundred times, and the drone must take and send the same bytes at the same times. Each fourth run
stops the client for three seconds."""
import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

import pytest

import figures
import node_mavlink
from cases import cases
from client_drone import PATIENCE_S
from mavsdk_version import of_3, of_4
from paths import MAYFLY
from process_table import children
from programs import needs
from recordings import exchanged

HERE = pathlib.Path(__file__).parent
RUNS = cases(3, 100)

PYMAVLINK = '''
import os, time
from pymavlink import mavutil
M = mavutil.mavlink
begin = time.time()
link = mavutil.mavlink_connection(os.environ["MAYFLY_PYMAVLINK_URL"])
link.wait_heartbeat()
def ask(number, *params):
    link.mav.command_long_send(1, 1, number, 0, *(params + (0,) * 7)[:7])
    assert link.recv_match(type="COMMAND_ACK", blocking=True, timeout=5).result == 0
ask(M.MAV_CMD_COMPONENT_ARM_DISARM, 1)
nan = float("nan")
ask(M.MAV_CMD_NAV_TAKEOFF, -1, 0, 0, nan, nan, nan, 498)
end, frames = time.time() + 20, 0
while time.time() < end:
    frames += link.recv_match(blocking=True, timeout=1) is not None
assert frames > 500, frames
ask(M.MAV_CMD_NAV_LAND)
while link.recv_match(type="HEARTBEAT", blocking=True, timeout=5).base_mode & 128: pass
print(time.time() - begin)
'''

MAVSDK_SYNC = '''
import os, time
from mavsdk import ComponentType, Configuration, Mavsdk
from mavsdk.plugins.action import Action
from mavsdk.plugins.telemetry import Telemetry
begin = time.time()
sdk = Mavsdk(Configuration.create_with_component_type(ComponentType.GROUND_STATION))
sdk.add_any_connection(os.environ["MAYFLY_MAVSDK_URL"])
system = sdk.first_autopilot(10)
action, telemetry = Action(system), Telemetry(system)
while not telemetry.health_all_ok(): time.sleep(0.1)
action.arm()
action.takeoff()
time.sleep(20)
action.land()
while telemetry.armed(): time.sleep(0.1)
print(time.time() - begin)
'''

MAVSDK_ASYNCIO = '''
import asyncio, math, os, time
from mavsdk.asyncio import ComponentType, Configuration, Mavsdk
from mavsdk.asyncio.plugins.action import ActionAsync
from mavsdk.asyncio.plugins.mission_raw import MissionRawAsync
from mavsdk.asyncio.plugins.telemetry import TelemetryAsync
from mavsdk.plugins.mission_raw import MissionItem
async def until(stream, condition):
    async for value in stream:
        if condition(value): return
def item(seq, number, north_m, east_m, height):
    return MissionItem(seq, 6, number, int(seq == 0), 1, 0, 0, 0, math.nan, round((47.397742 + north_m / 111180) * 1e7),
                       round((8.545594 + east_m / 75450) * 1e7), height, 0)
async def main():
    begin = time.time()
    async with Mavsdk(Configuration.create_with_component_type(ComponentType.GROUND_STATION)) as sdk:
        await sdk.add_any_connection(os.environ["MAYFLY_MAVSDK_URL"])
        system = await sdk.first_autopilot(10)
        action, telemetry, mission = ActionAsync(system), TelemetryAsync(system), MissionRawAsync(system)
        await until(telemetry.subscribe_health_all_ok(), bool)
        seen = []
        async def collect(stream):
            async for value in stream: seen.append(value)
        tasks = [asyncio.create_task(collect(s)) for s in (telemetry.subscribe_position(), telemetry.subscribe_velocity_ned(),
                                                           mission.subscribe_mission_progress())]
        await mission.upload_mission([item(0, 22, 0, 0, 10), item(1, 16, 200, 0, 10), item(2, 16, 200, 200, 10),
                                      item(3, 16, 0, 200, 10), item(4, 21, 0, 0, 0)])
        await action.arm()
        await mission.start_mission()
        await until(telemetry.subscribe_armed(), bool)
        await until(telemetry.subscribe_armed(), lambda armed: not armed)
        for task in tasks: task.cancel()
        assert len(seen) > 500, len(seen)
        print(time.time() - begin)
asyncio.run(main())
'''

DRONEKIT = '''
import collections, collections.abc, os, time
os.environ["MAVLINK20"] = "1"
collections.MutableMapping = collections.abc.MutableMapping
from dronekit import VehicleMode, connect
begin = time.time()
v = connect(os.environ["MAYFLY_PYMAVLINK_URL"], wait_ready=True, timeout=10, heartbeat_timeout=10)
v.armed = True
while not v.armed: time.sleep(0.1)
v.send_mavlink(v.message_factory.command_long_encode(0, 0, 22, 0, 0, 0, 0, 0, 0, 0, 498))
while v.location.global_relative_frame.alt < 9.9: time.sleep(0.1)
time.sleep(10)
v.mode = VehicleMode("LAND")
while v.armed: time.sleep(0.1)
print(time.time() - begin)
v.close()
'''


def pause(parent):
    """Stops the command for a while, wherever it is."""
    time.sleep(0.3)
    those = [child for keeper in children(parent) for child in children(keeper)]
    for number, seconds in ((signal.SIGSTOP, 3), (signal.SIGCONT, 0)):
        for child in those:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, number)
        time.sleep(seconds)


def fly(tmp_path, *command, flags=(), env=None):
    """What the command printed. What the drone took and sent is the same in each run, and when."""
    first = None
    for i in range(RUNS):
        path = tmp_path / "flight.mfr"
        with subprocess.Popen([MAYFLY, "exec", "--virtual", "--log-level", "warning", "--record", path, *flags, "--", *command],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **(env or {})}) as process:
            if i % 4 == 3:
                pause(process.pid)
            out, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, out + err
        bytes_ = exchanged(path.read_bytes())
        first = first or (out, bytes_)
        assert len(bytes_) > 500
        assert out == first[0]
        assert bytes_ == first[1], next((pair for pair in zip(bytes_, first[1]) if pair[0] != pair[1]), "more")
    return first[0]


@of_3
def test_gz05_pymavlink(tmp_path):
    assert 24 < float(fly(tmp_path, sys.executable, "-c", PYMAVLINK)) < 27


@of_4
@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_gz05_mavsdk_synchronous(tmp_path, transport):
    flags = ("--tcp", "none") if transport == "udp" else ()
    printed = fly(tmp_path, sys.executable, "-c", MAVSDK_SYNC, flags=flags)
    assert 22 < float(printed.splitlines()[-1]) < 27


@of_4
def test_gz05_mavsdk_asyncio_flies_a_mission_of_800_m(tmp_path):
    printed = fly(tmp_path, sys.executable, "-c", MAVSDK_ASYNCIO)
    assert 80 < float(printed.splitlines()[-1]) < 200


def spent_s(*command):
    """Processor time of a command and of what it waits for, the best of some."""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE_S, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(once() for _ in range(10))


@of_4
@pytest.mark.alone
def test_flights_cost_little_beyond_the_program_itself():
    """Drone and client run in turns, so processor time is the wall of a machine that does nothing else."""
    figure = figures.Figures()
    flown = [MAYFLY, "exec", "--virtual", "--log-level", "warning", "--", sys.executable, "-c"]
    start = MAVSDK_SYNC[:MAVSDK_SYNC.index("sdk.add_any_connection")]
    figure.add("virtual.flight", spent_s(*flown, MAVSDK_SYNC) - spent_s(*flown, start), "s")
    figure.add("virtual.mission", spent_s(*flown, MAVSDK_ASYNCIO), "s")


@of_3
def test_gz05_dronekit(tmp_path):
    assert 20 < float(fly(tmp_path, sys.executable, "-c", DRONEKIT)) < 60


@of_3
@pytest.mark.skipif(node_mavlink.MISSING is not None, reason=str(node_mavlink.MISSING))
def test_gz05_node_mavlink(tmp_path):
    node_mavlink.install()
    printed = fly(tmp_path, "sh", "-c", 'exec node "$0" "$MAYFLY_TCP_PORT" 494', HERE / "flight.cjs", env={"NODE_PATH": node_mavlink.MODULES})
    seen = json.loads(printed)
    assert (seen["top"], seen["badFrames"]) == (6000, 0)


CPP = """
sleep_for 2000 sleep_until 5000 condition_variable::wait_for 10000 condition_variable::wait_until 14000
condition_variable_any::wait_for 15000 notify_one 16000 1 future::wait_for 18000 3 future::get 23000 atomic::wait 24000
0 try_acquire_for 27000 acquire 28000 latch 29000 barrier 30000 0 timed_mutex 32000 shared_mutex 35000 mutex 35000
4950 100 threads 35990 1
"""


@of_3
@needs("g++")
def test_gz12_each_wait_of_cpp20_ends_exactly_in_time(tmp_path):
    """GZ-12: the same in C++"""
    program = tmp_path / "waits"
    subprocess.run(["g++", "-std=c++20", "-O2", "-pthread", HERE.parent / "virtual-time/waits.cc", "-o", program], check=True)
    for _ in range(3):
        done = subprocess.run([MAYFLY, "exec", "--virtual", "--log-level", "warning", "--", program], capture_output=True,
                              text=True, timeout=PATIENCE_S, check=True)
        printed = [line.removesuffix("000") if line[-4:-3].isdigit() else line for line in done.stdout.splitlines()]
        assert " ".join(printed).split() == CPP.split()
