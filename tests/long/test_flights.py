#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flights that take long: an hour on a page, a square kilometre searched by vehicles with drag."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'process'))
import test_flight_page  # noqa: E402
import test_swarm_search  # noqa: E402
from test_replay import CONFORM, replay  # noqa: E402

MINUTES_60 = '''set motion=physics
set gnss.noise=1.5
set gnss.noise_vertical=2
boot 1772323200
open 0 sim
run 1
send 0 COMMAND_LONG command=400 param1=1
send 0 COMMAND_LONG command=22 param4=nan param5=nan param6=nan param7=520
run 30
send 0 COMMAND_INT command=34 frame=5 param1=40 param2=5 param3=0 x=473977420 y=85455940 z=520
run 3569
'''


class Page(test_flight_page.Read):
    def test_an_hour_stays_below_two_megabytes(self):
        with open(self.file('hour.txt'), 'w', encoding='utf-8') as f:
            f.write(MINUTES_60)
        made = subprocess.run([CONFORM, '--out', self.path, '--quiet', self.file('hour.txt')], capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        result = replay('--html', self.path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(len(result.stdout), 2e6)
        flight = self.flight_of(result.stdout)
        self.assertGreater(flight['tolerance_m'], 0.05)
        self.assertGreater(len(flight['boots'][0]['samples']), 3000)
        self.assertEqual(len([e for e in flight['boots'][0]['events'] if e['event'] == 'command']), 3)
        self.assertGreater(flight['boots'][0]['samples'][-1][0], 3_599_000)


class Search(test_swarm_search.Flown):
    def test_vehicles_cover_a_square_kilometre_as_agents_do(self):
        """As published by velocities, with turns that overshoot; the visitor of BDBCD takes off when it is needed."""
        self.compare('bcd', 'published_vehicles')


if __name__ == '__main__':
    unittest.main(verbosity=2)
