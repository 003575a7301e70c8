# SPDX-License-Identifier: Apache-2.0
"""Many peers at once (SIM-014): no sort of them shuts another out, and silent TCP clients give way (docs/links.md, Places)."""
import re
import socket
import threading
import unittest

import pytest

from drone import ApiDrone
from mavlink import GROUND_STATION, HEARTBEAT
from waiting import wait_until

LINKS, TCP_OWN, UDP_OWN = 128, 64, 16


def places(drone, kind):
    """(used, limit, refused, displaced)"""
    text = drone.get('/metrics')[1]
    return tuple(int(re.search(rf'^mayfly_peers{name}\{{kind="{kind}"\}} (\d+)$', text, re.M)[1])
                 for name in ('', '_limit', '_refused_total', '_displaced_total'))


def wait_for_places(drone, kind, *expected):
    """A connection is made before the drone has taken it in."""
    wait_until(lambda: places(drone, kind) == expected, f'{kind}: {expected}')


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
                    sock.send(GROUND_STATION)
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
            wait_until(lambda: places(drone, 'udp')[0] >= limit, 'all have come')
            used, most, refused, _ = places(drone, 'udp')
            self.assertEqual((used, most), (limit, limit))
            self.assertGreater(refused, 0)
            peers = [drone.tcp() for _ in range(TCP_OWN)]
            for peer in peers:
                peer.send(GROUND_STATION)
            for peer in peers:
                self.assertTrue(lives(peer))
            wait_for_places(drone, 'tcp', TCP_OWN, LINKS - UDP_OWN, 0, 0)

    @pytest.mark.long
    def test_silent_clients_give_way_and_listeners_are_served_while_there_is_room(self):
        with ApiDrone() as drone:
            most = LINKS - UDP_OWN
            first = drone.tcp()
            first.send(GROUND_STATION)  # the oldest of all has spoken
            self.assertTrue(lives(first))
            listeners = [drone.tcp() for _ in range(most - 1)]
            self.assertTrue(all(lives(listener) for listener in listeners[:3]))  # who only listens is served
            wait_for_places(drone, 'tcp', most, most, 0, 0)
            for _ in range(300):
                drone.tcp()
            late = drone.tcp()
            late.send(GROUND_STATION)
            self.assertTrue(lives(late))
            self.assertTrue(lives(first))
            for _ in range(150):  # all the silent are gone once more
                drone.tcp()
            for peer in (first, late):
                peer.frames.found.clear()
                self.assertTrue(lives(peer))
            wait_for_places(drone, 'tcp', most, most, 0, 300 + 1 + 150)
            drone.wait_for(r'tcp 127\.0\.0\.1:\d+: .*\bplace\b')
            self.assertEqual(drone.end()[0], 0)
