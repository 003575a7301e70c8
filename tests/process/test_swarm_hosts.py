# SPDX-License-Identifier: Apache-2.0
"""A swarm on several hosts (docs/cosim.md): flat, two and three levels and any partition are one run; leaves that are lost, wrong or without
a token; the root's death. GZ-06, GZ-07, GZ-22."""
import math
import os
import re
import shutil
import signal
import socket
import struct
import sys
import threading

import pytest

from bus_client import ACKS, HEAD, ORDERS, RECEPTIONS, STATE, TURN, Participant, command_int, frames_of, order
from cases import cases
from connections import exactly
from gzuav_client import Node, Subscriber
from mavlink import ARM, COMMAND_INT, TAKEOFF
from names import assert_names, names
from paths import COSIM
from swarm_case import SwarmCase, options

WORLD = '''
swarm: 1
time: {clock: fast, end: 10}
gzuav: {listen: 0, relay: 0, tick: 0.5, expect: [1, 1]}
network: {range: 1000}
entities:
  - {name: walker, count: 6, place: {grid: [3, 2], spacing: 30}, behaviour: {kind: walk, rate: 10}}
  - {name: bird, count: 4, place: {at: [300, 0], grid: [2, 2], spacing: 12}, behaviour: {kind: flock, rate: 5, radius: 60}}
  - {name: agent, count: 2, as: agent, place: {at: [0, 200], grid: [2, 1], spacing: 9}, behaviour: {kind: flock, rate: 5, radius: 60}}
  - {name: late, count: 3, place: {at: [50, 50], grid: [3, 1], spacing: 9}, start: 2, plan: away.plan}
outputs: {events: events.csv, csv: {file: places.csv, every: 1}}
'''
# Two subscribers as a program of the scenario. With NODE a node sends a packet, as soon as the swarm has come to know it.
CLIENTS = '''
import os, socket, struct, sys, threading
def connect(key, hello):
    s = socket.create_connection(("127.0.0.1", int(os.environ[key].rpartition(":")[2])))
    s.sendall(hello)
    return s
def get(s, n):
    got = s.recv(n, socket.MSG_WAITALL)
    if len(got) < n:
        raise ConnectionError
    return got
def talk():
    node.append(connect("SWARM_GZUAV_RELAY", struct.pack("<I", 1)))
    node[0].sendall(struct.pack("<Ii", 5, -1) + b"x")
    get(node[0], 1)
node, send = [], threading.Thread(target=talk, daemon=True)
if "NODE" in os.environ:
    send.start()
first, second = (connect("SWARM_GZUAV_LISTEN", bytes([phase])) for phase in (0, 1))
try:
    while True:
        get(first, 8)
        if send.is_alive():
            send.join(0.2)
        first.sendall(b"!")
        count, = struct.unpack("<8xI", get(second, 12))
        assert count
        get(second, 28 * count)
        second.sendall(b"!")
except ConnectionError:
    sys.exit(int(os.environ["CODE"]))
'''


class Hosts(SwarmCase):
    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(COSIM, 'away.plan'), self.folder)

    def leaf(self, port, *args, listens=False):
        process = self.start('--join', f'127.0.0.1:{port}', *args)
        return (process, self.ports(process, 'hosts')[0]) if listens else process

    def begin(self, hosts, *sets):
        text = WORLD if hosts is None else WORLD.replace('\ngzuav', f'\nhosts: {hosts}\ngzuav')
        return self.start(self.scenario(text), '--out', self.folder, '--trace', self.path('trace'), *options(*sets))

    @staticmethod
    def drive(ports, at=None):
        """Two subscribers, and a node that sends in each tick; something happens in one of them."""
        node = Node(ports[1], 1)  # before those for whom time 0 waits
        first, second = Subscriber(ports[0], 0), Subscriber(ports[0], 1)
        try:
            for k in range(1, 100):
                _, places = first.begin(), None
                if at is not None and at[0] == k:
                    at[1]()
                node.send(-1, bytes([k]))
                first.end()
                _, places = second.begin()
                assert len(places) == 15
                second.end()
        except (EOFError, ConnectionError):
            pass
        for client in (first, second, node):
            client.close()

    def outcome(self, out):
        """What must not differ: the hash of all vehicles, the trace's, and the files."""
        return re.findall(r'^(?:hash|trace) .*', out, re.M), self.text('events.csv'), self.text('places.csv')

    def fly(self, hosts, join=None):
        root = self.begin(hosts)
        if join is None:
            ports = self.ports(root, 'gzuav', 'gzuav')
        else:
            *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
            join(port)
        self.drive(ports)
        out, err = self.finish(root)
        return self.outcome(out), err

    @pytest.mark.long
    def test_gz06_flat_two_and_three_levels_and_any_partition_are_one_run(self):
        flat, _ = self.fly(None)
        self.assertEqual(len(flat[0]), 2)
        self.assertIn('packet of 1 to -1', self.text('trace'))
        self.assertGreater(len(flat[1].splitlines()), 10)

        def three(port):
            _, below = self.leaf(port, '--name', 'middle', '--listen', '0', '--leaves', '2', listens=True)
            self.leaf(below, '--name', 'left')
            self.leaf(below, '--name', 'right', '--threads', '2')

        two, err = self.fly('{start: 2}')
        self.assertEqual(two, flat)
        self.assertEqual([int(n) for n in re.findall(r'leaf-\d: (\d+) vehicles', err)].count(0), 0)
        levels, err = self.fly('{leaves: 3}', three)
        self.assertEqual(levels, flat)
        self.assertEqual(sorted(re.findall(r'hosts: \d (\w+): \d+ vehicles', err)), ['left', 'middle', 'right'])
        # all are pinned: entities or members to leaves, by name or number; who joined first has the lower one
        pinned, err = self.fly('{leaves: 3, pin: {walker: "1", bird: left, late.1: right, late.3: left, late.2: right}}', three)
        self.assertEqual(pinned, flat)
        self.assertEqual(dict(re.findall(r'hosts: \d (\w+): (\d+) vehicles', err)), {'middle': '6', 'left': '5', 'right': '2'})

    def run_programs(self, hosts, *programs, join=None, code=0):
        """The world with programs of its own. @return what it was, its end and errors"""
        hosts = f'\nhosts: {hosts}' if hosts else ''
        text = WORLD.replace('\ngzuav', hosts + '\nprocesses:\n' + ''.join(f'  - {p}\n' for p in programs) + 'gzuav')
        root = self.start(self.scenario(text), '--out', self.folder, '--trace', self.path('trace'))
        if join is not None:
            join(self.ports(root, 'hosts')[0])
        out, err = self.finish(root, code)
        return (self.outcome(out) if 'hash' in out else None), out, err

    @pytest.mark.long
    def test_gz06_a_process_on_a_leaf_reaches_the_swarm_through_the_tree(self):
        started = []

        def two(port):
            _, below = self.leaf(port, '--name', 'middle', '--listen', '0', listens=True)
            started.append(self.leaf(below, '--name', 'far'))

        client = f'run: [{sys.executable}, -S, -E, {self.path("clients.py")}]'
        self.write('clients.py', CLIENTS)
        flat, out, _ = self.run_programs(None, f'{{name: clients, {client}, env: {{CODE: 0}}}}')
        self.assertRegex(out, r'(?m)^process   clients +10\.000000 +\d+\.\d{3}  \S+ \d+')
        self.assertGreater(len(self.text('trace').splitlines()), 80)  # 20 ticks of two phases, which begin and end
        for host in ('far', '"1"'):
            there, out, err = self.run_programs('{leaves: 2}', f'{{name: clients, host: {host}, {client}, env: {{CODE: 0}}}}', join=two)
            self.assertEqual(there, flat)
            self.assertRegex(out, rf'(?m)^process   clients +10\.000000 +\d+\.\d{{3}}  \S+ \d+.*, on {host.strip(chr(34))}$', err)
        self.run_programs('{leaves: 2}', f'{{name: clients, host: far, {client}, env: {{CODE: 0, NODE: 1}}}}', join=two)
        self.assertIn('packet of 1 to -1', self.text('trace'))
        # it was the leaf that listened for it, and its code counts
        self.assertRegex(self.finish(started[0])[1], r'gzuav: port \d+')
        programs = f'{{name: clients, {client}, env: {{CODE: 0}}}}', '{name: seven, host: far, run: [sh, -c, "exit 7"]}'
        self.assertRegex(self.run_programs('{leaves: 2}', *programs, join=two, code=1)[1], r'(?m)^process   seven +10\.000000 +\d+\.\d{3}  code 7, on far$')

    @pytest.mark.long
    def test_what_a_leaf_lacks_or_cannot_run_is_refused_before_the_start(self):
        def one(port):
            self.leaf(port, '--name', 'big')

        hosts = '{leaves: 1}'
        for process, hosts, join, text in (
                ('{run: [nowhere-program], host: big}', hosts, one, 'processes nowhere-program big'),
                ('{name: x, run: [sh], needs: "exit 3", host: "1"}', hosts, one, 'processes x exit 3 big'),
                ('{run: [sh], host: small}', hosts, one, 'processes host small 1'),
                ('{run: [sh], host: big}', None, None, 'processes sh hosts'),
                ('{run: [sh], host: big, clock: virtual}', hosts, None, 'processes sh clock: virtual'),
                ('{run: [sh], host: big, members: bird}', hosts, None, 'members')):
            mark = self.path('mark')
            _, _, err = self.run_programs(hosts, f'{{run: [touch, {mark}]}}', process, join=join, code=2)
            assert_names(err, text)
            self.assertFalse(os.path.exists(mark), process)

    @pytest.mark.long
    def test_gz07_a_process_on_a_leaf_ends_with_the_run_or_is_lost_with_its_leaf(self):
        victim = []

        def one(port):
            victim.append(self.leaf(port, '--name', 'big'))

        self.write('clients.py', CLIENTS)
        client = f'{{name: clients, run: [{sys.executable}, -S, -E, {self.path("clients.py")}], env: {{CODE: 0}}}}'
        _, out, _ = self.run_programs('{leaves: 1}', client, '{name: lasting, run: [sleep, "100"], host: big}', join=one)
        self.assertRegex(out, r'(?m)^process   lasting +10\.000000 +\d+\.\d{3}  signal 15, .*big$')
        # one that does not end by itself is killed, and its leaf is not called silent
        deaf = '{name: deaf, run: [sh, -c, "trap \'\' 15; exec sleep 100"], host: big}'
        _, out, _ = self.run_programs('{leaves: 1, patience: 2}', deaf, client, join=one)
        self.assertRegex(out, r'(?m)^process   deaf +10\.000000 +\d+\.\d{3}  signal 9, .*big$')
        # a program that kills its leaf, the parent of its keeper
        killer = '{name: killer, run: [sh, -c, "kill -9 $(cut -d\\" \\" -f4 /proc/$PPID/stat)"], host: big}'
        _, out, err = self.run_programs('{leaves: 1}', client, killer, join=one, code=1)
        self.assertRegex(out, r'(?m)^process   killer +\d+\.\d{6} +\d+\.\d{3}  lost, on big$', err)
        self.assertRegex(err, r'hosts: big left .*\d+\.\d+ s')

    def test_a_leaf_that_comes_late_is_told(self):
        root = self.begin('{leaves: 1}')
        *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
        self.leaf(port)
        first, second, node = Subscriber(ports[0], 0), Subscriber(ports[0], 1), Node(ports[1], 1)
        first.begin()
        _, err = self.finish(self.leaf(port), 2)
        assert_names(err, f'--join 127.0.0.1:{port} leaves')
        # the door is open for programs on leaves: who knocks otherwise gets a text, and the run goes on
        wrong = [(b'GET / HTTP/1.1\r\n\r\n', 'version 1'), (HEAD.pack(1, 1, 0, 1 << 30, 0), 'frame'),
                 (self.hello(token=b'x', name=b'', kinds=(21, 22, 24)), 'token'),
                 (self.hello(name=b'\x00', kinds=(21, 22, 24)), 'build')]
        for said, why in wrong:
            with socket.create_connection(('127.0.0.1', port)) as s:
                s.settimeout(30)
                s.sendall(said)
                assert_names(s.recv(1000).decode(), why)
        for client in (first, second, node):
            client.close()
        self.finish(root)

    def lose(self, hosts, join, times=1, silent=False):
        """A leaf is killed, or falls silent, in tick 9, while all wait for a subscriber."""
        outcomes = []
        for _ in range(times):
            root = self.begin(hosts)
            *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
            victim = join(port)

            def harm(victim=victim):
                victim.send_signal(signal.SIGSTOP if silent else signal.SIGKILL)
                if not silent:
                    victim.wait()
            self.drive(ports, (9, harm))
            out, err = self.finish(root, 1)
            outcomes.append(self.outcome(out))
            why = 'silent' if silent else 'disconnected'
            self.assertRegex(err, rf'hosts: \S+ left .*4\.500000 s .*\d+ vehicles: .*{why}')
            self.assertRegex(out, r'time +10\.000000 s')
            self.assertRegex(out, r'hosts +\d\D+[12]\D')
        for other in outcomes[1:]:
            self.assertEqual(other, outcomes[0])
        return outcomes[0]

    @pytest.mark.long
    def test_gz07_a_leaf_that_is_killed_takes_its_vehicles_along_and_the_world_goes_on(self):
        def two(port):
            victim = self.leaf(port, '--name', 'gone')
            self.leaf(port, '--name', 'kept')
            return victim

        def below(port):
            _, under = self.leaf(port, '--name', 'kept', '--listen', '0', listens=True)
            return self.leaf(under, '--name', 'gone')

        pin = 'pin: {walker: gone, bird: kept, late: kept}'
        first = self.lose(f'{{leaves: 2, {pin}}}', two, times=cases(2, 10))
        lost = [line for line in self.text('trace').splitlines() if line.endswith('left')]
        self.assertEqual([line.split(' ', 1)[1] for line in lost], [f'hosts: vehicle {i} left' for i in range(6)])
        # wherever the leaf was in the tree, what is left is the same
        self.assertEqual(self.lose(f'{{leaves: 2, {pin}}}', below), first)

    @pytest.mark.long
    def test_gz07_a_leaf_that_is_silent_is_let_go_or_ends_the_run(self):
        def one(port):
            return self.leaf(port, '--name', 'gone'), self.leaf(port, '--name', 'kept')

        pin = 'pin: {walker: gone, bird: kept, late: kept}'
        dropped = self.lose(f'{{leaves: 2, patience: 1, silent: drop, {pin}}}', lambda port: one(port)[0], silent=True)
        self.assertEqual(dropped, self.lose(f'{{leaves: 2, {pin}}}', lambda port: one(port)[0]))
        root = self.begin(f'{{leaves: 2, patience: 1, {pin}}}')
        *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
        victim, _ = one(port)
        self.drive(ports, (9, lambda: victim.send_signal(signal.SIGSTOP)))
        _, err = self.finish(root, 3)
        self.assertRegex(err, r'hosts: gone .* 1 s .*4\.500000 s: .*hosts\.patience.*hosts\.silent')

    def proxy(self, port, holds, change=lambda reply: reply):
        """Between the root and a leaf: holds[k] is how many bytes of the k-th reply pass before it stops, until go on is said.
        change() makes another reply of each, of the same length.
        @return its port, and the event that lets it go on, once for each"""
        listener = socket.create_server(('127.0.0.1', 0))
        self.addCleanup(listener.close)
        go_on = threading.Semaphore(0)

        def carry(source, to, holds):
            k = 0
            try:
                while True:
                    head = exactly(source, 16)
                    frame = head + exactly(source, HEAD.unpack(head)[3])
                    frame = change(frame) if head[1] == 4 else frame
                    cut = holds.get(k, 0) if head[1] == 4 else 0
                    k += head[1] == 4
                    to.sendall(frame[:cut])
                    if cut:
                        go_on.acquire()
                    to.sendall(frame[cut:])
            except (EOFError, OSError):
                to.close()

        def run():
            leaf, _ = listener.accept()
            root = socket.create_connection(('127.0.0.1', port))
            threading.Thread(target=carry, args=(root, leaf, {}), daemon=True).start()
            carry(leaf, root, holds)

        threading.Thread(target=run, daemon=True).start()
        return listener.getsockname()[1], go_on

    @pytest.mark.long
    def test_gz07_a_leaf_that_is_silent_in_the_middle_of_a_frame_goes_on(self):
        flat, _ = self.fly(None)
        root = self.begin('{leaves: 1, patience: 0.5, silent: wait}')
        *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
        # within the head, after it, and within what follows
        joins, go_on = self.proxy(port, {5: 7, 8: 16, 12: 30})
        self.leaf(joins, '--name', 'slow')
        clients = threading.Thread(target=self.drive, args=(ports,))
        clients.start()
        for _ in range(3):
            line = ''
            while not names(line, 'hosts slow silent 0.5 s'):
                line = root.stderr.readline()
                self.assertNotEqual(line, '')
            go_on.release()
        out, _ = self.finish(root)
        clients.join()
        self.assertRegex(out, r'hosts +1\D+0\D')
        self.assertEqual(self.outcome(out), flat)

    def test_a_leaf_whose_numbers_are_none_is_refused_and_counted(self):
        """All bits are set: a time before 0, and a double and a float that are no number."""
        sum_, looked, changed, bird, trail = 27, 28, 29, 34, 35
        for kinds in ((bird,), (looked,), (changed, trail, sum_)):
            seen = []

            def change(reply, kinds=kinds, seen=seen):
                reply, at = bytearray(reply), 16
                while at < len(reply):
                    kind, _, n = struct.unpack_from('<BII', reply, at)
                    at += 9
                    if kind in kinds:
                        reply[at:at + n] = b'\xff' * n
                        seen.append(kind)
                    at += n
                return bytes(reply)

            with self.subTest(kinds=kinds):
                root = self.begin('{leaves: 1}')
                *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
                self.leaf(self.proxy(port, {}, change)[0])
                self.drive(ports)
                out, _ = self.finish(root)
                self.assertEqual(set(seen), set(kinds))
                self.assertEqual(int(re.search(r'^hosts +1\D+0\D+(\d+)\D', out, re.M)[1]), len(seen))
                self.assertEqual(re.findall('nan|inf', self.text('places.csv')), [])

    def test_gz22_the_death_of_the_root_ends_leaves(self):
        root = self.begin('{leaves: 2}')
        *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
        middle, below = self.leaf(port, '--listen', '0', listens=True)
        leaf = self.leaf(below)
        self.drive(ports, (3, root.kill))
        for process in (middle, leaf):
            _, err = process.communicate(timeout=5)
            self.assertEqual(process.returncode, 2)
            assert_names(err, 'root')

    def test_who_is_wrong_is_refused_and_counted(self):
        root = self.begin('{leaves: 1, token: secret}')
        *ports, port = self.ports(root, 'gzuav', 'gzuav', 'hosts')
        hello = HEAD.pack(1, 1, 0, 0, 0)
        for wrong, why in ((b'GET / HTTP/1.1\r\n\r\n', 'version 1'),
                           (b'\x02' + hello[1:], 'version 1'),
                           (b'\x01\x63' + hello[2:], 'frame'),
                           (HEAD.pack(1, 1, 0, 1 << 30, 0), 'frame'),
                           (hello, 'HELLO'),
                           (HEAD.pack(1, 1, 0, 20, 0) + bytes(20), 'HELLO')):
            with socket.create_connection(('127.0.0.1', port)) as s:
                s.settimeout(30)
                s.sendall(wrong)
                assert_names(s.recv(1000).decode(), why)
        half = socket.create_connection(('127.0.0.1', port))
        half.sendall(hello[:7])
        half.close()
        for token in ((), ('--token', 'secre')):
            _, err = self.finish(self.leaf(port, *token), 2)
            assert_names(err, f'--join 127.0.0.1:{port} token')
        other = self.hello(token=b'secret', program=77)
        with socket.create_connection(('127.0.0.1', port)) as s:
            s.sendall(other)
            assert_names(s.recv(1000).decode(), 'build')
        self.leaf(port, '--token', 'secret')
        self.drive(ports)
        out, _ = self.finish(root)
        self.assertRegex(out, r'hosts +1\D+0\D+10\D')

    @staticmethod
    def hello(token=b'', program=0, name=b'x', kinds=(21, 22, 23)):
        records = [(kinds[0], token), (kinds[1], struct.pack('<Q', program)), (kinds[2], name)]
        body = b''.join(struct.pack('<BII', kind, 0, len(b)) + b for kind, b in records)
        return HEAD.pack(1, 1, 0, len(body), 0) + body

    @pytest.mark.long
    def test_an_address_that_others_reach_needs_a_token(self):
        for args, what in ((['hosts={listen: "0.0.0.0:0", leaves: 1}'], 'hosts token'),
                           (['hosts={start: 2, leaves: 1}'], 'hosts leaves start'),
                           (['hosts={listen: 0}'], 'hosts leaves 1'),
                           (['hosts={start: 1, pin: {nobody: 1}}'], 'hosts nobody'),
                           (['hosts={start: 1, pin: {bird: far}}'], 'hosts far 1'),
                           (['hosts={start: 1}', 'links={address: "127.64.77.0:5999"}'], 'links transport: vehicle')):
            _, err = self.finish(self.begin(None, *args), 2)
            assert_names(err, what)
        _, err = self.finish(self.start('--join', '127.0.0.1:1', '--listen', '0.0.0.0:0'), 2)
        self.assertIn('give --token', err)

    def test_orders_and_states_of_the_bus_are_the_same(self):
        outcomes = []
        for k, hosts in enumerate((None, '{start: 2}')):
            bus = self.path(f'bus{k}')
            root = self.begin(hosts, f'bus={{listen: "unix:{bus}", tick: 0.5, controllers: 1}}', 'gzuav={}')
            participant, states = Participant(bus), []
            try:
                while True:
                    _, seen = participant.until(TURN)
                    states.append((seen[STATE], seen.get(ACKS)))
                    # COMMAND_INT: arm and take off, of a vehicle that has no behaviour
                    if len(states) == 2:
                        participant.send(ORDERS, order(12, COMMAND_INT, command_int(ARM, 1.0)))
                    elif len(states) == 3:
                        participant.send(ORDERS, order(12, COMMAND_INT, command_int(TAKEOFF, math.nan, 0, 0, 0, 0, 0, 520.0)))
                    participant.done()
            except EOFError:
                participant.socket.close()
            out, _ = self.finish(root)
            outcomes.append((states, self.outcome(out)))
        self.assertGreater(len(outcomes[0][0]), 20)
        self.assertTrue(any(acks for _, acks in outcomes[0][0]))
        self.assertEqual(outcomes[0], outcomes[1])

    def test_an_instant_takes_as_many_frames_as_are_needed(self):
        """The places of all are written at 0, 1 .. 10 s, and nobody steers: beside the boot and the end one frame for each. If events are
        written, what is done before an instant is told by a frame of its own."""
        world = '''
swarm: 1
time: {clock: fast, end: 10}
gzuav: {listen: 0, tick: 1}
entities: [{name: v, count: 4, place: {grid: [2, 2], spacing: 10}, behaviour: {kind: walk, rate: 10}}]
outputs: {csv: {file: places.csv, every: 1}EVENTS}
'''
        for events, frames in (('', 11), (', events: events.csv', 1 + 2 * 10)):
            outcomes = []
            for hosts in ('', 'hosts: {start: 2}\n'):
                out, _ = self.finish(self.start(self.scenario(world.replace('EVENTS', events) + hosts), '--out', self.folder))
                outcomes.append((re.findall('^hash .*', out, re.M), self.text('places.csv')))
            self.assertEqual(outcomes[0], outcomes[1])
            self.assertIn(f'2 leaves, 0 lost, 0 refused, {2 * (frames + 2)} frames', out)

    def test_who_hears_whom_is_seen_as_without_hosts(self):
        """Six vehicles and an agent in a row, 10 m apart, reach 15 m: each hears its neighbours, whichever process carries it."""
        world = '''
swarm: 1
time: {clock: fast, end: 10}
medium: {range: 15}
entities:
  - {name: v, count: 6, place: {grid: [6, 1], spacing: 10}, radio: {kind: cc2420}, send: {every: 1, start: 1, bytes: [1]}}
  - {name: a, as: agent, place: {at: [0, 35]}, radio: {kind: cc2420}, send: {every: 1, start: 1, bytes: [1]}}
  - {name: walker, count: 4, place: {at: [200, 0], grid: [2, 2], spacing: 9}, behaviour: {kind: walk, rate: 5}, radio: {kind: cc2420}, send: {every: 1, start: 1, bytes: [2]}}
outputs: {pictures: {file: picture, every: 2}, radio: {file: heard.csv}}
'''
        outcomes = []
        for hosts in ('', 'hosts: {start: 2, pin: {v.1: 1, v.2: 2, v.3: 1, v.4: 2}}\n'):
            out, _ = self.finish(self.start(self.scenario(world + hosts), '--out', self.folder))
            outcomes.append((re.findall('^hash .*', out, re.M), self.bytes('picture'), self.text('heard.csv')))
        self.assertEqual(outcomes[0][0], outcomes[1][0])
        self.assertEqual(outcomes[0][2], outcomes[1][2])
        self.assertEqual(outcomes[0][1], outcomes[1][1])
        told = [set(struct.iter_unpack('<II', payload[8:])) for kind, _, payload in frames_of(outcomes[1][1]) if kind == RECEPTIONS]
        pairs = {(i, i + d) for i in range(6) for d in (-1, 1) if 0 <= i + d < 6}
        self.assertEqual(len(told), 5)
        for pair in told:
            self.assertEqual({(i, j) for i, j in pair if i < 6 and j < 6}, pairs)

    def test_a_signal_ends_all(self):
        root = self.begin('{start: 1}')
        ports = self.ports(root, 'gzuav', 'gzuav')
        self.drive(ports, (3, lambda: root.send_signal(signal.SIGINT)))
        out, _ = self.finish(root, 130)
        assert_names(out, 'signal')
