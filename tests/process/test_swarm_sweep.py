# SPDX-License-Identifier: Apache-2.0
"""Sweeps of build/mayfly-swarm over ranges: which runs there are, one alone, and as a Job of Kubernetes."""
import json
import os
import shutil
import statistics
import subprocess

import pytest

from names import assert_names, one
from paths import SWARM
from swarm_case import HOP, SwarmCase

SCENARIO = '''swarm: 1
entities:
  - {name: a, count: 2, place: {disc: [0, 0, 500]}, plan: ../plans/hop.waypoints, params: {MPC_XY_CRUISE: "${SPEED:10}"}}
outputs: {csv: {file: s.csv, every: 20}, events: e.csv}
'''
PRODUCT = '''variations: {plain: {}, high: {entities.0.params.MIS_TAKEOFF_ALT: 20}}
sweep: {over: variations, for: {seed: [7, 8]}, each: {SPEED: [5, 8, 10]}}
'''
CHANCE = '''variations: {plain: {}, high: {entities.0.params.MIS_TAKEOFF_ALT: 20}}
sweep:
  over: variations
  uniform: {entities.0.params.MPC_XY_CRUISE: [4, 8]}
  normal: {entities.0.start: [5, 0.5]}
  count: 20
'''


class Sweep(SwarmCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path('scenarios'))
        os.makedirs(self.path('plans'))
        self.write('plans/hop.waypoints', HOP)

    def sweep(self, more, *args, code=0):
        return self.run_program(SWARM, 'sweep', self.write('scenarios/Hop 2.yaml', SCENARIO + more), *args, code=code)

    def runs(self, folder):
        return self.rows(os.path.join(folder, 'runs.csv'))

    def merged(self, folder):
        return [self.bytes(folder, name) for name in ('runs.csv', 's.csv', 'e.csv')]

    @pytest.mark.long
    def test_a_run_for_each_variation_number_and_value(self):
        """SBE-01: by hand: a leg of 222.36 m at 5, 8 and 10 m/s; variations change slowest, the last range fastest."""
        self.sweep(PRODUCT, '--out', self.path('one'))
        runs = self.runs('one')
        self.assertEqual([(row['variation'], row['seed'], row['SPEED']) for row in runs],
                         [(v, seed, speed) for v in ('plain', 'high') for seed in '78' for speed in ('5', '8', '10')])
        times = [float(row['simulated_s']) for row in runs]
        self.assertAlmostEqual(times[0] - times[2], 222.36 / 5 - 222.36 / 10, delta=0.01)
        self.assertAlmostEqual(times[1] - times[2], 222.36 / 8 - 222.36 / 10, delta=0.01)
        self.assertEqual(len({row['hash'] for row in runs}), 12)

    def test_steps_of_a_range(self):
        self.sweep('sweep: {for: {entities.0.start: [1, 2, 0.25], seed: [3, 4]}}\n', '--out', self.path('x'))
        self.assertEqual([(row['entities.0.start'], row['seed']) for row in self.runs('x')],
                         [(start, seed) for start in ('1', '1.25', '1.5', '1.75', '2') for seed in '34'])

    def test_values_of_a_sweep_outrank_a_map_of_the_command(self):
        self.sweep('sweep: {for: {time.end: [5, 6]}}\n', '--out', self.path('x'), '--set', 'time={clock: fast, end: 4}')
        self.assertEqual([float(row['simulated_s']) for row in self.runs('x')], [5, 6])

    @pytest.mark.long
    def test_chance_draws_the_same_in_every_variation(self):
        """20 draws between 4 and 8, and around 5 with 0.5: means within five of their standard deviations."""
        self.sweep(CHANCE, '--out', self.path('x'))
        runs = self.runs('x')
        drawn = [(float(row['entities.0.params.MPC_XY_CRUISE']), float(row['entities.0.start'])) for row in runs]
        self.assertEqual(len(drawn), 40)
        self.assertEqual(drawn[:20], drawn[20:])
        self.assertEqual(len(set(drawn)), 20)
        speeds, starts = zip(*drawn[:20])
        self.assertTrue(all(4 <= speed < 8 for speed in speeds))
        self.assertLess(abs(statistics.mean(speeds) - 6), 5 * 4 / 12 ** 0.5 / 20 ** 0.5)
        self.assertLess(abs(statistics.mean(starts) - 5), 5 * 0.5 / 20 ** 0.5)
        self.assertGreater(statistics.stdev(starts), 0.2)
        # what was drawn is what was flown; missions begin at multiples of 0.1 s
        slow, fast = speeds.index(min(speeds)), speeds.index(max(speeds))
        longer = 222.36 / speeds[slow] - 222.36 / speeds[fast] + starts[slow] - starts[fast]
        self.assertAlmostEqual(float(runs[slow]['simulated_s']) - float(runs[fast]['simulated_s']), longer, delta=0.11)
        self.sweep(CHANCE, '--set', 'seed=2', '--out', self.path('y'))
        self.assertNotEqual([row['entities.0.start'] for row in self.runs('y')], [row['entities.0.start'] for row in runs])

    @pytest.mark.long
    def test_one_run_by_its_number_and_merging_apart(self):
        self.sweep(PRODUCT, '--out', self.path('all'))
        for run in range(12):
            self.sweep(PRODUCT, '--variation', str(run), '--out', self.path('pods'))
            self.assertFalse(os.path.exists(self.path('pods', 'runs.csv')))
        self.sweep(PRODUCT, '--merge', self.path('pods'))
        self.assertEqual(self.merged('pods'), self.merged('all'))
        shutil.rmtree(self.path('pods', 'run-00007'))
        assert_names(self.sweep(PRODUCT, '--merge', self.path('pods'), code=2), 'run 7')

    @pytest.mark.long
    def test_a_folder_of_another_sweep_is_refused(self):
        short = ('--out', self.path('x'), '--set', 'time.end=5', '--set', 'sweep.for.seed=[7, 7]')
        self.sweep(PRODUCT, *short)
        before = self.merged('x')
        for other in ('sweep: {for: {seed: [1, 2]}}\n', PRODUCT + '# another text\n'):
            for more in ((), ('--variation', '0')):
                error = self.sweep(other, *short, *more, code=2)
                assert_names(error, f"--out {one(self.path('x'))}")
        self.sweep(PRODUCT, '--out', self.path('x'), '--set', 'time.end=6', code=2)
        self.assertEqual(self.merged('x'), before)
        self.sweep(PRODUCT, *short, '--jobs', '2')  # the same goes on
        self.assertEqual(self.merged('x'), before)

    @pytest.mark.long
    def test_a_job_of_kubernetes(self):
        """The pods of the manifest, each in a folder with its ConfigMap's files, leave what a sweep leaves."""
        text = self.sweep(PRODUCT, '--kubernetes=localhost/mayfly-tools:1', '--jobs', '4', '--set', 'time.end=300')
        config, job = json.loads(text)['items']
        self.assertEqual((config['kind'], job['kind'], job['apiVersion']), ('ConfigMap', 'Job', 'batch/v1'))
        self.assertEqual({config['metadata']['name'], job['metadata']['name']}, {'mayfly-hop-2'})
        spec, pod = job['spec'], job['spec']['template']['spec']
        self.assertEqual((spec['completions'], spec['parallelism'], spec['completionMode']), (12, 4, 'Indexed'))
        self.assertEqual(spec['podFailurePolicy']['rules'][0]['onExitCodes']['values'], [2])
        self.assertEqual(pod['restartPolicy'], 'Never')
        self.assertEqual((pod['securityContext']['seccompProfile'], pod['containers'][0]['imagePullPolicy']), ({'type': 'RuntimeDefault'}, 'IfNotPresent'))
        scenario, runs = pod['volumes']
        self.assertEqual(runs['persistentVolumeClaim'], {'claimName': 'mayfly-hop-2'})
        root = self.path('pod')
        for item in scenario['configMap']['items']:
            self.assertNotIn('..', item['path'].split('/'))
            os.makedirs(os.path.dirname(os.path.join(root, item['path'])), exist_ok=True)
            self.write(os.path.join('pod', item['path']), config['data'][item['key']])
        container = pod['containers'][0]
        self.assertEqual((container['command'], container['image']), (['mayfly-swarm'], 'localhost/mayfly-tools:1'))
        for index in range(spec['completions']):
            instead = {'/runs': self.path('volume'), '$(JOB_COMPLETION_INDEX)': str(index)}
            words = [instead.get(word, word) for word in container['args']]
            self.assertTrue(words[1].startswith('/scenario/'))
            words[1] = os.path.join(root, words[1][len('/scenario/'):])
            subprocess.run([SWARM, *words], check=True, timeout=60, stdout=subprocess.DEVNULL)
        self.sweep(PRODUCT, '--merge', self.path('volume'), '--set', 'time.end=300')
        self.sweep(PRODUCT, '--out', self.path('here'), '--set', 'time.end=300')
        self.assertEqual(self.merged('volume'), self.merged('here'))

    @pytest.mark.long
    def test_each_run_on_leaves_of_its_own_is_the_same(self):
        more = 'sweep: {for: {seed: [7, 9]}}\n'
        self.sweep(more, '--out', self.path('alone'))
        said = self.sweep(more + 'hosts: {start: 2}\n', '--out', self.path('spread'), '--jobs', '2')
        self.assertIn('3 runs', said)
        self.assertEqual(self.merged('spread'), self.merged('alone'))
        self.assertIn('2 leaves, 0 lost', self.text('spread', 'run-00002', 'output.txt'))
        for hosts in ('{leaves: 1}', '{start: 1, leaves: 2}', '{start: 1, listen: 0}'):
            error = self.sweep(more + f'hosts: {hosts}\n', '--out', self.path('x'), code=2)
            assert_names(error, ':6 hosts start listen leaves')

    def test_what_is_no_sweep_is_told_in_a_line(self):
        out = ('--out', self.path('x'))
        for more, what in (('sweep: {for: {seed: [3, 2]}}', 'sweep.for seed first last'),
                           ('sweep: {for: {seed: [1, 2, -1]}}', 'sweep.for seed first last'),
                           ('sweep: {for: {seed: [1, 200000]}}', 'seed 100000'),
                           ('sweep: {for: {seed: [1, 1000]}, each: {SPEED: [1, 2]}, uniform: {time.end: [1, 2]}, count: 100}',
                            'sweep 100000'),
                           ('sweep: {each: {SPEED: []}}', 'SPEED 1'),
                           ('sweep: {each: {SPEED: ["1,2"]}}', 'SPEED 1 47'),
                           ('sweep: {uniform: {SPEED: [2, 1]}, count: 3}', 'SPEED lowest highest'),
                           ('sweep: {normal: {SPEED: [2, -1]}, count: 3}', 'SPEED mean sigma'),
                           ('sweep: {normal: {SPEED: [2, 1]}}', 'uniform normal count'),
                           ('sweep: {count: 3}', 'count uniform normal'),
                           ('sweep: {over: variations}', 'sweep variations'),
                           ('sweep: {for: {seed: [1, 2]}, each: {seed: [1]}}', 'seed twice'),
                           ('sweep: {for: {entities.0.cuont: [1, 2]}}', 'entities.0.cuont'),
                           ('sweep: {for: {entities.0.count: [-1, 2]}}', '-1 1')):
            error = self.sweep(more + '\n', *out, code=2)
            assert_names(error, what)
            self.assertEqual(error.count('\n'), 1, error)
        for variation in ('12', 'high'):
            assert_names(self.sweep(PRODUCT, *out, '--variation', variation, code=2), f'--variation {variation} 0 11')
        self.assertFalse(os.path.exists(self.path('x', 'run-00000')))
