# SPDX-License-Identifier: Apache-2.0
"""What PX4's own tests with MAVSDK expect of a multicopter, with the limits that they have: flights by mission, by
setpoints and by sticks, sensors that fail, a target to follow; at several settings, mostly faster than the wall. Then what
its clients depend on without saying so, in both motions and with PX4's rules.

SUITE_RUNS=N takes every case N times at x5 and at x10, and those of the second kind three times by the wall, beside two
processes that only compute (conftest.py)."""
import asyncio
import itertools
import math
import os
import statistics

import pytest
from mavsdk.failure import FailureError, FailureType, FailureUnit
from mavsdk.info import InfoError
from mavsdk.follow_me import Config, TargetLocation
from mavsdk.mission import MissionItem, MissionPlan
from mavsdk.offboard import Attitude, PositionNedYaw, VelocityNedYaw
from mavsdk.telemetry import FlightMode, LandedState

from geography import offset
from mavsdk_client import NAN, client, down, ready, run, take_off, until
from pymavlink_client import EVENT, HOLD, LEAVE, M, command, connect

RUNS = int(os.environ.get("SUITE_RUNS", "0"))
DEFAULT = ("--clock", "x10")
STRICT = ("--px4-strict", "--motion", "physics", "--clock", "x10")
FAST = ("--motion", "physics", "--clock", "x20")
SETTINGS = {"constant": (), "physics": ("--motion", "physics"), "constant-strict": ("--px4-strict",),
            "physics-strict": ("--px4-strict", "--motion", "physics")}
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


def stopped(link, action):
    """What came until time stands by a barrier: at a hold and at an event that is of one instant, where no stream runs."""
    seen = []
    link.mav.command_long_send(1, 1, M.MAV_CMD_USER_1, 0, action, 0, 0, 0, 0, 0, 0)
    while True:
        m = link.recv_match(blocking=True, timeout=20)
        assert m is not None, f"time does not stand: {seen}"
        if m.get_type() == "COMMAND_ACK" and m.command == M.MAV_CMD_USER_1 and m.result == M.MAV_RESULT_ACCEPTED:
            return seen
        seen.append(m)


def see_no_repetition(seen):
    for kind in "EXTENDED_SYS_STATE", "CURRENT_MODE":
        said = [m.to_dict() for m in seen if m.get_type() == kind]
        assert all(a != b for a, b in itertools.pairwise(said)), said
        yield from said


async def nothing_twice(system, drone):
    """A client that stops listening in its callback does not survive the same value at once again."""
    await ready(system)
    link = connect(drone)
    for number in range(1, 512):
        if number in M.mavlink_map:
            link.mav.command_long_send(1, 1, M.MAV_CMD_SET_MESSAGE_INTERVAL, 0, number, -1, 0, 0, 0, 0, 0)
    said = []

    def fly():
        stopped(link, HOLD)
        for number, params in ((M.MAV_CMD_COMPONENT_ARM_DISARM, (1,)), (M.MAV_CMD_NAV_TAKEOFF, ())):
            assert command(link, number, *params) == 0
        landing = False
        for _ in range(40):
            said.extend(see_no_repetition(stopped(link, EVENT)))
            if not landing and link.flightmode == "LOITER":
                assert command(link, M.MAV_CMD_NAV_LAND) == 0
                landing = True
            if landing and not link.motors_armed():
                stopped(link, LEAVE)
                return
        raise AssertionError(f"not down: {said}")
    await asyncio.to_thread(fly)
    landed = [m["landed_state"] for m in said if "landed_state" in m]
    assert [k for k, _ in itertools.groupby(landed)][-3:] == [2, 4, 1], landed


async def injects_once_allowed(system, drone):
    """MAVSDK's cache of SYS_FAILURE_EN learns only of PARAM_VALUEs that it did not ask for."""
    async def inject(kind):
        try:
            async with asyncio.timeout(8):
                await system.failure.inject(GPS, kind, 0)
        except FailureError as error:
            return error._result.result.name
        return "SUCCESS"

    async def turns(wanted):
        for _ in range(50):
            if await inject(OFF) == wanted:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"injection is not {wanted}")
    await ready(system)
    if "--px4-strict" in drone.args:
        assert await inject(OFF) in ("DISABLED", "DENIED")     # it may not have asked for the parameter yet
    for allowed, wanted in (1, "SUCCESS"), (0, "DISABLED"), (1, "SUCCESS"):
        await system.param.set_param_int("SYS_FAILURE_EN", allowed)
        await turns(wanted)
    assert await inject(FailureType.OK) == "SUCCESS"
    await ready(system)


async def attitude_shows(system, drone):
    """As far as it is flown: at once at constant speed, while it gathers speed otherwise."""
    await ready(system)
    await system.param.set_param_int("COM_RCL_EXCEPT", OFFBOARD)
    await system.action.arm()
    await system.offboard.set_attitude(Attitude(0, 0, 0, 0.8))
    await system.offboard.start()
    await until(system.telemetry.in_air(), lambda a: a, 20, "in the air")
    await system.offboard.set_attitude(Attitude(0, -20, 0, 0.6))
    near = 9.0 if "physics" in drone.args else 0.1
    await until(system.telemetry.attitude_euler(), lambda a: abs(a.pitch_deg + 20) < near, 20, "pitch of -20 degrees")
    await system.offboard.set_attitude(Attitude(0, 0, 0, 0.2))
    await down(system)


async def knows_its_speed(system, drone):
    """Attitude comes as to an onboard computer, so that the factor of the clock is known at once."""
    await ready(system)
    stamps = []
    async for a in system.telemetry.attitude_euler():
        stamps.append(a.timestamp_us)
        if len(stamps) == 40:
            break
    assert statistics.median(b - a for a, b in itertools.pairwise(stamps)) == 10000, stamps
    listener = await asyncio.to_thread(connect, drone)     # says nothing: as a ground station
    stamps = [(await asyncio.to_thread(listener.recv_match, type="ATTITUDE", blocking=True, timeout=5)).time_boot_ms
              for _ in range(5)]
    assert statistics.median(b - a for a, b in itertools.pairwise(stamps)) >= 66, stamps
    factor = NAN
    for _ in range(10):
        try:
            factor = await system.info.get_speed_factor()
        except InfoError:      # the first question only begins to count
            pass
        if math.isfinite(factor):
            return
        await asyncio.sleep(0.2)
    raise AssertionError("no speed factor")


async def toggles_hitl(system, drone):
    await ready(system)
    for value in 1, 0, 1, 0:
        await system.param.set_param_int("SYS_HITL", value)
        assert await system.param.get_param_int("SYS_HITL") == value


async def lands_blind(system, drone):
    """Whoever sets the mode to Land lands, without a position, too."""
    await ready(system)
    await system.param.set_param_int("SYS_FAILURE_EN", 1)
    await system.param.set_param_int("EKF2_NOAID_TOUT", 0)  # time stands: the position must go with the fix
    await take_off(system, 10.0)
    link = await asyncio.to_thread(connect, drone)

    def ask():
        stopped(link, HOLD)
        assert command(link, M.MAV_CMD_INJECT_FAILURE, M.FAILURE_UNIT_SENSOR_GPS, M.FAILURE_TYPE_OFF, 0) == 0
        assert command(link, M.MAV_CMD_NAV_LAND) == M.MAV_RESULT_TEMPORARILY_REJECTED
        assert command(link, M.MAV_CMD_DO_SET_MODE, 1, 4, 6) == 0
        assert command(link, M.MAV_CMD_DO_SET_STANDARD_MODE, M.MAV_STANDARD_MODE_LAND) == 0
        link.mav.set_mode_send(1, 1, 100925440)
        while (m := link.recv_match(type="COMMAND_ACK", blocking=True, timeout=5)).command != M.MAV_CMD_DO_SET_MODE:
            pass
        assert m.result == 0
        stopped(link, LEAVE)
    await asyncio.to_thread(ask)
    await until(system.telemetry.flight_mode(), lambda m: m == FlightMode.LAND, 30, "landing")
    await down(system)


ITEMS = [nothing_twice, injects_once_allowed, attitude_shows, knows_its_speed, toggles_hitl, lands_blind]


def at(clock, args):
    """The same drone at another clock."""
    rest = list(args)
    if "--clock" in rest:
        del rest[rest.index("--clock"):rest.index("--clock") + 2]
    return (*rest, "--clock", clock)


def every_run(cases):
    """Once as it is, or as often as SUITE_RUNS says. @param cases  (name, fly, arguments, clocks of single runs)"""
    if not RUNS:
        return [pytest.param(args, fly, id=name) for name, fly, args, _ in cases]
    return [pytest.param(at(clock, args), fly, id=f"{name}-{clock}-{i}") for name, fly, args, by_wall in cases
            for clock, runs in (("x5", RUNS), ("x10", RUNS), ("real", min(RUNS, 3) if by_wall else 0)) for i in range(runs)]


@pytest.mark.parametrize("drone, fly", every_run([(*case, False) for case in CASES]), indirect=["drone"])
def test_sim044_px4_suite(drone, fly):
    async def go():
        async with client(drone, "udp-out") as system:
            await fly(system)
    run(go())


@pytest.mark.parametrize("drone, fly", every_run([(f"{fly.__name__}-{name}", fly, at("x10", args), True)
                                                  for fly in ITEMS for name, args in SETTINGS.items()]), indirect=["drone"])
def test_sim044_what_its_clients_depend_on(drone, fly):
    async def go():
        async with client(drone, "udp-out") as system:
            await fly(system, drone)
    run(go())
