# SPDX-License-Identifier: Apache-2.0
"""ns3-bridge, told by a stand-in of the swarm what docs/bus.md says a network is told: GZ-04, GZ-13, GZ-14; and a swarm whose network it is."""
import hashlib
import math
import os
import re
import socket
import struct
import subprocess
import threading

from bus_client import (ARRIVALS, DONE, END, HEAD, HELLO, NETWORK, REACHED, RUN, SENDS, STATE, WELCOME, WRITTEN, bus_frame)
from cases import cases
from examples import alone
from gzuav_client import Node, Subscriber
from lost_station import StationCase
from names import assert_names
from paths import BUILD, COSIM, NS3_BRIDGE, TOP
from swarm_case import needs_ns3, options

RUNS = cases(2, 10)
ALL = 0xFFFFFFFF
SECOND = 10**9


class Swarm:
    """As much of a swarm as the bridge sees."""

    def __init__(self, members, settings, seed=1):
        mine, its = socket.socketpair()
        self.bridge = subprocess.Popen([NS3_BRIDGE, f'fd:{its.fileno()}'], pass_fds=[its.fileno()], stderr=subprocess.PIPE, text=True)
        its.close()
        self.socket, self.file = mine, mine.makefile('rb')
        self.tick = self.now = 0
        self.arrived, self.over = [], []
        self.rounds = 0
        kind, _, hello = self.frame()
        assert (kind, hello[0]) == (HELLO, 4)
        self.send(WELCOME, struct.pack('<IIQQd3d', 0, members, seed, 0, 0.1, 47.0, 8.0, 500.0))
        networks = settings if isinstance(settings, list) else [settings]
        self.send(NETWORK, ''.join(f'{key}={value}\n' for network in networks for key, value in network.items()).encode())

    def ready(self):
        return self.frame()[0] == DONE

    def frame(self):
        head = self.file.read(HEAD.size)
        if len(head) < HEAD.size:
            return None, None, b''
        version, kind, n, self.tick_of, ns = HEAD.unpack(head)
        assert version == 1
        return kind, ns, self.file.read(n)

    def send(self, kind, payload=b''):
        self.socket.sendall(bus_frame(kind, payload, self.tick, self.now))

    def place(self, *places):
        self.send(STATE, struct.pack('<II', 0, len(places)) + b''.join(struct.pack('<3d', *neu) + bytes(24) for neu in places))

    def packet(self, sender, to, number, payload, network=0):
        self.send(SENDS, struct.pack('<IIIHH', sender, to, number, len(payload), network) + payload)

    def run(self, until):
        """Up to a time: all that has arrived, as (ns, receiver, sender, number, bytes), and over which network."""
        while self.now < until:
            self.tick += 1
            self.rounds += 1
            self.send(RUN, struct.pack('<Q', until))
            while True:
                kind, _, payload = self.frame()
                assert self.tick_of == self.tick
                if kind == DONE:
                    self.now, = struct.unpack_from('<Q', payload)
                    break
                assert kind == ARRIVALS
                at = 0
                while at < len(payload):
                    ns, receiver, sender, number, size, network = struct.unpack_from('<QIIIHH', payload, at)
                    self.over.append(network)
                    self.arrived.append((ns, receiver, sender, number, payload[at + 24:at + 24 + size]))
                    at += 24 + size

    def reached(self):
        """The world is there: bytes that vehicles and clients have got."""
        self.send(REACHED)
        kind, _, payload = self.frame()
        assert kind == WRITTEN
        return struct.unpack('<QQ', payload)

    def close(self):
        try:
            self.send(END, struct.pack('<I', 0))
        except OSError:
            pass
        self.file.close()
        self.socket.close()
        _, err = self.bridge.communicate(timeout=30)
        return self.bridge.returncode, err


def broadcasts(settings, seed=1, nodes=10, seconds=50):
    """All in one cell send 64 bytes a second: digest of what has arrived, and how much."""
    swarm = Swarm(nodes, settings, seed)
    assert swarm.ready()
    swarm.place(*[(10.0 * i, 0.0, 10.0) for i in range(nodes)])
    for t in range(seconds):
        for i in range(nodes):
            swarm.run(t * SECOND + i * SECOND // 20)
            swarm.packet(i, ALL, t, bytes(64))
    swarm.run(seconds * SECOND)
    arrived = swarm.arrived
    code, err = swarm.close()
    assert code == 0, err
    return hashlib.sha256(repr(arrived).encode()).hexdigest(), len(arrived)


@needs_ns3
class Ns3Bridge(StationCase):
    def test_gz13_ten_nodes_in_one_cell_hear_all_and_each_run_is_the_same(self):
        first = broadcasts({'radio': 'adhoc', 'loss': 'friis'})
        self.assertEqual(first[1], 4500)
        self.assertEqual(broadcasts({'radio': 'adhoc', 'loss': 'friis'}), first)
        for radio in ('lr_wpan', 'point_to_point'):
            self.assertEqual(broadcasts({'radio': radio}, seconds=5)[1], 450)
        # stations find their access point within the first second
        self.assertGreater(broadcasts({'radio': 'access_point'}, seconds=5)[1], 420)

    def test_gz13_equal_seeds_equal_runs_and_others_differ(self):
        # all nodes send at the same instant, so that their back-off decides
        def run(seed):
            swarm = Swarm(8, {'radio': 'adhoc'}, seed)
            swarm.ready()
            swarm.place(*[(5.0 * i, 3.0 * i, 10.0) for i in range(8)])
            for i in range(8):
                swarm.packet(i, ALL, 0, bytes(500))
            swarm.run(SECOND)
            arrived = swarm.arrived
            swarm.close()
            return arrived

        self.assertEqual(run(7), run(7))
        self.assertNotEqual(run(7), run(8))

    def test_gz04_latency_is_exact_to_a_nanosecond(self):
        swarm = Swarm(3, {'radio': 'point_to_point', 'delay': 0.0123456, 'rate': 1e6, 'range': 100})
        swarm.ready()
        swarm.place((0.0, 0.0, 0.0), (99.9, 0.0, 0.0), (0.0, 100.1, 0.0))
        swarm.run(123_456_789)
        swarm.packet(0, ALL, 5, b'x' * 72)  # with 28 bytes of IP and UDP 100: 800 us
        swarm.run(SECOND)
        self.assertEqual(swarm.arrived, [(123_456_789 + 12_345_600 + 800_000, 1, 0, 5, b'x' * 72)])
        self.assertEqual(swarm.rounds, 3)  # to the packet, to its arrival, to the end
        self.assertEqual(swarm.close(), (0, ''))

    def test_gz04_wifi_carries_the_payload_and_its_headers_alone(self):
        # 802.11g at 6 Mbit/s, 24 bits a symbol: 16 bits of service, 6 of tail, 24 bytes of MAC, 8 of LLC, 20 of IP, 8 of UDP, 4 of FCS
        for n, symbols in ((0, 23), (1, 23), (60, 43), (1000, 356)):
            self.assertEqual(symbols, -(-(16 + 6 + 8 * (24 + 8 + 20 + 8 + n + 4)) // 24))
            swarm = Swarm(2, {'radio': 'adhoc', 'standard': '80211g', 'loss': 'range', 'range': 100})
            swarm.ready()
            swarm.place((0.0, 0.0, 10.0), (0.0, 29.9792458, 10.0))
            swarm.run(SECOND)
            swarm.packet(0, ALL, 0, b'x' * n)
            swarm.run(2 * SECOND)
            # DIFS with slots of 20 us, preamble and signal, symbols of 4 us, the extension of ERP, 100 ns of light
            self.assertEqual(swarm.arrived, [(SECOND + 1000 * (50 + 20 + 4 * symbols + 6) + 100, 1, 0, 0, b'x' * n)])
            swarm.close()

    def test_several_networks_on_one_clock(self):
        # as a scenario lists them: 0 is builtin; members 0 to 3 are on 1 by wires of 10 ms, 1 and 3 on 2 by wires of 30 ms, 0 and 1 on 4
        swarm = Swarm(5, [{'network': '1,wires', 'nodes': '0-3', 'radio': 'point_to_point', 'delay': 0.01},
                          {'network': '2,slow', 'nodes': '1-1,3-3', 'radio': 'point_to_point', 'delay': 0.03, 'rate': 8000},
                          {'network': '4,air', 'nodes': '0-1', 'radio': 'adhoc', 'loss': 'range', 'range': 100}])
        self.assertTrue(swarm.ready())
        swarm.place(*[(10.0 * i, 0.0, 10.0) for i in range(5)])
        swarm.packet(1, ALL, 0, b'x' * 12, network=2)  # with 28 bytes of IP and UDP 40: 40 ms at 8 kbit/s
        swarm.packet(1, ALL, 1, b'y', network=1)
        swarm.packet(1, 3, 2, b'z', network=1)
        swarm.packet(1, ALL, 3, b'a', network=4)
        swarm.packet(0, 1, 4, b'b', network=4)
        swarm.run(SECOND)
        ms = SECOND // 1000
        wires = [(*a[:4], over) for a, over in zip(swarm.arrived, swarm.over) if over != 4]
        self.assertEqual(wires, [(10 * ms, 0, 1, 1, 1), (10 * ms, 2, 1, 1, 1), (10 * ms, 3, 1, 1, 1), (10 * ms, 3, 1, 2, 1), (70 * ms, 3, 1, 0, 2)])
        self.assertEqual(sorted(a[1:4] for a, over in zip(swarm.arrived, swarm.over) if over == 4), [(0, 1, 3), (1, 0, 4)])
        self.assertEqual(swarm.close(), (0, ''))

    def test_a_network_changes_nothing_of_another(self):
        def run(*others):
            swarm = Swarm(8, [{'network': '1,air', 'nodes': '0-7', 'radio': 'adhoc', 'jitter': 0.01}, *others], 7)
            self.assertTrue(swarm.ready())
            swarm.place(*[(5.0 * i, 3.0 * i, 10.0) for i in range(8)])
            for i in range(8):
                swarm.packet(i, ALL, 0, bytes(500), network=1)
                if others:
                    swarm.packet(i, ALL, 1, bytes(500), network=3)
            swarm.run(SECOND)
            self.assertEqual(swarm.close(), (0, ''))
            return [a for a, over in zip(swarm.arrived, swarm.over) if over == 1]

        self.assertEqual(run({'network': '3,second', 'radio': 'adhoc', 'jitter': 0.01}), run())
        self.assertGreater(len(run()), 40)

    def test_a_node_on_two_networks_routes_by_one(self):
        # 0 1 2 in a chain on the air, 2 and 3 beside each other by wires: OLSR finds 2 from 0, and keeps off the wires
        swarm = Swarm(4, [{'network': '0,wires', 'nodes': '2-3', 'radio': 'point_to_point', 'delay': 0.01},
                          {'network': '1,air', 'nodes': '0-2', 'radio': 'adhoc', 'loss': 'range', 'range': 250, 'routing': 'olsr'}])
        self.assertTrue(swarm.ready())
        swarm.place(*[(200.0 * i, 0.0, 10.0) for i in range(4)])
        swarm.run(15 * SECOND)
        swarm.packet(0, 2, 0, b'over another', network=1)
        swarm.run(16 * SECOND)
        swarm.packet(2, 0, 0, b'and back', network=1)
        swarm.packet(2, 3, 1, b'by wire')
        swarm.run(20 * SECOND)
        self.assertEqual(sorted(a[1:] for a in swarm.arrived), [(0, 2, 0, b'and back'), (2, 0, 0, b'over another'), (3, 2, 1, b'by wire')])
        self.assertEqual(swarm.close(), (0, ''))
        for first, second, text in (('olsr', 'aodv', '1 aodv olsr'),
                                    ('olsr', 'olsr', '1')):
            swarm = Swarm(2, [{'network': '0,x', 'nodes': '0-1', 'routing': first}, {'network': '1,y', 'nodes': '1-1', 'routing': second}])
            self.assertFalse(swarm.ready())
            code, err = swarm.close()
            self.assertEqual((code, err.count('\n')), (2, 1), err)
            assert_names(err, f'ns3-bridge network.params.routing member {text}')

    def test_gz14_by_friis_delivery_ends_at_the_computed_range(self):
        # 16 dBm, 2412 MHz; a preamble is found from -82 dBm on: 98 dB of loss
        reach = 299_792_458 / 2.412e9 / (4 * math.pi) * 10 ** (98 / 20)
        for metres, arrives in ((reach - 0.5, True), (reach + 0.5, False)):
            swarm = Swarm(2, {'radio': 'adhoc', 'standard': '80211g', 'loss': 'friis', 'power': 16})
            swarm.ready()
            swarm.place((0.0, 0.0, 0.0), (metres, 0.0, 0.0))
            swarm.packet(0, ALL, 0, b'far')
            swarm.run(SECOND)
            self.assertEqual(len(swarm.arrived), int(arrives), metres)
            swarm.close()

    def test_a_route_over_others(self):
        # a chain of four, 200 m from each to the next, 250 m of range; OLSR finds the way within some seconds
        for routing, arrives in (('none', 0), ('olsr', 1), ('aodv', 1)):
            swarm = Swarm(4, {'radio': 'adhoc', 'loss': 'range', 'range': 250, 'routing': routing})
            swarm.ready()
            swarm.place(*[(200.0 * i, 0.0, 10.0) for i in range(4)])
            swarm.run(15 * SECOND)
            swarm.packet(0, 3, 0, b'over two others')
            swarm.run(20 * SECOND)
            self.assertEqual([a[1:] for a in swarm.arrived], [(3, 0, 0, b'over two others')] * arrives, routing)
            swarm.close()

    def test_gz14_a_set_up_of_ones_own_decides_who_hears_whom(self):
        hook = os.path.join(BUILD, 'hooks', 'chain.so')
        for settings, arrived in (({}, [(0, 1), (2, 1)]), ({'near': 190}, []), ({'far': 50}, [(0, 1), (2, 1), (3, 1)])):
            swarm = Swarm(4, {'radio': 'own', 'hook': hook, **settings})
            self.assertTrue(swarm.ready())
            swarm.place(*[(0.0, 0.0, 10.0 * i) for i in range(4)])
            swarm.packet(1, ALL, 0, b'who hears')
            swarm.run(SECOND)
            self.assertEqual(sorted(a[1:3] for a in swarm.arrived), arrived, settings)
            swarm.close()
        for settings, text in (({}, 'own'), ({'hook': '/nowhere.so'}, '/nowhere.so')):
            swarm = Swarm(2, {'radio': 'own', **settings})
            self.assertFalse(swarm.ready())
            code, err = swarm.close()
            self.assertEqual(code, 2)
            assert_names(err, 'network.params.hook ' + text)

    def carry(self, via, drop):
        """1 MB from a client to a vehicle over a flow: what was sent, what came, and what the bridge says has come."""
        sent = bytes(k * 7 % 251 for k in range(1_000_000))
        kind = socket.SOCK_STREAM if via == 'tcp' else socket.SOCK_DGRAM
        port = self.port
        with socket.create_server(('127.0.0.1', 0)) as vehicle, socket.socket(type=kind) as client:
            swarm = Swarm(2, {'radio': 'adhoc', 'mode': 'ErpOfdmRate54Mbps', 'drop': drop, 'arp': 'known',
                              'flow': f'{via},{port},0,1,127.0.0.1:{vehicle.getsockname()[1]}'}, seed=3)
            self.assertTrue(swarm.ready())
            link = vehicle.accept()[0]
            link.setblocking(False)
            swarm.place((0.0, 0.0, 10.0), (20.0, 0.0, 10.0))
            client.connect(('127.0.0.1', port))
            client.setblocking(False)
            at = counted = 0
            came = b''
            while swarm.now < 30 * SECOND and len(came) < len(sent):
                try:
                    at += client.send(sent[at:at + 1000]) if at < len(sent) else 0
                except BlockingIOError:
                    pass
                swarm.run(swarm.now + SECOND // 500)
                counted += swarm.reached()[0]
                try:
                    came += link.recv(1 << 20)
                except BlockingIOError:
                    pass
            link.close()
            self.assertEqual(swarm.close()[0], 0)
        return sent, came, counted

    def test_gz15_bytes_of_flows_are_received_as_they_were_sent(self):
        sent, came, counted = self.carry('udp', 0)
        self.assertTrue(came == sent)
        self.assertEqual(counted, len(sent))
        sent, came, counted = self.carry('tcp', 0.2)
        self.assertTrue(came == sent)
        self.assertEqual(counted, len(sent))

    def test_gz15_without_being_sent_again_a_fifth_is_lost(self):
        swarm = Swarm(2, {'radio': 'adhoc', 'drop': 0.2})
        swarm.ready()
        swarm.place((0.0, 0.0, 10.0), (20.0, 0.0, 10.0))
        for k in range(1000):
            swarm.packet(0, ALL, k, b'x')
            swarm.run((k + 1) * SECOND // 100)
        self.assertTrue(760 <= len(swarm.arrived) <= 840, len(swarm.arrived))  # 800, and three times the deviation
        swarm.close()

    def test_what_is_unknown_is_refused_with_what_is_known(self):
        for settings, text in (({'radio': 'wify'}, 'network.params.radio wify adhoc access_point own lr_wpan point_to_point'),
                               ({'standart': '80211g'}, 'network.params standart radio standard'),
                               ({'loss': 'none'}, 'network.params.loss none friis'),
                               ({'power': '16dBm'}, 'network.params.power 16dBm number'),
                               ({'radio': 'access_point', 'access_point': 9}, 'network.params.access_point 9'),
                               ({'routing': 'dsr'}, 'network.params.routing dsr none olsr aodv')):
            swarm = Swarm(2, settings)
            self.assertFalse(swarm.ready())
            code, err = swarm.close()
            self.assertEqual(code, 2)
            assert_names(err, text)
            self.assertEqual(err.count('\n'), 1, err)

    WORLD = '''
swarm: 1
time: {clock: fast, end: 2}
gzuav: {listen: 0, relay: 0, tick: 0.1, expect: [1, 0]}
network: {kind: ns3, params: {radio: adhoc, loss: friis}}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 20}, behaviour: {kind: walk, rate: 10}}
  - {name: v, count: 1, place: [30, 40, 0], behaviour: {kind: walk, rate: 10}}
'''

    def fly(self, trace, *sets):
        """A swarm over ns-3; a node broadcasts, another one sends to a third: what each has got."""
        self.begin(self.WORLD, *options(*sets), trace=trace)
        ports = self.ports(self.process, 'gzuav', 'gzuav')
        driver, nodes = Subscriber(ports[0], 0), [Node(ports[1], i) for i in range(3)]
        got = [[] for _ in nodes]

        def listen(i):
            try:
                while True:
                    got[i].append(nodes[i].receive())
            except (EOFError, OSError):
                pass

        threads = [threading.Thread(target=listen, args=(i,)) for i in range(3)]
        for k in range(20):
            driver.begin()
            if k == 3:
                nodes[0].send(-1, b'to all')
                nodes[1].send(2, b'to the last')
                for thread in threads:
                    thread.start()
            driver.end()
        self.end()
        for client in (driver, *nodes):
            client.socket.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
        return got

    def test_a_swarm_over_ns3_has_the_same_trace_each_time(self):
        """GZ-17: and the same file runs without ns-3"""
        expected = [[], [(0, b'to all')], [(0, b'to all'), (1, b'to the last')]]
        for name in ('a', 'b'):
            self.assertEqual(self.fly(name), expected)
        trace = self.text('a')
        self.assertEqual(self.text('b'), trace)
        arrivals = [int(ns) for ns in re.findall(r'^(\d+) packet \d of \d is at', trace, re.M)]
        self.assertEqual(len(arrivals), 3)
        self.assertTrue(any(ns % 1000 for ns in arrivals))  # exact, not at ticks
        self.assertTrue(all(0.4 * SECOND < ns < 0.45 * SECOND for ns in arrivals))
        # the same file without ns-3
        self.assertEqual(self.fly('builtin', 'network.kind=builtin'), expected)

    def test_gz16_a_station_is_lost_behind_300_m_at_the_same_instant_in_each_run(self):
        for via in ('udp', 'tcp'):
            first = self.lose(via)
            for _ in range(RUNS - 1):
                self.assertEqual(self.lose(via)[:2], first[:2])
            events, _, heard, _ = first
            failsafes = re.findall(r'^([\d.]+),drone,failsafe', events, re.M)
            self.assertEqual(len(failsafes), 1, events)
            # it takes off to 20 m, then flies 10 m/s: 300 m away, then 10 s later the failsafe, which takes it home
            silent = [t for t, n in heard if n == 0 and t > 10]
            lost = float(failsafes[0]) - 10  # when the last HEARTBEAT arrived: sent at a whole second, some ms before
            self.assertTrue(0 < lost % 1 < 0.05 and lost // 1 + 1 <= silent[0] <= lost // 1 + 3, (failsafes, silent))
            self.assertEqual(silent, [silent[0] + k for k in range(len(silent))])
            self.assertTrue(15 < len(silent) < 40)  # back within 300 m it is heard again

    def test_gz16_two_networks_at_once_lose_a_drone_one_after_the_other(self):
        """the example of one line: drones by Wi-Fi up to 300 m, a station by a slow radio up to 600 m"""
        said = []
        for _ in range(RUNS):
            with alone('two_networks'):
                out = self.swarm(os.path.join(COSIM, 'two_networks.yaml'), cwd=TOP, timeout=280)
            said.append((sorted(re.findall(r'^(?:10\.|station:|hash).*', out, re.M)), self.text('events.csv')))
        self.assertEqual(said, [said[0]] * RUNS)
        text, events = '\n'.join(said[0][0]), said[0][1]
        peers = re.findall(r'^10.0.0.[12]: the last of 10.0.0.[12] at (\d+) s', text, re.M)
        station = int(re.search(r'station: the last of drone 1 at (\d+) s', text)[1])
        # it is in the air at 11.7 s and flies 10 m/s, after the speeding up: 300 m and 600 m away; programs look each second
        self.assertTrue(len(peers) == 2 and all(41 <= int(t) <= 44 for t in peers) and 70 <= station <= 74, text)
        # the last HEARTBEAT left at a whole second; its 21 bytes, 8 of UDP and 20 of IP take 20 ms and their bits at 57,600 bit/s
        failsafe, = re.findall(r'^([\d.]+),scout,failsafe', events, re.M)
        self.assertEqual(failsafe.split('.')[1], f'{20_000 + 49 * 8 * 1_000_000 // 57_600 + 1:06}')

    def test_gz17_a_datagram_of_a_client_is_one_line_of_the_trace(self):
        """Whatever its length, up to the 65,507 bytes that UDP over IP has; and two at one instant are two."""
        sizes = (32768, 5, 32769, 40000, 65507)
        client = f'import socket, time; s = socket.socket(type=socket.SOCK_DGRAM); [s.sendto(b"x" * n, ("127.0.0.1", {self.port})) for n in {sizes}]; time.sleep(0.2)'
        self.swarm('time: {clock: lockstep, end: 0.5}\nnetwork: {kind: ns3, params: {radio: adhoc}}\n'
                   f'links: {{address: "{self.address}", transport: vehicle}}\nflows: [{{client: {self.port}, station: a, vehicle: v}}]\n'
                   'entities: [{name: a, as: agent}, {name: v, place: [5, 0, 0]}]\n'
                   f"processes: [{{name: client, clock: virtual, run: [python3, -S, -E, -c, '{client}']}}]\n", '--trace', self.path('trace'))
        self.assertEqual(re.findall(r'^\d+ client of flow 1 sends: (\d+):', self.text('trace'), re.M), [str(n) for n in sizes])

    def test_what_is_missing_or_wrong_ends_the_run_before_it_begins(self):
        for sets, text in (('network.run=/nowhere/ns3-bridge', 'network /nowhere/ns3-bridge make ns3'),
                           ('network.params.radio=wify', 'network 0.000000 ns3-bridge 2')):
            assert_names(self.swarm(self.WORLD, '--set', sets, code=2), text)
