# SPDX-License-Identifier: Apache-2.0
"""Clients of the control API that are malformed, long, slow, many, or do not read: they are refused, and disturb nobody."""
import concurrent.futures
import contextlib
import threading
import time
import unittest

import pytest

from drone import ApiDrone
from http_client import everything
from mavlink import HEARTBEAT


class Deaf:
    """Clients that ask without end, read nothing, and connect again as soon as they are let go."""

    def __init__(self, drone, count, request):
        self.drone, self.request, self.came, self.stop = drone, request * 200, 0, False
        self.socks = [None] * count
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.stop:
            for i, sock in enumerate(self.socks):
                try:
                    if sock is None:
                        sock = self.socks[i] = self.drone.raw()
                        sock.setblocking(False)
                        self.came += 1
                    sock.send(self.request)
                except BlockingIOError:
                    pass
                except OSError:
                    sock.close()
                    self.socks[i] = None
            time.sleep(0.005)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *unused):
        self.stop = True
        self.thread.join()
        for sock in self.socks:
            if sock is not None:
                sock.close()


class Abuse(unittest.TestCase):
    def status_of(self, drone, data):
        with contextlib.closing(drone.raw(data)) as sock:
            return everything(sock).split(b'\r\n')[0].decode()

    @pytest.mark.long
    def test_what_is_malformed_or_too_long(self):
        with ApiDrone() as drone:
            host = b' HTTP/1.1\r\nHost: localhost\r\n'
            for data, status in ((b'GET\r\n\r\n', '400'), (b'\x16\x03\x01', '400'), (b'GET / HTTP/9.9\r\n\r\n', '505'),
                                 (b'BREW / HTTP/1.1\r\n\r\n', '501'), (b'GET / HTTP/1.1\r\nbad\r\n\r\n', '400'),
                                 (b'GET / HTTP/1.1\r\n\r\n', '400'), (b'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', '400'),
                                 (b'GET /' + b'a' * 9000, '414'), (b'GET /' + host + b'X: ' + b'a' * 9000, '431'),
                                 (b'POST /v1/faults' + host + b'Content-Length: 9999999\r\n\r\n', '413'),
                                 (b'POST /v1/faults' + host + b'Content-Length: 9999999\r\n\r\n' + b'{' * 500000, '413')):
                self.assertIn(status, self.status_of(drone, data), data[:40])
            for body in ('', '{', '[]', '{"fault":"gps_off"}x', '{"a":{"b":1}}', '\xff', '{"fault":' * 100):
                self.assertEqual(drone.post('/v1/faults', body)[0], 400, body)
            self.assertEqual(drone.get('/v2/vehicle')[0], 404)
            self.assertEqual(drone.get('/healthz')[0], 200)

    def test_pipelined_and_parallel_requests(self):
        with ApiDrone() as drone:
            request = b'GET /v1/vehicle HTTP/1.1\r\nHost: localhost\r\n\r\n'
            socks = [drone.raw(request * 20 + b'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n') for _ in range(30)]
            # At the same time: whoever does not take its answer for 250 ms gives way to another.
            with concurrent.futures.ThreadPoolExecutor(len(socks)) as pool:
                for data in pool.map(everything, socks):
                    self.assertEqual(data.count(b'HTTP/1.1 200 OK'), 21)
                    self.assertEqual(data.count(b'"system_id":1'), 20)
            for sock in socks:
                sock.close()

    @pytest.mark.long
    def test_the_slow_and_the_idle_disturb_nobody(self):
        """440 idle connections, 16 slow ones, and clients that ask and do not read: heartbeats come, requests are answered.
        Deadlines are looked at by `make bench`, clients."""
        with ApiDrone() as drone:
            peer = drone.tcp()
            idle = [drone.raw() for _ in range(440)]
            slow = [drone.raw(b'GET /slow') for _ in range(16)]
            deaf = [drone.raw(b'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n' * 200) for _ in range(16)]
            for _ in range(8):
                drone.events()
            before = drone.get('/v1/vehicle')[1]
            beats = []
            while len(beats) < 2:
                self.assertIsNotNone(peer.expect(HEARTBEAT))
                beats.append(drone.get('/v1/clock')[1]['vehicle_time_s'])
                for sock in slow:
                    with contextlib.suppress(OSError):
                        sock.send(b'x')
            self.assertIn('\nmayfly_overruns_total ', drone.get('/metrics')[1])
            self.assertGreater(drone.get('/v1/vehicle')[1]['vehicle_time_s'], before['vehicle_time_s'])
            for sock in idle + slow + deaf:
                sock.close()
            self.assertEqual(drone.end()[0], 0)

    def test_a_complete_request_does_not_wait_for_others(self):
        """A probe gives up after a second: 300 clients that do not finish cost it nothing."""
        with ApiDrone() as drone:
            slow = [drone.raw(b'GET /healthz HTTP/1.1\r\nX: ') for _ in range(300)]
            for _ in range(3):
                with contextlib.closing(drone.raw(b'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')) as probe:
                    probe.settimeout(1)
                    self.assertIn(b' 200 OK', probe.recv(65536))
                for sock in slow:
                    with contextlib.suppress(OSError):
                        sock.send(b'x')
            self.assertIn(b' 408 ', everything(slow[0]))
            for sock in slow:
                sock.close()

    def test_more_connections_than_there_is_room_for(self):
        with ApiDrone() as drone:
            idle = [drone.raw() for _ in range(520)]
            self.assertEqual(drone.get('/healthz')[0], 200)
            self.assertEqual(everything(idle[0]), b'')
            self.assertIsNotNone(drone.tcp().expect(HEARTBEAT))
            self.assertIn('\nmayfly_http_turned_away_total 0\n', drone.get('/metrics')[1])
            for sock in idle:
                sock.close()

    def probe(self, drone, path):
        """How long it takes on a connection of its own [s]"""
        begin = time.monotonic()
        with contextlib.closing(drone.raw(f'GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode())) as sock:
            self.assertIn(b' 200 OK', sock.recv(65536))
        return time.monotonic() - begin

    def check_probes(self, drone, count):
        """Kubernetes gives a probe a second; on a host that is busy itself one of ten may be late."""
        took = sorted(self.probe(drone, ('/healthz', '/readyz')[i % 2]) for i in range(count))
        self.assertLess(took[count * 9 // 10 - 1], 0.5, took)

    @pytest.mark.long
    def test_probes_are_answered_while_others_ask_and_do_not_read(self):
        """Eight clients (and forty) that repeat GET /metrics, or GET /, take nothing, and come again when they are let go."""
        for clients, path in ((8, b'/metrics'), (40, b'/metrics'), (40, b'/')):
            with ApiDrone() as drone, Deaf(drone, clients, b'GET ' + path + b' HTTP/1.1\r\nHost: localhost\r\n\r\n') as deaf:
                time.sleep(0.2)
                self.check_probes(drone, 10)
                self.assertIn('mayfly_http_requests_total', drone.get('/metrics')[1])  # the others' turn comes, too
                self.assertGreaterEqual(deaf.came, clients)

    @pytest.mark.long
    def test_streams_and_deaf_clients_leave_places_to_probes(self):
        for request, count in ((b'GET /v1/events', 600), (b'GET /', 600), (b'GET /metrics', 600)):
            with ApiDrone() as drone:
                held = [drone.raw(request + b' HTTP/1.1\r\nHost: localhost\r\n\r\n') for _ in range(count)]
                time.sleep(0.5)  # by now who takes nothing has had its time
                self.check_probes(drone, 20)
                if b'events' in request:
                    self.assertEqual(held[447].recv(12), b'HTTP/1.1 200')
                    self.assertEqual(held[448].recv(12), b'HTTP/1.1 503')
                    self.assertIn('\nmayfly_http_streams 448\n', drone.get('/metrics')[1])
                for sock in held:
                    sock.close()
