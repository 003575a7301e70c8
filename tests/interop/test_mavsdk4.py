# SPDX-License-Identifier: Apache-2.0
"""MAVSDK-Python 4, which has no server between: its asynchronous and its synchronous interface fly Mayfly.

It is another package by the name of the one that the other tests fly with, so these run in an environment of their own
(requirements4.txt). What MAVSDK 4 does by itself otherwise than one might expect is said where it shows."""
import asyncio
import base64
import contextlib
import importlib
import math
import sys
import time

import pytest
from mavsdk.asyncio import ComponentType, Configuration
from mavsdk.plugins import (action, calibration, component_metadata, failure, follow_me, ftp, geofence, mavlink_direct,
                            mission, mission_raw, mocap, offboard, rtk, server_utility, shell, telemetry)

from client_drone import Drone, run_example
from geography import HOME, distance_m, offset
from mavsdk4_client import NAN, Landed, Mode, at, client, down, mode, ready, run, take_off, until
from paths import PLANS
from ports import free_port


def clock(name, *more):
    return pytest.mark.parametrize("drone", [("--clock", name, *more)], indirect=True, ids=[name])


async def result(call):
    """SUCCESS, or the name of the error."""
    try:
        await call
    except Exception as error:              # each plugin has a class of its own
        if not hasattr(error, "result"):
            raise
        return error.result.name
    return "SUCCESS"


async def last(stream):
    """The data of a call that reports its progress."""
    return [data async for _, data in stream][-1]


def fly(drone, flight, **more):
    async def go():
        async with client(drone.url("tcp"), **more) as c:
            await flight(c)
    run(go())


@pytest.mark.parametrize("form", ["tcpout", "tcpin", "udpout", "udpin", "udp"])
def test_sim044_connects_healthy_by_every_url(form):
    port = free_port()
    drone = Drone(*(["--tcp-out", f"127.0.0.1:{port}"] if form == "tcpin" else []))
    url = {"tcpout": drone.url("tcp"), "tcpin": f"tcpin://127.0.0.1:{port}", "udpout": drone.url("udp"),
           "udpin": drone.url("udp-out"), "udp": f"udp://127.0.0.1:{drone.udp}"}[form]

    async def go():
        async with client(url) as c:
            await ready(c)
            health = await c.telemetry.health()
            assert all(value for name, value in vars(health).items() if name.startswith("is_"))
            assert await c.system.get_system_id() == 1 and await c.system.component_ids() == [1]
            version, unit = await c.info.get_version(), await c.info.get_identification()
            assert (version.flight_sw_major, version.flight_sw_minor) == (1, 17) and unit.legacy_uid
    run(go(), 15)
    drone.stop()


@clock("x10")
def test_action(drone):
    async def go(c):
        await ready(c)
        await take_off(c, 6.0)
        assert await c.action.get_takeoff_altitude() == 6.0
        p = await c.telemetry.position()
        assert abs(p.relative_altitude_m - 6) < 0.01 and abs(p.absolute_altitude_m - HOME[2] - 6) < 0.01
        assert await result(c.action.disarm()) == "COMMAND_DENIED"
        await c.action.set_current_speed(5.0)
        await c.action.goto_location(*offset(20, -30), HOME[2] + 9, 90.0)
        way = await at(c, offset(20, -30), 9)
        assert len(way) > 20                                    # 36 m at 5 m/s, at 10 Hz
        assert abs((await until(c.telemetry.subscribe_heading()))[0].heading_deg - 90) < 0.5
        await c.action.do_orbit(10.0, 4.0, action.OrbitYawBehavior.HOLD_FRONT_TO_CIRCLE_CENTER, *offset(20, -20), HOME[2] + 9)
        await mode(c, Mode.POSCTL)

        def circling(p):
            return abs(math.hypot(p.position.north_m - 20, p.position.east_m + 20) - 10) < 0.1 and \
                abs(math.hypot(p.velocity.north_m_s, p.velocity.east_m_s) - 4) < 0.1
        await until(c.telemetry.subscribe_position_velocity_ned(), circling, what="circling")
        await c.action.hold()
        await mode(c, Mode.HOLD)
        await c.action.set_return_to_launch_altitude(12.0)
        assert await c.action.get_return_to_launch_altitude() == 12.0
        await c.action.return_to_launch()
        await mode(c, Mode.RETURN_TO_LAUNCH)
        await mode(c, Mode.LAND)
        await down(c)
        p = (await until(c.telemetry.subscribe_position()))[0]
        assert distance_m((p.latitude_deg, p.longitude_deg), HOME) < 0.02 and abs(p.relative_altitude_m) < 0.01
    fly(drone, go)


@clock("x10")
def test_action_at_its_limits(drone):
    """Refusals at once, and both ends of a flight that are none."""
    async def go(c):
        await ready(c)
        for call, expected in ((c.action.terminate(), "COMMAND_DENIED"), (c.action.set_actuator(1, 0.5), "UNSUPPORTED"),
                               (c.action.set_relay(0, action.RelayCommand.ON), "UNSUPPORTED"),
                               (c.action.set_gps_global_origin(*HOME), "SUCCESS"),
                               (c.action.set_home(True, 0, 0, 0), "SUCCESS"),
                               (c.action.arm(), "SUCCESS"), (c.action.arm_force(), "SUCCESS")):
            assert await result(call) == expected
        await until(c.telemetry.subscribe_armed(), lambda a: not a, 3, "MAVSDK sends a forced disarming")
        for last_act in (c.action.kill, c.action.terminate):
            await take_off(c, 5.0)
            for call in (c.action.reboot, c.action.shutdown):
                assert await result(call()) == "COMMAND_DENIED"
            for call in (c.action.transition_to_fixedwing, c.action.transition_to_multicopter):
                assert await result(call()) == "NO_VTOL_TRANSITION_SUPPORT"
            await last_act()
            await until(c.telemetry.subscribe_armed(), lambda a: not a, 5, last_act.__name__)
            await c.action.reboot()
            await ready(c)
    fly(drone, go)


def waypoint(north, east, height, speed=10.0):
    item = mission.MissionItem
    return item(*offset(north, east), height, speed, True, NAN, NAN, item.CameraAction.NONE, NAN, NAN, NAN, NAN, NAN,
                item.VehicleAction.NONE)


@clock("x10")
def test_sim031_mission(drone):
    corners = [(20, 0), (20, 20), (0, 20), (-20, 0), (60, 0)]

    async def go(c):
        await ready(c)
        plan = mission.MissionPlan([waypoint(n, e, 8.0) for n, e in corners])
        await c.mission.set_return_to_launch_after_mission(True)
        assert [d.progress async for _, d in c.mission.upload_mission_with_progress(plan)][-2] == 1.0   # then SUCCESS, nan
        back = (await c.mission.download_mission()).mission_items
        assert [i.relative_altitude_m for i in back] == [8.0] * 5
        assert max(distance_m((i.latitude_deg, i.longitude_deg), offset(*at)) for i, at in zip(back, corners)) < 0.02
        assert await result(c.mission.set_current_mission_item(7)) == "INVALID_ARGUMENT"
        await c.action.arm()
        await c.mission.start_mission()
        await until(c.mission.subscribe_mission_progress(), lambda p: p.current == 2)
        await c.mission.pause_mission()
        await mode(c, Mode.HOLD)
        assert not await c.mission.is_mission_finished()
        await c.mission.set_current_mission_item(3)
        await c.mission.start_mission()
        seen = await until(c.mission.subscribe_mission_progress(), lambda p: p.current == p.total == 5)
        assert {p.current for p in seen} >= {3, 4, 5} and 1 not in {p.current for p in seen}
        await mode(c, Mode.RETURN_TO_LAUNCH, Mode.LAND)
        await down(c)
        assert await c.mission.is_mission_finished()
        await c.mission.clear_mission()
        assert (await c.mission.download_mission()).mission_items == []
    fly(drone, go)


def raw(seq, number, place=HOME, height=5.0, kind=0, p1=0.0, frame=6):
    return mission_raw.MissionItem(seq, frame, number, int(seq == 0), 1, p1, 0, 0, NAN, round(place[0] * 1e7),
                                   round(place[1] * 1e7), height, kind)


def told(items):
    return [(i.seq, i.frame, i.command, i.param1, i.x, i.y, i.z, i.mission_type) for i in items]


def test_sim027_sim031_mission_raw_fence_and_rally(drone):
    async def go(c):
        await ready(c)
        plan = [raw(0, 22), raw(1, 16, offset(10, 0)), raw(2, 16, offset(20, 0)), raw(3, 21, HOME, 0.0)]
        fence = [raw(0, 5003, HOME, 0, 1, 100.0, 5)]
        rally = [raw(0, 5100, offset(50, 0), 7.0, 2, 0, 3)]
        await c.mission_raw.upload_mission(plan)
        await c.mission_raw.upload_geofence(fence)
        await c.mission_raw.upload_rally_points(rally)
        assert told(await c.mission_raw.download_mission()) == told(plan)
        assert told(await c.mission_raw.download_geofence()) == told(fence)
        assert told(await c.mission_raw.download_rallypoints()) == told(rally)
        for bad, expected in ((raw(0, 9999), "UNSUPPORTED"), (raw(0, 16, frame=1), "UNSUPPORTED"),
                              (raw(0, 201, p1=10), "INVALID_ARGUMENT")):
            assert await result(c.mission_raw.upload_mission([bad])) == expected
        assert told(await c.mission_raw.download_mission()) == told(plan)
        imported = await c.mission_raw.import_qgroundcontrol_mission(f"{PLANS}/survey.plan")
        await c.mission_raw.upload_mission(imported.mission_items)
        assert len(await c.mission_raw.download_mission()) == len(imported.mission_items) > 5
        await c.mission_raw.clear_mission()
        assert await c.mission_raw.download_mission() == []
    fly(drone, go)


@pytest.mark.parametrize("drone", [("--link-quality", "delay=100ms")], indirect=True)
def test_mission_transfers_are_cancelled(drone):
    async def go(c):
        plan = [raw(i, 16, offset(10 * i, 0)) for i in range(40)]
        upload = asyncio.create_task(result(c.mission_raw.upload_mission(plan)))
        await asyncio.sleep(1)
        await c.mission_raw.cancel_mission_upload()
        assert await upload == "TRANSFER_CANCELLED"
        await asyncio.sleep(0.3)                                # an item sent before it would be answered: no transfer
        await c.mission_raw.upload_mission(plan[:3])
        download = asyncio.create_task(result(c.mission_raw.download_mission()))
        await asyncio.sleep(0.3)
        await c.mission_raw.cancel_mission_download()
        assert await download == "TRANSFER_CANCELLED"
        await asyncio.sleep(0.3)                                # MAVSDK's answer to it is under way
        assert told(await c.mission_raw.download_mission()) == told(plan[:3])
    fly(drone, go)


@clock("x10")
def test_sim046_geofence(drone):
    async def go(c):
        corners = [geofence.Point(*offset(n, e)) for n, e in ((-200, -200), (-200, 200), (200, 200), (200, -200))]
        pillar = geofence.Circle(geofence.Point(*offset(60, 0)), 20.0, geofence.FenceType.EXCLUSION)
        await ready(c)
        await c.geofence.upload_geofence(geofence.GeofenceData(
            [geofence.Polygon(corners, geofence.FenceType.INCLUSION)], [pillar]))
        back = await c.geofence.download_geofence()
        assert len(back.polygons[0].points) == 4 and back.circles[0].radius == 20.0
        assert back.circles[0].fence_type == geofence.FenceType.EXCLUSION
        await c.param.set_param_int("GF_ACTION", 3)
        texts = asyncio.create_task(until(c.telemetry.subscribe_status_text(), lambda t: "geofence" in t.text))
        await take_off(c, 10.0)
        await c.action.goto_location(*offset(120, 0), HOME[2] + 10, NAN)
        await mode(c, Mode.RETURN_TO_LAUNCH)
        await texts
        await down(c)
        await c.geofence.clear_geofence()
        assert (await c.geofence.download_geofence()).polygons == []
    fly(drone, go)


@clock("x4")
def test_offboard(drone):
    async def moves(c, *wanted):
        await until(c.telemetry.subscribe_velocity_ned(), lambda v: math.dist(
            (v.north_m_s, v.east_m_s, v.down_m_s), wanted) < 0.05, 10, f"moves {wanted}")

    async def go(c):
        off, at_rest = c.offboard, offboard.VelocityNedYaw(0, 0, 0, 0)
        await ready(c)
        assert await result(off.start()) == "NO_SETPOINT_SET"
        await off.set_position_ned(offboard.PositionNedYaw(0, 0, -10, 0))
        await c.action.arm()
        await off.start()
        assert await off.is_active()
        await at(c, HOME, 10)
        altitude = offboard.PositionGlobalYaw.AltitudeType
        await off.set_position_global(offboard.PositionGlobalYaw(*offset(5, 5), 12, 0, altitude.REL_HOME))
        await at(c, offset(5, 5), 12)
        await off.set_position_global(offboard.PositionGlobalYaw(*HOME[:2], HOME[2] + 8, 0, altitude.AMSL))
        await at(c, HOME, 8)
        await off.set_velocity_ned(offboard.VelocityNedYaw(3, -2, -1, 90))
        await moves(c, 3, -2, -1)
        await until(c.telemetry.subscribe_heading(), lambda h: abs(h.heading_deg - 90) < 0.5, what="heading")
        await off.set_velocity_body(offboard.VelocityBodyYawspeed(2, 0, 0, 0))
        await moves(c, 0, 2, 0)
        await off.set_acceleration_ned(offboard.AccelerationNed(1, 0, 0))
        await moves(c, 1, 0, 0)
        target = offboard.PositionNedYaw(10, 0, -12, 0)
        await off.set_position_velocity_ned(target, at_rest)
        await at(c, offset(10, 0), 12)
        await off.set_position_velocity_acceleration_ned(
            offboard.PositionNedYaw(0, 0, -12, 0), at_rest, offboard.AccelerationNed(0, 0, 0))
        await at(c, HOME, 12)
        await off.set_attitude(offboard.Attitude(0, 0, 0, 0.6))
        await until(c.telemetry.subscribe_position(), lambda p: p.relative_altitude_m > 14, what="up")
        await off.set_attitude_rate(offboard.AttitudeRate(0, 0, 30, 0.5))
        await until(c.telemetry.subscribe_attitude_angular_velocity_body(),
                    lambda a: abs(a.yaw_rad_s - math.radians(30)) < 0.05, what="turning")
        await off.stop()
        await mode(c, Mode.HOLD)
        assert not await off.is_active()
    fly(drone, go)


@clock("x2")
def test_manual_control(drone):
    async def go(c):
        manual, sticks = c.manual_control, [0.0, 0.0, 0.5, 0.0]
        await ready(c)
        assert await result(manual.start_position_control()) == "INPUT_NOT_SET"

        async def stream():
            while True:
                await manual.set_manual_control_input(*sticks)
                await asyncio.sleep(0.05)
        hands = asyncio.create_task(stream())
        await asyncio.sleep(0.2)
        await c.action.arm()
        await manual.start_position_control()
        await mode(c, Mode.POSCTL)
        sticks[2] = 1.0
        await until(c.telemetry.subscribe_position(), lambda p: p.relative_altitude_m > 1, what="up")
        await manual.start_altitude_control()
        await mode(c, Mode.ALTCTL)
        assert (await until(c.telemetry.subscribe_rc_status()))[0].is_available
        sticks[2] = 0.0
        await down(c)
        hands.cancel()
        assert await result(manual.set_manual_control_input(2.0, 0, 0, 0)) == "INPUT_OUT_OF_RANGE"
    fly(drone, go)


@clock("x4")
def test_follow_me(drone):
    async def go(c):
        config = follow_me.Config
        await ready(c)
        await take_off(c, 10.0)
        await c.follow_me.set_config(config(12.0, 6.0, 0.1, config.FollowAltitudeMode.CONSTANT, 8.0, 180.0))
        assert (await c.follow_me.get_config()).follow_distance_m == 6.0
        here = follow_me.TargetLocation(*offset(0, 0), HOME[2], 1.0, 0, 0)
        assert await result(c.follow_me.set_target_location(here)) == "NOT_ACTIVE"
        await c.follow_me.start()
        await mode(c, Mode.FOLLOW_ME)
        for i in range(20):
            await c.follow_me.set_target_location(
                follow_me.TargetLocation(*offset(0.5 * i, 0), HOME[2], 1.0, 0.0, 0.0))
            await asyncio.sleep(0.125)
        assert await c.follow_me.is_active()
        assert (await c.follow_me.get_last_location()).latitude_deg == offset(9.5, 0)[0]
        p = (await until(c.telemetry.subscribe_position_velocity_ned()))[0].position
        assert abs(p.north_m - (9.5 - 6)) < 2.5 and abs(p.down_m + 12) < 0.5
        await c.follow_me.stop()
        await mode(c, Mode.HOLD)
    fly(drone, go)


SILENT = {"actuator_control_target", "distance_sensor", "raw_imu", "scaled_imu", "status_text"}


@pytest.mark.parametrize("drone", [("--profile", "px4")], indirect=True)
def test_every_stream_of_telemetry(drone):
    """One after the other they are refused or set; side by side they tell something, but for what there is nothing of."""
    async def go(c):
        kind = type(c.telemetry)
        for name in [n for n in dir(kind) if n.startswith("set_rate_")]:
            told = await result(getattr(c.telemetry, name)(20.0))
            assert told == ("UNKNOWN" if name.removeprefix("set_rate_") in SILENT else "SUCCESS"), name
        names = [n.removeprefix("subscribe_") for n in dir(kind) if n.startswith("subscribe_")]

        async def first(name):
            try:
                return (await until(getattr(c.telemetry, "subscribe_" + name)(), timeout=3))[0]
            except AssertionError:
                return None
        got = dict(zip(names, await asyncio.gather(*map(first, names))))
        assert {name for name, value in got.items() if value is None} == SILENT
        assert len(got) >= 33 and got["flight_mode"] == Mode.HOLD and got["landed_state"] == Landed.ON_GROUND
        assert got["altitude"].altitude_amsl_m == HOME[2] and got["odometry"].position_body.x_m == 0
        assert abs(got["raw_gps"].altitude_ellipsoid_m - HOME[2] - 47.237) < 0.01
        assert got["gps_info"].num_satellites == 10 and got["gps_info"].fix_type == telemetry.FixType.FIX_3D
        assert abs(got["unix_epoch_time"] / 1e6 - time.time()) < 60
        assert got["battery"].remaining_percent == 100 and not got["rc_status"].is_available
        origin = await c.telemetry.get_gps_global_origin()
        assert (origin.latitude_deg, origin.longitude_deg) == HOME[:2]
        await c.telemetry.set_rate_attitude_euler(50.0)
        async with contextlib.aclosing(c.telemetry.subscribe_attitude_euler()) as attitudes:
            stamps = [(await anext(attitudes)).timestamp_us for _ in range(20)][10:]
        assert {later - before for before, later in zip(stamps, stamps[1:])} == {20000}
    fly(drone, go)


def test_sim032_parameters(drone):
    async def go(c):
        for call, expected in ((c.param.set_param_int("MPC_XY_CRUISE", 6), "TYPE_MISMATCH"),
                               (c.param.get_param_float("MAV_TYPE"), "WRONG_TYPE"),
                               (c.param.set_param_float("MPC_XY_CRUISE", 1e9), "VALUE_OUT_OF_RANGE"),
                               (c.param.set_param_int("MAV_TYPE", 3), "READ_ONLY"),
                               (c.param.get_param_float("NO_SUCH_PARAM"), "DOES_NOT_EXIST"),
                               (c.param.set_param_custom("MAV_TYPE", "2"), "FAILED")):
            assert await result(call) == expected
        await c.param.set_param_float("MPC_XY_CRUISE", 6.5)
        assert await c.param.get_param_float("MPC_XY_CRUISE") == 6.5
        known = await c.param.get_all_params()
        assert len(known.int_params) + len(known.float_params) >= 130
        assert {p.name: p.value for p in known.float_params}["MPC_XY_CRUISE"] == 6.5
    fly(drone, go)


@clock("x10")
def test_sim046_sim047_failure(drone):
    async def go(c):
        unit, kind = failure.FailureUnit, failure.FailureType
        await ready(c)
        await take_off(c, 5.0)
        assert await result(c.failure.inject(unit.SENSOR_AIRSPEED, kind.OFF, 0)) == "UNSUPPORTED"
        await c.failure.inject(unit.SENSOR_GPS, kind.OFF, 0)
        await until(c.telemetry.subscribe_health(), lambda h: not h.is_global_position_ok, 3, "no position")
        await down(c)
        assert await result(c.action.arm()) == "COMMAND_DENIED"
        await c.failure.inject(unit.SENSOR_GPS, kind.OK, 0)
        await ready(c)
        await c.action.arm()
    fly(drone, go)


def test_files_and_logs(tmp_path):
    """Listings have times: operation 16 of MAVLink FTP, for which MAVSDK falls back to 3 where it is not known."""
    (tmp_path / "state").mkdir()
    drone = Drone("--state", str(tmp_path / "state"), "--clock", "x10", "--epoch", "2026-03-01T12:00:00Z")

    async def go(c):
        await ready(c)
        await take_off(c, 5.0)
        await c.action.land()
        await down(c)
        for folder in ("@MAV_LOG", "/fs/microsd/log"):
            day, = (await c.ftp.list_directory(folder)).entries
            assert (day.name, day.entry_type) == ("2026-03-01", ftp.FilesystemEntry.EntryType.DIRECTORY)
        log, = (await c.ftp.list_directory("@MAV_LOG/2026-03-01")).entries
        file, = (tmp_path / "state").glob("log/*/*.ulg")
        assert (log.name, log.size_bytes) == (file.name, file.stat().st_size)
        assert time.strftime("%Y-%m-%d/%H_%M_%S.ulg", time.gmtime(log.modification_time_s)) == f"2026-03-01/{log.name}"
        await last(c.ftp.download(f"@MAV_LOG/2026-03-01/{log.name}", str(tmp_path), True))
        entry, = await c.log_files.get_entries()
        await last(c.log_files.download_log_file(entry, str(tmp_path / "by_log.ulg")))
        assert (tmp_path / "by_log.ulg").read_bytes() == (tmp_path / log.name).read_bytes() == file.read_bytes()
        await c.log_files.erase_all_log_files()
        assert await result(c.log_files.get_entries()) == "NO_LOGFILES"
        names = {e.name for e in (await c.ftp.list_directory("/etc/extras")).entries}
        assert names == {"component_general.json", "parameters.json"}
        await last(c.ftp.download("/etc/extras/parameters.json", str(tmp_path), False))
        assert await c.ftp.are_files_identical(str(tmp_path / "parameters.json"), "/etc/extras/parameters.json")
        assert await result(c.ftp.remove_file("/etc/extras/parameters.json")) == "FILE_PROTECTED"
        assert await result(last(c.ftp.download("/etc/none", str(tmp_path), True))) == "FILE_DOES_NOT_EXIST"
        await c.component_metadata.request_autopilot_component()
        kinds = component_metadata.MetadataType     # to the last of them: one that is under way when a stream is closed
        updates = await until(c.component_metadata.subscribe_metadata_available(), lambda u: u.type == kinds.ALL_COMPLETED, 5)
        found, = [u for u in updates if u.type == kinds.PARAMETER]     # is MAVSDK's end: it calls what it has freed
        assert found.json_metadata == (tmp_path / "parameters.json").read_text()
    fly(drone, go)
    drone.stop()


@pytest.mark.parametrize("kind", ["gyro", "level_horizon"])
def test_a_calibration_ends_or_is_cancelled(drone, kind):
    async def go(c):
        await ready(c)
        with pytest.raises(calibration.CalibrationError) as error:
            async for _, step in getattr(c.calibration, f"calibrate_{kind}")():
                if step.has_progress and step.progress > 0.1:
                    await c.calibration.cancel()
        assert error.value.result == calibration.CalibrationResult.CANCELLED
        assert await c.info.get_version()
    fly(drone, go)


def test_what_it_has_not_is_refused_in_time(drone):
    """MAVSDK's own: a component that is not there times out, gimbals and cameras that it does not know it asks not."""
    async def go(c):
        await ready(c)
        for call, expected in (
                (c.camera.take_photo(1), "ACTION_UNSUPPORTED"), (c.camera.get_mode(1), "CAMERA_ID_INVALID"),
                (c.gimbal.take_control(1, 1), "INVALID_ARGUMENT"), (c.gripper.grab(1), "UNSUPPORTED"),
                (c.log_files.get_entries(), "NO_LOGFILES"), (c.log_streaming.start_log_streaming(), "UNSUPPORTED"),
                (c.events.get_health_and_arming_checks_report(), "NOT_AVAILABLE"),
                (c.transponder.set_rate_transponder(1.0), "UNKNOWN"), (c.winch.relax(1), "TIMEOUT"),
                (c.shell.send("ver all", shell.Device.SHELL), "SUCCESS"),
                (c.rtk.send_rtcm_data(rtk.RtcmData(base64.b64encode(bytes(700)).decode())), "SUCCESS"),
                (c.server_utility.send_status_text(server_utility.StatusTextType.INFO, "hello"), "SUCCESS"),
                (c.mocap.set_vision_speed_estimate(mocap.VisionSpeedEstimate(
                    0, mocap.SpeedNed(0, 0, 0), mocap.Covariance([NAN]), 0)), "SUCCESS")):
            assert await result(call) == expected, call
        assert (await c.camera.camera_list()).cameras == [] and (await c.gimbal.gimbal_list()).gimbals == []
    fly(drone, go)


def test_mavlink_direct(drone):
    async def go(c):
        def command(number, p1):
            return mavlink_direct.MavlinkMessage(
                "COMMAND_LONG", 0, 0, 1, 1,
                f'{{"target_system":1,"target_component":1,"command":{number},"confirmation":0,"param1":{p1}}}')
        for number, answer in ((520, 0), (512, 0), (31000, 3)):
            ack = await c.mavlink_direct.send_command(command(number, 1 if number == 520 else 242))
            assert ack.message_name == "COMMAND_ACK" and f'"result":{answer}' in ack.fields_json
        home = asyncio.create_task(until(c.mavlink_direct.subscribe_message("HOME_POSITION"), timeout=3))
        await asyncio.sleep(0.1)
        await c.mavlink_direct.send_message(command(512, 242))
        assert '"latitude":473977420' in (await home)[0].fields_json
    fly(drone, go)


def test_sim014_two_clients_and_a_drone_that_comes_again():
    drone = Drone("--clock", "x10")

    async def go():
        async with client(drone.url("tcp")) as pilot, client(drone.url("udp"), ComponentType.COMPANION_COMPUTER) as watcher:
            await ready(pilot)
            texts = asyncio.create_task(until(watcher.telemetry.subscribe_status_text(), lambda t: "Takeoff" in t.text))
            await take_off(pilot, 4.0)
            await until(watcher.telemetry.subscribe_in_air(), bool, 5, "in the air")
            await texts
            await watcher.action.land()
            await asyncio.gather(down(pilot), down(watcher))
        port = drone.tcp
        async with client(drone.url("tcp")) as c:
            states = asyncio.create_task(until(c.system.is_connected_state(), lambda state: state, 15, "connected again"))
            lost = asyncio.create_task(until(c.system.is_connected_state(), lambda state: not state, 10, "lost"))
            await asyncio.sleep(0.1)
            await asyncio.to_thread(drone.stop)
            await lost
            again = Drone("--tcp", f"127.0.0.1:{port}")
            await states
            assert (await c.info.get_version()).flight_sw_major == 1
            await asyncio.to_thread(again.stop)
    run(go())


@clock("event")
def test_synchronous_interface_on_the_event_clock(drone):
    """Without asyncio, and as quick as it goes: a kilometre of mission in a moment."""
    from mavsdk import Mavsdk as Sync
    from mavsdk.plugins import action as a, telemetry as t
    sdk = Sync(Configuration.create_with_component_type(ComponentType.GROUND_STATION))
    sdk.add_any_connection(drone.url("tcp"))
    system = sdk.first_autopilot(timeout_s=10)
    pilot, see, plans = a.Action(system), t.Telemetry(system), mission.Mission(system)

    def wait(condition, what):
        start = time.monotonic()
        while not condition():
            assert time.monotonic() - start < 15, what
            time.sleep(0.01)
    wait(see.health_all_ok, "healthy")
    plans.upload_mission(mission.MissionPlan([waypoint(n, 0, 20.0) for n in (200, 600, 1000)]))
    pilot.arm()
    plans.start_mission()
    wait(plans.is_mission_finished, "finished")                 # four minutes of flight
    pilot.return_to_launch()
    wait(lambda: not see.armed(), "disarmed")
    with pytest.raises(a.ActionError, match="UNSUPPORTED"):
        pilot.set_actuator(1, 0.5)
    sdk.destroy()


def test_code_for_version_3_is_told_why():
    with pytest.raises(ImportError, match="mavsdk<4"):
        importlib.import_module("mavsdk.telemetry")
    assert "grpc" not in sys.modules


@pytest.mark.parametrize("page, said", [("README.md", "taking off\n"), ("docs/clients.md", "took off, and lands\n")])
def test_the_examples_of_the_documentation(drone, page, said):
    assert run_example(page, 0, drone) == said
