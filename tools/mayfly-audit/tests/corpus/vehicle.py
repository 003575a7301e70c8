# SPDX-License-Identifier: Apache-2.0
"""What the Python clients of the corpus share: a link, commands with their answers, and the drone's own events."""
import math
import os

os.environ.setdefault("MAVLINK20", "1")
from pymavlink import mavutil  # noqa: E402

mavlink = mavutil.mavlink
NAN = math.nan
HOME_LAT, HOME_LON, HOME_ALT = 47.397742, 8.545594, 488.0
M_PER_DEG = 111_319.5
HOLD = 4 << 16 | 3 << 24
ON_GROUND, IN_AIR = 1, 2


class Vehicle:
    def __init__(self):
        self.link = mavutil.mavlink_connection(os.environ["MAYFLY_PYMAVLINK_URL"])
        self.link.wait_heartbeat()
        self.mode, self.landed, self.armed, self.item = 0, 0, False, -1

    def next(self, kind=None):
        """The next message (of a kind); the drone's state is kept on the way."""
        while True:
            message = self.link.recv_match(blocking=True, timeout=20)
            if message is None:
                raise SystemExit("the drone is silent")
            name = message.get_type()
            if name == "HEARTBEAT":
                self.mode, self.armed = message.custom_mode, bool(message.base_mode & 128)
            elif name == "EXTENDED_SYS_STATE":
                self.landed = message.landed_state
            elif name == "MISSION_ITEM_REACHED":
                self.item = message.seq
            if kind is None or name == kind:
                return message

    def until(self, condition):
        while not condition():
            self.next()

    def command(self, command, *params):
        self.link.mav.command_long_send(1, 1, command, 0, *params, *[0] * (7 - len(params)))
        while self.next("COMMAND_ACK").command != command:
            pass

    def reposition(self, north_m, height_m, alt_amsl_m=None):
        lat = HOME_LAT + north_m / M_PER_DEG
        alt = HOME_ALT + height_m if alt_amsl_m is None else alt_amsl_m
        self.link.mav.command_int_send(1, 1, mavlink.MAV_FRAME_GLOBAL, mavlink.MAV_CMD_DO_REPOSITION, 0, 0, -1, 1, 0, NAN, round(lat * 1e7),
                                       round(HOME_LON * 1e7), alt)
        while self.next("COMMAND_ACK").command != mavlink.MAV_CMD_DO_REPOSITION:
            pass

    def start_takeoff(self, height_m):
        self.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1)
        self.command(mavlink.MAV_CMD_NAV_TAKEOFF, 0, 0, 0, NAN, NAN, NAN, HOME_ALT + height_m)

    def takeoff(self, height_m):
        """By the drone's own events."""
        self.start_takeoff(height_m)
        self.until(lambda: self.landed == IN_AIR and self.mode == HOLD)

    def land(self):
        self.command(mavlink.MAV_CMD_NAV_LAND, 0, 0, 0, NAN, NAN, NAN, 0)
        self.until(lambda: self.landed == ON_GROUND and not self.armed)

    def upload(self, items):
        """(command, north_m, height_m) each."""
        mav = self.link.mav
        mav.mission_count_send(1, 1, len(items), 0)
        while True:
            message = self.next()
            name = message.get_type()
            if name in ("MISSION_REQUEST_INT", "MISSION_REQUEST"):
                command, north_m, height_m = items[message.seq]
                mav.mission_item_int_send(1, 1, message.seq, mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, command, int(message.seq == 0), 1, 0, 0, 0,
                                          NAN, round((HOME_LAT + north_m / M_PER_DEG) * 1e7), round(HOME_LON * 1e7), height_m, 0)
            elif name == "MISSION_ACK":
                return
