# SPDX-License-Identifier: Apache-2.0
"""Many peers at once (SIM-014): no sort of them shuts another out, and silent TCP clients give way (docs/links.md, Places)."""
import re
import socket
import struct
import threading
import time
import unittest

import pytest

from test_api import ApiDrone
from test_process import HEARTBEAT, PATIENCE_S, Peer, frame

GCS = frame(HEARTBEAT, struct.pack('<IBBBBB', 0, 6, 8, 0, 0, 3))
LINKS, TCP_OWN, UDP_OWN = 128, 64, 16


def places(drone, kind):
    """(used, limit, refused, displaced)"""
    text = drone.get('/metrics')[1]
    return tuple(int(re.search(rf'^mayfly_peers{name}\{{kind="{kind}"\}} (\d+)$', text, re.M)[1])
                 for name in ('', '_limit', '_refused_total', '_displaced_total'))


def wait_for_places(drone, kind, expected):
    """A connection is made before the drone has taken it in."""
    end = time.monotonic() + PATIENCE_S
    while places(drone, kind) != expected and time.monotonic() < end:
        time.sleep(0.02)
    return places(drone, kind)


def connect(drone):
    return Peer(socket.create_connection(('127.0.0.1', drone.port()), PATIENCE_S))


def lives(peer):
    return peer.expect(HEARTBEAT, patience_s=5) is not None


class Flood:
    """UDP peers that each send 28 datagrams a second."""

    def __init__(self, port, count):
        self.socks = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
        for sock in self.socks:
            sock.connect(('127.0.0.1', port))
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.stop.wait(1 / 28):
            for sock in self.socks:
                try:
                    sock.send(GCS)
                except OSError:
                    pass

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *unused):
        self.stop.set()
        self.thread.join()
        for sock in self.socks:
            sock.close()


class Places(unittest.TestCase):
    def test_udp_peers_do_not_shut_tcp_out(self):
        with ApiDrone('--udp', '0', base=['--udp-out', 'none']) as drone, Flood(drone.port('udp'), 140):
            limit = LINKS - TCP_OWN
            end = time.monotonic() + PATIENCE_S
            while places(drone, 'udp')[0] < limit and time.monotonic() < end:
                time.sleep(0.05)
            used, most, refused, _ = places(drone, 'udp')
            self.assertEqual((used, most), (limit, limit))
            self.assertGreater(refused, 0)
            peers = [connect(drone) for _ in range(TCP_OWN)]
            for peer in peers:
                peer.send(GCS)
            for peer in peers:
                self.assertTrue(lives(peer))
            expected = (TCP_OWN, LINKS - UDP_OWN, 0, 0)
            self.assertEqual(wait_for_places(drone, 'tcp', expected), expected)
            for peer in peers:
                peer.close()

    @pytest.mark.long
    def test_silent_clients_give_way_and_listeners_are_served_while_there_is_room(self):
        with ApiDrone() as drone:
            most = LINKS - UDP_OWN
            first = connect(drone)
            first.send(GCS)  # the oldest of all has spoken
            self.assertTrue(lives(first))
            listeners = [connect(drone) for _ in range(most - 1)]
            self.assertTrue(all(lives(listener) for listener in listeners[:3]))  # who only listens is served
            self.assertEqual(wait_for_places(drone, 'tcp', (most, most, 0, 0)), (most, most, 0, 0))
            silent = [connect(drone) for _ in range(300)]
            late = connect(drone)
            late.send(GCS)
            self.assertTrue(lives(late))
            self.assertTrue(lives(first))
            more = [connect(drone) for _ in range(150)]  # all the silent are gone once more
            for peer in (first, late):
                peer.frames.found.clear()
                self.assertTrue(lives(peer))
            expected = (most, most, 0, 300 + 1 + 150)
            self.assertEqual(wait_for_places(drone, 'tcp', expected), expected)
            drone.wait_for(r'tcp 127\.0\.0\.1:\d+: gave its place to another: it has said nothing')
            for peer in listeners + silent + more + [first, late]:
                peer.close()
            self.assertEqual(drone.end()[0], 0)
