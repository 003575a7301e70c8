# SPDX-License-Identifier: Apache-2.0
"""A test case with a folder of its own, in which mayfly-swarm flies scenarios and leaves its files."""
import csv
import os
import subprocess
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
SWARM = os.path.join(BUILD, 'mayfly-swarm')
EXAMPLES = os.path.join(TOP, 'examples', 'scenarios')


def table(text):
    """Rows of a CSV by the names in its first line: what csv.DictReader gives, in a third of its time."""
    rows = csv.reader(text.splitlines())
    names = next(rows)
    return [dict(zip(names, row)) for row in rows]


class SwarmCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def swarm(self, scenario, *args, code=0):
        """What it says on stdout; of bad input, exit code 2, on stderr."""
        done = subprocess.run([SWARM, scenario, '--out', self.folder.name, *args], capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code != 2 else done.stderr

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, text):
        with open(self.path('s.yaml'), 'w', encoding='utf-8') as f:
            f.write(text)
        return self.path('s.yaml')

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as f:
            return f.read()

    def rows(self, name):
        return table(self.read(name))
