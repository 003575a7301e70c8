# SPDX-License-Identifier: Apache-2.0
"""The main job of a swarm: ten thousand vehicles fly the survey of tests/data/plans/survey.plan, each from its own place on a
grid of 100 x 100, on the event clock."""
import os

import pytest

from paths import CONFORM, REPLAY, SCENARIOS
from swarm_case import SwarmCase, hash_of

SURVEYS = os.path.join(SCENARIOS, 'surveys.yaml')


@pytest.mark.long
class MainJob(SwarmCase):
    def test_all_missions_are_complete_also_on_two_threads_and_after_a_resume(self):
        """Vehicle 7,312 is recorded: it has links of its own, and is stepped as the others are."""
        one = self.swarm(SURVEYS, '--set', 'outputs.record={file: "%n.mfr", of: surveyor.7312}')
        self.assertRegex(one, r'vehicles +10000\D+10000\D+10000\D')
        for program in (REPLAY, CONFORM):
            self.run_program(program, self.path('7312.mfr'), timeout=300)
        checkpoint = self.path('checkpoint')
        self.swarm(SURVEYS, '--checkpoint', checkpoint, '--at', '60')
        hashes = {hash_of(text) for text in (one, self.swarm(SURVEYS, '--threads', '2'), self.swarm(SURVEYS, '--resume', checkpoint))}
        self.assertEqual(len(hashes), 1)
