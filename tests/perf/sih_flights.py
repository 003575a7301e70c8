#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sih_flights.py MAYFLY FOLDER: flies the scripts of the recorded flights of PX4 with MAYFLY --motion physics, over MAVLink, and
writes what it tells into FOLDER in the format of those recordings: NAME.csv, NAME.events.csv. physics_vs_sih compares the two.

A barrier holds vehicle time while a command is on its way, so that every run is the same. Python 3 standard library only.
"""
import collections
import math
import os
import select
import sys

import bench
import mavlink
from mavlink import BARRIER, HOLD, LAND, RUN, TAKEOFF, WAYPOINT

NAN = float('nan')
LAT, LON, RADIUS_M = 47.397742, 8.545594, 6371000.0
INTERVAL, START, RTL = 511, 300, 20
LATEST_S = 240

Flight = collections.namedtuple('Flight', 'params items commands')


def place(north_m, east_m):
    """[1e-7 degree]"""
    north = math.degrees(north_m / RADIUS_M)
    return (round((LAT + north) * 1e7),
            round((LON + math.degrees(east_m / RADIUS_M) / math.cos(math.radians(LAT))) * 1e7))


def go(north_m, east_m, up_m, hold_s=0.0):
    return dict(command=WAYPOINT, p1=hold_s, p4=NAN, frame=6, z=up_m, **dict(zip('xy', place(north_m, east_m))))


def end(command, north_m=0.0, east_m=0.0):
    return dict(command=command, p4=NAN, frame=6 if command == LAND else 2, **dict(zip('xy', place(north_m, east_m))))


def climb(up_m):
    return dict(go(0, 0, up_m), command=TAKEOFF)


def reposition(north_m, east_m, up_m):
    return dict(command=mavlink.REPOSITION, frame=6, p1=-1.0, p2=1.0, p4=NAN, z=up_m, **dict(zip('xy', place(north_m, east_m))))


SQUARE = [climb(10), go(100, 0, 10), go(100, 100, 10), go(0, 100, 10), go(0, 0, 10), end(RTL)]
# Commands at seconds after arming, as they were given to PX4.
FLIGHTS = {
    'takeoff_land_10m': Flight(('MIS_TAKEOFF_ALT=10',), [],
                               [(0.056, dict(command=TAKEOFF, p4=NAN, x=0x7FFFFFFF, y=0x7FFFFFFF, z=NAN)),
                                (17.896, dict(command=LAND, p4=NAN, x=0x7FFFFFFF, y=0x7FFFFFFF, z=NAN))]),
    'square_100m_default': Flight(('MIS_TAKEOFF_ALT=10',), SQUARE, []),
    'square_100m_cruise10': Flight(('MIS_TAKEOFF_ALT=10', 'MPC_XY_CRUISE=10'), SQUARE, []),
    'straight_300m_climb': Flight(('MPC_XY_CRUISE=10',), [climb(10), go(150, 0, 30), go(300, 0, 15, 5), end(LAND, 300, 0)], []),
    'short_legs_10m': Flight((), [climb(10), *(go(10 * i, 5 * (i % 2), 10) for i in range(1, 7)), end(LAND, 60, 0)], []),
    'reposition_turns': Flight(('MIS_TAKEOFF_ALT=10',), [],
                               [(0.04, dict(command=TAKEOFF, p4=NAN, x=0x7FFFFFFF, y=0x7FFFFFFF, z=NAN)),
                                (15.19, reposition(80, 0, 10)), (21.09, reposition(0, 60, 20)),
                                (25.99, reposition(-40, 0, 10)), (65.16, dict(command=RTL))]),
}


class Recorder:
    """A ground station that holds vehicle time but while it waits, and keeps what it hears."""

    def __init__(self, client):
        self.client = client
        self.rows, self.events = [], []
        self.attitude = (0.0, 0.0, 0.0)
        self.landed = None

    def wait(self, done, what, timeout_s=30):
        """The first message for which done() holds."""
        limit = bench.now() + timeout_s
        found = None
        while found is None:
            if bench.now() > limit:
                raise RuntimeError(f'{what}: not within {timeout_s} s')
            select.select([self.client.sock], [], [], 0.5)
            for message in self.client.read():
                self.keep(message)
                found = found or (message if done(message) else None)
        return found

    def keep(self, m):
        if m.name == 'ATTITUDE':
            self.attitude = (m.roll, m.pitch, m.yaw)
        elif m.name == 'LOCAL_POSITION_NED':
            self.rows.append((m.boot_ms, m.x, m.y, m.z, m.vx, m.vy, m.vz, *self.attitude))
        elif m.name == 'MISSION_ITEM_REACHED':
            self.tell('reached', m.seq)
        elif m.name == 'STATUSTEXT':
            self.tell('text', m.text.rstrip(b'\0').decode())
        elif m.name == 'EXTENDED_SYS_STATE' and m.landed != self.landed:
            self.landed = m.landed
            self.tell('landed', m.landed)

    def tell(self, kind, value):
        self.events.append((self.rows[-1][0] if self.rows else 0, kind, value))

    def command(self, command, kind='COMMAND_LONG', **params):
        self.client.send(kind, command=command, system=1, component=1, **params)
        ack = self.wait(lambda m: m.name == 'COMMAND_ACK' and m.command == command and m.result != 5, f'command {command}')
        if ack.result != 0:
            raise RuntimeError(f'command {command} was answered by {ack.result}')

    def run(self, seconds):
        self.command(BARRIER, p1=RUN, p2=seconds)

    def upload(self, items):
        self.client.send('MISSION_COUNT', count=len(items), system=1, component=1)
        for seq, item in enumerate(items):
            self.wait(lambda m, s=seq: m.name == 'MISSION_REQUEST_INT' and m.item == s, f'request of item {seq}')
            self.client.send('MISSION_ITEM_INT', **item, item=seq, system=1, component=1, auto=1)
        if self.wait(lambda m: m.name == 'MISSION_ACK', 'end of the upload').type != 0:
            raise RuntimeError('the mission was refused')

    def fly(self, flight):
        self.command(BARRIER, p1=HOLD)
        for number in (mavlink.MESSAGES['ATTITUDE'][0], mavlink.MESSAGES['LOCAL_POSITION_NED'][0]):
            self.command(INTERVAL, p1=number, p2=20000.0)
        self.run(1.0)
        self.upload(flight.items) if flight.items else None
        self.command(START if flight.items else mavlink.ARM, p1=0.0 if flight.items else 1.0)
        past_s = 0.0
        for at_s, command in flight.commands:
            self.run(at_s - past_s)
            self.command(kind='COMMAND_INT', **command)
            past_s = at_s
        while not any(event[1:] == ('landed', 1) for event in self.events[1:]):
            if past_s > LATEST_S:
                raise RuntimeError('it does not land')
            self.run(1.0)
            past_s += 1.0

    def write(self, folder, name):
        with open(os.path.join(folder, name + '.csv'), 'w', encoding='ascii') as f:
            f.write('t_ms,x_m,y_m,z_m,vx_mps,vy_mps,vz_mps,roll_rad,pitch_rad,yaw_rad\n')
            f.writelines(','.join(f'{value:.6g}' if i else str(value) for i, value in enumerate(row)) + '\n'
                         for row in self.rows)
        with open(os.path.join(folder, name + '.events.csv'), 'w', encoding='utf-8') as f:
            f.write('t_ms,event,value\n')
            f.writelines(f'{at},{kind},{value}\n' for at, kind, value in self.events)


def fly(binary, folder, name):
    flight = FLIGHTS[name]
    flags = ['--motion', 'physics', '--clock', 'fast', '--start', 'connect', '--start-grid', '0']
    for param in flight.params:
        flags += ['--param', param]
    with bench.drone(binary, *flags) as d:
        client = d.connect()
        try:
            recorder = Recorder(client)
            recorder.fly(flight)
            recorder.write(folder, name)
        finally:
            client.close()


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    for name in FLIGHTS:
        fly(os.path.abspath(sys.argv[1]), sys.argv[2], name)
    return 0


if __name__ == '__main__':
    sys.exit(main())
