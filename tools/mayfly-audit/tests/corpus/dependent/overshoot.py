# SPDX-License-Identifier: Apache-2.0
"""MA02: the climb is over when the vehicle sinks again, because every vehicle that its author had seen overshot its altitude."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle  # noqa: E402


def wait_for_swing_back(vehicle):
    climbed = False
    while True:
        position = vehicle.next("GLOBAL_POSITION_INT")
        climbed = climbed or position.relative_alt > 3000
        if climbed and position.vz > 5:
            return


v = Vehicle()
v.start_takeoff(6)
wait_for_swing_back(v)
v.land()
