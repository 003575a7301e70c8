# SPDX-License-Identifier: Apache-2.0
"""Objects of build/mayfly-swarm that move: where they are, and who notices."""
import math

from names import assert_names
from swarm_case import SwarmCase


# Six drift; one agent stands still at the origin and looks for them.
DRIFT = '''swarm: 1
seed: 5
time: {end: 60}
entities:
  - {name: buoy, count: 6, thing: object, speed: 2, place: {disc: [0, 0, 100]}, body: {radius: 0.5}}
  - {name: rock, count: 2, thing: object, place: {list: [[500, 0], [0, 500]]}}
  - {name: eye, as: agent, start: 100, sensors: [{kind: object, of: buoy, rate: 1, reach: 500}]}
outputs: {csv: {file: all.csv, every: 1, of: [buoy, rock]}, sensors: {file: seen.csv}}
'''
ORIGIN = 47.397742, 8.545594


def local(row):
    """Metres north and east of the origin, which is near, by the radii of WGS 84 there."""
    lat, squared = math.radians(ORIGIN[0]), 0.00669437999014
    w = math.sqrt(1 - squared * math.sin(lat) ** 2)
    north = math.radians(float(row['lat_deg']) - ORIGIN[0]) * 6378137 * (1 - squared) / w ** 3
    return north, math.radians(float(row['lon_deg']) - ORIGIN[1]) * 6378137 / w * math.cos(lat)


class Objects(SwarmCase):
    def places(self):
        """{member: [(time, north, east, velocity north, velocity east)]}, as CSV tells."""
        found = {}
        for r in self.rows('all.csv'):
            north, east = local(r)
            found.setdefault(r['member'], []).append((float(r['t_s']), north, east, float(r['vel_n_mps']), float(r['vel_e_mps'])))
        return found

    def test_sbe08_objects_go_straight_on_as_fast_as_they_may(self):
        self.swarm(DRIFT)
        found = self.places()
        ways = set()
        for name, all_ in found.items():
            _, north, east, v_north, v_east = all_[0]
            ways.add((v_north, v_east))
            for t, n, e, vn, ve in all_:
                self.assertEqual((vn, ve), (v_north, v_east))
                self.assertAlmostEqual(n, north + v_north * t, delta=0.04)
                self.assertAlmostEqual(e, east + v_east * t, delta=0.04)
            fast = max(abs(v_north), abs(v_east))
            self.assertTrue(fast == 0 if name.startswith('rock') else 0.05 < fast <= 2, (name, fast))
        self.assertEqual((len(found), len(ways)), (8, 7))  # six ways; both rocks stand still

    def test_sbe17_a_sensor_sees_them_where_they_are(self):
        self.swarm(DRIFT)
        found = {name: all_ for name, all_ in self.places().items() if name.startswith('buoy')}
        rows = self.rows('seen.csv')
        self.assertEqual(len(rows), 61)
        for k, row in enumerate(rows):
            away = {name: math.hypot(all_[k][1], all_[k][2]) for name, all_ in found.items()}
            self.assertEqual(row['found'], min(away, key=away.get))
            self.assertAlmostEqual(float(row['a']), min(away.values()), delta=0.02)
        self.assertNotEqual(rows[0]['a'], rows[-1]['a'])

    def test_sbe08_what_drifts_is_met_at_its_instant(self):
        """Whoever stands in the way of an object is met when their balls touch."""
        self.swarm(DRIFT)
        _, north, east, v_north, v_east = self.places()['buoy.3'][0]
        ahead = north + 20 * v_north, east + 20 * v_east
        self.swarm(DRIFT.replace('  - {name: eye', f'  - {{name: post, thing: object, place: [{ahead[0]:.4f}, {ahead[1]:.4f}], '
                                            'body: {radius: 1}}\n  - {name: eye')
                              .replace('sensors: {file', 'contacts: {file: met.csv, every: 0.5}, sensors: {file'))
        met = [float(r['t_s']) for r in self.rows('met.csv') if (r['member'], r['with']) == ('buoy.3', 'post')]
        self.assertEqual(len(met), 1)
        self.assertAlmostEqual(met[0], 20 - 1.5 / math.hypot(v_north, v_east), delta=0.02)

    def test_threads_and_other_entities_change_nothing(self):
        self.swarm(DRIFT)
        once = self.text('all.csv'), self.text('seen.csv')
        self.swarm(DRIFT, '--threads', '3')
        self.assertEqual((self.text('all.csv'), self.text('seen.csv')), once)
        self.swarm(DRIFT, '--set', 'seed=6')
        self.assertNotEqual(self.text('all.csv'), once[0])

    def test_speed_of_whoever_is_no_object_is_refused(self):
        for entity in ('{name: a, as: agent, speed: 1}', '{name: a, thing: hive, speed: 1}',
                       '{name: a, as: ghost, thing: object, link: bus, speed: 1}'):
            assert_names(self.refused(f'time: {{end: 5}}\nentities: [{entity}]\n'), ':3 a speed')
        hive = '  - {name: hive, thing: hive}\n  - {name: flower, thing: object, speed: 1}\n  - {name: bee, as: agent, seeks: flower}\n'
        assert_names(self.refused('time: {end: 5}\nentities:\n' + hive + 'planner: {kind: hive, of: bee}\n'), 'flower hive')
