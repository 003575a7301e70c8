# SPDX-License-Identifier: Apache-2.0
"""A mission; what comes next is decided by the drone's own events."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle, mavlink  # noqa: E402

v = Vehicle()
v.upload([(mavlink.MAV_CMD_NAV_TAKEOFF, 0, 6), (mavlink.MAV_CMD_NAV_WAYPOINT, 15, 6), (mavlink.MAV_CMD_NAV_WAYPOINT, 30, 8)])
v.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1)
v.command(mavlink.MAV_CMD_MISSION_START)
v.until(lambda: v.item == 1)
v.command(mavlink.MAV_CMD_DO_DIGICAM_CONTROL, 0, 0, 0, 0, 1)
v.until(lambda: v.item == 2)
v.land()
