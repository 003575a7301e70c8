# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python 3, which flies with a server of its own."""
import asyncio
import contextlib

from mavsdk import System
from mavsdk.mission import MissionItem
from mavsdk.telemetry import FlightMode, LandedState

from geography import HOME, distance_m, offset
from ports import free_port

NAN = float("nan")

@contextlib.asynccontextmanager
async def client(drone, transport):
    system = System(port=free_port())
    await system.connect(system_address=drone.url(transport))
    async with asyncio.timeout(10):
        async for state in system.core.connection_state():
            if state.is_connected:
                break
    try:
        yield system
    finally:
        server = system._server_process
        system._stop_mavsdk_server()
        server.wait()
        server.stdout.close()  # the client keeps it open; a thousand of them are too many for select()


async def until(stream, condition, timeout=30, what="condition"):
    """The first value of a telemetry stream that fulfils the condition, and all before it."""
    seen = []
    try:
        async with asyncio.timeout(timeout):
            async for value in stream:
                seen.append(value)
                if condition(value):
                    return seen
    except TimeoutError:
        raise AssertionError(f"{what} not within {timeout} s; last: {seen[-3:]}") from None


async def ready(system):
    await until(system.telemetry.health(), lambda h: h.is_armable, 5, "armable")
    await until(system.telemetry.health_all_ok(), lambda ok: ok, 5, "health_all_ok")


async def take_off(system, height):
    await system.action.set_takeoff_altitude(height)
    assert await system.action.get_takeoff_altitude() == height
    await system.action.arm()
    await system.action.takeoff()
    await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.TAKEOFF, what="takeoff mode")
    await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.HOLD, what="hold mode")


async def down(system):
    await until(system.telemetry.landed_state(), lambda s: s == LandedState.ON_GROUND, 60, "on ground")
    await until(system.telemetry.armed(), lambda a: not a, 10, "disarmed")


async def hop(system, within_m=0.02):
    """Up, 20 m north and 30 m west, down: all by the vehicle's own telemetry."""
    await ready(system)
    await take_off(system, 6.0)
    target = offset(20, -30)
    await system.action.goto_location(target[0], target[1], HOME[2] + 9.0, NAN)
    await until(system.telemetry.position(), lambda p: distance_m((p.latitude_deg, p.longitude_deg), target) < within_m)
    await system.action.land()
    await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.LAND, what="land mode")
    await down(system)


def run(coroutine):
    asyncio.run(asyncio.wait_for(coroutine, 120))


def waypoint(north, east, height, speed=10.0):
    lat, lon = offset(north, east)
    return MissionItem(lat, lon, height, speed, True, NAN, NAN, MissionItem.CameraAction.NONE, NAN, NAN, NAN, NAN, NAN,
                       MissionItem.VehicleAction.NONE)
