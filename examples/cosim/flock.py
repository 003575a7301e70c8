#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flock.py URL: the pilot of one drone, a script of DroneKit that knows nothing of simulations.

It stands on the drone: it flies it at URL, tells the others ten times in three seconds where it is and how it moves, by UDP to all, and
steers by what it hears of them: away from those that are close, towards the middle of all, as fast as all, and to the north. It stops when
the drone does something else, such as returning by itself. flock.py --check says whether DroneKit is there."""
import collections
import collections.abc
import math
import os
import socket
import struct
import sys
import time

os.environ['MAVLINK20'] = '1'
collections.MutableMapping = collections.abc.MutableMapping  # gone since Python 3.10; DroneKit is of 2019
try:
    from dronekit import VehicleMode, connect
except ImportError:
    PYTHON = os.path.join('build', 'venv', 'bin', 'python3')  # of make interop
    if os.path.exists(PYTHON) and os.environ.get('FLOCK_PYTHON') is None:
        os.environ['FLOCK_PYTHON'] = PYTHON
        os.execv(PYTHON, [PYTHON, *sys.argv])
    sys.exit('flock.py: DroneKit is not there: pip install dronekit future')

PORT, PERIOD, HEARD_FOR = 5000, 0.3, 1.0  # [s]
HEIGHT, SPEED, CLOSE = 15, 8.0, 8.0  # [m], [m/s], [m]
STATE = '<6d'  # north, east, up [m]; velocity north, east, down [m/s]


class Pilot:
    def __init__(self, url):
        self.vehicle = connect(url, wait_ready=True, timeout=30, heartbeat_timeout=30)
        self.vehicle._heartbeat_lastsent = math.inf  # it is on board, and no ground station whose HEARTBEAT counts
        self.origin = None
        self.heard = {}
        self.radio = socket.socket(type=socket.SOCK_DGRAM)
        self.radio.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self.radio.bind(('', PORT))
        self.radio.setblocking(False)

    def state(self):
        here = self.vehicle.location.global_frame
        return (here.lat * 111_200, here.lon * 111_200 * math.cos(math.radians(47.4)), here.alt, *self.vehicle.velocity)

    def exchange(self):
        """Tell the others, and hear what they have told."""
        self.radio.sendto(struct.pack(STATE, *self.state()), ('10.255.255.255', PORT))
        try:
            while True:
                data, (sender, _) = self.radio.recvfrom(100)
                self.heard[sender] = (time.time(), struct.unpack(STATE, data))
        except BlockingIOError:
            pass

    def steer(self):
        mine = self.state()
        others = [state for when, state in self.heard.values() if time.time() - when < HEARD_FOR]
        wish = [SPEED, 0.0]
        for axis in (0, 1):
            if others:
                wish[axis] += 0.05 * (sum(o[axis] for o in others) / len(others) - mine[axis])
                wish[axis] += 0.3 * (sum(o[3 + axis] for o in others) / len(others) - mine[3 + axis])
            for other in others:
                away = math.dist(mine[:2], other[:2])
                if away < CLOSE:
                    wish[axis] += 0.4 * (CLOSE - away) * (mine[axis] - other[axis]) / max(away, 0.1)
        self.vehicle.send_mavlink(self.vehicle.message_factory.set_position_target_local_ned_encode(
            0, 0, 0, 1, 0b110111000111, 0, 0, 0, wish[0], wish[1], 0, 0, 0, 0, 0, 0))

    def fly(self):
        vehicle, send = self.vehicle, self.vehicle.message_factory
        vehicle.armed = True
        while not vehicle.armed:
            time.sleep(0.1)
        height = vehicle.location.global_frame.alt + HEIGHT
        vehicle.send_mavlink(send.command_long_encode(0, 0, 22, 0, 0, 0, 0, 0, 0, 0, height))
        while vehicle.location.global_frame.alt < height - 0.3:
            time.sleep(0.1)
        for _ in range(4):  # OFFBOARD wants setpoints first
            self.exchange()
            self.steer()
            time.sleep(PERIOD)
        vehicle.mode = VehicleMode('OFFBOARD')
        most = 0
        begun = False
        while not begun or vehicle.mode.name == 'OFFBOARD':
            begun = begun or vehicle.mode.name == 'OFFBOARD'
            self.exchange()
            self.steer()
            most = max(most, len(self.heard))
            time.sleep(PERIOD)
        print(f'{os.environ.get("SWARM_ADDRESS")}: {vehicle.mode.name} at {time.monotonic() - BEGIN:.1f} s; heard {most} others', flush=True)
        vehicle.close()


BEGIN = time.monotonic()
if __name__ == '__main__' and sys.argv[1] != '--check':
    Pilot(sys.argv[1]).fly()
