# SPDX-License-Identifier: Apache-2.0
"""Missions over real links: long ones, and our own client on a network that loses, doubles and overtakes frames.
MAYFLY and FLY name the binaries."""
import concurrent.futures
import json
import os
import struct
import subprocess
import tempfile
import time
import unittest

import pytest

from cases import cases
from drone import Drone
from lossy import Network
from mavlink import MISSION_ACK
from mission_client import ITEM, MissionClient, waypoint
from paths import FLY, PLANS

LOSSY_RUNS = cases(8, 20)
CLIENTS_AT_ONCE = 50

class Long(unittest.TestCase):
    def upload(self, drone, sent):
        client = MissionClient(drone.port())
        begin = time.monotonic()
        self.assertEqual(client.upload(sent), 0)
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
        with Drone('--profile', 'min') as drone:
            self.assert_has(self.upload(drone, sent), sent)
            self.assertEqual(drone.end()[0], 0)

    def test_sim031_10001_items_are_too_many(self):
        with Drone() as drone:
            client = MissionClient(drone.port())
            client.begin_upload(10001)
            self.assertEqual(client.next(MISSION_ACK)[1][2], 4)  # NO_SPACE
            client.close()
            self.assertEqual(drone.end()[0], 0)

    @pytest.mark.long
    def test_sim031_10000_items_survive_a_restart(self):
        sent = [waypoint(seq) for seq in range(10000)]
        with tempfile.TemporaryDirectory() as state:
            with Drone('--profile', 'min', '--state', state) as drone:
                self.upload(drone, sent).close()
                self.assertEqual(drone.end()[0], 0)
            with Drone('--profile', 'min', '--state', state) as drone:
                self.assert_has(MissionClient(drone.port()), sent)
                self.assertEqual(drone.end()[0], 0)


def lossy_upload(seed):
    """Upload the square with our client. Loss grows from 5 to 30 % over the seeds."""
    loss = 0.05 + 0.25 * seed / (LOSSY_RUNS - 1)
    with Drone('--udp', '0', '--profile', 'min', base=['--udp-out', 'none', '--tcp', 'none']) as drone:
        network = Network(drone.port('udp'), seed, loss)
        done = subprocess.run([FLY, '--upload', '--json', f'udp:127.0.0.1:{network.port}'], capture_output=True,
                              text=True, timeout=170)
        network.close()
        assert drone.end()[0] == 0
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
        with Drone('--clock', 'event') as drone:
            done = drone.fly('--json', os.path.join(PLANS, 'around.plan'), timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            client = MissionClient(drone.port())
            fence, rally = client.download(kind=1), client.download(kind=2)
            client.close()
            self.assertEqual(drone.end()[0], 0)
        self.assertEqual([struct.unpack_from('<H', item, 30)[0] for item in fence], [5001] * 4 + [5002] * 3 + [5004])
        self.assertEqual(struct.unpack_from('<ii', fence[7], 16), (474000000, 85400000))
        self.assertEqual(struct.unpack_from('<iif', rally[1], 16), (-475000000, -85000000, 12.5))
        summary = json.loads(done.stdout)
        self.assertEqual((summary['fence_items'], summary['rally_points']), (8, 2))
        # positions come where something happens, and there it stands: the speed is that between them
        self.assertAlmostEqual(summary['flight']['speed_max_mps'], 10.0, delta=0.05)
