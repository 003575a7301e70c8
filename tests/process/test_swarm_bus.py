# SPDX-License-Identifier: Apache-2.0
"""The bus of mayfly-swarm, frame by frame as docs/bus.md has them, with sockets and struct alone: UAV-15 by the bus, orders, roles, and
what becomes of participants that are wrong, silent or gone."""
import hashlib
import os
import re
import signal
import struct
import time

import pytest

from bus_client import (ACKS, AREA, DETECTIONS, DONE, END, ERROR, FOR_EVER, HEAD, LOOKS, ORDERS, PARAMS, PATH, REPORTS, STATE,
                        STATISTICS, TURN, WELCOME, Participant, command_int, order)
from cases import cases
from names import assert_names
from paths import SCENARIOS
from ports import free_port
from swarm_case import SwarmCase, hash_of, options
from swarm_links import call
from waiting import wait_until

SHARKS = os.path.join(SCENARIOS, 'sharks.yaml')
WORLD = '''
swarm: 1
time: {clock: fast, end: 5}
entities:
  - {name: a, count: 2, as: agent, place: {grid: [2, 1], spacing: 10}}
  - {name: v, count: 2, place: {grid: [2, 1], spacing: 10}}
'''


class Bus(SwarmCase):
    def setUp(self):
        super().setUp()
        self.bus = self.path('bus')
        self.world = self.scenario(WORLD)

    def begin(self, scenario, *sets, listen=None):
        return self.start(scenario, '--out', self.folder, *options(f'bus.listen={listen or "unix:" + self.bus}', *sets))

    def end(self, process, code=0):
        return self.finish(process, code)[1 if code else 0]

    def squares(self, area):
        """Boustrophedon by the numbers of AREA, as published: 16 x 16 squares."""
        edge, altitude, speed = struct.unpack_from('<3d', area, 24)
        members, corners = struct.unpack_from('<II', area, 56)
        self.assertEqual((members, corners, altitude, speed), (3, 4, 30.0, 20.0))
        goals = []
        for k in range(256):
            i, j = divmod(k, 16)
            j = 15 - j if i % 2 else j
            goals.append(((j * edge + (j * edge + edge)) / 2, (i * edge + (i * edge + edge)) / 2, altitude, speed))
        return [goals[m * 86:(m + 1) * 86] + [(0.0, 0.0, 0.0, speed)] for m in range(3)]

    @pytest.mark.long
    def test_uav15_a_plan_over_the_bus_has_the_published_energies(self):
        process = self.begin(SHARKS, 'plan.kind=bus', 'plan.params={rows: 3, note: by hand}')
        p = Participant(self.bus)
        _, seen = p.until(TURN)
        self.assertEqual(seen[PARAMS], b'rows=3\nnote=by hand\n')
        for member, path in enumerate(self.squares(seen[AREA])):
            p.go(member, 0, *path)
        p.done(FOR_EVER)
        _, seen = p.until(END)
        self.assertEqual(seen[END], b'\0\0\0\0')
        self.assertEqual(p.ns, 358070000000)
        rows = list(struct.iter_unpack('<II6d', seen[STATISTICS]))
        self.assertEqual([row[0] for row in rows], [0, 1, 2, 0xFFFFFFFF])
        self.assertEqual([round(row[5]) for row in rows], [11001, 12722, 12906, 36630])
        mine = re.findall(r'^(?:uav|Total).*$', self.end(process), re.M)
        self.swarm(SHARKS)
        self.assertEqual(mine, self.text('sharks.csv').split('\n')[1:5])  # all columns: the same pictures by the same chance

    def test_controllers_speak_in_the_order_of_their_names(self):
        process = self.begin(SHARKS, 'plan.kind=bus', 'bus.controllers=2', 'time.end=0.2')
        second = Participant(self.bus, name=b'second')
        self.assertEqual(second.frame()[0], WELCOME)
        first = Participant(self.bus, name=b'first')
        first.until(TURN)
        first.go(0, 0, *[(100.0 + k, 100.0, 30.0, 20.0) for k in range(3)])
        first.done(FOR_EVER)
        second.until(TURN)
        second.go(0, 0, (100.0, 100.0, 30.0, 20.0))
        second.done(100_000_000)
        _, seen = second.until(TURN)
        self.assertEqual(struct.unpack_from('<I', seen[STATE], 8 + 24 + 16)[0], 1)  # points left: those of who spoke last
        second.done(FOR_EVER)
        second.until(END)
        self.end(process)

    def test_reports_and_looks(self):
        process = self.begin(SHARKS, 'plan.kind=bus', 'detection={model: bus}', 'time.end=120')
        p = Participant(self.bus)
        _, seen = p.until(TURN)
        for member, path in enumerate(self.squares(seen[AREA])):
            p.go(member, 0, *path)
        p.done(FOR_EVER, 1)
        looks = reports = 0
        while True:
            kind, payload = p.frame()
            if kind == LOOKS:
                member, sought, at_s, height, speed, away, corner, seen_, mistaken = struct.unpack('<II7d', payload)
                self.assertTrue(member < 3 and sought in (0, 1) and 0 < height < 40 and 0 <= away <= corner and 0 < at_s <= 120 and speed < 41)
                self.assertEqual((seen_, mistaken), (1.0, 0.4) if sought else (1.0, 0.1))
                p.send(DETECTIONS, struct.pack('<d', sought))
                looks += 1
            elif kind == REPORTS:
                reports += len(payload) // 24
            elif kind == TURN:
                member = 0
                p.go(member, 1, (500.0, 500.0, 15.0, 20.0))
                p.done(FOR_EVER, 1)
            elif kind == STATISTICS:
                total = list(struct.iter_unpack('<II6d', payload))[-1]
            elif kind == END:
                break
        self.assertGreater(looks, 100)
        self.assertGreater(reports, 0)
        self.assertEqual(total[2:4], (1.0, 1.0))
        self.end(process)

    def test_orders_move_agents_and_vehicles_alike(self):
        process = self.begin(self.world)
        p = Participant(self.bus)
        p.until(TURN)
        up = [order(m, 75, command_int(400, 1.0)) + order(m, 75, command_int(22, 0, 0, 0, float('nan'), 0x7FFFFFFF, 0x7FFFFFFF, 10.0)) for m in range(4)]
        p.send(ORDERS, b''.join(up) + order(0, 0, b'') + order(1, 77, b''))
        p.done()
        _, seen = p.until(TURN)
        acks = list(struct.iter_unpack('<IIhBx', seen[ACKS]))
        self.assertEqual(sorted(acks), sorted([(m, 75, 0, 0) for m in range(4)] * 2 + [(0, 0, -3, 3), (1, 77, -3, 3)]))
        p.done(2 * 10 ** 9)
        _, seen = p.until(TURN)
        self.assertEqual(p.ns, 2 * 10 ** 9)
        first, count = struct.unpack_from('<II', seen[STATE])
        self.assertEqual((first, count), (0, 4))
        for north, east, up_m, _, _, climb, _, _, flags, landed in struct.iter_unpack('<3d3ffIBB2x', seen[STATE][8:]):
            self.assertTrue(abs(north) < 0.01 and min(abs(east), abs(east - 10)) < 0.01 and 2 < up_m < 10 and climb > 0, (north, east, up_m, climb))
            self.assertEqual((flags, landed), (3, 3))  # known and armed; MAV_LANDED_STATE_TAKEOFF
        p.done(FOR_EVER)
        p.until(END)
        self.assertEqual(p.ns, 5 * 10 ** 9)
        self.end(process)

    def test_things_obey_nothing(self):
        process = self.begin(self.scenario(WORLD + '  - {name: t, thing: beacon, place: [1, 2]}\n'))
        p = Participant(self.bus)
        p.until(TURN)
        p.send(ORDERS, order(4, 75, command_int(400, 1.0)))
        p.done()
        _, seen = p.until(TURN)
        self.assertEqual(list(struct.iter_unpack('<IIhBx', seen[ACKS])), [(4, 75, -3, 3)])
        p.done(FOR_EVER)
        p.until(END)
        self.end(process)

    def test_wrong_frames_end_who_sends_them_and_nobody_else(self):
        """GZ-21: the fuzzers of tests/fuzz send any other bytes"""
        for frame, data in ((b'\x02' + bytes(15), 'version 1'),
                            (HEAD.pack(1, DONE, 65535, 1, 0), '64 kB'),
                            (HEAD.pack(1, DONE, 1, 1, 0) + b'x', 'DONE until report 0 1 7'),
                            (HEAD.pack(1, 99, 0, 1, 0), 'controller turn'),
                            (HEAD.pack(1, DONE, 16, 7, 0) + bytes(16), 'tick'),
                            (HEAD.pack(1, ORDERS, 13, 1, 0) + bytes(13), 'ORDERS member message length'),
                            (HEAD.pack(1, ORDERS, 12, 1, 0) + struct.pack('<III', 4, 75, 0), 'member'),
                            (HEAD.pack(1, PATH, 8, 1, 0) + bytes(8), 'plan bus')):
            process = self.begin(self.world)
            p = Participant(self.bus)
            p.until(TURN)
            p.socket.sendall(frame)
            _, seen = p.until(ERROR)
            assert_names(seen[ERROR].decode(), data)
            self.assertRaises(EOFError, p.frame)
            _, error = self.finish(process)  # the world goes on
            assert_names(error, f"controller 'test' 0.000000 {data}")
            p.socket.close()

    def test_hello_is_looked_at(self):
        process = self.begin(self.world, 'bus.token=secret')
        for args, data in (({'token': b'secre'}, 'token'), ({'role': 5, 'token': b'secret'}, 'role controller 1 observer 2 feed 3 network 4'),
                           ({'hello': HEAD.pack(1, DONE, 0, 0, 0)}, 'HELLO')):
            p = Participant(self.bus, **args)
            assert_names(p.until(ERROR)[1][ERROR].decode(), data)
            p.socket.close()
        p = Participant(self.bus, token=b'secret')
        self.assertEqual(p.frame()[0], WELCOME)
        p.until(TURN)
        p.done(FOR_EVER)
        p.until(END)
        self.end(process)

    def test_gz18_observers_see_and_nobody_waits_for_them(self):
        """GZ-18: one that never reads, one that reads, and none: one run"""
        hashes = set()
        for silent in (False, True, None):
            process = self.begin(self.world, 'bus.controllers=0' if silent is None else 'bus.controllers=1', 'entities.0.count=2')
            observer = Participant(self.bus, role=2) if silent is not None else None
            if silent is not None:
                p = Participant(self.bus)
                p.until(TURN)
                p.done(FOR_EVER)
            if silent is False:
                _, seen = observer.until(END)
                self.assertNotIn(TURN, seen)
                self.assertEqual(observer.ns, 5 * 10 ** 9)
            out, _ = self.finish(process)
            hashes.add(hash_of(out))
        self.assertEqual(len(hashes), 1)

    def test_who_is_silent_is_named(self):
        for scenario, sets, code in ((self.world, (), 3), (SHARKS, ('plan.kind=bus',), 2)):
            process = self.begin(scenario, 'bus.patience=0.2', *sets)
            p = Participant(self.bus)
            p.until(TURN)
            assert_names(self.end(process, code), "bus controller 'test' 0.2 0.000000 bus.patience bus.silent drop wait")
            p.socket.close()

    def test_patience_lasts_while_a_debugger_holds_a_program(self):
        """The program asks its parent, a keeper, to trace it: as under a debugger, until it ends."""
        traced = self.path('traced.py')
        with open(traced, 'w', encoding='utf-8') as f:
            f.write('import ctypes, time\nassert ctypes.CDLL(None).ptrace(0, 0, None, None) == 0\n'
                    f'open({self.path("pid")!r}, "w").write(str(__import__("os").getpid()))\ntime.sleep(600)\n')
        process = self.begin(self.scenario(WORLD + f'processes: [{{run: [python3, {traced}]}}]\n'), 'bus.patience=0.2')
        wait_until(lambda: os.path.exists(self.path('pid')) and open(self.path('pid'), encoding='utf-8').read(), 'it runs')
        p = Participant(self.bus)  # time 0 has waited for it
        p.until(TURN)
        time.sleep(1.0)  # five times its patience
        self.assertIsNone(process.poll())
        with open(self.path('pid'), encoding='utf-8') as f:
            os.kill(int(f.read()), signal.SIGKILL)
        assert_names(self.end(process, 3), "bus controller 'test' 0.2")
        p.socket.close()

    @pytest.mark.long
    def test_gz07_whoever_is_silent_is_let_go_or_waited_for(self):
        port = free_port()
        for silent in ('drop', 'wait'):
            process = self.begin(self.world, 'bus.patience=0.2', f'bus.silent={silent}', f'links.api={port}')
            p = Participant(self.bus)
            p.until(TURN)
            if silent == 'drop':
                assert_names(p.until(ERROR)[1][ERROR].decode(), 'silent')
            else:
                metric = 'mayfly_swarm_silent{participant="controller \'test\'"} 1'
                wait_until(lambda: metric in call(port, '/metrics')[1], metric)
                self.assertIn('mayfly_swarm_silences_total 1\n', call(port, '/metrics')[1])
                p.done(FOR_EVER)
            out, error = self.finish(process)
            assert_names(error, "bus controller 'test' silent 0.2 0.000000")
            how = r"0\.000000 +\d+\.\d{3}  .*\bsilent\b.*" if silent == 'drop' else r"5\.000000 +\d+\.\d{3}  stayed"
            self.assertRegex(out, rf"(?m)^bus       controller 'test' +{how}$")
            p.socket.close()

    def test_gz07_who_is_killed_comes_late_or_breaks_off_changes_the_run_in_the_same_way_each_time(self):
        hashes = {}
        for k in range(3 * cases(3, 10)):
            what = ('killed', 'half a frame', 'late')[k % 3]
            process = self.begin(self.world)
            p = Participant(self.bus)
            p.until(TURN)
            p.done(10 ** 9)
            if what == 'late':
                p.until(TURN)
                late = Participant(self.bus, name=b'later')
                p.done(FOR_EVER)
                late.until(TURN)
                late.done(FOR_EVER)
            else:
                p.until(TURN)
                if what == 'half a frame':
                    p.socket.sendall(HEAD.pack(1, PATH, 8, 1, 0))
                p.socket.close()
            out, error = self.finish(process)
            self.assertEqual(bool(re.search(r'1\.000000 s: .*\bframe\b', error)), what == 'half a frame', error)
            hashes.setdefault(what, set()).add(hash_of(out))
        self.assertEqual([len(h) for h in hashes.values()], [1, 1, 1])

    @pytest.mark.long
    def test_gz08_a_run_is_the_same_at_any_pace(self):
        told = set()
        for clock in ('event', 'fast', 'x0.5', 'x1', 'x100'):
            process = self.begin(self.world, f'time.clock={clock}', 'time.end=1')
            p = Participant(self.bus)
            states = hashlib.sha256()
            for tick in range(11):
                _, seen = p.until(TURN)
                states.update(seen[STATE])
                if tick == 2:
                    p.send(ORDERS, order(2, 75, command_int(400, 1.0)))
                p.done((tick + 1) * 10 ** 8)
            told.add((states.hexdigest(), hash_of(self.end(process))))
        self.assertEqual(len(told), 1)

    def test_a_plan_needs_its_planner(self):
        process = self.begin(SHARKS, 'plan.kind=bus')
        p = Participant(self.bus)
        p.until(TURN)
        p.socket.close()
        assert_names(self.end(process, 2), 'controller plan bus')
        process = self.begin(SHARKS, 'plan.kind=bus')
        p = Participant(self.bus)
        p.until(TURN)
        p.go(1, 0, (10.0, 10.0, 30.0, 20.0), (10.0, 1200.0, 30.0, 20.0))
        assert_names(p.until(ERROR)[1][ERROR].decode(), 'north 10.0 east 1200.0 space.boundary')
        assert_names(self.end(process, 2), 'point 1 member 2 north 10.0 east 1200.0')

    def test_the_socket_of_a_swarm_that_lives_is_refused_and_a_stale_one_replaced(self):
        first = self.begin(self.world, 'bus.controllers=1')
        p = Participant(self.bus)
        assert_names(self.end(self.begin(self.world), 2), f'bus.listen {self.bus} another program')
        p.until(TURN)
        first.kill()
        first.communicate()
        self.assertTrue(os.path.exists(self.bus))
        second = self.begin(self.world, 'bus.controllers=1')
        p = Participant(self.bus)
        p.until(TURN)
        os.unlink(self.bus)
        self.write('bus', 'notes')
        p.done(FOR_EVER)
        p.until(END)
        self.end(second)
        self.assertEqual(os.path.getsize(self.bus), 5)

    def test_a_run_to_idleness_ends_whoever_watches(self):
        """An observer gets frames to the end; a controller that has put off its next turn for ever is waited for no more."""
        world = self.scenario('time: {clock: fast}\nentities: [{name: v, plan: hop.waypoints}]\n')
        alone = self.swarm(world)
        end = re.search('^time +([0-9.]+)', alone, re.M)[1]
        out = self.end(self.begin(world, 'bus.controllers=0'))
        self.assertEqual((re.search('^time +([0-9.]+)', out, re.M)[1], hash_of(out)), (end, hash_of(alone)))
        process = self.begin(world, 'bus.controllers=1', 'bus.tick=1')
        watcher = Participant(self.bus, role=2)
        self.assertEqual(watcher.frame()[0], WELCOME)
        controller = Participant(self.bus)
        controller.until(TURN)
        controller.done(FOR_EVER)
        _, seen = watcher.until(END)
        self.assertEqual(hash_of(self.end(process)), hash_of(alone))
        self.assertGreater(watcher.ns, (float(end) - 1.1) * 1e9)
        self.assertIn(STATE, seen)

    def test_bad_input_is_one_line(self):
        for listen, sets, text in (('0.0.0.0:0', (), 'bus.listen token'), ('5770x', (), 'bus.listen 5770x [ADDRESS:]PORT'),
                                   ('unix:/nowhere/bus', (), 'bus.listen /nowhere/bus No such file')):
            error = self.end(self.begin(self.world, *sets, listen=listen), 2)
            assert_names(error, text)
            self.assertEqual(error.count('\n'), 1, error)
        assert_names(self.swarm(SHARKS, '--check', '--set', 'plan.kind=bus', code=2), 'plan bus {listen: PORT}')
