# SPDX-License-Identifier: Apache-2.0
"""Components of mayfly-swarm (docs/swarm-manual.md): programs beside a run, which never delay or reorder it. SBE-16."""
import re

import pytest

from names import assert_names
from swarm_case import SwarmCase, hash_of

WORLD = '''
swarm: 1
seed: 4
time: {clock: fast, end: 20}
entities: [{name: a, count: 5, as: agent, place: {grid: [5, 1], spacing: 10}, behaviour: walk}]
outputs: {csv: {file: a.csv, every: 0.1}, events: {file: e.csv}}
'''


class Components(SwarmCase):
    def run_swarm(self, components='[]', more=''):
        return self.swarm(WORLD + f'components: {components}\n' + more), self.bytes('a.csv') + self.bytes('e.csv')

    @pytest.mark.long
    def test_sbe16_a_component_that_sleeps_delays_and_reorders_nothing(self):
        """SBE-16: one that sleeps for longer than this test, one that ends at once, one that takes all. By hand: 5 members, 20 s, every
        0.1 s and at 0: 1005 lines. The sleeper's pipe holds 64 kB, one line is on its way, 10 wait; the run is the same as without them."""
        alone, files = self.run_swarm()
        out, same = self.run_swarm('[{run: "sleep 1000", every: 0.001, queue: 10}, {run: "true", every: 0.1}, '
                                   f'{{run: "cat >{self.path("all.csv")}", every: 0.1, queue: 2000}}, '
                                   f'{{run: "cat >{self.path("one.csv")}", every: 1, of: a.2}}]')
        self.assertEqual(same, files)
        self.assertEqual(hash_of(out), hash_of(alone))
        told = {run: (int(lines), int(dropped)) for run, lines, dropped in re.findall(r'^component (.*): (\d+) lines, (\d+) dropped$', out, re.M)}
        sleeper = told['sleep 1000']
        self.assertEqual(sleeper[0], 5 * 20001)
        self.assertGreater(sleeper[1], 5 * 20001 - 65536 // 30 - 11)
        self.assertEqual(told['true'][0], 1005)
        self.assertEqual(told[f'cat >{self.path("all.csv")}'], (1005, 0))
        rows = [line.split(',') for line in self.text('all.csv').splitlines()]
        self.assertEqual([row[:2] for row in rows], [[f'{t / 10:.6f}', f'a.{k}'] for t in range(201) for k in range(1, 6)])
        self.assertTrue(all(len(row) == 10 for row in rows))
        self.assertEqual([float(x) for x in rows[1][2:5]], [0.0, 10.0, 0.0])
        self.assertEqual(self.text('one.csv').count('\n'), 21)

    def test_what_is_refused(self):
        for components, what in (('[{every: 1}]', 'components run'), ('[{run: x, of: b}]', ":7 'b'"),
                                 ('[{run: x, queue: 0}]', 'components.0.queue 0 1'), ('[a, b, c, d, e]', 'components 4')):
            assert_names(self.swarm(WORLD + f'components: {components}\n', code=2), what)
