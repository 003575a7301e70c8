#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that a scenario starts (docs/cosim.md): beside the swarm, and unmodified ones on its clock; GZ-05, GZ-16 by the examples."""
import os
import re
import subprocess
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
SWARM = os.path.join(BUILD, 'mayfly-swarm')
EXAMPLES = os.path.join(TOP, 'examples', 'cosim')
PLAIN = '''
swarm: 1
time: {clock: x5, end: 10}
bus: {listen: 0, controllers: 0}
entities:
  - {name: d, as: agent}
'''


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_it(self, path, *sets, code=0):
        args = [SWARM, path, '--out', self.folder.name]
        for key in sets:
            args += ('--set', key)
        done = subprocess.run(args, capture_output=True, text=True, timeout=120, check=False, cwd=TOP)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def plain(self, *processes, code=0):
        path = os.path.join(self.folder.name, 'plain.yaml')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(PLAIN + 'processes:\n' + ''.join(f'  - {p}\n' for p in processes))
        return self.run_it(path, code=code)

    def test_a_program_finds_the_swarm_in_its_environment_and_is_told_to_end(self):
        said = os.path.join(self.folder.name, 'said')
        done = self.plain(f'{{name: teller, run: [sh, -c, "echo $SWARM_BUS_LISTEN $X >{said}; exec sleep 100"], env: {{X: y z}}}}')
        with open(said, encoding='utf-8') as file:
            self.assertRegex(file.read(), r'^127\.0\.0\.1:\d+ y z\n$')
        self.assertRegex(done.stdout, r'process   teller: signal 15 at 10\.000000 s, .* of the wall, told to end')

    def test_the_environment_of_one_is_not_that_of_the_next(self):
        said = os.path.join(self.folder.name, 'said')
        self.plain('{run: [sh, -c, "exit 0"], env: {HOME: /elsewhere, NEW: 1}}', f'{{run: [sh, -c, "echo $HOME $NEW. >{said}"]}}')
        with open(said, encoding='utf-8') as file:
            self.assertEqual(file.read(), os.environ['HOME'] + ' .\n')

    def test_its_code_counts_if_it_ends_by_itself(self):
        self.assertRegex(self.plain('{run: [sh, -c, "exit 7"]}', code=1).stdout, r'process   sh: code 7 at 10\.000000 s')

    def test_what_is_missing_is_refused_before_anything_starts(self):
        for process, text in (('{run: [nowhere-program]}', "processes: there is no program 'nowhere-program'"),
                              ('{name: x}', "processes: 'x' needs run: [PROGRAM, ...]"),
                              ('{run: sh}', 'must be a list of 1 to 24 words'),
                              ('{run: [sh], clock: virtual}', 'processes: programs in virtual time own the swarm\'s: time.clock must be lockstep')):
            self.assertIn(text, self.plain(process, code=2).stderr)

    def test_gz05_an_unmodified_program_on_the_swarms_clock(self):
        told = set()
        for _ in range(2):
            done = self.run_it(os.path.join(EXAMPLES, 'virtual.yaml'))
            self.assertRegex(done.stdout, r'process   those in virtual time: code 0 at 30\.0\d+ s')
            told.add((re.search(r'\d+ bytes in [\d.]+ s', done.stdout)[0], re.search('hash .*', done.stdout)[0]))
        self.assertEqual(len(told), 1, told)
        self.assertIn('bytes in 30.000 s', next(iter(told))[0])

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, 'ns3-bridge')), 'skipped: build/ns3-bridge is not there: make ns3')
    def test_gz16_the_example_of_a_lost_station(self):
        hashes = set()
        for _ in range(2):
            done = self.run_it(os.path.join(EXAMPLES, 'lost_station.yaml'))
            said = re.findall(r'station: (\d+) s: (.*)', done.stdout)
            self.assertEqual([what for _, what in said], ['hears nothing', 'hears the drone', 'hears nothing', 'hears the drone'], said)
            with open(os.path.join(self.folder.name, 'events.csv'), encoding='utf-8') as file:
                hashes.add((tuple(said), file.read(), re.search('hash .*', done.stdout)[0]))
        self.assertEqual(len(hashes), 1)


if __name__ == '__main__':
    unittest.main()
