# SPDX-License-Identifier: Apache-2.0
"""As much MAVLink 2 as measuring needs, independent of the code under test. Python 3 standard library only."""
import binascii
import socket
import struct

REVERSED = bytes(int(f'{b:08b}'[::-1], 2) for b in range(256))

# name: (id, CRC_EXTRA, layout in wire order, fields); extension fields are not needed here
MESSAGES = {
    'HEARTBEAT': (0, 50, '<IBBBBB', 'custom_mode type autopilot base_mode system_status mavlink_version'),
    'SYS_STATUS': (1, 124, '<IIIHHhHHHHHHb', 'present enabled health load voltage current drop comm e1 e2 e3 e4 battery'),
    'GPS_RAW_INT': (24, 24, '<QiiiHHHHBB', 'usec lat lon alt eph epv vel cog fix sats'),
    'ATTITUDE': (30, 39, '<Iffffff', 'boot_ms roll pitch yaw rollspeed pitchspeed yawspeed'),
    'LOCAL_POSITION_NED': (32, 185, '<Iffffff', 'boot_ms x y z vx vy vz'),
    'GLOBAL_POSITION_INT': (33, 104, '<IiiiihhhH', 'boot_ms lat lon alt relative_alt vx vy vz heading'),
    'MISSION_COUNT': (44, 221, '<HBB', 'count system component'),
    'MISSION_ITEM_REACHED': (46, 11, '<H', 'seq'),
    'MISSION_ACK': (47, 153, '<BBB', 'system component result'),
    'MISSION_REQUEST_INT': (51, 196, '<HBB', 'seq system component'),
    'MISSION_ITEM_INT': (73, 38, '<ffffiifHHBBBBB',
                         'p1 p2 p3 p4 x y z seq command system component frame current auto'),
    'COMMAND_INT': (75, 158, '<ffffiifHBBBBB', 'p1 p2 p3 p4 x y z command system component frame current auto'),
    'COMMAND_LONG': (76, 152, '<fffffffHBBB', 'p1 p2 p3 p4 p5 p6 p7 command system component confirmation'),
    'COMMAND_ACK': (77, 143, '<HB', 'command result'),
    'HOME_POSITION': (242, 104, '<iiifffffffff', 'lat lon alt x y z q1 q2 q3 q4 ax ay'),
    'EXTENDED_SYS_STATE': (245, 130, '<BB', 'vtol landed'),
    'STATUSTEXT': (253, 83, '<B50s', 'severity text'),
}
NAMES = {m[0]: name for name, m in MESSAGES.items()}
ARM, TAKEOFF, REPOSITION, REQUEST_MESSAGE = 400, 22, 192, 512


def crc16(data):
    """CRC-16/MCRF4XX, by way of CRC-CCITT with its input and output reflected."""
    crc = binascii.crc_hqx(data.translate(REVERSED), 0xFFFF)
    return REVERSED[crc & 255] << 8 | REVERSED[crc >> 8]


class Message:
    def __init__(self, name, fields):
        self.name = name
        self.__dict__.update(fields)


def encode(name, seq, /, **values):
    number, extra, layout, fields = MESSAGES[name]
    payload = struct.pack(layout, *(values.get(field, 0) for field in fields.split())).rstrip(b'\0') or b'\0'
    head = struct.pack('<BBBBBBBHB', 0xFD, len(payload), 0, 0, seq & 255, 255, 190, number & 0xFFFF, number >> 16)
    return head + payload + struct.pack('<H', crc16(head[1:] + payload + bytes([extra])))


class Parser:
    def __init__(self):
        self.rest = b''
        self.frames = 0

    def feed(self, data):
        """The known messages in what has come so far, checksums verified."""
        self.rest += data
        while True:
            at = self.rest.find(b'\xfd')
            if at < 0:
                self.rest = b''
                return
            self.rest = self.rest[at:]
            if len(self.rest) < 12:
                return
            length = self.rest[1]
            whole = 12 + length + (13 if self.rest[2] & 1 else 0)  # a signature
            if len(self.rest) < whole:
                return
            number = self.rest[7] | self.rest[8] << 8 | self.rest[9] << 16
            name = NAMES.get(number)
            frame = self.rest[:whole]
            if name is None:  # cannot be checked here; taken whole
                self.rest = self.rest[whole:]
                self.frames += 1
                continue
            _, extra, layout, fields = MESSAGES[name]
            if crc16(frame[1:10 + length] + bytes([extra])) != struct.unpack('<H', frame[10 + length:12 + length])[0]:
                self.rest = self.rest[1:]
                continue
            self.rest = self.rest[whole:]
            self.frames += 1
            size = struct.calcsize(layout)
            payload = frame[10:10 + length].ljust(size, b'\0')[:size]
            yield Message(name, zip(fields.split(), struct.unpack(layout, payload)))


class Client:
    """One ground station on one TCP or UDP connection. The socket does not block."""

    def __init__(self, kind, port, host='127.0.0.1'):
        self.parser = Parser()
        self.seq = 0
        self.last = {}
        if kind == 'tcp':
            self.sock = socket.create_connection((host, port), timeout=5)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.sock.connect((host, port))
        self.sock.setblocking(False)

    def send(self, name, /, **values):
        self.seq += 1
        self.sock.send(encode(name, self.seq, **values))

    def heartbeat(self):
        self.send('HEARTBEAT', type=6, autopilot=8, mavlink_version=3)

    def command(self, command, **params):
        self.send('COMMAND_LONG', command=command, system=1, component=1, **params)

    def drain(self):
        """Read what is there without looking at it."""
        count = 0
        try:
            while True:
                data = self.sock.recv(65536)
                if not data:
                    raise ConnectionError('the drone closed the connection')
                count += len(data)
        except BlockingIOError:
            return count

    def read(self):
        """Messages that have arrived; the newest of each kind is kept in last. A drone may send faster than this reads."""
        messages = []
        try:
            for _ in range(4):
                data = self.sock.recv(65536)
                if not data:
                    raise ConnectionError('the drone closed the connection')
                messages.extend(self.parser.feed(data))
        except BlockingIOError:
            pass
        for message in messages:
            self.last[message.name] = message
        return messages

    def close(self):
        self.sock.close()
