# SPDX-License-Identifier: Apache-2.0
"""Links that misbehave, over real sockets: what is lost is reckoned here a second time. MAYFLY and FLY name the binaries."""
import concurrent.futures
import json
import os
import re
import select
import tempfile
import time
import unittest

import pytest

import http_client
from drone import PATIENCE_S, Drone, assert_replays, run
from folder_case import FolderCase
from mavlink import AUTOPILOT_VERSION, COMMAND_ACK, HEARTBEAT, REQUEST_MESSAGE, command, split
from names import assert_names

MASK = (1 << 64) - 1
UID, LINKS, IN, OUT, LOSS = 0x4D41594600000001, 0x4C494E4B << 32, 0, 1, 0
FRAMES = 200


def split_mix(key, n):
    z = (key + (n + 1) * 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def lost(seed, way, percent, count, link=0):
    """Numbers of the frames that do not arrive."""
    key = split_mix(split_mix(split_mix(seed, UID), LINKS | link << 16), way)
    return {n for n in range(count) if (split_mix(key, n * 16 + LOSS) >> 11) * 2.0 ** -53 * 100 < percent}


def numbers(sock, count):
    """Numbers of the frames that arrive, from their sequence numbers, until the one numbered count is passed."""
    data, found, end = b'', [], time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([sock], [], [], 1.0)[0]:
            continue
        frames, data = split(data + sock.recv(65536), strict=True)
        for one in frames:
            last = found[-1] if found else -1
            found.append(last + 1 + (one[4] - last - 1) % 256)
            if found[-1] >= count:
                return {n for n in found if n < count}
    raise AssertionError(f'only {len(found)} frames came')


def quality(*args, kind='tcp', **more):
    base = [x for other in ('tcp', 'udp', 'udp-out') for x in (f'--{other}', '127.0.0.1:0' if other == kind else 'none')]
    return Drone(*args, base=base, **more)


LOSSY = ('--clock', 'x100', '--profile', 'min', '--link-quality', 'loss=20%,burst=1%:3,duplicate=3%,reorder=3%,corrupt=1%')
RECORDED = ('--clock', 'x100', '--profile', 'min', '--link-quality', 'loss=20%,delay=5ms,reorder=5%,corrupt=2%')
PRESETS = ('sik57k', 'lte', 'satcom')


def flight(kind, *args):
    """Our client flies. @return lines of the drone's"""
    with quality(*args, kind=kind) as drone:
        done = drone.fly('--json', '--timeout', '100', kind=kind)
        drone.end()
        text = ''.join(drone.lines)
        assert done.returncode == 0, done.stderr + text
        assert json.loads(done.stdout)['result'] == 'flown', done.stdout
        return text


class Flights:
    """They wait for answers that were lost, most of their time: all fly at once."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, 'flight.mfr')
        jobs = {'tcp': ('tcp', *LOSSY), 'udp': ('udp', *LOSSY), 'recorded': ('tcp', *RECORDED, '--record', self.path)}
        for preset in PRESETS:
            jobs[preset] = ('tcp', '--clock', 'x10', '--profile', 'min', '--link-quality', preset)
        self.pool = concurrent.futures.ThreadPoolExecutor(len(jobs))
        self.flown = {name: self.pool.submit(flight, *args) for name, args in jobs.items()}

    def end(self):
        self.pool.shutdown()
        self.folder.cleanup()


class Losses(unittest.TestCase):
    @pytest.mark.long
    def test_the_same_frames_are_lost_under_every_clock(self):
        expected = set(range(FRAMES)) - lost(5, OUT, 20.0, FRAMES)
        for clock in ('real', 'x20', 'x500', 'fast'):
            with self.subTest(clock=clock), \
                    quality('--seed', '5', '--clock', clock, '--stream', 'ATTITUDE=100', '--link-quality',
                            'loss=20%,jitter=2ms') as drone:
                self.assertEqual(numbers(drone.tcp().sock, FRAMES), expected)

    def test_another_seed_loses_others_and_none_loses_nothing(self):
        with quality('--seed', '6', '--clock', 'x20', '--link-quality', 'loss=20%') as drone:
            self.assertEqual(numbers(drone.tcp().sock, FRAMES), set(range(FRAMES)) - lost(6, OUT, 20.0, FRAMES))
        with quality('--clock', 'x20') as drone:
            peer = drone.tcp()
            self.assertEqual(numbers(peer.sock, FRAMES), set(range(FRAMES)))
            peer.close()
            drone.wait_for('closed')
            self.assertNotIn('quality', ''.join(drone.lines))

    def test_commands_are_lost_by_their_number(self):
        """The n-th frame of the client's is the n-th of the way in; each that comes through is acknowledged."""
        for kind in ('tcp', 'udp'):
            with self.subTest(kind=kind), quality('--link-quality', 'in:loss=30%', '--seed', '9', kind=kind) as drone:
                peer = drone.tcp() if kind == 'tcp' else drone.udp()
                gone = lost(9, IN, 30.0, 39)  # the last one arrives, so all have
                for n in range(39):
                    peer.send(command(2000 + n))  # unknown ones: unsupported, but answered
                    if n in gone:
                        continue
                    self.assertEqual(peer.ack(2000 + n), 3, n)
                drone.end()
                line = next(x for x in drone.lines if 'quality' in x and 'in: ' in x)
                self.assertIn(f'in: 39 frames, {len(gone)} lost; out: ', line)


class Times(unittest.TestCase):
    @pytest.mark.long
    def test_a_delay_is_that_of_the_wall(self):
        with quality('--clock', 'x100', '--link-quality', 'in:delay=300ms,out:delay=200ms') as drone:
            peer = drone.tcp()
            start = time.monotonic()
            self.assertEqual(peer.command(2000), 3)
            self.assertGreaterEqual(time.monotonic() - start, 0.5)

    @pytest.mark.long
    def test_a_connection_is_closed_and_taken_again(self):
        with quality('--link-quality', 'disconnect=1s+1s') as drone:
            peer = drone.tcp()
            end = time.monotonic() + PATIENCE_S
            while peer.sock.recv(65536):  # until it is closed
                self.assertLess(time.monotonic(), end)
            peer.close()
            drone.wait_for(r'\bdisconnected\b.*\blink_quality\b')
            drone.tcp().close()
            drone.wait_for(r'tcp 127\.0\.0\.1:\d+: turned away\b.*\blink_quality\b')
            refused = 0
            while time.monotonic() < end:
                peer = drone.tcp()
                peer.sock.settimeout(PATIENCE_S)
                heard = b''
                try:
                    heard = peer.sock.recv(65536)
                except ConnectionError:
                    pass
                if heard:
                    break
                refused += 1
                peer.close()
                time.sleep(0.05)
            self.assertTrue(heard)
            self.assertGreater(refused, 0)

    @pytest.mark.long
    def test_a_half_open_connection_is_silent(self):
        with quality('--link-quality', 'in:silent=0') as drone:
            peer = drone.tcp()
            peer.send(command(2000))
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.assertIsNone(peer.expect(COMMAND_ACK, patience_s=0.5))


class Changes(unittest.TestCase):
    """PUT /v1/links/LINK/quality."""

    def put(self, drone, link, quality):
        return http_client.ask_document(drone.api_port(), 'PUT', f'/v1/links/{link}/quality', {'quality': quality})

    def test_a_connection_that_is_there_and_one_that_comes(self):
        """The same frames are lost on both as if the drone had been started so."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.mfr')
            with quality('--clock', 'event', '--api', '127.0.0.1:0', '--seed', '9', '--record', path) as drone:
                peer = drone.tcp()
                self.assertEqual(peer.command(2000), 3)
                status, answer = self.put(drone, 'tcp', 'in:loss=30%')
                self.assertEqual((status, [(p['port'], p['kind'], p['quality']) for p in answer['ports']]),
                                 (200, [(0, 'tcp', 'in:loss=30%')]))
                gone = lost(9, IN, 30.0, 39)
                for _ in range(2):
                    for n in range(39):
                        peer.send(command(2000 + n))
                        if n not in gone:
                            self.assertEqual(peer.ack(2000 + n), 3, n)
                    peer.close()
                    drone.wait_for('tcp .*closed')
                    peer = drone.tcp()
                self.assertEqual(self.put(drone, '0', '')[1]['ports'][0]['quality'], 'none')
                for n in range(39):
                    self.assertEqual(peer.command(2000 + n), 3, n)
                self.assertEqual(drone.end()[0], 0)
            assert_replays(self, path)

    @pytest.mark.long
    def test_times_count_from_then_on(self):
        with quality('--api', '127.0.0.1:0') as drone:
            peer = drone.tcp()
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            time.sleep(0.5)
            self.assertEqual(self.put(drone, 'all', 'out:silent=0s+1s')[0], 200)
            start = time.monotonic()
            peer.send(command(2000))
            while peer.expect(HEARTBEAT, patience_s=0.3) is not None:  # what was sent before
                self.assertLess(time.monotonic() - start, PATIENCE_S)
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.assertGreaterEqual(time.monotonic() - start, 0.9)
            self.assertEqual(self.put(drone, '0', 'disconnect=0s+0')[0], 200)
            self.assertIsNone(peer.expect(COMMAND_ACK))
            self.assertEqual(peer.sock.recv(1), b'')
            self.assertIsNotNone(drone.tcp().expect(HEARTBEAT))

    def test_bad_ones_are_refused(self):
        with quality('--api', '127.0.0.1:0') as drone:
            status, answer = self.put(drone, '0', 'los=5%')
            self.assertEqual(status, 422)
            assert_names(answer['error'], 'quality los loss')
            for link in ('7', 'udp', 'nothing'):
                status, answer = self.put(drone, link, 'loss=5%')
                self.assertEqual(status, 404)
                assert_names(answer['error'], f'{link} all tcp udp')


class Settings(FolderCase):
    def test_wrong_ones_are_refused_with_their_place(self):
        done = run('--link-quality', 'los=5%')
        self.assertEqual(done.returncode, 2)
        assert_names(done.stderr, '--link-quality los loss')
        done = run(env={'MAYFLY_LINK_QUALITY': 'loss=200%'})
        assert_names(done.stderr, 'MAYFLY_LINK_QUALITY loss 200% 0 100')

    def test_one_link_of_the_file(self):
        path = self.write('drone.yaml', 'tcp:\n  - 127.0.0.1:0\n  - {address: 127.0.0.1:1, quality: "sik57k,loss=x"}\n')
        assert_names(run('--config', path).stderr, ':3 link_quality loss x')
        self.write('drone.yaml', 'link_quality: satcom\nudp: none\nudp_out: none\ntcp:\n  - {address: 127.0.0.1:0, quality: none}\n')
        printed = run('--config', path, '--print-config')
        self.assertEqual(printed.returncode, 0, printed.stderr)
        again = self.write('again.yaml', printed.stdout)
        self.assertEqual(run('--config', again, '--print-config').stdout, printed.stdout)
        self.assertIn('quality: "none"', printed.stdout)
        with Drone('--config', path, base=[]) as drone:
            peer = drone.tcp()
            self.assertIsNotNone(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION))
            peer.close()
            drone.wait_for('closed')
            self.assertNotIn('frames, ', ''.join(x for x in drone.lines if 'quality' in x))


@pytest.mark.long
class Voyages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.flights = Flights()
        cls.addClassCleanup(cls.flights.end)

    def test_our_client_flies_over_20_percent_loss(self):
        for kind in ('tcp', 'udp'):
            with self.subTest(kind=kind):
                counts = re.search(r'in: \d+ frames, (\d+) lost.*out: \d+ frames, (\d+) lost', self.flights.flown[kind].result())
                self.assertIsNotNone(counts)
                self.assertGreater(min(int(counts[1]), int(counts[2])), 2)

    def test_our_client_flies_over_the_presets(self):
        for preset in PRESETS:
            with self.subTest(preset=preset):
                self.flights.flown[preset].result()

    def test_a_recording_needs_no_quality(self):
        self.flights.flown['recorded'].result()
        assert_replays(self, self.flights.path)
