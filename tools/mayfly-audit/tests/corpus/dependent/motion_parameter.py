# SPDX-License-Identifier: Apache-2.0
"""MA09: it chooses its speed by an acceleration that the autopilot reports."""
import math
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle, mavlink  # noqa: E402


def read_param(vehicle, name):
    vehicle.link.mav.param_request_read_send(1, 1, name.encode(), -1)
    while True:
        value = vehicle.next("PARAM_VALUE")
        if value.param_id == name:
            return value.param_value


v = Vehicle()
limit = read_param(v, "MPC_ACC_HOR")
v.takeoff(6)
v.command(mavlink.MAV_CMD_DO_CHANGE_SPEED, 1, math.sqrt(2.0 * limit * 6.0), -1)
v.land()
