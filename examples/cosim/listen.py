#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""listen.py HOST PORT SECONDS: reads what a drone sends for some seconds, by its own clock, and knows nothing of simulations."""
import socket
import sys
import time

link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
link.settimeout(2)
begin, heard = time.time(), 0
while time.time() - begin < float(sys.argv[3]):
    try:
        heard += len(link.recv(4096))
    except socket.timeout:
        pass
print(f'{heard} bytes in {time.time() - begin:.3f} s')
