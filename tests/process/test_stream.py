# SPDX-License-Identifier: Apache-2.0
"""What a TCP client may do to its stream without losing the next command: pauses, stray bytes, half frames (SIM-014)."""
import random
import struct
import time
import unittest

from drone import Drone
from mavlink import AUTOPILOT_VERSION, COMMAND_LONG, REQUEST_MESSAGE, encode, frame

COMMAND = encode('COMMAND_LONG', 0, p1=AUTOPILOT_VERSION, command=REQUEST_MESSAGE, system=1, component=1)
STRAY = bytes.fromhex('fe3719f0ef377940ac370bfe4956c0348a989b')
CLIENTS = 40


def header(rng):
    """What looks like the beginning of a frame: of HEARTBEAT, COMMAND_LONG, FILE_TRANSFER_PROTOCOL, or of any message."""
    msgid, length = rng.choice((0, COMMAND_LONG, 110, rng.randrange(256))), rng.randrange(256)
    if rng.random() < 0.5:
        return struct.pack('<6B', 0xFE, length, 0, 255, 190, msgid)
    return struct.pack('<10B', 0xFD, length, rng.randrange(2), 0, 0, 255, 190, msgid, rng.choice((0, 0, 7)), 0)


def swallower():
    """The header of an unknown message that would end with the command behind it."""
    return struct.pack('<10B', 0xFD, len(COMMAND) - 2, 0, 0, 0, 255, 190, 0x39, 0x30, 0)


def prefix(rng):
    """Stray bytes, headers, and frames that lost their end."""
    parts = []
    for _ in range(rng.randrange(1, 6)):
        kind = rng.randrange(3)
        if kind == 0:
            parts.append(rng.randbytes(rng.randrange(1, 60)))
        elif kind == 1:
            parts.append(header(rng))
        else:
            parts.append(frame(COMMAND_LONG, rng.randbytes(33))[:rng.randrange(1, 44)])
    return b''.join(parts) + (swallower() if rng.random() < 0.3 else b'')


class Stream(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.drone = cls.enterClassContext(Drone('--profile', 'min'))

    def test_sim014_a_command_behind_stray_bytes_is_answered(self):
        peer = self.drone.tcp()
        peer.send(STRAY)
        time.sleep(0.01)
        peer.send(COMMAND)
        self.assertEqual(peer.ack(REQUEST_MESSAGE), 0)

    def test_sim014_a_pause_within_a_frame_costs_nothing(self):
        peers = [self.drone.tcp() for _ in COMMAND[1:]]
        for cut, peer in enumerate(peers, 1):
            peer.send(COMMAND[:cut])
        time.sleep(0.3)
        for cut, peer in enumerate(peers, 1):
            peer.send(COMMAND[cut:])
        self.assertEqual([peer.ack(REQUEST_MESSAGE) for peer in peers], [0] * len(peers))

    def test_sim014_a_command_is_answered_behind_anything(self):
        rng = random.Random(42)
        peers = [self.drone.tcp() for _ in range(CLIENTS)]
        before = [prefix(rng) for _ in peers]
        for peer, stray in zip(peers, before):
            cut = rng.randrange(len(stray) + 1)
            peer.send(stray[:cut])
            peer.send(stray[cut:] + COMMAND)
        for peer, stray in zip(peers, before):
            with self.subTest(before=stray.hex()):
                self.assertEqual(peer.ack(REQUEST_MESSAGE), 0)
