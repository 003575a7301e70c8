# SPDX-License-Identifier: Apache-2.0
"""pymavlink as its users use it: what mavutil, mavparm and mavftp have ready is taken from there; the rest are the loops of the
MAVLink guide and of many scripts: send once, wait three seconds for the answer, say so if there is none."""
import math
import os
import struct
import time

os.environ["MAVLINK20"] = "1"
from pymavlink import mavftp, mavparm, mavutil  # noqa: E402

import client  # noqa: E402

M = mavutil.mavlink
link = None


def connect():
    global link
    link = mavutil.mavlink_connection(f"tcp:127.0.0.1:{client.port}", source_system=255, source_component=190)
    if link.wait_heartbeat(timeout=10) is None:
        raise client.Reported("wait_heartbeat: none in 10 s")


def receive(kind, condition=lambda m: True, patience_s=client.PATIENCE_S):
    """recv_match with a condition, and an error instead of None."""
    deadline = time.monotonic() + patience_s
    while (left := deadline - time.monotonic()) > 0:
        m = link.recv_match(type=kind, blocking=True, timeout=left)
        if m is not None and condition(m):
            return m
    raise client.Reported(f"no {kind if isinstance(kind, str) else ' or '.join(kind)} in {patience_s} s")


def drain():
    """Most scripts look for new messages only."""
    while link.recv_match(blocking=False) is not None:
        pass


def command(number, *params):
    link.mav.command_long_send(*client.TARGET, number, 0, *params, *[0] * (7 - len(params)))
    acknowledged(number)


def acknowledged(number):
    ack = receive("COMMAND_ACK", lambda m: m.command == number)
    if ack.result == M.MAV_RESULT_IN_PROGRESS:
        ack = receive("COMMAND_ACK", lambda m: m.command == number and m.result != M.MAV_RESULT_IN_PROGRESS, 10)
    if ack.result != M.MAV_RESULT_ACCEPTED:
        raise client.Reported(f"COMMAND_ACK {M.enums['MAV_RESULT'][ack.result].name}")


def value_of(m):
    if m.param_type == M.MAV_PARAM_TYPE_REAL32:
        return m.param_value
    return struct.unpack("<i", struct.pack("<f", m.param_value))[0]


def parameters():
    """param_fetch_all once, then what is missing one by one, as in mavproxy and mavutil's examples."""
    drain()
    link.param_fetch_all()
    found, count = {}, None
    quiet = time.monotonic() + client.PATIENCE_S
    rounds = 0
    while count is None or len(found) < count:
        m = link.recv_match(type="PARAM_VALUE", blocking=True, timeout=0.2)
        if m is not None:
            quiet = time.monotonic() + 1
            count = m.param_count
            if m.param_index < 65535:
                found[m.param_index] = (m.param_id, value_of(m))
        elif time.monotonic() > quiet:
            rounds += 1
            if count is None or rounds > 5:
                raise client.Reported(f"{len(found)} of {count} parameters")
            for index in [i for i in range(count) if i not in found]:
                link.mav.param_request_read_send(*client.TARGET, b"", index)
            quiet = time.monotonic() + 1
    return dict(found.values())


def one(name):
    def run():
        drain()
        link.param_fetch_one(name)
        return value_of(receive("PARAM_VALUE", lambda m: m.param_id == name))
    return run


def store():
    if not mavparm.MAVParmDict().mavset(link, client.PARAMETER, 6.5, parm_type=M.MAV_PARAM_TYPE_REAL32):
        raise client.Reported("MAVParmDict.mavset: timeout setting it")
    return one(client.PARAMETER)()


def flight():
    receive("SYS_STATUS", lambda m: m.onboard_control_sensors_health & M.MAV_SYS_STATUS_PREARM_CHECK)
    link.arducopter_arm()
    acknowledged(M.MAV_CMD_COMPONENT_ARM_DISARM)
    receive("HEARTBEAT", lambda m: m.base_mode & M.MAV_MODE_FLAG_SAFETY_ARMED)
    command(M.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, *[math.nan] * 4)
    receive("EXTENDED_SYS_STATE", lambda m: m.landed_state == M.MAV_LANDED_STATE_IN_AIR, client.AIRBORNE_S)


def land():
    command(M.MAV_CMD_NAV_LAND)


def upload(mission):
    def run():
        drain()
        link.mav.mission_count_send(*client.TARGET, len(mission), M.MAV_MISSION_TYPE_MISSION)
        while True:
            m = receive(["MISSION_REQUEST", "MISSION_REQUEST_INT", "MISSION_ACK"])
            if m.get_type() == "MISSION_ACK":
                if m.type != M.MAV_MISSION_ACCEPTED:
                    raise client.Reported(f"MISSION_ACK {M.enums['MAV_MISSION_RESULT'][m.type].name}")
                return len(mission)
            number, lat, lon, height = mission[m.seq]
            link.mav.mission_item_int_send(*client.TARGET, m.seq, M.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, number,
                                           int(m.seq == 0), 1, 0, 0, 0, math.nan, lat, lon, height, 0)
    return run


def download():
    drain()
    link.mav.mission_request_list_send(*client.TARGET, M.MAV_MISSION_TYPE_MISSION)
    count = receive("MISSION_COUNT").count
    found = []
    while len(found) < count:
        link.mav.mission_request_int_send(*client.TARGET, len(found), M.MAV_MISSION_TYPE_MISSION)
        m = receive("MISSION_ITEM_INT", lambda m: m.seq == len(found))
        found.append((m.command, m.x, m.y, m.z))
    link.mav.mission_ack_send(*client.TARGET, M.MAV_MISSION_ACCEPTED, M.MAV_MISSION_TYPE_MISSION)
    return found


def checked(result):
    if result.error_code != 0:
        raise client.Reported(f"mavftp: {result.operation_name} {mavftp.FtpError(result.error_code).name}")


def names():
    ftp = mavftp.MAVFTP(link, *client.TARGET)
    checked(ftp.cmd_list([client.FOLDER]))
    return sorted(entry.name for entry in ftp.list_result if not entry.is_dir)


def files():
    listing = names()
    ftp = mavftp.MAVFTP(link, *client.TARGET)
    there = client.folder / "parameters.json"
    checked(ftp.cmd_get([client.FILE, str(there)]))
    checked(ftp.process_ftp_reply("OpenFileRO", timeout=30))
    return {"names": listing, "bytes": there.stat().st_size, "text": there.read_text(errors="replace")}


def requested(number, kind, value):
    def run():
        drain()
        command(M.MAV_CMD_REQUEST_MESSAGE, number)
        return value(link.messages[kind] if kind in link.messages else receive(kind))
    return run


OPERATIONS = {
    "connect": connect, "parameters": parameters, "parameter": one(client.PARAMETER), "store": store,
    "other_parameter": one(client.OTHER_PARAMETER), "flight": flight, "land": land, "upload": upload(client.MISSION),
    "short_upload": upload(client.SHORT_MISSION), "download": download, "files": files, "names": names,
    "message": requested(148, "AUTOPILOT_VERSION", lambda m: [m.flight_sw_version >> 24, m.flight_sw_version >> 16 & 255]),
    "other_message": requested(49, "GPS_GLOBAL_ORIGIN", lambda m: round(m.latitude / 1e7, 6)),
}
client.serve(OPERATIONS)
