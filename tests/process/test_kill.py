# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments, while a client writes: what was acknowledged is there after a restart, and of what was not,
everything or nothing. MF_SEED chooses the moments; a failure prints the line that repeats it."""
import os
import random
import signal
import struct
import tempfile
import time
import unittest

import pytest

from cases import cases
from drone import Drone
from mavlink import (ANY, MISSION_ACK, MISSION_COUNT, MISSION_ITEM_INT, MISSION_REQUEST_INT, MISSION_REQUEST_LIST, frame,
                     read_param, set_param)
from mission_client import ITEM

KILLS = cases(6, 60)
SEED = int(os.environ.get('MF_SEED', str(random.randrange(1 << 30))))
PARAMS = ('MPC_XY_CRUISE', 'MPC_Z_VEL_MAX_UP', 'RTL_RETURN_ALT', 'MIS_TAKEOFF_ALT')
MISSION, FENCE, RALLY = 0, 1, 2
COMMAND = {MISSION: (16, 6), FENCE: (5001, 5), RALLY: (5100, 3)}


class Client:
    """Writes without end; what it has ordered and what was acknowledged is noted as it happens."""

    def __init__(self, peer, rng):
        self.peer, self.rng = peer, rng

    def pump(self, wanted, until):
        """The payload of the next message of that kind, or None when the time is up or the drone is gone."""
        return self.peer.expect(wanted, patience_s=until - time.monotonic())

    def set(self, name, value, until):
        self.peer.send(set_param(name, value))
        return self.peer.param(name, until - time.monotonic()) == struct.unpack('<f', struct.pack('<f', value))[0]

    def upload(self, kind, items, until):
        self.peer.send(frame(MISSION_COUNT, struct.pack('<HBBB', len(items), 1, 1, kind)))
        for seq, (x, y) in enumerate(items):
            if self.pump(MISSION_REQUEST_INT, until) is None:
                return False
            command, place = COMMAND[kind]
            p1 = float(len(items)) if kind == FENCE else 0.0
            self.peer.send(frame(MISSION_ITEM_INT, ITEM.pack(p1, 0, 0, ANY if kind == MISSION else 0.0, x, y, 20.0 if kind != FENCE else 0.0,
                                                             seq, command, 1, 1, place, 0, 1, kind)))
        payload = self.pump(MISSION_ACK, until)
        return payload is not None and payload.ljust(4, b'\0')[2] == 0

    def download(self, kind):
        until = time.monotonic() + 5
        self.peer.send(frame(MISSION_REQUEST_LIST, struct.pack('<BBB', 1, 1, kind)))
        payload = self.pump(MISSION_COUNT, until)
        assert payload is not None
        found = []
        for seq in range(struct.unpack('<H', payload[:2])[0]):
            self.peer.send(frame(MISSION_REQUEST_INT, struct.pack('<HBBB', seq, 1, 1, kind)))
            item = self.pump(MISSION_ITEM_INT, until)
            assert item is not None
            found.append(struct.unpack('<ii', item[16:24]))
        self.peer.send(frame(MISSION_ACK, struct.pack('<BBBB', 1, 1, 0, kind)))
        return found


class Kill(unittest.TestCase):
    def order(self, client, kept, until):
        """One more; @return what it was about, and its value if nobody said whether it is kept."""
        rng = client.rng
        if rng.random() < 0.6:
            name, value = rng.choice(PARAMS), round(rng.uniform(2.5, 9.5), 2)
            done, key = client.set(name, value, until), name
        else:
            key = rng.choice((MISSION, FENCE, RALLY))
            value = [(474000000 + rng.randrange(99999), 85000000 + rng.randrange(99999)) for _ in range(rng.randint(3, 9))]
            done = client.upload(key, value, until)
        if done:
            kept[key] = value
            return None, None
        return key, value

    def one_life(self, folder, rng, kept):
        """Until it is killed. @return what was being written"""
        with Drone('--tcp', '0', '--state', folder) as drone:
            peer = drone.tcp()
            client = Client(peer, rng)
            until = time.monotonic() + rng.uniform(0.0, 0.15)
            key = value = None
            while key is None and time.monotonic() < until:
                key, value = self.order(client, kept, until)
            drone.end(signal.SIGKILL)
            return key, value

    def check(self, folder, kept, key, value):
        with Drone('--tcp', '0', '--state', folder) as drone:
            peer = drone.tcp()
            client = Client(peer, None)
            for what, before in kept.items():
                if what in PARAMS:
                    peer.send(read_param(what))
                    found = round(peer.param(what), 2)
                else:
                    found = client.download(what)
                allowed = [before, value] if what == key else [before]
                self.assertIn(found, allowed, what)
                kept[what] = found
            self.assertEqual(drone.end()[0], 0)

    @pytest.mark.long
    def test_what_was_acknowledged_is_there(self):
        rng = random.Random(SEED)
        kept = {MISSION: [], FENCE: [], RALLY: []}
        cut = 0
        with tempfile.TemporaryDirectory() as folder:
            for life in range(KILLS):
                try:
                    key, value = self.one_life(folder, rng, kept)
                    cut += key is not None
                    self.check(folder, kept, key, value)
                except BaseException:
                    print(f'reproduce: MF_SEED={SEED} MF_LONG=1 make process ONLY=test_kill.py    # life {life}')
                    raise
        print(f'note: killed {KILLS} times, {cut} times while something was written')
