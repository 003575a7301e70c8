# SPDX-License-Identifier: Apache-2.0
"""The hive of build/mayfly-swarm: who is sent where, what is visited, who is charged (docs/hive.md)."""
import re

import pytest

import documents
from drone import Drone
from names import assert_names
from paths import SCENARIOS
from swarm_case import SwarmCase, hash_of, options

HIVE = f'{SCENARIOS}/hive.yaml'
SMALL = """swarm: 1
time: {clock: fast, end: idle}
entities:
  - {name: hive, thing: hive, place: [0, 0]}
  - {name: flowers, thing: object, count: 3, place: {list: [[30, 0], [0, 30], [30, 30]]}}
  - {name: bee, as: agent, seeks: flowers}
planner: {kind: hive, of: bee}
"""


class Hive(SwarmCase):
    @pytest.mark.long
    def test_sbe22_45_agents_and_5_vehicles_visit_200_flowers_once(self):
        """Each flower once, each cell surveyed once and with one member at a time, members of both kinds, several charges each."""
        summary = self.swarm(HIVE)
        page = documents.section('docs/hive.md', 'A hive')
        self.assertIn(re.search(r'(?m)^hive .*$', summary)[0], page)
        assert_names(page, 'hive 900 900 cells 200 200 visited 200 pollen charges 0 lost 0 back')
        self.assertRegex(summary, r'vehicles +50, ')
        rows = self.rows('hive.csv')
        visited = [row for row in rows if row['what'] == 'visited']
        shown, = re.findall(r'^ {4}(\S+,visited,\S+)$', documents.section('docs/hive.md', 'What is written down'), re.M)
        self.assertIn(shown.split(','), [list(row.values()) for row in visited])
        self.assertEqual(sorted(row['object'] for row in visited), sorted(f'flowers.{i}' for i in range(1, 201)))
        self.assertEqual([int(row['pollen']) for row in visited], list(range(1, 201)))
        self.assertEqual({row['member'].split('.')[0] for row in visited}, {'sim', 'full'})
        self.assertEqual(len({row['cell'] for row in rows if row['what'] == 'surveyed'}), 900)
        self.assertEqual(len([row for row in rows if row['what'] == 'found']), 200)
        holder = {}
        for row in rows:
            if row['what'] == 'sent':
                self.assertNotIn(row['cell'], [cell for member, cell in holder.items() if member != row['member']], row)
                holder[row['member']] = row['cell']
            elif row['what'] in ('called', 'left', 'lost'):
                holder.pop(row['member'], None)
            self.drop_done(holder, row)
        events = [row for row in self.rows('events.csv') if row['event'] == 'visited']
        self.assertEqual([(row['t_s'], row['member']) for row in events], sorted(
            [(row['t_s'], row['object']) for row in visited], key=lambda e: (float(e[0]), int(e[1].split('.')[1]))))
        self.assertGreater(len([row for row in rows if row['what'] == 'charged']), 45)

    @staticmethod
    def drop_done(holder, row):
        """A cell that is surveyed, or whose flower is visited, may be given up without a word."""
        if row['what'] in ('surveyed', 'visited'):
            for member in [m for m, cell in holder.items() if cell == row['cell']]:
                del holder[member]

    @pytest.mark.long
    def test_in_wind_vehicles_do_the_same(self):
        """5 m/s to each side: the constant body is not moved by it, but has a part of its own for it."""
        summary = self.swarm(HIVE, '--set', 'space.weather={wind: [5, 270]}')
        assert_names(summary, 'hive 200 200 visited 200 pollen')

    @pytest.mark.long
    def test_threads_and_kinds_of_members_change_nothing_or_little(self):
        hashes = {hash_of(self.swarm(HIVE, *options('time.end=40', 'expect=[]'), *args)) for args in ((), ('--threads', '2'))}
        self.assertEqual(len(hashes), 1)
        ends = []
        for kind in ('agent', 'vehicle'):
            summary = self.swarm(SMALL.replace('agent', kind))
            assert_names(summary, 'hive 3 3 visited 3 pollen')
            ends.append(float(re.search(r'^hive .* ([\d.]+) s$', summary, re.M)[1]))
        self.assertLess(abs(ends[0] - ends[1]), 0.25 * ends[0])

    @pytest.mark.long
    def test_cells_of_who_falls_are_given_to_others(self):
        """The vehicles' motors stop after half a minute: each is lost where it lies, and agents do its work."""
        summary = self.swarm(HIVE, '--set', 'entities.3.faults=["motor_off@30s"]')
        assert_names(summary, 'hive 200 200 visited 200 pollen charges 5 lost 0 back')
        rows = self.rows('hive.csv')
        taken = 0
        for member in (f'full.{k}' for k in range(1, 6)):
            of = [row for row in rows if row['member'] == member]
            self.assertEqual([row['what'] for row in of[-2:]], ['left', 'lost'])
            self.assertLess(30.0, float(of[-1]['t_s']))
            after = rows[rows.index(of[-1]):]
            taken += any(row['cell'] == of[-2]['cell'] and row['what'] in ('sent', 'surveyed', 'visited') for row in after)
        self.assertGreaterEqual(taken, 3)   # a cell may have been done in the very turn

    def test_a_ghost_in_lockstep_works_as_a_vehicle_does(self):
        """build/mayfly on a time socket beside an agent: the same cells and objects, at the same turns, as a vehicle of the process."""
        text = SMALL.replace('time: {clock: fast, end: idle}', 'time: {clock: fast, end: 120}\noutputs: {hive: hive.csv}').replace(
            'of: bee', 'of: [bee, other]').replace('planner:', '  - {name: other, AS, place: hive, seeks: flowers}\nplanner:')
        with Drone('--clock', 'lockstep', '--time-socket', '0', '--home', '47.397742,8.545594,488') as drone:
            self.swarm(text.replace('AS', drone.as_ghost()))
        ghost = self.rows('hive.csv')
        self.swarm(text.replace('AS', 'as: vehicle'))
        vehicle = self.rows('hive.csv')
        self.assertIn('other', {row['member'] for row in ghost if row['what'] == 'surveyed'})
        for what in ('surveyed', 'visited', 'landed'):
            one, two = ([(row['member'], row['cell'], row['object']) for row in rows if row['what'] == what] for rows in (ghost, vehicle))
            self.assertEqual(sorted(one), sorted(two), what)
        self.assertLess(abs(float(ghost[-1]['t_s']) - float(vehicle[-1]['t_s'])), 2.0)

    @pytest.mark.long
    def test_a_checkpoint_holds_a_hive(self):
        short = '--set', 'time.end=40', '--set', 'expect=[]'
        whole = self.swarm(HIVE, *short)
        before = self.rows('hive.csv')
        self.swarm(HIVE, *short, '--checkpoint', self.path('c'), '--at', '20')
        first = self.rows('hive.csv')
        resumed = self.swarm(HIVE, *short, '--resume', self.path('c'))
        self.assertEqual(re.search(r'^(hive .*|hash .*)$', whole, re.M)[1], re.search(r'^(hive .*|hash .*)$', resumed, re.M)[1])
        self.assertEqual(first, before[:len(first)])

    def test_the_world_without_a_boundary_is_around_hive_and_objects(self):
        """From (0, 0) to (30, 30) and a metre about: 4 x 4 cells of at most 10 m."""
        assert_names(self.swarm(SMALL), 'hive 16 16 cells 3 3 visited')

    def test_expectations_of_things(self):
        text = SMALL.replace('count: 3', 'count: 4').replace('[30, 30]]', '[30, 30], [300, 300]]').replace(
            'planner:', 'space: {boundary: [[-10, -10], [-10, 40], [40, 40], [40, -10]]}\nplanner:')
        failed = self.swarm(text + 'expect: [{of: flowers, event: visited}]\n', code=1)
        assert_names(failed, 'FAILED flowers visited 9 flowers.4')

    def test_bad_input_is_one_line_and_exit_code_2(self):
        for old, new, wanted in (
                ('planner: {kind: hive, of: bee}', 'planner: {kind: hive}', 'planner of'),
                ('of: bee', 'of: wasp', ":7 'wasp'"),
                ('of: bee', 'of: [bee, hive]', ':4 hive plan behaviour'),
                ('seeks: flowers', 'seeks: hive', "seeks 'hive'"),
                (', seeks: flowers', '', 'thing: hive seek'),
                ('thing: hive', 'thing: beacon', 'thing: hive'),
                ('of: bee', 'of: bee, cell: 1', None),
                ('planner: {kind: hive, of: bee}', '', 'seeks battery plan planner space.cells'),
                ('name: bee, as: agent', 'name: bee, as: thing', ':6 bee thing'),
                ('thing: hive', 'thing: hive, behaviour: walk', ':4 hive thing behaviour'),
                ('time: {', 'outputs: {csv: {file: a.csv, of: [hive, flowers]}}\ntime: {', None)):
            if wanted is None:
                self.swarm(SMALL.replace(old, new))
            else:
                assert_names(self.refused(SMALL.replace(old, new)), wanted)
        outputs = 'outputs: {hive: hive.csv}\n'
        text = outputs + SMALL.replace('planner: {kind: hive, of: bee}\n', '').replace(', seeks: flowers', '').replace('idle', '5')
        assert_names(self.refused(text), 'outputs hive planner')
