# SPDX-License-Identifier: Apache-2.0
"""Clients of gzuav in a swarm (docs/cosim.md), byte for byte."""
import socket
import struct

from connections import Connection

# A client as users of gzuav have it: it subscribes, prints what it is told, and says that it is done. argv: port, phase, ticks.
SCRIPT = '''
import socket, struct, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
phase = int(sys.argv[2])
s.sendall(bytes([phase]))
def get(n):
    d = b""
    while len(d) < n:
        p = s.recv(n - len(d))
        if not p: sys.exit("closed")
        d += p
    return d
for k in range(int(sys.argv[3])):
    t, = struct.unpack("<d", get(8))
    uavs = []
    if phase == 1:
        uavs = [struct.unpack("<I3d", get(28)) for _ in range(struct.unpack("<I", get(4))[0])]
    print("%.9f" % t, *("%d:%.3f,%.3f,%.3f" % u for u in uavs))
    s.sendall(b"!")
'''


class Subscriber(Connection):
    def __init__(self, port, phase):
        super().__init__(socket.create_connection(('127.0.0.1', port)))
        self.phase = phase
        self.socket.sendall(bytes([phase]))

    def begin(self):
        t, = struct.unpack('<d', self.exactly(8))
        places = []
        if self.phase == 1:
            n, = struct.unpack('<I', self.exactly(4))
            places = [struct.unpack('<I3d', self.exactly(28)) for _ in range(n)]
        return t, places

    def end(self):
        self.socket.sendall(b'!')


class Node(Connection):
    def __init__(self, port, number):
        super().__init__(socket.create_connection(('127.0.0.1', port)))
        self.socket.sendall(struct.pack('<I', number))

    def send(self, to, payload):
        self.socket.sendall(struct.pack('<Ii', 4 + len(payload), to) + payload)
        assert self.exactly(1) == b'!'

    def receive(self):
        n, sender = struct.unpack('<II', self.exactly(8))
        payload = self.exactly(n - 4)
        self.socket.sendall(b'!')
        return sender, payload
