#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A team that searches an area, as a scenario: figures as published (docs/papers.md), and what is refused."""
import csv
import os
import re
import subprocess
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
SWARM = os.path.join(BUILD, 'mayfly-swarm')
SHARKS = os.path.join(TOP, 'examples', 'scenarios', 'sharks.yaml')
COLUMNS = ['Name', 'Precision', 'Recall', 'F1', 'Energy_Used', 'PCT_Covered', 'PCT_Spotted']


class Search(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def fly(self, *args, code=0):
        done = subprocess.run([SWARM, SHARKS, '--out', self.folder.name, *args], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def rows(self, name='sharks.csv'):
        with open(os.path.join(self.folder.name, name), encoding='utf-8') as file:
            return list(csv.DictReader(file))

    def test_uav02_published_figures(self):
        out = self.fly()
        rows = self.rows()
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([row['Name'] for row in rows], ['uav.1', 'uav.2', 'uav.3', 'Total'])
        self.assertEqual([round(float(row['Energy_Used'])) for row in rows], [11001, 12722, 12906, 36630])
        self.assertEqual([f'{float(row["PCT_Covered"]):.3f}' for row in rows], ['0.325', '0.345', '0.348', '0.949'])
        self.assertIn('358.070 s simulated', out)
        self.assertIn('35807,', out)

    def test_uav08_statistics_agree(self):
        self.fly('--variation', 'avbcd', '--set', 'outputs.coverage.cell=0')
        for row in self.rows():
            self.assertEqual(row['PCT_Covered'], '')
            if row['F1']:
                p, r = float(row['Precision']), float(row['Recall'])
                self.assertAlmostEqual(float(row['F1']), 2 * p * r / (p + r), places=5)

    def test_an_end_in_seconds_leaves_points(self):
        out = self.fly('--set', 'time.end=100')
        self.assertIn('100.000 s simulated', out)
        self.assertGreater(int(re.search(r'([0-9]+) points not reached', out).group(1)), 100)

    def test_equal_seeds_give_equal_files(self):
        hashes = set()
        for seed in (1, 1, 2):
            hashes.add(re.search(r'hash +([0-9a-f]{16})', self.fly('--variation', 'bdbcd', '--set', f'seed={seed}')).group(1))
        self.assertEqual(len(hashes), 2)

    def test_a_sweep_merges_statistics(self):
        self.fly()
        done = subprocess.run([SWARM, 'sweep', SHARKS, '--out', self.folder.name, '--jobs', '2', '--set', 'sweep.for.seed=[1, 2]',
                               '--set', 'outputs.coverage.cell=0'], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows()
        self.assertEqual(len(rows), 5 * 2 * 4)
        self.assertEqual({row['run'] for row in rows}, {str(run) for run in range(10)})
        self.assertEqual([row['variation'] for row in self.rows('runs.csv')], [v for v in ('bcd', 'avbcd', 'bdbcd', 'corrected', 'vehicles') for _ in range(2)])

    def test_bad_input_is_one_line(self):
        for args, text in (
                (('--set', 'space.boundary=[[0, 0], [1, 1]]'), 'space.boundary: must be a list of 3 to 64 corners'),
                (('--set', 'plan.altitude=0.1'), 'make more than 100000 squares'),
                (('--set', 'outputs.coverage.cell=0.05'), 'makes more than 100000000 cells'),
                (('--set', 'space.boundary=[[0, 0], [0, 9], [0, 4]]'), 'no square to fly to'),
                (('--set', 'entities.0.seeks=whale'), "no object is called 'whale'"),
                (('--set', 'entities.0.as=vehicle'), "'as: agent' with 'body: thrust', or 'as: vehicle' with another body"),
                (('--set', 'entities.1.place=[0, 0]'), "an object's place is 'boundary'"),
                (('--set', 'plan.kind=bdbcd', '--set', 'plan.base=shark.1'), "base: 'shark.1' is no member of the team"),
                (('--set', 'plan.kind=bdbcd', '--set', 'entities.0.count=1'), 'nobody is there who searches'),
                (('--set', 'expect=[{never: breach}]'), 'a search takes no expect and no links'),
                (('--set', 'outputs.kml.file=x.kml'), 'a search has csv, stats, coverage, overhead and video'),
                (('--junit', os.path.join(self.folder.name, 'x')), 'a search takes no --checkpoint, --resume, --junit or --profile'),
        ):
            for check in ((), ('--check',)):
                error = self.fly(*args, *check, code=2)
                self.assertIn(text, error)
                self.assertEqual(error.count('\n'), 1, error)

    def test_what_needs_a_plan_says_so(self):
        with open(os.path.join(self.folder.name, 's.yaml'), 'w', encoding='utf-8') as file:
            file.write('{swarm: 1, time: {end: 1}, entities: [{thing: object}]}')
        done = subprocess.run([SWARM, file.name], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('body thrust, thing and seeks need a plan', done.stderr)


if __name__ == '__main__':
    unittest.main()
