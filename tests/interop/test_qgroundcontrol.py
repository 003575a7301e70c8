# SPDX-License-Identifier: Apache-2.0
"""A session of QGroundControl, replayed: what it sends when it connects, on each page of its setup, in its analysis tools, with a
plan, and in a flight, on two links to one drone (the one that the drone opens, and a TCP one), with the values it must get.
What it asks for while it connects, step by step, is in test_sequences.py."""
import struct
import time

import pytest
from pymavlink.dialects.v20 import all as A

from geography import HOME, distance_m, offset
from pymavlink_client import expect
from ground_station import SLOW, Station, ask, cached, message, modes, parameters, plan, trusts_a_cache
from shell_client import VERSIONS, read, run as console, write
from mavsdk_client import NAN


@pytest.fixture
def station(drone):
    s = Station(drone)
    yield s
    s.close()


def whole(told, name):
    return struct.unpack("<i", told[1][name])[0]


def real(told, name):
    return struct.unpack("<f", told[1][name])[0]


def test_setup_pages(station):
    link = station.first
    told = parameters(link)
    assert trusts_a_cache(told)
    # Summary: "Generic Quadcopter", and the custom version as 0.2.0 with a hash
    version = message("AUTOPILOT_VERSION")(link)
    custom = bytes(version.flight_custom_version)
    assert (version.flight_sw_version, tuple(custom[2::-1]), custom[:2:-1]) == (0x011100FF, (0, 2, 0), b"MAYFL")
    assert whole(told, "SYS_AUTOSTART") == 4001
    # Radio: 18 channels with their limits
    for channel in range(1, 19):
        got = [real(told, f"RC{channel}_{end}") for end in ("MIN", "TRIM", "MAX", "REV")]
        assert got == [1000, 1500, 2000, 1]
    # Flight Modes: the page for one channel, which is there because the old switch has none
    assert (whole(told, "RC_MAP_MODE_SW"), whole(told, "RC_MAP_FLTMODE")) == (0, 0)
    assert real(told, "RC_OFFB_TH") == 0.75
    for name, value in (("RC_MAP_FLTMODE", 5), ("COM_FLTMODE1", 2), ("COM_FLTMODE6", -1), ("RC_MAP_KILL_SW", 7)):
        station.set(name, value, A.MAV_PARAM_TYPE_INT32)
    # Sensors: the page follows a calibration by its texts
    assert ask(link, A.MAV_CMD_PREFLIGHT_CALIBRATION, 1) == A.MAV_RESULT_ACCEPTED
    deadline = time.monotonic() + SLOW
    while "[cal] calibration done: gyro" not in station.texts and time.monotonic() < deadline:
        link.recv_match(type="STATUSTEXT", blocking=True, timeout=1)
    assert "[cal] calibration started: 2 gyro" in station.texts and "[cal] calibration done: gyro" in station.texts
    # Power, Safety, Camera, Tuning
    station.set("BAT1_N_CELLS", 6, A.MAV_PARAM_TYPE_INT32)
    station.set("BAT_LOW_THR", 0.25)
    station.set("GF_ACTION", 3, A.MAV_PARAM_TYPE_INT32)
    station.set("GF_MAX_HOR_DIST", 100.0)
    station.set("RTL_RETURN_ALT", 45.0)
    station.set("TRIG_MODE", 4, A.MAV_PARAM_TYPE_INT32)
    station.set("MC_ROLLRATE_K", 1.25)
    # Parameters, refreshed: all of it, and a hash by which the next connection, on the other link, needs no list
    again = parameters(link)
    assert trusts_a_cache(again) and again[0] != told[0]
    changed = {name for name in told[1] if told[1][name] != again[1][name]}
    assert changed == {"RC_MAP_FLTMODE", "COM_FLTMODE1", "RC_MAP_KILL_SW", "BAT1_N_CELLS", "BAT_LOW_THR", "GF_ACTION",
                       "GF_MAX_HOR_DIST", "RTL_RETURN_ALT", "TRIG_MODE", "MC_ROLLRATE_K"}
    assert cached(station.second) is None
    # a calibration of the airspeed sensor changes what no cache counts
    station.set("SENS_DPRES_OFF", 0.5)
    link.mav.param_request_read_send(1, 1, b"_HASH_CHECK", -1)
    m = expect(link, "PARAM_VALUE", lambda m: m.param_id == "_HASH_CHECK", SLOW)
    assert bytes(m.get_msgbuf()[10:14]) == again[0]


def test_analysis_tools(station):
    link = station.first
    vibration = expect(link, "VIBRATION", timeout=SLOW)     # by itself, on the default profile
    assert (vibration.vibration_x, vibration.vibration_y, vibration.vibration_z, vibration.clipping_0) == (0, 0, 0, 0)
    write(link, "")     # the console is opened
    assert read(link) == "nsh> " and console(link, "ver all") == VERSIONS
    link.mav.log_request_list_send(1, 1, 0, 0xFFFF)
    assert expect(link, "LOG_ENTRY", timeout=SLOW).num_logs == 0
    # the inspector's rates: of this link only
    number = A.MAVLINK_MSG_ID_VIBRATION
    assert ask(link, A.MAV_CMD_SET_MESSAGE_INTERVAL, number, 20000) == A.MAV_RESULT_ACCEPTED
    first = expect(link, "VIBRATION", timeout=SLOW).time_usec
    assert expect(link, "VIBRATION", timeout=SLOW).time_usec - first == 20000
    assert ask(station.second, A.MAV_CMD_GET_MESSAGE_INTERVAL, number) == A.MAV_RESULT_ACCEPTED
    assert station.second.messages["MESSAGE_INTERVAL"].interval_us == 10000000


def item(seq, number, place, height, kind, params=(0, 0, 0, NAN), frame=A.MAV_FRAME_GLOBAL_RELATIVE_ALT):
    return A.MAVLink_mission_item_int_message(1, 1, seq, frame, number, int(seq == 0), 1, *params, round(place[0] * 1e7),
                                              round(place[1] * 1e7), height, kind)


MISSION, FENCE, RALLY = A.MAV_MISSION_TYPE_MISSION, A.MAV_MISSION_TYPE_FENCE, A.MAV_MISSION_TYPE_RALLY
PLAN = {
    MISSION: [item(0, 22, HOME[:2], 10, MISSION, (15, 0, 0, NAN)), item(1, 16, offset(40, 0), 10, MISSION),
              item(2, 16, offset(40, 30), 12, MISSION), item(3, 20, (0, 0), 0, MISSION, (0, 0, 0, 0), A.MAV_FRAME_MISSION)],
    FENCE: [item(i, 5001, offset(n, e), 0, FENCE, (4, 0, 0, 0), A.MAV_FRAME_GLOBAL)
            for i, (n, e) in enumerate(((-200, -200), (-200, 200), (200, 200), (200, -200)))],
    RALLY: [item(0, 5100, offset(-30, 0), 15, RALLY, (0, 0, 0, 0))],
}


def upload(link, kind):
    link.mav.mission_count_send(1, 1, len(PLAN[kind]), kind)
    while True:
        m = expect(link, ["MISSION_REQUEST", "MISSION_REQUEST_INT", "MISSION_ACK"], timeout=SLOW)
        assert m.mission_type == kind
        if m.get_type() == "MISSION_ACK":
            return m.type
        link.mav.send(PLAN[kind][m.seq])


def content(m):
    return m.seq, m.command, m.frame, m.x, m.y, m.z, m.param1


def goto(link, place, altitude, number=A.MAV_CMD_DO_REPOSITION, params=(-1, A.MAV_DO_REPOSITION_FLAGS_CHANGE_MODE, 0, NAN)):
    link.mav.command_int_send(1, 1, A.MAV_FRAME_GLOBAL, number, 0, 0, *params, round(place[0] * 1e7), round(place[1] * 1e7),
                              altitude)
    return expect(link, "COMMAND_ACK", lambda m: m.command == number, SLOW).result


@pytest.mark.parametrize("drone", [("--clock", "x5")], indirect=True)
def test_plan_and_flight_on_two_links(station):
    link, other = station.first, station.second
    assert {"Hold", A.MAV_STANDARD_MODE_MISSION, A.MAV_STANDARD_MODE_SAFE_RECOVERY} <= set(modes(link))
    for kind, items in PLAN.items():
        assert upload(link, kind) == A.MAV_MISSION_ACCEPTED
        count, got = plan(kind)(other)      # each link shows what the other one has brought
        assert count == len(items) and [content(m) for m in got] == [content(m) for m in items]
    current = expect(link, "MISSION_CURRENT", lambda m: m.total == 4, SLOW)
    assert (current.seq, current.mission_state) == (0, 2)       # not started
    # takes off: the command, then arming
    there = HOME[2] + 10
    assert ask(link, A.MAV_CMD_NAV_TAKEOFF, -1, 0, 0, NAN, NAN, NAN, there) == A.MAV_RESULT_ACCEPTED
    assert ask(link, A.MAV_CMD_COMPONENT_ARM_DISARM, 1) == A.MAV_RESULT_ACCEPTED
    station.heartbeats(lambda m: m.base_mode & 128)
    station.heartbeats(lambda m: m.custom_mode == 50593792)     # Hold, at the top
    assert station.place(lambda m: m.relative_alt == 10000).alt == there * 1000
    # flies to a place, orbits, pauses
    a = offset(20, 20)
    assert goto(link, a, there) == A.MAV_RESULT_ACCEPTED
    station.place(lambda m: distance_m((m.lat / 1e7, m.lon / 1e7), a) < 0.02)
    assert goto(link, a, there, A.MAV_CMD_DO_ORBIT, (10, NAN, 0, NAN)) == A.MAV_RESULT_ACCEPTED
    orbit = expect(link, "ORBIT_EXECUTION_STATUS", timeout=SLOW)
    assert (orbit.radius, orbit.x, orbit.y) == (10, round(a[0] * 1e7), round(a[1] * 1e7))
    station.place(lambda m: abs(distance_m((m.lat / 1e7, m.lon / 1e7), a) - 10) < 0.2)
    assert ask(link, A.MAV_CMD_DO_REPOSITION, -1, 1, 0, NAN, NAN, NAN, NAN) == A.MAV_RESULT_ACCEPTED
    station.heartbeats(lambda m: m.custom_mode == 50593792)
    # runs the plan, which ends with a return: to the rally point, unless home is nearer
    link.mav.set_mode_send(1, A.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, 67371008)
    station.heartbeats(lambda m: m.custom_mode == 67371008)
    reached = [expect(other, "MISSION_ITEM_REACHED", timeout=3 * SLOW).seq for _ in range(3)]
    assert reached == [0, 1, 2]
    station.heartbeats(lambda m: not m.base_mode & 128)
    down = station.place(lambda m: m.vx == 0)
    assert distance_m((down.lat / 1e7, down.lon / 1e7), HOME) < 0.02
    assert expect(link, "EXTENDED_SYS_STATE", timeout=SLOW).landed_state == A.MAV_LANDED_STATE_ON_GROUND
    # nothing of what was commanded on one link was acknowledged on the other
    assert "COMMAND_ACK" not in other.messages
    # the plan goes as it came
    for kind in PLAN:
        link.mav.mission_clear_all_send(1, 1, kind)
        assert expect(link, "MISSION_ACK", timeout=SLOW).type == A.MAV_MISSION_ACCEPTED
        assert plan(kind)(other) == (0, [])
