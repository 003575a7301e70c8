# SPDX-License-Identifier: Apache-2.0
"""As much MAVLink 2 as tests and measurements need, independent of the code under test. Python 3 standard library only."""
import binascii
import socket
import struct

ITEM_FIELDS = 'p1 p2 p3 p4 x y z item command system component frame current auto kind'
SETPOINT_FIELDS = 'vx vy vz ax ay az yaw yaw_rate mask system component frame'

# name: (id, CRC_EXTRA, layout in wire order, fields); extension fields are not needed here
MESSAGES = {
    'HEARTBEAT': (0, 50, '<IBBBBB', 'custom_mode type autopilot base_mode system_status mavlink_version'),
    'SYS_STATUS': (1, 124, '<IIIHHhHHHHHHb', 'present enabled health load voltage current drop comm e1 e2 e3 e4 battery'),
    'SET_MODE': (11, 89, '<IBB', 'custom_mode system base_mode'),
    'PARAM_REQUEST_READ': (20, 214, '<hBB16s', 'index system component param'),
    'PARAM_REQUEST_LIST': (21, 159, '<BB', 'system component'),
    'PARAM_VALUE': (22, 220, '<IHH16sB', 'bits count index param type'),
    'PARAM_SET': (23, 168, '<IBB16sB', 'bits system component param type'),
    'GPS_RAW_INT': (24, 24, '<QiiiHHHHBB', 'usec lat lon alt eph epv vel cog fix sats'),
    'ATTITUDE': (30, 39, '<Iffffff', 'boot_ms roll pitch yaw rollspeed pitchspeed yawspeed'),
    'LOCAL_POSITION_NED': (32, 185, '<Iffffff', 'boot_ms x y z vx vy vz'),
    'GLOBAL_POSITION_INT': (33, 104, '<IiiiihhhH', 'boot_ms lat lon alt relative_alt vx vy vz heading'),
    'MISSION_SET_CURRENT': (41, 28, '<HBB', 'item system component'),
    'MISSION_REQUEST_LIST': (43, 132, '<BBB', 'system component kind'),
    'MISSION_COUNT': (44, 221, '<HBBB', 'count system component kind'),
    'MISSION_CLEAR_ALL': (45, 232, '<BBB', 'system component kind'),
    'MISSION_ITEM_REACHED': (46, 11, '<H', 'seq'),
    'MISSION_ACK': (47, 153, '<BBBB', 'system component type kind'),
    'MISSION_REQUEST_INT': (51, 196, '<HBBB', 'item system component kind'),
    'REQUEST_DATA_STREAM': (66, 148, '<HBBBB', 'rate system component stream start'),
    'MANUAL_CONTROL': (69, 243, '<hhhhHB', 'x y z r buttons system'),
    'RC_CHANNELS_OVERRIDE': (70, 124, '<8HBB', 'c1 c2 c3 c4 c5 c6 c7 c8 system component'),
    'MISSION_ITEM_INT': (73, 38, '<ffffiifHHBBBBBB', ITEM_FIELDS),
    'COMMAND_INT': (75, 158, '<ffffiifHBBBBB', 'p1 p2 p3 p4 x y z command system component frame current auto'),
    'COMMAND_LONG': (76, 152, '<fffffffHBBB', 'p1 p2 p3 p4 p5 p6 p7 command system component confirmation'),
    'COMMAND_ACK': (77, 143, '<HB', 'command result'),
    'SET_ATTITUDE_TARGET': (82, 49, '<IffffffffBBB', 'boot_ms q1 q2 q3 q4 p q r thrust system component mask'),
    'SET_POSITION_TARGET_LOCAL_NED': (84, 143, '<IfffffffffffHBBB', 'boot_ms x y z ' + SETPOINT_FIELDS),
    'SET_POSITION_TARGET_GLOBAL_INT': (86, 5, '<IiifffffffffHBBB', 'boot_ms lat lon alt ' + SETPOINT_FIELDS),
    'FILE_TRANSFER_PROTOCOL': (110, 84, '<BBB251s', 'network system component payload'),
    'TIMESYNC': (111, 34, '<qq', 'tc1 ts1'),
    'HIL_STATE_QUATERNION': (115, 4, '<QfffffffiiihhhHHhhh', 'usec q1 q2 q3 q4 p q r lat lon alt vx vy vz ias tas ax ay az'),
    'LOG_REQUEST_LIST': (117, 128, '<HHBB', 'first last system component'),
    'LOG_ENTRY': (118, 56, '<IIHHH', 'utc_s size log count last'),
    'LOG_REQUEST_DATA': (119, 116, '<IIHBB', 'offset count log system component'),
    'LOG_DATA': (120, 134, '<IHB90s', 'offset log count data'),
    'ATT_POS_MOCAP': (138, 109, '<Q7f', 'usec q1 q2 q3 q4 x y z'),
    'FOLLOW_TARGET': (144, 127, '<QQii17fB', 'ms state lat lon alt vn ve vd a1 a2 a3 q1 q2 q3 q4 p q r c1 c2 c3 known'),
    'HOME_POSITION': (242, 104, '<iiifffffffff', 'lat lon alt x y z q1 q2 q3 q4 ax ay'),
    'EXTENDED_SYS_STATE': (245, 130, '<BB', 'vtol landed'),
    'STATUSTEXT': (253, 83, '<B50s', 'severity text'),
    'SETUP_SIGNING': (256, 71, '<QBB32s', 'stamp system component key'),
    'TUNNEL': (385, 147, '<HBBB128s', 'type system component size payload'),
    'OPEN_DRONE_ID_OPERATOR_ID': (12905, 49, '<BB20sB20s', 'system component mac type operator'),
}
NAMES = {m[0]: name for name, m in MESSAGES.items()}
CRC_EXTRA = {m[0]: m[1] for m in MESSAGES.values()}

(HEARTBEAT, SYS_STATUS, SYSTEM_TIME, PARAM_REQUEST_READ, PARAM_REQUEST_LIST, PARAM_VALUE, PARAM_SET, GPS_RAW_INT, ATTITUDE,
 LOCAL_POSITION_NED, GLOBAL_POSITION_INT) = 0, 1, 2, 20, 21, 22, 23, 24, 30, 32, 33
(MISSION_REQUEST, MISSION_REQUEST_LIST, MISSION_COUNT, MISSION_ITEM_REACHED, MISSION_ACK, MISSION_REQUEST_INT,
 MISSION_ITEM_INT) = 40, 43, 44, 46, 47, 51, 73
(MANUAL_CONTROL, COMMAND_INT, COMMAND_LONG, COMMAND_ACK, SET_POSITION_TARGET_LOCAL_NED, FILE_TRANSFER_PROTOCOL, TIMESYNC,
 ATT_POS_MOCAP, AUTOPILOT_VERSION, EXTENDED_SYS_STATE, STATUSTEXT, TUNNEL) = 69, 75, 76, 77, 84, 110, 111, 138, 148, 245, 253, 385
# commands
(WAYPOINT, LAND, TAKEOFF, SET_MODE, REPOSITION, REBOOT, MISSION_START, ARM, REQUEST_MESSAGE,
 BARRIER) = 16, 21, 22, 176, 192, 246, 300, 400, 512, 31010
ACCEPTED, REJECTED, DENIED, IN_PROGRESS = 0, 1, 2, 5
HOLD, RUN, EVENT = 1, 2, 3      # first parameters of BARRIER
ANY = struct.unpack('<f', struct.pack('<I', 0x7FC00000))[0]     # the NaN whose bytes are the same everywhere
REVERSED = bytes(int(f'{byte:08b}'[::-1], 2) for byte in range(256))


def crc16(data):
    """CRC-16/MCRF4XX, by way of CRC-CCITT with its input and output reflected."""
    crc = binascii.crc_hqx(data.translate(REVERSED), 0xFFFF)
    return REVERSED[crc & 0xFF] << 8 | REVERSED[crc >> 8]


def frame(msgid, payload, seq=0, system=255, component=190):
    body = struct.pack('<BBBBBBHB', len(payload), 0, 0, seq & 255, system, component, msgid & 0xFFFF, msgid >> 16) + payload
    return b'\xfd' + body + struct.pack('<H', crc16(body + bytes([CRC_EXTRA[msgid]])))


def encode(name, seq, /, **values):
    """A frame without the zeros at its end."""
    number, _, layout, fields = MESSAGES[name]
    return frame(number, struct.pack(layout, *(values.get(field, 0) for field in fields.split())).rstrip(b'\0') or b'\0', seq)


def command(number, *params, system=1, seq=0):
    """COMMAND_LONG"""
    return frame(COMMAND_LONG, struct.pack('<7fHBBB', *(*params, *[0] * 7)[:7], number, system, 1, 0), seq)


GROUND_STATION = frame(HEARTBEAT, struct.pack('<IBBBBB', 0, 6, 8, 0, 0, 3))     # its HEARTBEAT


def param_name(name):
    return name.encode().ljust(16, b'\0')


def param_bits(value):
    """A parameter's value as PARAM_SET carries it: its bits, and its type."""
    return (struct.unpack('<I', struct.pack('<i', value))[0], 6) if isinstance(value, int) else \
        (struct.unpack('<I', struct.pack('<f', value))[0], 9)


def set_param(name, value):
    """PARAM_SET"""
    return frame(PARAM_SET, struct.pack('<IBB16sB', (bits := param_bits(value))[0], 1, 1, param_name(name), bits[1]))


def read_param(name):
    """PARAM_REQUEST_READ"""
    return frame(PARAM_REQUEST_READ, struct.pack('<hBB16s', -1, 1, 1, param_name(name)))


# ---------------------------------------------------------------- what comes

def frame_size(data, at=0):
    """Length of the frame, of MAVLink 1 or 2, that begins there; its first three bytes must be there."""
    return data[at + 1] + (8 if data[at] == 0xFE else 25 if data[at + 2] & 1 else 12)


def split(data, strict=False):
    """([frame of MAVLink 2], what is left) of a stream of good frames. Other bytes between them are passed over, or with strict
    are an error."""
    frames, at = [], 0
    while len(data) - at >= 12:
        if data[at] != 0xFD:
            assert not strict, data[at:at + 16]
            at += 1
            continue
        end = at + frame_size(data, at)
        if end > len(data):
            break
        frames.append(data[at:end])
        at = end
    return frames, data[at:]


def content(frame_):
    """(message id, payload as short as it was sent)"""
    return int.from_bytes(frame_[7:10], 'little'), frame_[10:10 + frame_[1]]


class Frames:
    """Takes a stream apart: found is a list of (message id, payload)."""

    def __init__(self):
        self.data, self.found = b'', []

    def feed(self, data):
        frames, self.data = split(self.data + data)
        self.found += map(content, frames)


class Message:
    def __init__(self, name, fields):
        self.name = name
        self.__dict__.update(fields)


class Parser:
    """Takes a stream apart into known messages with fields, whose checksums are verified."""

    def __init__(self):
        self.rest = b''
        self.frames = 0

    def feed(self, data):
        """The known messages in what has come so far."""
        self.rest += data
        while True:
            at = self.rest.find(b'\xfd')
            if at < 0:
                self.rest = b''
                return
            self.rest = self.rest[at:]
            if len(self.rest) < 12:
                return
            whole = frame_size(self.rest)
            if len(self.rest) < whole:
                return
            frame_ = self.rest[:whole]
            number, payload = content(frame_)
            name = NAMES.get(number)
            if name is None:  # cannot be checked here; taken whole
                self.rest = self.rest[whole:]
                self.frames += 1
                continue
            end = 10 + len(payload)
            if crc16(frame_[1:end] + bytes([CRC_EXTRA[number]])) != struct.unpack('<H', frame_[end:end + 2])[0]:
                self.rest = self.rest[1:]
                continue
            self.rest = self.rest[whole:]
            self.frames += 1
            _, _, layout, fields = MESSAGES[name]
            size = struct.calcsize(layout)
            yield Message(name, zip(fields.split(), struct.unpack(layout, payload.ljust(size, b'\0')[:size])))


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
