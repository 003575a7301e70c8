# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python flies Mayfly. Each flight asserts what the vehicle did, not only that calls returned."""
import asyncio
import math
import time

import figures
import pytest
from mavsdk.action import ActionError
from mavsdk.calibration import CalibrationError, CalibrationResult
from mavsdk.mission import MissionPlan
from mavsdk.telemetry import FlightMode, LandedState

from client_drone import run_example
from geography import HOME, distance_m, offset
from mavsdk_client import NAN, client, down, ready, run, take_off, until, waypoint


@pytest.mark.parametrize("transport", ["tcp", "udp", "udp-out"])
def test_sim044_healthy_and_armable_at_once(drone, transport):
    async def go():
        async with client(drone, transport) as system:
            start = time.monotonic()
            await ready(system)
            assert time.monotonic() - start < 5
            health = (await until(system.telemetry.health(), lambda h: True))[0]
            assert all([health.is_gyrometer_calibration_ok, health.is_accelerometer_calibration_ok,
                        health.is_magnetometer_calibration_ok, health.is_local_position_ok,
                        health.is_global_position_ok, health.is_home_position_ok, health.is_armable])
            version = await system.info.get_version()
            assert (version.flight_sw_major, version.flight_sw_minor) == (1, 17)
    run(go())


@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_sim025_to_sim029_takeoff_goto_hold_land(drone, transport):
    async def go():
        async with client(drone, transport) as system:
            await ready(system)
            await take_off(system, 6.0)
            position = (await until(system.telemetry.position(), lambda p: True))[0]
            assert abs(position.relative_altitude_m - 6.0) < 0.01
            assert abs(position.absolute_altitude_m - (HOME[2] + 6.0)) < 0.01
            target = offset(20, -30)
            await system.action.goto_location(target[0], target[1], HOME[2] + 9.0, NAN)
            way = await until(system.telemetry.position(),
                              lambda p: distance_m((p.latitude_deg, p.longitude_deg), target) < 0.02)
            assert abs(way[-1].relative_altitude_m - 9.0) < 0.01
            await system.action.goto_location(*offset(200, 0), HOME[2] + 9.0, NAN)
            await asyncio.sleep(1)
            await system.action.hold()
            await system.action.land()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.LAND, what="land mode")
            await until(system.telemetry.landed_state(), lambda s: s == LandedState.LANDING, what="landing")
            await down(system)
            position = (await until(system.telemetry.position(), lambda p: True))[0]
            assert abs(position.absolute_altitude_m - HOME[2]) < 0.01
    run(go())


@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_sim023_sim031_mission_of_five_waypoints(drone, transport):
    async def go():
        corners = [(20, 0), (20, 20), (0, 20), (-20, 0), (0, 0)]
        async with client(drone, transport) as system:
            await ready(system)
            await system.mission.upload_mission(MissionPlan([waypoint(n, e, 8.0) for n, e in corners]))
            back = await system.mission.download_mission()
            assert len(back.mission_items) == 5
            await system.action.arm()
            await system.mission.start_mission()
            visited, nearest = [], [math.inf] * 5

            async def follow():
                async for p in system.telemetry.position():
                    for i, (n, e) in enumerate(corners):
                        nearest[i] = min(nearest[i], distance_m((p.latitude_deg, p.longitude_deg), offset(n, e)))
            follower = asyncio.create_task(follow())
            async with asyncio.timeout(60):
                async for progress in system.mission.mission_progress():
                    visited.append(progress.current)
                    if progress.current == progress.total:
                        break
            follower.cancel()
            assert await system.mission.is_mission_finished()
            assert visited == sorted(visited) and set(visited) >= {1, 2, 3, 4, 5}
            assert all(d < 0.6 for d in nearest), nearest   # 10 Hz samples at 10 m/s
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.HOLD, what="hold after mission")
            await system.action.land()
            await down(system)
    run(go())


def test_mission_pause_resume_and_rtl_at_the_end(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await system.action.set_return_to_launch_altitude(10.0)
            await system.mission.set_return_to_launch_after_mission(True)
            await system.mission.upload_mission(MissionPlan([waypoint(60, 0, 8.0), waypoint(60, 10, 8.0)]))
            await system.action.arm()
            await system.mission.start_mission()
            await until(system.telemetry.position(), lambda p: p.latitude_deg > offset(15, 0)[0])
            await system.mission.pause_mission()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.HOLD, what="pause")
            first = (await until(system.telemetry.position(), lambda p: True))[-1]
            await asyncio.sleep(1)
            second = (await until(system.telemetry.position(), lambda p: True))[-1]
            assert distance_m((first.latitude_deg, first.longitude_deg),
                              (second.latitude_deg, second.longitude_deg)) < 0.02
            await system.mission.start_mission()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.RETURN_TO_LAUNCH, 60, "return")
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.LAND, 60, "final descent")
            await down(system)
            assert await system.mission.is_mission_finished()
            position = (await until(system.telemetry.position(), lambda p: True))[-1]
            assert distance_m((position.latitude_deg, position.longitude_deg), HOME) < 0.02
    run(go())


def test_sim028_return_to_launch(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await system.action.set_return_to_launch_altitude(12.0)
            await take_off(system, 5.0)
            target = offset(0, 30)
            await system.action.goto_location(*target, HOME[2] + 5.0, NAN)
            await until(system.telemetry.position(),
                        lambda p: distance_m((p.latitude_deg, p.longitude_deg), target) < 0.02)
            await system.action.return_to_launch()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.RETURN_TO_LAUNCH, what="return")
            way = await until(system.telemetry.position(),
                              lambda p: distance_m((p.latitude_deg, p.longitude_deg), HOME) < 0.02)
            assert abs(max(p.relative_altitude_m for p in way) - 12.0) < 0.01
            await down(system)
    run(go())


def test_sim032_parameters(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            assert await system.param.get_param_int("MAV_TYPE") == 2
            await system.param.set_param_float("MIS_TAKEOFF_ALT", 4.25)
            assert await system.param.get_param_float("MIS_TAKEOFF_ALT") == 4.25
            await system.param.set_param_int("COM_RC_IN_MODE", 4)
            assert await system.param.get_param_int("COM_RC_IN_MODE") == 4
            with pytest.raises(Exception):
                await system.param.get_param_float("NO_SUCH_PARAM")
    run(go())


@pytest.mark.alone
def test_sim032_all_parameters_in_time(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            start = time.monotonic()
            params = await system.param.get_all_params()
            took = time.monotonic() - start
            assert len(params.int_params) + len(params.float_params) >= 130
            return took
    figures.Figures().add("params.all", asyncio.run(asyncio.wait_for(go(), 30)), "s")


def test_sim016_rates_can_be_set(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await system.telemetry.set_rate_position(50.0)
            for _ in range(4):      # a client that is late itself gets them in a heap
                start, count = time.monotonic(), 0
                async for _ in system.telemetry.position():
                    count += 1
                    if count == 100:
                        break
                took = time.monotonic() - start
                if 1.5 < took < 2.6:
                    break
            assert 1.5 < took < 2.6      # 100 samples at 50 Hz
    run(go())


def test_sim046_sim047_gps_loss_by_the_failure_plugin(drone):
    from mavsdk.failure import FailureType, FailureUnit

    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await take_off(system, 5.0)
            await system.failure.inject(FailureUnit.SENSOR_GPS, FailureType.OFF, 0)
            await until(system.telemetry.health(), lambda h: not h.is_global_position_ok, 3, "GPS unhealthy")
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.LAND, 3, "blind landing")
            await down(system)
            with pytest.raises(ActionError):
                await system.action.arm()
            await system.failure.inject(FailureUnit.SENSOR_GPS, FailureType.OK, 0)
            await ready(system)
            await system.action.arm()
            await system.action.disarm()
    run(go())


def test_denied_with_a_reason(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            texts = []

            async def listen():
                async for text in system.telemetry.status_text():
                    texts.append(text.text)
            listener = asyncio.create_task(listen())
            await take_off(system, 4.0)
            with pytest.raises(ActionError):
                await system.action.disarm()
            await system.action.kill()
            await until(system.telemetry.armed(), lambda a: not a, 5, "killed")
            await asyncio.sleep(0.5)
            listener.cancel()
            assert any("Disarming denied: not landed" in t for t in texts), texts
            assert any("Armed" in t for t in texts) and any("Takeoff detected" in t for t in texts), texts
    run(go())


def test_sim014_two_clients_at_once(drone):
    async def go():
        async with client(drone, "tcp") as pilot, client(drone, "udp") as watcher:
            await asyncio.gather(ready(pilot), ready(watcher))
            await take_off(pilot, 4.0)
            await until(watcher.telemetry.in_air(), lambda a: a, 5, "the other client sees it in the air")
            await watcher.action.land()
            await asyncio.gather(down(pilot), down(watcher))
    run(go())


@pytest.mark.parametrize("kind", ["gyro", "accelerometer", "magnetometer", "level_horizon"])
def test_a_calibration_is_cancelled(drone, kind):
    """MAVSDK waits for the acknowledgement with the lock that each text of a calibration needs."""
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            with pytest.raises(CalibrationError) as error:
                async for step in getattr(system.calibration, f"calibrate_{kind}")():
                    if step.has_progress and step.progress > 0.1:
                        await asyncio.sleep(0.07)
                        await system.calibration.cancel()
            assert error.value._result.result == CalibrationResult.Result.CANCELLED
            assert (await system.info.get_version()).flight_sw_major == 1     # it still lives
    asyncio.run(asyncio.wait_for(go(), 30))


def test_streams_of_a_companion_are_not_silent(drone):
    """Those that PX4 sends to an onboard computer unasked."""
    async def go():
        async with client(drone, "udp-out") as system:
            for stream in ("imu", "odometry", "scaled_pressure", "wind"):
                await until(getattr(system.telemetry, stream)(), lambda _: True, 3, stream)
    run(go())


def test_the_example_of_the_documentation(drone):
    assert run_example("docs/clients.md", 1, drone) == "took off, and lands\n"
