# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md in the working tree. Those of other doors: tests/interop/test_mavsdk4.py (app developers),
tools/pytest-mayfly/tests/test_readme.py (testers), test_api_fly.py (operators), test_swarm.py (researchers), test_containers.py
(platform engineers). make doors runs all of them on a clean machine."""
import os
import pty
import re
import subprocess
import unittest

import documents
from paths import FLY, MAYFLY, TOP, built

EMBEDDED = documents.commands('README.md', 'Embedded engineers')


class Readme(unittest.TestCase):
    def test_make_knows_every_goal(self):
        listed = subprocess.run(['make', 'help'], cwd=TOP, capture_output=True, text=True, check=True).stdout
        known = set(re.findall(r'^  make (\S+)', listed, re.M)) | set(' '.join(re.findall(r'^  also: (.*)$', listed, re.M)).split())
        with open(os.path.join(TOP, 'README.md'), encoding='utf-8') as f:
            goals = {goal for line in re.findall(r'(?:^|`)make ([a-z][\w/ -]*)', f.read(), re.M) for goal in line.split() if goal.islower()}
        self.assertLessEqual({'run', 'test', 'lib', 'image', 'unit', 'build/minimal'}, goals)
        self.assertEqual({goal for goal in goals if not goal.startswith('build/')} - known, set())

    def test_the_shortest_board_flies(self):
        run = [line.split('#')[0].strip() for line in EMBEDDED if not line.startswith('make ')]
        self.assertEqual(run, ['build/minimal'])
        said = subprocess.run([built('minimal')], cwd=TOP, capture_output=True, text=True, timeout=120, check=True).stdout
        events = re.findall(r'HEARTBEAT: (\w+)', said)
        self.assertEqual(events, ['disarmed', 'armed', 'disarmed'])

    def test_each_line_of_the_demonstration_is_of_one_program(self):
        """On a terminal, where fly alone rewrites the line that shows its progress."""
        master, slave = pty.openpty()
        said = b''
        with subprocess.Popen(['sh', 'ci/flight.sh', MAYFLY, FLY, '--clock', 'x20'], cwd=TOP, stdout=slave, stderr=slave,
                              env={**os.environ, 'TERM': 'xterm'}) as demo:
            os.close(slave)
            try:
                while more := os.read(master, 65536):
                    said += more
            except OSError:     # all that wrote to the terminal have ended
                pass
            self.assertEqual(demo.wait(120), 0)
        os.close(master)
        lines = said.decode().replace('\r\n', '\n').split('\n')
        self.assertGreaterEqual(len([line for line in lines if line.startswith('T+')]), 20)     # fly's
        self.assertGreaterEqual(len([line for line in lines if re.match(r' +\d+\.\d{3} \w', line)]), 10)     # the drone's
        self.assertEqual([line for line in lines if '\r' in line or '\x1b' in line], [])
