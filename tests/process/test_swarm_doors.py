# SPDX-License-Identifier: Apache-2.0
"""The doors of build/mayfly-swarm and build/mayfly-body: 1,000 connections that say nothing keep nobody out, at any of them."""
import contextlib
import os
import re
import socket
import sys
import time

import http_client
from body import Body
from bus_client import END, ERROR, STATE, TURN, WELCOME, FOR_EVER, Participant
from foreign_swarm import ForeignCase
from gzuav_client import Node, Subscriber
from names import assert_names
from ports import free_port
from strangers import CROWD, strangers
from swarm_case import options

AGENTS = '''
time: {clock: fast, end: 2}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 20}, behaviour: {kind: walk, rate: 10}}
'''
# 300 who say nothing to what the leaf has in the root's place, then two subscribers.
CLIENTS = '''
import os, socket
at = ("127.0.0.1", int(os.environ["SWARM_GZUAV_LISTEN"].rpartition(":")[2]))
silent = [socket.create_connection(at) for _ in range(300)]
open("come", "w").close()
while not os.path.exists("go"):
    pass
both = [socket.create_connection(at) for _ in (0, 1)]
for phase, s in enumerate(both):
    s.sendall(bytes([phase]))
while both[0].recv(8, socket.MSG_WAITALL):
    both[0].sendall(b"!")
    both[1].recv(12 + 28 * 2, socket.MSG_WAITALL)
    both[1].sendall(b"!")
'''


class Doors(ForeignCase):
    def run_it(self, text, *args):
        self.process = self.start(self.scenario(text.replace('@', self.folder + '/')), '--out', self.folder, *args)
        return self.process

    def quiet(self, err):
        """At most one line a second about strangers: here one when they come and one when the door is shut."""
        self.assertLess(err.count('closed') + err.count('left out'), 20, err)

    def test_the_bus_has_places_for_those_with_the_token(self):
        bus = self.path('bus')
        self.run_it(AGENTS + 'bus: {listen: "unix:@bus", token: secret, tick: 0.5}\n')
        Participant(bus).close()        # it listens
        strangers(self, path=bus)
        p = Participant(bus, token=b'secret')
        p.until(TURN)                                               # time 0 has waited for it
        strangers(self, path=bus)
        watcher = Participant(bus, role=2, name=b'watcher', token=b'secret')
        wrong = Participant(bus, role=2, token=b'secre')
        p.done()
        self.assertEqual(watcher.frame()[0], WELCOME)
        assert_names(wrong.until(ERROR)[1][ERROR].decode(), 'bus.token')
        p.until(TURN)
        p.done(FOR_EVER)
        self.assertIn(STATE, watcher.until(END)[1])
        self.quiet(self.end()[1])

    def test_all_places_of_the_bus_taken_is_told(self):
        bus = self.path('bus')
        self.run_it(AGENTS + 'bus: {listen: "unix:@bus", tick: 0.5}\n')
        watchers = [Participant(bus, role=2) for _ in range(15)]
        for watcher in watchers:
            self.assertEqual(watcher.frame()[0], WELCOME)
        controller = Participant(bus)
        controller.until(TURN)
        late = Participant(bus, role=2)
        controller.done()
        assert_names(late.until(ERROR)[1][ERROR].decode(), '16 places')
        controller.until(TURN)
        controller.done(FOR_EVER)
        self.assertIn(STATE, watchers[14].until(END)[1])
        self.end()

    def test_what_a_feed_says_before_time_0_is_heard_in_time(self):
        bus = self.path('bus')
        self.run_it(AGENTS + 'bus: {listen: "unix:@bus", tick: 0.5}\n')
        feed = Participant(bus, role=3)
        feed.until(WELCOME)
        feed.socket.setblocking(False)
        with self.assertRaises(BlockingIOError):
            while True:
                feed.socket.send(b'\1\6\0\0' + bytes(12))     # POSES of none
        before_s = self.cpu_s()
        time.sleep(1)
        self.assertLess(self.cpu_s() - before_s, 0.1)      # a loop without a pause has all of it
        p = Participant(bus)
        p.until(TURN)
        p.done(FOR_EVER)
        p.until(END)
        self.end()

    def cpu_s(self):
        with open(f'/proc/{self.process.pid}/stat', encoding='utf-8') as file:
            return sum(map(int, file.read().rsplit(')', 1)[1].split()[11:13])) / os.sysconf('SC_CLK_TCK')

    def test_gzuav_subscribers_and_nodes(self):
        self.run_it(AGENTS + 'gzuav: {listen: 0, relay: 0, tick: 0.5, expect: [1, 1]}\n')
        port, relay = self.ports(self.process, 'gzuav', 'gzuav')
        strangers(self, port)
        strangers(self, relay)
        node, first, second = Node(relay, 1), Subscriber(port, 0), Subscriber(port, 1)
        for k in range(4):
            self.assertEqual(first.begin()[0], 0.5 * (k + 1))
            node.send(-1, b'x')
            first.end()
            self.assertEqual(len(second.begin()[1]), 2)
            second.end()
            if k == 1:
                strangers(self, port)
        self.quiet(self.end()[1])

    def test_leaves_and_their_programs(self):
        self.write('clients.py', CLIENTS)
        self.write('world.yaml', 'swarm: 1' + AGENTS.replace('as: agent, ', '') + f'''
hosts: {{leaves: 1, token: secret}}
gzuav: {{listen: 0, tick: 0.5, expect: [1, 1]}}
processes: [{{name: clients, host: far, run: [{sys.executable}, -S, -E, clients.py]}}]
''')
        root = self.start(self.path('world.yaml'), '--out', self.folder)
        port, = self.ports(root, 'hosts')
        strangers(self, port)
        leaf = self.start('--join', f'127.0.0.1:{port}', '--name', 'far', '--token', 'secret', cwd=self.folder)
        while not os.path.exists(self.path('come')):
            self.assertIsNone(root.poll())
        strangers(self, port)       # the way of programs on leaves
        self.write('go', '')
        out, err = self.finish(root)
        self.finish(leaf)
        for phase in 0, 1:
            self.assertRegex(out, rf'(?m)^gzuav     subscriber of phase {phase} .* 2\.000000 ')
        self.quiet(err)

    def test_autopilots(self):
        self.begin('''
swarm: 1
time: {clock: fast, end: 0.02}
entities: [{name: b, as: body, autopilot: {ac: @ac}}]
''')
        path = self.come('ac')
        strangers(self, path=path, kind=socket.SOCK_SEQPACKET)
        link = self.join(path, b'b')
        link.send(bytes(76))
        begin = link.recv(1000)
        self.assertEqual(len(begin), 184)
        with contextlib.suppress(ConnectionError):
            while begin:
                link.send(bytes(76))
                begin = link.recv(1000)
        self.end()

    def test_autopilots_of_mayfly_body(self):
        with Body('--ac', self.path('ac')):
            strangers(self, path=self.path('ac'), kind=socket.SOCK_SEQPACKET)
            self.assertEqual(len(self.join(self.path('ac'), b'b').recv(1000)), 184)

    def test_page_and_api(self):
        api = free_port()
        self.run_it(AGENTS.replace('fast, end: 2', 'x1, end: 600') + f'links: {{api: {api}}}\n'
                    'outputs: {page: "127.0.0.1:0"}\n')
        page = None
        while page is None:
            page = re.search(r'http://127\.0\.0\.1:(\d+)/: live', self.process.stderr.readline())
        for port, path in ((int(page[1]), '/'), (api, '/healthz')):
            strangers(self, port)
            self.assertEqual(http_client.ask(port, 'GET', path)[0], 200)
