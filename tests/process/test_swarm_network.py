# SPDX-License-Identifier: Apache-2.0
"""A network that a program outside simulates, in the role of the network of the bus (docs/bus.md): what it is told, how the world follows
to an instant of its own, and what becomes of one that is wrong, silent or gone. GZ-04."""
import struct
import threading

from bus_client import ARRIVALS, DONE, END, ERROR, HELLO, NETWORK, RUN, SENDS, STATE, WELCOME, Participant, bus_frame
from connections import Connection
from gzuav_client import Node, Subscriber
from names import assert_names
from swarm_case import RunCase, SwarmCase, hash_of, options

WORLD = '''
swarm: 1
time: {clock: fast, end: 1}
gzuav: {listen: 0, relay: 0, tick: 0.25, expect: [1, 0]}
network: {kind: bus, tick: 0.1, params: {delay: "0.0123456789"}}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 20}, start: 0, behaviour: {kind: walk, rate: 10}}
'''


class Network(RunCase):
    def setUp(self):
        super().setUp()
        self.told = []

    def begin_with(self, *sets, hello=None):
        bus = self.path('bus')
        self.begin(WORLD + f'bus: {{listen: "unix:{bus}", tick: 1, controllers: 0}}\n', *options(*sets))
        ports = self.ports(self.process, 'gzuav', 'gzuav')
        network = Participant(bus, role=4, hello=hello)
        _, seen = network.until(NETWORK)
        self.assertIn(WELCOME, seen)
        self.assertEqual(seen[NETWORK], b'delay=0.0123456789\n')
        if hello is None:
            network.done()
        self.driver = Subscriber(ports[0], 0)
        self.nodes = [Node(ports[1], i) for i in (0, 1)]
        return network

    def serve(self, network, delay_ns=12_345_679, answer=None):
        """The network until the run ends: what is sent arrives later at all others. Returns where it was told to run to, and stood."""
        waiting, runs, now = [], [], 0
        while True:
            kind, payload = network.frame()
            self.told.append((kind, network.ns, payload))
            if kind == SENDS:
                sender, to, number, size = struct.unpack_from('<IIII', payload)
                waiting.append((network.ns + delay_ns, 1 - sender, sender, number, payload[16:16 + size]))
                self.assertEqual(to, 0xFFFFFFFF)
            elif kind == RUN:
                until, = struct.unpack('<Q', payload)
                if answer is not None:
                    answer(until)
                    return runs
                due = [packet for packet in waiting if packet[0] <= until]
                now = min([until] + [packet[0] for packet in due])
                for packet in sorted(due):
                    if packet[0] == now:
                        waiting.remove(packet)
                        network.send(ARRIVALS, struct.pack('<QIIII', *packet[:4], len(packet[4])) + packet[4])
                runs.append((until, now))
                network.done(now)
            elif kind == END:
                return runs

    def drive(self):
        """Subscribers' side, in a process of its own rank: a thread."""
        for k in range(4):
            self.driver.begin()
            if k == 0:
                self.nodes[0].send(-1, b'ahoy')
            self.driver.end()
            if k == 1:
                self.assertEqual(self.nodes[1].receive(), (0, b'ahoy'))

    def test_gz04_the_network_leads_and_the_world_follows_to_its_instant(self):
        network = self.begin_with()
        thread = threading.Thread(target=self.drive)
        thread.start()
        runs = self.serve(network)
        out, _ = self.end()
        thread.join()
        arrival = 250_000_000 + 12_345_679
        self.assertIn(f'{arrival} packet 0 of 0 is at 1', self.trace())
        assert_names(out, 'network 1 packets sent 1 arrived')
        # it never runs beyond what anybody else wants: its own ticks of 0.1 s, subscribers every 0.25 s; then to the end of the microsecond
        self.assertTrue(all(until % 50_000_000 == 0 or until == 262_346_000 for until, _ in runs), runs)
        self.assertIn((300_000_000, arrival), runs)
        self.assertIn((262_346_000, 262_346_000), runs)
        # places are told at time 0, and at each tick that the world has followed to
        places = [(ns, struct.unpack_from('<3d', payload, 8)) for kind, ns, payload in self.told if kind == STATE]
        self.assertEqual([ns for ns, _ in places][:3], [0, 100_000_000, 200_000_000])
        self.assertGreater(places[-1][1][2], places[0][1][2])  # it has taken off

    def test_a_network_that_answers_before_it_is_asked(self):
        """Bytes behind HELLO are not lost: here the DONE that answers NETWORK comes with it."""
        hello = bus_frame(HELLO, bytes([4]) + b'test'.ljust(32, b'\0')) + bus_frame(DONE, struct.pack('<QB7x', 0, 0))
        network = self.begin_with('network.patience=20', hello=hello)
        thread = threading.Thread(target=self.drive)
        thread.start()
        self.assertEqual(self.serve(network)[-1], (1_000_000_000, 1_000_000_000))
        self.end()
        thread.join()

    def wrong(self, answer, text, *sets):
        network = self.begin_with('network.patience=0.5', *sets)
        thread = threading.Thread(target=lambda: self.assertRaises(EOFError, self.drive))
        thread.start()
        self.serve(network, answer=lambda until: answer(network, until))
        _, err = self.end(3)
        thread.join()
        assert_names(err, 'network ' + text)
        Connection.close_all()

    def test_gz07_what_is_wrong_ends_the_run_with_a_line(self):
        arrival = struct.pack('<QIIII', 10, 1, 0, 0, 1) + b'x'
        for answer, text in ((lambda n, until: n.socket.close(), 'disconnected'),
                             (lambda n, until: None, 'network.patience'),
                             (lambda n, until: n.done(until + 1), 'simulator 0.100000001 0.000000000 0.100000000'),
                             (lambda n, until: n.send(DONE, struct.pack('<QB7x', until, 0), tick=77), 'tick 77 1'),
                             (lambda n, until: n.send(ARRIVALS, arrival[:-1]), 'ARRIVALS'),
                             (lambda n, until: n.send(ARRIVALS, struct.pack('<QIIII', 10, 9, 0, 0, 0)), 'packet member 0.000000010'),
                             (lambda n, until: n.send(HELLO, b''), f'type {HELLO} ARRIVALS DONE')):
            with self.subTest(text):
                self.wrong(answer, text)

    def test_who_joins_where_no_network_is_wanted_must_leave(self):
        network = self.begin_with()
        second = Participant(self.path('bus'), role=4)
        thread = threading.Thread(target=self.drive)
        thread.start()
        self.serve(network)
        self.end()
        thread.join()
        try:
            said = second.frame()
        except (EOFError, ConnectionResetError):
            said = None  # it was not looked at before the run ended
        if said:
            self.assertEqual(said[0], ERROR)
            assert_names(said[1].decode(), 'network')


RADIOS = '''
swarm: 1
time: {clock: fast, end: 5}
network: {kind: builtin, delay: 0.0025, rate: 64000, range: 45}
entities:
  - {name: d, count: 4, as: agent, place: {grid: [4, 1], spacing: 20}, radio: generic, send: {every: 1, start: 0.5, bytes: [1, 2, 3, 4]}}
outputs: {radio: heard.csv}
'''


class Radios(SwarmCase):
    def test_gz04_what_members_broadcast_goes_over_the_network_that_there_is(self):
        one, two = (self.swarm(RADIOS, '--threads', threads) for threads in '12')
        self.assertEqual(hash_of(one), hash_of(two))
        rows = [line.split(',') for line in self.text('heard.csv').splitlines()[1:]]
        # 4 bytes at 64 kbit/s are 0.5 ms, after 2.5 ms; 45 m reach two neighbours: 5 pairs, both ways, 5 times
        self.assertEqual(len(rows), 50)
        self.assertEqual({row[0] for row in rows}, {f'{0.503 + k:.6f}' for k in range(5)})
        pairs = {(row[1], row[2]) for row in rows}
        self.assertEqual(len(pairs), 10)
        self.assertNotIn(('d.1', 'd.4'), pairs)
        self.assertEqual({row[6] for row in rows}, {'01020304'})
        assert_names(two, 'radio 4 20 sent 50 received')
