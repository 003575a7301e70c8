# SPDX-License-Identifier: Apache-2.0
"""The same mission by a client that holds vehicle time, and lets it run from event to event."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import NAN, Vehicle, mavlink  # noqa: E402

LEGS = 6
HOLD, EVENT = 1, 3


def barrier(what):
    v.link.mav.command_long_send(1, 1, mavlink.MAV_CMD_USER_1, 0, what, *[0] * 6)
    while True:
        answer = v.next("COMMAND_ACK")
        if answer.command == mavlink.MAV_CMD_USER_1 and answer.result == mavlink.MAV_RESULT_ACCEPTED:
            return


def until(condition):
    while not condition():
        barrier(EVENT)


v = Vehicle()
barrier(HOLD)
v.upload([(mavlink.MAV_CMD_NAV_TAKEOFF, 0, 20), *((mavlink.MAV_CMD_NAV_WAYPOINT, 440 * (i % 2), 20 + i) for i in range(1, LEGS + 1))])
v.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1)
v.command(mavlink.MAV_CMD_MISSION_START)
until(lambda: v.item == LEGS)
v.command(mavlink.MAV_CMD_NAV_LAND, 0, 0, 0, NAN, NAN, NAN, 0)
until(lambda: not v.armed)
