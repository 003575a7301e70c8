# SPDX-License-Identifier: Apache-2.0
"""tools/python: the client of the bus, its environments for learning, and tables of detection from field data (UAV-06, UAV-15, SBE-18)."""
import importlib.util
import math
import os
import re
import sys
import unittest

import documents
from paths import PAPERS, PLUGINS, SCENARIOS, SWARM, TOP
from programs import CC
from swarm_case import SwarmCase, options

SHARKS = os.path.join(SCENARIOS, 'sharks.yaml')
for folder in (('tools', 'python'), ('tools', 'python', 'examples')):
    sys.path.insert(0, os.path.join(TOP, *folder))
os.environ['SWARM'] = SWARM


def needs(*packages):
    """Skips a test, and says which package of pip is not there."""
    absent = [name for name in packages if importlib.util.find_spec(name) is None]
    return unittest.skipIf(absent, f'not installed: {", ".join(absent)} (pip install {" ".join(absent)})')


@needs('numpy')
class Bus(SwarmCase):
    def setUp(self):
        super().setUp()
        import mayfly_bus
        self.bus = mayfly_bus

    def energies(self):
        return [row['Energy_Used'] for row in self.rows('sharks.csv')]

    def test_uav15_one_plan_in_three_ways(self):
        self.swarm(SHARKS)
        built_in = self.energies()
        self.run_program(*CC, '-std=c11', '-O2', '-shared', '-fPIC', '-I', TOP, os.path.join(PLUGINS, 'bcd.c'), '-o', self.path('bcd.so'))
        self.swarm(SHARKS, *options(f'plugins=[{self.path("bcd.so")}]', 'plan.kind=own', 'plan.name=squares', 'plan.params.partial=false'))
        self.assertEqual(self.energies(), built_in)
        with self.bus.Swarm(SHARKS, {'plan.kind': 'bus'}, out=self.folder) as swarm:
            for member, path in enumerate(self.bus.boustrophedon(swarm.area, partial=False)):
                swarm.path(member, path)
            end = swarm.run()
        self.assertEqual((end.code, end.error, end.time), (0, '', 358.07))
        self.assertEqual(self.energies(), built_in)
        self.assertEqual([f'{energy:.3f}' for energy in end.statistics['energy']], built_in)
        self.assertEqual([round(energy) for energy in end.statistics['energy']], [11001, 12722, 12906, 36630])

    def test_the_programs_of_the_page(self):
        """docs/bus.md as printed: the energies of docs/papers.md; eight agents 10 m apart, whose middle is 35 m from the first."""
        search, gather = documents.examples('docs/bus.md', kind='python')
        env = {**os.environ, 'PYTHONPATH': os.path.join(TOP, 'tools', 'python'), 'SWARM': SWARM}
        said = [self.run_program(sys.executable, self.write(name, text), cwd=TOP, env=env) for name, text in (('search.py', search), ('gather.py', gather))]
        self.assertEqual([round(float(number)) for number in re.findall(r'[\d.]+', said[0])], [11001, 12722, 12906, 36630])
        self.assertEqual([float(number) for number in re.findall(r'[\d.]+', said[1])], [0, 35, 10, 0])
        self.assertIn(said[1].strip(), documents.section('docs/bus.md', 'A behaviour in Python'))

    def test_the_whole_area_as_the_corrected_plan(self):
        with self.bus.Swarm(SHARKS, {'plan.kind': 'bus'}) as swarm:
            for member, path in enumerate(self.bus.boustrophedon(swarm.area)):
                swarm.path(member, path)
            self.assertEqual([swarm.entities[0].name, swarm.entities[0].seeks, swarm.entities[1].is_object], ['uav', 'shark', True])
            mine = swarm.run().statistics['energy']
        self.swarm(SHARKS, *options('plan.compat=none'))
        self.assertEqual([f'{energy:.3f}' for energy in mine], self.energies())

    def test_reports_change_paths_and_detection_is_a_function(self):
        reports = []

        def reported(swarm, turn):
            reports.extend(turn.reports['member'])
            for report in turn.reports:
                swarm.path(report['member'], [[*report['place'], 15.0]], where='first')
        with self.bus.Swarm(SHARKS, {'plan.kind': 'bus', 'detection': '{model: bus}'}, detect=lambda look: float(look.sought)) as swarm:
            for member, path in enumerate(self.bus.boustrophedon(swarm.area, partial=False)):
                swarm.path(member, path)
            end = swarm.run(reported)
        self.assertTrue(len(reports) > 0 and end.time > 358.07)
        self.assertEqual((end.statistics['precision'][-1], end.statistics['recall'][-1]), (1.0, 1.0))

    def test_errors_are_those_of_the_program(self):
        for sets, text in (({'plan.kind': 'bsu'}, 'bus'), ({'plan.kind': 'bus', 'space.boundary': '[[0, 0]]'}, 'space.boundary')):
            with self.assertRaises(self.bus.BusError) as error:
                self.bus.Swarm(SHARKS, sets)
            self.assertIn(text, str(error.exception))
        with self.bus.Swarm(SHARKS, {'plan.kind': 'bus'}) as swarm:
            swarm.path(0, [[0.0, 1e4, 30.0]])
            with self.assertRaises(self.bus.BusError) as error:
                swarm.run()
            self.assertIn('east 10000.0, lies outside space.boundary', str(error.exception))
            self.assertRaises(ValueError, swarm.order, 0, 75, bytes(256))
        self.assertRaises(self.bus.BusError, self.bus.Swarm, 'no such file')

    def test_many_members_and_orders(self):
        text = '{swarm: 1, time: {end: 12}, entities: [{count: 3000, as: agent, place: {grid: [60, 50], spacing: 10}}]}'
        with self.bus.Swarm(self.scenario(text)) as swarm:
            everybody = range(swarm.members)
            for member in everybody:
                swarm.arm(member)
                swarm.take_off(member, 5.0)
            turn = swarm.step(5.0)
            self.assertEqual(turn.state.shape, (3000,))
            self.assertAlmostEqual(turn.state['place'][2999, 0] - turn.state['place'][0, 0], 490.0, places=3)
            while turn.time < 10.0:
                swarm.velocity(everybody, [0.0, 1.0, 0.0], math.pi / 2)
                if turn.time < 5.05:
                    for member in everybody:
                        swarm.offboard(member)
                turn = swarm.step()
            east = turn.state['velocity'][:, 1]
            self.assertTrue((abs(east - 1.0) < 1e-5).all())

    def test_sbe18_figure_11_in_python(self):
        """Five bees send at 0, 1 and 2 s, within 30 m of each other; what the four others hear arrives by chance, the same in each run."""
        spec = importlib.util.spec_from_file_location('figure11', os.path.join(PAPERS, 'simbeeotic', 'figure11.py'))
        figure11 = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(figure11)
        runs = [figure11.fly(2, 5, out=self.folder) for _ in range(2)]
        self.assertEqual([(bees.sent, end.code) for bees, end in runs], [(15, 0)] * 2)
        self.assertEqual(runs[0][0].received, runs[1][0].received)
        self.assertTrue(0 < runs[0][0].received <= 5 * 4 * 2)      # those of 2 s would be told at 2.1 s
        self.assertTrue((runs[0][0].compass == runs[0][0].compass).all())

    @needs('gymnasium')
    def test_gymnasium(self):
        import reach_gymnasium
        from gymnasium.utils.env_checker import check_env
        self.assertEqual(reach_gymnasium.fly(1), reach_gymnasium.fly(1))
        self.assertTrue(reach_gymnasium.fly(2)[2])
        env = reach_gymnasium.Reach()
        check_env(env, skip_render_check=True)
        env.close()

    @needs('gymnasium', 'pettingzoo')
    def test_pettingzoo(self):
        import spread_pettingzoo
        from pettingzoo.test import parallel_api_test
        self.assertEqual(spread_pettingzoo.fly(4, 1)[1], 4)
        env = spread_pettingzoo.Spread(3)
        parallel_api_test(env, num_cycles=30)
        env.close()


@needs('numpy')
class Fit(SwarmCase):
    def test_uav06_rates_by_hand(self):
        from mayfly_bus import fit
        data = ['height_m,speed_mps,place,sought,reported,note']
        data += ['10,5,0.1,1,1,', '10,5,0.1,1,1,', '10,5,0,1,0,x', '10,5,0,1,1,']              # recall 3 of 4
        data += ['30,5,0,1,0,', '30,5,0.1,1,1,', '29,5,0,0,1,', '31,5,0.2,0,0,', '28,6,0,0,0,']  # recall 1 of 2, false alarms 1 of 3
        table = fit.fit(fit.read(data), ([10, 30], [5], [0]))
        rows = [line for line in table.splitlines() if not line.startswith('#')]
        self.assertEqual(rows, ['height_m,speed_mps,place,recall,false_alarm', '10,5,0,0.75,0.333333', '30,5,0,0.5,0.333333'])
        self.assertEqual([len(fit.nodes_of(fit.read(data)[:, i], 2)) for i in range(3)], [2, 1, 2])

    def test_bad_data_is_one_line(self):
        from mayfly_bus import fit
        for data, text in ((['height_m,speed_mps,place,sought'], '1: lacks the column reported'), (['height_m,speed_mps,place,sought,reported'], '1: has no data'),
                           (['height_m,speed_mps,place,sought,reported', '1,2,3,1,1'], '2: height and speed'),
                           (['height_m,speed_mps,place,sought,reported', '1,2,x,1,1'], '2: height_m,speed_mps,place,sought,reported must be numbers')):
            with self.assertRaises(ValueError) as error:
                fit.read(data)
            self.assertIn(text, str(error.exception))

    def test_a_search_stands_on_the_table(self):
        import numpy as np
        from mayfly_bus import fit
        chance = np.random.default_rng(7)
        lines = ['height_m,speed_mps,place,sought,reported\n']
        for _ in range(2000):
            sought = int(chance.integers(0, 2))
            lines.append(f'30,{chance.uniform(0, 20):.2f},{chance.uniform():.3f},{sought},{int(chance.uniform() < (0.7 if sought else 0.2))}\n')
        told = self.run_program(sys.executable, '-m', 'mayfly_bus.fit', self.write('field.csv', ''.join(lines)), '-o', self.path('F.csv'),
                                env={**os.environ, 'PYTHONPATH': os.path.join(TOP, 'tools', 'python')})
        self.swarm(SHARKS, *options(f'detection={{model: table, file: {self.path("F.csv")}}}'))
        total = self.rows('sharks.csv')[-1]
        self.assertEqual(told.split()[-1], total['Detection'])
        self.assertAlmostEqual(float(total['Recall']), 0.7, delta=0.08)   # some 500 pictures
