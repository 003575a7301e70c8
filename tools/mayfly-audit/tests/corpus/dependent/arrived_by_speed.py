# SPDX-License-Identifier: Apache-2.0
"""MA01: it has arrived when it is slow; then it goes on at once."""
import math
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle  # noqa: E402


def wait_until_stopped(vehicle):
    moved = False
    while True:
        position = vehicle.next("GLOBAL_POSITION_INT")
        speed = math.hypot(position.vx, position.vy) / 100.0
        moved = moved or vehicle_has_left(position)
        if moved and speed < 0.5:
            return


def vehicle_has_left(position):
    return position.lat > 473978500


v = Vehicle()
v.takeoff(6)
v.reposition(25, 6)
wait_until_stopped(v)
v.land()
