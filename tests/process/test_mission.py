# SPDX-License-Identifier: Apache-2.0
"""Missions over real links: long ones, and our own client on a network that loses, doubles and overtakes frames.
MAYFLY and FLY name the binaries."""
import concurrent.futures
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

import pytest

from cases import cases
from lossy import Network
from test_process import crc16

MAYFLY = os.path.abspath(os.environ.get('MAYFLY', 'build/mayfly'))
FLY = os.path.abspath(os.environ.get('FLY', 'build/fly'))
LOSSY_RUNS = cases(8, 20)
CLIENTS_AT_ONCE = 50

COUNT, REQUEST_INT, ITEM_INT, ACK, REQUEST_LIST = 44, 51, 73, 47, 43
CRC_EXTRA = {0: 50, COUNT: 221, REQUEST_INT: 196, ITEM_INT: 38, ACK: 153, REQUEST_LIST: 132}
ITEM = struct.Struct('<4fiifHHBBBBBB')


def frame(msgid, payload):
    body = struct.pack('<BBBBBBHB', len(payload), 0, 0, 0, 255, 190, msgid, 0) + payload
    return b'\xfd' + body + struct.pack('<H', crc16(body + bytes([CRC_EXTRA[msgid]])))


class Drone:
    def __init__(self, *args):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('MAYFLY_', 'PX4_'))}
        self.process = subprocess.Popen([MAYFLY, *args], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=env,
                                        text=True)

    def port(self, kind):
        for line in self.process.stderr:
            found = re.search(rf'{kind} \S+:(\d+): MAVSDK', line)
            if found:
                return int(found[1])
        raise AssertionError('mayfly does not listen')

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=10)
        if self.process.returncode != 0:
            raise AssertionError('mayfly did not survive')


class Client:
    """A client of the mission protocol on a TCP link."""

    def __init__(self, port):
        self.sock = socket.create_connection(('127.0.0.1', port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.settimeout(10)
        self.data = b''

    def next(self, *wanted):
        """The next message of one of these kinds: its id and payload, as long as it may be."""
        while True:
            while len(self.data) >= 12 and len(self.data) >= self.data[1] + 12:
                length = self.data[1] + 12
                one, self.data = self.data[:length], self.data[length:]
                msgid = one[7] | one[8] << 8 | one[9] << 16
                if msgid in wanted:
                    return msgid, one[10:-2] + bytes(64)
            more = self.sock.recv(65536)
            if not more:
                raise AssertionError('the link was closed')
            self.data += more

    def upload(self, items):
        """The result of the upload."""
        self.sock.sendall(frame(COUNT, struct.pack('<HBBB', len(items), 1, 1, 0)))
        while True:
            msgid, payload = self.next(REQUEST_INT, ACK)
            if msgid == ACK:
                return payload[2]
            self.sock.sendall(items[struct.unpack_from('<H', payload)[0]])

    def download(self, kind=0):
        self.sock.sendall(frame(REQUEST_LIST, struct.pack('<BBB', 1, 1, kind)))
        count = struct.unpack_from('<H', self.next(COUNT)[1])[0]
        found = []
        for seq in range(count):
            self.sock.sendall(frame(REQUEST_INT, struct.pack('<HBBB', seq, 1, 1, kind)))
            found.append(self.next(ITEM_INT)[1])
        self.sock.sendall(frame(ACK, struct.pack('<BBBB', 1, 1, 0, kind)))
        return found

    def close(self):
        self.sock.close()


def waypoint(seq):
    return ITEM.pack(0, 0, 0, 0, 473977420 + seq, 85455940 - seq, 10.0 + seq % 50, seq, 16, 1, 1, 6, seq == 0, 1, 0)


class Long(unittest.TestCase):
    LINKS = ('--udp', 'none', '--udp-out', 'none', '--tcp', '127.0.0.1:0', '--profile', 'min')

    def upload(self, drone, sent):
        items = [frame(ITEM_INT, item) for item in sent]
        client = Client(drone.port('tcp'))
        begin = time.monotonic()
        self.assertEqual(client.upload(items), 0)
        print(f'# {len(sent)} items uploaded in {time.monotonic() - begin:.3f} s')
        return client

    def assert_has(self, client, sent):
        found = client.download()
        client.close()
        self.assertEqual(len(found), len(sent))
        for item, payload in zip(sent, found):
            mine, theirs = ITEM.unpack(item), ITEM.unpack(payload[:ITEM.size])
            self.assertEqual(mine[:9] + mine[11:], theirs[:9] + theirs[11:])

    @pytest.mark.long
    def test_sim031_500_items(self):
        sent = [waypoint(seq) for seq in range(500)]
        with Drone(*self.LINKS) as drone:
            self.assert_has(self.upload(drone, sent), sent)

    def test_sim031_10001_items_are_too_many(self):
        with Drone('--udp', 'none', '--udp-out', 'none', '--tcp', '127.0.0.1:0') as drone:
            client = Client(drone.port('tcp'))
            client.sock.sendall(frame(COUNT, struct.pack('<HBBB', 10001, 1, 1, 0)))
            self.assertEqual(client.next(ACK)[1][2], 4)  # NO_SPACE
            client.close()

    @pytest.mark.long
    def test_sim031_10000_items_survive_a_restart(self):
        sent = [waypoint(seq) for seq in range(10000)]
        with tempfile.TemporaryDirectory() as state:
            with Drone(*self.LINKS, '--state', state) as drone:
                self.upload(drone, sent).close()
            with Drone(*self.LINKS, '--state', state) as drone:
                self.assert_has(Client(drone.port('tcp')), sent)


def lossy_upload(seed):
    """Upload the square with our client. Loss grows from 5 to 30 % over the seeds."""
    loss = 0.05 + 0.25 * seed / (LOSSY_RUNS - 1)
    with Drone('--udp', '127.0.0.1:0', '--udp-out', 'none', '--tcp', 'none', '--profile', 'min') as drone:
        network = Network(drone.port('udp'), seed, loss)
        done = subprocess.run([FLY, '--upload', '--json', f'udp:127.0.0.1:{network.port}'], capture_output=True,
                              text=True, timeout=170)
        network.close()
    return loss, done, network


class Lossy(unittest.TestCase):
    """Every upload ends with the whole mission on the vehicle, read back and compared by the client."""

    @pytest.mark.long
    def test_sim031_all_uploads_converge(self):
        lost = doubled = overtaken = repeats = 0
        with concurrent.futures.ThreadPoolExecutor(CLIENTS_AT_ONCE) as pool:
            for seed, (loss, done, network) in enumerate(pool.map(lossy_upload, range(LOSSY_RUNS))):
                with self.subTest(seed=seed, loss=loss):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    summary = json.loads(done.stdout)
                    self.assertEqual(summary['result'], 'uploaded')
                    repeats += summary['upload_repeats']
                lost += network.up.lost + network.down.lost
                doubled += network.up.doubled + network.down.doubled
                overtaken += network.up.overtaken + network.down.overtaken
        print(f'# {lost} frames lost, {doubled} doubled, {overtaken} overtaken; {repeats} repeated')
        self.assertGreater(min(lost, doubled, overtaken, repeats), LOSSY_RUNS)


class Plan(unittest.TestCase):
    def test_geofence_and_rally_points_come_with_the_mission(self):
        with Drone('--udp', 'none', '--udp-out', 'none', '--tcp', '127.0.0.1:0', '--clock', 'event') as drone:
            port = drone.port('tcp')
            done = subprocess.run([FLY, '--json', f'tcp:127.0.0.1:{port}', 'tests/data/plans/around.plan'],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            client = Client(port)
            fence, rally = client.download(kind=1), client.download(kind=2)
            client.close()
        self.assertEqual([struct.unpack_from('<H', item, 30)[0] for item in fence], [5001] * 4 + [5002] * 3 + [5004])
        self.assertEqual(struct.unpack_from('<ii', fence[7], 16), (474000000, 85400000))
        self.assertEqual(struct.unpack_from('<iif', rally[1], 16), (-475000000, -85000000, 12.5))
        summary = json.loads(done.stdout)
        self.assertEqual((summary['fence_items'], summary['rally_points']), (8, 2))
        # positions come where something happens, and there it stands: the speed is that between them
        self.assertAlmostEqual(summary['flight']['speed_max_mps'], 10.0, delta=0.05)
