# SPDX-License-Identifier: Apache-2.0
"""A drone that records, and the clients that fly it. Python 3 standard library only."""
import contextlib
import hashlib
import math
import os
import select
import struct
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'lib'))
import drone  # noqa: E402
import mavlink  # noqa: E402
from http_client import ask_document  # noqa: E402
from mavlink import ARM, BARRIER, REPOSITION, SET_MODE, TAKEOFF  # noqa: E402

NAN = float('nan')
LAT, LON, ALT = 473977420, 85455940, 488.0 # of the default home
EAST_M = 0.0111319 * math.cos(math.radians(LAT * 1e-7)) # of 1e-7 degree there
NORTH_M = 0.0111319
PATIENCE_S = 20.0
RTL, ORBIT, SET_INTERVAL, REQUEST, INJECT = 20, 34, 511, 512, 420
SPEED, DELAY, JUMP, LOITER_TIME, LOITER_TURNS, SET_ROI = 178, 93, 177, 19, 18, 195
HOLD, RETURN, MISSION, OFFBOARD, POSITION, ALTITUDE, STABILIZED, ACRO, FOLLOW = (
    (4, 3), (4, 5), (4, 4), (6, 0), (3, 0), (2, 0), (7, 0), (5, 0), (4, 8))
# besides the profile 'min', so that a recording stays small
RATES = {'ATTITUDE': 2, 'ATTITUDE_QUATERNION': 1, 'LOCAL_POSITION_NED': 2, 'GLOBAL_POSITION_INT': 2, 'HIL_STATE_QUATERNION': 1,
         'HIGHRES_IMU': 0.5, 'ODOMETRY': 0.5, 'ALTITUDE': 0.5, 'VFR_HUD': 0.5, 'CURRENT_MODE': 0.5, 'WIND_COV': 0.2,
         'ESTIMATOR_STATUS': 0.2}


def place(north=0.0, east=0.0):
    """Latitude and longitude of a place so many metres from home [1e-7 deg]"""
    return LAT + round(north / NORTH_M), LON + round(east / EAST_M)


def item(command, north=0.0, east=0.0, height=0.0, p1=0.0, p2=0.0, p3=0.0, p4=NAN, frame=6):
    x, y = place(north, east) if frame != 2 else (0, 0)
    return {'command': command, 'x': x, 'y': y, 'z': height, 'p1': p1, 'p2': p2, 'p3': p3, 'p4': p4, 'frame': frame, 'auto': 1}


class Client(mavlink.Client):
    """One client; it answers for itself with a heartbeat and may sign."""

    def __init__(self, kind, port, key=None):
        super().__init__(kind, port)
        self.seen, self.key, self.stamp = [], key, 0

    def send_bytes(self, data):
        self.sock.send(data)

    def send(self, name, /, **values):
        values = {'system': 1, 'component': 1, **values}
        if self.key is None:
            super().send(name, **values)
            return
        self.seq += 1
        self.stamp += 1
        frame = bytearray(mavlink.encode(name, self.seq, **values))
        frame[2] = 1 # signed, which the checksum covers
        frame[-2:] = struct.pack('<H', mavlink.crc16(bytes(frame[1:-2]) + bytes([mavlink.MESSAGES[name][1]])))
        frame += b'\x07' + struct.pack('<Q', self.stamp)[:6]
        self.sock.send(bytes(frame) + hashlib.sha256(self.key + frame).digest()[:6])

    def look(self, seconds=0.0):
        """Read what comes within that time of the wall; @return whether anything came"""
        if select.select([self.sock], [], [], seconds)[0]:
            self.seen += self.read()
            return True
        return False

    def expect(self, *names, accept=lambda m: True, patience_s=PATIENCE_S):
        """The next message of one of these kinds; those before it are forgotten."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            while self.seen:
                message = self.seen.pop(0)
                if message.name in names and accept(message):
                    return message
            self.look(max(0.0, end - time.monotonic()))
        raise TimeoutError(f'no {names}')

    def command(self, number, p1=0.0, p2=0.0, p3=0.0, p4=0.0, p5=0.0, p6=0.0, p7=0.0, wait=True):
        """The result of a command, which is waited for"""
        self.seen.clear()
        self.send('COMMAND_LONG', command=number, p1=p1, p2=p2, p3=p3, p4=p4, p5=p5, p6=p6, p7=p7)
        return self.ack(number) if wait else None

    def command_int(self, number, north, east, height, p1=0.0, p2=0.0, p3=0.0, p4=NAN, frame=6):
        self.seen.clear()
        x, y = place(north, east)
        self.send('COMMAND_INT', command=number, x=x, y=y, z=height, p1=p1, p2=p2, p3=p3, p4=p4, frame=frame)
        return self.ack(number)

    def ack(self, number):
        return self.expect('COMMAND_ACK', accept=lambda m: m.command == number and m.result != 5).result

    def run(self, seconds, heartbeat=True):
        """Let vehicle time pass, and stand still then."""
        if heartbeat:
            self.heartbeat()
        assert self.command(BARRIER, 2.0, seconds) == 0

    def hold_time(self):
        assert self.command(BARRIER, 1.0) == 0

    def leave_time(self):
        assert self.command(BARRIER, 0.0) == 0

    def event(self, count=1):
        for _ in range(count):
            assert self.command(BARRIER, 3.0) == 0

    def mode(self, mode):
        return self.command(SET_MODE, 1.0, float(mode[0]), float(mode[1]))

    def takeoff(self, height):
        """Armed, and on its way to a height above home [m]"""
        assert self.command(ARM, 1.0) == 0
        assert self.command(TAKEOFF, p4=NAN, p5=NAN, p6=NAN, p7=ALT + height) == 0

    def goto(self, north, east, height, speed=-1.0, heading=NAN):
        return self.command_int(REPOSITION, north, east, height, p1=speed, p2=1.0, p4=heading)

    def set_param(self, name, value):
        raw, kind = mavlink.param_bits(value)
        self.send('PARAM_SET', bits=raw, param=name.encode().ljust(16, b'\0'), type=kind)
        self.expect('PARAM_VALUE', accept=lambda m: m.param.rstrip(b'\0') == name.encode())

    def upload(self, items, kind=0):
        """The answer to the upload of a plan"""
        self.seen.clear()
        self.send('MISSION_COUNT', count=len(items), kind=kind)
        while True:
            message = self.expect('MISSION_REQUEST_INT', 'MISSION_ACK', patience_s=5.0)
            if message.name == 'MISSION_ACK':
                return message.type
            self.send('MISSION_ITEM_INT', item=message.item, kind=kind, **items[min(message.item, len(items) - 1)])

    def download(self, kind=0):
        self.seen.clear()
        self.send('MISSION_REQUEST_LIST', kind=kind)
        count = self.expect('MISSION_COUNT').count
        for number in range(count):
            self.send('MISSION_REQUEST_INT', item=number, kind=kind)
            self.expect('MISSION_ITEM_INT', accept=lambda m, number=number: m.item == number)
        self.send('MISSION_ACK', kind=kind)
        return count

    def sticks(self, x=0, y=0, z=500, r=0):
        self.send('MANUAL_CONTROL', x=x, y=y, z=z, r=r)

    def setpoint(self, mask, frame=1, **values):
        self.send('SET_POSITION_TARGET_LOCAL_NED', mask=mask, frame=frame, **values)

    def steer(self, seconds, say, step=0.25):
        """Repeat control inputs while vehicle time passes. @param say  a function without arguments"""
        for _ in range(round(seconds / step)):
            say()
            self.run(step)

    def file(self, operation, data=b'', offset=0, session=0, size=None):
        """One request of MAVLink FTP and the payload of its answer"""
        payload = struct.pack('<HBBBBBBI', self.seq & 0xFFFF, session, operation, len(data) if size is None else size, 0, 0, 0,
                              offset) + data
        self.send('FILE_TRANSFER_PROTOCOL', payload=payload.ljust(251, b'\0'))
        return self.expect('FILE_TRANSFER_PROTOCOL').payload

    def inject(self, unit, kind):
        return self.command(INJECT, float(unit), float(kind))


class Drone(drone.Drone):
    """build/mayfly that records. Its links: TCP and, if asked for, UDP; the API is on any port."""

    def __init__(self, mayfly, path, *args, rates=None, tcp=('--tcp', '0'), udp=('--udp', 'none', '--udp-out', 'none')):
        streams = [word for name, hz in (RATES if rates is None else rates).items() for word in ('--stream', f'{name}={hz}')]
        if rates is None:
            streams += ['--profile', 'min']
        self.path, self.state = path, tempfile.TemporaryDirectory()
        super().__init__('--api', '127.0.0.1:0', '--epoch', '2026-03-01', '--record', path, *streams,
                         *(word.replace('STATE', self.state.name) for word in args), base=[*tcp, *udp], program=mayfly)

    def __exit__(self, *failure):
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.close()
        time.sleep(0.05)
        code, _ = self.end()
        self.state.cleanup()
        if failure[0] is not None:
            sys.stderr.write(''.join(self.lines))
        elif code != 0:
            raise AssertionError(f'exit code {code}: {"".join(self.lines)}')

    def client(self, kind='tcp', key=None, held=False):
        """@param held  its first message holds vehicle time"""
        client = self.opened(Client(kind, self.port(kind), key))
        if held:
            client.hold_time()
        client.heartbeat()
        return client

    def ask(self, method, path, body=None):
        status, answer = ask_document(int(self.wait_for(r'http://\S+?:(\d+)')[1]), method, path, body)
        assert status < 300, answer
        return answer

    def controller(self):
        """The time socket: a function that says a line and waits until time stands."""
        return super().controller().at
