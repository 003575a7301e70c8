# SPDX-License-Identifier: Apache-2.0
"""An assertion that fails within a vehicle of a swarm, by build/swarm_breaks: mayfly-swarm with a deliberate error."""
import os
import re
import subprocess

from paths import built
from swarm_case import SwarmCase, hash_of

SCENARIO = '''swarm: 1
entities:
  - {name: a, count: 40, place: {grid: [10, 4]}, plan: hop.waypoints}
  - {name: b, count: 3, place: [-100, 0], plan: hop.waypoints}
outputs: {csv: {file: s.csv, every: 5}, events: e.csv}
expect:
  - {event: finished}
  - {of: a.1, event: finished}
  - {of: b, never: frozen}
'''


class Breaks(SwarmCase):
    def run_swarm(self, breaks, code, *args, program='tests/process/swarm_breaks'):
        done = subprocess.run([built(program), self.scenario(SCENARIO), '--out', self.folder, *args],
                              env={**os.environ, 'BREAKS': breaks}, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def lines(self, name):
        """What is written of each member."""
        members = {}
        for row in self.rows(name):
            members.setdefault(row['member'], []).append(row)
        return members

    def test_without_the_error_it_is_mayfly_swarm(self):
        ours, _ = self.run_swarm('', 0)
        shipped, _ = self.run_swarm('7,42', 0, program='mayfly-swarm')
        self.assertEqual(hash_of(ours), hash_of(shipped))

    def test_a_broken_vehicle_is_frozen_and_named_and_the_others_fly_on(self):
        """By hand: the climb from 1 s on lasts 10 s, so that the first step after 10 s is at its end, at 11 s. Number 42 is b.2."""
        self.run_swarm('', 0)
        whole = self.lines('s.csv')
        for threads in ('1', '4'):
            out, error = self.run_swarm('7,42', 3, '--threads', threads)
            self.assertRegex(out, r'vehicles +43\D+41\D+43\D+0\D+2\D')
            for name, number in (('a.7', 7), ('b.2', 42)):
                self.assertRegex(error, rf'mayfly-swarm: {re.escape(name)} .*instance {number}: .*, tests/process/swarm_breaks\.c:\d+, .* 11\.00')
            self.assertEqual(error.count('instance'), 2)
            self.assertRegex(out, r'FAILED  everybody: finished \(line 7\): a\.7 .* 2 of 43')
            self.assertIn('ok      a.1: finished (line 8)', out)
            self.assertRegex(out, r'FAILED  b: never frozen \(line 9\): b\.2 .* 11\.00')
            samples = self.lines('s.csv')
            for member, rows in whole.items():
                if member in ('a.7', 'b.2'):  # up to its end it did what it does otherwise
                    self.assertEqual(samples[member], rows[:3])
                else:
                    self.assertEqual(samples[member][:len(rows)], rows[:len(samples[member])])
            frozen = [(rows[-1]['member'], rows[-1]['event']) for rows in self.lines('e.csv').values() if rows[-1]['event'] == 'frozen']
            self.assertEqual(frozen, [('a.7', 'frozen'), ('b.2', 'frozen')])

    def test_a_checkpoint_remembers_who_is_frozen(self):
        checkpoint = self.path('c')
        whole, _ = self.run_swarm('7', 3)
        first, error = self.run_swarm('7', 3, '--checkpoint', checkpoint, '--at', '20')
        self.assertRegex(error, r'mayfly-swarm: a\.7 .*instance 7: ')
        second, error = self.run_swarm('', 3, '--resume', checkpoint)
        self.assertRegex(second, r'vehicles +43\D+42\D+43\D+0\D+1\D')
        self.assertNotIn('instance', error)
        hashes = [hash_of(out) for out in (whole, second, first)]
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[0], hashes[2])
