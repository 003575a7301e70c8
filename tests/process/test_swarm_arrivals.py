# SPDX-License-Identifier: Apache-2.0
"""Members of build/mayfly-swarm that arrive, fly a plan and retire (docs/swarm-manual.md#arrivals)."""
import json
import math
import os
import re
import shutil

import pytest

from mavlink import content
from names import assert_names
from paths import TOP
from recordings import telemetry_log
from swarm_case import SwarmCase, hash_of
from swarm_links import ADDRESS, Swarm
from waiting import wait_until

LAT, LON = 47.397742, 8.545594
BASIC_ID, LOCATION, SYSTEM, OPERATOR_ID = 12900, 12901, 12904, 12905
# Up to 20 m, there for a moment, down: whose home is the origin.
HOP = f'''QGC WPL 110
0 1 0 16 0 0 0 0 {LAT} {LON} 488 1
1 0 3 22 0 0 0 0 {LAT} {LON} 20 1
2 0 3 21 0 0 0 0 {LAT} {LON} 0 1
'''
# An L around the origin's north-east: three squares of 100 m.
AREA = '[[0, 0], [200, 0], [200, 100], [100, 100], [100, 200], [0, 200]]'


def frames(log):
    """[(time [us], message, payload)] of a telemetry log."""
    return [(us, *content(frame)) for us, frame in telemetry_log(log)]


class Arrivals(SwarmCase):
    def setUp(self):
        super().setUp()
        self.write('hop.waypoints', HOP)
        shutil.copy(os.path.join(TOP, 'docs', 'square.plan'), self.folder)

    def stays(self):
        """{member: [arrival, retirement]} [s] of events.csv."""
        found = {}
        for row in self.rows('events.csv'):
            if row['event'] in ('arrived', 'retired'):
                found.setdefault(row['member'], []).append(float(row['t_s']))
        return found

    def test_utm01_members_come_fly_and_are_gone(self):
        """Each is there between its two events alone: in the CSV each second, in its telemetry log, in its record of flight."""
        out = self.swarm(f'''
time: {{epoch: "2026-03-01T12:00:00Z"}}
entities:
  - {{name: visitor, count: 30, arrivals: {{per_minute: 6, in: {AREA}, plan: [hop.waypoints, square.plan]}}}}
outputs:
  csv: {{file: all.csv, every: 1}}
  geojson: {{file: flights.geojson, every: 1}}
  events: events.csv
  tlog: {{file: "%n.tlog", of: [visitor.1, visitor.2]}}
expect: [{{event: arrived}}, {{event: retired}}, {{never: failsafe}}]
''')
        self.assertRegex(out, r'arrivals +30\D+30\D+0\D')
        self.assertRegex(out, r'vehicles +\d+\D+30\D+30\D')
        stays = self.stays()
        self.assertEqual(len(stays), 30)
        seen = {}
        for row in self.rows('all.csv'):
            seen.setdefault(row['member'], []).append(float(row['t_s']))
        flights = {f['properties']['name']: f for f in json.loads(self.bytes('flights.geojson'))['features']}
        lengths = set()
        for member, (arrived, retired) in stays.items():
            expected = [float(t) for t in range(math.ceil(arrived), math.ceil(retired))]
            self.assertEqual(seen[member], expected, member)
            self.assertEqual(len(flights[member]['geometry']['coordinates']), len(expected))
            self.assertEqual(flights[member]['properties']['uas_id'], f'MAYF8{int(member[8:]):08X}')
            lengths.add(round(retired - arrived) // 10)
        self.assertGreater(len(lengths), 1)  # both plans are flown
        for row in self.rows('events.csv'):
            arrived, retired = stays[row['member']]
            self.assertTrue(arrived <= float(row['t_s']) <= retired, row)

    def test_utm01_agents_arrive_as_vehicles_do(self):
        """The same arrivals as agents: the same instants, places, items and flight records with the same remote ids, on any number of
        threads. Each flies its plan in about the time of a vehicle: it has the same speeds, but starts and turns at once."""
        text = f'''
time: {{epoch: "2026-03-01T12:00:00Z"}}
entities:
  - {{name: visitor, count: 30, as: %s, arrivals: {{per_minute: 6, in: {AREA}, plan: [hop.waypoints, square.plan]}}}}
outputs: {{csv: {{file: all.csv, every: 1}}, geojson: {{file: flights.geojson, every: 1}}, events: events.csv}}
expect: [{{event: arrived}}, {{event: retired}}, {{event: finished}}]
'''
        runs = {}
        for kind in ('vehicle', 'agent'):
            out = self.swarm(text % kind)
            self.assertRegex(out, r'arrivals +30\D+30\D+0\D')
            self.assertRegex(out, r'vehicles +\d+\D+30\D+30\D')
            flights = json.loads(self.bytes('flights.geojson'))['features']
            items = {}
            for row in self.rows('events.csv'):
                if row['event'] == 'item':
                    items[row['member']] = row['detail']
            places = {}
            for row in self.rows('all.csv'):
                places.setdefault(row['member'], []).append((float(row['lat_deg']), float(row['lon_deg']), float(row['alt_amsl_m'])))
            runs[kind] = self.stays(), {f['properties']['name']: f['properties']['uas_id'] for f in flights}, items, places
        vehicle, agent = runs['vehicle'], runs['agent']
        self.assertEqual(vehicle[1], agent[1])
        self.assertEqual(vehicle[2], agent[2])
        for member, (arrived, retired) in vehicle[0].items():
            self.assertEqual(agent[0][member][0], arrived)
            self.assertAlmostEqual(agent[0][member][1], retired, delta=0.25 * (retired - arrived))
            for axis, tolerance in ((0, 2e-5), (1, 3e-5)):  # they reach the same corners, to 2 m
                for best in (min, max):
                    self.assertAlmostEqual(best(p[axis] for p in agent[3][member]), best(p[axis] for p in vehicle[3][member]),
                                           delta=tolerance, msg=f'{member} {axis}')
        one = self.swarm(text % 'agent', '--threads', '1'), self.bytes('all.csv'), self.bytes('events.csv')
        three = self.swarm(text % 'agent', '--threads', '3'), self.bytes('all.csv'), self.bytes('events.csv')
        self.assertEqual(one[1:], three[1:])
        self.assertEqual(*(re.search(r'^hash .*', out[0], re.M)[0] for out in (one, three)))
        self.write('circle.waypoints', HOP.replace('2 0 3 21', f'2 0 3 18 1 0 0 0 {LAT} {LON} 20 1\n3 0 3 21'))
        said = self.swarm('entities: [{as: agent, arrivals: {per_minute: 6, plan: circle.waypoints}}]\n', code=2)
        assert_names(said, 'circle.waypoints item command 18')

    def test_utm01_each_has_a_remote_id_of_its_own(self):
        self.swarm(f'''
time: {{epoch: "2026-03-01T12:00:00Z"}}
entities:
  - {{name: visitor, count: 3, arrivals: {{per_minute: 6, in: {AREA}, plan: hop.waypoints}}}}
  - {{name: silent, arrivals: {{per_minute: 6, plan: hop.waypoints, remote_id: false}}}}
outputs:
  events: events.csv
  tlog: {{file: "%n.tlog", of: [visitor, silent]}}
''')
        ids, epoch = [], 1772366400
        for number, name in enumerate(('visitor.1', 'visitor.2', 'visitor.3'), 1):
            arrived, retired = self.stays()[name]
            said = frames(self.bytes(f'{number}.tlog'))
            times = [us / 1e6 - epoch for us, _, _ in said]
            self.assertGreaterEqual(min(times), arrived - 1e-6)
            self.assertLessEqual(max(times), retired + 1e-6)
            count = {message: sum(m == message for _, m, _ in said) for message in (LOCATION, BASIC_ID, SYSTEM, OPERATOR_ID)}
            self.assertAlmostEqual(count[LOCATION], retired - arrived, delta=1.01)
            for message in (BASIC_ID, SYSTEM, OPERATOR_ID):
                self.assertAlmostEqual(count[message], (retired - arrived) / 3, delta=1.01)
            names = {p.ljust(64, b'\0')[24:44].rstrip(b'\0') for _, m, p in said if m == BASIC_ID}
            self.assertEqual(len(names), 1)
            ids.append(names.pop())
        self.assertEqual(ids, [b'MAYF800000001', b'MAYF800000002', b'MAYF800000003'])
        said = [m for _, m, _ in frames(self.bytes('4.tlog'))]
        self.assertIn(0, said)
        self.assertEqual({BASIC_ID, LOCATION, SYSTEM, OPERATOR_ID} & set(said), set())

    def test_utm01_nobody_hears_or_touches_who_is_absent(self):
        """All appear where their plan begins, at the feet of a post that listens and sends."""
        self.swarm('''
time: {end: 400}
entities:
  - {name: post, as: agent, place: [0, 0, 0.3], body: {radius: 0.5}, radio: {kind: cc2420}, send: {every: 1}}
  - {name: visitor, count: 12, body: {radius: 0.5}, arrivals: {per_minute: 6, plan: hop.waypoints},
     radio: {kind: cc2420}, send: {every: 1}, sensors: [{kind: range, rate: 1}]}
outputs:
  csv: {file: all.csv, every: 1}
  radio: heard.csv
  contacts: {file: met.csv, every: 0.1}
  sensors: sensed.csv
  events: events.csv
''')
        stays = self.stays()
        self.assertEqual(len(stays), 12)
        inside = {'heard.csv': ('sender', 'receiver'), 'met.csv': ('member', 'with'), 'sensed.csv': ('member',)}
        for name, columns in inside.items():
            members = set()
            for row in self.rows(name):
                for column in columns:
                    if row[column].startswith('visitor'):
                        arrived, retired = stays[row[column]]
                        self.assertTrue(arrived <= float(row['t_s']) < retired, (name, row))
                        members.add(row[column])
            self.assertEqual(members, set(stays), name)
        # the radio of each is on from its arrival: 18.8 mA, and a little for what it sends
        for row in self.rows('all.csv'):
            if row['member'] != 'post':
                self.assertLess(float(row['radio_mas']), 21 * (float(row['t_s']) - stays[row['member']][0]) + 1)

    @pytest.mark.long
    def test_utm01_equal_bytes_for_any_number_of_threads(self):
        text = f'''
seed: 5
entities:
  - {{name: a, count: 100, arrivals: {{per_minute: 60, in: {AREA}, plan: square.plan}}, radio: {{kind: cc2420}}, send: {{every: 5}}}}
  - {{name: b, count: 35, arrivals: {{per_minute: 20, plan: hop.waypoints}}}}
time: {{end: 120}}
outputs: {{csv: {{file: all.csv, every: 1}}, events: events.csv, geojson: {{file: f.geojson, every: 5}}, radio: heard.csv}}
'''
        runs = []
        for threads in ('1', '2', '3'):
            out = self.swarm(text, '--threads', threads)
            runs.append([hash_of(out)] + [self.bytes(name) for name in ('all.csv', 'events.csv', 'f.geojson', 'heard.csv')])
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])
        self.assertNotEqual(runs[0][0], hash_of(self.swarm(text, '--set', 'seed=6')))

    def test_utm01_a_run_goes_on_from_a_checkpoint(self):
        text = f'''
entities: [{{name: a, count: 40, arrivals: {{per_minute: 20, in: {AREA}, plan: square.plan}}}}]
time: {{end: 130}}
outputs: {{csv: {{file: all.csv, every: 1}}, events: events.csv}}
expect: [{{event: retired}}]
'''
        whole = self.swarm(text, code=1), self.bytes('all.csv'), self.bytes('events.csv')
        kept = self.path('kept')
        self.swarm(text, '--checkpoint', kept, '--at', '70')
        first = self.bytes('all.csv'), self.bytes('events.csv')
        again = self.swarm(text, '--resume', kept, code=1)
        self.assertEqual(first[0] + self.bytes('all.csv'), whole[1])
        self.assertEqual(first[1] + self.bytes('events.csv'), whole[2])
        for line in ('hash', 'arrivals', 'FAILED'):
            self.assertEqual(*(next(row for row in out.splitlines() if row.startswith(line)) for out in (whole[0], again)))

    def test_utm01_expectations_are_about_those_who_have_arrived(self):
        text = f'''
entities: [{{name: a, count: 1000, arrivals: {{per_minute: 6, in: {AREA}, plan: square.plan}}}}]
time: {{end: 120}}
expect: [{{event: armed}}, {{never: breach}}, {{mode: mission, at: 0.5}}'''
        out = self.swarm(text + ']\n')
        self.assertNotRegex(out, r'arrivals +1000\D')
        out = self.swarm(text + ', {event: arrived}]\n', code=1)
        self.assertIn('FAILED  everybody: arrived', out)

    def test_utm01_bad_input_is_refused(self):
        flies = 'entities: [{name: a, arrivals: {per_minute: 6, plan: %s}}]\n'
        assert_names(self.refused(flies % 'nothing.plan'), 'plan /nothing.plan')
        self.write('up.waypoints', '\n'.join(HOP.splitlines()[:3]) + '\n')
        assert_names(self.refused(flies % '[hop.waypoints, up.waypoints]'), 'arrivals up.waypoints')
        self.assertIn('per_minute', self.refused('entities: [{arrivals: {per_minute: -6, plan: hop.waypoints}}]'))
        assert_names(self.refused('entities: [{arrivals: {per_minute: 6, in: [[0, 0], [9, 9]], plan: hop.waypoints}}]'), 'entities.0.arrivals.in 3 64')

    def test_utm01_clients_find_who_is_there(self):
        """Nobody arrives within 50 s: links are silent, and the API knows nobody; then they are there."""
        entity = '{name: a, count: 2, start: 50, arrivals: {per_minute: 100000, plan: hop.waypoints}}'
        with Swarm(f'{{address: {ADDRESS}, api: API}}', entities=entity, clock='real', args=('--check',)) as swarm:
            swarm.process.wait()
            swarm.write('hop.waypoints', HOP)
            swarm.start()
            client = swarm.vehicle(1)
            status, clock = swarm.call('/v1/clock', {'action': 'hold'})
            self.assertEqual((status, clock['held']), (200, True))
            self.assertLess(clock['time_s'], 40)
            self.assertEqual(swarm.call('/v1/vehicles')[1]['vehicles'], [])
            status, answer = swarm.call('/v1/vehicles/1')
            self.assertEqual(status, 404, answer)
            assert_names(answer['error'], 'a.1')
            swarm.call('/v1/clock', {'rate': 100})
            swarm.call('/v1/clock', {'action': 'run', 'seconds': 5})
            wait_until(lambda: swarm.clock_s() > clock['time_s'] + 5 - 1e-6, 'five seconds')
            self.assertEqual(client.read(0.2), [])
            swarm.call('/v1/clock', {'action': 'run', 'seconds': 50 - clock['time_s']})
            wait_until(lambda: swarm.clock_s() > 55 - 1e-6, 'the arrival')
            self.assertIsNotNone(client.expect(BASIC_ID, 1, lambda p: p[24:37] == b'MAYF800000001'))
            listed = swarm.call('/v1/vehicles')[1]['vehicles']
            self.assertEqual([v['name'] for v in listed], ['a.1', 'a.2'])
            self.assertEqual(swarm.call('/v1/vehicles/2')[0], 200)
