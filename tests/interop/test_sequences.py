# SPDX-License-Identifier: Apache-2.0
"""What QGroundControl and mavros say and wait for when they connect, message by message (neither runs here): a table each,
of steps that end in a value and what the program needs of it."""
import math
import struct
import time

import pytest
from pymavlink.dialects.v20 import all as A

from geography import HOME
from pymavlink_client import expect, mavutil
from ground_station import ack, ask, cached, message, modes, parameters, plan, trusts_a_cache

CAPABILITIES = (A.MAV_PROTOCOL_CAPABILITY_MISSION_INT | A.MAV_PROTOCOL_CAPABILITY_COMMAND_INT
                | A.MAV_PROTOCOL_CAPABILITY_MISSION_FENCE | A.MAV_PROTOCOL_CAPABILITY_MISSION_RALLY
                | A.MAV_PROTOCOL_CAPABILITY_MAVLINK2 | A.MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_BYTEWISE)
# Parameters that QGroundControl asks for by name: of all vehicles, and on the pages of its setup. It complains of any that is
# missing.
WANTED = {page: set(names.split()) for page, names in {
    "all": """BAT_CRIT_THR BAT_EMERGEN_THR BAT_LOW_THR CAL_ACC0_ID CAL_GYRO0_ID CAL_MAG0_ID CAL_MAG1_ID CAL_MAG2_ID CAL_MAG3_ID
        CAL_MAG0_ROT CAL_MAG1_ROT CAL_MAG2_ROT CAL_MAG3_ROT SENS_BOARD_ROT SENS_BOARD_X_OFF SENS_BOARD_Y_OFF
        SENS_BOARD_Z_OFF SENS_DPRES_OFF TRIG_MODE UAVCAN_ENABLE SYS_PARAM_VER SYS_AUTOSTART SYS_AUTOCONFIG MAV_SYS_ID""",
    "safety": """GF_ACTION GF_MAX_HOR_DIST GF_MAX_VER_DIST RTL_LAND_DELAY RTL_RETURN_ALT RTL_DESCEND_ALT COM_LOW_BAT_ACT COM_OBS_AVOID
        NAV_RCL_ACT NAV_DLL_ACT COM_DISARM_LAND MPC_LAND_SPEED COM_RC_LOSS_T COM_DL_LOSS_T CP_DIST SDLOG_MODE SYS_HITL""",
    "power": "BAT1_SOURCE BAT1_N_CELLS BAT1_V_EMPTY BAT1_V_CHARGED BAT1_V_DIV BAT1_A_PER_V BAT1_CAPACITY BAT1_V_LOAD_DROP",
    "flight modes": """COM_FLTMODE1 COM_FLTMODE2 COM_FLTMODE3 COM_FLTMODE4 COM_FLTMODE5 COM_FLTMODE6 RC_MAP_FLTMODE
        RC_MAP_ARM_SW RC_MAP_KILL_SW RC_MAP_RETURN_SW RC_MAP_LOITER_SW RC_MAP_OFFB_SW RC_MAP_GEAR_SW RC_MAP_MODE_SW
        RC_MAP_TRANS_SW RC_OFFB_TH RC_LOITER_TH RC_RETURN_TH RC_KILLSWITCH_TH""",
    "radio": """COM_RC_IN_MODE RC_CHAN_CNT RC_MAP_ROLL RC_MAP_PITCH RC_MAP_YAW RC_MAP_THROTTLE RC_MAP_FLAPS RC_MAP_AUX1
        RC_MAP_AUX2 RC_MAP_PARAM1 RC_MAP_PARAM2 RC_MAP_PARAM3 """ + " ".join(
            f"RC{channel}_{end}" for channel in range(1, 19) for end in ("MIN", "MAX", "TRIM", "REV")),
    "camera": "TRIG_MODE TRIG_INTERFACE TRIG_INTERVAL TRIG_DISTANCE TRIG_ACT_TIME TRIG_POLARITY",
    "tuning": """MC_AIRMODE MC_ROLL_P MC_PITCH_P MC_YAW_P MC_ROLLRATE_K MC_ROLLRATE_P MC_ROLLRATE_I MC_ROLLRATE_D MC_PITCHRATE_K
        MC_PITCHRATE_P MC_PITCHRATE_I MC_PITCHRATE_D MC_YAWRATE_K MC_YAWRATE_P MC_YAWRATE_I MC_YAWRATE_D MPC_XY_P MPC_Z_P
        MPC_XY_VEL_P_ACC MPC_XY_VEL_I_ACC MPC_XY_VEL_D_ACC MPC_Z_VEL_P_ACC MPC_Z_VEL_I_ACC MPC_Z_VEL_D_ACC MPC_THR_HOVER
        MPC_THR_MIN THR_MDL_FAC""",
}.items()}
SET_UP = {"SYS_AUTOSTART": 4001, "CAL_ACC0_ID": 1310988, "CAL_GYRO0_ID": 1310988, "CAL_MAG0_ID": 197388}    # else it asks to
@pytest.fixture
def peer(drone):
    """A link to the drone that knows all messages; peer(system, component, type) is who it speaks as."""
    links = []

    def connect(system, component, kind):
        mavutil.set_dialect("all")
        link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{drone.tcp}", source_system=system, source_component=component)
        link.kind = kind
        links.append(link)
        beat(link)
        return link
    yield connect
    for link in links:
        link.close()
    mavutil.set_dialect("ardupilotmega")


def beat(link):
    link.mav.heartbeat_send(link.kind, A.MAV_AUTOPILOT_INVALID, 0, 0, A.MAV_STATE_ACTIVE)


def raw(number, layout):
    """The fields of a message of which this pymavlink does not know, or the result if it is refused."""
    def step(link):
        link.mav.command_long_send(1, 1, A.MAV_CMD_REQUEST_MESSAGE, 0, number, 0, 0, 0, 0, 0, 0)
        m = expect(link, [f"UNKNOWN_{number}", "COMMAND_ACK"], timeout=3)
        if m.get_type() == "COMMAND_ACK":
            return m.result
        assert ack(link, A.MAV_CMD_REQUEST_MESSAGE) == A.MAV_RESULT_ACCEPTED
        payload = bytes(m.get_msgbuf()[10:-2])
        return struct.unpack(layout, payload.ljust(struct.calcsize(layout), b"\0"))     # zeros at its end do not travel
    return step


def is_set_up(told):
    """Nothing that a page asks for is missing, and no page says that the vehicle must be set up first."""
    missing = {page: names - set(told[1]) for page, names in WANTED.items() if names - set(told[1])}
    assert not missing
    return all(told[1][name] == struct.pack("<i", value) for name, value in SET_UP.items())


def streamed(kind, timeout=3.0):
    return lambda link: expect(link, kind, timeout=timeout)


def at_home(m):
    return (m.latitude, m.longitude, m.altitude) == tuple(round(x * f) for x, f in zip(HOME, (1e7, 1e7, 1e3)))


def healthy(m):
    """All enabled is healthy, and the check before arming among it."""
    return (m.onboard_control_sensors_enabled & m.onboard_control_sensors_health == m.onboard_control_sensors_enabled
            and m.onboard_control_sensors_enabled & A.MAV_SYS_STATUS_PREARM_CHECK)


QGROUNDCONTROL = [
    ("the vehicle", streamed("HEARTBEAT"), lambda m: (m.type, m.autopilot, m.get_srcComponent()) == (2, 12, 1)),
    ("version and capabilities", message("AUTOPILOT_VERSION"),
     lambda m: m.flight_sw_version == 0x011100FF and m.capabilities & CAPABILITIES == CAPABILITIES and m.uid != 0),
    ("protocol version", raw(300, "<HHH16x"), lambda versions: versions == (200, 100, 203)),
    ("modes", modes, lambda modes: {"Hold", A.MAV_STANDARD_MODE_MISSION, A.MAV_STANDARD_MODE_SAFE_RECOVERY,
                                    A.MAV_STANDARD_MODE_LAND, A.MAV_STANDARD_MODE_TAKEOFF,
                                    A.MAV_STANDARD_MODE_POSITION_HOLD} <= set(modes) and modes["Hold"] == 50593792),
    ("the mode now", message("CURRENT_MODE"), lambda m: m.custom_mode == m.intended_custom_mode == 50593792),
    ("metadata", raw(397, "<II100s"), lambda told: told == A.MAV_RESULT_DENIED or told[2].startswith(b"mftp://")),
    ("metadata as before 2022", raw(395, "<III100s100s"),
     lambda told: told == A.MAV_RESULT_DENIED or told[3].startswith(b"mftp://")),
    ("parameters", parameters, trusts_a_cache),
    ("pages of the setup", parameters, is_set_up),
    ("parameters from the cache", cached, lambda rest: rest is None),
    ("mission", plan(A.MAV_MISSION_TYPE_MISSION), lambda told: told == (0, [])),
    ("fence", plan(A.MAV_MISSION_TYPE_FENCE), lambda told: told == (0, [])),
    ("rally points", plan(A.MAV_MISSION_TYPE_RALLY), lambda told: told == (0, [])),
    ("home", message("HOME_POSITION"), at_home),
    ("vibration", streamed("VIBRATION", 12.0), lambda m: (m.vibration_x, m.clipping_0) == (0, 0)),
    ("ready to fly", streamed("SYS_STATUS"), healthy),
    ("altitude", streamed("ALTITUDE"), lambda m: m.altitude_amsl == HOME[2] and m.altitude_relative == 0),
    ("position", streamed("GLOBAL_POSITION_INT"), lambda m: m.alt == HOME[2] * 1000),
    ("battery", streamed("BATTERY_STATUS"), lambda m: m.battery_remaining == 100),
    ("gimbal manager", message("GIMBAL_MANAGER_INFORMATION"), lambda m: m == A.MAV_RESULT_DENIED),
    ("camera", message("CAMERA_INFORMATION"), lambda m: m == A.MAV_RESULT_DENIED),
]


def timesync(link):
    link.mav.timesync_send(0, 123456789)
    return expect(link, "TIMESYNC", lambda m: m.tc1 != 0, 1)


def capabilities(target):
    """The old request. The vehicle answers mavros' broadcast, too."""
    def step(link):
        link.messages.pop("AUTOPILOT_VERSION", None)
        assert ask(link, A.MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES, 1, target=target) == A.MAV_RESULT_ACCEPTED
        return link.messages["AUTOPILOT_VERSION"]
    return step


def home(link):
    link.messages.pop("HOME_POSITION", None)
    assert ask(link, A.MAV_CMD_GET_HOME_POSITION) == A.MAV_RESULT_ACCEPTED
    return link.messages["HOME_POSITION"]


def interval(kind, hz):
    """/mavros/set_message_interval, and the first one."""
    def step(link):
        number = getattr(A, f"MAVLINK_MSG_ID_{kind}")
        assert ask(link, A.MAV_CMD_SET_MESSAGE_INTERVAL, number, 1e6 / hz) == A.MAV_RESULT_ACCEPTED
        return expect(link, kind, timeout=2.5)
    return step


def set_parameter(link):
    link.mav.param_set_send(1, 1, b"MIS_TAKEOFF_ALT", 4.5, A.MAV_PARAM_TYPE_REAL32)
    return expect(link, "PARAM_VALUE", lambda m: m.param_id == "MIS_TAKEOFF_ALT", 1)


def push(link):
    """/mavros/mission/push: three items."""
    def item(seq, number, height):
        return A.MAVLink_mission_item_int_message(1, 1, seq, A.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, number, int(seq == 0), 1, 0,
                                                  0, 0, math.nan, 473977420, 85455940 + 1000 * seq, height)
    items = [item(0, 22, 5), item(1, 16, 5), item(2, 21, 0)]
    link.mav.mission_clear_all_send(1, 1)
    assert expect(link, "MISSION_ACK", timeout=1).type == A.MAV_MISSION_ACCEPTED
    link.mav.mission_count_send(1, 1, len(items))
    while True:
        m = expect(link, ["MISSION_REQUEST", "MISSION_REQUEST_INT", "MISSION_ACK"], timeout=1)
        if m.get_type() == "MISSION_ACK":
            return m.type
        link.mav.send(items[m.seq])


def set_mode(custom_mode):
    """SET_MODE, the message; what counts is the HEARTBEAT."""
    def step(link):
        link.mav.set_mode_send(1, A.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, custom_mode)
        return expect(link, "HEARTBEAT", lambda m: m.get_srcComponent() == 1 and m.custom_mode == custom_mode, 2.5)
    return step


def arm(link):
    assert ask(link, A.MAV_CMD_COMPONENT_ARM_DISARM, 1) == A.MAV_RESULT_ACCEPTED
    return expect(link, "HEARTBEAT", lambda m: m.base_mode & 128, 2.5)


def disarm(link):
    return ask(link, A.MAV_CMD_COMPONENT_ARM_DISARM, 0)


def quiet(link):
    """What PX4 does not know of, and must not answer."""
    link.mav.request_data_stream_send(1, 1, 0, 4, 1)
    link.mav.system_time_send(int(time.time() * 1e6), 1000)
    return link.recv_match(type=["COMMAND_ACK", "STATUSTEXT"], blocking=True, timeout=0.3)


MAVROS = [
    ("the vehicle", streamed("HEARTBEAT"), lambda m: (m.get_srcSystem(), m.get_srcComponent(), m.autopilot) == (1, 1, 12)),
    ("clock", timesync, lambda m: m.ts1 == 123456789),
    ("capabilities of everybody", capabilities((0, 0)), lambda m: m.capabilities & CAPABILITIES == CAPABILITIES),
    ("capabilities", capabilities((1, 1)), lambda m: m.get_srcComponent() == 1),
    ("streams and system time", quiet, lambda rest: rest is None),
    ("home", home, at_home),
    ("parameters", parameters, lambda told: len(told[1]) > 130),
    ("a parameter", set_parameter, lambda m: (m.param_value, m.param_type) == (4.5, A.MAV_PARAM_TYPE_REAL32)),
    ("mission", plan(A.MAV_MISSION_TYPE_MISSION), lambda told: told == (0, [])),
    ("fence", plan(A.MAV_MISSION_TYPE_FENCE), lambda told: told == (0, [])),
    ("rally points", plan(A.MAV_MISSION_TYPE_RALLY), lambda told: told == (0, [])),
    ("mission pushed", push, lambda result: result == A.MAV_MISSION_ACCEPTED),
    ("mission pulled", plan(A.MAV_MISSION_TYPE_MISSION), lambda told: [i.command for i in told[1]] == [22, 16, 21]),
    ("/state", streamed("SYS_STATUS"), healthy),
    ("/extended_state", streamed("EXTENDED_SYS_STATE"), lambda m: (m.vtol_state, m.landed_state) == (0, 1)),
    ("/battery", streamed("BATTERY_STATUS"), lambda m: m.voltages[0] > 3000),
    ("/global_position/raw/fix", streamed("GPS_RAW_INT"), lambda m: (m.fix_type, m.satellites_visible) == (3, 10)),
    ("/global_position/global", streamed("GLOBAL_POSITION_INT"), lambda m: m.relative_alt == 0),
    ("/global_position/gp_origin", interval("GPS_GLOBAL_ORIGIN", 1), lambda m: m.latitude == round(HOME[0] * 1e7)),
    ("/local_position/pose", streamed("LOCAL_POSITION_NED"), lambda m: (m.x, m.y, m.z) == (0, 0, 0)),
    ("/imu/data", interval("ATTITUDE_QUATERNION", 50), lambda m: (m.q1, m.q2, m.q3, m.q4) == (1, 0, 0, 0)),
    ("/imu/data_raw", interval("HIGHRES_IMU", 50), lambda m: abs(m.zacc + 9.81) < 0.1),
    ("/odometry/in", interval("ODOMETRY", 30), lambda m: m.frame_id == A.MAV_FRAME_LOCAL_NED),
    ("/altitude", streamed("ALTITUDE"), lambda m: m.altitude_amsl == HOME[2]),
    ("/vfr_hud", streamed("VFR_HUD"), lambda m: m.alt == HOME[2]),
    ("/estimator_status", streamed("ESTIMATOR_STATUS"), lambda m: m.flags & 1),
    ("/time_reference", streamed("SYSTEM_TIME"), lambda m: m.time_unix_usec > 1e15),
    ("AUTO.LOITER", set_mode(50593792), lambda m: not m.base_mode & 128),
    ("arming", arm, lambda m: m.system_status == A.MAV_STATE_ACTIVE),
    ("disarming", disarm, lambda result: result == A.MAV_RESULT_ACCEPTED),
    ("AUTO.MISSION", set_mode(67371008), lambda m: m.base_mode == 29),
    ("POSCTL", set_mode(196608), lambda m: m.base_mode == 81),
]


@pytest.mark.parametrize("table, identity", [
    (QGROUNDCONTROL, (255, 190, A.MAV_TYPE_GCS)), (MAVROS, (1, 191, A.MAV_TYPE_ONBOARD_CONTROLLER))],
    ids=["qgroundcontrol", "mavros"])
def test_sequence(peer, table, identity):
    link, last = peer(*identity), time.monotonic()
    for name, step, needs in table:
        if time.monotonic() - last > 0.8:
            beat(link)
            last = time.monotonic()
        value = step(link)
        assert needs(value), f"{name}: {value}"
