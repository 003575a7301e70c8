# SPDX-License-Identifier: Apache-2.0
"""A client of gzuav's synchronisation server: python3 gzuav_client.py PORT PHASE TICKS. It knows nothing of Mayfly. It says its phase, and
at each tick it is told the time, in phase 1 also where all vehicles are; a byte says that it is done."""
import socket
import struct
import sys

if len(sys.argv) != 4:
    sys.exit(__doc__)
port, phase, ticks = map(int, sys.argv[1:4])
server = socket.create_connection(('127.0.0.1', port))
server.sendall(bytes([phase]))


def get(size):
    data = b''
    while len(data) < size:
        part = server.recv(size - len(data))
        if not part:
            sys.exit('closed')
        data += part
    return data


for _ in range(ticks):
    at, = struct.unpack('<d', get(8))
    vehicles = []
    if phase == 1:
        count, = struct.unpack('<I', get(4))
        vehicles = [struct.unpack('<I3d', get(28)) for _ in range(count)]
    print(f'phase {phase}  {at:.9f}', *('%d:%.3f,%.3f,%.3f' % vehicle for vehicle in vehicles))
    server.sendall(b'!')
