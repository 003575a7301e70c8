# SPDX-License-Identifier: Apache-2.0
"""Every plugin of MAVSDK-Python for a vehicle, call by call from one table: each ends in time, as stated.

What features do is tested elsewhere; here nothing hangs, is refused without a reason or answered with nonsense. A plugin
that a later MAVSDK brings fails the test until it is in the table."""
import asyncio
import base64
import inspect
import math
import pathlib

import mavsdk
import pytest
from mavsdk import follow_me, geofence, gimbal, mission_raw, mocap, offboard, server_utility, tune
from mavsdk.action import OrbitYawBehavior, RelayCommand
from mavsdk.camera import Mode, PhotosRange
from mavsdk.component_metadata import MetadataType
from mavsdk.failure import FailureType, FailureUnit
from mavsdk.mavlink_direct import MavlinkMessage
from mavsdk.mission import MissionPlan
from mavsdk.rtk import RtcmData
from mavsdk.telemetry import FixType, FlightMode, LandedState, VtolState

from conftest import HOME, offset
from test_mavsdk import client, ready, waypoint

CALL_S = 12.0       # MAVSDK gives up by itself before: its slowest, REQUEST_MESSAGE to nobody, takes 10 s
QUIET_S = 1.5       # a stream that says nothing for so long is silent
SILENT = "silent"
NAN = math.nan


def ok(_value):
    return True


def near(expected, by=1e-6):
    return lambda value: abs(value - expected) <= by


def each(**fields):
    """Fields of a result: a value, or what must be true of it."""
    def check(value):
        return all(want(getattr(value, name)) if callable(want) else getattr(value, name) == want
                   for name, want in fields.items())
    return check


def raw_item(seq, command, height=5.0, kind=0, p1=0.0, place=None, frame=6):
    lat, lon = place or offset(10 * seq, 0)
    return mission_raw.MissionItem(seq, frame, command, int(seq == 0), 1, p1, 0, 0, NAN, int(lat * 1e7),
                                   int(lon * 1e7), height, kind)


TAKEOFF, WAYPOINT = 22, 16
FENCE = geofence.GeofenceData([], [geofence.Circle(geofence.Point(*HOME[:2]), 200.0, geofence.FenceType.INCLUSION)])
COVARIANCE = mocap.Covariance([NAN])
BODY = (mocap.PositionBody(1, 2, -3), mocap.AngleBody(0, 0, 1))
ODOMETRY = mocap.Odometry(0, mocap.Odometry.MavFrame.MOCAP_NED, BODY[0], mocap.Quaternion(1, 0, 0, 0),
                          mocap.SpeedBody(0, 0, 0), mocap.AngularVelocityBody(0, 0, 0), COVARIANCE, COVARIANCE, 0,
                          mocap.Odometry.MavEstimatorType.VISION, 100) if hasattr(mocap.Odometry, "MavEstimatorType") \
    else None
print(inspect.signature(mocap.Odometry.__init__))

# plugin: calls in their order, then its streams side by side. (name, arguments, what it gives)
# What it gives is a result's name, or a check of the value; SILENT is a stream without a value.
TABLE = {
    "core": [
        ("set_mavlink_timeout", (0.5,), ok),
        ("connection_state", (), each(is_connected=True)),
    ],
    "action": [
        ("set_takeoff_altitude", (7.5,), ok),
        ("get_takeoff_altitude", (), near(7.5)),
        ("set_return_to_launch_altitude", (22.5,), ok),
        ("get_return_to_launch_altitude", (), near(22.5)),
        ("set_current_speed", (4.0,), ok),
        ("set_gps_global_origin", HOME, ok),
        ("terminate", (), "COMMAND_DENIED"),            # on the ground
        ("shutdown", (), "COMMAND_DENIED"),
        ("set_actuator", (1, 0.5), "UNSUPPORTED"),
        ("set_relay", (0, RelayCommand.ON), "UNSUPPORTED"),
        ("transition_to_fixedwing", (), "NO_VTOL_TRANSITION_SUPPORT"),
        ("transition_to_multicopter", (), "NO_VTOL_TRANSITION_SUPPORT"),
        ("arm", (), ok),
        ("disarm", (), ok),
        ("arm_force", (), ok),                          # MAVSDK 3 sends a forced disarming
        ("arm", (), ok),
        ("takeoff", (), ok),
        ("disarm", (), "COMMAND_DENIED"),
        ("goto_location", (*offset(5, 0), HOME[2] + 5, 0.0), ok),
        ("do_orbit", (20.0, 2.0, OrbitYawBehavior.UNCONTROLLED, *HOME[:2], HOME[2] + 5), ok),
        ("hold", (), ok),
        ("return_to_launch", (), ok),
        ("land", (), ok),
        ("kill", (), ok),
        ("reboot", (), ok),
    ],
    "calibration": [
        ("calibrate_gyro", (), ok),
        ("calibrate_level_horizon", (), ok),
        ("calibrate_gimbal_accelerometer", (), "UNSUPPORTED"),
        ("cancel", (), ok),
    ],
    "camera": [
        ("take_photo", (1,), "x"),
        ("start_photo_interval", (1, 1.0), "x"),
        ("start_video", (1,), "x"),
        ("set_mode", (1, Mode.PHOTO), "x"),
        ("get_mode", (1,), "x"),
        ("get_storage", (1,), "x"),
        ("list_photos", (1, PhotosRange.ALL), "x"),
        ("format_storage", (1, 0), "x"),
        ("get_setting", (1, mavsdk.camera.Setting("a", "", mavsdk.camera.Option("b", ""), False)), "x"),
        ("camera_list", (), "x"),
        ("mode", (), "x"),
    ],
    "component_metadata": [
        ("request_autopilot_component", (), ok),
        ("request_component", (1,), ok),
        ("metadata_available", (), each(type=MetadataType.PARAMETER)),
        ("get_metadata", (1, MetadataType.PARAMETER), ok),
    ],
    "events": [
        ("get_health_and_arming_checks_report", (), "x"),
        ("events", (), SILENT),
        ("health_and_arming_checks", (), SILENT),
    ],
    "failure": [
        ("inject", (FailureUnit.SENSOR_GPS, FailureType.OFF, 0), ok),
        ("inject", (FailureUnit.SENSOR_GPS, FailureType.OK, 0), ok),
        ("inject", (FailureUnit.SENSOR_AIRSPEED, FailureType.OFF, 0), "UNSUPPORTED"),
    ],
    "follow_me": [
        ("get_config", (), ok),
        ("set_config", (follow_me.Config(8.0, 8.0, 0.5, follow_me.Config.FollowAltitudeMode.CONSTANT, 5.0, 180.0),), ok),
        ("set_target_location", (follow_me.TargetLocation(*HOME, 0, 0, 0),), ok),
        ("get_last_location", (), each(latitude_deg=near(HOME[0]))),
        ("start", (), ok),
        ("is_active", (), ok),
        ("stop", (), ok),
    ],
    "ftp": [
        ("list_directory", ("/etc/extras",), ok),
        ("create_directory", ("/new",), "PROTECTED"),
        ("set_target_compid", (1,), ok),
        ("are_files_identical", (__file__, "/etc/extras/parameters.json"), "x"),
        ("remove_file", ("/etc/extras/parameters.json",), "x"),
        ("remove_directory", ("/etc",), "x"),
        ("rename", ("/etc", "/etd"), "x"),
        ("download", ("/etc/extras/parameters.json", "/tmp", True), ok),
        ("upload", (__file__, "/etc"), "x"),
    ],
    "geofence": [
        ("upload_geofence", (FENCE,), ok),
        ("download_geofence", (), ok),
        ("clear_geofence", (), ok),
    ],
    "gimbal": [
        ("set_angles", (1, 0, 10, 0, gimbal.GimbalMode.YAW_FOLLOW, gimbal.SendMode.ONCE), "x"),
        ("set_angular_rates", (1, 0, 10, 0, gimbal.GimbalMode.YAW_FOLLOW, gimbal.SendMode.ONCE), "x"),
        ("set_roi_location", (1, *HOME), "x"),
        ("take_control", (1, gimbal.ControlMode.PRIMARY), "x"),
        ("release_control", (1,), "x"),
        ("get_control_status", (1,), "x"),
        ("get_attitude", (1,), "x"),
        ("gimbal_list", (), each(gimbals=[])),
        ("control_status", (), SILENT),
        ("attitude", (), SILENT),
    ],
    "gripper": [
        ("grab", (1,), "UNSUPPORTED"),
        ("release", (1,), "UNSUPPORTED"),
    ],
    "info": [
        ("get_version", (), each(flight_sw_major=1, flight_sw_minor=17, flight_sw_patch=0)),
        ("get_product", (), each(vendor_name="undefined")),
        ("get_identification", (), each(hardware_uid=lambda uid: len(uid) > 0)),
        ("get_flight_information", (), ok),
        ("get_speed_factor", (), ok),
        ("flight_information", (), ok),
    ],
    "log_files": [
        ("get_entries", (), ok),
        ("erase_all_log_files", (), ok),
    ],
    "log_streaming": [
        ("start_log_streaming", (), "UNSUPPORTED"),
        ("stop_log_streaming", (), "x"),
        ("log_streaming_raw", (), SILENT),
    ],
    "manual_control": [
        ("set_manual_control_input", (0.0, 0.0, 0.5, 0.0), ok),
        ("start_position_control", (), ok),
        ("start_altitude_control", (), ok),
    ],
    "mavlink_direct": [
        ("send_message", (MavlinkMessage("COMMAND_LONG", 0, 0, 1, 1, '{"target_system":1,"target_component":1,'
                                         '"command":520,"confirmation":0,"param1":1}'),), ok),
        ("load_custom_xml", ("<mavlink><messages></messages></mavlink>",), ok),
        ("message", ("HEARTBEAT",), each(message_name="HEARTBEAT", system_id=1)),
    ],
    "mission": [
        ("set_return_to_launch_after_mission", (False,), ok),
        ("get_return_to_launch_after_mission", (), near(0)),
        ("upload_mission", (MissionPlan([waypoint(10, 0, 5.0), waypoint(20, 0, 5.0)]),), ok),
        ("download_mission", (), each(mission_items=lambda items: len(items) == 2)),
        ("set_current_mission_item", (1,), ok),
        ("is_mission_finished", (), near(0)),
        ("start_mission", (), ok),
        ("pause_mission", (), ok),
        ("cancel_mission_upload", (), "x"),
        ("cancel_mission_download", (), "x"),
        ("upload_mission_with_progress", (MissionPlan([waypoint(10, 0, 5.0)]),), ok),
        ("download_mission_with_progress", (), ok),
        ("mission_progress", (), each(total=1)),
        ("clear_mission", (), ok),
    ],
    "mission_raw": [
        ("upload_mission", ([raw_item(0, TAKEOFF), raw_item(1, WAYPOINT)],), ok),
        ("download_mission", (), lambda items: [i.command for i in items] == [TAKEOFF, WAYPOINT]),
        ("upload_geofence", ([raw_item(0, 5003, 0, 1, 100.0, HOME[:2], 5)],), ok),
        ("download_geofence", (), lambda items: [i.command for i in items] == [5003]),
        ("upload_rally_points", ([raw_item(0, 5100, 5.0, 2, 0, HOME[:2], 3)],), ok),
        ("download_rallypoints", (), lambda items: [i.command for i in items] == [5100]),
        ("set_current_mission_item", (1,), ok),
        ("start_mission", (), ok),
        ("pause_mission", (), ok),
        ("is_mission_finished", (), near(0)),
        ("cancel_mission_upload", (), "x"),
        ("cancel_mission_download", (), "x"),
        ("clear_mission", (), ok),
        ("mission_progress", (), ok),
        ("mission_changed", (), SILENT),
    ],
    "mocap": [
        ("set_vision_position_estimate", (mocap.VisionPositionEstimate(0, *BODY, COVARIANCE, 0),), ok),
        ("set_vision_speed_estimate", (mocap.VisionSpeedEstimate(0, mocap.SpeedNed(0, 0, 0), COVARIANCE, 0),), ok),
        ("set_attitude_position_mocap",
         (mocap.AttitudePositionMocap(0, mocap.Quaternion(1, 0, 0, 0), BODY[0], COVARIANCE),), ok),
        ("set_odometry", (ODOMETRY,), ok),
    ],
    "offboard": [
        ("start", (), "NO_SETPOINT_SET"),
        ("set_position_ned", (offboard.PositionNedYaw(0, 0, 0, 0),), ok),
        ("start", (), ok),
        ("is_active", (), ok),
        ("set_velocity_ned", (offboard.VelocityNedYaw(0, 0, 0, 0),), ok),
        ("set_velocity_body", (offboard.VelocityBodyYawspeed(0, 0, 0, 0),), ok),
        ("set_attitude", (offboard.Attitude(0, 0, 0, 0),), ok),
        ("set_attitude_rate", (offboard.AttitudeRate(0, 0, 0, 0),), ok),
        ("set_acceleration_ned", (offboard.AccelerationNed(0, 0, 0),), ok),
        ("stop", (), ok),
    ],
    "param": [
        ("get_param_int", ("MAV_TYPE",), near(2)),
        ("set_param_float", ("MPC_XY_CRUISE", 6.5), ok),
        ("get_param_float", ("MPC_XY_CRUISE",), near(6.5)),
        ("set_param_int", ("MPC_XY_CRUISE", 6), "WRONG_TYPE"),
        ("get_param_float", ("NO_SUCH_PARAM",), "x"),
        ("get_param_custom", ("MAV_TYPE",), "x"),
        ("set_param_custom", ("MAV_TYPE", "2"), "x"),
        ("select_component", (1, mavsdk.param.ProtocolVersion.EXT), ok),
        ("get_param_int", ("MAV_TYPE",), near(2)),
        ("select_component", (1, mavsdk.param.ProtocolVersion.V1), ok),
        ("get_all_params", (), each(int_params=lambda p: len(p) > 50, float_params=lambda p: len(p) > 50)),
    ],
    "rtk": [
        ("send_rtcm_data", (RtcmData(base64.b64encode(bytes(range(200))).decode()),), ok),
    ],
    "server_utility": [
        ("send_status_text", (server_utility.StatusTextType.INFO, "hello"), ok),
    ],
    "shell": [
        ("send", ("ver all",), ok),
        ("receive", (), SILENT),
    ],
    "telemetry": [
        *((f"set_rate_{stream}", (20.0,), ok) for stream in
          ("position home in_air landed_state attitude_quaternion attitude_euler velocity_ned gps_info raw_gps "
           "battery rc_status actuator_output_status odometry position_velocity_ned ground_truth fixedwing_metrics imu "
           "unix_epoch_time altitude health vtol_state").split()),
        ("set_rate_actuator_control_target", (20.0,), "x"),
        ("set_rate_scaled_imu", (20.0,), "x"),
        ("set_rate_raw_imu", (20.0,), "x"),
        ("set_rate_distance_sensor", (20.0,), "x"),
        ("get_gps_global_origin", (), each(latitude_deg=near(HOME[0]), longitude_deg=near(HOME[1]))),
        ("actuator_control_target", (), SILENT),
        ("actuator_output_status", (), ok),
        ("altitude", (), each(altitude_amsl_m=near(HOME[2], 0.01))),
        ("armed", (), near(0)),
        ("attitude_angular_velocity_body", (), each(yaw_rad_s=near(0))),
        ("attitude_euler", (), each(roll_deg=near(0))),
        ("attitude_quaternion", (), ok),
        ("battery", (), each(remaining_percent=lambda p: 0 < p <= 100)),
        ("distance_sensor", (), SILENT),
        ("fixedwing_metrics", (), each(groundspeed_m_s=near(0))),
        ("flight_mode", (), lambda mode: mode == FlightMode.HOLD),
        ("gps_info", (), each(num_satellites=10, fix_type=FixType.FIX_3D)),
        ("ground_truth", (), each(latitude_deg=near(HOME[0]))),
        ("heading", (), ok),
        ("health", (), each(is_armable=True)),
        ("health_all_ok", (), ok),
        ("home", (), each(latitude_deg=near(HOME[0]), absolute_altitude_m=near(HOME[2], 0.01))),
        ("imu", (), ok),
        ("in_air", (), near(0)),
        ("landed_state", (), lambda state: state == LandedState.ON_GROUND),
        ("odometry", (), ok),
        ("position", (), each(latitude_deg=near(HOME[0]), absolute_altitude_m=near(HOME[2], 0.01))),
        ("position_velocity_ned", (), ok),
        ("raw_gps", (), each(latitude_deg=near(HOME[0]))),
        ("raw_imu", (), SILENT),
        ("rc_status", (), each(is_available=False)),
        ("scaled_imu", (), SILENT),
        ("scaled_pressure", (), ok),
        ("status_text", (), SILENT),
        ("unix_epoch_time", (), lambda us: us > 1.6e15),
        ("velocity_ned", (), each(north_m_s=near(0))),
        ("vtol_state", (), lambda state: state == VtolState.UNDEFINED),
        ("wind", (), ok),
    ],
    "transponder": [
        ("set_rate_transponder", (1.0,), "x"),
        ("transponder", (), SILENT),
    ],
    "tune": [
        ("play_tune", (tune.TuneDescription([tune.SongElement.NOTE_C], 120),), "x"),
    ],
    "winch": [
        ("relax", (1,), "UNSUPPORTED"),
        ("rate_control", (1, 1.0), "x"),
        ("status", (), SILENT),
    ],
}


async def outcome(plugin, name, args, limit):
    """The value that a call or a stream gives first, or the name of MAVSDK's error."""
    call = getattr(plugin, name)(*args)
    try:
        async with asyncio.timeout(limit):
            return await (anext(call) if inspect.isasyncgen(call) else call)
    except TimeoutError:
        return SILENT
    except Exception as error:                      # each plugin has a class of its own
        result = getattr(error, "_result", None)
        return result.result.name if result is not None else repr(error)


def wrong(name, value, expected):
    right = expected(value) if callable(expected) and not isinstance(value, str) else value == expected
    return [] if right else [f"{name}: {value}"]


@pytest.mark.parametrize("plugin", TABLE)
def test_plugin(drone, plugin):
    async def go():
        async with client(drone, "tcp") as system:
            await ready(system)
            if plugin == "core":
                system.core = system._core if hasattr(system, "_core") else system.core
            bad, streams = [], []
            it = getattr(system, plugin)
            for name, args, expected in TABLE[plugin]:
                if inspect.isasyncgenfunction(getattr(it, name)):
                    streams.append((name, args, expected))
                    continue
                import time
                t0 = time.monotonic()
                value = await outcome(it, name, args, CALL_S)
                print(f"{plugin}.{name}: {str(value)[:300]} {time.monotonic() - t0:.2f} s {expected if isinstance(expected, str) else ''}")
                bad += wrong(name, value, expected)
            values = await asyncio.gather(*(outcome(it, name, args, QUIET_S) for name, args, _ in streams))
            for (name, _, expected), value in zip(streams, values):
                print(f"{plugin}.{name} stream: {str(value)[:300]}", expected if isinstance(expected, str) else '')
                bad += wrong(name, value, expected)
            assert bad == []
    asyncio.run(asyncio.wait_for(go(), 60))


def test_the_table_is_complete():
    """All plugins but those with which MAVSDK is itself a vehicle, a camera or a server."""
    modules = {p.stem for p in pathlib.Path(mavsdk.__file__).parent.glob("*_pb2.py")}
    plugins = {m.removesuffix("_pb2") for m in modules} - {"mavsdk_options"}
    assert {p for p in plugins if not p.endswith("_server")} == set(TABLE)
    streams = [n for n, f in inspect.getmembers(mavsdk.telemetry.Telemetry, inspect.isasyncgenfunction)]
    assert set(streams) <= {name for name, _, _ in TABLE["telemetry"]}
