# SPDX-License-Identifier: Apache-2.0
"""The bus of a swarm, frame by frame as docs/bus.md has them, with sockets and struct alone."""
import socket
import struct

from connections import Connection
from waiting import wait_until

# what participants say, and what the swarm says
HELLO, DONE, PATH, ORDERS, DETECTIONS, POSES, PACKETS, ARRIVALS, WRITTEN, CLOCK, TASK = (*range(1, 10), 16, 17)
(WELCOME, ENTITY, AREA, PARAMS, STATE, REPORTS, LOOKS, ACKS, TURN, STATISTICS, END, ERROR, COMMANDS, HEARD, NETWORK, SENDS, RUN,
 REACHED) = (*range(65, 79), *range(80, 84))
OBSTACLES, TIME, SCENE, RECEPTIONS, RECORDED, TASKS, ANSWERS, SENSED, CELLS = 96, 98, 99, 100, 101, 104, 105, 106, 107
FOR_EVER = (1 << 64) - 1
HEAD = struct.Struct('<BBHIQ')      # version, type, bytes of the payload, tick, time [ns]


def bus_frame(kind, payload=b'', tick=0, ns=0):
    return HEAD.pack(1, kind, len(payload), tick, ns) + payload


def order(member, message, payload):
    return struct.pack('<III', member, message, len(payload)) + payload


def command_int(number, *params):
    """Payload of COMMAND_INT."""
    p = [*params, *[0.0] * (7 - len(params))]
    return struct.pack('<4fiifHBBBBB', *p[:4], int(p[4]), int(p[5]), p[6], number, 0, 0, 6, 0, 0)


def frames_of(data):
    """(type, time [ns], payload) of each frame of the bus in some bytes; the last one may be cut off."""
    at = 0
    while at + HEAD.size <= len(data):
        version, kind, n, _, ns = HEAD.unpack_from(data, at)
        assert version == 1
        at += HEAD.size + n
        if at <= len(data):
            yield kind, ns, data[at - n:at]


class Participant(Connection):
    """A participant of the bus at a socket of a path; it waits until the swarm listens there."""

    def __init__(self, path, role=1, name=b'test', token=b'', hello=None):
        super().__init__(socket.socket(socket.AF_UNIX))
        wait_until(lambda: self.socket.connect_ex(path) == 0, f'a bus at {path}', 30)
        self.tick = self.ns = 0
        self.send(HELLO, bytes([role]) + name.ljust(32, b'\0') + token) if hello is None else self.socket.sendall(hello)

    def send(self, kind, payload=b'', tick=None):
        self.socket.sendall(bus_frame(kind, payload, self.tick if tick is None else tick))

    def frame(self):
        version, kind, n, self.tick, self.ns = HEAD.unpack(self.exactly(HEAD.size))
        assert version == 1
        return kind, self.exactly(n)

    def until(self, *kinds):
        """The next frame of one of some types, and all before it by their type."""
        seen = {}
        while True:
            kind, payload = self.frame()
            seen[kind] = payload
            if kind in kinds:
                return kind, seen

    def done(self, until=0, on_report=0):
        self.send(DONE, struct.pack('<QB7x', until, on_report))

    def go(self, member, where, *goals):
        self.send(PATH, struct.pack('<IB3x', member, where) + b''.join(struct.pack('<4d', *goal) for goal in goals))
