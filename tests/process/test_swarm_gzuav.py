# SPDX-License-Identifier: Apache-2.0
"""Clients of gzuav in a swarm (docs/cosim.md), byte for byte with sockets and struct alone: order of the phases, positions, packets, and what
becomes of clients that are gone, silent or wrong. GZ-01 to GZ-04, GZ-07, GZ-08."""
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from bus_client import END, HEARD, STATE, TURN, Participant
from cases import cases
from examples import alone
from gzuav_client import SCRIPT, Node, Subscriber
from names import assert_names, names
from paths import COSIM, TOP
from swarm_case import RunCase, options

WORLD = '''
swarm: 1
time: {clock: fast, end: 5}
gzuav: {listen: 0, relay: 0, tick: 0.5}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 20}, behaviour: {kind: walk, rate: 10}}
  - {name: v, count: 1, place: [30, 40, 0], behaviour: {kind: walk, rate: 10}}
'''
# The time module of gzuav's paper, as it is described there: it replaces what time says, and sleeping is to end ticks until one is late
# enough. Before the first tick it is 0.
MODULE = '''
import socket, struct, sys, time
server, now, begun = socket.create_connection(("127.0.0.1", int(sys.argv[1]))), 0.0, False
server.sendall(b"\\0")
def sleep(seconds):
    global now, begun
    until = now + seconds
    while now < until:
        if begun:
            server.sendall(b"!")
        now, begun = struct.unpack("<d", server.recv(8, socket.MSG_WAITALL))[0], True
time.time, time.sleep = lambda: now, sleep
# the mission, which knows nothing of it
print(time.time())
for wait in (1.0, 0.25, 0.75, 2):
    time.sleep(wait)
    print(time.time())
'''

# A program of gzuav's tutorial: it connects to the relay within its first tick, says hello to all at each tick, and ends as its main thread
# does. The frame is that of gzuav's client, as recorded: the length of 10 counts the destination. argv: ports of time and relay, number
PROGRAM = MODULE[:MODULE.index('# the mission')] + '''
import threading
sleep(0.05)
relay, taken = socket.create_connection(("127.0.0.1", int(sys.argv[2]))), threading.Semaphore(0)
relay.sendall(struct.pack("<I", int(sys.argv[3])))
def listen():
    while True:
        byte = relay.recv(1)
        if byte == b"!":
            taken.release()
        else:
            print((byte + relay.recv(13, socket.MSG_WAITALL)).hex(), flush=True)
            relay.sendall(b"!")
threading.Thread(target=listen, daemon=True).start()
for k in range(20):
    relay.sendall(bytes.fromhex("0a000000ffffffff") + b"hello" + sys.argv[3].encode())
    taken.acquire()
    sleep(0.05)
'''


class Gzuav(RunCase):
    def begin_with(self, *sets, world=WORLD, **more):
        self.begin(world, *options(*sets), **more)
        return self.ports(self.process, 'gzuav', 'gzuav')

    def test_gz02_a_client_of_gzuav_runs_unchanged_in_both_phases(self):
        bus = self.path('bus')
        port, _ = self.begin_with('gzuav.expect=[1, 1]', f'bus={{listen: "unix:{bus}", tick: 0.5, controllers: 1}}')
        participant = Participant(bus)
        clients = [subprocess.Popen([sys.executable, '-S', '-E', '-c', SCRIPT, str(port), str(phase), '10'], stdout=subprocess.PIPE, text=True) for phase in (0, 1)]
        truth = {}
        try:
            while True:
                _, seen = participant.until(TURN)
                truth[participant.ns] = [struct.unpack_from('<3d', seen[STATE], 8 + 48 * i) for i in range(3)]
                participant.done()
        except EOFError:
            participant.socket.close()
        told = [client.communicate(timeout=60)[0].splitlines() for client in clients]
        self.end()
        times = [f'{0.5 * k:.9f}' for k in range(1, 11)]
        self.assertEqual(told[0], times)
        self.assertEqual([line.split()[0] for line in told[1]], times)
        # GZ-03: the place of each member at each tick is its true one, to 1 mm; the client prints them so
        moved = set()
        for line in told[1]:
            at, *places = line.split()
            self.assertEqual(len(places), 3)
            for place in places:
                number, xyz = place.split(':')
                north, east, up = truth[int(float(at) * 1e9)][int(number)]
                for mine, true in zip(map(float, xyz.split(',')), (east, north, up)):
                    self.assertAlmostEqual(mine, true, delta=0.00051)
                moved.add(xyz)
        self.assertGreater(len(moved), 20)

    def test_gz02_the_time_module_of_the_paper(self):
        port, _ = self.begin_with('gzuav.expect=[1, 0]')
        script = subprocess.run([sys.executable, '-S', '-E', '-c', MODULE, str(port)], stdout=subprocess.PIPE, text=True, timeout=60, check=True)
        self.end()
        # ticks of 0.5 s: it wakes at the first that is not too early
        self.assertEqual(script.stdout.split(), ['0.0', '1.0', '1.5', '2.5', '4.5'])
        self.assertEqual([line for line in self.trace() if 'left' in line], ['4500000000 gzuav: subscriber of phase 0 left'])

    def test_gz02_the_status_that_launch_sh_polls(self):
        """GZ-02: the request is the one of `curl -so/dev/null "http://127.0.0.1:9999/info"` in gzuav's launch.sh; the keys, the words of the
        status and the type are those of gzuav's StatusServer. It answers while time 0 waits, while a phase waits, and beside a silent client."""
        self.begin(WORLD, *options('gzuav.expect=[1, 0]', 'gzuav.info=0'))
        port, _, info = self.ports(self.process, 'gzuav', 'gzuav', 'gzuav')

        def ask(path):
            request = f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1:9999\r\nUser-Agent: curl/7.68.0\r\nAccept: */*\r\n\r\n'
            with socket.create_connection(('127.0.0.1', info), 20) as link:
                link.sendall(request.encode())
                head, _, body = link.makefile().read().partition('\n\n')
                return head.split('\n'), body

        silent = socket.create_connection(('127.0.0.1', info))
        self.addCleanup(silent.close)
        status = {'status': 'WAITING', 'uav_info': ['a.1', 'a.2', 'v'], 'network_info': None}
        head, body = ask('/info')
        self.assertEqual(head, ['HTTP/1.0 200 OK', 'Content-Type: text/html'])
        self.assertEqual(json.loads(body), status)
        client = Subscriber(port, 0)
        client.begin()
        self.assertEqual(json.loads(ask('/info')[1]), status | {'status': 'RUNNING'})
        self.assertEqual(ask('/inform'), (['HTTP/1.0 404 Not Found', 'Content-Type: text/html'], ''))
        client.close()
        self.end()
        with self.assertRaises(ConnectionRefusedError):
            ask('/info')

    def test_gz01_phase_1_never_begins_before_all_of_phase_0_are_done(self):
        port, _ = self.begin_with('gzuav.expect=[3, 2]')
        order, lock = [], threading.Lock()

        def run(phase, pause):
            client = Subscriber(port, phase)
            try:
                while True:
                    t, _ = client.begin()
                    with lock:
                        order.append((t, phase, 'begin'))
                    time.sleep(pause)
                    with lock:
                        order.append((t, phase, 'end'))
                    client.end()
            except EOFError:
                client.close()

        threads = [threading.Thread(target=run, args=args) for args in ((0, 0.01), (0, 0.0), (0, 0.003), (1, 0.0), (1, 0.005))]
        for thread in threads:
            thread.start()
        self.end()
        for thread in threads:
            thread.join()
        self.assertEqual(len(order), 10 * 5 * 2)
        self.assertEqual([(t, phase) for t, phase, _ in order], sorted((t, phase) for t, phase, _ in order))
        shown = [line.split(' ', 1)[1] for line in self.trace() if ': phase ' in line]
        self.assertEqual(shown, ['gzuav: phase 0 begins', 'gzuav: phase 0 ends', 'gzuav: phase 1 begins', 'gzuav: phase 1 ends'] * 10)

    def test_gz04_packets_arrive_once_in_a_later_phase_1(self):
        port, relay = self.begin_with('gzuav.expect=[1, 0]', 'time.end=2', 'network.delay=0.001')
        nodes = [Node(relay, number) for number in (0, 1, 2)]
        driver = Subscriber(port, 0)
        self.assertEqual(driver.begin()[0], 0.5)
        nodes[0].send(-1, b'to all')
        nodes[1].send(0, b'to the first')
        driver.end()
        # sent at 0.5 s, there at 0.501 s, told at 1.0 s: in the order of receivers
        self.assertEqual(driver.begin()[0], 1.0)
        driver.end()
        self.assertEqual(nodes[0].receive(), (1, b'to the first'))
        self.assertEqual(nodes[1].receive(), (0, b'to all'))
        self.assertEqual(nodes[2].receive(), (0, b'to all'))
        for _ in range(2):
            driver.begin()
            driver.end()
        self.end()
        lines = [line for line in self.trace() if 'packet' in line]
        self.assertEqual(lines, ['500000000 packet of 0 to -1: 6:' + lines[0][-16:], '500000000 packet of 1 to 0: 12:' + lines[1][-16:],
                                 '501000000 packet 0 of 1 is at 0', '501000000 packet 0 of 0 is at 1', '501000000 packet 0 of 0 is at 2'])

    def test_gz04_range_loss_and_rate_of_the_network_that_is_built_in(self):
        still = WORLD.replace(', behaviour: {kind: walk, rate: 10}', '')
        for sets, expected in ((('network.range=45',), [('packet 0 of 0 is at 1', 501000)]),  # a.2 is 20 m away, v.1 50 m
                               (('network.rate=8000',), [('packet 0 of 0 is at 1', 511000), ('packet 0 of 0 is at 2', 511000)]),  # 10 bytes: 10 ms
                               (('network.loss=1',), [])):
            port, relay = self.begin_with('gzuav.expect=[1, 0]', 'time.end=1', 'gzuav.silent=drop', 'gzuav.patience=5', *sets, world=still)
            node, driver = Node(relay, 0), Subscriber(port, 0)
            driver.begin()
            node.send(-1, b'0123456789')
            driver.end()
            driver.begin()
            driver.end()
            self.end()
            arrived = [re.match(r'(\d+)000 (packet .* is at \d)', line).groups() for line in self.trace() if 'is at' in line]
            self.assertEqual([(text, int(us)) for us, text in arrived], expected)

    def test_a_packet_longer_than_a_radio_takes_reaches_no_controller(self):
        """A node sends 5,000 bytes to a.2, whose packets a controller wants: the radio counts them, and passes on 280 alone."""
        bus, heard = self.path('bus'), []
        world = WORLD.replace('as: agent,', 'as: agent, radio: cc2420,') + 'network: {kind: builtin, delay: 0.1}\n'
        port, relay = self.begin_with('gzuav.expect=[1, 0]', 'time.end=2', f'bus={{listen: "unix:{bus}", tick: 0.5, controllers: 1, heard: a}}', world=world)
        participant = Participant(bus)

        def control():
            kind = None
            while kind != END:
                kind, payload = participant.frame()
                if kind == HEARD:
                    heard.append((participant.ns, struct.unpack_from('<IIII', payload), len(payload)))
                elif kind == TURN:
                    participant.done()

        controller = threading.Thread(target=control)
        controller.start()
        node, driver = Node(relay, 0), Subscriber(port, 0)
        driver.begin()
        node.send(1, bytes(5000))
        node.send(1, bytes(280))
        for _ in range(4):
            driver.end()
            if driver.begin()[0] == 2.0:
                break
        driver.end()
        out, _ = self.end()
        controller.join(30)
        self.assertEqual(heard, [(600000000, (1, 1, 0, 1), 24 + 280)])
        self.assertRegex(out, r'radio .* 2 received')

    def test_gz04_programs_of_gzuav_send_from_their_first_tick_and_end_alike(self):
        """Each of 3 sends 20 packets to 2 others; those of the last tick arrive in the tick in which all leave."""
        traces = set()
        for run in range(5):
            port, relay = self.begin_with('gzuav.expect=[3, 0]', 'gzuav.tick=0.1', 'gzuav.patience=20', trace=str(run))
            programs = [subprocess.Popen([sys.executable, '-S', '-E', '-c', PROGRAM, str(port), str(relay), str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)]
            got = [program.communicate(timeout=60)[0].split() for program in programs]
            out, _ = self.end()
            self.assertEqual([program.returncode for program in programs], [0, 0, 0])
            for n in range(3):
                self.assertEqual(sorted(got[n]), sorted(f'0a0000000{k}00000068656c6c6f3{k}' for k in range(3) if k != n for _ in range(19)))
            traces.add(tuple(re.findall('(?:hash|trace) .*', out)))
        self.assertEqual(len(traces), 1)
        lines = [line for line in self.trace(str(run)) if 'packet' in line or 'left' in line]
        self.assertEqual(len([line for line in lines if ' is at ' in line and 'nobody' not in line]), 3 * 20 * 2)
        self.assertEqual(lines[-6:], ['2100000000 gzuav: node left'] * 3 + ['2100000000 gzuav: subscriber of phase 0 left'] * 3)

    def test_gz07_time_0_waits_for_nodes(self):
        port, relay = self.begin_with('gzuav.expect=[1, 0, 2]', 'time.end=1')
        driver, first = Subscriber(port, 0), Node(relay, 1)
        driver.socket.settimeout(0.3)
        self.assertRaises(TimeoutError, driver.begin)
        driver.socket.settimeout(60)
        second = Node(relay, 0)
        driver.begin()
        second.send(1, b'x')
        driver.end()
        driver.begin()
        driver.end()
        self.assertEqual(first.receive(), (0, b'x'))
        self.end()

    def test_gz07_a_client_that_is_gone_leaves_and_the_world_goes_on(self):
        port, _ = self.begin_with('gzuav.expect=[2, 0]')
        first, second = Subscriber(port, 0), Subscriber(port, 0)
        first.begin()
        first.close()  # in the midst of its tick
        for k in range(10):
            self.assertEqual(second.begin()[0], 0.5 * (k + 1))
            second.end()
        _, err = self.end()
        assert_names(err, 'subscriber phase 0 0.500000')
        self.assertEqual([line for line in self.trace() if 'left' in line], ['500000000 gzuav: subscriber of phase 0 left'])

    def test_gz07_whoever_is_killed_or_breaks_off_leaves_at_the_same_instant_in_each_run(self):
        for what in ('a subscriber within its tick', 'a node', 'a node within a packet', 'a node that a packet is for'):
            runs = set()
            for run in range(cases(2, 10)):
                port, relay = self.begin_with('gzuav.expect=[1, 1]', trace=str(run))
                nodes = [Node(relay, number) for number in (0, 1)]
                driver, watcher = Subscriber(port, 0), Subscriber(port, 1)
                for k in range(10):
                    driver.begin()
                    nodes[0].send(1, b'%d' % k)
                    if k == 4 and what in ('a node', 'a node within a packet'):
                        nodes[1].socket.sendall(struct.pack('<Ii', 9, 0) + b'xy' if 'within' in what else b'')
                        nodes[1].close()
                    driver.end()
                    if watcher.socket.fileno() >= 0:
                        watcher.begin()
                    if k == 4 and what == 'a subscriber within its tick':
                        watcher.close()
                    if k > 0 and nodes[1].socket.fileno() >= 0:  # what was sent a tick before
                        nodes[1].exactly(8 + 1)
                        if k == 4 and what == 'a node that a packet is for':
                            nodes[1].close()
                        else:
                            nodes[1].socket.sendall(b'!')
                    if watcher.socket.fileno() >= 0:
                        watcher.end()
                out, err = self.end()
                who = r'subscriber of phase 1 \d' if 'subscriber' in what else 'node 1'
                self.assertRegex(err, rf'gzuav: {who} .*\b2\.500000 s' + (r': .*\bframe\b' if 'within a packet' in what else '\n'))
                runs.add(tuple(re.findall('(?:hash|trace) .*', out)))
            self.assertEqual(len(runs), 1, what)

    def test_gz07_who_is_silent_is_named_and_then_as_configured(self):
        for silent, code in (('stop', 3), ('drop', 0), ('wait', 0)):
            port, _ = self.begin_with('gzuav.expect=[1, 0]', f'gzuav.silent={silent}', 'gzuav.patience=0.2', 'time.end=1')
            client = Subscriber(port, 0)
            client.begin()
            if silent == 'wait':
                time.sleep(0.5)
                client.end()
                client.begin()
                client.end()
            out, err = self.end(code)
            assert_names(err, 'gzuav subscriber phase 0 0 silent 0.2 0.500000')
            self.assertEqual(names(err, '0.2 0.500000 gzuav.patience'), silent == 'stop', err)
            self.assertEqual(bool(re.search(r'0\.500000 s: [^.\n]*\bsilent\b', err)), silent == 'drop', err)
            client.close()

    def test_gz07_late_ones_join_between_ticks(self):
        port, _ = self.begin_with('gzuav.expect=[1, 0]')
        first = Subscriber(port, 0)
        first.begin()
        second = Subscriber(port, 1)  # while phase 0 runs
        time.sleep(0.1)
        first.end()
        self.assertEqual(first.begin()[0], 1.0)
        first.end()
        self.assertEqual(second.begin()[0], 1.0)
        second.end()
        for client in (first, second):
            client.close()
        self.end()

    def test_gz07_a_node_that_was_gone_comes_again(self):
        port, relay = self.begin_with('gzuav.expect=[1, 0]', 'time.end=2')
        nodes, driver = [Node(relay, 0), Node(relay, 1)], Subscriber(port, 0)
        driver.begin()
        nodes[0].send(1, b'first')
        nodes[1].close()
        again = Node(relay, 1)
        driver.end()
        self.assertEqual(driver.begin()[0], 1.0)
        nodes[0].send(1, b'second')
        driver.end()
        self.assertEqual(again.receive(), (0, b'first'))
        driver.begin()
        driver.end()
        self.assertEqual(again.receive(), (0, b'second'))
        driver.close()
        self.end()

    def test_what_is_wrong_ends_that_client_with_a_text(self):
        """GZ-21."""
        port, relay = self.begin_with('gzuav.expect=[1, 0]')
        driver = Subscriber(port, 0)
        driver.begin()
        driver.end()
        driver.begin()
        told = []
        for what, bad in (('subscriber 1 phase 0 1', (port, b'\x07')),
                          ('node 3 number member', (relay, struct.pack('<I', 3))),
                          ('node 0 packet 65004', (relay, struct.pack('<IIi', 0, 10000000, -1))),
                          ('node 1 packet member', (relay, struct.pack('<IIi', 1, 5, 77) + b'x')),
                          ('node 2 frame', (relay, struct.pack('<IIi', 2, 9, 0) + b'xy'))):
            client = socket.create_connection(('127.0.0.1', bad[0]))
            client.sendall(bad[1])
            driver.end()
            driver.begin()
            if what.endswith('frame'):
                client.close()
            driver.end()
            t, _ = driver.begin()
            client.close()
            told.append(what)
            if t >= 4.5:
                break
        driver.end()
        try:
            driver.begin()
            driver.end()
        except EOFError:
            pass
        _, err = self.end()
        for what in told:
            self.assertTrue(any(names(line, what) for line in err.splitlines()), err)

    @pytest.mark.long
    def test_gz08_batch_and_at_a_rate(self):
        hashes = set()
        for clock in ('event', 'fast', 'x0.5', 'x1', 'x100'):
            port, _ = self.begin_with('gzuav.expect=[1, 0]', f'time.clock={clock}', 'time.end=1', trace=f'{clock}.txt')
            client = Subscriber(port, 0)
            for _ in range(2):
                client.begin()
                client.end()
            out, _ = self.end()
            hashes.add(tuple(line for line in out.splitlines() if line.startswith(('hash', 'trace'))))
        self.assertEqual(len(hashes), 1, hashes)

    @pytest.mark.long
    def test_gz02_the_example(self):
        traces = set()
        for run in range(cases(2, 10)):  # whichever of its programs is faster
            with alone('gzuav'):
                out = self.swarm(os.path.join(COSIM, 'gzuav.yaml'), '--trace', self.path(f'{run}'), cwd=TOP)
            traces.add(re.search('trace .*', out).group())
        self.assertEqual(len(traces), 1)
        for phase in (0, 1):
            told = [line.split()[2] for line in out.splitlines() if line.startswith(f'phase {phase}')]
            self.assertEqual(told, [f'{2 * k:.9f}' for k in range(1, 11)])
        self.assertEqual(len(re.findall(r' 2:-?\d+\.\d{3},-?\d+\.\d{3},-?\d+\.\d{3}', out)), 10)

    def test_bad_keys(self):
        for sets, text in (('gzuav.listen=0.0.0.0:0', 'gzuav.listen token'), ('gzuav.info=0.0.0.0:0', 'gzuav.info 127.0.0.1'),
                           ('gzuav={info: 0}', 'gzuav info listen'),
                           ('gzuav.listen=xyz', 'gzuav.listen xyz [ADDRESS:]PORT'),
                           ('gzuav.silent=never', 'gzuav.silent never stop drop wait'),
                           ('gzuav={relay: 0}', 'gzuav relay listen')):
            assert_names(self.swarm(WORLD, '--set', sets, code=2), text)
