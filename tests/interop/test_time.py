# SPDX-License-Identifier: Apache-2.0
"""Clocks and barriers, with real clients (docs/time.md)."""
import asyncio
import contextlib
import math
import time

import pytest
from mavsdk.info import InfoError
from mavsdk.mission import MissionPlan

import figures
from client_drone import Drone
from geography import HOME, offset
from mavsdk_client import client, ready, run, until, waypoint
from pymavlink_client import EVENT, HOLD, LEAVE, M, RUN, barrier, command, connect, expect, item, upload


def positions(link):
    """A dictionary that fills as they come: vehicle time [ms] -> height above home [mm]."""
    seen = {}

    def take(_, m):
        if m.get_type() == "GLOBAL_POSITION_INT":
            seen[m.time_boot_ms] = m.relative_alt
    link.message_hooks.append(take)
    return seen


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
def test_sim038_velocity_at_waypoints_that_are_flown_through(drone):
    """A sample at a waypoint shows the velocity of the leg that ends there; where the vehicle stops, none."""
    link = connect(drone)
    barrier(link, HOLD)
    seen = []  # (item that is flown, north, east) [m/s]
    current = [0]

    def take(_, m):
        if m.get_type() == "MISSION_CURRENT":
            current[0] = m.seq
        elif m.get_type() == "GLOBAL_POSITION_INT":
            seen.append((current[0], m.vx / 100, m.vy / 100))
    link.message_hooks.append(take)
    hold = item(3, 16, *offset(0, 300), 20)
    hold.param1 = 2.0
    items = [item(0, 22, 0, 0, 20), item(1, 16, *offset(300, 0), 20), item(2, 16, *offset(300, 300), 20), hold]
    assert upload(link, items) == 0
    link.mav.command_long_send(1, 1, M.MAV_CMD_MISSION_START, 0, 0, 0, 0, 0, 0, 0, 0)
    assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_MISSION_START).result == 0
    barrier(link, RUN, 200.0)
    assert max(math.hypot(north, east) for seq, north, east in seen if seq == 2) > 4
    assert any(seq == 1 and abs(north - 10) < 0.1 and abs(east) < 0.1 for seq, north, east in seen)
    assert any(seq == 2 and abs(north) < 0.1 and abs(east - 10) < 0.1 for seq, north, east in seen)
    assert all(abs(north) < 0.01 and abs(east) < 0.01 for seq, north, east in seen if seq == 3)


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


@pytest.mark.parametrize("mode", ["LOITER", "LAND"])
@pytest.mark.parametrize("drone", [("--clock", "event")], indirect=True)
def test_who_stops_at_an_event_stops_on_the_waypoint(drone, mode):
    """It is passed at 10 m/s, between two instants of the grid on which motion begins."""
    link = connect(drone)
    barrier(link, HOLD)
    there = offset(43.3, 0)
    assert upload(link, [item(0, 22, 0, 0, 10), item(1, 16, *there, 10), item(2, 16, *offset(400, 0), 10)]) == 0
    link.mav.command_long_send(1, 1, M.MAV_CMD_MISSION_START, 0, 0, 0, 0, 0, 0, 0, 0)
    assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_MISSION_START).result == 0
    events_until(link, lambda: "MISSION_ITEM_REACHED" in link.messages and link.messages["MISSION_ITEM_REACHED"].seq == 1)
    link.set_mode(mode)
    expect(link, "HEARTBEAT", lambda m: link.flightmode == mode, 3)
    barrier(link, RUN, 5.0)
    stopped = link.messages["GLOBAL_POSITION_INT"]
    assert abs(stopped.lat - there[0] * 1e7) <= 1.0 and abs(stopped.lon - there[1] * 1e7) <= 1.0
    assert (stopped.vx, stopped.vy) == (0, 0)


def test_every_sample_on_the_event_clock():
    drone = Drone("--clock", "event", "--event-streams", "all", "--event-gap", "0")
    try:
        link = connect(drone)
        seen = positions(link)
        link.arducopter_arm()
        link.mav.command_long_send(1, 1, 22, 0, *[math.nan] * 6, HOME[2] + 30)
        expect(link, "HEARTBEAT", lambda m: link.flightmode == "TAKEOFF", 5)
        expect(link, "HEARTBEAT", lambda m: link.flightmode == "LOITER", 20)
        climbing = [t for t, height in seen.items() if 0 < height < 30000]
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


def silence(link, wanted):
    """Of the streams that came over this link only those wanted go on: to decode one of each at every event, pymavlink takes
    longer than the drone flies."""
    for name in link.messages.keys() - wanted:
        number = getattr(M, f"MAVLINK_MSG_ID_{name}", None)     # pymavlink keeps more than messages there
        if number is not None:
            assert command(link, M.MAV_CMD_SET_MESSAGE_INTERVAL, number, -1) == 0


def events_until(link, finished, limit=400):
    """Let the vehicle go from event to event, in the thread of the barrier's client."""
    for _ in range(limit):
        barrier(link, EVENT)
        if finished():
            return
    raise AssertionError("not finished")


@pytest.mark.alone
@pytest.mark.parametrize("drone", [("--clock", "event")], indirect=True)
def test_sim038_a_suite_of_thirty_missions(drone):
    """MAVSDK uploads, starts and sees 30 missions of 10 to 50 waypoints to their end; a barrier keeps time. The best of some
    suites counts: MAVSDK's own threads scatter by seconds, and other work on the machine is not Mayfly's."""
    figure = figures.Figures()

    async def suite(system, link):
        start = time.monotonic()
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
        return time.monotonic() - start

    async def go():
        link = connect(drone, "udp")
        seen = positions(link)
        async with client(drone, "tcp") as system:
            await ready(system)
            expect(link, "HEARTBEAT")                               # a second of all streams
            silence(link, {"HEARTBEAT", "MISSION_CURRENT", "GLOBAL_POSITION_INT"})
            barrier(link, HOLD)
            took = [await suite(system, link), await suite(system, link)]
            while len(took) < 10 and not figure.keeps("time.suite", min(took)):
                took.append(await suite(system, link))
            return min(took), max(seen) / 1e3 / len(took)
    took, flown = asyncio.run(asyncio.wait_for(go(), 240))
    print(f"\n30 missions, {flown / 60:.0f} minutes of flight:")
    figure.add("time.suite", took, "s")
    assert flown > 2000
