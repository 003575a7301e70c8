# SPDX-License-Identifier: Apache-2.0
"""mayfly-swarm compare: a run beside recorded flights whose differences are known."""
import os
import re

from paths import SWARM, TOP
from swarm_case import SwarmCase

# two members on one plan, each from its own place; begun at another time and as far away as is asked for
WORLD = '''
swarm: 1
time: {{clock: fast, end: 120}}
entities: [{{name: d, count: 2, place: {{list: [[{0}, 0], [{1}, 0]]}}, plan: {2}/docs/square.plan, start: {3}}}]
outputs: {{csv: {{file: run.csv, every: 0.5}}, tlog: {{file: "%n.tlog", of: d}}}}
'''


class Compare(SwarmCase):
    def fly(self, name, first, second, start):
        self.swarm(WORLD.format(first, second, TOP, start), out=name)
        return self.path(name)

    def compare(self, *files, code=0):
        return self.run_program(SWARM, 'compare', *files, code=code)

    def test_what_is_known(self):
        """Flights begin 7 s later, 3 m and 1 m farther north, so they are 18 m apart, not 20 m: time counts from the take-off."""
        run, flown = self.fly('run', 0, 20, 1), self.fly('flown', 3, 21, 8)
        said = self.compare(os.path.join(run, 'run.csv'), os.path.join(flown, '1.tlog'), os.path.join(flown, '2.tlog'))
        positions = re.findall(r'^position +(\S+), (\S+): .* ([\d.]+) m \D+([\d.]+) m rms, ([\d.]+) m ', said, re.M)
        self.assertEqual([p[:2] for p in positions], [('d.1', '1.tlog'), ('d.2', '2.tlog')])
        for (*_, mean, rms, most), metres in zip(positions, (3, 1)):
            self.assertAlmostEqual(float(mean), metres, delta=0.3)
            self.assertAlmostEqual(float(rms), metres, delta=0.3)
            self.assertLess(float(most), metres + 4)  # a corner is turned at most half a sample apart, at 5 m/s
        a, b, differ = map(float, re.search(r'^spacing +([\d.]+) m \D+([\d.]+) m .*: ([+-][\d.]+) m$', said, re.M).groups())
        self.assertAlmostEqual(a, 20, delta=0.3)
        self.assertAlmostEqual(b, 18, delta=0.3)
        self.assertAlmostEqual(differ, 2, delta=0.3)
        n, m, both, share = re.search(r'^coverage +(\d+)\D+(\d+)\D+10 m, (\d+)\D+([\d.]+) ', said, re.M).groups()
        self.assertAlmostEqual(float(share), int(both) / (int(n) + int(m) - int(both)), places=3)
        self.assertGreater(int(both), 0)
