# SPDX-License-Identifier: Apache-2.0
"""Tests of build/mayfly-swarm: each has a folder, in which it flies scenarios and leaves its files."""
import csv
import os
import re
import shlex
import subprocess
import unittest

from connections import Connection
import ledger
from folder_case import FolderCase
from paths import NS3_BRIDGE, SWARM, TOP
from waiting import end_process

# Take-off to 30 m, a leg, a landing. 47.397742 deg: a degree of latitude is 111,178 m (WGS84), so that the leg is 222.36 m.
HOP = '''QGC WPL 110
0 0 3 22 0 0 0 0 47.397742 8.545594 30 1
1 0 3 16 0 0 0 0 47.399742 8.545594 30 1
2 0 3 21 0 0 0 0 47.399742 8.545594 0 1
'''

needs_ns3 = unittest.skipUnless(os.path.exists(NS3_BRIDGE), 'build/ns3-bridge is not there: "make ns3" installs libns3-dev and builds it')


def table(text):
    """Rows of a CSV by the names in its first line: what csv.DictReader gives, in a third of its time."""
    rows = csv.reader(text.splitlines())
    names = next(rows)
    return [dict(zip(names, row)) for row in rows]


def options(*keys):
    """Arguments that set these keys of a scenario."""
    return [word for key in keys for word in ('--set', key)]


def hashes_of(output):
    """The hashes that runs have printed."""
    return re.findall(r'^hash +([0-9a-f]{16})$', output, re.M)


def hash_of(output):
    """The hash of all vehicles, by what a run has printed."""
    return hashes_of(output)[0]


def stop(process):
    end_process(process)
    process.communicate()


class SwarmCase(FolderCase):
    in_ledger = True  # False: the wall's clock, or how many cases a test takes, has a say in its hashes

    def setUp(self):
        super().setUp()
        self.hashes = []  # of its runs
        self.write('hop.waypoints', HOP)
        self.addCleanup(Connection.close_all)

    def tearDown(self):
        super().tearDown()
        ledger.compare(self.id(), self.hashes if self.in_ledger else [])

    def scenario(self, text):
        """The path of a scenario; its first line, 'swarm: 1', may be left out."""
        return self.write('s.yaml', text if 'swarm: 1' in text else 'swarm: 1\n' + text)

    def swarm(self, scenario, *args, code=0, out='', **more):
        """A whole run of a scenario, as text or by its path: what it says on stdout; of bad input, exit code 2, on stderr."""
        path = scenario if os.path.exists(scenario) else self.scenario(scenario)
        return self.run_program(SWARM, path, '--out', self.path(out), *args, code=code, **more)

    def run_program(self, *argv, code=0, timeout=120, **more):
        done = subprocess.run(argv, text=True, timeout=timeout, check=False, **{'capture_output': True, **more})
        self.assertEqual(done.returncode, code, (done.stdout, done.stderr))
        self.hashes += hashes_of(done.stdout or '')
        return done.stderr if code == 2 else done.stdout

    def run_line(self, line):
        """A command of a page as it stands, but for this test's folder instead of /tmp."""
        line = line.replace('/tmp', self.folder).replace('build/mayfly-swarm', shlex.quote(SWARM))
        return self.run_program('sh', '-c', line, cwd=TOP)

    def refused(self, scenario, *args, out='', **more):
        """The one line about bad input."""
        error = self.swarm(scenario, *args, out=out, code=2, **more)
        self.assertEqual(error.count('\n'), 1, error)
        return error

    def rows(self, name):
        return table(self.text(name))

    # ---- runs that go on beside the test

    def start(self, *args, **more):
        process = subprocess.Popen([SWARM, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(stop, process)
        return process

    def ports(self, process, *keys):
        """The ports that it says it listens at, for keys of a scenario such as gzuav."""
        found = {key: [] for key in keys}
        while any(len(found[key]) < keys.count(key) for key in keys):
            line = process.stderr.readline()
            self.assertNotEqual(line, '', process.poll())
            for key in found:
                found[key] += map(int, re.findall(rf'\b{key}: port (\d+)', line))
        return [found[key].pop(0) for key in keys]

    def finish(self, process, code=0, timeout=120):
        """(stdout, stderr)"""
        out, err = process.communicate(timeout=timeout)
        self.assertEqual(process.returncode, code, out + (err or ''))
        self.hashes += hashes_of(out)
        return out, err


class RunCase(SwarmCase):
    """Tests of one run after the other, self.process, whose trace is a file."""
    process = None

    def begin(self, scenario, *args, trace='trace.txt'):
        self.process = self.start(self.scenario(scenario), '--out', self.folder, '--trace', self.path(trace), *args)

    def end(self, code=0):
        """(stdout, stderr)"""
        return self.finish(self.process, code)

    def trace(self, name='trace.txt'):
        return self.text(name).splitlines()
