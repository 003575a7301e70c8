# SPDX-License-Identifier: Apache-2.0
"""Clocks and barriers, with real clients (docs/time.md)."""
import asyncio
import contextlib
import hashlib
import math
import socket
import time

import pytest
from mavsdk.info import InfoError
from mavsdk.mission import MissionPlan

from conftest import HOME, Drone, free_port, offset
from test_mavsdk import client, ready, run, until, waypoint
from test_pymavlink import M, connect, expect, item, upload

HOLD, RUN, EVENT, LEAVE = 1, 2, 3, 0
EVENTS = ("MISSION_ITEM_REACHED", "EXTENDED_SYS_STATE", "STATUSTEXT")


def barrier(link, action, seconds=0.0, timeout=30):
    """Returns when time stands still again."""
    link.mav.command_long_send(1, 1, M.MAV_CMD_USER_1, 0, action, seconds, 0, 0, 0, 0, 0)
    ack = expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_USER_1 and m.result != 5, timeout)
    assert ack.result == 0


class Trace:
    """Telemetry and events of a flight, in vehicle time."""

    def __init__(self, link):
        self.positions, self.events, self.armed = {}, [], None
        link.message_hooks.append(self.take)

    def take(self, _, m):
        kind = m.get_type()
        if kind == "GLOBAL_POSITION_INT":
            self.positions[m.time_boot_ms] = (m.lat, m.lon, m.alt, m.relative_alt, m.vx, m.vy, m.vz, m.hdg)
        elif kind in EVENTS:
            event = (kind, getattr(m, "seq", getattr(m, "landed_state", getattr(m, "text", None))))
            if kind != "EXTENDED_SYS_STATE" or not self.events or event not in self.events[-3:]:
                self.events.append(event)


def fly(clock, *flags):
    """A mission from upload to disarming, by barriers. Returns the trace."""
    port = free_port()
    grants = ("--time-socket", str(port)) if clock == "lockstep" else ()
    drone = Drone("--clock", clock, "--start", "connect", *grants, *flags)
    try:
        link = connect(drone)
        if clock == "lockstep":  # the others are within the first 0.1 s, too, when they are held
            controller = socket.create_connection(("127.0.0.1", port))
            controller.sendall(b"go 50000\n")
            while b"at 50000 " not in controller.recv(1024):
                pass
        barrier(link, HOLD)
        if clock == "lockstep":  # from here on everything is granted: only the client's barriers hold time
            controller.sendall(b"go 1000000000000000\n")
        trace = Trace(link)
        a, b = offset(40, 0), offset(40, 25)
        items = [item(0, 22, 0, 0, 8), item(1, 16, *a, 8), item(2, 16, *b, 12, p1=2), item(3, 21, *offset(0, 0), 0)]
        assert upload(link, items) == 0
        link.mav.command_long_send(1, 1, M.MAV_CMD_MISSION_START, 0, 0, 0, 0, 0, 0, 0, 0)
        assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_MISSION_START).result == 0
        for _ in range(60):
            barrier(link, EVENT)
            if any("Disarmed" in str(e[1]) for e in trace.events):
                break
        else:
            raise AssertionError("never disarmed")
        if clock == "lockstep":  # before the barrier: everything is granted
            controller.close()
        barrier(link, LEAVE)
        return trace
    finally:
        drone.stop()


def test_sim038_sim042_same_flight_on_every_clock():
    """Same events in the same order, and same positions wherever two clocks show the same vehicle time."""
    start = time.monotonic()
    traces = {clock: fly(clock) for clock in ("x20", "fast", "event", "lockstep")}
    print(f"four flights in {time.monotonic() - start:.1f} s")
    reached = [e for e in traces["fast"].events if e[0] == "MISSION_ITEM_REACHED"]
    assert reached == [("MISSION_ITEM_REACHED", i) for i in range(4)]
    for clock in ("x20", "event", "lockstep"):
        assert [e for e in traces[clock].events if e[0] != "EXTENDED_SYS_STATE"] == \
               [e for e in traces["fast"].events if e[0] != "EXTENDED_SYS_STATE"], clock
    for clock in ("x20", "lockstep"):
        common = traces[clock].positions.keys() & traces["fast"].positions.keys()
        assert len(common) > 100
        for t in common:
            assert traces[clock].positions[t] == traces["fast"].positions[t], (clock, t)


def test_sim042_twenty_runs_one_hash():
    hashes = set()
    for clock in ["event"] * 10 + ["fast"] * 10:
        trace = fly(clock)
        body = repr((trace.events, sorted(trace.positions.items()) if clock == "fast" else None))
        hashes.add((clock, hashlib.sha256(body.encode()).hexdigest()))
    assert len(hashes) == 2, hashes


@pytest.mark.parametrize("drone", [("--clock", "event")], indirect=True)
def test_mavsdk_mission_progress_on_the_event_clock(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await system.mission.upload_mission(
                MissionPlan([waypoint(n, e, 20.0) for n, e in ((200, 0), (200, 200), (0, 200))]))
            await system.action.arm()
            seen = []
            start = time.monotonic()
            await system.mission.start_mission()
            async for progress in system.mission.mission_progress():
                seen.append(progress.current)
                if progress.current == progress.total:
                    break
            assert time.monotonic() - start < 10                  # a minute of flight
            assert seen == sorted(seen)
            await system.action.return_to_launch()
            await until(system.telemetry.armed(), lambda a: not a, 20, "disarmed")
    run(go())


@pytest.mark.parametrize("drone", [("--clock", "event")], indirect=True)
def test_pause_rtl_and_reposition_in_the_middle_of_a_leg(drone):
    """Between two events a barrier stops time where the client wants it."""
    link = connect(drone)
    barrier(link, HOLD)
    items = [item(0, 22, 0, 0, 10), item(1, 16, *offset(500, 0), 10)]
    assert upload(link, items) == 0
    link.mav.command_long_send(1, 1, M.MAV_CMD_MISSION_START, 0, 0, 0, 0, 0, 0, 0, 0)
    assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_MISSION_START).result == 0
    barrier(link, RUN, 20.0)
    link.set_mode("LOITER")
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "LOITER", 3)
    barrier(link, RUN, 1.0)
    paused = link.messages["GLOBAL_POSITION_INT"]
    assert paused.vx == 0
    assert offset(10, 0)[0] * 1e7 < paused.lat < offset(490, 0)[0] * 1e7
    lat, lon = offset(100, 100)
    link.mav.command_int_send(1, 1, 5, M.MAV_CMD_DO_REPOSITION, 0, 0, -1, 1, 0, math.nan, int(lat * 1e7), int(lon * 1e7),
                              HOME[2] + 10)
    assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_DO_REPOSITION).result == 0
    barrier(link, RUN, 3.0)
    link.set_mode("RTL")
    barrier(link, LEAVE)
    expect(link, "HEARTBEAT", lambda m: not m.base_mode & 128, 20)


def test_every_sample_on_the_event_clock():
    drone = Drone("--clock", "event", "--event-streams", "all", "--event-gap", "0")
    try:
        link = connect(drone)
        trace = Trace(link)
        link.arducopter_arm()
        link.mav.command_long_send(1, 1, 22, 0, *[math.nan] * 6, HOME[2] + 30)
        expect(link, "HEARTBEAT", lambda m: link.flightmode == "TAKEOFF", 5)
        expect(link, "HEARTBEAT", lambda m: link.flightmode == "LOITER", 20)
        climbing = [t for t, p in trace.positions.items() if 0 < p[3] < 30000]
        assert 95 <= len(climbing) <= 100                          # 10 s at 10 Hz
    finally:
        drone.stop()


@pytest.mark.parametrize("drone", [("--clock", "x10")], indirect=True)
def test_mavsdk_sees_the_speed_factor(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            factor = math.nan
            for _ in range(20):                         # the first question only starts the measurement
                with contextlib.suppress(InfoError):
                    factor = await system.info.get_speed_factor()
                if 9 < factor < 11:
                    return
                await asyncio.sleep(0.5)
            raise AssertionError(factor)
    run(go())


def events_until(link, finished, limit=400):
    """Let the vehicle go from event to event, in the thread of the barrier's client."""
    for _ in range(limit):
        barrier(link, EVENT)
        if finished():
            return
    raise AssertionError("not finished")


@pytest.mark.parametrize("drone", [("--clock", "event")], indirect=True)
def test_sim038_a_suite_of_thirty_missions(drone):
    """MAVSDK uploads, starts and sees 30 missions of 10 to 50 waypoints to their end; a barrier keeps time."""
    async def go():
        link = connect(drone, "udp")
        states = Trace(link)
        async with client(drone, "tcp") as system:
            await ready(system)
            barrier(link, HOLD)
            start, flown = time.monotonic(), 0.0
            for i in range(30):
                count = 10 + i * 40 // 29
                corners = [(100 * (k % 2), 30 * (k // 2 % 4)) for k in range(1, count + 1)]
                await system.mission.upload_mission(MissionPlan([waypoint(n, e, 20.0) for n, e in corners]))
                await system.action.arm()
                await system.mission.start_mission()
                done = lambda: link.messages["MISSION_CURRENT"].mission_state == 5  # noqa: E731
                await asyncio.to_thread(events_until, link, done)
                while not await system.mission.is_mission_finished():
                    await asyncio.sleep(0.001)
            flown = max(states.positions) / 1e3
            return time.monotonic() - start, flown
    took, flown = asyncio.run(asyncio.wait_for(go(), 110))
    print(f"\ntime.suite {took:.2f} s must 5 {'ok' if took <= 5 else 'over'} ({flown / 60:.0f} minutes of flight)")
    assert flown > 2000
