# SPDX-License-Identifier: Apache-2.0
"""Obstacles of build/mayfly-swarm: who meets them and when, what range sensors see, and which files are refused."""
import math
import os
import re
import statistics
import struct

from names import assert_names
from paths import PAPERS
from swarm_case import SwarmCase, hash_of

# From 20 m above the origin it flies north at 5 m/s, 30 m far; its heading is north.
FLIES = 'behaviour: {kind: waypoints, height: 20, speed_max: 5, points: [[30, 0, 20]]}'
TETRA = ((0, 0, 0), (0, 4, 0), (4, 0, 0)), ((0, 0, 0), (4, 0, 0), (0, 0, 4)), ((0, 0, 0), (0, 0, 4), (0, 4, 0)), ((4, 0, 0), (0, 4, 0), (0, 0, 4))


def stl(facets):
    return bytes(80) + struct.pack('<I', len(facets)) + b''.join(
        struct.pack('<12fH', 0, 0, 0, *(x for corner in facet for x in corner), 0) for facet in facets)


class Contacts(SwarmCase):
    def fly(self, obstacles, sensor='{kind: range, rate: 10, reach: 8}', more='', args=()):
        return self.swarm(f'time: {{end: 20}}\nspace: {{obstacles: [{obstacles}]}}\nentities:\n'
                          f'  - {{name: a, as: agent, start: 0, body: {{radius: 0.5}}, sensors: [{sensor}], {FLIES}}}\n{more}'
                          'outputs: {csv: {file: all.csv, every: 0.1, of: a}, contacts: {file: met.csv, every: 0.1}}\n', *args)

    def test_sbe08_and_sbe14_contacts_are_told_at_their_instants(self):
        """It flies north as soon as it is nearly 20 m up, half a metre wide."""
        out = self.fly('{kind: box, at: [20, -5, 0], size: [0.001, 10, 40]}, {kind: sphere, at: [10, 0, 28], radius: 1}')
        begin = next(float(r['t_s']) for r in self.rows('all.csv') if float(r['vel_n_mps']) > 1)
        rows = self.rows('met.csv')
        # 19.5 m at 5 m/s
        self.assertEqual([(r['member'], r['with']) for r in rows], [('a', 'obstacle.1')])
        self.assertAlmostEqual(float(rows[0]['t_s']), begin + 3.9, delta=2e-6)
        self.assertRegex(out, r'contacts +1\D+0\D')

    def test_sbe14_a_thousand_obstacles_without_a_file(self):
        """Posts each 5 m, all but the last beside the way; a team that searches keeps to 32."""
        posts = ', '.join(f'{{kind: cylinder, at: [{5 * k + 20}, {0 if k == 999 else 30}, 0], radius: 1, height: 40}}' for k in range(1000))
        out = self.swarm(f'time: {{end: 1}}\nspace: {{obstacles: [{posts}]}}\nentities:\n'
                         '  - {name: a, as: agent, sensors: [{kind: range, rate: 1, reach: 10000}]}\n'
                         'outputs: {sensors: {file: seen.csv}}\n')
        self.assertEqual({row['a'] for row in self.rows('seen.csv')}, {'5014.000000'})  # 5 * 999 + 20 - 1
        self.assertEqual(len(hash_of(out)), 16)
        assert_names(self.refused(f'space: {{obstacles: [{posts}], boundary: [[0, 0], [9, 0], [9, 9], [0, 9]]}}\nplan: bcd\nentities:\n'
                                  '  - {name: a, as: agent}\n'), '32')

    def collide(self, masses, more='', args=(), every=0.01):
        """Ball a of masses[0] flies north at 2 m/s towards b, 3.2 m away; both fall freely. (stdout, {member: row at 2.5 s})"""
        bodies = [f'{{kind: rigid, mass: {mass}, radius: 0.1, forces: [{force}]}}'
                  for mass, force in zip(masses, (f'{{kind: impulse, vector: [{2 * masses[0]}, 0, 0], from: 0}}', ''))]
        out = self.swarm('time: {clock: fast, end: 2.5}\n'
                         f'space: {{collisions: {{every: {every}{more}}}}}\nentities:\n'
                         f'  - {{name: a, as: agent, place: [0, 0, 500], body: {bodies[0]}, sensors: [{{kind: contact, rate: 10}}]}}\n'
                         f'  - {{name: b, as: agent, place: [3.2, 0, 500], body: {bodies[1]}}}\n'
                         'outputs: {csv: {file: all.csv, every: 2.5}, contacts: {file: met.csv, every: 0.25}, sensors: felt.csv}\n', *args)
        return out, {row['member']: row for row in self.rows('all.csv') if row['t_s'] == '2.500'}

    def test_sbe08_balls_bounce_off_each_other_at_the_instant_of_the_contact(self):
        """They touch at 3.0 m, after 1.5 s. By hand, v' = ((m1 - e m2) u) / (m1 + m2) and (1 + e) m1 u / (m1 + m2), a second long."""
        for masses, e, every, (va, vb) in (((1, 1), 1, 0.01, (0, 2)), ((1, 3), 1, 0.01, (-1, 1)), ((3, 1), 1, 0.007, (1, 3)),
                                           ((1, 1), 0, 0.01, (1, 1)), ((1, 3), 0.5, 0.1, (-0.25, 0.75))):
            out, end = self.collide(masses, f', restitution: {e}', every=every)
            for name, begin, v in (('a', 3.0, va), ('b', 3.2, vb)):
                self.assertAlmostEqual(float(end[name]['vel_n_mps']), v, delta=0.0006, msg=(masses, e, name))
                north = (float(end[name]['lat_deg']) - 47.397742) * 111178.0
                self.assertAlmostEqual(north, begin + v, delta=0.01, msg=(masses, e, name))
            self.assertEqual([(r['t_s'], r['member'], r['with']) for r in self.rows('met.csv')], [('1.500000', 'a', 'b')])
            assert_names(out, 'collide 1')
            felt = [(r['t_s'], r['found']) for r in self.rows('felt.csv') if float(r['a']) > 0]
            self.assertEqual(felt, [('1.600000', 'b')] if every < 0.1 else felt)

    def test_sbe08_nothing_moves_what_has_another_body(self):
        """A ball bounces off an agent with a body of closed form as off a wall; without the key it flies through it."""
        self.collide((1, 1), args=('--set', 'entities.1.body={radius: 0.1}', '--set', 'entities.1.place=[3.2, 0, 500]'))
        rows = [row for row in self.rows('all.csv') if row['member'] == 'b']
        self.assertEqual({row['vel_n_mps'] for row in rows}, {'0.000'})

    def test_sbe08_bees_in_a_cube_do_not_pass_through_each_other(self):
        """A hundred bees of 0.4 m in 3 m: no two centres come nearer than a diameter, but for what a look of 10 ms lets pass, and the
        same on any number of threads and from a checkpoint."""
        crowd = ('time: {clock: fast, end: 5}\nspace: {collisions: {}}\nentities:\n'
                 '  - {name: bee, count: 27, as: agent, start: 0, place: {list: ['
                 + ', '.join(f'[{x}, {y}, {z}]' for x in (0, 1, 2) for y in (0, 1, 2) for z in (3, 4, 5)) + ']}, '
                 'body: {kind: bee, compat: simbeeotic, length: 0.4, mass: 0.128, accel_max: 4, rate: 10}, '
                 'behaviour: {kind: walk, rate: 10, speed_max: 2, speed_sigma: 0.5, heading_sigma: 0.5}}\n'
                 'outputs: {csv: {file: all.csv, every: 0.05}}\n')
        outs = [self.swarm(crowd, '--threads', n) for n in '14']
        self.assertEqual(hash_of(outs[0]), hash_of(outs[1]))
        nearest = []
        by_time = {}
        for row in self.rows('all.csv'):
            place = (111178.0 * (float(row['lat_deg']) - 47.397742), 75300.0 * (float(row['lon_deg']) - 8.545594), float(row['alt_amsl_m']))
            by_time.setdefault(row['t_s'], []).append(place)
        for places in by_time.values():
            nearest.append(min(math.dist(p, q) for k, p in enumerate(places) for q in places[:k]))
        self.assertGreater(min(nearest), 0.4 - 0.04)
        free = self.swarm(crowd.replace('space: {collisions: {}}\n', ''))
        self.assertNotEqual(hash_of(free), hash_of(outs[0]))
        self.swarm(crowd, '--checkpoint', self.path('state.ckpt'), '--at', '2')
        self.assertEqual(hash_of(self.swarm(crowd, '--resume', self.path('state.ckpt'))), hash_of(outs[0]))

    def test_sbe08_the_example_of_bees_that_bounce(self):
        """The file has each collision of the summary, by the lower number; bee.1 feels those of its own, and sees bees nearer than 5 m."""
        example = os.path.join(PAPERS, 'simbeeotic', 'collisions.yaml')
        outs = [self.swarm(example, '--threads', n) for n in '14']
        self.assertEqual(hash_of(outs[0]), hash_of(outs[1]))
        pairs = [(row['t_s'], row['member'], row['with']) for row in self.rows('collisions.csv') if row['with'].startswith('bee.')]
        self.assertEqual(int(re.search(r'collide +(\d+) ', outs[0]).group(1)), len(pairs))
        self.assertTrue(all(int(a.split('.')[1]) < int(b.split('.')[1]) for _, a, b in pairs))
        felt = self.rows('felt.csv')
        met = {row['found'] for row in felt if row['sensor'] == 'contact' and row['found'].startswith('bee.')}
        self.assertLessEqual(met, {b for _, a, b in pairs if a == 'bee.1'})
        self.assertTrue(met)
        self.assertTrue(all(row['a'] == '' or float(row['a']) <= 5 for row in felt if row['sensor'] == 'range'))

    def test_collisions_are_refused_where_nobody_flies_by_itself(self):
        error = self.refused('space: {collisions: {}, boundary: [[0, 0], [9, 0], [9, 9], [0, 9]]}\nplan: bcd\nentities:\n'
                             '  - {name: a, as: agent}\n')
        assert_names(error, 'collisions')

    def test_sbe08_rays_end_at_members(self):
        """b, a ball of 0.5 m, is 10 m north of a, and c 0.3 m beside the ray, 6 m away: 6 - sqrt(0.25 - 0.09) = 5.6 m. c sees b after
        3.6 m. Own radius and balls behind count for nothing; beyond reach nothing is there. Of the ring's rays each 5 degrees the one
        nearest to c counts, and 5 degrees is that from a and from b."""
        def along(north, east):
            apart, off = math.hypot(north, east), math.radians(5) - math.atan(east / north)
            return apart * math.cos(off) - math.sqrt(0.25 - (apart * math.sin(off)) ** 2)
        to_c, beside = f'{along(6, 0.3):.6f}', f'{along(4, 0.3):.6f}'
        for sensor, want in (('{kind: range, reach: 20, members: true}', {'a': '5.600000', 'b': '', 'c': '3.600000'}),
                             ('{kind: range, reach: 20}', {'a': '', 'b': '', 'c': ''}),
                             ('{kind: range, reach: 5.5, members: true}', {'a': '', 'b': '', 'c': '3.600000'}),
                             ('{kind: ring, reach: 5.7, members: true}', {'a': to_c, 'b': beside, 'c': beside})):
            self.swarm('time: {end: 0.5}\nentities:\n'
                       + ''.join(f'  - {{name: {name}, as: agent, place: {at}, body: {{radius: 0.5}}, sensors: [{sensor}]}}\n'
                                 for name, at in (('a', '[0, 0, 50]'), ('b', '[10, 0, 50]'), ('c', '[6, 0.3, 50]')))
                       + 'outputs: {sensors: {file: seen.csv}}\n')
            got = {row['member']: row['a'] for row in self.rows('seen.csv')}
            self.assertEqual(got, want, sensor)

    def test_sbe06_range_without_noise_is_exact(self):
        self.fly('{kind: cylinder, at: [20, 0, 0], radius: 2, height: 40}')
        seen = 0
        for row in self.rows('all.csv'):
            north = (float(row['lat_deg']) - 47.397742) * 111185.0  # metres a degree there
            if float(row['vel_n_mps']) > 1 and 10.1 < north < 17.9:
                self.assertAlmostEqual(float(row['range_m']), 18 - north, delta=0.05)
                seen += 1
            elif north < 9.9:
                self.assertEqual(row['range_m'], '')
        self.assertGreater(seen, 10)

    def test_sbe06_noise_of_range_has_its_moments(self):
        """1,000 that stand 4 m from a wall, sigma 0.05 m: mean and deviation within 3 of their own standard deviations."""
        self.swarm('time: {end: 1.5}\nspace: {obstacles: [{kind: box, at: [4, -1e4, -10], size: [1, 2e4, 20]}]}\nentities:\n'
                   '  - {name: a, as: agent, count: 1000, place: {grid: [1000, 1], spacing: 2}, '
                   'sensors: [{kind: range, sigma: 0.05}]}\noutputs: {csv: {file: all.csv, every: 1}}\n')
        seen = [float(row['range_m']) for row in self.rows('all.csv') if row['t_s'] == '1.000']
        self.assertEqual(len(seen), 1000)
        self.assertAlmostEqual(statistics.mean(seen), 4.0, delta=3 * 0.05 / math.sqrt(1000))
        self.assertAlmostEqual(statistics.stdev(seen), 0.05, delta=3 * 0.05 / math.sqrt(2000))

    def test_sbe14_meshes_hulls_and_cones(self):
        """A tetrahedron of 4 m with its corner at (8, -1, 18): its face x + y + z = 4 is met from behind through the face x = 0."""
        self.write('t.stl', stl(TETRA))
        points = '[[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [0.5, 0.5, 0.5]]'
        times = []
        for obstacle in ('{kind: mesh, file: t.stl, at: [8, -1, 18]}', f'{{kind: hull, points: {points}, at: [8, -1, 18]}}'):
            self.fly(obstacle)
            begin = next(float(r['t_s']) for r in self.rows('all.csv') if float(r['vel_n_mps']) > 1)
            times.append(float(self.rows('met.csv')[0]['t_s']) - begin)
        self.assertAlmostEqual(times[0], 1.5, delta=2e-6)  # 7.5 m at 5 m/s
        self.assertEqual(times[0], times[1])
        self.fly('{kind: cone, at: [20, 0, 0], radius: 10, height: 40}')  # its side is 4 to 1
        t = float(self.rows('met.csv')[0]['t_s'])
        before = [r for r in self.rows('all.csv') if float(r['t_s']) <= t][-1]
        since = t - float(before['t_s'])
        north = (float(before['t_s']) - begin + since) * 5
        up = float(before['alt_amsl_m']) - 488 - float(before['vel_d_mps']) * since
        self.assertAlmostEqual((20 - north - 10 * (1 - up / 40)) * 4 / math.sqrt(17), 0.5, delta=2e-3)

    def test_sbe08_members_touch_each_other_as_balls_on_any_number_of_threads(self):
        more = '  - {name: b, as: agent, start: 0, place: [24, 0], behaviour: {kind: waypoints, height: 20, speed_max: 5, ' \
               'points: [[-30, 0, 20]]}}\n' \
               '  - {name: many, as: agent, count: 100, start: 0, place: {cube: [100, 110]}, behaviour: walk}\n'
        self.fly('', more=more)
        rows = self.rows('met.csv')
        begin = next(float(r['t_s']) for r in self.rows('all.csv') if float(r['vel_n_mps']) > 1)
        first = next(r for r in rows if r['member'] == 'a')
        self.assertEqual(first['with'], 'b')
        self.assertAlmostEqual(float(first['t_s']), begin + (24 - 0.75) / 10, delta=2e-5)  # both at 5 m/s, and equally high
        self.assertGreater(len(rows), 10)
        self.assertEqual([float(r['t_s']) for r in rows], sorted(float(r['t_s']) for r in rows))
        once = self.text('met.csv')
        self.fly('', more=more, args=('--threads', '3'))
        self.assertEqual(self.text('met.csv'), once)

    def test_a_run_to_idleness_ends_when_it_would_without_contacts(self):
        world = 'entities: [{name: a, plan: hop.waypoints}]\n'
        alone = self.swarm(world)
        watched = self.swarm(world + 'outputs: {contacts: {file: met.csv, every: 0.1}}\nspace: {obstacles: [{kind: box, at: [0, -5, 0], size: [1, 10, 20]}]}\n')
        self.assertEqual(hash_of(watched), hash_of(alone))
        self.assertEqual(re.search('^time +([0-9.]+)', watched, re.M)[1], re.search('^time +([0-9.]+)', alone, re.M)[1])

    def test_a_vehicle_meets_what_an_agent_meets(self):
        self.fly('{kind: box, at: [20, -5, 0], size: [0.001, 10, 40]}', args=('--set', 'entities.0.as=vehicle'))
        self.assertEqual([r['with'] for r in self.rows('met.csv')], ['obstacle.1'])

    def test_bad_input_is_one_line_and_exit_code_2(self):
        self.write('hole.stl', stl(TETRA[:3]))
        self.write('nan.stl', stl((*TETRA[:2], ((0, 0, 0), (0, 0, math.nan), (0, 4, 0)), TETRA[3])))
        self.write('text.stl', b'hello')
        for obstacle, says in (('{kind: mesh, file: hole.stl}', '/hole.stl'), ('{kind: mesh, file: nan.stl}', '/nan.stl facet 3'),
                               ('{kind: mesh, file: text.stl}', '/text.stl STL'), ('{kind: mesh, file: none.stl}', '/none.stl'),
                               ('{kind: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}', 'obstacles 4 24'),
                               ('{kind: hull}', '4 24'), ('{kind: hull, points: [[0, 0, 0]]}', '4 24'),
                               ('{kind: torus}', 'sphere')):
            assert_names(self.refused(f'space: {{obstacles: [{obstacle}]}}\nentities: [{{name: a}}]\n'), says)

    def test_a_checkpoint_holds_contacts(self):
        obstacle = '{kind: box, at: [20, -5, 0], size: [0.001, 10, 40]}'
        checkpoint = os.path.join(self.folder, 'c')
        out = self.fly(obstacle)
        whole = self.text('met.csv')
        self.fly(obstacle, args=('--checkpoint', checkpoint, '--at', '8.05'))
        first = self.text('met.csv')
        resumed = self.fly(obstacle, args=('--resume', checkpoint))
        self.assertEqual(first + self.text('met.csv'), whole)
        self.assertEqual(re.search('contacts .*', out)[0], re.search('contacts .*', resumed)[0])
