# SPDX-License-Identifier: Apache-2.0
"""MA11: telemetry that is older than a second by the computer's clock is a lost link, and it returns."""
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle, mavlink  # noqa: E402

v = Vehicle()
offset = time.monotonic() - v.next("GLOBAL_POSITION_INT").time_boot_ms / 1000.0
v.takeoff(6)
v.reposition(40, 6)
while True:
    position = v.next("GLOBAL_POSITION_INT")
    age = time.monotonic() - offset - position.time_boot_ms / 1000.0
    if abs(age) > 1.5:
        v.command(mavlink.MAV_CMD_NAV_RETURN_TO_LAUNCH)
        break
    if position.lat > 473980900:
        break
v.land()
