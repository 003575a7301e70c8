# SPDX-License-Identifier: Apache-2.0
"""The main job of a swarm: ten thousand vehicles fly the survey of tests/data/plans/survey.plan, each from its own place on a
grid of 100 x 100, on the event clock."""
import os
import re
import subprocess

import pytest

from swarm_case import EXAMPLES, SwarmCase, BUILD

SURVEYS = os.path.join(EXAMPLES, 'surveys.yaml')


def replayed(program, recording):
    return subprocess.run([os.path.join(BUILD, program), recording], capture_output=True, text=True, timeout=300, check=True).stdout


@pytest.mark.long
class MainJob(SwarmCase):
    def test_all_missions_are_complete_also_on_two_threads_and_after_a_resume(self):
        """Vehicle 7,312 is recorded: it has links of its own, and is stepped as the others are."""
        one = self.swarm(SURVEYS, '--set', 'outputs.record={file: "%n.mfr", of: surveyor.7312}', '--out', self.folder.name)
        self.assertIn('10000 of 10000 missions finished', one)
        for program in ('replay', 'conform'):
            replayed(program, self.path('7312.mfr'))
        checkpoint = self.path('checkpoint')
        self.swarm(SURVEYS, '--checkpoint', checkpoint, '--at', '60')
        hashes = {re.search(r'^hash +(\w+)$', text, re.M)[1]
                  for text in (one, self.swarm(SURVEYS, '--threads', '2'), self.swarm(SURVEYS, '--resume', checkpoint))}
        self.assertEqual(len(hashes), 1)
