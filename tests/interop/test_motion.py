# SPDX-License-Identifier: Apache-2.0
"""Motion models, with real clients."""
import asyncio
import time

import pytest
from mavsdk.mission import MissionPlan
from mavsdk.telemetry import LandedState

from client_drone import Drone
from geography import HOME, distance_m, offset
from mavsdk_client import client, ready, run, until, waypoint
from pymavlink_client import M, connect, expect, item, upload
from pymavlink_client import EVENT, HOLD, RUN, barrier

CORNERS = [(60, 0), (60, 60), (0, 60)]


async def note(stream, name, seen, convert=str):
    """Every new value of a telemetry stream."""
    async for value in stream:
        value = convert(value)
        if not seen[name] or seen[name][-1] != value:
            seen[name].append(value)


async def fly(clock):
    """A mission with two corners, a stop and a return. What MAVSDK told, and where it ended."""
    drone = Drone("--motion", "physics", "--clock", clock, "--start", "connect")
    seen = {"landed": [], "mode": [], "progress": [], "text": [], "armed": []}
    try:
        async with client(drone, "tcp") as system:
            await ready(system)
            items = [waypoint(n, e, 10.0, speed=6.0) for n, e in CORNERS]
            items[-1].is_fly_through = False
            await system.mission.set_return_to_launch_after_mission(True)
            await system.mission.upload_mission(MissionPlan(items))
            tasks = [asyncio.create_task(note(stream, name, seen, convert)) for stream, name, convert in (
                (system.telemetry.landed_state(), "landed", str),
                (system.telemetry.flight_mode(), "mode", str),
                (system.mission.mission_progress(), "progress", lambda p: p.current),
                (system.telemetry.status_text(), "text", lambda t: t.text),
                (system.telemetry.armed(), "armed", bool))]
            await until(system.telemetry.landed_state(), lambda s: s == LandedState.ON_GROUND, 5)
            await asyncio.sleep(0.3)  # the subscriptions have begun
            await system.action.arm()
            await system.mission.start_mission()
            await until(system.telemetry.armed(), lambda a: not a, 30, "disarmed")
            await asyncio.sleep(0.3)
            place = (await until(system.telemetry.position(), lambda p: True))[0]
            for task in tasks:
                task.cancel()
            return seen, place
    finally:
        drone.stop()


def test_sim036_sim038_the_same_flight_on_every_clock():
    flights = {clock: asyncio.run(asyncio.wait_for(fly(clock), 60)) for clock in ("x20", "fast", "event")}
    for clock, (seen, place) in flights.items():
        assert seen["landed"] == ["ON_GROUND", "TAKING_OFF", "IN_AIR", "LANDING", "ON_GROUND"], (clock, seen)
        assert seen["armed"] == [False, True, False], (clock, seen)
        assert seen["progress"] == sorted(seen["progress"]) and seen["progress"][-1] == len(CORNERS), (clock, seen)
        assert seen["text"] == flights["fast"][0]["text"], clock
        assert seen["mode"] == flights["fast"][0]["mode"], clock
        assert (place.latitude_deg, place.longitude_deg) == HOME[:2], clock
        assert abs(place.absolute_altitude_m - HOME[2]) < 1e-3, clock
    assert "Takeoff detected" in flights["fast"][0]["text"]


@pytest.mark.parametrize("drone", [("--motion", "physics", "--clock", "event")], indirect=True)
def test_sim036_sim038_the_event_clock_does_not_jump_over_braking(drone):
    """A pause ends in an event: at rest, where it then stays."""
    link = connect(drone)
    barrier(link, HOLD)
    assert upload(link, [item(0, 22, 0, 0, 10), item(1, 16, *offset(500, 0), 10)]) == 0
    link.mav.command_long_send(1, 1, M.MAV_CMD_MISSION_START, 0, 0, 0, 0, 0, 0, 0, 0)
    assert expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_MISSION_START).result == 0
    barrier(link, RUN, 35.0)
    flying = link.messages["GLOBAL_POSITION_INT"]
    assert flying.vx > 400
    link.set_mode("LOITER")
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "LOITER", 3)
    barrier(link, EVENT)
    stopped = link.messages["GLOBAL_POSITION_INT"]
    assert stopped.vx == 0 and stopped.vz == 0
    assert 1500 < stopped.time_boot_ms - flying.time_boot_ms < 5000
    braked = distance_m((flying.lat / 1e7, flying.lon / 1e7), (stopped.lat / 1e7, stopped.lon / 1e7))
    assert 4 < braked < 14
    barrier(link, RUN, 1.5)  # nothing moves any more: this passes with the wall
    later = link.messages["GLOBAL_POSITION_INT"]
    assert (later.lat, later.lon, later.alt) == (stopped.lat, stopped.lon, stopped.alt)
    assert later.time_boot_ms > stopped.time_boot_ms + 1000


@pytest.mark.parametrize("drone", [("--motion", "event")], indirect=True)
def test_sim038_motion_event_is_the_event_clock(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            start = time.monotonic()
            await system.action.set_takeoff_altitude(60.0)
            await system.action.arm()
            await system.action.takeoff()
            await until(system.telemetry.position(), lambda p: abs(p.relative_altitude_m - 60.0) < 0.01, 5)
            assert time.monotonic() - start < 5  # 20 s of flight
            await system.action.land()
            await until(system.telemetry.armed(), lambda a: not a, 5, "disarmed")
    run(go())
