#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bus_bridge.py ADDRESS: a bridge between a swarm (docs/bus.md) and programs that speak something else, such as nodes of ROS.

ADDRESS is the scenario's bus.listen: unix:PATH, or HOST:PORT. Each pose of a member becomes a line of JSON on stdout, in the frame of ROS
(REP 103: x east, y north, z up). A line "GHOST X Y Z" on stdin says where a ghost with link bus is. In a node of ROS, print() is publish()
of a PoseStamped, and the lines of stdin are a subscription.
"""
import json
import os
import select
import socket
import struct
import sys

HEADER = struct.Struct('<BBHIQ')       # version, type, length of the payload, tick, ns
HELLO, POSES, ENTITY, STATE, END, ERROR = 1, 6, 66, 69, 75, 76
FEED = 3


def connect(address):
    if address.startswith('unix:'):
        bus = socket.socket(socket.AF_UNIX)
        bus.connect(address[5:])
    else:
        host, _, port = address.rpartition(':')
        bus = socket.create_connection((host or '127.0.0.1', int(port)))
    send(bus, HELLO, bytes([FEED]) + b'bridge'.ljust(32, b'\0') + os.environ.get('TOKEN', '').encode())
    return bus


def send(bus, kind, payload):
    bus.sendall(HEADER.pack(1, kind, len(payload), 0, 0) + payload)


def tell(names, ns, payload):
    first, count = struct.unpack_from('<II', payload)
    for k in range(count):
        north, east, up, vn, ve, vu, heading, _, flags, _ = struct.unpack_from('<3d4fIBBxx', payload, 8 + 48 * k)
        if flags & 1:                  # its place is known: a ghost that is lost has none
            print(json.dumps({'stamp': ns / 1e9, 'member': names[first + k], 'position': [east, north, up],
                              'velocity': [ve, vn, vu], 'yaw': 1.5707963267948966 - heading}), flush=True)


def main():
    bus, data, names, lines, open_, begun = connect(sys.argv[1]), b'', {}, b'', True, False
    while True:
        ready = select.select([bus] + [0] * (open_ and begun), [], [])[0]    # a line waits until all names are known
        if 0 in ready:
            more = os.read(0, 4096)
            open_ = bool(more)
            *whole, lines = (lines + more).split(b'\n')
            for member, x, y, z in (line.split() for line in whole if line.strip()):
                number = next((n for n, name in names.items() if name == member.decode()), None)
                if number is None:
                    print(f'{member.decode()} is no member of this swarm', file=sys.stderr)
                    continue
                send(bus, POSES, struct.pack('<I4x3d4f', number, float(y), float(x), float(z), *[float('nan')] * 3, 0.0))
        if bus in ready:
            more = bus.recv(65536)
            data += more
            while len(data) >= HEADER.size and len(data) >= HEADER.size + HEADER.unpack_from(data)[2]:
                _, kind, n, _, ns = HEADER.unpack_from(data)
                payload, data = data[HEADER.size:HEADER.size + n], data[HEADER.size + n:]
                if kind == ENTITY:
                    first, count = struct.unpack_from('<II', payload)
                    name = payload[40:72].rstrip(b'\0').decode()
                    names.update({first + k: name if count == 1 else f'{name}.{k + 1}' for k in range(count)})
                elif kind == STATE:
                    begun = True
                    tell(names, ns, payload)
                elif kind == ERROR:
                    sys.exit(f'the swarm sent this bridge away: it {payload.decode()}')
                elif kind == END:
                    return
            if not more:
                return


main()
