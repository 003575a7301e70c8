# SPDX-License-Identifier: Apache-2.0
"""MA04: it triggers the camera when it begins to brake."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle, mavlink  # noqa: E402


def wait_for_braking(vehicle):
    last_speed, last_s = 0.0, 0.0
    while True:
        position = vehicle.next("LOCAL_POSITION_NED")
        speed, now_s = position.vx, position.time_boot_ms / 1000.0
        if last_s and now_s > last_s:
            acceleration = (speed - last_speed) / (now_s - last_s)
            if acceleration < -0.8:
                return
        last_speed, last_s = speed, now_s


v = Vehicle()
v.takeoff(6)
v.reposition(40, 6)
wait_for_braking(v)
v.command(mavlink.MAV_CMD_DO_DIGICAM_CONTROL, 0, 0, 0, 0, 1)
while v.next("LOCAL_POSITION_NED").x < 39:
    pass
v.land()
