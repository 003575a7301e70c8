# SPDX-License-Identifier: Apache-2.0
"""MA08: it is there when the way is flown at cruise speed."""
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle  # noqa: E402

CRUISE_SPEED = 5.0


def fly_leg(vehicle, distance):
    vehicle.reposition(distance, 6)
    eta = distance / CRUISE_SPEED
    time.sleep(eta)


v = Vehicle()
v.takeoff(6)
fly_leg(v, 40.0)
v.land()
