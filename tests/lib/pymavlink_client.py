# SPDX-License-Identifier: Apache-2.0
"""pymavlink, as scripts use it: MAVLink 2."""
import math
import os
import time

os.environ["MAVLINK20"] = "1"
from pymavlink import mavutil  # noqa: E402

M = mavutil.mavlink
HOLD, RUN, EVENT, LEAVE = 1, 2, 3, 0

def connect(drone, transport="tcp"):
    url = {"tcp": f"tcp:127.0.0.1:{drone.tcp}", "udp": f"udpout:127.0.0.1:{drone.udp}",
           "udp-out": f"udpin:127.0.0.1:{drone.udp_out}"}[transport]
    link = mavutil.mavlink_connection(url, source_system=255, source_component=190)
    if transport == "udp":
        link.mav.heartbeat_send(M.MAV_TYPE_GCS, M.MAV_AUTOPILOT_INVALID, 0, 0, 0)
    assert link.wait_heartbeat(timeout=5) is not None
    return link


def expect(link, kind, condition=lambda m: True, timeout=20):
    deadline = time.monotonic() + timeout
    last = None
    while time.monotonic() < deadline:
        m = link.recv_match(type=kind, blocking=True, timeout=1)
        if m is not None:
            last = m
            if condition(m):
                return m
    raise AssertionError(f"no such {kind} within {timeout} s; last: {last}")


def command(link, number, *params):
    params = list(params) + [math.nan] * (7 - len(params))
    link.mav.command_long_send(1, 1, number, 0, *params)
    return expect(link, "COMMAND_ACK", lambda m: m.command == number, 3).result


def barrier(link, action, seconds=0.0, timeout=30):
    """Returns when time stands still again."""
    link.mav.command_long_send(1, 1, M.MAV_CMD_USER_1, 0, action, seconds, 0, 0, 0, 0, 0)
    ack = expect(link, "COMMAND_ACK", lambda m: m.command == M.MAV_CMD_USER_1 and m.result != 5, timeout)
    assert ack.result == 0


def upload(link, items):
    link.mav.mission_count_send(1, 1, len(items))
    while True:
        m = expect(link, ["MISSION_REQUEST", "MISSION_REQUEST_INT", "MISSION_ACK"], timeout=3)
        if m.get_type() == "MISSION_ACK":
            return m.type
        link.mav.send(items[m.seq])


def item(seq, number, lat, lon, height, frame=M.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, p1=0):
    return M.MAVLink_mission_item_int_message(1, 1, seq, frame, number, int(seq == 0), 1, p1, 0, 0, math.nan,
                                              int(lat * 1e7), int(lon * 1e7), height)
