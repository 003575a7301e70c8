# SPDX-License-Identifier: Apache-2.0
"""What PX4's own tests with MAVSDK expect of a multicopter, with the limits that they have: flights by mission, by
setpoints and by sticks, sensors that fail, a target to follow; at several settings, mostly faster than the wall."""
import asyncio
import math

import pytest
from mavsdk.failure import FailureType, FailureUnit
from mavsdk.follow_me import Config, TargetLocation
from mavsdk.mission import MissionItem, MissionPlan
from mavsdk.offboard import Attitude, PositionNedYaw, VelocityNedYaw
from mavsdk.telemetry import FlightMode, LandedState

from conftest import offset
from test_mavsdk import NAN, client, down, ready, run, until

DEFAULT = ("--clock", "x10")
STRICT = ("--px4-strict", "--motion", "physics", "--clock", "x10")
FAST = ("--motion", "physics", "--clock", "x20")
OFFBOARD = 1 << 2     # of COM_RCL_EXCEPT


class Watch:
    """The last value of a stream, and all that a check makes of it."""

    def __init__(self, stream, check=None):
        self.value, self.wrong = None, []

        async def follow():
            async for self.value in stream:
                if check and (wrong := check(self.value)):
                    self.wrong.append(wrong)
        self.task = asyncio.create_task(follow())


async def truth(system):
    """The place by ground truth, as these tests measure."""
    await system.telemetry.set_rate_ground_truth(15)
    return (await until(system.telemetry.ground_truth(), lambda g: math.isfinite(g.latitude_deg), 20))[-1]


async def from_home(system, home):
    here = await truth(system)
    return math.hypot((here.latitude_deg - home.latitude_deg) * 111000, (here.longitude_deg - home.longitude_deg) * 75000)


async def begin(system):
    await ready(system)
    return await truth(system)


async def upload(system, places, fly_through, then_return):
    def item(north, east):
        return MissionItem(*offset(north, east), 10.0, NAN, fly_through, NAN, NAN, MissionItem.CameraAction.NONE, NAN, NAN, NAN,
                           NAN, NAN, MissionItem.VehicleAction.NONE)
    await system.mission.set_return_to_launch_after_mission(then_return)
    await system.mission.upload_mission(MissionPlan([item(*p) for p in places]))


async def finished(system):
    await until(system.mission.mission_progress(), lambda p: p.total and p.current == p.total, 60, "end of the mission")


def off_track_m(points, current, p):
    """Distance from the line to the current item, in all three dimensions."""
    (n0, e0), (n1, e1) = points[current - 1], points[current]
    along = math.hypot(n1 - n0, e1 - e0)
    across = ((p.north_m - n0) * (e1 - e0) - (p.east_m - e0) * (n1 - n0)) / along
    return math.hypot(across, p.down_m + 10)


async def mission(system, places, fly_through, then_return):
    """In a corridor of 1.5 m; where it flies through, not slower than 4 m/s."""
    home = await begin(system)
    await upload(system, places, fly_through, then_return)
    progress = Watch(system.mission.mission_progress())
    await system.telemetry.set_rate_position_velocity_ned(5)

    def check(m):
        at = progress.value
        if not at or not 0 < at.current < at.total:
            return None
        speed = math.hypot(m.velocity.north_m_s, m.velocity.east_m_s)
        if off_track_m(places, at.current, m.position) > 1.5:
            return f"off the line to {at.current}: {m.position}"
        return f"{speed} m/s to {at.current}" if fly_through and at.current == 2 and speed < 4 else None
    track = Watch(system.telemetry.position_velocity_ned(), check)
    await system.action.arm()
    await system.mission.start_mission()
    await finished(system)
    if not then_return:
        await system.action.return_to_launch()
    await down(system)
    assert not track.wrong
    assert await from_home(system, home) < 1.0


SQUARE = [(20, 0), (20, 20), (0, 20)]


async def take_off_and_land(system):
    await ready(system)
    await system.action.arm()
    await system.action.takeoff()
    await until(system.telemetry.landed_state(), lambda s: s == LandedState.IN_AIR, 45, "in the air")
    await system.action.land()
    await down(system)


async def square_with_return(system):
    await mission(system, SQUARE, False, True)


async def square_then_return(system):
    await mission(system, SQUARE, False, False)


async def straight(system):
    await mission(system, [(20 * i, 0) for i in range(5)], True, False)


async def break_in_mission(system, unit, kind, height_by):
    await ready(system)
    await system.param.set_param_int("EKF2_HGT_REF", height_by)
    await upload(system, SQUARE, False, True)
    await system.action.arm()
    await system.param.set_param_int("SYS_FAILURE_EN", 1)
    await system.mission.start_mission()
    await until(system.mission.mission_progress(), lambda p: p.current >= 1, 60, "first item")
    await system.failure.inject(unit, kind, 0)


def lands_without(unit, kind, height_by):
    async def fly(system):
        await break_in_mission(system, unit, kind, height_by)
        await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.LAND, 30, "landing")
        await down(system)
    return fly


def goes_on_without(unit, kind, height_by):
    async def fly(system):
        await break_in_mission(system, unit, kind, height_by)
        ill = Watch(system.telemetry.health())
        await finished(system)
        await down(system)
        assert ill.value.is_magnetometer_calibration_ok == (unit != FailureUnit.SENSOR_MAG)
        assert not ill.value.is_armable
        await system.failure.inject(unit, FailureType.OK, 0)
        await ready(system)
    return fly


async def go_to(system, *place):
    await system.offboard.set_position_ned(PositionNedYaw(*place))
    await system.offboard.start()
    await until(system.telemetry.position_velocity_ned(), lambda p: math.dist(
        (p.position.north_m, p.position.east_m, p.position.down_m), place[:3]) < 0.1, 90, f"at {place}")


async def offboard_position(system):
    home = await begin(system)
    await system.param.set_param_int("COM_RCL_EXCEPT", OFFBOARD)
    await system.action.arm()
    for place in [(0, 0, -2, 0), (0, 5, -2, 180), (5, 5, -4, 180), (5, 0, -4, 90), (0, 0, -2, 0)]:
        await go_to(system, *place)
    await system.offboard.set_velocity_ned(VelocityNedYaw(0, 0, 1, 0))
    await down(system)
    assert await from_home(system, home) < 1.0


async def offboard_attitude(system):
    home = await begin(system)
    await system.param.set_param_int("COM_RCL_EXCEPT", OFFBOARD)
    await system.action.arm()
    await system.offboard.set_attitude(Attitude(0, 0, 0, 0.8))
    await system.offboard.start()
    await asyncio.sleep(0.5)
    await system.offboard.set_attitude(Attitude(0, -20, 0, 0.6))
    await asyncio.sleep(1)
    await system.offboard.set_attitude(Attitude(0, 0, 0, 0.2))
    await down(system)
    assert await from_home(system, home) > 8.0


def by_sticks(name):
    async def fly(system):
        async def hold(seconds, *sticks, until_landed=False):
            for _ in range(int(seconds * 50)):
                await system.manual_control.set_manual_control_input(*sticks)
                await asyncio.sleep(0.02)
                if until_landed and not in_air.value:
                    break
        home = await begin(system)
        in_air = Watch(system.telemetry.in_air())
        await system.action.arm()
        await hold(0.2, 0, 0, 0.5, 0)
        await getattr(system.manual_control, f"start_{name}_control")()
        await hold(1, 0, 0, 1, 0)
        await hold(2, 0.5, 0, 0.5, 0)
        await hold(20, 0, 0, 0, 0, until_landed=True)
        await down(system)
        assert await from_home(system, home) > 5.0
    return fly


async def follow_and_trim(system):
    """A target that stands at home: followed from the south; sticks do not take over, a mode does."""
    await ready(system)
    await system.action.set_takeoff_altitude(8)
    await system.action.arm()
    await system.action.takeoff()
    await until(system.telemetry.position(), lambda p: abs(p.relative_altitude_m - 8) < 0.5, 30, "at 8 m")
    follow = system.follow_me
    await follow.set_config(Config(8.0, 8.0, 0.1, Config.FollowAltitudeMode.CONSTANT, 8.0, 180.0))
    await follow.start()
    place = Watch(system.telemetry.position_velocity_ned())

    async def hold(seconds, *sticks):
        for _ in range(int(seconds * 20)):
            await follow.set_target_location(TargetLocation(*offset(0, 0), 488.0, NAN, NAN, NAN))
            await system.manual_control.set_manual_control_input(*sticks)
            await asyncio.sleep(0.05)
    await hold(1.5, 0, 0, 0.5, 0)
    behind = place.value.position
    assert abs(behind.north_m + 8) < 1.5 and abs(behind.east_m) < 1.5
    await hold(0.3, 0, 0, 1, 0)
    await hold(0.3, 1, 0, 0.5, 0)
    await hold(1, 0, 0, 0.5, 0)
    trimmed = place.value.position
    assert trimmed.down_m < behind.down_m - 1 and trimmed.north_m < behind.north_m - 1
    await system.manual_control.start_position_control()
    await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.POSCTL, 5, "the pilot's")
    await system.action.land()
    await down(system)


MAG, BARO, GPS = FailureUnit.SENSOR_MAG, FailureUnit.SENSOR_BARO, FailureUnit.SENSOR_GPS
OFF, STUCK = FailureType.OFF, FailureType.STUCK
BY_BARO, BY_GPS = 0, 1
CASES = [
    ("takeoff-land", take_off_and_land, ()), ("takeoff-land-x20", take_off_and_land, FAST),
    ("square-return", square_with_return, DEFAULT), ("square-return-strict", square_with_return, STRICT),
    ("square-then-return", square_then_return, FAST), ("straight", straight, DEFAULT), ("straight-strict", straight, STRICT),
    ("gps-lost", lands_without(GPS, OFF, BY_GPS), DEFAULT), ("gps-lost-strict", lands_without(GPS, OFF, BY_BARO), STRICT),
    ("mag-lost", goes_on_without(MAG, OFF, BY_GPS), DEFAULT), ("mag-stuck", goes_on_without(MAG, STUCK, BY_GPS), FAST),
    ("baro-lost", goes_on_without(BARO, OFF, BY_BARO), DEFAULT), ("baro-stuck", goes_on_without(BARO, STUCK, BY_GPS), STRICT),
    ("offboard-position", offboard_position, DEFAULT), ("offboard-position-strict", offboard_position, STRICT),
    ("offboard-attitude", offboard_attitude, DEFAULT), ("offboard-attitude-strict", offboard_attitude, STRICT),
    ("sticks-position", by_sticks("position"), DEFAULT), ("sticks-altitude", by_sticks("altitude"), STRICT),
    ("follow", follow_and_trim, DEFAULT),
]


@pytest.mark.parametrize("drone, fly", [(args, fly) for _, fly, args in CASES], ids=[c[0] for c in CASES], indirect=["drone"])
def test_sim044_px4_suite(drone, fly):
    async def go():
        async with client(drone, "udp-out") as system:
            await fly(system)
    run(go())
