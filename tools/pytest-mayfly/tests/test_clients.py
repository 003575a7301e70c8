# SPDX-License-Identifier: Apache-2.0
"""Real clients fly the fixture's drones."""
import asyncio
import contextlib
import importlib
import math
import types

import pytest


def module(name):
    """One of MAVSDK's, where the version that is here has it."""
    mavsdk = pytest.importorskip("mavsdk")
    return importlib.import_module(f"mavsdk.plugins.{name}" if hasattr(mavsdk, "Configuration") else f"mavsdk.{name}")


@contextlib.asynccontextmanager
async def client(drone):
    """A MAVSDK that is connected and healthy, of version 4 or 3."""
    mavsdk = pytest.importorskip("mavsdk")
    if not hasattr(mavsdk, "Configuration"):
        system = mavsdk.System(port=drone.mavsdk_server_port)
        await system.connect(drone.mavsdk_url)
        async for ok in system.telemetry.health_all_ok():
            if ok:
                break
        try:
            yield system
        finally:
            system._stop_mavsdk_server()
        return
    sdk = importlib.import_module("mavsdk.asyncio")
    async with sdk.Mavsdk(sdk.Configuration.create_with_component_type(sdk.ComponentType.GROUND_STATION)) as connected:
        await connected.add_any_connection(drone.mavsdk_url)
        autopilot = await connected.first_autopilot(10)
        plugins = {}
        for name in ("action", "mission", "telemetry"):
            plugin = importlib.import_module(f"mavsdk.asyncio.plugins.{name}")
            plugins[name] = getattr(plugin, f"{name.capitalize()}Async")(autopilot)
        async for ok in plugins["telemetry"].subscribe_health_all_ok():
            if ok:
                break
        yield types.SimpleNamespace(**plugins)


@pytest.mark.mayfly(clock="event")
def test_mavsdk_flies_a_mission(mayfly):
    """A kilometre of waypoints, whose events are all there, in order, at the times that the speed says."""
    mission = module("mission")
    nan = float("nan")

    def item(north_m):
        lat = 47.397742 + math.degrees(north_m / 6367000)
        return mission.MissionItem(lat, 8.545594, 10, 10, True, nan, nan, mission.MissionItem.CameraAction.NONE, nan, nan, nan,
                                   nan, nan, mission.MissionItem.VehicleAction.NONE)

    async def fly():
        async with client(mayfly) as system:
            await system.mission.upload_mission(mission.MissionPlan([item(n) for n in (100, 600, 1100)]))
            await system.action.arm()
            await system.mission.start_mission()
            await mayfly.aio.wait_event("waypoint", item=5)
            reached = mayfly.events("waypoint")     # MAVSDK's items are two of MAVLink's: a place, and a speed
            assert [event["item"] for event in reached] == [0, 1, 2, 3, 4, 5]
            times = [event.vehicle_time_s for event in reached[::2]]
            assert times[1] - times[0] == pytest.approx(50, abs=0.5)
            assert times[2] - times[1] == pytest.approx(50, abs=0.5)
            await system.action.return_to_launch()
            landed = await mayfly.aio.wait_event("landed", landed_state="on_ground")
            assert landed.vehicle_time_s > times[2] + 100
            await mayfly.aio.wait_event("armed", armed=False)
            assert mayfly.vehicle()["truth"]["lat_deg"] == pytest.approx(47.397742, abs=1e-6)
            assert mayfly.vehicle()["mission"]["reached"] == 5
    asyncio.run(asyncio.wait_for(fly(), 120))


def test_mavsdk_holds_and_breaks(mayfly):
    async def fly():
        async with client(mayfly) as system:
            await system.action.arm()
            await system.action.takeoff()
            now_s = await mayfly.aio.hold()
            await mayfly.aio.inject("gps_off")
            assert await mayfly.aio.run(for_s=0.5) == pytest.approx(now_s + 0.5, abs=1e-6)
            assert (await mayfly.aio.vehicle())["position"] is None
            await mayfly.aio.clear()
            await mayfly.aio.resume()
            await mayfly.aio.wait_ready()
    asyncio.run(asyncio.wait_for(fly(), 60))


@pytest.mark.mayfly(clock="event")
def test_pymavlink_takes_off(mayfly):
    mavutil = pytest.importorskip("pymavlink.mavutil")
    link = mavutil.mavlink_connection(mayfly.pymavlink_url)
    assert link.wait_heartbeat(timeout=10).get_srcSystem() == mayfly.system_id == 1
    last = None
    for number, param7 in ((mavutil.mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 0), (mavutil.mavlink.MAV_CMD_NAV_TAKEOFF, 508)):
        nan = float("nan")
        values = (1, 0, 0, 0, 0, 0, 0) if param7 == 0 else (nan, nan, nan, nan, nan, nan, param7)
        link.mav.command_long_send(1, 1, number, 0, *values)
        last = mayfly.wait_event("command", command=number)
        assert last["result"] == 0
    assert mayfly.events("mode", mode="Takeoff")[0].id < last.id
    assert mayfly.wait_event("mode", mode="Hold").vehicle_time_s > 5
    assert mayfly.vehicle()["truth"]["alt_amsl_m"] == pytest.approx(508, abs=0.01)
    link.close()
