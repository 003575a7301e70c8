# SPDX-License-Identifier: Apache-2.0
"""It acts where it is, however fast it got there."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import HOME_LAT, M_PER_DEG, Vehicle, mavlink  # noqa: E402


def wait_north_of(vehicle, north_m):
    while (vehicle.next("GLOBAL_POSITION_INT").lat / 1e7 - HOME_LAT) * M_PER_DEG < north_m:
        pass


v = Vehicle()
v.takeoff(6)
v.reposition(25, 6)
wait_north_of(v, 20)
v.command(mavlink.MAV_CMD_DO_DIGICAM_CONTROL, 0, 0, 0, 0, 1)
wait_north_of(v, 24.5)
v.land()
