# SPDX-License-Identifier: Apache-2.0
"""Clients that steer: MAVSDK's plugins offboard, manual_control and follow_me, orbits, and masks by pymavlink."""
import asyncio
import contextlib
import math

import pytest
from mavsdk.action import OrbitYawBehavior
from mavsdk.follow_me import Config, TargetLocation
from mavsdk.manual_control import ManualControlError
from mavsdk.offboard import (AccelerationNed, Attitude, AttitudeRate, OffboardError, PositionGlobalYaw,
                             PositionNedYaw, VelocityBodyYawspeed, VelocityNedYaw)
from mavsdk.telemetry import FlightMode

from client_drone import Drone
from geography import HOME, offset
from mavsdk_client import client, down, ready, run, take_off, until
from pymavlink_client import M, command, connect, expect


@pytest.fixture(params=["constant", "physics"])
def drone(request):
    """Each test flies both bodies."""
    d = Drone("--motion", request.param)
    d.physics = request.param == "physics"
    yield d
    d.stop()


async def place(system):
    return (await until(system.telemetry.position_velocity_ned(), lambda p: True))[0]


async def near(system, north, east, down_m, timeout=20):
    def there(p):
        p = p.position
        return math.dist((p.north_m, p.east_m, p.down_m), (north, east, down_m)) < 0.05
    await until(system.telemetry.position_velocity_ned(), there, timeout, f"at {north}, {east}, {down_m}")


async def moves(system, north, east, down_m, timeout=15, tolerance=0.05):
    def so(p):
        v = p.velocity
        return math.dist((v.north_m_s, v.east_m_s, v.down_m_s), (north, east, down_m)) < tolerance
    await until(system.telemetry.position_velocity_ned(), so, timeout, f"moving {north}, {east}, {down_m}")


@contextlib.asynccontextmanager
async def offboard(drone):
    """Off the ground by setpoints alone, as PX4's own tests do."""
    async with client(drone, "tcp") as system:
        await ready(system)
        await system.offboard.set_position_ned(PositionNedYaw(0, 0, -10, 0))
        await system.action.arm()
        await system.offboard.start()
        assert await system.offboard.is_active()
        await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.OFFBOARD, what="offboard")
        await near(system, 0, 0, -10)
        yield system


def test_offboard_position_and_landing(drone):
    async def go():
        async with offboard(drone) as system:
            await system.offboard.set_position_ned(PositionNedYaw(20, 10, -15, 90))
            await near(system, 20, 10, -15)
            await until(system.telemetry.heading(), lambda h: abs(h.heading_deg - 90) < 0.5, what="heading")
            lat, lon = offset(-20, 0)
            await system.offboard.set_position_global(PositionGlobalYaw(
                lat, lon, 12, 0, PositionGlobalYaw.AltitudeType.REL_HOME))
            await near(system, -20, 0, -12)
            await system.offboard.set_position_global(PositionGlobalYaw(
                *HOME[:2], HOME[2] + 8, 0, PositionGlobalYaw.AltitudeType.AMSL))
            await near(system, 0, 0, -8)
            await system.offboard.set_velocity_ned(VelocityNedYaw(0, 0, 1.5, 0))
            await down(system)
    run(go())


def test_offboard_velocity(drone):
    async def go():
        async with offboard(drone) as system:
            await system.offboard.set_velocity_ned(VelocityNedYaw(3, -2, -1, 90))
            await moves(system, 3, -2, -1)
            await until(system.telemetry.heading(), lambda h: abs(h.heading_deg - 90) < 0.5, what="heading")
            await system.offboard.set_velocity_body(VelocityBodyYawspeed(2, 0, 0, 0))
            await moves(system, 0, 2, 0)
            await system.offboard.set_velocity_body(VelocityBodyYawspeed(3, 0, 0, 60))
            await asyncio.sleep(6)
            await until(system.telemetry.position_velocity_ned(),
                        lambda p: abs(math.hypot(p.velocity.north_m_s, p.velocity.east_m_s) - 3) < 0.1, what="speed in the turn")
            await system.offboard.set_acceleration_ned(AccelerationNed(1, 0, 0))
            await moves(system, 1, 0, 0)
            here = (await place(system)).position
            await system.offboard.set_position_velocity_ned(
                PositionNedYaw(here.north_m + 10, here.east_m, -12, 0), VelocityNedYaw(0, 0, 0, 0))
            await near(system, here.north_m + 10, here.east_m, -12)
            await system.offboard.stop()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.HOLD, what="hold")
            await moves(system, 0, 0, 0)
            assert not await system.offboard.is_active()
    run(go())


def test_offboard_attitude(drone):
    async def go():
        async with offboard(drone) as system:
            await system.offboard.set_attitude(Attitude(0, 0, 0, 0.6))
            await until(system.telemetry.position_velocity_ned(), lambda p: p.position.down_m < -14, what="up")
            await system.offboard.set_attitude(Attitude(10, 0, 0, 0.5077))
            await moves(system, 0, 1.73, 0)
            await system.offboard.set_attitude_rate(AttitudeRate(0, 0, 30, 0.5))
            await until(system.telemetry.attitude_angular_velocity_body(),
                        lambda a: abs(a.yaw_rad_s - math.radians(30)) < 0.05, what="turning")
            await system.action.land()
            await down(system)
    run(go())


def test_offboard_needs_setpoints(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await take_off(system, 5.0)
            with pytest.raises(OffboardError):
                await system.offboard.start()
    run(go())


def test_offboard_lost(drone):
    link = connect(drone)
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_ACCEPTED
    custom = M.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
    assert command(link, M.MAV_CMD_DO_SET_MODE, custom, 6) == M.MAV_RESULT_TEMPORARILY_REJECTED

    def send(**at):
        f = {"x": 0, "y": 0, "z": 0, "vx": 0, "vy": 0, "vz": 0, "mask": 0xFC7, **at}
        link.mav.set_position_target_local_ned_send(0, 1, 1, 1, f["mask"], f["x"], f["y"], f["z"], f["vx"],
                                                    f["vy"], f["vz"], 0, 0, 0, 0, 0)
    send(vz=-1)
    assert command(link, M.MAV_CMD_DO_SET_MODE, custom, 6) == M.MAV_RESULT_ACCEPTED
    for _ in range(40):
        send(vz=-1)
        link.recv_match(type="ATTITUDE", blocking=True, timeout=1)
    def steered(m):
        send(vx=2)  # until it flies so: none afterwards
        return m.vx == 200 and m.vz == 0
    expect(link, "GLOBAL_POSITION_INT", steered, 5)
    expect(link, "HEARTBEAT", lambda m: m.system_status == M.MAV_STATE_CRITICAL, 5)
    expect(link, "HEARTBEAT", lambda m: m.custom_mode >> 24 in (5, 6), 5)  # return, or its landing


def test_masks_and_frames(drone):
    """What PX4 takes and what it refuses."""
    link = connect(drone)
    custom = M.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED

    def send(frame, mask, x=0.0, y=0.0, z=0.0, vx=0.0, vy=0.0, vz=0.0):
        link.mav.set_position_target_local_ned_send(0, 1, 1, frame, mask, x, y, z, vx, vy, vz, 0, 0, 0, 0, 0)
    for frame, text in ((7, "frame 7"), (9, "frame 9"), (12, "frame 12")):
        send(frame, 0xDC7, vx=1.0)
        expect(link, "STATUSTEXT", lambda m: text in m.text, 3)
        link.recv_match(type="HEARTBEAT", blocking=True, timeout=2)
        link.recv_match(type="HEARTBEAT", blocking=True, timeout=2)
    send(1, 0xDF8, z=-5.0)
    assert command(link, M.MAV_CMD_DO_SET_MODE, custom, 6) == M.MAV_RESULT_ACCEPTED
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_ACCEPTED

    def until_moving(condition, *setpoint, **more):
        for _ in range(150):
            send(*setpoint, **more)
            m = link.recv_match(type="GLOBAL_POSITION_INT", blocking=True, timeout=1)
            if m is not None and condition(m):
                return
        raise AssertionError(f"{setpoint} {more}: {m}")
    until_moving(lambda m: m.relative_alt == 5000 and m.vz == 0, 1, 0xDF8, z=-5.0)
    until_moving(lambda m: (m.vx, m.vy, m.vz) == (100, 0, 0), 1, 0xDC7, vx=1.0)
    until_moving(lambda m: (m.vx, m.vy, m.vz) == (0, -100, -50), 8, 0xDC7, vy=-1.0, vz=-0.5)
    until_moving(lambda m: m.vx == 100 and m.relative_alt in range(7990, 8011), 1, 0xDE3, vx=1.0, z=-8.0)


def test_manual_control(drone):
    async def go():
        async with client(drone, "tcp") as system:
            manual = system.manual_control
            await ready(system)
            with pytest.raises(ManualControlError):
                await manual.start_position_control()
            stop = asyncio.Event()
            sticks = [0.0, 0.0, 0.5, 0.0]

            async def stream():
                while not stop.is_set():
                    await manual.set_manual_control_input(*sticks)
                    await asyncio.sleep(0.05)
            task = asyncio.create_task(stream())
            await asyncio.sleep(0.2)
            await system.action.arm()
            await manual.start_position_control()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.POSCTL, what="position mode")
            sticks[:] = 0.0, 0.0, 1.0, 0.0
            await until(system.telemetry.position(), lambda p: p.relative_altitude_m > 6, what="up")
            sticks[:] = 1.0, 0.0, 0.5, 0.0
            await moves(system, 10, 0, 0, tolerance=0.6 if drone.physics else 0.05)   # its drag ends at 9.6 m/s
            sticks[:] = 0.0, 0.0, 0.5, 0.0
            await moves(system, 0, 0, 0)
            await manual.start_altitude_control()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.ALTCTL, what="altitude mode")
            rc = await until(system.telemetry.rc_status(), lambda r: r.is_available, what="sticks seen")
            assert rc
            sticks[:] = 0.0, 0.0, 0.0, 0.0
            await down(system)
            stop.set()
            await task
    run(go())


def test_manual_control_lost(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await take_off(system, 10.0)
            for _ in range(10):
                await system.manual_control.set_manual_control_input(0.0, 0.0, 0.5, 0.0)
                await asyncio.sleep(0.05)
            await system.manual_control.start_position_control()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.HOLD, 5, "hold")
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.RETURN_TO_LAUNCH, 8, "return")
    run(go())


def test_orbit(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await take_off(system, 10.0)
            lat, lon = offset(20, 0)
            await system.action.do_orbit(10.0, 4.0, OrbitYawBehavior.HOLD_FRONT_TO_CIRCLE_CENTER, lat, lon,
                                         HOME[2] + 12)

            slack = 0.5 if drone.physics else 0.1

            def on_circle(p):
                v, p = p.velocity, p.position
                speed = math.hypot(v.north_m_s, v.east_m_s)
                off = math.hypot(p.north_m - 20, p.east_m) - 10
                return abs(off) < slack and abs(p.down_m + 12) < slack and abs(speed - 4) < slack
            await until(system.telemetry.position_velocity_ned(), on_circle, 30, "on the circle")
            await asyncio.sleep(4)
            for _ in range(10):
                p = await place(system)
                assert on_circle(p), p
                await asyncio.sleep(0.3)
            await system.action.hold()
            await moves(system, 0, 0, 0)
    run(go())


def test_region_of_interest(drone):
    """The front follows a place 20 m aside, on the way and in Hold."""
    link = connect(drone)
    lat, lon = offset(30, 20)
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_ACCEPTED
    assert command(link, M.MAV_CMD_NAV_TAKEOFF) == M.MAV_RESULT_ACCEPTED
    expect(link, "HEARTBEAT", lambda m: m.custom_mode == 50593792, 20)
    assert command(link, M.MAV_CMD_DO_SET_ROI_LOCATION, 0, 0, 0, 0, lat, lon, 488) == M.MAV_RESULT_ACCEPTED

    def off_deg(m):
        north, east = math.radians(lat - m.lat / 1e7), math.radians(lon - m.lon / 1e7) * math.cos(math.radians(lat))
        return (m.hdg / 100 - math.degrees(math.atan2(east, north)) + 180) % 360 - 180
    expect(link, "GLOBAL_POSITION_INT", lambda m: abs(off_deg(m)) < 1, 10)
    goal = offset(60, 0)
    assert command(link, M.MAV_CMD_DO_REPOSITION, 5, 1, 0, math.nan, *goal, 498) == M.MAV_RESULT_ACCEPTED
    worst, moved = 0, False
    for _ in range(400):
        m = link.recv_match(type="GLOBAL_POSITION_INT", blocking=True, timeout=2)
        worst = max(worst, abs(off_deg(m)))
        moved = moved or m.vx > 200
        if moved and math.hypot(m.vx, m.vy) == 0:
            break
    assert moved and worst < 3, worst                # the place itself came as floats, a metre wide
    assert command(link, M.MAV_CMD_DO_SET_ROI_NONE) == M.MAV_RESULT_ACCEPTED
    assert command(link, M.MAV_CMD_DO_SET_ROI_SYSID, 1) == M.MAV_RESULT_UNSUPPORTED


def test_orbit_status(drone):
    link = connect(drone)
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == M.MAV_RESULT_ACCEPTED
    assert command(link, M.MAV_CMD_NAV_TAKEOFF) == M.MAV_RESULT_ACCEPTED
    expect(link, "HEARTBEAT", lambda m: m.custom_mode == 50593792)
    assert command(link, M.MAV_CMD_DO_ORBIT, -5, 2, 3) == M.MAV_RESULT_ACCEPTED
    status = expect(link, "ORBIT_EXECUTION_STATUS", timeout=5)
    assert status.radius == -5 and abs(status.x - HOME[0] * 1e7) < 10
    expect(link, "HEARTBEAT", lambda m: m.custom_mode == 16973824, 3)


def test_follow_me(drone):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            await take_off(system, 10.0)
            follow = system.follow_me
            await follow.set_config(Config(12.0, 6.0, 0.1, Config.FollowAltitudeMode.CONSTANT, 8.0, 180.0))
            assert (await follow.get_config()).follow_distance_m == 6.0
            await follow.start()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.FOLLOW_ME, what="follow me")
            for i in range(30):
                lat, lon = offset(0.5 * i, 0)
                await follow.set_target_location(TargetLocation(lat, lon, HOME[2], 1.0, 0.0, 0.0))
                await asyncio.sleep(0.5)
            p = (await place(system)).position
            assert abs(p.north_m - (15 - 6)) < 2 and abs(p.east_m) < 1 and abs(p.down_m + 12) < 0.5
            await follow.stop()
            await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.HOLD, what="hold")
    run(go())
