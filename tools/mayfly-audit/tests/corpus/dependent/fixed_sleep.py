# SPDX-License-Identifier: Apache-2.0
"""MA03: a take-off is over after six seconds, isn't it?"""
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import Vehicle  # noqa: E402

v = Vehicle()
v.start_takeoff(6)
time.sleep(6.5)
v.reposition(20, 6)
time.sleep(10)
v.land()
