# SPDX-License-Identifier: Apache-2.0
"""Ghosts of mayfly-swarm (docs/ghosts.md): drones by MAVLink, motion capture and the bus, which come, are lost and come back; their
radios; recordings of what they said. SBE-11, SBE-20, SBE-21. The frames are made here, with struct alone."""
import functools
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import tty

import pytest

from bus_client import COMMANDS, END, ERROR, HEARD, ORDERS, PACKETS, POSES, STATE, TURN, Participant, order
from drone import Drone
from mavlink import ATT_POS_MOCAP, COMMAND_LONG, GLOBAL_POSITION_INT, HEARTBEAT, MANUAL_CONTROL, TUNNEL, Frames, frame
from names import assert_names
from paths import SCENARIOS, TOP
from ports import free_port
from swarm_case import SwarmCase, hash_of, stop
from waiting import listens_at, wait_until

LAT, LON, ALT = 47.397742, 8.545594, 488.0
M_PER_DEG = 111178.0   # north, at this latitude: within a thousandth


@functools.cache
def of_drone(system, msgid, payload):
    return frame(msgid, payload, system=system, component=1)


def heartbeat(system):
    return of_drone(system, HEARTBEAT, struct.pack('<IBBBBB', 0x03040000, 2, 12, 0x81, 4, 3))


def position(system, north, up=10.0, vel=0.0):
    return of_drone(system, GLOBAL_POSITION_INT, struct.pack('<IiiiihhhH', 0, round((LAT + north / M_PER_DEG) * 1e7), round(LON * 1e7),
                                               round((ALT + up) * 1e3), round(up * 1e3), round(vel * 100), 0, 0, 0))


def mocap(system, north, east, down):
    return of_drone(system, ATT_POS_MOCAP, struct.pack('<Q4f3f', 0, 1.0, 0.0, 0.0, 0.0, north, east, down))


def tunnel(system, heard, strength, origin, number, payload):
    inner = struct.pack('<BBhII', 1, heard, round(strength * 100), origin, number) + payload
    return of_drone(system, TUNNEL, struct.pack('<HBBB', 40021, 255, 0, len(inner)) + inner.ljust(128, b'\0'))


def pose(member, north, east=0.0, up=10.0, vel=(0.0, 0.0, 0.0), yaw=0.0):
    return struct.pack('<I4x3d3ff', member, north, east, up, *vel, yaw)


def packet(member, heard, origin, number, strength, payload, length=None):
    return struct.pack('<IB3xIIfI', member, heard, origin, number, strength, len(payload) if length is None else length) + payload


class Sender(threading.Thread):
    """A drone that is played: it says what `say(t)` gives, each 20 ms, to a UDP port, and keeps what it hears."""

    def __init__(self, port, say):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', 0))
        self.socket.settimeout(0.02)
        self.to, self.say, self.frames, self.quiet, self.over = ('127.0.0.1', port), say, Frames(), False, False
        self.start()

    def run(self):
        begin = time.monotonic()
        while not self.over:
            for data in () if self.quiet else self.say(time.monotonic() - begin):
                try:
                    self.socket.sendto(data, self.to)
                except OSError:
                    pass
            try:
                self.frames.feed(self.socket.recv(2048))
            except OSError:
                pass

    def heard(self, message):
        """Payloads of a message."""
        return [payload for msgid, payload in self.frames.found if msgid == message]

    def end(self):
        self.over = True
        self.join()
        self.socket.close()


class Ghosts(SwarmCase):
    def setUp(self):
        super().setUp()
        self.env = {**os.environ, 'TMPDIR': self.folder}

    def begin(self, scenario, *args):
        return self.start(scenario, '--out', self.folder, *args, env=self.env)

    def run_swarm(self, scenario, *args, code=0):
        return self.finish(self.begin(scenario, *args), code)

    def sender(self, port, say):
        sender = Sender(port, say)
        self.addCleanup(sender.end)
        return sender

    def north(self, row):
        return (float(row['lat_deg']) - LAT) * M_PER_DEG

    def replays(self, scenario, recording, files, *args, code=0):
        """The same run from its recording: the same files and hash, byte for byte."""
        before, first = {name: self.bytes(name) for name in files}, args[0]
        out, _ = self.run_swarm(scenario, '--replay', self.path(recording), *args[1:], code=code)
        self.assertEqual({name: self.bytes(name) for name in files}, before)
        self.assertEqual(hash_of(out), hash_of(first))

    # ---- by the bus, where nothing depends on the wall

    BUS = '''
swarm: 1
time: {clock: fast, end: 6}
bus: {listen: "unix:%s", tick: 0.1}
entities:
  - {name: a, as: ghost, link: bus, place: [5, 0, 0], hold_after: 0.5, lost_after: 2, speed_max: 50, body: {radius: 1}}
  - {name: b, count: 2, as: agent, place: [30, 0, 10], sensors: [{kind: range, rate: 10, reach: 50}]}
outputs: {csv: {file: g.csv, every: 0.25}, events: {file: e.csv}, recording: {file: in.rec}, contacts: {file: c.csv, every: 0.1}}
'''

    SHAPES = '''
swarm: 1
time: {clock: fast, end: 6}
bus: {listen: "unix:%s", tick: 0.1}
entities:
  - {name: post, as: agent, place: [20, 0, 0.5], body: {radius: 0.5}, sensors: [{kind: range, rate: 10, reach: 50, yaw: 180}]}
  - {name: door, as: ghost, thing: object, link: bus, place: [5, 0, 0], body: {shape: box, size: [2, 8, 3]}}
  - {name: pole, as: ghost, thing: object, link: bus, place: [20, 9, 0], body: {shape: cylinder, radius: 1, height: 2}}
  - {name: feeler, as: agent, place: [20, 2, 0.5], body: {radius: 0.5}, sensors: [{kind: contact, rate: 10}]}
outputs: {sensors: {file: s.csv}, contacts: {file: c.csv, every: 0.1}, recording: {file: in.rec}}
'''

    def fly_bus(self, process, bus):
        """10 m/s north from 1 s on; silent from 2 s to 5 s; then elsewhere; at 5.5 s a claim of 1 km/s."""
        p = Participant(bus)
        while True:
            kind, _ = p.until(TURN, END)
            if kind == END:
                break
            t = p.ns / 1e9
            if 1.0 <= t <= 2.0001:
                p.send(POSES, pose(0, 10 * (t - 1), vel=(10, 0, 0)))
            elif 4.9 < t < 5.4501:
                p.send(POSES, pose(0, 400))
            elif t >= 5.45:
                p.send(POSES, pose(0, 400 + 1000 * (t - 5.4)))
            p.done()
        return self.finish(process)

    def test_sbe20_extrapolated_held_lost_and_back_by_the_bus(self):
        """SBE-20, SBE-11: by hand: at 2.25 s 12.5 m, held at 15 m from 2.5 s on, lost at 4 s, back at 5 s. The replay has the same bytes."""
        bus = self.path('bus')
        scenario = self.scenario(self.BUS % bus)
        out, error = self.fly_bus(self.begin(scenario), bus)
        norths = {float(row['t_s']): self.north(row) for row in self.rows('g.csv') if row['member'] == 'a'}
        for t, north in ((0.75, 5), (1.25, 2.5), (2.0, 10), (2.25, 12.5), (2.5, 15), (3.75, 15), (4.75, 15), (5.25, 400), (6.0, 400)):
            self.assertAlmostEqual(norths[t], north, delta=0.05, msg=f'{t} s')
        events = [(row['t_s'], row['event']) for row in self.rows('e.csv') if row['member'] == 'a']
        self.assertEqual(events, [('1.000000', 'found'), ('4.000000', 'lost'), ('5.000000', 'found')])
        assert_names(error, 'a lost 4.000')
        self.assertEqual(error.count('speed_max'), 1)
        refused = re.search(r'^ghosts +1, 0 lost, 1 .*; (\d+) places, (\d+) refused', out, re.M)
        self.assertEqual((int(refused[1]), int(refused[2])), (11 + 5, 6))   # 1.0 .. 2.0, 5.0 .. 5.4; 5.5 .. 6.0
        # sensed: the agents at 30 m look north and see nothing behind them; from 5 s on the ball of 1 m at 400 m is out of reach
        self.assertTrue(all(not row['range_m'] for row in self.rows('g.csv') if row['member'] == 'b.1'))
        self.replays(scenario, 'in.rec', ('g.csv', 'e.csv', 'c.csv'), out)

    def test_sbe20_moving_shapes_are_sensed_and_touched(self):
        """A door of 2 x 8 m comes north with 2 m/s from 1 s on and turns by 90 degrees at 4 s; a range sensor sees its side. A round pole
        comes from the east with 4 m/s and meets a ball that stands there: 9 - 4 (t - 1) = 2 + 1.5. The replay has the same bytes."""
        bus = self.path('bus')
        scenario = self.scenario(self.SHAPES % bus)
        process = self.begin(scenario)
        p = Participant(bus)
        while p.until(TURN, END)[0] == TURN:
            t = p.ns / 1e9
            if t >= 1.0:
                ahead, side = (11, math.pi / 2) if t >= 4.0 else (5 + 2 * (t - 1), 0)
                p.send(POSES, pose(1, ahead, up=0, vel=(2 if t < 4.0 else 0, 0, 0), yaw=side))
                p.send(POSES, pose(2, 20, east=9 - 4 * min(t - 1, 1.5), up=0, vel=(0, -4 if t < 2.5 else 0, 0)))
            p.done()
        out, _ = self.finish(process)
        seen = {float(r['t_s']): float(r['a']) for r in self.rows('s.csv') if r['member'] == 'post' and r['a']}
        for t, away in ((1.5, 13.0), (3.0, 10.0), (3.9, 8.2), (4.5, 5.0), (6.0, 5.0)):
            self.assertAlmostEqual(seen[t], away, delta=0.01, msg=f'{t} s')
        met = [(float(r['t_s']), r['member'], r['with']) for r in self.rows('c.csv')]
        self.assertEqual([m[1:] for m in met], [('feeler', 'pole')])
        self.assertAlmostEqual(met[0][0], 2.375, delta=1e-5)
        felt = [(r['t_s'], r['found'], float(r['a'])) for r in self.rows('s.csv') if r['member'] == 'feeler' and r['found']]
        self.assertEqual(felt, [('2.400000', 'pole', 1.0)])
        self.replays(scenario, 'in.rec', ('s.csv', 'c.csv'), out)
        for entity in ('as: agent', 'as: vehicle', 'thing: object'):
            said = self.run_swarm(self.scenario(f'time: {{end: 5}}\nentities: [{{name: a, {entity}, body: {{shape: box}}}}]\n'), code=2)[1]
            assert_names(said, 'body.shape ghosts')

    def test_sbe20_a_ghost_is_sensed_and_touched(self):
        """SBE-20: an agent that stands at (0, 0, 10) and looks north measures the distance to a ghost's ball; a second one is hit."""
        bus = self.path('bus')
        scenario = self.scenario('time: {clock: fast, end: 4}\n'
                              f'bus: {{listen: "unix:{bus}", tick: 0.1}}\nentities:\n'
                              '  - {name: g, as: ghost, thing: object, link: bus, body: {radius: 1}}\n'
                              '  - {name: w, as: agent, place: [0, 0, 10], sensors: [{kind: range, rate: 10, reach: 40}]}\n'
                              '  - {name: hit, as: agent, place: [10, 0, 10]}\n'
                              'outputs: {csv: {file: g.csv, every: 0.5}, contacts: {file: c.csv, every: 0.1}}\n')
        process = self.begin(scenario)
        p = Participant(bus)
        while p.until(TURN, END)[0] == TURN:
            t = p.ns / 1e9
            p.send(POSES, pose(0, 21 - 5 * t, vel=(-5, 0, 0)))
            p.done()
        self.finish(process)
        seen = {float(row['t_s']): row['range_m'] for row in self.rows('g.csv') if row['member'] == 'w'}
        self.assertAlmostEqual(float(seen[1.0]), 21 - 5 - 1, delta=0.51)   # measured up to a tick before
        self.assertAlmostEqual(float(seen[2.0]), 21 - 10 - 1, delta=0.51)
        met = [row for row in self.rows('c.csv') if 'hit' in (row['member'], row['with'])]
        self.assertEqual(len(met), 1)   # 21 - 5 t = 10 + 1.25
        self.assertAlmostEqual(float(met[0]['t_s']), 1.95, delta=0.11)

    def test_sbe20_one_feed_for_a_ghost_and_its_orders(self):
        """SBE-20: a second feed is sent away with the first one's name; orders for the ghost reach the first."""
        bus = self.path('bus')
        scenario = self.scenario('time: {clock: real, end: 20}\n'
                              f'bus: {{listen: "unix:{bus}", tick: 0.05}}\nentities:\n  - {{name: g, as: ghost, link: bus}}\n')
        process = self.begin(scenario)
        controller = Participant(bus, name=b'boss')
        first = Participant(bus, role=3, name=b'first')
        controller.until(TURN)
        first.send(POSES, pose(0, 1))
        for _ in range(200):
            controller.done()
            _, seen = controller.until(TURN)
            if seen[STATE][8 + 44] & 1:
                break
        controller.send(ORDERS, order(0, MANUAL_CONTROL, struct.pack('<hhhhHB', 100, -100, 500, 0, 0, 0)))
        controller.done()
        member, msgid, n = struct.unpack_from('<III', first.until(COMMANDS)[1][COMMANDS])
        self.assertEqual((member, msgid), (0, MANUAL_CONTROL))
        self.assertGreater(n, 7)
        second = Participant(bus, role=3, name=b'second')
        second.send(POSES, pose(0, 2))
        for _ in range(100):
            controller.until(TURN)
            controller.done()
            second.socket.setblocking(False)
            try:
                ready = second.socket.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                ready = None
            second.socket.settimeout(30)
            if ready is not None and ERROR in second.__dict__.setdefault('seen', {}):
                break
            if ready:
                kind, payload = second.frame()
                second.seen[kind] = payload
                if kind == ERROR:
                    break
        assert_names(second.seen[ERROR].decode(), "'first'")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    def test_bad_frames_are_named(self):
        """A payload of 10 MB, a member that is no ghost, a frame that is cut off: the sender is let go with the reason."""
        cases = [(PACKETS, packet(0, 0, 0, 1, 0.0, b'', 10_000_000), '10000000 280'),
                 (PACKETS, packet(7, 0, 0, 1, 0.0, b''), 'packets member ghost'),
                 (PACKETS, packet(0, 0, 0, 1, 0.0, b'abc', 4), 'PACKETS'),
                 (POSES, pose(1, 0), 'member ghost link bus'),
                 (POSES, pose(0, 0) + b'1', 'POSES 48')]
        for kind, payload, what in cases:
            bus = self.path('bus')
            process = self.begin(self.scenario(self.BUS % bus))
            p = Participant(bus)
            p.until(TURN)
            p.send(kind, payload)
            assert_names(p.until(ERROR)[1][ERROR].decode(), what)
            assert_names(self.finish(process, 1)[1], what)   # a ghost that never came is lost

    # ---- by MAVLink

    @pytest.mark.long
    def test_sbe20_a_drone_over_udp_is_lost_and_back(self):
        """SBE-20: a drone says that it flies at 5 m/s; silent for longer than lost_after it is lost, and comes back. A second sender with
        its system is not heard. Sticks are repeated at 50 Hz: 1 + 25 times in the half second for which they are good."""
        port, bus = free_port(), self.path('bus')
        scenario = self.scenario('time: {clock: real, end: 6}\n'
                              f'bus: {{listen: "unix:{bus}", tick: 0.1}}\nentities:\n'
                              f'  - {{name: real, count: 2, as: ghost, link: {{list: ["udp:127.0.0.1:{port}#7", "udp:127.0.0.1:{port}#8"]}}, '
                              'lost_after: 1}\n'
                              'outputs: {csv: {file: g.csv, every: 0.1}, events: {file: e.csv}, recording: {file: in.rec}}\n')
        seven = self.sender(port, lambda t: (heartbeat(7), position(7, 5 * t, vel=5.0)))
        eight = self.sender(port, lambda t: (heartbeat(8), position(8, 100)))
        process = self.begin(scenario)
        p = Participant(bus)
        asked = False
        while True:
            if p.until(TURN, END)[0] == END:
                break
            t = p.ns / 1e9
            if t >= 1.0 and not asked:
                p.send(ORDERS, order(0, MANUAL_CONTROL, struct.pack('<hhhhHB', 100, -100, 500, 0, 0, 0)))
                asked = True
                self.sender(port, lambda t: (heartbeat(8), position(8, 900)))   # an impostor
            seven.quiet = 2.0 < t < 4.0
            p.done()
        out, error = self.finish(process)
        events = [(row['member'], row['event']) for row in self.rows('e.csv') if row['event'] in ('lost', 'found')]
        self.assertEqual(events, [('real.1', 'lost'), ('real.1', 'found')])
        self.assertEqual(len(re.findall(r'\breal\.2: .*\bsystem\b', error)), 1)
        self.assertTrue(all(abs(self.north(row) - 100) < 1 for row in self.rows('g.csv') if row['member'] == 'real.2' and float(row['t_s']) > 1))
        one = {float(row['t_s']): self.north(row) for row in self.rows('g.csv') if row['member'] == 'real.1'}
        self.assertAlmostEqual(one[3.7], one[2.9], places=3)   # held
        self.assertGreater(one[5.8], one[3.7] + 2)
        sticks = seven.heard(MANUAL_CONTROL)
        self.assertEqual(len(sticks), 26)
        self.assertEqual(struct.unpack('<hhhhHB', sticks[0].ljust(11, b'\0'))[:3] + (sticks[0][10],), (100, -100, 500, 7))
        self.assertEqual(eight.heard(MANUAL_CONTROL), [])
        self.assertTrue(eight.heard(COMMAND_LONG))   # it was asked for its position
        self.assertRegex(out, r'ghosts +2, 0 lost, 1 .*; \d+ places, 0 refused; [1-9]\d* ')
        self.replays(scenario, 'in.rec', ('g.csv', 'e.csv'), out)

    @pytest.mark.long
    def test_sbe20_motion_capture(self):
        """SBE-20: ATT_POS_MOCAP at 100 Hz, in metres of the origin, for a thing and for one that never comes; occluded, it is lost."""
        port = free_port()
        scenario = self.scenario('time: {clock: real, end: 3}\nentities:\n'
                              f'  - {{name: ball, as: ghost, thing: object, mocap: "udp:{port}#3", lost_after: 0.5, hold_after: 0.2}}\n'
                              f'  - {{name: box, as: ghost, mocap: "udp:{port}#4"}}\n'
                              'outputs: {csv: {file: g.csv, every: 0.1}, events: {file: e.csv}}\nexpect: [{of: ball, event: lost}]\n')
        sender = self.sender(port, lambda t: [mocap(3, 2.0, -1.0 - 0.1 * t, -1.5)] * 2)
        process = self.begin(scenario)
        time.sleep(1.6)
        sender.quiet = True
        out, error = self.finish(process, 1)   # both are lost at the end
        last = [row for row in self.rows('g.csv') if row['member'] == 'ball'][-1]
        self.assertAlmostEqual(self.north(last), 2.0, delta=0.02)
        self.assertAlmostEqual(float(last['alt_amsl_m']), ALT + 1.5, delta=0.02)
        self.assertEqual([row['event'] for row in self.rows('e.csv') if row['member'] == 'ball'], ['found', 'lost'])
        self.assertRegex(error, r'\bball: .*\d s\n')
        assert_names(out, 'ghosts 2 2 lost 1')

    @pytest.mark.long
    def test_sbe20_a_place_that_nobody_reaches_is_refused(self):
        """SBE-20: 1 km/s by its places, or by its velocity: refused, counted, named once; then lost."""
        for say, code in ((lambda t: (heartbeat(1), position(1, 1000 * t)), 0),   # after the loss its first place is believed again
                          (lambda t: (heartbeat(1), position(1, 0, vel=320.0)), 1)):
            port = free_port()
            sender = self.sender(port, say)
            out, error = self.run_swarm(self.scenario('time: {clock: real, end: 1.5}\nentities:\n'
                                                   f'  - {{name: g, as: ghost, link: "udp:{port}", lost_after: 1}}\n'), code=code)
            self.assertRegex(out, r'(?m)^ghosts +1, [01] lost, 1 ')
            sender.quiet = True
            self.assertEqual(len(re.findall(r'\bg: .*\bspeed_max\b', error)), 1)
            self.assertGreater(int(re.search(r'(\d+) refused', re.search(r'^ghosts.*$', out, re.M)[0])[1]), 10)

    @pytest.mark.long
    def test_sbe20_a_drone_has_one_client(self):
        """SBE-20: two ghosts on one link and system, and two swarms: the second is refused with the first one's name."""
        port = free_port()
        both = self.scenario('time: {clock: real, end: 1}\nentities:\n'
                          f'  - {{name: g, count: 2, as: ghost, link: {{list: ["udp:{port}#7", "udp:{port}#7"]}}}}\n')
        _, error = self.run_swarm(both, code=2)
        assert_names(error, f':4 udp:{port} g.1 #SYSTEM')
        with Drone() as drone:
            one = self.scenario('time: {clock: real, end: 60}\nentities:\n'
                             f'  - {{name: first, as: ghost, link: "tcpout:127.0.0.1:{drone.port()}"}}\noutputs: {{csv: {{file: g.csv, every: 0.02}}}}\n')
            process = self.begin(one)
            wait_until(lambda: os.path.getsize(self.path('g.csv')), 'samples', 30)
            time.sleep(0.3)
            _, error = self.run_swarm(one, '--out', self.path('second'), code=2)
            assert_names(error, f'127.0.0.1:{drone.port()} first {process.pid}')
            process.send_signal(signal.SIGINT)
            out, _ = self.finish(process, 130)
            self.assertRegex(out, r'(?m)^ghosts .* \d+\.\d ms, \d+\.\d ms ')   # the latency of the loop
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith('mayfly-ghost')], [])
            self.run_swarm(one, '--set', 'time.end=1')   # it is free again

    @pytest.mark.long
    def test_sbe20_a_drone_that_is_killed_and_restarted_goes_on(self):
        """SBE-20: a mayfly walks as a ghost; killed it is lost, restarted on its port it is found and takes off again; the recording
        replays to the same bytes."""
        port = free_port()
        scenario = self.scenario('seed: 3\ntime: {clock: x5, end: 60}\nentities:\n'
                              f'  - {{name: g, as: ghost, link: "tcpout:127.0.0.1:{port}", lost_after: 5, '
                              'behaviour: {kind: walk, rate: 5, speed_max: 2, height: 10}}\n'
                              '  - {name: a, count: 3, as: agent, behaviour: {kind: flock, height: 10}}\n'
                              'outputs: {csv: {file: g.csv, every: 0.5}, events: {file: e.csv}, recording: {file: in.rec}}\n')
        with Drone('--tcp', str(port), '--clock', 'x5') as drone:
            drone.port()
            process = self.begin(scenario)
            time.sleep(4)
            drone.end(signal.SIGKILL)
        time.sleep(2.5)
        with Drone('--tcp', str(port), '--clock', 'x5'):
            out, error = self.finish(process)
        events = [row['event'] for row in self.rows('e.csv') if row['member'] == 'g']
        self.assertEqual([e for e in events if e in ('lost', 'found')], ['lost', 'found'])
        self.assertEqual(events.count('in_air'), 2)
        self.assertEqual(len(re.findall(r'\bg: .*\blink\b', error)), 1)
        self.replays(scenario, 'in.rec', ('g.csv', 'e.csv'), out)
        for bad in (b'mayfly-ghosts 1 4 0 4\n', self.bytes('in.rec')[:-20], self.bytes('in.rec') + b'x', b''):
            _, error = self.run_swarm(scenario, '--replay', self.write('bad.rec', bad), code=2)
            assert_names(error, '--replay /bad.rec')
            self.assertEqual(error.count('\n'), 1)

    # ---- radios

    RADIOS = '''
swarm: 1
time: {clock: %s, end: %g}
medium: {kind: free_space, range: 100}
%s
entities:
  - {name: sim, as: agent, place: [0, 0, 10], radio: cc2420, send: {every: 1, start: 0.5, bytes: [1, 2, 3]}}
  - {name: g, count: 2, as: ghost, place: {list: [[5, 0, 10], [5, 5, 10]]}, radio: cc2420, link: %s}
outputs: {radio: {file: heard.csv}, recording: {file: in.rec}}
'''

    def test_sbe21_packets_by_the_bus_once(self):
        """SBE-21: what the agent sends is heard by both ghosts, and reaches their radios; what a real radio sends is heard by the agent
        and the other ghost; what the other real radio has heard itself is not heard again, nor what is said twice."""
        bus = self.path('bus')
        scenario = self.scenario(self.RADIOS % ('fast', 3, f'bus: {{listen: "unix:{bus}", tick: 0.1}}', 'bus'))
        process = self.begin(scenario)
        p, heard = Participant(bus), []
        while True:
            kind, payload = p.frame()
            if kind == HEARD:
                heard.append(struct.unpack_from('<IIIIfI', payload)[:4] + (payload[24:],))
            if kind == END:
                break
            if kind != TURN:
                continue
            t = round(p.ns / 1e9, 3)
            p.send(POSES, pose(1, 5) + pose(2, 5, 5))
            if t == 1.0:    # the real radio of g.1 sends number 70; that of g.2 has heard it, too
                p.send(PACKETS, packet(2, 1, 1, 70, -55.0, b'hello') + packet(1, 0, 0, 70, 0.0, b'hello'))
            if t == 1.2:    # said again
                p.send(PACKETS, packet(1, 0, 0, 70, 0.0, b'hello') + packet(2, 1, 1, 70, -55.0, b'hello'))
            p.done()
        out, _ = self.finish(process)
        rows = [(row['t_s'], row['receiver'], row['sender'], row['number'], row['payload']) for row in self.rows('heard.csv')]
        of_sim = [(f'{n + 0.5:.6f}', f'g.{k}', 'sim', str(n), '010203') for n in range(3) for k in (1, 2)]
        self.assertEqual([row for row in rows if row[2] == 'sim'], of_sim)
        self.assertEqual(sorted(row[1:] for row in rows if row[2] == 'g.1'), [('g.2', 'g.1', '70', '68656c6c6f'), ('sim', 'g.1', '70', '68656c6c6f')])
        self.assertEqual([row for row in rows if row[2] == 'g.2'], [])
        self.assertEqual(heard, [(k, 1, 0, n, b'\1\2\3') for n in range(3) for k in (1, 2)])
        self.assertRegex(out, r'(?m)^radio .*; 3 .*, 0 refused$')   # by the air; and both that were said again
        self.replays(scenario, 'in.rec', ('heard.csv',), out)

    @pytest.mark.long
    def test_sbe21_packets_by_tunnel(self):
        """SBE-21: the same by MAVLink TUNNEL, with a strength."""
        port = free_port()
        scenario = self.scenario(self.RADIOS % ('real', 4, '', f'{{list: ["udp:{port}#1", "udp:{port}#2"]}}'))
        one = self.sender(port, lambda t: (heartbeat(1), position(1, 5), tunnel(1, 0, 0, 0, int(t), b'hello')))
        self.sender(port, lambda t: (heartbeat(2), position(2, 5), tunnel(2, 1, -55.25, 1, int(t), b'hello')))
        out, _ = self.run_swarm(scenario)
        heard = [struct.unpack_from('<BBhII', p[5:].ljust(128, b'\0')) + (p[17:20],) for p in one.heard(TUNNEL) if len(p) > 5]
        self.assertEqual([h[3:] for h in heard if h[3] == 0], [(0, n, b'\1\2\3') for n in range(4)])
        self.assertTrue(all(h[:2] == (1, 1) and -9000 < h[2] < -3000 for h in heard))
        rows = self.rows('heard.csv')
        for receiver in ('sim', 'g.2'):
            numbers = [row['number'] for row in rows if (row['receiver'], row['sender']) == (receiver, 'g.1')]
            self.assertEqual(len(numbers), len(set(numbers)))   # once
            self.assertGreater(len(numbers), 2)
        self.assertIn('-55.25', {row['strength_dbm'] for row in rows if row['receiver'] == 'g.2'})
        self.replays(scenario, 'in.rec', ('heard.csv',), out)

    # ---- the examples

    def example(self, bus, name, *args):
        wait_until(lambda: listens_at(bus), 'the bus')
        process = subprocess.Popen([sys.executable, '-u', os.path.join(TOP, 'examples', 'ghosts', name), f'unix:{bus}', *args], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(stop, process)
        return process

    def test_sbe24_a_bridge(self):
        """SBE-24: the example of a bridge tells poses in the frame of ROS, and moves a ghost."""
        bus = self.path('bus')
        process = self.begin(self.scenario('time: {clock: real, end: 60}\n'
                                        f'bus: {{listen: "unix:{bus}", controllers: 0}}\nentities:\n'
                                        '  - {name: a, count: 2, as: agent, place: {list: [[0, 0, 0], [1, 2, 3]]}}\n'
                                        '  - {name: g, as: ghost, link: bus}\n'))
        bridge, found = self.example(bus, 'bus_bridge.py'), {}
        bridge.stdin.write('g 7 8 9\n')
        bridge.stdin.flush()
        while 'g' not in found:
            pose = json.loads(bridge.stdout.readline())
            found[pose['member']] = pose
        for got, wanted in zip(found['g']['position'] + found['a.2']['position'], (7.0, 8.0, 9.0, 2.0, 1.0, 3.0)):
            self.assertAlmostEqual(got, wanted, places=2)
        self.assertAlmostEqual(found['a.2']['yaw'], math.pi / 2, places=6)   # it looks north
        process.send_signal(signal.SIGINT)
        self.finish(process, 130)
        self.assertEqual(bridge.wait(30), 0)

    @pytest.mark.long
    def test_sbe21_a_radio_on_a_serial_line(self):
        """SBE-21: the example brings packets of a line to the air, and those of the air to the line."""
        bus, (line, device) = self.path('bus'), os.openpty()
        self.addCleanup(os.close, line)
        self.addCleanup(os.close, device)
        tty.setraw(device)
        process = self.begin(self.scenario(self.RADIOS % ('real', 60, f'bus: {{listen: "unix:{bus}", controllers: 0}}', 'bus')),
                             '--set', 'entities.1.lost_after=100')
        bridge = self.example(bus, 'bus_bridge.py')
        bridge.stdin.write('g.1 0 5 10\n')
        bridge.stdin.flush()
        while json.loads(bridge.stdout.readline())['member'] != 'g.1':
            pass
        radio = self.example(bus, 'serial_radio.py', '1', os.ttyname(device))
        os.write(line, b'> 70 68656c6c6f\n')
        text = b''
        give_up = time.monotonic() + 30
        while text.count(b'\n') < 3 and time.monotonic() < give_up:
            text += os.read(line, 1000)   # each second there is more
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertRegex(text, rb'^< 0 \d+ -\d+\.\d\d 010203')
        self.assertIn(('sim', 'g.1', '70'), {(row['receiver'], row['sender'], row['number']) for row in self.rows('heard.csv')})
        radio.wait(30)

    # ---- what is refused

    def test_runs_by_steps_without_ghosts_refuse_a_replay(self):
        for name in ('package_delivery', 'sharks'):
            scenario = os.path.join(SCENARIOS, name + '.yaml')
            assert_names(self.run_swarm(scenario, '--replay', self.path('any.rec'), code=2)[1], '--replay ghosts')

    def test_what_is_refused(self):
        for entity, what in (('{name: g, as: ghost}', 'link mocap'),
                             ('{name: g, as: ghost, link: "ftp:h:1"}', 'entities.0.link ftp:h:1 tcpout:HOST:PORT udp:'),
                             ('{name: g, as: ghost, link: bus}', 'link bus bus.listen'),
                             ('{name: g, as: ghost, mocap: bus}', "entities.0.mocap 'bus' tcpout:"),
                             ('{name: g, as: ghost, link: "udp:1#0"}', 'udp:1#0 # 1 255'),
                             ('{name: g, as: ghost, link: "serial:/nowhere:57600"}', 'serial:/nowhere:57600 No such file or directory'),
                             ('{name: g, as: ghost, link: "udp:9", hold_after: 3}', 'hold_after lost_after'),
                             ('{name: g, as: ghost, mocap: "udp:9", time_socket: "h:1"}', 'time_socket link')):
            assert_names(self.refused(f'time: {{clock: real, end: 1}}\nentities: [{entity}]\n'), what)
