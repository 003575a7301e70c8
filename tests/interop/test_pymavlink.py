# SPDX-License-Identifier: Apache-2.0
"""pymavlink, as scripts use it."""
import math
import random
import socket
import time

import pytest

from geography import HOME, distance_m, offset
from pymavlink_client import M, command, connect, expect, item, upload


def test_sim015_identity_and_modes(drone):
    link = connect(drone)
    hb = expect(link, "HEARTBEAT", timeout=3)
    assert (hb.type, hb.autopilot) == (M.MAV_TYPE_QUADROTOR, M.MAV_AUTOPILOT_PX4)
    assert link.flightmode == "LOITER"
    assert {"MISSION", "RTL", "LAND", "TAKEOFF", "LOITER"} <= set(link.mode_mapping())
    for mode, shown in (("RTL", "RTL"), ("LAND", "LAND"), ("MISSION", "MISSION"), ("POSCTL", "POSCTL")):
        link.set_mode(mode)
        expect(link, "HEARTBEAT", lambda m: link.flightmode == shown, 3)
    assert link.location().lat == HOME[0] and link.location().alt == HOME[2]


def test_sim020_sim039_gnss_altitudes(drone):
    gps = expect(connect(drone), "GPS_RAW_INT")
    assert (gps.fix_type, gps.satellites_visible) == (3, 10)
    assert gps.alt == 488000 and abs(gps.alt_ellipsoid - 535237) <= 1   # EGM96 cubic there, by GeoidEval: 47.2374 m


@pytest.mark.parametrize("transport", ["tcp", "udp-out"])
def test_sim026_to_sim030_flight(drone, transport):
    link = connect(drone, transport)
    link.arducopter_arm()
    expect(link, "HEARTBEAT", lambda m: m.base_mode & 128, 3)
    assert link.flightmode == "MANUAL"
    assert command(link, M.MAV_CMD_NAV_TAKEOFF, *[math.nan] * 6, HOME[2] + 5) == 0
    expect(link, "EXTENDED_SYS_STATE", lambda m: m.landed_state == 3, 3)
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "LOITER")
    lat, lon = offset(20, 20)
    link.mav.command_int_send(1, 1, M.MAV_FRAME_GLOBAL_INT, M.MAV_CMD_DO_REPOSITION, 0, 0, -1, 1, 0, math.nan,
                              int(lat * 1e7), int(lon * 1e7), HOME[2] + 5)
    assert expect(link, "COMMAND_ACK").result == 0
    there = expect(link, "GLOBAL_POSITION_INT", lambda m: (m.lat, m.lon) == (int(lat * 1e7), int(lon * 1e7)))
    assert there.alt == 493000 and there.relative_alt == 5000
    link.set_mode_loiter()
    link.set_mode("RTL")
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "RTL", 3)
    expect(link, "HEARTBEAT", lambda m: link.flightmode == "LAND", 40)
    expect(link, "HEARTBEAT", lambda m: not m.base_mode & 128, 40)
    home = expect(link, "GLOBAL_POSITION_INT")
    assert distance_m((home.lat / 1e7, home.lon / 1e7), HOME) < 0.02


def test_sim023_sim024_mission(drone):
    link = connect(drone)
    texts = []
    link.message_hooks.append(lambda _, m: texts.append(m.text) if m.get_type() == "STATUSTEXT" else None)
    a, b = offset(15, 0), offset(15, 15)
    items = [item(0, 22, 0, 0, 5), item(1, 16, *a, 5), item(2, 16, *b, 8, p1=1), item(3, 21, *offset(0, 0), 0)]
    assert upload(link, items) == 0
    link.mav.mission_request_list_send(1, 1)
    assert expect(link, "MISSION_COUNT").count == 4
    for i in range(4):
        link.mav.mission_request_int_send(1, 1, i)
        got = expect(link, "MISSION_ITEM_INT", lambda m, i=i: m.seq == i)
        assert (got.command, got.x, got.y, got.z) == (items[i].command, items[i].x, items[i].y, items[i].z)
    link.mav.mission_ack_send(1, 1, 0)
    assert command(link, M.MAV_CMD_MISSION_START, 0, 0) == 0
    reached, deadline = [], time.monotonic() + 60
    while time.monotonic() < deadline:
        m = link.recv_match(type=["MISSION_ITEM_REACHED", "HEARTBEAT"], blocking=True, timeout=1)
        if m is None:
            continue
        if m.get_type() == "MISSION_ITEM_REACHED":
            reached.append(m.seq)
        elif reached and not m.base_mode & 128:
            break
    assert reached == [0, 1, 2, 3]
    for part in ("Armed", "Takeoff detected", "Waypoint 1 reached", "Landing detected", "Disarmed"):
        assert any(part in t for t in texts), (part, texts)


def test_sim032_parameters(drone):
    link = connect(drone)
    link.mav.param_request_list_send(1, 1)
    first = expect(link, "PARAM_VALUE", timeout=3)
    assert (first.param_id, first.param_index) == ("_HASH_CHECK", 65535)
    names = set()
    while len(names) < first.param_count:
        names.add(expect(link, "PARAM_VALUE", timeout=3).param_id)
    assert {"BAT_CRIT_THR", "CAL_ACC0_ID", "SYS_PARAM_VER", "RTL_RETURN_ALT"} <= names
    link.param_set_send("RTL_RETURN_ALT", 42.5, M.MAV_PARAM_TYPE_REAL32)
    assert expect(link, "PARAM_VALUE", lambda m: m.param_id == "RTL_RETURN_ALT").param_value == 42.5
    link.mav.param_request_read_send(1, 1, b"NO_SUCH_PARAM", -1)
    assert expect(link, "PARAM_ERROR", timeout=3).error == 1
    link.mav.param_request_read_send(1, 1, b"HOME_POSITION", -1)
    assert expect(link, "PARAM_VALUE", timeout=3).param_id == "HOME_POSITION"


def rate(link, kind, seconds=3.0):
    while link.recv_match(blocking=False) is not None:
        pass
    stamps, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        m = link.recv_match(type=kind, blocking=True, timeout=0.2)
        if m is not None:
            stamps.append(m.time_boot_ms)
    return (len(stamps) - 1) / (stamps[-1] - stamps[0]) * 1e3


def test_sim016_sim018_rates_per_link(drone):
    first, second = connect(drone, "tcp"), connect(drone, "udp")
    assert abs(rate(first, "ATTITUDE") - 10) < 0.01
    assert command(first, M.MAV_CMD_SET_MESSAGE_INTERVAL, M.MAVLINK_MSG_ID_ATTITUDE, 20000, 0, 0, 0, 0, 0) == 0
    assert abs(rate(first, "ATTITUDE") - 50) < 0.1
    assert abs(rate(second, "ATTITUDE") - 10) < 0.01
    assert command(first, M.MAV_CMD_GET_MESSAGE_INTERVAL, M.MAVLINK_MSG_ID_ATTITUDE) == 0
    assert command(first, M.MAV_CMD_SET_MESSAGE_INTERVAL, 0, 20000, 0, 0, 0, 0, 0) == 4
    assert command(first, M.MAV_CMD_REQUEST_MESSAGE, M.MAVLINK_MSG_ID_AUTOPILOT_VERSION) == 0
    assert first.messages["AUTOPILOT_VERSION"].flight_sw_version == 0x011100FF
    assert command(first, M.MAV_CMD_REQUEST_MESSAGE, 9999) == 2


def test_version_1_client(drone):
    """A client that speaks MAVLink 1 only is understood."""
    frame = bytes.fromhex("fe0907ffbe00000000000608000403ce51")     # HEARTBEAT of a ground station
    with socket.create_connection(("127.0.0.1", drone.tcp)) as s:
        s.sendall(frame * 3)
        s.settimeout(2)
        assert s.recv(4096)[0] in (0xFD, 0xFE)


def test_sim014_bad_input_and_then_a_good_command(drone):
    random.seed(20)
    link = connect(drone)
    raw = socket.create_connection(("127.0.0.1", drone.tcp))
    datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    good = link.mav.command_long_encode(1, 1, M.MAV_CMD_RUN_PREARM_CHECKS, 0, 0, 0, 0, 0, 0, 0, 0)
    for _ in range(300):
        noise = random.randbytes(random.randrange(1, 700))
        raw.sendall(noise)
        datagram.sendto(noise, ("127.0.0.1", drone.udp))
        frame = bytearray(good.pack(link.mav))
        frame[random.randrange(len(frame))] ^= 1 << random.randrange(8)
        raw.sendall(frame[:random.randrange(1, len(frame) + 1)])
    strange = [math.nan, math.inf, -math.inf, 1e38, -1e38, 0.0, -1.0]
    link.set_mode("LOITER")
    assert command(link, M.MAV_CMD_COMPONENT_ARM_DISARM, 1) == 0
    assert command(link, M.MAV_CMD_NAV_TAKEOFF, *[math.nan] * 7) == 0
    for number in (16, 17, 20, 21, 22, 34, 176, 178, 179, 185, 186, 192, 241, 262, 300, 400, 420, 511, 512):
        for value in strange:
            link.mav.command_long_send(1, 1, number, 0, *[value] * 7)
            link.mav.command_int_send(1, 1, 5, number, 0, 0, value, value, value, value,
                                      random.randrange(-2**31, 2**31), random.randrange(-2**31, 2**31), value)
            link.mav.param_set_send(1, 1, b"MPC_XY_CRUISE", value, M.MAV_PARAM_TYPE_REAL32)
            link.mav.mission_count_send(1, 1, 1)
            link.mav.send(M.MAVLink_mission_item_int_message(1, 1, 0, 6, number, 1, 1, value, value, value, value,
                                                             2**31 - 1, -2**31, value))
    raw.sendall(good.pack(link.mav))
    assert expect(link, "HEARTBEAT", timeout=3) is not None
    while link.recv_match(blocking=True, timeout=0.3) is not None and link.recv_match(type="COMMAND_ACK"):
        pass
    assert command(link, M.MAV_CMD_RUN_PREARM_CHECKS) == 0
    raw.close()
    for _ in range(200):
        socket.create_connection(("127.0.0.1", drone.tcp)).close()
    assert command(link, M.MAV_CMD_RUN_PREARM_CHECKS) == 0


def test_slow_reader_does_not_stall_the_others(drone):
    slow = socket.create_connection(("127.0.0.1", drone.tcp))
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    link = connect(drone)
    for message in (30, 31, 32, 33, 74, 105, 331):
        link.mav.command_long_send(1, 1, M.MAV_CMD_SET_MESSAGE_INTERVAL, 0, message, 5000, 0, 0, 0, 0, 0)
    ask = M.MAVLink("", 255, 190)
    for message in (30, 31, 32, 33, 74, 105, 331):
        slow.sendall(M.MAVLink_command_long_message(1, 1, 511, 0, message, 1000, 0, 0, 0, 0, 0).pack(ask))
    end, last, worst = time.monotonic() + 8, time.monotonic(), 0.0
    while time.monotonic() < end:
        if link.recv_match(type="ATTITUDE", blocking=True, timeout=1) is not None:
            worst, last = max(worst, time.monotonic() - last), time.monotonic()
    assert worst < 0.5, worst
    slow.close()


@pytest.mark.parametrize("drone", [("--remote-id", "--operator-id", "FIN87astrdge12k8", "--eu-class", "c1", "--epoch",
                                    "2026-03-01T12:34:56Z")], indirect=True)
def test_sim039_remote_id(drone):
    link = connect(drone)
    basic, where = expect(link, "OPEN_DRONE_ID_BASIC_ID"), expect(link, "OPEN_DRONE_ID_LOCATION")
    system, operator = expect(link, "OPEN_DRONE_ID_SYSTEM"), expect(link, "OPEN_DRONE_ID_OPERATOR_ID")
    gps = expect(link, "GPS_RAW_INT")
    assert (basic.id_type, basic.ua_type) == (M.MAV_ODID_ID_TYPE_SERIAL_NUMBER, M.MAV_ODID_UA_TYPE_HELICOPTER_OR_MULTIROTOR)
    assert bytes(basic.uas_id).rstrip(b"\0") == b"MAYF800000001"
    assert (where.latitude, where.longitude, where.status) == (gps.lat, gps.lon, M.MAV_ODID_STATUS_GROUND)
    assert where.altitude_geodetic == pytest.approx(gps.alt_ellipsoid / 1e3, abs=1e-3)
    assert where.horizontal_accuracy == M.MAV_ODID_HOR_ACC_1_METER        # 0.9 m
    assert where.vertical_accuracy == M.MAV_ODID_VER_ACC_3_METER          # 1.78 m
    assert where.speed_accuracy == M.MAV_ODID_SPEED_ACC_1_METERS_PER_SECOND  # 0.4 m/s
    assert where.timestamp_accuracy == M.MAV_ODID_TIME_ACC_0_1_SECOND
    assert 34 * 60 + 56 <= where.timestamp < 35 * 60 + 56
    assert 226067696 <= system.timestamp < 226067696 + 60
    assert (system.operator_latitude, system.operator_longitude) == (gps.lat, gps.lon)
    assert system.operator_location_type == M.MAV_ODID_OPERATOR_LOCATION_TYPE_TAKEOFF
    assert (system.classification_type, system.class_eu) == (M.MAV_ODID_CLASSIFICATION_TYPE_EU,
                                                             M.MAV_ODID_CLASS_EU_CLASS_1)
    assert operator.operator_id == "FIN87astrdge12k8"
    nobody = [0] * 20
    link.mav.open_drone_id_operator_id_send(1, 1, nobody, 0, b"GBR-OP-ABCDEF".ljust(20, b"\0"))
    link.mav.open_drone_id_system_send(1, 1, nobody, 1, 0, 515000000, -1000000, 1, 0, -1000, -1000, 0, 0, 61.5, 0)
    expect(link, "OPEN_DRONE_ID_OPERATOR_ID", lambda m: m.operator_id == "GBR-OP-ABCDEF")
    system = expect(link, "OPEN_DRONE_ID_SYSTEM", lambda m: m.operator_location_type == 1)
    assert (system.operator_latitude, system.operator_longitude, system.operator_altitude_geo) == (515000000, -1000000, 61.5)
    link.mav.command_long_send(1, 1, M.MAV_CMD_REQUEST_MESSAGE, 0, M.MAVLINK_MSG_ID_UTM_GLOBAL_POSITION, 0, 0, 0, 0, 0, 0)
    utm = expect(link, "UTM_GLOBAL_POSITION")
    assert (utm.lat, utm.lon, utm.alt, utm.flight_state) == (gps.lat, gps.lon, gps.alt_ellipsoid, M.UTM_FLIGHT_STATE_GROUND)
    assert utm.flags == 0x7F and 1772368496000000 <= utm.time < 1772368556000000
