# SPDX-License-Identifier: Apache-2.0
"""The trace names the run (docs/cosim.md): each byte that enters or leaves a participant is in it. The lines are compared with what the other
side has sent and got, by hashlib. GZ-13."""
import hashlib
import re
import socket
import struct
import threading

from bus_client import DONE, FOR_EVER, TURN, Participant, bus_frame
from gzuav_client import Node, Subscriber
from lost_station import SAYS, StationCase
from mavlink import HEARTBEAT, frame
from node_programs import NodeCase
from ports import free_port
from swarm_case import RunCase, hash_of, needs_ns3, options

SOCKETS = '''
import os, socket, time
s = socket.socket(type=socket.SOCK_DGRAM)
s.bind(('', 5000))
if os.environ['SWARM_ADDRESS'] == '10.0.0.1':
    time.sleep(1)
    s.sendto(b'SAID', ('10.0.0.2', TO))
else:
    s.settimeout(2)
    try: print(2, 'got', s.recv(100))
    except socket.timeout: pass
'''
LINKS = '''
time: {{clock: fast, end: 2}}
links: {{udp: "127.0.0.1:{port}", transport: vehicle}}
entities:
  - {{name: v, count: 3, place: {{grid: [3, 1], spacing: 10}}}}
'''
WALKS = '''
time: {clock: fast, end: 1}
gzuav: {listen: 0, relay: 0, tick: 0.5, expect: [1, 1]}
network: {delay: 0.001}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 20}, behaviour: {kind: walk, rate: 10}}
'''
BUS = '''
time: {{clock: fast, end: 1}}
bus: {{listen: "unix:{path}", tick: 0.5}}
entities:
  - {{name: a, count: 2, as: agent, place: {{grid: [2, 1], spacing: 20}}}}
'''
GHOST = '''
time: {{clock: real, end: 1}}
entities:
  - {{name: g, as: ghost, link: "udp:127.0.0.1:{port}#7", lost_after: 2}}
'''


def named(data):
    """As the trace has bytes: their number, and the beginning of their SHA-256."""
    return f'{len(data)}:{hashlib.sha256(data).hexdigest()[:16]}'


def shas(out):
    return re.findall(r'^trace .* ([0-9a-f]{64})$', out, re.M)


class Trace(RunCase):
    in_ledger = False

    def sum_of(self, name, text):
        return sum(int(n) for n in re.findall(rf'^\d+ {name}: (\d+):\w{{16}}$', text, re.M))

    def test_gz13_links_are_traced_alike_on_any_threads_and_hosts(self):
        traces, got = set(), []
        for more in (('--threads', '1'), ('--threads', '4'), options('hosts.start=2')):
            ports = free_port()
            with socket.socket(type=socket.SOCK_DGRAM) as first:
                first.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
                first.bind(('127.0.0.1', ports))
                first.setblocking(False)
                out = self.swarm(LINKS.format(port=ports), '--trace', self.path('t'), *more)
                data = b''
                try:
                    while True:
                        data += first.recv(2000)
                except BlockingIOError:
                    pass
            traces.add(*shas(out))
            got.append(data)
            self.assertEqual(shas(out), [hashlib.sha256(self.text('t').encode()).hexdigest()])
            self.assertEqual(self.trace('t')[-1].split(' ', 1)[0], '2000000000')
            self.assertIn(f'\n2000000000 the run came to hash {hash_of(out)}\n', self.text('t'))
        self.assertEqual(len(traces), 1)
        self.assertEqual(got, got[:1] * 3)
        self.assertEqual(self.sum_of('v.1 sends at link 0', self.text('t')), len(got[0]))
        whole = [line for line in self.trace('t') if 'v.1 sends' in line]
        at = 0
        for line in whole:    # in the order of time, each byte once
            n = int(line.split(': ')[1].split(':')[0])
            self.assertEqual(line.split(': ')[1], named(got[0][at:at + n]))
            at += n

    def test_places_and_packets_of_gzuav(self):
        traces = []
        for metres in (20, 20, 21):
            self.begin(WALKS, *options(f'entities.0.place.spacing={metres}'))
            port, relay = self.ports(self.process, 'gzuav', 'gzuav')
            nodes = [Node(relay, 0), Node(relay, 1)]
            first, second = Subscriber(port, 0), Subscriber(port, 1)
            frames = []
            for k in range(2):
                t, _ = first.begin()
                nodes[0].send(1, b'to the other')
                first.end()
                if k > 0:
                    self.assertEqual(nodes[1].receive(), (0, b'to the other'))
                _, places = second.begin()
                frames.append(struct.pack('<dI', t, len(places)) + b''.join(struct.pack('<I3d', *place) for place in places))
                second.end()
            self.end()
            lines = self.trace()
            for k, data in enumerate(frames):
                self.assertIn(f'{(k + 1) * 500_000_000} gzuav: places came to subscribers: {named(data)}', lines)
            self.assertIn(f"1000000000 gzuav: bytes came to node 1: {named(b'to the other')}", lines)
            traces.append(lines)
        self.assertEqual(traces[0], traces[1])
        self.assertNotEqual(traces[0], traces[2])

    def test_frames_of_a_controller(self):
        path = self.path('bus')
        self.begin(BUS.format(path=path))
        controller = Participant(path)
        sent, told = [], []
        for k in range(3):    # at 0, 0.5 and 1 s
            kind = None
            while kind != TURN:
                kind, payload = controller.frame()
                told.append((controller.ns, bus_frame(kind, payload, controller.tick, controller.ns)))
            payload = struct.pack('<QB7x', 0 if k < 2 else FOR_EVER, 0)
            sent.append((controller.ns, bus_frame(DONE, payload, controller.tick)))
            controller.done(0 if k < 2 else FOR_EVER)
        self.end()
        text = self.text('trace.txt')
        self.assertEqual(re.findall(r"^(\d+) controller 'test' sends: (\S+)$", text, re.M), [(str(ns), named(data)) for ns, data in sent])
        self.assertEqual(re.findall(r"^(\d+) controller 'test' gets: (\S+)$", text, re.M)[:len(told)], [(str(ns), named(data)) for ns, data in told])

    def test_links_of_ghosts(self):
        port, over, heard = free_port(), threading.Event(), []
        says = frame(HEARTBEAT, struct.pack('<IBBBBB', 0x03040000, 2, 12, 0x81, 4, 3), system=7, component=1)

        def drone(link):
            while not over.is_set():
                link.sendto(says, ('127.0.0.1', port))
                try:
                    heard.append(link.recv(2000))
                except (TimeoutError, ConnectionRefusedError):
                    pass

        with socket.socket(type=socket.SOCK_DGRAM) as link:
            link.settimeout(0.02)
            thread = threading.Thread(target=drone, args=(link,))
            thread.start()
            self.swarm(GHOST.format(port=port), '--trace', self.path('t'))
            over.set()
            thread.join()
            link.setblocking(False)
            try:
                while True:
                    heard.append(link.recv(2000))
            except BlockingIOError:
                pass
        text = self.text('t')
        self.assertEqual(set(re.findall(r"^\d+ ghosts' link 0 sends: (\S+)$", text, re.M)), {named(says)})
        self.assertEqual(sorted(re.findall(r'^\d+ g gets: (\S+)$', text, re.M)), sorted(map(named, heard)))


class Sockets(NodeCase):
    in_ledger = False

    def test_datagrams_of_programs(self):
        traces = []
        for said, to in (('x', 5000), ('x', 5000), ('y', 5000), ('x', 5001)):
            program = self.python('program.py', SOCKETS.replace('SAID', said).replace('TO', str(to)))
            world = self.world('{kind: builtin, delay: 0.0123}', dict.fromkeys(('n.1', 'n.2'), program))
            self.swarm(world, '--trace', self.path('t'))
            traces.append(self.text('t'))
            way = f'datagram from 10.0.0.1:5000 to 10.0.0.2:{to}'
            for line in (f'1000000000 {way} leaves: {named(said.encode())}', f'1012300000 {way} arrives: {named(said.encode())}'):
                self.assertIn(line, self.trace('t'))
        self.assertEqual(traces[0], traces[1])
        self.assertEqual(len(set(traces)), 3)


class Stations(StationCase):
    in_ledger = False

    def test_gz13_a_slower_drone_is_another_trace(self):
        """A drone at half the speed is lost later, and all else is as before: two runs differ in the trace, and equal ones do not."""
        traces = {}
        for sets in ((), (), ('hosts.start=2',), ('entities.1.params.MPC_XY_CRUISE=5',)):
            events, trace, heard, out = self.lose('udp', 'network.kind=builtin', 'network.delay=0.002', *sets)
            self.assertEqual(len(shas(out)), 1)
            traces.setdefault(*shas(out), []).append(sets)
            self.assertRegex(events, 'drone,failsafe')
            # what the station has said, and what it has got
            self.assertIn(f'3000000000 client of flow 1 sends: {named(SAYS)}\n', trace)
            self.assertIn(f'3002000000 drone gets at link 0: {named(SAYS)}\n', trace)
            self.assertEqual(len(re.findall('client of flow 1 sends', trace)), 160)
            got = sum(map(int, re.findall(r'^\d+ client of flow 1 gets: (\d+):', trace, re.M)))
            self.assertEqual(got, sum(n for _, n in heard))
        self.assertEqual(list(traces.values()), [[(), (), ('hosts.start=2',)], [('entities.1.params.MPC_XY_CRUISE=5',)]])

    @needs_ns3
    def test_clients_of_flows_over_ns3(self):
        for via in ('udp', 'tcp'):
            traces = set()
            for sets in ((), ('hosts.start=2',)):
                _, trace, heard, out = self.lose(via, *sets)
                traces.add(*shas(out))
                said = re.findall(r'^(\d+)000000000 client of flow 1 sends: (\S+)$', trace, re.M)
                self.assertEqual(said, [(str(k), named(SAYS)) for k in range(1, 160)])  # what it says at the end nobody reads
                got = re.findall(r'^(\d+) client of flow 1 gets: (\d+):', trace, re.M)
                # the last tick, at 160 s, has what arrived before it
                self.assertEqual(sum(int(n) for ns, n in got if int(ns) < 160_000_000_000), sum(n for _, n in heard))
            self.assertEqual(len(traces), 1)

    def test_what_a_vehicle_ignores_is_in_the_trace(self):
        """Two stations send what is no MAVLink: the vehicles fly alike, and the traces differ."""
        hashes, traces = set(), set()
        for said in (b'once', b'else'):
            self.write('away.plan', '')
            world = self.away('udp').replace(', plan: away.plan', '').replace('end: 160', 'end: 3')
            self.begin(world, *options('network.kind=builtin'))
            gzuav, = self.ports(self.process, 'gzuav')
            with socket.socket(type=socket.SOCK_DGRAM) as link:
                link.connect(('127.0.0.1', self.port))
                driver = Subscriber(gzuav, 0)
                for _ in range(3):
                    driver.begin()
                    link.send(said)
                    driver.end()
                out, _ = self.end()
            hashes.add(hash_of(out))
            traces.add(*shas(out))
        self.assertEqual((len(hashes), len(traces)), (1, 2))
