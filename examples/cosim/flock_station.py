#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flock_station.py PORT...: a ground station that speaks with a drone at each port: a HEARTBEAT each second, and whether it hears them.

It ends when all of them have been silent for some seconds."""
import socket
import sys
import time

from station import heartbeat

SILENT = 12  # [s]


def main():
    begin = time.time()
    heard, links = {}, {}
    for port in map(int, sys.argv[1:]):
        links[port] = socket.socket(type=socket.SOCK_DGRAM)
        links[port].connect(('127.0.0.1', port))
        links[port].setblocking(False)
    sequence = 0
    while len(heard) < len(links) or max(heard.values()) > time.time() - SILENT:
        for port, link in links.items():
            try:
                while link.recv(65536):
                    heard[port] = time.time()
            except BlockingIOError:
                pass
            link.send(heartbeat(sequence))
        sequence += 1
        time.sleep(1)
    for number, port in enumerate(links):
        print(f'station: the last of drone {number + 1} at {heard[port] - begin:.0f} s', flush=True)


if __name__ == '__main__':
    main()
