# SPDX-License-Identifier: Apache-2.0
"""The scenarios of examples/ as they stand, on one thread and on four. Their hashes are in the ledger (tests/lib/ledger.py)."""
import os

import pytest

from cases import cases
from examples import alone
from paths import COSIM, SCENARIOS, SWARM
from swarm_case import SwarmCase, needs_ns3

# Scenarios that end by themselves within seconds. The others go on until a signal, wait for programs that the page starts, or need a
# compiled plug-in, which tests/process/test_swarm_plugins.py compiles.
QUICK = ['airspace', 'field_survey', 'fire_watch', 'gradient', 'hive', 'inspection', 'package_delivery', 'radios', 'relief_delivery', 'rigid',
         'ring', 'search_and_rescue', 'sensors', 'sharks', 'survey_area', 'survey_flock', 'two_drones']
SLOW = ['flock', 'surveys', 'walkers']


class Examples(SwarmCase):
    def run_on_threads(self, names):
        for name in names:
            with self.subTest(name):
                path = os.path.join(SCENARIOS, name + '.yaml')
                one, four = (self.swarm(path, '--threads', n).split('hash')[1].split()[0] for n in '14')
                self.assertEqual(one, four)

    def run_as_they_stand(self, *names):
        for name in names:
            with self.subTest(name), alone(name):
                self.swarm(os.path.join(COSIM, name + '.yaml'))

    def test_threads_change_nothing(self):
        self.run_on_threads(cases(QUICK[::3], QUICK))

    @pytest.mark.long
    def test_threads_change_nothing_of_thousands(self):
        self.run_on_threads(SLOW)

    @pytest.mark.long
    def test_other_programs_take_part(self):
        """Bodies of another program, drones as processes, and a client in virtual time."""
        self.run_as_they_stand('body', 'drones', 'virtual')

    @pytest.mark.long
    @needs_ns3
    def test_ns3_takes_part(self):
        self.run_as_they_stand('lost_station', 'two_networks')

    @pytest.mark.long
    def test_a_sweep(self):
        self.run_program(SWARM, 'sweep', os.path.join(SCENARIOS, 'sharks.yaml'), '--out', self.folder, '--jobs', '2', timeout=600)
        self.hashes += [row['hash'] for row in self.rows('runs.csv')]
