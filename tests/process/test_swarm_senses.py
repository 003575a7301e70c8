# SPDX-License-Identifier: Apache-2.0
"""Sensors of build/mayfly-swarm: what each kind measures, by hand; their noise; weather by place; what is refused."""
import collections
import math
import operator
import os
import statistics

import pytest

from names import assert_names
from paths import SCENARIOS
from swarm_case import SwarmCase

KINDS = ('accelerometer', 'gyroscope', 'position', 'pose', 'optical_flow', 'range', 'compass')
# From 10 m above the origin it flies north at 5 m/s, 30 m far.
FLIES = 'start: 0, behaviour: {kind: waypoints, height: 10, speed_max: 5, points: [[30, 0, 10]]}'


class Senses(SwarmCase):
    def rows(self, **wanted):
        """Rows of the file whose columns are as wanted; numbers of a measurement as a list."""
        rows = []
        for row in super().rows('sensors.csv'):
            if all(row[key] == value for key, value in wanted.items()):
                rows.append((float(row['t_s']), row['found'], [float(row[k]) if row[k] else math.inf for k in 'abcdefgh']))
        return rows

    def fly(self, sensors, more='', obstacles='', weather='{}', args=(), who='as: agent'):
        return self.swarm(f'time: {{end: 15}}\nspace: {{obstacles: [{obstacles}], weather: {weather}}}\nentities:\n'
                          f'  - {{name: a, {who}, {FLIES}, sensors: [{sensors}]}}\n{more}outputs: {{sensors: {{file: sensors.csv}}}}\n', *args)

    def near(self, got, wanted, delta):
        self.assertEqual(len(got), len(wanted))
        for one, other in zip(got, wanted):
            self.assertAlmostEqual(one, other, delta=delta)

    def test_sbe06_and_sbe17_without_noise_all_are_exact(self):
        """5 m/s to the north at 10 m above flat ground: the flow about Y is v / h."""
        self.fly(', '.join(f'{{kind: {kind}, rate: 10, reach: 100}}' for kind in KINDS) + ', {kind: camera, rate: 10, fov: [90, 60]}',
                 obstacles='{kind: box, at: [50, -5, 0], size: [1, 10, 40]}')
        first = {kind: self.rows(sensor=kind)[0][2] for kind in KINDS}
        self.near(first['accelerometer'][:3], (0, 0, -9.80665), 1e-6)
        self.near(first['position'][:3], (0, 0, 0), 1e-6)
        seen = 0
        by_kind = {kind: {t: values for t, _, values in self.rows(sensor=kind)} for kind in (*KINDS, 'camera')}
        for t, place in by_kind['position'].items():
            north, _, up = place[:3]
            before = by_kind['position'].get(round(t - 0.1, 1))
            if before is None or not 5 < north < 25:
                continue
            speed = (north - before[0]) * 10
            self.near(by_kind['optical_flow'][t][:3], (0, speed / up, up), 2e-4)
            self.near(by_kind['range'][t][:1], (50 - north,), 1e-5)
            self.near(by_kind['pose'][t][:6], (north, 0, up, 0, 0, 0), 1e-5)
            self.near(by_kind['gyroscope'][t][:3], (0, 0, 0), 1e-6)
            self.near(by_kind['compass'][t][:1], (0,), 1e-6)
            along = up * math.tan(math.radians(30))
            self.near(by_kind['camera'][t], (north + along, -up, north + along, up, north - along, up, north - along, -up), 1e-4)
            self.assertAlmostEqual(speed, 5, delta=0.01)
            seen += 1
        self.assertGreater(seen, 30)

    def test_sbe06_and_sbe17_noise_has_its_moments(self):
        """1,000 that stand still: mean and deviation of each noisy number within 3 of their own standard deviations."""
        sigma = {'accelerometer': 0.005, 'gyroscope': 0.0085, 'position': 0.5, 'pose': 0.5, 'range': 0.05, 'attribute': 2, 'object': 0.1}
        more = {'range': ', pitch: 90', 'attribute': ', attr: temperature', 'object': ', of: post'}
        listed = ', '.join(f'{{kind: {kind}, sigma: {s}{more.get(kind, "")}}}' for kind, s in sigma.items())
        self.swarm('seed: 2\ntime: {end: 0.5}\nspace: {weather: {values: {temperature: 15}}, obstacles: [{kind: box, at: [-1, -1, 3], size: [3, 3, 1]}]}\n'
                   f'entities:\n  - {{name: a, as: agent, count: 1000, sensors: [{listed}]}}\n'
                   '  - {name: post, as: agent, place: [3, 4]}\noutputs: {sensors: {file: sensors.csv}}\n')
        true = {'accelerometer': (0, 0, -9.80665), 'gyroscope': (0, 0, 0), 'position': (0, 0, 0), 'pose': (0, 0, 0), 'range': (3,),
                'attribute': (15,), 'object': (5,)}
        rows, noise = collections.defaultdict(list), {}
        for row in super().rows('sensors.csv'):
            rows[row['sensor']].append(row)
        for kind, wanted in true.items():
            self.assertEqual(len(rows[kind]), 1000)
            for column, value in zip('abc', wanted):
                off = noise[kind, column] = [float(row[column]) - value for row in rows[kind]]
                mean = statistics.fmean(off)
                self.assertAlmostEqual(mean, 0, delta=3 * sigma[kind] / math.sqrt(1000), msg=kind)
                deviation = math.sqrt((sum(map(operator.mul, off, off)) - 1000 * mean * mean) / 999)
                self.assertAlmostEqual(deviation, sigma[kind], delta=3 * sigma[kind] / math.sqrt(2000), msg=kind)
        for one, other in ((('position', 'a'), ('position', 'b')), (('accelerometer', 'a'), ('gyroscope', 'a')), (('position', 'a'), ('pose', 'a'))):
            self.assertLess(abs(statistics.correlation(noise[one], noise[other])), 3 / math.sqrt(1000), (one, other))

    def test_sbe02_another_entity_or_sensor_changes_nobodys_noise(self):
        noisy = '{kind: position, rate: 5, sigma: 0.5}'
        self.fly(noisy)
        alone = self.rows(member='a', sensor='position')
        other = f'  - {{name: b, as: agent, count: 3, sensors: [{noisy}]}}\n'
        self.fly('{kind: gyroscope, rate: 50, sigma: 1}, ' + noisy + ', {kind: position, rate: 5, sigma: 0.5}', more=other)
        self.assertEqual(self.rows(member='a', sensor='position'), alone)
        self.assertNotEqual([row[2] for row in self.rows(member='a', sensor='position.2')], [row[2] for row in alone])
        self.fly(noisy, args=('--set', 'seed=2'))
        self.assertNotEqual(self.rows(member='a', sensor='position'), alone)

    def test_sbe06_noise_is_new_in_each_number_and_measurement(self):
        self.swarm('time: {end: 10}\nentities: [{name: a, as: agent, sensors: [{kind: position, rate: 100, sigma: 0.5}]}]\n'
                   'outputs: {sensors: {file: sensors.csv}}\n')
        north, east, up = zip(*(values[:3] for _, _, values in self.rows()))
        self.assertGreater(len(set(north + east + up)), 2900)  # of 3,003; the noise has steps of sigma / 65,536
        for one, other in ((north, east), (north[1:], east[:-1]), (north[2:], up[:-2]), (north[1:], north[:-1])):
            self.assertLess(abs(statistics.correlation(one, other)), 3 / math.sqrt(1000))

    def test_sbe17_offset_and_pointing(self):
        """It stands at the origin with its heading north; a wall lies 20 m to the east, another one 3 m above."""
        walls = '{kind: box, at: [-50, 20, -1], size: [100, 1, 50]}, {kind: box, at: [-2, -2, 3], size: [4, 4, 1]}'
        self.swarm(f'time: {{end: 0.5}}\nspace: {{obstacles: [{walls}]}}\nentities:\n  - {{name: a, as: agent, sensors: ['
                   '{kind: range, reach: 90, yaw: 90, offset: [0, 2, 0]}, {kind: range, reach: 90, yaw: 30}, {kind: range, yaw: 90, reach: 19.9}, '
                   '{kind: range, pitch: 90, offset: [0, 0, -1]}, {kind: accelerometer, pitch: -90}, {kind: position, offset: [1, 2, 3]}]}\n'
                   'outputs: {sensors: {file: sensors.csv}}\n')
        seen = [self.rows(sensor='range' + which)[0][2][0] for which in ('', '.2', '.3', '.4')]
        self.near((seen[0], seen[1], seen[3]), (18, 40, 2), 1e-6)
        self.assertEqual(seen[2], math.inf)
        self.near(self.rows(sensor='accelerometer')[0][2][:3], (-9.80665, 0, 0), 1e-6)
        self.near(self.rows(sensor='position')[0][2][:3], (1, 2, -3), 1e-6)

    def test_sbe17_a_ring_sees_all_around(self):
        """A wall 4 m to the east: rays of 5 degrees from ahead to the right."""
        self.swarm('time: {end: 0.5}\nspace: {obstacles: [{kind: box, at: [-50, 4, -1], size: [100, 1, 50]}]}\nentities:\n'
                   '  - {name: a, as: agent, sensors: [{kind: ring}, {kind: ring, yaw: 45}, {kind: ring, reach: 3.9}]}\n'
                   'outputs: {sensors: {file: sensors.csv}}\n')
        self.near(self.rows(sensor='ring')[0][2][:2], (4, 90), 1e-6)
        self.near(self.rows(sensor='ring.2')[0][2][:2], (4, 45), 1e-6)
        self.assertEqual(self.rows(sensor='ring.3')[0][2][0], math.inf)

    def test_sbe08_and_sbe17_contacts_are_felt_by_both(self):
        """a meets a wall at 20 m, and before it b, which comes towards it and stands on when they have met."""
        more = '  - {name: b, as: agent, start: 0, place: [24, 0], sensors: [{kind: contact, rate: 10}], behaviour: {kind: waypoints, height: 10, ' \
               'speed_max: 5, points: [[-30, 0, 10]]}}\n'
        self.fly('{kind: contact, rate: 10}', more=more, obstacles='{kind: box, at: [25, -5, 0], size: [0.01, 10, 40]}')
        felt = {name: [(t, found, int(values[0])) for t, found, values in self.rows(member=name) if values[0] > 0] for name in 'ab'}
        self.assertEqual([(found, count) for _, found, count in felt['a']], [('b', 1), ('obstacle.1', 1)])
        self.assertEqual([(found, count) for _, found, count in felt['b']], [('a', 1)])
        self.assertEqual(felt['a'][0][0], felt['b'][0][0])
        self.assertAlmostEqual(felt['a'][1][0] - felt['a'][0][0], (24.75 - 11.75) / 5, delta=0.11)

    def test_sbe17_objects_that_are_near(self):
        """Of three posts one lies within 50 m, 31 m to the west; another one 50.06 m away."""
        self.swarm('time: {end: 0.5}\nentities:\n  - {name: a, as: agent, sensors: [{kind: object, of: post}, {kind: object, of: post, offset: [0, 5, 0]}, '
                   '{kind: object, of: a}, {kind: object, of: post, reach: 51}]}\n'
                   '  - {name: post, count: 3, as: agent, place: {list: [[0, 40, 30.1], [0, -31, 0], [60, 0, 0]]}}\noutputs: {sensors: {file: sensors.csv}}\n')
        first, moved, own, far = (self.rows(sensor='object' + which)[0] for which in ('', '.2', '.3', '.4'))
        self.assertEqual(first[1], 'post.2')
        self.near(first[2][:4], (31, 270, 0, 1), 1e-6)
        self.near(moved[2][:4], (36, 270, 0, 2), 1e-6)
        self.assertEqual((own[1], own[2][0], own[2][3]), ('', math.inf, 0))
        self.assertEqual(far[2][3], 2)

    def test_sbe17_and_uav13_weather_by_place(self):
        """It flies north into a region from 10 m on, where it is warmer and the wind of 4 m/s from the south is added."""
        weather = '{wind: [3, 270], values: {temperature: 15}, regions: [{at: [10, -9, 0], size: [9, 20, 50], wind: [4, 180], ' \
                  'values: {temperature: 20, gas: 0.5}}, {at: [14, 0, 0], radius: 1, height: 30, values: {gas: 7}}]}'
        sensors = ', '.join(f'{{kind: attribute, attr: {name}, rate: 10}}' for name in ('temperature', 'gas', 'wind_north', 'wind_east'))
        self.fly(sensors + ', {kind: position, rate: 10}', weather=weather)
        places = {}
        for place, *values in zip(*(self.rows(sensor=name) for name in ('position', 'attribute', 'attribute.2', 'attribute.3', 'attribute.4'))):
            north = place[2][0]
            places[north] = [row[2][0] for row in values]
            inside, core = 10 <= north <= 19, 13 <= north <= 15
            self.near(places[north][2:], (4 if inside else 0, 3), 1e-6)
            self.assertEqual(places[north][:2], [20 if inside else 15, 7 if core else 0.5 if inside else math.inf])
        self.assertGreater(sum(10 <= north <= 19 for north in places), 10)
        self.assertGreater(sum(13 <= north <= 15 for north in places), 2)

    def test_sbe17_and_uav13_wind_of_a_region_pushes_a_rigid_body(self):
        """Carried by its weight's own force, 2 kg begin to drift in 8 m/s: v = W - W / (1 + k W t) with k = rho A / 2 m; outside all stands."""
        body = 'body: {kind: rigid, mass: 2, rate: 100, forces: [{kind: push, vector: [0, 0, 19.6133]}, {kind: drag, area: 0.5}]}'
        sensors = 'sensors: [{kind: position, rate: 2}, {kind: accelerometer, rate: 2}]'
        self.swarm('time: {end: 5}\nspace: {weather: {regions: [{at: [-10, -10, 0], size: [200, 20, 50], wind: [8, 180]}]}}\nentities:\n' +
                   ''.join(f'  - {{name: {name}, as: agent, place: [0, {east}, 20], {body}, {sensors}}}\n' for name, east in (('drifts', 0), ('stands', 11))) +
                   'outputs: {sensors: {file: sensors.csv}}\n')
        wind, k = 8, 0.5 * 1.225 * 0.5 / 2
        for (t, _, place), (_, _, force) in zip(self.rows(member='drifts', sensor='position'), self.rows(member='drifts', sensor='accelerometer')):
            self.near(place[:3], (wind * t - math.log(1 + k * wind * t) / k, 0, 20), 5e-3)
            air = wind / (1 + k * wind * t)
            self.near(force[:3], (k * air * air if t else force[0], 0, -9.80665), 4e-2)
        self.assertGreater(place[0], 20)
        for _, _, place in self.rows(member='stands', sensor='position'):
            self.near(place[:3], (0, 11, 20), 1e-9)

    def test_uav13_a_vehicle_has_the_wind_of_where_it_begins(self):
        """It leans as one whose settings give it that wind; one outside of the region stands level."""
        def flies(name, east, more=''):
            return f'  - {{name: {name}, body: physics, place: [0, {east}], start: 0, behaviour: {{kind: waypoints, height: 10, points: [[0, 0, 10]]}}, ' \
                   f'sensors: [{{kind: pose}}]{more}}}\n'
        self.swarm('time: {end: 15}\nspace: {weather: {regions: [{at: [-9, -9, -1], size: [18, 18, 50], wind: [8, 0]}]}}\nentities:\n' +
                   flies('windy', 0) + flies('calm', 50) + flies('told', 100, ', settings: {wind.speed: 8, wind.direction: 0}') +
                   'outputs: {sensors: {file: sensors.csv}}\n')
        windy, calm, told = (self.rows(member=name)[-1][2][4] for name in ('windy', 'calm', 'told'))
        self.assertEqual(calm, 0)
        self.assertLess(windy, -0.1)
        self.assertAlmostEqual(windy, told, delta=1e-4)

    def test_sbe17_the_example_finds_its_gas(self):
        self.assertRegex(self.swarm(os.path.join(SCENARIOS, 'sensors.yaml')), r'contacts +0\D')
        smelt = {row['member'] for row in super().rows('sensors.csv') if row['sensor'] == 'attribute' and float(row['a']) > 0.5}
        self.assertEqual(smelt, {'nose.2'})

    @pytest.mark.long
    def test_sbe17_vehicles_and_agents_sense_alike_on_any_number_of_threads(self):
        sensors = '{kind: position, rate: 4, sigma: 0.1}, {kind: range, rate: 3, reach: 30, sigma: 0.1}, {kind: contact}, {kind: object, of: many}'
        more = '  - {name: many, count: 30, start: 0, place: {cube: [0, 30]}, sensors: [{kind: contact}, {kind: object, of: a, rate: 2}], behaviour: walk}\n'
        for who in ('as: agent', 'as: vehicle'):
            self.fly(sensors, more=more, obstacles='{kind: cone, at: [20, 0, 0], radius: 3}', who=who)
            once = self.text('sensors.csv')
            self.fly(sensors, more=more, obstacles='{kind: cone, at: [20, 0, 0], radius: 3}', who=who, args=('--threads', '3'))
            self.assertEqual(self.text('sensors.csv'), once)
            self.assertGreater(len(once.splitlines()), 15 * 60)

    def test_a_checkpoint_holds_sensors(self):
        sensors = '{kind: position, rate: 3, sigma: 0.1}, {kind: contact}, {kind: ring, sigma: 0.1}'
        checkpoint = self.path('c')
        self.fly(sensors, obstacles='{kind: box, at: [20, -5, 0], size: [1, 10, 40]}')
        whole = self.text('sensors.csv')
        self.fly(sensors, obstacles='{kind: box, at: [20, -5, 0], size: [1, 10, 40]}', args=('--checkpoint', checkpoint, '--at', '7.3'))
        first = self.text('sensors.csv')
        self.fly(sensors, obstacles='{kind: box, at: [20, -5, 0], size: [1, 10, 40]}', args=('--resume', checkpoint))
        self.assertEqual(first + self.text('sensors.csv'), whole)

    def test_bad_input_is_one_line_and_exit_code_2(self):
        for sensors, says in (('{kind: sonar}', 'compass'), ('{kind: attribute}', 'kind attribute attr'), ('{kind: range, attr: gas}', 'attr kind attribute'),
                              ('{kind: object}', 'kind object of'), ('{kind: object, of: nobody}', 'entity nobody'),
                              ('{kind: contact}, {kind: contact, rate: 2}', 'kind contact rate'),
                              ('{kind: range, pitch: 91}', 'entities.0.sensors.0.pitch 91 -90 90')):
            assert_names(self.refused(f'time: {{end: 1}}\nentities: [{{name: a, sensors: [{sensors}]}}]\n'), says)
        assert_names(self.refused(
            'space: {boundary: [[0, 0], [9, 0], [9, 9]]}\nplan: bcd\nentities: [{name: a, as: agent, body: thrust, sensors: [range]}]\n'), 'camera sensors')
        for sensors, says in (('{kind: range}', 'attr'), (', '.join(5 * ['{attr: gas}']), '4 sensors')):
            assert_names(self.refused('space: {cells: {size: [8, 8]}}\nentities: [{name: a, as: agent, body: cell, '
                                      f'sensors: [{sensors}]}}]\n'), says)
        rates = '\n'.join(f'  - {{name: e{n}, sensors: [{{kind: range, rate: {n + 1}}}]}}' for n in range(9))
        assert_names(self.refused(f'time: {{end: 1}}\nentities:\n{rates}\n'), 'sensors 8 rates')
        for region, says in (('{at: [0, 0, 0]}', 'space.weather.regions size radius height'),
                             ('{at: [0, 0], radius: 3}', 'space.weather.regions size radius height'),
                             ('{size: [1, 1, 1], wind: [-1, 0]}', 'wind 0')):
            assert_names(self.refused(f'space: {{weather: {{regions: [{region}]}}}}\nentities: [{{name: a}}]\n'), says)
