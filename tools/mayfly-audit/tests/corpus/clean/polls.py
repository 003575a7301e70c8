# SPDX-License-Identifier: Apache-2.0
"""It looks every tenth of a second whether the drone says that it is done."""
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0])
from vehicle import HOLD, IN_AIR, Vehicle  # noqa: E402


def drain(vehicle):
    while True:
        message = vehicle.link.recv_match(blocking=False)
        if message is None:
            return
        if message.get_type() == "HEARTBEAT":
            vehicle.mode = message.custom_mode
        elif message.get_type() == "EXTENDED_SYS_STATE":
            vehicle.landed = message.landed_state


v = Vehicle()
v.start_takeoff(6)
while not (v.landed == IN_AIR and v.mode == HOLD):
    time.sleep(0.1)
    drain(v)
v.land()
