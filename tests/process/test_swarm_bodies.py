# SPDX-License-Identifier: Apache-2.0
"""Bodies of build/mayfly-swarm that are stepped, bees and rigid bodies: as agents and under the firmware (docs/swarm-manual.md#bodies)."""
import math
import os
import re

import pytest

import documents
from names import assert_names
from paths import SCENARIOS, TOP
from swarm_case import SwarmCase, hash_of

BEES = os.path.join(SCENARIOS, 'bees.yaml')
# One behaviour, for bodies of every kind: up to 10 m, 20 m north, then 10 m east and 5 m up.
FLIES = 'start: 1, behaviour: {kind: waypoints, speed_max: 4, height: 10, points: [[20, 0, 10], [20, 10, 15]]}'
FOLLOWS = '{kind: rigid, mass: 1.5, forces: [{kind: follow, most: 40}, {kind: drag, area: 0.02}]}'


class Bodies(SwarmCase):
    def of(self, member, name):
        return [row for row in self.rows(name) if row['member'] == member]

    def test_sbe04_figure_12_and_its_events(self):
        """Of K bees in 10 s, both ends included: 101 steps at 10 Hz, 11 measurements and 11 broadcasts at 1 Hz each."""
        for bees in (1, 7, 60):
            out = self.swarm(BEES, '--set', f'entities.1.count={bees}')
            costs = re.search(r'^costs .*$', out, re.M)[0]
            self.assertRegex(costs, rf' for {101 * bees} steps')
            self.assertRegex(costs, rf' for {11 * bees} packets')
            self.assertRegex(costs, rf' for {11 * bees} samples')
            received = int(re.search(r', (\d+) received', out)[1])
            self.assertLessEqual(received, bees * (bees - 1) * 11)
            self.assertGreaterEqual(received, 0.8 * bees * (bees - 1) * 11)  # nearly all are within 30 m
        out = self.swarm(BEES, '--set', 'time.end=0.001', '--set', 'entities.1.send.start=1')
        self.assertRegex(out, r' for 8192 steps')
        self.assertIn('entities.1', self.swarm(BEES, '--set', 'entities.1.body.accel=1', code=2))

    def test_sbe05_a_published_bee_is_a_loop_of_first_order(self):
        """In each step of 0.1 s a velocity comes nearer to the one it is told by a tenth, at most by 0.1 m/s. It begins in the air,
        half its length above its place, and stays at that height."""
        self.swarm(BEES, '--set', 'entities.1.count=20', '--set', 'outputs={csv: {file: b.csv, every: 0.1, of: bee}}')
        fastest, samples = 0.0, self.rows('b.csv')
        for k in range(20):
            rows = samples[k::20]
            self.assertEqual((len(rows), {row['member'] for row in rows}), (101, {f'bee.{k + 1}'}))
            velocities = [(float(row['vel_n_mps']), float(row['vel_e_mps'])) for row in rows]
            for before, now in zip(velocities, velocities[1:]):
                self.assertLessEqual(math.dist(before, now), 0.1 + 2e-3)
            fastest = max(fastest, *(math.hypot(*v) for v in velocities))
            heights = {row['alt_amsl_m'] for row in rows}
            self.assertEqual(len(heights), 1)
            self.assertTrue(488.05 <= float(heights.pop()) < 508.05)
            self.assertEqual({row['armed'] for row in rows}, {'1'})
        self.assertTrue(0.3 < fastest < 2.0, fastest)

    def test_sbe09_hover_takes_500_ma(self):
        """A published bee that stands in the air: 500 mA s each second, in steps of a tenth."""
        self.swarm('time: {clock: fast, end: 3}\nentities:\n'
                 '  - {name: a, as: agent, place: [0, 0, 5], body: {kind: bee, compat: simbeeotic}}\n  - {name: other, as: agent}\n'
                 'outputs: {csv: {file: a.csv, every: 1}}\n')
        self.assertEqual([row['body_mas'] for row in self.of('a', 'a.csv')], ['0.000', '500.000', '1000.000', '1500.000'])
        self.assertEqual({row['body_mas'] for row in self.of('other', 'a.csv')}, {''})

    def test_sbe05_the_same_orders_with_and_without_the_firmware(self):
        """A bee and a rigid body fly from point to point, as an agent and under the firmware, which polls them."""
        self.swarm('time: {clock: fast, end: 45}\nentities:\n' + ''.join(
            f'  - {{name: {name}, as: {kind}, place: [0, {10 * k}, 0], body: {body}, {FLIES}}}\n' for k, (name, kind, body) in enumerate(
                (('ab', 'agent', 'bee'), ('vb', 'vehicle', 'bee'), ('ar', 'agent', FOLLOWS), ('vr', 'vehicle', FOLLOWS))))
            + 'outputs: {csv: {file: all.csv, every: 0.5}}\n'
            'expect:\n  - {of: ab, position: [20, 10, 15], within: 0.3}\n  - {of: vb, position: [20, 20, 15], within: 0.3}\n'
            '  - {of: ar, position: [20, 30, 15], within: 0.3}\n  - {of: vr, position: [20, 40, 15], within: 0.3}\n'
            '  - {of: [vb, vr], event: in_air, by: 10}\n')
        for agent, vehicle in (('ab', 'vb'), ('ar', 'vr')):
            for a, v in zip(self.of(agent, 'all.csv'), self.of(vehicle, 'all.csv')):
                self.assertLess(abs(float(a['lat_deg']) - float(v['lat_deg'])) * 111e3, 0.5, (a, v))
                self.assertLess(abs(float(a['alt_amsl_m']) - float(v['alt_amsl_m'])), 0.5, (a, v))

    def test_a_vehicle_flies_a_mission_lands_and_falls(self):
        """Take-off, waypoints, return and landing of docs/square.plan on bodies that the firmware polls; without motors they fall."""
        plan = os.path.join(TOP, 'docs', 'square.plan')
        entity = f'count: 2, plan: "{plan}", place: {{grid: [2, 1], spacing: 300}}'
        self.swarm(f'time: {{clock: fast, end: 600}}\nentities:\n  - {{name: bee, {entity}, body: {{kind: bee, accel_max: 3}}}}\n'
                 f'  - {{name: rigid, {entity}, body: {FOLLOWS}}}\n'
                 'expect:\n  - {event: finished, by: 500}\n  - {event: disarmed, by: 600}\n  - {never: crashed}\n  - {never: failsafe}\n')
        self.swarm(f'time: {{clock: fast, end: 60}}\nentities:\n  - {{name: a, body: bee, faults: ["motor_off@20s"], {FLIES}}}\n'
                 'expect: [{event: crashed, by: 23}]\n')

    def test_sbe15_layers(self):
        """One behaviour on each: a raw body with a force that follows, a platform with equipment at an offset that looks down or at
        a wall, simple locomotion. A raw body without such a force obeys nobody and falls."""
        down = '{kind: range, rate: 10, reach: 50, pitch: -90, offset: [0, 0, 0.2]}'
        wall = '{kind: range, rate: 10, reach: 100, yaw: 60, offset: [0.5, 0, 0]}'
        for name, body, sensor, shows in (('raw', FOLLOWS, '', None), ('platform', FOLLOWS, down, 15.0 - 0.2),
                                          ('platform', FOLLOWS, wall, 'wall'), ('bee', 'bee', down, 15.0 - 0.2)):
            self.swarm('time: {clock: fast, end: 45}\nspace: {obstacles: [{kind: box, at: [-100, 40, 0], size: [200, 1, 40]}]}\nentities:\n'
                     f'  - {{name: a, as: agent, body: {body}, sensors: [{sensor}], {FLIES}}}\n'
                     'outputs: {csv: {file: a.csv, every: 5}}\nexpect: [{position: [20, 10, 15], within: 0.3}]\n')
            last = self.rows('a.csv')[-1]
            if shows == 'wall':  # east of it: the sensor stands half a metre ahead and looks to the right of that
                yaw = math.radians(float(last['yaw_deg']))
                shows = (40 - 10 - 0.5 * math.sin(yaw)) / math.sin(yaw + math.radians(60))
            if shows is not None:
                self.assertAlmostEqual(float(last['range_m']), shows, delta=0.05, msg=name)
        self.swarm('time: {clock: fast, end: 10}\nentities:\n'
                 '  - {name: a, as: agent, place: [0, 0, 20], body: rigid, behaviour: {kind: walk, height: 30}}\n'
                 'outputs: {csv: {file: a.csv, every: 1}}\n')
        rows = self.rows('a.csv')
        self.assertAlmostEqual(float(rows[1]['alt_amsl_m']), 488 + 20 - 0.5 * 9.80665, delta=1e-3)
        self.assertEqual((rows[-1]['alt_amsl_m'], {row['armed'] for row in rows}), ('488.000', {'0'}))

    def test_sbe13_a_ball_bounces_off_ground_and_wall(self):
        """examples/scenarios/rigid.yaml: 3 N s make 0.5 kg 6 m/s fast. It falls 10 m again and again, meets the wall 29.9 m away after
        4.983333 s, and comes back with 0.8 of its speed."""
        out = self.swarm(os.path.join(SCENARIOS, 'rigid.yaml'))
        assert_names(out, 'contacts 1 obstacles')
        met = self.rows('met.csv')
        self.assertEqual([(row['t_s'], row['member'], row['with']) for row in met], [('4.983334', 'ball', 'obstacle.1')])
        rows = {row['t_s']: row for row in self.of('ball', 'rigid.csv')}
        self.assertEqual((rows['4.900']['vel_n_mps'], rows['5.000']['vel_n_mps']), ('6.000', '-4.800'))
        v = math.sqrt(2 * 9.80665 * 10)  # of the first fall, which takes 1.42808 s
        after = 2.0 - v / 9.80665
        self.assertAlmostEqual(float(rows['2.000']['alt_amsl_m']), 488 + 0.8 * v * after - 0.5 * 9.80665 * after ** 2, delta=1e-3)
        self.assertEqual((rows['40.000']['alt_amsl_m'], rows['40.000']['vel_n_mps']), ('488.000', '0.000'))

    def test_sbe14_a_bee_meets_a_thin_wall_at_its_microsecond_and_does_not_pass(self):
        """A published bee flies north with 1 m/s^2 from rest, ordered 20 m/s: after t seconds it is t^2 / 2 m north. A wall of 1 mm is
        met by its ball of 5 cm at the root of 2 (d - 0.05); it slides up and along it, and is told of the contact once. An agent and
        the firmware of a vehicle, a contact sensor and the file agree."""
        bee = 'body: {kind: bee, compat: simbeeotic}, place: [0, 0, 5], start: 0, sensors: [{kind: contact, rate: 10}]'
        go = 'behaviour: {kind: waypoints, speed_max: 20, points: [[1000, 0, 5]]}'
        text = ('time: {clock: fast, end: 12}\nspace: {obstacles: [{kind: box, at: [20, -500, -10], size: [0.001, 1000, 100]}]}\nentities:\n'
                f'  - {{name: a, as: agent, {bee}, {go}}}\n'
                'outputs: {csv: {file: a.csv, every: 0.1}, contacts: {file: met.csv, every: 0.01}, sensors: {file: felt.csv}}\n')
        self.swarm(text)
        rows = self.rows('a.csv')
        begins = next(float(r['t_s']) for r in rows if float(r['vel_n_mps']) > 0) - 0.1
        met = self.rows('met.csv')
        self.assertEqual([(r['member'], r['with']) for r in met], [('a', 'obstacle.1')])
        self.assertAlmostEqual(float(met[0]['t_s']), begins + math.sqrt(2 * 19.95), delta=1e-4)
        felt = [(float(r['t_s']), r['found'], float(r['a'])) for r in self.rows('felt.csv') if r['found']]
        self.assertEqual(felt, [(math.ceil(float(met[0]['t_s']) * 10) / 10, 'obstacle.1', 1.0)])
        self.assertEqual({r['vel_n_mps'] for r in rows if float(r['t_s']) > float(met[0]['t_s']) + 0.1}, {'0.000'})
        for more in ('as: agent, body: {rate: 10, ', 'body: {', 'as: agent, body: {rate: 50, '):
            entity = more + 'kind: bee, length: 1, mass: 50}'
            self.swarm('time: {clock: fast, end: 60}\nspace: {obstacles: [{kind: box, at: [10, -500, -10], size: [0.001, 1000, 100]}]}\n'
                     f'entities:\n  - {{name: a, {entity}, start: 0, behaviour: {{kind: waypoints, height: 10, speed_max: 4, '
                     'points: [[20, 30, 10]]}}\noutputs: {contacts: {file: met.csv, every: 0.1}}\n'
                     'expect: [{position: [9.5, 30, 10], within: 0.1}]\n')
            self.assertEqual([(r['member'], r['with']) for r in self.rows('met.csv')], [('a', 'obstacle.1')], entity)

    def test_a_bee_stands_on_a_roof(self):
        for entity in ('as: agent', 'as: vehicle'):
            self.swarm('time: {clock: fast, end: 90}\nspace: {obstacles: [{kind: box, at: [-5, -5, 0], size: [10, 10, 6]}]}\nentities:\n'
                     f'  - {{name: a, {entity}, place: [20, 0, 0], body: {{kind: bee, length: 0.5, accel_max: 3}}, behaviour: {{kind: waypoints, '
                     'height: 10, speed_max: 4, points: [[-20, 0, 10], [-20, 0, 3]]}}\n'
                     'outputs: {contacts: {file: met.csv, every: 0.1}, csv: {file: a.csv, every: 0.1}}\nexpect: [{position: [0, 0, 6.25], within: 0.2}]\n')
            self.assertEqual([r['with'] for r in self.rows('met.csv')], ['obstacle.1'], entity)
            self.assertEqual(self.rows('a.csv')[-1]['alt_amsl_m'], '494.250')

    @pytest.mark.long
    def test_the_same_on_any_number_of_threads_and_from_a_checkpoint(self):
        text = ('time: {clock: fast, end: 30}\nspace: {weather: {wind: [2, 90]}, obstacles: [{kind: sphere, at: [8, 3, 11], radius: 4}]}\n'
                'entities:\n'
                '  - {name: b, count: 20, as: agent, body: bee, place: {disc: [0, 0, 20]}, behaviour: {kind: walk, height: 8}}\n'
                f'  - {{name: r, count: 20, as: agent, body: {FOLLOWS}, place: {{disc: [0, 0, 20]}}, behaviour: {{kind: walk, height: 8}}}}\n'
                f'  - {{name: v, count: 20, body: {FOLLOWS}, place: {{disc: [0, 0, 20]}}, behaviour: {{kind: walk, height: 8}}}}\n'
                '  - {name: raw, count: 20, as: agent, body: {kind: rigid, restitution: 0.7}, place: {cube: [0, 20]}}\n'
                'outputs: {csv: {file: all.csv, every: 0.37}, contacts: {file: met.csv, every: 0.1}}\n')
        one = self.swarm(text, '--threads', '1')
        self.assertGreater(int(re.search(r'contacts +(\d+) ', one)[1]), 0)
        whole = self.bytes('all.csv')
        self.assertEqual(hash_of(self.swarm(text, '--threads', '3')), hash_of(one))
        self.assertEqual(self.bytes('all.csv'), whole)
        self.swarm(text, '--checkpoint', self.path('c'), '--at', '12.3', out='first')
        resumed = self.swarm(text, '--resume', self.path('c'), out='second')
        self.assertEqual(hash_of(resumed), hash_of(one))

    def test_absurd_bodies_stay_finite(self):
        """As light, large and hard pushed as the keys allow, in a storm, at the lowest rate."""
        bodies = ('{kind: bee, length: 100, mass: 0.001, accel_max: 1000, rate: 1}', '{kind: bee, compat: simbeeotic, length: 100, mass: 0.001}',
                  '{kind: rigid, rate: 1, mass: 0.001, forces: [{kind: follow, most: 1000000, gain: 100}, {kind: drag, area: 1000, rate_drag: 1000}]}',
                  '{kind: rigid, mass: 0.001, restitution: 1, forces: [{kind: push, vector: [1e6, 1e6, 1e6], at: [1000, 0, 0]}, '
                  '{kind: torque, vector: [1e6, 1e6, 0]}, {kind: impulse, vector: [0, 0, 1e6], at: [0, 1000, 0]}]}')
        for body in bodies:
            self.swarm('time: {clock: fast, end: 100}\nspace: {weather: {wind: [50, 10]}, obstacles: [{kind: sphere, at: [5, 5, 5], radius: 4}]}\n'
                     f'entities: [{{name: a, as: agent, body: {body}, behaviour: {{kind: walk, height: 20}}}}]\n'
                     'outputs: {csv: {file: a.csv, every: 1}}\n')
            for row in self.rows('a.csv'):
                self.assertTrue(all(math.isfinite(float(row[key])) for key in ('lat_deg', 'lon_deg', 'alt_amsl_m', 'vel_d_mps', 'yaw_deg')), row)

    def test_the_commands_of_the_page(self):
        commands = documents.commands('docs/swarm-manual.md', 'Bodies', kind='')
        self.assertEqual(len([line for line in commands if line.startswith('build/')]), 4)
        for line in commands:
            if line.startswith('build/'):
                self.run_line(f'{line} --set time.end=1 --set "expect=[]"')

    def test_what_does_not_fit_is_said(self):
        for entity, why in (('body: rigid', 'forces [follow]'),
                            ('as: agent, body: {kind: bee, compat: uavsim}', 'body.compat uavsim thrust'),
                            ('as: agent, body: {kind: rigid, forces: [{kind: rope}]}', 'rope push torque impulse drag follow'),
                            ('as: agent, body: {kind: bee, length: 0}', 'entities.0.body.length')):
            assert_names(self.refused(f'time: {{end: 1}}\nentities: [{{{entity}}}]\n'), why)
