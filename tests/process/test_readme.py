#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md in the working tree. Those of other doors: tests/interop/test_mavsdk4.py (app developers),
tools/pytest-mayfly/tests/test_readme.py (testers), test_api_fly.py (operators), test_swarm.py (researchers), test_containers.py
(platform engineers). make doors runs all of them on a clean machine."""
import os
import re
import subprocess
import sys
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'tests', 'lib'))
import documents  # noqa: E402

BUILD = os.environ.get('BUILD', 'build')
EMBEDDED = documents.commands('README.md', 'Embedded engineers')


class Readme(unittest.TestCase):
    def test_make_knows_every_goal(self):
        with open(os.path.join(TOP, 'Makefile'), encoding='utf-8') as f:
            known = set(re.findall(r'^## (\S+) ', f.read(), re.M))
        with open(os.path.join(TOP, 'README.md'), encoding='utf-8') as f:
            goals = {goal for line in re.findall(r'(?:^|`)make ([a-z][\w/ -]*)', f.read(), re.M) for goal in line.split() if goal.islower()}
        self.assertLessEqual({'run', 'test', 'lib', 'image', 'unit', 'build/minimal'}, goals)
        self.assertEqual({goal for goal in goals if not goal.startswith('build/')} - known, set())

    def test_the_shortest_board_flies(self):
        run = [line.split('#')[0].strip() for line in EMBEDDED if not line.startswith('make ')]
        self.assertEqual(run, ['build/minimal'])
        said = subprocess.run([os.path.join(BUILD, 'minimal')], cwd=TOP, capture_output=True, text=True, timeout=120, check=True).stdout
        events = re.findall(r'HEARTBEAT: (\w+)', said)
        self.assertEqual(events, ['disarmed', 'armed', 'disarmed'])


if __name__ == '__main__':
    unittest.main()
