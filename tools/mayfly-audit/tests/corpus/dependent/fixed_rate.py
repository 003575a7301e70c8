# SPDX-License-Identifier: Apache-2.0
"""MA10: each sample is a tenth of a second of flight; after twenty metres it stops."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle, mavlink  # noqa: E402

v = Vehicle()
v.takeoff(6)
v.reposition(80, 6)
flown = 0.0
while flown < 20.0:
    flown += v.next("LOCAL_POSITION_NED").vx * 0.1
v.command(mavlink.MAV_CMD_DO_PAUSE_CONTINUE, 0)
v.land()
