# SPDX-License-Identifier: Apache-2.0
"""GZ-21: random and cut-off bytes, by seeds, at every door of a run: gzuav's subscribers and relay, the bus, autopilots and plugins at their
sockets, mayfly-body. Whoever sends them is let go with a text, and all others live through the very run that they have without it. `make
sanitize` does the same under AddressSanitizer."""
import os
import random
import socket
import struct
import tempfile
import threading
import unittest

from body import Body, packet
from bus_client import ACKS, DONE, HELLO, ORDERS, STATE, TURN, Participant, bus_frame, command_int, order
from cases import cases
from foreign_swarm import ForeignCase
from gzuav_client import Node, Subscriber
from ports import free_port
from swarm_case import hash_of

# with MF_LONG=1 10^5 who come to gzuav's doors, and 10^4 to the bus, which has 16 places
SEEDS = range(cases(2, 10))
TICKS = cases(10, 100)
EACH = cases(4, 10)  # who come at each tick
CROWD = cases(4, 50)


def mangled(chance, data):
    """Some bytes are others, or it is cut off."""
    data = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[:chance.randrange(1, len(data) + 1)])


def throw(family, kind, where, data):
    """Come, send, and be gone; whoever is let go before it has sent all is gone, too."""
    with socket.socket(family, kind) as link:
        link.connect(where)
        try:
            link.send(data)
        except OSError:
            pass


class Nonsense(ForeignCase):
    in_ledger = False

    def listen(self):
        """What the swarm says of each who came is read at once: it waits where a pipe is full."""
        pipe, self.process.stderr, self.said = self.process.stderr, None, []
        self.addCleanup(pipe.close)
        self.listener = threading.Thread(target=lambda: self.said.extend(pipe))
        self.listener.start()

    def end(self, code=0):
        out, err = super().end(code)
        if err is None:
            self.listener.join()
            err = ''.join(self.said)
        self.assertTrue(all(line.isprintable() for line in err.splitlines()), err)
        self.assertNotIn('Sanitizer', err)
        return out, err


class Gzuav(Nonsense):
    WORLD = '''
swarm: 1
time: {clock: fast, end: @END}
gzuav: {listen: 0, relay: 0, tick: 0.5, expect: [1, 1]}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 20}, behaviour: {kind: walk, rate: 10}}
  - {name: v, count: 1, place: [30, 40, 0], behaviour: {kind: walk, rate: 10}}
'''

    WORLD = WORLD.replace('@END', str(TICKS / 2))

    @staticmethod
    def bytes_of(chance):
        """For subscribers, for the relay. No packet reaches anybody: else a run would rightly be another."""
        any_ = chance.randbytes(chance.randrange(0, 300))
        node = struct.pack('<I', 2) + b''.join(struct.pack('<Ii', 4 + n, 77) + chance.randbytes(n) for n in (0, 5, 65000))
        return (chance.choice((any_, bytes([chance.randrange(2)]) + any_, bytes([chance.randrange(2)]))),
                chance.choice((any_, struct.pack('<I', chance.randrange(3)) + any_, node[:chance.randrange(len(node))],
                               struct.pack('<IIi', 2, chance.randrange(65005, 1 << 32), -1), mangled(chance, node[:8]))))

    def run_with(self, seed):
        """What those who behave are told. @param seed  None: nobody else comes"""
        self.begin(self.WORLD)
        port, relay = self.port(), self.port()
        self.listen()
        chance = random.Random(seed)
        driver, nodes = Subscriber(port, 0), [Node(relay, number) for number in (0, 1)]
        watcher = Subscriber(port, 1)
        told = []
        for k in range(TICKS):
            told.append(driver.begin())
            for _ in range(CROWD if seed is not None else 0):
                for where, data in zip((port, relay), self.bytes_of(chance)):
                    throw(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', where), data)
            nodes[0].send(1, b'%d' % k)
            driver.end()
            told.append(watcher.begin())
            if k > 0:
                told.append(nodes[1].receive())
            watcher.end()
        out, err = self.end()
        return hash_of(out), told, err

    def test_gz21_subscribers_and_nodes(self):
        *alone, err = self.run_with(None)
        self.assertNotIn(': it ', err)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                *told, err = self.run_with(seed)
                self.assertEqual(told, alone)
                self.assertIn(': it ', err)      # a line a second about strangers


class Bus(Nonsense):
    WORLD = '''
swarm: 1
time: {clock: fast, end: @END}
bus: {listen: "unix:@bus"}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 10}, behaviour: {kind: walk, rate: 10}}
  - {name: v, count: 2, place: {grid: [2, 1], spacing: 10}}
'''

    WORLD = WORLD.replace('@END', str(TICKS / 10))

    @staticmethod
    def bytes_of(chance):
        def frame(kind, payload):
            return bus_frame(kind, payload, chance.choice((0, 1, chance.randrange(1 << 32))))
        hello = frame(HELLO, bytes([chance.randrange(6)]) + chance.choice((b'nobody', b'zz', chance.randbytes(32))).ljust(32, b'\0'))
        more = b''.join(frame(chance.randrange(12), chance.randbytes(chance.randrange(60))) for _ in range(3))
        return chance.choice((chance.randbytes(chance.randrange(100)), mangled(chance, hello), hello + more, hello + mangled(chance, more),
                              hello + more[:chance.randrange(len(more))]))

    def run_with(self, seed):
        self.begin(self.WORLD)
        self.listen()
        chance, told = random.Random(seed), []
        p = Participant(self.path('bus'))
        for k in range(TICKS + 1):
            _, seen = p.until(TURN)
            told.append((p.ns, seen[STATE], seen.get(ACKS)))
            for _ in range(EACH if seed is not None and k < TICKS else 0):
                throw(socket.AF_UNIX, socket.SOCK_STREAM, self.path('bus'), self.bytes_of(chance))
            if k == 2:
                p.send(ORDERS, order(2, 75, command_int(400, 1.0)))
            p.done()
        out, err = self.end()
        return hash_of(out), told, err

    def test_gz21_the_bus(self):
        *alone, err = self.run_with(None)
        self.assertNotIn(': it ', err)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                *told, err = self.run_with(seed)
                self.assertEqual(told, alone)
                self.assertIn(': it ', err)      # a line a second about strangers

    def test_gz21_orders_in_an_answer_to_another_tick_are_not_obeyed(self):
        digests = set()
        for orders in (b'', order(2, 75, command_int(400, 1.0))):
            self.begin(self.WORLD)
            p = Participant(self.path('bus'))
            p.until(TURN)
            p.send(ORDERS, orders, tick=7)
            out, err = self.end()
            self.assertRegex(err, r"controller 'test' left .*0\.000000 s: .*tick")
            digests.add(hash_of(out))
        self.assertEqual(len(digests), 1)

    def test_gz21_a_network_that_makes_no_sense_ends_the_run_with_a_text(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                self.begin(self.WORLD.replace('bus"}', 'bus", controllers: 0}\nnetwork: {kind: bus}'))
                network = Participant(self.path('bus'), role=4)
                network.frame()
                network.frame()
                if seed % 2:
                    network.send(DONE)
                network.socket.sendall(chance.randbytes(chance.randrange(1, 100)))
                network.socket.close()
                _, err = self.end(3)
                self.assertRegex(err, r's.yaml:\d+: network: ')


class Bodies(Nonsense):
    """Autopilots, and plugins of Gazebo: the others' packets, byte for byte, and the hash are those of a run in which one closes instead."""
    AC = '''
swarm: 1
time: {clock: fast, end: 0.5}
entities:
  - {name: walker, as: agent, place: [50, 0, 0], behaviour: {kind: walk, rate: 10}}
  - {name: copter, count: 3, as: body, place: {grid: [3, 1], spacing: 30}, autopilot: {ac: @ac, rate: 250, gusts: 1}}
'''
    GAZEBO = AC.replace('place: {grid: [3, 1], spacing: 30}, ', '').replace('rate: 250, gusts: 1', 'plugin: @gz')
    MOTORS = struct.pack('<19f', *[0.5] * 4, *[0.0] * 15)
    AT = 20  # the tick at which one sends nonsense

    @staticmethod
    def bytes_of(chance, good):
        """It is no packet: its length is another, or a number is none."""
        wrong = chance.randrange(4)
        if wrong == 0:
            return chance.randbytes(chance.choice([n for n in range(1, 300) if n != len(good)]))
        if wrong == 1:
            return good[:chance.randrange(1, len(good))]
        at = 8 * chance.randrange(len(good) // 8 if len(good) > 80 else 8)
        return good[:at] + b'\xff' * 8 + good[at + 8:]

    def strangers(self, path, chance):
        for _ in range(EACH):
            throw(socket.AF_UNIX, socket.SOCK_SEQPACKET, path, chance.choice((chance.randbytes(chance.randrange(1, 200)), b'copter', b'\0copter.1', b'\0', b'+1', b'1' * 200)))

    def autopilots(self, seed):
        self.begin(self.AC)
        chance, path = random.Random(seed), self.come('ac')
        if seed is not None:
            self.strangers(path, chance)
        links = [self.join(path, b'copter.%d' % k) for k in (1, 2, 3)]
        got = [[], []]
        for tick in range(125):
            for k, link in enumerate(links):
                begin = link.recv(1000)
                if k < 2:
                    got[k].append(begin)
                if tick == self.AT and k == 2:
                    if seed is not None:
                        link.send(self.bytes_of(chance, self.MOTORS))
                    link.close()
                else:
                    link.send(self.MOTORS)
            del links[2 if tick >= self.AT else 3:]
        out, err = self.end()
        self.assertRegex(err, r'autopilot .*copter\.3 left .*0\.080000 s' + (': .*(76 bytes|motor)' if seed is not None else '\n'))
        return hash_of(out), got

    def test_gz21_autopilots(self):
        alone = self.autopilots(None)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.assertEqual(self.autopilots(seed), alone)

    def plugins(self, seed):
        self.begin(self.GAZEBO)
        chance = random.Random(seed)
        for path in ('gz', 'ac') if seed is not None else ():
            self.strangers(self.come(path), chance)
        plugins, pilots = ([self.join(self.come(path), b'copter.%d' % k) for k in (1, 2, 3)] for path in ('gz', 'ac'))
        got = []
        for tick in range(1, 100):
            for pilot in pilots:
                pilot.send(self.MOTORS)
            for k, plugin in enumerate(plugins):
                motors = plugin.recv(100)
                good = struct.pack('<23d', 0.004 * tick, k, 0, 1 + tick, 0, 0, 0, 0, 0, -9.8, 1, *[0] * 12)
                if tick == self.AT and k == 2:
                    if seed is not None:
                        plugin.send(self.bytes_of(chance, good))
                    plugin.close()
                else:
                    plugin.send(good)
                got.append(motors)
            if tick == self.AT:
                pilots.pop().close()
                plugins.pop()
            got += [pilot.recv(1000) for pilot in pilots]
        for link in pilots + plugins:
            link.close()
        out, err = self.end()
        self.assertRegex(err, r'plugin .*copter\.3 left .*0\.076000 s' + (r': .*(184 bytes|time|value|attitude)' if seed is not None else '\n'))
        return hash_of(out), got

    def test_gz21_plugins_of_gazebo(self):
        alone = self.plugins(None)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.assertEqual(self.plugins(seed), alone)

    def json(self, seed):
        port = free_port()
        self.begin('swarm: 1\ntime: {clock: fast, end: 0.5}\nentities:\n  - {name: copter, as: body, autopilot: {json: %d}}\n' % port)
        chance, got = random.Random(seed), []
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            link.settimeout(0.5)
            for frame in range(1, 126):
                good = packet(frame, [1600] * 16)
                for _ in range(EACH if seed is not None else 0):
                    bad = chance.choice((chance.randbytes(chance.randrange(200)), good[:chance.randrange(40)], b'\0' + good[1:], good + b'\0'))
                    other.sendto(bad, ('127.0.0.1', port))
                answer = None
                while answer is None:
                    try:
                        link.sendto(good, ('127.0.0.1', port))
                        answer = link.recv(2000)
                    except (ConnectionRefusedError, TimeoutError):
                        pass
                got.append(answer)
        out, err = self.end()
        self.assertEqual('datagram' in err, seed is not None)
        return hash_of(out), got

    def test_gz21_datagrams(self):
        alone = self.json(None)
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.assertEqual(self.json(seed), alone)


class Alone(unittest.TestCase):
    """mayfly-body."""
    def test_gz21_datagrams(self):
        answers = set()
        for seed in (None, *SEEDS):
            chance = random.Random(seed)
            with Body() as body:
                got = []
                for frame in range(1, 50):
                    for _ in range(EACH if seed is not None else 0):
                        body.socket.send(chance.choice((chance.randbytes(chance.randrange(200)), packet(frame, [1600] * 16)[:chance.randrange(40)])))
                    got.append(body.ask(packet(frame, [1600] * 16)))
                answers.add(tuple(got))
        self.assertEqual(len(answers), 1)

    def test_gz21_ticks(self):
        told = set()
        for seed in (None, *SEEDS):
            chance = random.Random(seed)
            with tempfile.TemporaryDirectory() as folder, Body('--ac', path := os.path.join(folder, 'ac')) as body:
                for _ in range(EACH if seed is not None else 0):
                    throw(socket.AF_UNIX, socket.SOCK_SEQPACKET, path, chance.randbytes(chance.randrange(1, 200)))
                    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as link:
                        link.settimeout(30)
                        link.connect(path)
                        link.send(b'copter')
                        link.recv(1000)
                        link.send(Bodies.bytes_of(chance, Bodies.MOTORS))
                        self.assertEqual(link.recv(1000), b'')
                with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as link:
                    link.settimeout(30)
                    link.connect(path)
                    link.send(b'copter')
                    got = []
                    for _ in range(50):
                        got.append(link.recv(1000))
                        link.send(Bodies.MOTORS)
                    told.add(tuple(got))
                said = body.end()
            self.assertTrue(all(line.isprintable() for line in said.splitlines()), said)
            self.assertGreaterEqual(said.count('the autopilot'), EACH if seed is not None else 0)
        self.assertEqual(len(told), 1)
