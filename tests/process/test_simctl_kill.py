# SPDX-License-Identifier: Apache-2.0
"""build/simctl over processes of this machine: kill -9 at random moments of a storm of requests, and many cycles.

MF_SEED chooses the moments. A failure prints the line that repeats it."""
import contextlib
import http.client
import os
import random
import tempfile
import threading
import time
import unittest

import pytest

from local_controller import Controller, templates
from process_table import is_alive
from waiting import wait_until

KILLS, CYCLES = 10, 100
SEED = int(os.environ.get('MF_SEED', '1'))
CALLERS, AT_ONCE = 4, 10
BRIEF = '''\
lifetime: {default: 60s, max: 10m}
ttl: 0
pod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}
'''


def processes(ids):
    """{id: process ids} of all processes that belong to instances, whoever began them."""
    found = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError), open(f'/proc/{pid}/environ', 'rb') as f:
            for line in f.read().split(b'\0'):
                name, _, value = line.partition(b'=')
                if name == b'SIMCTL_INSTANCE' and value.decode() in ids and is_alive(pid):
                    found.setdefault(value.decode(), []).append(int(pid))
    return found


class Storm(threading.Thread):
    """A caller that creates and ends, and repeats what was not answered until it is."""

    def __init__(self, test, number):
        super().__init__()
        self.test, self.number, self.rng = test, number, random.Random(f'{SEED}/{number}')
        self.created, self.ended, self.failures = [], set(), []

    def ask(self, method, path, body=None):
        return wait_until(lambda: self.test.controller.ask(method, path, body), f'{method} {path}: an answer',
                          errors=(OSError, http.client.HTTPException, ValueError))

    def step(self, n):
        if self.created and self.rng.random() < 0.4:
            one = self.rng.choice(self.created)
            status, answer = self.ask('DELETE', f'/v1/instances/{one}')
            self.ended.add(one)
        else:
            order = {'request': f'{self.number}/{n}', 'count': self.rng.randint(1, 3), 'lifetime': '10m', 'labels': {'storm': 'yes'}}
            status, answer = self.ask('POST', '/v1/instances', order)
            self.created += [i['id'] for i in answer.get('instances', [])]
        if status not in (200, 201):
            self.failures.append((status, answer))

    def run(self):
        n = 0
        while not self.test.calm.is_set() and len(self.created) < 60:
            try:
                self.step(n)
            except AssertionError as error:
                self.failures.append(error)
                return
            n += 1


class Kills(unittest.TestCase):
    @pytest.mark.long
    def test_sim006_kill_9_in_a_storm_loses_nothing(self):
        print(f'reproduce: MF_SEED={SEED} MF_LONG=1 make process ONLY=test_simctl_kill.py')
        rng = random.Random(SEED)
        with tempfile.TemporaryDirectory() as folder:
            self.state, self.calm = os.path.join(folder, 'state'), threading.Event()
            self.controller = Controller('--state', self.state)
            address = self.controller.url.split('//')[1]
            storms = [Storm(self, n) for n in range(CALLERS)]
            for storm in storms:
                storm.start()
            for _ in range(KILLS):
                time.sleep(rng.uniform(0.001, 0.15))
                self.controller.kill()
                self.controller = Controller('--state', self.state, '--listen', address)
            self.calm.set()
            for storm in storms:
                storm.join()
            with self.controller as c:
                self.check(c, storms)
            self.assertEqual(processes({i for s in storms for i in s.created}), {})

    def check(self, c, storms):
        self.assertEqual([s.failures for s in storms], [[]] * len(storms))
        created, ended = {i for s in storms for i in s.created}, {i for s in storms for i in s.ended}
        living = created - ended

        def settled():
            states = {i['id']: i['state'] for i in c.ask('GET', '/v1/instances?label=storm=yes&limit=2000')[1]['instances']}
            return states if all(states.get(i) == 'ready' for i in living) and all(states.get(i) == 'ended' for i in ended) else None
        states = wait_until(settled, 'each is ready or has ended')
        self.assertEqual(set(states), created)             # none that nobody asked for
        found = processes(set(states))
        self.assertEqual(set(found), living)                # nor does one run that has ended, or one twice
        self.assertEqual({i for i, pids in found.items() if len(pids) != 1}, set())
        print(f'note: {len(created)} instances, {len(ended)} of them ended, {KILLS} kills')


def resident_kb(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as f:
        return next(int(line.split()[1]) for line in f if line.startswith('VmRSS'))


class Cycles(unittest.TestCase):
    @pytest.mark.long
    def test_nothing_leaks(self):
        """Processes, descriptors, memory and files, of instances that begin and end."""
        with templates(brief=BRIEF) as folder, tempfile.TemporaryDirectory() as state, \
                Controller('--templates', folder, '--state', state) as c:
            self.cycle(c, 50)
            descriptors, memory = len(os.listdir(f'/proc/{c.process.pid}/fd')), resident_kb(c.process.pid)
            self.cycle(c, CYCLES)
            self.assertEqual(os.listdir(state), [])
            self.assertEqual(c.ask('GET', '/v1/instances')[1]['instances'], [])
            self.assertLessEqual(len(os.listdir(f'/proc/{c.process.pid}/fd')), descriptors + 3)
            grown = resident_kb(c.process.pid) - memory
            print(f'note: {CYCLES} cycles, {grown} kB more')
            self.assertLess(grown, 1024)

    def cycle(self, c, count):
        for _ in range(0, count, AT_ONCE):
            begun = c.start(template='brief', count=AT_ONCE)
            self.assertEqual([one for one in begun if one['state'] != 'ready'], [])
            ids = [one['id'] for one in begun]
            for one in ids:
                status, answer = c.ask('DELETE', '/v1/instances/' + one)
                self.assertEqual(status, 200, answer)
            wait_until(lambda: not c.ask('GET', '/v1/instances')[1]['instances'], 'all have ended')
            self.assertEqual(processes(set(ids)), {})
