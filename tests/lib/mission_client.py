# SPDX-License-Identifier: Apache-2.0
"""A client of MAVLink's mission protocol on a TCP link."""
import socket
import struct

from drone import PATIENCE_S, Peer
from mavlink import MISSION_ACK, MISSION_COUNT, MISSION_ITEM_INT, MISSION_REQUEST_INT, MISSION_REQUEST_LIST, WAYPOINT, frame

ITEM = struct.Struct('<4fiifHHBBBBBB')      # MISSION_ITEM_INT
LAT, LON = 473977420, 85455940


def item(seq, command, lat, lon, height):
    return ITEM.pack(0, 0, 0, 0, lat, lon, height, seq, command, 1, 1, 6, seq == 0, 1, 0)


def waypoint(seq):
    return item(seq, WAYPOINT, LAT + seq, LON - seq, 10.0 + seq % 50)


class MissionClient(Peer):
    def __init__(self, port):
        super().__init__(socket.create_connection(('127.0.0.1', port)))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.settimeout(PATIENCE_S)

    def next(self, *wanted):
        """The next message of one of these kinds: its id and payload, as long as it may be."""
        while True:
            while self.frames.found:
                msgid, payload = self.frames.found.pop(0)
                if msgid in wanted:
                    return msgid, payload + bytes(64)
            data = self.sock.recv(65536)
            if not data:
                raise AssertionError('the link was closed')
            self.frames.feed(data)

    def begin_upload(self, count):
        self.send(frame(MISSION_COUNT, struct.pack('<HBBB', count, 1, 1, 0)))

    def upload(self, items):
        """The result of the upload."""
        self.begin_upload(len(items))
        while True:
            msgid, payload = self.next(MISSION_REQUEST_INT, MISSION_ACK)
            if msgid == MISSION_ACK:
                return payload[2]
            self.send(frame(MISSION_ITEM_INT, items[struct.unpack_from('<H', payload)[0]]))

    def download(self, kind=0):
        self.send(frame(MISSION_REQUEST_LIST, struct.pack('<BBB', 1, 1, kind)))
        count = struct.unpack_from('<H', self.next(MISSION_COUNT)[1])[0]
        found = []
        for seq in range(count):
            self.send(frame(MISSION_REQUEST_INT, struct.pack('<HBBB', seq, 1, 1, kind)))
            found.append(self.next(MISSION_ITEM_INT)[1])
        self.send(frame(MISSION_ACK, struct.pack('<BBBB', 1, 1, 0, kind)))
        return found
