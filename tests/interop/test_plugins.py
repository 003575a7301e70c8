# SPDX-License-Identifier: Apache-2.0
"""Every plugin of MAVSDK-Python for a vehicle, call by call from one table: each ends in time, as stated.

What features do is tested elsewhere; here nothing hangs, is refused without a reason or answered with nonsense. A plugin
that a later MAVSDK brings fails the test until it is in the table."""
import asyncio
import base64
import inspect
import math
import pathlib
import tempfile

import mavsdk
import pytest
from mavsdk import geofence, gimbal, mission_raw, mocap, offboard
from mavsdk.action import OrbitYawBehavior, RelayCommand
from mavsdk.camera import Mode
from mavsdk.component_metadata import MetadataType
from mavsdk.failure import FailureType, FailureUnit
from mavsdk.follow_me import Config, TargetLocation
from mavsdk.mavlink_direct import MavlinkMessage
from mavsdk.mission import MissionPlan
from mavsdk.param import ProtocolVersion
from mavsdk.rtk import RtcmData
from mavsdk.server_utility import StatusTextType
from mavsdk.telemetry import FixType, FlightMode, LandedState, Telemetry, VtolState
from mavsdk.tune import SongElement, TuneDescription

from geography import HOME, offset
from mavsdk_client import NAN, client, ready, waypoint

CALL_S = 8.0        # MAVSDK gives up by itself before: its slowest here, a custom parameter, takes 3 s
QUIET_S = 2.5       # a stream that says nothing for so long is silent
SILENT = "silent"
ENDS = "ends"       # with a value or a result, by how far MAVSDK's own search for cameras is
WAIT = "wait"
NEEDS_HEALTH = ("action", "telemetry", "follow_me")     # the others are called as soon as there is a connection


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


def commands(*expected):
    return lambda items: [item.command for item in items] == list(expected)


TAKEOFF, WAYPOINT = 22, 16
FENCE = geofence.GeofenceData([], [geofence.Circle(geofence.Point(*HOME[:2]), 200.0, geofence.FenceType.INCLUSION)])
COVARIANCE = mocap.Covariance([NAN])
BODY = (mocap.PositionBody(1, 2, -3), mocap.AngleBody(0, 0, 1))
ODOMETRY = mocap.Odometry(0, mocap.Odometry.MavFrame.MOCAP_NED, BODY[0], mocap.Quaternion(1, 0, 0, 0),
                          mocap.SpeedBody(0, 0, 0), mocap.AngularVelocityBody(0, 0, 0), COVARIANCE, COVARIANCE, 0,
                          mocap.Odometry.MavEstimatorType.VISION, 100)

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
        ("set_actuator", (1, 0.5), "UNSUPPORTED"),
        ("set_relay", (0, RelayCommand.ON), "UNSUPPORTED"),
        ("terminate", (), "COMMAND_DENIED"),            # on the ground
        ("arm", (), ok),
        ("arm_force", (), ok),                          # MAVSDK 3 sends a forced disarming
        ("arm", (), ok),
        ("disarm", (), ok),
        ("arm", (), ok),
        ("takeoff", (), ok),
        (WAIT, (1.0,), ok),
        ("transition_to_fixedwing", (), "NO_VTOL_TRANSITION_SUPPORT"),
        ("transition_to_multicopter", (), "NO_VTOL_TRANSITION_SUPPORT"),
        ("disarm", (), "COMMAND_DENIED"),
        ("reboot", (), "COMMAND_DENIED"),
        ("shutdown", (), "COMMAND_DENIED"),
        ("goto_location", (*offset(5, 0), HOME[2] + 5, 0.0), ok),
        ("do_orbit", (20.0, 2.0, OrbitYawBehavior.UNCONTROLLED, *HOME[:2], HOME[2] + 5), ok),
        ("hold", (), ok),
        ("return_to_launch", (), ok),
        ("land", (), ok),
        ("kill", (), ok),
        ("reboot", (), ok),
    ],
    "calibration": [
        ("cancel", (), ok),
        ("calibrate_gyro", (), each(has_progress=True)),
    ],
    "camera": [
        *((name, args, "ACTION_UNSUPPORTED") for name, args in
          (("take_photo", (1,)), ("start_photo_interval", (1, 1.0)), ("start_video", (1,)), ("set_mode", (1, Mode.PHOTO)),
           ("format_storage", (1, 0)), ("reset_settings", (1,)), ("zoom_in_start", (1,)), ("focus_stop", (1,)))),
        ("get_mode", (1,), ENDS),
        ("get_storage", (1,), ENDS),
        ("camera_list", (), each(cameras=[])),          # list_photos: MAVSDK says "Invalid camera ID" and never returns
        ("mode", (), SILENT),
    ],
    "component_metadata": [
        ("request_autopilot_component", (), ok),
        ("metadata_available", (), each(type=MetadataType.PARAMETER)),
    ],
    "events": [
        ("get_health_and_arming_checks_report", (), "NOT_AVAILABLE"),   # no EVENTs: texts tell it
        ("events", (), SILENT),
        ("health_and_arming_checks", (), SILENT),
    ],
    "failure": [
        ("inject", (FailureUnit.SENSOR_GPS, FailureType.OFF, 0), ok),
        ("inject", (FailureUnit.SENSOR_GPS, FailureType.OK, 0), ok),
        ("inject", (FailureUnit.SENSOR_AIRSPEED, FailureType.OFF, 0), "UNSUPPORTED"),
    ],
    "follow_me": [
        ("get_config", (), each(follow_height_m=near(8.0))),
        ("set_config", (Config(9.0, 8.0, 0.5, Config.FollowAltitudeMode.CONSTANT, 5.0, 180.0),), ok),
        ("set_target_location", (TargetLocation(*HOME, 0, 0, 0),), "NOT_ACTIVE"),
        ("start", (), ok),
        ("set_target_location", (TargetLocation(*HOME, 0, 0, 0),), ok),
        ("get_last_location", (), each(latitude_deg=near(HOME[0]))),
        ("is_active", (), near(1)),
        ("stop", (), ok),
    ],
    "ftp": [
        ("list_directory", ("/etc/extras",), each(files=lambda names: "parameters.json" in names)),
        ("set_target_compid", (1,), ok),
        ("are_files_identical", (__file__, "/etc/extras/parameters.json"), near(0)),
        ("create_directory", ("/new",), "FILE_PROTECTED"),
        ("remove_file", ("/etc/extras/parameters.json",), "FILE_PROTECTED"),
        ("remove_directory", ("/etc",), "FILE_PROTECTED"),
        ("rename", ("/etc", "/etd"), "FILE_PROTECTED"),
        ("upload", (__file__, "/etc"), "FILE_PROTECTED"),
        ("download", ("/etc/extras/parameters.json", tempfile.gettempdir(), True), each(total_bytes=lambda n: n > 10000)),
    ],
    "geofence": [
        ("upload_geofence", (FENCE,), ok),
        ("download_geofence", (), ok),
        ("clear_geofence", (), ok),
    ],
    "gimbal": [
        # MAVSDK knows of no gimbal and asks nobody, unless a HEARTBEAT has just come: then it takes each component for one.
        *((name, args, ("INVALID_ARGUMENT", otherwise)) for name, args, otherwise in
          (("set_angles", (1, 0, 10, 0, gimbal.GimbalMode.YAW_FOLLOW, gimbal.SendMode.ONCE), "ERROR"),
           ("set_angular_rates", (1, 0, 10, 0, gimbal.GimbalMode.YAW_FOLLOW, gimbal.SendMode.ONCE), "ERROR"),
           ("set_roi_location", (1, *HOME), ok), ("take_control", (1, gimbal.ControlMode.PRIMARY), "ERROR"),
           ("release_control", (1,), "ERROR"), ("get_control_status", (1,), each(control_mode=gimbal.ControlMode.NONE)),
           ("get_attitude", (1,), each(gimbal_id=0, timestamp_us=0)))),
        ("gimbal_list", (), SILENT),
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
        ("get_identification", (), each(legacy_uid=lambda uid: uid != 0)),
        ("get_flight_information", (), each(duration_since_arming_ms=0)),
        ("get_speed_factor", (), ("INFORMATION_NOT_RECEIVED_YET", math.isnan)),    # a number only from a flow of ATTITUDE
        ("flight_information", (), each(time_boot_ms=lambda ms: ms > 0)),
    ],
    "log_files": [
        ("get_entries", (), "NO_LOGFILES"),             # without --state
        ("erase_all_log_files", (), ok),
    ],
    "log_streaming": [
        ("start_log_streaming", (), "UNSUPPORTED"),
        ("stop_log_streaming", (), "UNSUPPORTED"),
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
        ("cancel_mission_upload", (), ok),              # nothing is under way
        ("cancel_mission_download", (), ok),
        ("mission_progress", (), each(total=2)),
        ("upload_mission_with_progress", (MissionPlan([waypoint(0, 9, 5.0), waypoint(0, 0, 5.0)]),), each(progress=near(0))),
    ],
    "mission_raw": [
        ("upload_mission", ([raw_item(0, TAKEOFF), raw_item(1, WAYPOINT)],), ok),
        ("download_mission", (), commands(TAKEOFF, WAYPOINT)),
        ("set_current_mission_item", (1,), ok),
        ("upload_geofence", ([raw_item(0, 5003, 0, 1, 100.0, HOME[:2], 5)],), ok),
        ("download_geofence", (), commands(5003)),
        ("upload_rally_points", ([raw_item(0, 5100, 5.0, 2, 0, HOME[:2], 3)],), ok),
        ("download_rallypoints", (), commands(5100)),
        ("start_mission", (), ok),
        ("pause_mission", (), ok),
        ("is_mission_finished", (), near(0)),
        ("cancel_mission_upload", (), "ERROR"),         # nothing is under way
        ("cancel_mission_download", (), "ERROR"),
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
        ("set_param_int", ("MPC_XY_CRUISE", 6), "TYPE_MISMATCH"),
        ("get_param_float", ("NO_SUCH_PARAM",), "DOES_NOT_EXIST"),
        ("get_param_custom", ("MAV_TYPE",), "TIMEOUT"),     # the extended protocol: not for autopilots
        ("set_param_custom", ("MAV_TYPE", "2"), "FAILED"),     # refused at once
        ("select_component", (1, ProtocolVersion.V1), "UNKNOWN"),   # MAVSDK's server tells no result
        ("get_param_int", ("MAV_TYPE",), near(2)),
        ("get_all_params", (), each(int_params=lambda p: len(p) > 50, float_params=lambda p: len(p) > 50)),
    ],
    "rtk": [
        ("send_rtcm_data", (RtcmData(base64.b64encode(bytes(range(200))).decode()),), ok),
    ],
    "server_utility": [
        ("send_status_text", (StatusTextType.INFO, "hello"), ok),
    ],
    "shell": [
        ("receive", (), SILENT),     # until something was sent: test_shell.py
        ("send", ("ver all",), ok),
    ],
    "telemetry": [
        *((f"set_rate_{stream}", (20.0,), ok) for stream in
          ("position home in_air landed_state attitude_quaternion attitude_euler velocity_ned gps_info raw_gps battery "
           "actuator_output_status odometry position_velocity_ned ground_truth fixedwing_metrics imu unix_epoch_time "
           "altitude health vtol_state rc_status").split()),
        *((f"set_rate_{stream}", (20.0,), "UNKNOWN") for stream in     # FAILED: there is nothing to tell
          ("actuator_control_target", "scaled_imu", "raw_imu", "distance_sensor")),
        ("get_gps_global_origin", (), each(latitude_deg=near(HOME[0]), longitude_deg=near(HOME[1]))),
        *((stream, (), SILENT) for stream in
          ("actuator_control_target", "distance_sensor", "raw_imu", "scaled_imu", "status_text")),
        ("actuator_output_status", (), each(active=4)),
        ("altitude", (), each(altitude_amsl_m=near(HOME[2], 0.01))),
        ("armed", (), near(0)),
        ("attitude_angular_velocity_body", (), each(yaw_rad_s=near(0))),
        ("attitude_euler", (), each(roll_deg=near(0), pitch_deg=near(0), yaw_deg=near(0))),
        ("attitude_quaternion", (), each(w=near(1), x=near(0))),
        ("battery", (), each(remaining_percent=near(100), voltage_v=near(16.2))),
        ("fixedwing_metrics", (), each(groundspeed_m_s=near(0))),
        ("flight_mode", (), lambda mode: mode == FlightMode.HOLD),
        ("gps_info", (), each(num_satellites=10, fix_type=FixType.FIX_3D)),
        ("ground_truth", (), each(latitude_deg=near(HOME[0]))),
        ("heading", (), each(heading_deg=near(0))),
        ("health", (), each(is_armable=True, is_home_position_ok=True)),
        ("health_all_ok", (), near(1)),
        ("home", (), each(latitude_deg=near(HOME[0]), absolute_altitude_m=near(HOME[2], 0.01))),
        ("imu", (), each(acceleration_frd=each(down_m_s2=near(-9.80665, 1e-3)))),
        ("in_air", (), near(0)),
        ("landed_state", (), lambda state: state == LandedState.ON_GROUND),
        ("odometry", (), each(position_body=each(x_m=near(0)))),
        ("position", (), each(latitude_deg=near(HOME[0]), absolute_altitude_m=near(HOME[2], 0.01))),
        ("position_velocity_ned", (), each(position=each(north_m=near(0)), velocity=each(down_m_s=near(0)))),
        ("raw_gps", (), each(latitude_deg=near(HOME[0]))),
        ("rc_status", (), each(is_available=False)),
        ("scaled_pressure", (), each(absolute_pressure_hpa=lambda hpa: 900 < hpa < 1000)),
        ("unix_epoch_time", (), lambda us: us > 1.6e15),
        ("velocity_ned", (), each(north_m_s=near(0))),
        ("vtol_state", (), lambda state: state == VtolState.UNDEFINED),
        ("wind", (), each(wind_x_ned_m_s=near(0))),
    ],
    "transponder": [
        ("set_rate_transponder", (1.0,), "UNKNOWN"),
        ("transponder", (), SILENT),
    ],
    "tune": [
        ("play_tune", (TuneDescription([SongElement.NOTE_C], 120),), ok),
    ],
    "winch": [
        ("relax", (1,), "TIMEOUT"),                     # asked of a component that is not there
        ("rate_control", (1, 1.0), "TIMEOUT"),
        ("status", (), SILENT),
    ],
}


async def outcome(plugin, name, args, limit):
    """The value that a call or a stream gives first, or the name of MAVSDK's error."""
    call = asyncio.sleep(*args) if name == WAIT else getattr(plugin, name)(*args)
    try:
        async with asyncio.timeout(limit):
            return await (anext(call) if inspect.isasyncgen(call) else call)
    except TimeoutError:
        return SILENT
    except Exception as error:                      # each plugin has a class of its own
        if not hasattr(error, "_result"):
            raise
        return error._result.result.name


def as_stated(value, expected):
    if isinstance(expected, tuple):                 # one of them
        return any(as_stated(value, one) for one in expected)
    if callable(expected):
        return not isinstance(value, str) and expected(value)
    return value != SILENT if expected is ENDS else value == expected


# Streams at PX4's rates: some begin only on request with Mayfly's own.
@pytest.mark.parametrize("drone", [("--profile", "px4")], indirect=True)
@pytest.mark.parametrize("plugin", TABLE)
def test_plugin(drone, plugin):
    async def go():
        async with client(drone, "tcp") as system:
            if plugin in NEEDS_HEALTH:
                await ready(system)
            it, streams, told = getattr(system, plugin), [], []
            for name, args, expected in TABLE[plugin]:
                if inspect.isasyncgenfunction(getattr(it, name, None)):
                    streams.append((name, args, expected))
                else:
                    told.append((name, expected, await outcome(it, name, args, CALL_S)))
            values = await asyncio.gather(*(outcome(it, name, args, QUIET_S) for name, args, _ in streams))
            told += [(name, expected, value) for (name, _, expected), value in zip(streams, values)]
            assert [f"{name}: {value}" for name, expected, value in told if not as_stated(value, expected)] == []
    asyncio.run(asyncio.wait_for(go(), 60))


def test_the_table_is_complete():
    """All plugins but those with which MAVSDK is itself a vehicle, a camera or a server; all streams of telemetry."""
    modules = {p.stem.removesuffix("_pb2") for p in pathlib.Path(mavsdk.__file__).parent.glob("*_pb2.py")}
    assert {name for name in modules - {"mavsdk_options"} if not name.endswith("_server")} == set(TABLE)
    streams = {name for name, _ in inspect.getmembers(Telemetry, inspect.isasyncgenfunction)}
    assert streams <= {name for name, _, _ in TABLE["telemetry"]}
