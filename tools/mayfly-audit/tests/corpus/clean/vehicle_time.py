# SPDX-License-Identifier: Apache-2.0
"""It measures in the vehicle's time, and reports; nothing is decided by it."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle  # noqa: E402

v = Vehicle()
begin_ms = v.next("GLOBAL_POSITION_INT").time_boot_ms
v.takeoff(8)
length_s = (v.next("GLOBAL_POSITION_INT").time_boot_ms - begin_ms) / 1000.0
print(f"in the air after {length_s:.1f} s")
v.land()
