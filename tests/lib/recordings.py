# SPDX-License-Identifier: Apache-2.0
"""Recordings of a drone (docs/recording.md), and tests that fly to have one."""
import signal
import struct
import subprocess

from drone import Drone
from folder_case import FolderCase
from mavlink import content, crc16, frame_size
from paths import REPLAY

SETTING, STORED, BOOT, CLOCK, JUMP, IN, OUT, SAVED, END = 1, 2, 4, 5, 9, 10, 11, 14, 15
HEADER = b'MFRC\x01\0\0\0'


def records(data):
    """(type, payload) of each record, by the description in docs/recording.md."""
    assert data[:8] == HEADER, data[:8]
    at = 8
    while at + 5 <= len(data):
        n = struct.unpack_from('<H', data, at + 1)[0]
        if at + 5 + n > len(data):
            return
        assert crc16(data[at:at + 3 + n]) == struct.unpack_from('<H', data, at + 3 + n)[0]
        yield data[at], data[at + 3:at + 3 + n]
        at += 5 + n


def record(kind, payload):
    body = struct.pack('<BH', kind, len(payload)) + payload
    return body + struct.pack('<H', crc16(body))


def recording(of):
    """Of (type, payload) of each record."""
    return HEADER + b''.join(record(kind, payload) for kind, payload in of)


def exchanged(data):
    """[(vehicle time [us], IN or OUT, payload)]: which bytes the drone took and sent, and when."""
    now_us, found = 0, []
    for kind, payload in records(data):
        if kind == BOOT:
            now_us = 0
        elif kind == CLOCK:
            now_us = struct.unpack_from('<q', payload)[0]
        elif kind in (IN, OUT):
            found.append((now_us, kind, payload))
    return found


def sent(data, link=0):
    """(vehicle time [us], message, payload of 255 bytes) of all frames that left on a link."""
    for now_us, kind, payload in exchanged(data):
        if kind == OUT and struct.unpack_from('<H', payload)[0] == link:
            assert payload[2] == 0xFD, 'MAVLink 2'
            message, fields = content(payload[2:])
            yield now_us, message, fields.ljust(255, b'\0')


def telemetry_log(data):
    """(time [us], frame) of each frame in a telemetry log."""
    at = 0
    while at < len(data):
        end = at + 8 + frame_size(data, at + 8)
        assert end <= len(data)
        yield struct.unpack_from('>Q', data, at)[0], data[at + 8:end]
        at = end


def replay(*args):
    return subprocess.run([REPLAY, *args], capture_output=True, text=True, timeout=60, check=False)


class RecordedCase(FolderCase):
    """Each test has a file for one flight."""

    def setUp(self):
        super().setUp()
        self.flight = self.path('flight.mfr')

    def fly(self, *args, more=('--side', '30'), end=signal.SIGTERM):
        """@return the recording"""
        with Drone('--record', self.flight, *args) as drone:
            flown = drone.fly('--quiet', *more)
            self.assertEqual(flown.returncode, 0, flown.stdout + flown.stderr)
            drone.end(end)
        return self.recorded()

    def recorded(self):
        return self.bytes(self.flight)

    def replays(self, *args):
        """A fresh vehicle does with the recording's input what the recorded one did."""
        result = replay(*args, self.flight)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r': equal: \d+ records, [0-9.]+ s\n$')
        return result

    def kinds(self):
        return [kind for kind, _ in records(self.recorded())]

    def settings(self):
        return [payload.decode() for kind, payload in records(self.recorded()) if kind == SETTING]
