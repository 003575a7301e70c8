# SPDX-License-Identifier: Apache-2.0
"""Behaviours of build/mayfly-swarm on whatever obeys: vehicles of the process, drones elsewhere, agents."""
import collections
import math
import os
import re
import socket
import struct

import pytest

from cases import cases
from drone import Drone, assert_replays
from mavlink import LOCAL_POSITION_NED, content
from names import assert_names
from paths import SCENARIOS
from recordings import replay, telemetry_log
from swarm_case import SwarmCase, hash_of
from waiting import wait_until

FLIES = cases(3, 20)
FLOCK = '{kind: flock, rate: 10, speed_max: 3, height: 10, radius: 40, separation: 8}'


def local_positions(log):
    """{time_boot_ms: (x, y, z)} of a telemetry log, as the bits of their floats."""
    found = {}
    for _, frame in telemetry_log(log):
        message, payload = content(frame)
        if message == LOCAL_POSITION_NED:
            payload = payload.ljust(28, b'\0')
            found[struct.unpack('<I', payload[:4])[0]] = payload[4:16]
    return found


class Flock(SwarmCase):
    def start_and_sample(self, scenario, *args):
        """A run that has begun to write its samples."""
        swarm = self.start(scenario, '--out', self.folder, *args)
        wait_until(lambda: os.path.getsize(self.path('g.csv')), 'samples')
        return swarm

    # ---- one flock on three kinds of members

    def scenario_of(self, kind, more=lambda k: '', outputs=''):
        """Entities of one member each, whose places are exact numbers."""
        lines = [f'  - {{name: fly{k}, as: {kind}, place: {{geo: [{lat}, {lon}, 488]}}, behaviour: {FLOCK}{more(k)}}}'
                 for k, (lat, lon) in enumerate(self.places())]
        return self.write(f'{kind}.yaml', 'swarm: 1\nseed: 5\ntime: {clock: fast, end: 40}\nentities:\n' + '\n'.join(lines) +
                          f'\noutputs: {{csv: {{file: {kind}.csv, every: 1}}{outputs}}}\n')

    @staticmethod
    def places():
        return [(round(47.397742 + 0.00012 * (k // 5), 7), round(8.545594 + 0.00017 * (k % 5), 7)) for k in range(FLIES)]

    def fly_ghosts(self):
        """On drones of their own, each with a recording."""
        drones = []
        for k, (lat, lon) in enumerate(self.places()):
            drones.append(self.enterContext(Drone('--clock', 'lockstep', '--time-socket', '0', '--home', f'{lat},{lon},488',
                                                  '--record', self.path(f'ghost-{k}.mfr'))))
        out = self.swarm(self.scenario_of('ghost', lambda k: ', ' + drones[k].as_ghost().partition(', ')[2]))
        for drone in drones:
            drone.end()
        return out

    def tlog(self, recording):
        log = self.path('ghost.tlog')
        self.assertEqual(replay('--tlog', log, self.path(recording)).returncode, 0)
        return local_positions(self.bytes(log))

    @pytest.mark.long
    def test_a_flock_is_the_same_in_process_and_elsewhere_and_nearly_so_as_agents(self):
        """Vehicles of the process and drones over TCP show the same bits. Agents round their places to GLOBAL_POSITION_INT in
        another plane: a centimetre here and there, which the flock's rules do not amplify."""
        names = ', '.join(f'fly{k}' for k in range(FLIES))
        self.swarm(self.scenario_of('vehicle', outputs=f', tlog: {{file: "vehicle-%n.tlog", of: [{names}]}}'))
        self.fly_ghosts()
        self.swarm(self.scenario_of('agent'))
        moved = 0
        for k in range(FLIES):
            here, there = local_positions(self.bytes(f'vehicle-{k + 1}.tlog')), self.tlog(f'ghost-{k}.mfr')
            common = sorted(set(here) & set(there))
            self.assertGreater(len(common), 300)
            self.assertEqual([t for t in common if here[t] != there[t]], [])
            north, east, down = struct.unpack('<3f', here[common[-1]])
            moved += math.hypot(north, east) > 5 and down < -9
        self.assertEqual(moved, FLIES)
        places = [self.rows(f'{kind}.csv') for kind in ('vehicle', 'ghost', 'agent')]
        self.assertEqual([len(rows) for rows in places], [41 * FLIES] * 3)
        for vehicle, ghost, agent in zip(*places):
            for key in ('t_s', 'member', 'lat_deg', 'lon_deg', 'alt_amsl_m'):
                self.assertEqual(vehicle[key], ghost[key])
            away = math.hypot((float(vehicle['lat_deg']) - float(agent['lat_deg'])) * 111178,
                              (float(vehicle['lon_deg']) - float(agent['lon_deg'])) * 75400)
            self.assertLess(away, 0.1, vehicle)
            self.assertLess(abs(float(vehicle['alt_amsl_m']) - float(agent['alt_amsl_m'])), 0.01, vehicle)

    @pytest.mark.long
    def test_a_ghost_that_is_not_there_or_goes_away(self):
        with socket.socket() as nobody:
            nobody.bind(('127.0.0.1', 0))
            self.assertIn('Connection refused', self.refused(
                'time: {end: 30}\nentities:\n  - {name: g, as: ghost, behaviour: walk, '
                f'link: "tcpout:127.0.0.1:{nobody.getsockname()[1]}", time_socket: "127.0.0.1:1"}}\n'))
        with Drone('--clock', 'lockstep', '--time-socket', '0') as drone:
            scenario = self.scenario(f'time: {{clock: x20}}\nentities:\n  - {{name: g, {drone.as_ghost()}, behaviour: walk}}\n'
                                     'outputs: {csv: {file: g.csv, every: 0.1}}\n')
            swarm = self.start_and_sample(scenario, '--set', 'time.end=100')
            drone.end()
            _, error = self.finish(swarm, 1)
        self.assertEqual(len(re.findall(r'\bg: .*\blink\b', error)), 1)

    @pytest.mark.long
    def test_sbe20_a_ghost_in_lockstep_comes_back_and_a_replay_is_the_same(self):
        """Its process is killed in flight and begins anew on the same ports, with a clock of its own: it takes off again, and others go on
        meanwhile. What was heard replays to the same bytes."""
        drone = Drone('--clock', 'lockstep', '--time-socket', '0')
        scenario = self.scenario('time: {clock: x20}\nentities:\n  - {name: other, as: agent, place: [50, 0], behaviour: walk}\n'
                                 f'  - {{name: g, {drone.as_ghost()}, behaviour: walk}}\n'
                                 'outputs: {csv: {file: g.csv, every: 0.1}, events: e.csv, recording: g.rec, tlog: {of: g, file: g.tlog}}\n'
                                 'expect:\n  - {of: g, event: lost}\n  - {of: g, event: found}\n')
        swarm = self.start_and_sample(scenario, '--set', 'time.end=160')
        drone.process.kill()
        drone.end()
        with Drone('--clock', 'lockstep', '--tcp', str(drone.port()), '--time-socket', str(drone.time_port())):
            out, error = self.finish(swarm)
        self.assertRegex(error, r'\bg: .*\blink\b.* [\d.]+ s\n(.*\n)*.*\bg: .*\bback\b.* [\d.]+ s')
        events = [(r['event'], float(r['t_s'])) for r in self.rows('e.csv') if r['member'] == 'g']
        names = [event for event, _ in events]
        self.assertLess(names.index('armed'), names.index('lost'))
        self.assertIn('found', names[names.index('lost'):])
        self.assertIn('in_air', names[names.index('found'):])  # it took off again, on its ground
        flew = [float(r['alt_amsl_m']) for r in self.rows('g.csv') if r['member'] == 'g' and float(r['t_s']) > dict(events)['found'] + 20]
        self.assertGreater(min(flew), 490)
        heard = self.bytes('g.tlog')
        log = list(telemetry_log(heard))
        self.assertEqual({(frame[0], frame[5]) for _, frame in log}, {(0xFD, 1)})     # MAVLink 2, its system
        self.assertLessEqual(max(us for us, _ in log), 160e6)
        ids = collections.Counter(content(frame)[0] for _, frame in log)
        self.assertTrue(ids[0] > 100 and ids[33] > 500, ids)  # HEARTBEAT, GLOBAL_POSITION_INT, but for the time that it was away
        once = [self.rows(name) for name in ('g.csv', 'e.csv')]
        again = self.swarm(scenario, '--replay', self.path('g.rec'), '--set', 'time.clock=fast', '--set', 'time.end=160')
        self.assertEqual(hash_of(again), hash_of(out))
        self.assertEqual([self.rows(name) for name in ('g.csv', 'e.csv')], once)
        self.assertEqual(self.bytes('g.tlog'), heard)

    # ---- the examples

    @pytest.mark.long
    def test_sbe01_and_sbe04_walkers(self):
        """SBE-01, SBE-04: the walkers of the example, on any number of threads; a recording replays."""
        walkers = os.path.join(SCENARIOS, 'walkers.yaml')
        few = ('--set', 'entities.0.count=40', '--set', 'time.end=40', '--set', 'expect=[{mode: offboard, at: 40}]',
               '--set', 'outputs={csv: {file: w.csv, every: 1}, record: {file: "%n.mfr", of: walker.7}}')
        one = self.swarm(walkers, *few)
        rows = self.rows('w.csv')
        assert_replays(self, self.path('7.mfr'))
        for threads in ('2', '4'):
            self.assertEqual(hash_of(self.swarm(walkers, *few, '--threads', threads)), hash_of(one))
            self.assertEqual(self.rows('w.csv'), rows)
        # the compass shows the heading, with a standard deviation of 0.0016 degrees, once a second
        late = [row for row in rows if float(row['t_s']) > 30]
        off = [float(row['compass_deg']) - float(row['yaw_deg']) for row in late]
        self.assertLess(max(min(abs(x), abs(x - 360)) for x in off), 0.02)
        self.assertGreater(len({row['compass_deg'] for row in late}), len(late) // 2)
        heights = {row['member']: float(row['alt_amsl_m']) - 488 for row in late}
        self.assertTrue(all(19 < height <= 60 for height in heights.values()))
        self.assertGreater(max(heights.values()) - min(heights.values()), 20)
        self.assertTrue(all(math.hypot(float(row['vel_n_mps']), float(row['vel_e_mps'])) < 2.01 for row in late))
        # another entity in front of them changes their numbers, but not their chance
        more = self.swarm(walkers, *few, '--set', 'entities.0.behaviour.rate=5')
        self.assertNotEqual(hash_of(more), hash_of(one))

    def test_walkers_as_agents_walk_as_vehicles_do(self):
        walkers = os.path.join(SCENARIOS, 'walkers.yaml')
        few = ('--set', 'entities.0.count=20', '--set', 'time.end=60', '--set', 'entities.0.behaviour.height=5',
               '--set', 'outputs={csv: {file: w.csv, every: 5}, events: e.csv}',
               '--set', 'expect=[{mode: offboard, at: 60}, {event: in_air, between: [2, 4]}]')
        self.swarm(walkers, *few)
        vehicles = self.rows('w.csv')
        one = self.swarm(walkers, *few, '--set', 'entities.0.as=agent', '--threads', '2')
        agents = self.rows('w.csv')
        self.assertEqual(hash_of(one), hash_of(self.swarm(walkers, *few, '--set', 'entities.0.as=agent')))
        for vehicle, agent in zip(vehicles, agents):
            away = math.hypot((float(vehicle['lat_deg']) - float(agent['lat_deg'])) * 111178,
                              (float(vehicle['lon_deg']) - float(agent['lon_deg'])) * 75400)
            self.assertLess(away, 0.5, (vehicle, agent))
        events = self.text('e.csv')
        self.assertIn('walker.20,mode,Takeoff\n', events)
        self.assertEqual(events.count(',mode,Offboard\n'), 20)

    @pytest.mark.long
    def test_a_mixed_flock_aligns(self):
        out = self.swarm(os.path.join(SCENARIOS, 'flock.yaml'))
        again = self.swarm(os.path.join(SCENARIOS, 'flock.yaml'), '--threads', '2')
        self.assertEqual(hash_of(out), hash_of(again))
        rows = [row for row in self.rows('flock.csv') if row['t_s'] == '120.000']
        self.assertEqual(len(rows), 100)
        north = sum(float(row['vel_n_mps']) / math.hypot(float(row['vel_n_mps']), float(row['vel_e_mps'])) for row in rows)
        east = sum(float(row['vel_e_mps']) / math.hypot(float(row['vel_n_mps']), float(row['vel_e_mps'])) for row in rows)
        self.assertGreater(math.hypot(north, east) / 100, 0.99)
        places = [((float(row['lat_deg']) - 47.397742) * 111178, (float(row['lon_deg']) - 8.545594) * 75400) for row in rows]
        nearest = [min(math.dist(p, q) for k, q in enumerate(places) if k != i) for i, p in enumerate(places)]
        self.assertGreater(min(nearest), 3)   # of 8 m at which they begin to part
        self.assertLess(max(nearest), 30)     # nobody is lost

    def test_waypoints(self):
        """By hand: from 1 s on at 3 m/s up to 19.5 m, at 7.5 s; 50 m north at 5 m/s, of which the last metre counts as there, at
        17.3 s; then back."""
        for kind in ('vehicle', 'agent'):
            self.swarm('''time: {clock: fast, end: 60}
entities:
  - {name: w, behaviour: {kind: waypoints, height: 20, speed_max: 5, points: [[50, 0, 20], [0, 0, 20]]}}
expect:
  - {position: [25, 0, 20], within: 1, at: 12.5}
  - {position: [24, 0, 20], within: 2, at: 22.3}
  - {position: [0, 0, 20], within: 1, at: 60}
''', '--set', f'entities.0.as={kind}')

    def test_bad_input_is_one_line_and_exit_code_2(self):
        head = 'time: {end: 10}\nentities:\n'
        for line, what in (('{as: agent, plan: x.plan}', ':4 plan'),
                           ('{as: agent, body: physics}', ':4 body physics'),
                           ('{as: ghost}', ':4 link mocap'),
                           ('{link: "tcpout:h:1"}', ':4 link mocap'),
                           ('{as: ghost, link: "ftp:h:1"}', ':4 entities.0.link ftp:h:1 tcpout:HOST:PORT'),
                           ('{as: ghost, link: "tcpout:h:1"}', ':4 time_socket time.clock real'),
                           ('{behaviour: {kind: waypoints}}', ':4 waypoints points'),
                           ('{behaviour: {kind: wlak}}', ':4 entities.0.behaviour.kind wlak walk'),
                           ('{behaviour: {kind: walk, height: [9, 3]}}', ':4 entities.0.behaviour.height'),
                           ('{behaviour: {kind: walk, rate: 0}}', ':4 entities.0.behaviour.rate'),
                           ('{sensors: [{kind: sonar}]}', ':4 sonar compass')):
            assert_names(self.refused(f'{head}  - {line}\n'), what)
        for output in ('record', 'tlog'):
            assert_names(self.refused(f'{head}  - {{name: a, as: agent}}\noutputs: {{{output}: {{file: f, of: a}}}}\n'), f':5 outputs {output}')
        assert_names(self.refused('entities:\n  - {behaviour: walk}\n'), 'behaviour time.end')
        assert_names(self.refused(head + '  - {behaviour: {kind: flock, rate: 5}}\n  - {behaviour: flock}\n'), 'flock rate')

    @pytest.mark.long
    def test_a_checkpoint_holds_minds_and_agents(self):
        for scenario in ('walkers', 'flock'):
            path = os.path.join(SCENARIOS, scenario + '.yaml')
            small = ('--set', 'time.end=20', '--set', 'expect=[]', '--set', 'entities.0.count=30', '--set', 'outputs={}')
            whole = self.swarm(path, *small)
            self.swarm(path, *small, '--checkpoint', self.path('c'), '--at', '10.05')
            self.assertEqual(hash_of(self.swarm(path, *small, '--resume', self.path('c'))), hash_of(whole))
