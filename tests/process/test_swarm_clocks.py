# SPDX-License-Identifier: Apache-2.0
"""How the time of mayfly-swarm passes: lockstep, controllers on other clocks, pauses and steps, a host that is late."""
import os
import re
import resource
import signal
import socket
import struct
import time

import pytest

from mavlink import GLOBAL_POSITION_INT, HEARTBEAT
from names import assert_names
from paths import SCENARIOS
from ports import free_port
from swarm_case import SwarmCase, hash_of
from swarm_links import LinkClient
from time_socket import S, TimeController
from waiting import wait_until

SCENARIO = '''swarm: 1
entities:
  - {name: a, count: 5, place: {disc: [0, 0, 300]}, plan: hop.waypoints, start: 2}
  - {name: b, body: physics, plan: hop.waypoints}
outputs: {csv: {file: s.csv, every: 0.5}, tlog: {file: t.tlog, of: a.1}}
'''
EVERY = 'outputs: {csv: {file: s.csv, every: 0.05}}\n'


class Counting(LinkClient):
    """It knows how many bytes it has taken."""
    taken = 0

    def take(self, data):
        self.taken += len(data)
        super().take(data)


class Clocks(SwarmCase):
    def begin(self, folder, clock, *args, scenario=SCENARIO):
        return self.start(self.scenario(scenario + f'time: {clock}\n'), '--out', self.path(folder), *args)

    def control(self, swarm):
        """A controller of a swarm whose time socket has any free port."""
        line = swarm.stderr.readline()
        return self.controller(socket.create_connection(('127.0.0.1', int(re.search(r':(\d+)$', line)[1])), 30))

    def controller(self, sock):
        control = TimeController(sock)
        self.addCleanup(control.close)
        return control

    def end(self, swarm, code=0):
        return ''.join(self.finish(swarm, code))

    def test_lockstep_does_what_fast_does(self):
        """SIM-042: whatever the grants; also those of a controller to which the swarm connects."""
        fast = self.end(self.begin('fast', '{clock: fast, end: 100}'))
        swarm = self.begin('steps', '{clock: lockstep, end: 100}', '--time-socket', '0')
        control = self.control(swarm)
        self.assertEqual(control.hello, 'mayfly 1 sysid 0 clock lockstep')
        self.assertEqual(control.first['now'], '0')
        states = {}
        for us in range(0, 100 * S, 700_000):
            state = control.ask(f'go {us}')
            self.assertEqual(int(state['at']), us)
            states[us] = (state['armed'], state['landed'])
        self.assertEqual([states[us] for us in (700_000, 7_700_000)], [('0', '1'), ('1', '0')])
        control.say(f'go {1000 * S}')
        steps = self.end(swarm)
        self.assertEqual(hash_of(steps), hash_of(fast))
        for name in ('s.csv', 't.tlog'):
            self.assertEqual(self.bytes('steps/' + name), self.bytes('fast/' + name), name)

    @pytest.mark.long
    def test_worlds_that_go_by_steps_are_held_too(self):
        """A world of cells, a search, and one of vehicles with orders at each step, between their steps and at them; the hash is that of a free run."""
        field = '--set', 'space.boundary=[[0, 0], [240, 0], [240, 180], [0, 180]]', '--set', 'outputs.coverage.cell=2'
        for name, args in (('package_delivery', ()), ('sharks', ('--variation', 'bcd', *field)),
                           ('sharks', ('--variation', 'published_vehicles', *field, '--set', 'time.end=35'))):
            with self.subTest(name, args=args):
                path = os.path.join(SCENARIOS, name + '.yaml')
                free = self.swarm(path, *args)
                swarm = self.start(path, '--out', self.folder, '--set', 'time.clock=lockstep', '--time-socket', '0', *args)
                control = self.control(swarm)
                for us in range(0, 30 * S, 2_718_281):
                    self.assertEqual(control.at(f'go {us}'), us)
                control.say('go 1000000000000')
                self.assertEqual(hash_of(self.end(swarm)), hash_of(free))

    def test_the_swarm_connects_to_a_controller(self):
        with socket.create_server(('127.0.0.1', 0)) as server:
            swarm = self.begin('x', '{clock: lockstep, end: 5}', '--time-server', f'127.0.0.1:{server.getsockname()[1]}')
            server.settimeout(30)
            control = self.controller(server.accept()[0])
        self.assertEqual(control.at(f'go {4 * S}'), 4 * S)
        control.say(f'go {5 * S}')
        self.assertEqual(control.expect('at')['at'], str(5 * S))  # the end of the run, too, is told
        self.assertRegex(self.end(swarm), r'(?m)^time +5\.000000 s ')

    def flight(self, grants):
        """Positions that a client of a group of vehicles has read whenever a controller of time had heard that time stands."""
        port = free_port()
        scenario = SCENARIO[:SCENARIO.index('outputs')] + f'links: {{group: {port}}}\n'
        swarm = self.begin('x', '{clock: lockstep, end: 100}', '--time-socket', '0', scenario=scenario)
        control = self.control(swarm)
        client = Counting(socket.create_connection(('127.0.0.1', port), 30))
        self.addCleanup(client.close)
        self.assertIsNotNone(client.expect(HEARTBEAT))  # all links are open
        positions = []
        for us in grants:
            state = control.ask(f'go {us}')
            self.assertEqual(int(state['at']), us)
            new = [(struct.unpack_from('<I', payload)[0], system, payload) for system, message, payload in self.waiting(client)
                   if message == GLOBAL_POSITION_INT]
            self.assertEqual({at for at, _, _ in new if at * 1000 > us}, set())
            self.assertGreater(max(at for at, _, _ in new) * 1000, us - S)  # nothing is still under way
            self.assertGreaterEqual(client.taken, int(state['out']))
            self.assertGreater(int(state['out']), 100 * len(positions))  # each has 40 bytes, and other messages come between
            positions += new
        swarm.send_signal(signal.SIGTERM)
        self.end(swarm, 130)
        return positions

    def waiting(self, client):
        """What lies in a socket: nothing that comes later."""
        client.sock.setblocking(False)
        try:
            while data := client.sock.recv(65536):
                client.take(data)
        except BlockingIOError:
            pass
        found, client.found = client.found, []
        return found

    def test_clients_find_all_frames_when_time_stands(self):
        """SIM-042: six vehicles on one link; what a client hears follows from the grants alone."""
        grants = range(S, 15 * S, S)
        one = self.flight(grants)
        self.assertEqual({system for _, system, _ in one}, {1, 2, 3, 4, 5, 6})
        self.assertEqual(self.flight(grants), one)

    def test_event_goes_to_the_next_instant_of_a_vehicle(self):
        """By hand: the climb of 30 m at 3 m/s that begins at 2 s ends at 12 s. Nobody listens, so hardly anything comes before."""
        swarm = self.begin('x', '{clock: lockstep, end: 100}', '--time-socket', '0', scenario=re.sub(', tlog.*(?=}$)', '', SCENARIO, flags=re.M))
        control = self.control(swarm)
        self.assertEqual(control.at('go 2700000'), 2_700_000)
        stops = [control.at('event') for _ in range(4)]
        self.assertIn(12_000_000, stops)
        self.assertEqual(stops, sorted(set(stops)))
        assert_names(control.ask('go 1', 'error'), 'go 1 1000000000000000')
        swarm.send_signal(signal.SIGTERM)
        self.end(swarm, 130)

    def test_controllers_hold_every_clock(self):
        self.in_ledger = False  # it ends when the wall says so
        swarm = self.begin('x', '{clock: real, end: 1000}', '--time-socket', '0')
        control = self.control(swarm)
        self.assertEqual(control.hello, 'mayfly 1 sysid 0 clock real')
        at = control.at('hold')
        self.assertTrue(control.quiet(0.3))
        self.assertEqual(int(control.ask('now', 'now')['now']), at)
        self.assertEqual(control.at(f'go {at + 50_000}'), at + 50_000)
        control.ask('leave', 'now')
        while int(control.ask('now', 'now')['now']) < at + 100_000:
            time.sleep(0.02)
        swarm.send_signal(signal.SIGTERM)
        self.end(swarm, 130)

    def test_signals_pause_step_and_go_on(self):
        """SBE-10."""
        swarm = self.begin('x', '{clock: real, end: 1000}', '--time-socket', '0')
        control = self.control(swarm)

        def now():
            return int(control.ask('now', 'now')['now'])

        def stands():
            before, after = -1, now()
            while before != after:
                time.sleep(0.15)
                before, after = after, now()
            return after
        swarm.send_signal(signal.SIGUSR1)
        at = stands()
        swarm.send_signal(signal.SIGUSR2)
        while now() < at + S:
            time.sleep(0.05)
        self.assertEqual(stands(), at + S)
        swarm.send_signal(signal.SIGUSR1)
        while now() <= at + S:
            time.sleep(0.05)
        swarm.send_signal(signal.SIGTERM)
        self.end(swarm, 130)

    def test_a_rate_divides_the_wall(self):
        """SBE-10: never sooner; what a busy host is late by is test_a_late_host's."""
        for rate in (5, 10):
            swarm = self.begin(f'x{rate}', f'{{clock: x{rate}, end: 5}}')
            simulated, wall = map(float, re.search(r'^time +([0-9.]+) s .*? ([0-9.]+) s:', self.end(swarm), re.M).groups())
            self.assertEqual(simulated, 5.0)
            self.assertGreaterEqual(wall, 5 / rate - 0.02)

    def late(self, policy, code=0):
        """A swarm whose host had no time for at least 0.6 s, in the middle of a run of 3 s: what it said, its worst lateness."""
        swarm = self.begin(policy, f'{{clock: real, end: 3, catch_up: {policy}}}', scenario=SCENARIO[:SCENARIO.index('outputs')] + EVERY)
        wait_until(lambda: os.path.exists(self.path(policy, 's.csv')), 'the first samples')
        time.sleep(0.3)
        swarm.send_signal(signal.SIGSTOP)
        time.sleep(0.7)
        swarm.send_signal(signal.SIGCONT)
        out = self.end(swarm, code)
        return out, float(re.search(r'^lateness +([0-9.]+) s .*[0-9.]+ % .*[0-9]+ .* 20 ms$', out, re.M)[1])

    @pytest.mark.long
    def test_a_late_host(self):
        """SBE-10: Every policy tells the worst lateness; `skip` loses the time, so that the run lasts longer than its 3 s and the stop."""
        out, late_s = self.late('run')
        self.assertRegex(out, r'(?m)^time +3\.000000 s ')
        self.assertGreaterEqual(late_s, 0.6)
        began = time.monotonic()
        out, late_s = self.late('skip')
        self.assertRegex(out, r'(?m)^time +3\.000000 s ')
        self.assertGreaterEqual(late_s, 0.6)
        self.assertGreaterEqual(time.monotonic() - began, 3.6)
        out, late_s = self.late('fail', 1)
        self.assertRegex(out, r'mayfly-swarm: .*\d+\.\d+ s .*\b[012]\.\d+ s; catch_up .*\bfail\b')
        self.assertGreater(late_s, 0.1)

    @pytest.mark.long
    def test_who_waits_for_an_instant_leaves_the_processor_to_others(self):
        """Two seconds of the wall in which six vehicles have little to do: one that asks for the time until it has come takes a third."""
        def spent():
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            return used.ru_utime + used.ru_stime
        before = spent()
        self.end(self.begin('x', '{clock: x15, end: 30}'), 0)
        self.assertLess(spent() - before, 0.4)

    def test_controllers_of_a_run_that_never_begins(self):
        """Its output cannot be opened: no member has booted when the controllers get their last answer. Vehicles, and vehicles in cells."""
        packages = os.path.join(SCENARIOS, 'package_delivery.yaml')
        for scenario, args in (('entities: [{name: v}]', ()), (packages, ('--variation', 'vehicles'))):
            error = self.swarm(scenario, *args, '--time-socket', '0', '--set', 'outputs.csv=/nowhere/x', code=2)
            assert_names(error, 'outputs /nowhere/x')

    def test_what_is_wrong_is_one_line(self):
        for clock, args, what in (('{clock: lockstep}', (), 'lockstep --time-socket'),
                                  ('{clock: real}', ('--time-socket', 'x:y'), '--time-socket y 0 65535'),
                                  ('{clock: real}', ('--time-server', '5'), '--time-server 5')):
            error = self.end(self.begin('x', clock, *args), 2)
            assert_names(error, what)
            self.assertEqual(error.count('\n'), 1)
