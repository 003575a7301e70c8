#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An operator over the control API: the clock of every kind of run, commands and tasks in worlds that go by steps (docs/swarm.md)."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from test_swarm_links import free_ports

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
SWARM = os.path.join(BUILD, 'mayfly-swarm')
EXAMPLES = os.path.join(TOP, 'examples', 'scenarios')
PACKAGES = os.path.join(EXAMPLES, 'package_delivery.yaml')
PATIENCE_S = 20


class Run:
    """A run with a control API, that stands from the beginning if it has steps."""

    def __init__(self, scenario, *args, steps=True):
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_ports()
        args = (scenario, '--out', self.folder.name, '--set', f'links.api={self.port}', *args, *(('--step',) if steps else ()))
        self.process = subprocess.Popen([SWARM, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self.ask('/healthz')
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(self.process.communicate()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()

    def end(self, number=signal.SIGINT):
        """What it prints when it ends."""
        self.process.send_signal(number)
        return self.process.communicate(timeout=PATIENCE_S)[0]

    def ask(self, path, body=None, method=None, raw=None):
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f'http://127.0.0.1:{self.port}{path}', data, {'Content-Type': 'application/json'},
                                         method=method or ('GET' if data is None else 'POST'))
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as answer:
            return answer.code, json.loads(answer.read())

    def clock(self, **order):
        status, answer = self.ask('/v1/clock', order or None)
        return answer if status == 200 else (status, answer['error'])

    def until(self, holds):
        """The clock when it is so."""
        end = time.monotonic() + PATIENCE_S
        while not holds(now := self.clock()):
            assert time.monotonic() < end, now
            time.sleep(0.01)
        return now


class Clock(unittest.TestCase):
    """Time stands, goes on for a while, for a step, and at another pace, whatever the run is made of."""

    def passes(self, scenario, step_s, *args, steps=True):
        with Run(scenario, *args, steps=steps) as run:
            run.clock(action='hold')
            begin = run.until(lambda now: now['held'])['time_s']
            time.sleep(0.05)
            self.assertEqual(run.clock()['time_s'], begin)
            for number in (1, 2):
                run.clock(action='step')
                now = run.until(lambda now: now['held'])
                self.assertAlmostEqual(now['time_s'], begin + number * step_s, 6)
            run.clock(action='run', seconds=4)
            run.clock(action='run', seconds=3)
            self.assertAlmostEqual(run.until(lambda now: now['held'])['time_s'], begin + 2 * step_s + 7, 6)
            run.clock(clock='real', rate=50)
            from_s = run.clock(action='resume')['time_s']
            wall_s = run.clock()['wall_s']
            now = run.until(lambda now: now['wall_s'] > wall_s + 0.3)
            self.assertGreater(now['time_s'], from_s + 10)
            self.assertLess(now['time_s'], from_s + 50 * (now['wall_s'] - wall_s + 0.5))
            self.assertEqual((now['clock'], now['rate']), ('real', 50))
            self.assertEqual(run.clock(clock='fast')['clock'], 'fast')
            self.assertEqual(run.clock(action='jump'), (422, "action must be hold, run, step or resume, not 'jump'"))
            self.assertEqual(run.clock(clock='slow'), (422, "clock must be real or fast, not 'slow'"))
            self.assertEqual(run.clock(rate=2), (409, 'rate: this clock has none; give "clock": "real" too'))
            self.assertEqual(run.ask('/v1/clock', raw=b'{"action": ')[0], 400)

    def test_lds10_of_cells(self):
        self.passes(PACKAGES, 1)

    def test_of_a_search(self):
        self.passes(os.path.join(EXAMPLES, 'sharks.yaml'), 0.01, '--set', 'time.clock=x5', steps=False)

    def test_of_vehicles(self):
        self.passes(os.path.join(EXAMPLES, 'ring.yaml'), 1, '--set', 'time.clock=x20', steps=False)

    def test_of_agents(self):
        self.passes(os.path.join(EXAMPLES, 'walkers.yaml'), 1, '--set', 'entities.0.as=agent', '--set', 'time.clock=x5', '--set', 'time.end=10000',
                    steps=False)

    def test_a_world_stays_for_its_clients_and_does_what_it_would_do(self):
        plain = subprocess.run([SWARM, PACKAGES, '--out', tempfile.gettempdir()], capture_output=True, text=True, timeout=60, check=True).stdout
        with Run(PACKAGES) as run:
            run.clock(action='resume')
            now = run.until(lambda now: now['idle'])
            self.assertFalse(now['held'])
            self.assertEqual(run.clock()['time_s'], now['time_s'])
            out = run.end()
        self.assertEqual(re.search('hash +(.*)', out)[1], re.search('hash +(.*)', plain)[1])
        with Run(PACKAGES, '--set', 'time.end=200') as run:     # an end in seconds is an end
            run.clock(action='resume')
            self.assertEqual(run.process.wait(PATIENCE_S), 0)

    def test_only_an_api(self):
        done = subprocess.run([SWARM, PACKAGES, '--set', 'links.group=25000'], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('links: worlds of cells and searches have only an api', done.stderr)


if __name__ == '__main__':
    unittest.main()
