# SPDX-License-Identifier: Apache-2.0
"""A mission of ten minutes; what comes next is decided by the drone's own events."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle, mavlink  # noqa: E402

LEGS = 6

v = Vehicle()
v.upload([(mavlink.MAV_CMD_NAV_TAKEOFF, 0, 20), *((mavlink.MAV_CMD_NAV_WAYPOINT, 440 * (i % 2), 20 + i) for i in range(1, LEGS + 1))])
v.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1)
v.command(mavlink.MAV_CMD_MISSION_START)
v.until(lambda: v.item == LEGS)
v.land()
