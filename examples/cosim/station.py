#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""station.py PORT: a ground station in lockstep with a swarm: a HEARTBEAT each second of the swarm's time, and what is heard.

It takes its time from the swarm as gzuav's clients do (docs/cosim.md), and its link at PORT crosses the network."""
import os
import socket
import struct
import sys


def heartbeat(sequence):
    """A frame of MAVLink 2: HEARTBEAT of a ground station, system 255."""
    body = struct.pack('<BBBBBBHB', 9, 0, 0, sequence & 255, 255, 190, 0, 0) + struct.pack('<IBBBBB', 0, 6, 8, 0, 4, 3)
    crc = 0xFFFF
    for byte in body + bytes([50]):
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return b'\xfd' + body + struct.pack('<H', crc & 0xFFFF)


def main():
    if len(sys.argv) != 2 or 'SWARM_GZUAV_LISTEN' not in os.environ:
        sys.exit(__doc__ + '\nThe swarm starts it: build/mayfly-swarm examples/cosim/lost_station.yaml')
    host, port = os.environ['SWARM_GZUAV_LISTEN'].rsplit(':', 1)
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.connect(('127.0.0.1', int(sys.argv[1])))
    link.setblocking(False)
    clock = socket.create_connection((host, int(port)))
    clock.sendall(b'\0')  # phase 0: at each tick, before packets are carried
    hears = None
    tick = 0
    while len(time := clock.recv(8, socket.MSG_WAITALL)) == 8:
        got = 0
        try:
            while True:
                got += len(link.recv(65536))
        except (BlockingIOError, ConnectionRefusedError):
            pass
        if hears != (got > 0):
            hears = got > 0
            print(f'station: {struct.unpack("<d", time)[0]:.0f} s: {"hears the drone" if hears else "hears nothing"}', flush=True)
        link.send(heartbeat(tick))
        tick += 1
        clock.sendall(b'!')


if __name__ == '__main__':
    main()
