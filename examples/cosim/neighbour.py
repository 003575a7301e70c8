#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""neighbour.py: it stands on a drone, and says to all others that it is there each second; then until when it has heard each of them.

It ends when it has heard nobody for some seconds."""
import os
import socket
import time

PORT, SILENT = 5000, 5  # [s]


def main():
    begin = time.time()
    radio = socket.socket(type=socket.SOCK_DGRAM)
    radio.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    radio.bind(('', PORT))
    radio.setblocking(False)
    heard = {}
    while not heard or max(heard.values()) > time.time() - SILENT:
        radio.sendto(b'here', ('10.255.255.255', PORT))
        time.sleep(1)
        try:
            while True:
                heard[radio.recvfrom(100)[1][0]] = time.time()
        except BlockingIOError:
            pass
    for other, last in sorted(heard.items()):
        print(f"{os.environ['SWARM_ADDRESS']}: the last of {other} at {last - begin:.0f} s", flush=True)


if __name__ == '__main__':
    main()
