# SPDX-License-Identifier: Apache-2.0
"""An operator over the control API: the clock of every kind of run, commands and tasks in worlds that go by steps (docs/swarm-manual.md)."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

import pytest

from http_client import JSON, ask_document
from names import assert_names
from paths import SCENARIOS, SWARM
from ports import free_port
from waiting import wait_until

PACKAGES = os.path.join(SCENARIOS, 'package_delivery.yaml')
PATIENCE_S = 20


class Run:
    """A run with a control API, that stands from the beginning if it has steps."""

    def __init__(self, scenario, *args, steps=True):
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_port()
        args = (scenario, '--out', self.folder.name, '--set', f'links.api={self.port}', *args, *(('--step',) if steps else ()))
        self.process = subprocess.Popen([SWARM, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: self.process.poll() is not None or self.ask('/healthz'), 'the control API')
        assert self.process.poll() is None, self.process.communicate()[1]

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
        data = raw if raw is not None else None if body is None else json.dumps(body)
        return ask_document(self.port, method or ('GET' if data is None else 'POST'), path, data, JSON)

    def clock(self, **order):
        status, answer = self.ask('/v1/clock', order or None)
        return answer if status == 200 else (status, answer['error'])

    def until(self, holds):
        """The clock when it is so."""
        def held():
            now = self.clock()
            return now if holds(now) else None
        return wait_until(held, 'the clock')


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
            run.clock(action='run', seconds=step_s / 2)     # time passes, and perhaps nothing happens
            self.assertAlmostEqual(run.until(lambda now: now['held'])['time_s'], begin + 2.5 * step_s + 7, 6)
            run.clock(action='run', seconds=step_s / 2)
            run.until(lambda now: now['held'])
            run.clock(clock='real', rate=50)
            before_s = run.clock()['wall_s']
            from_s = run.clock(action='resume')['time_s']
            after_s = run.clock()['wall_s']
            now = run.until(lambda now: now['wall_s'] > after_s + 0.3 and now['time_s'] > from_s + 10)
            self.assertLess(now['time_s'], from_s + 50 * (now['wall_s'] - before_s) + 1)
            self.assertEqual((now['clock'], now['rate']), ('real', 50))
            run.clock(action='hold')    # or it would end before it is asked again
            self.assertEqual(run.clock(clock='fast')['clock'], 'fast')
            assert_names(str(run.clock(action='jump')), '422 action hold run step resume jump')
            assert_names(str(run.clock(clock='slow')), '422 clock real fast slow')
            assert_names(str(run.clock(rate=2)), '409 rate clock real')
            self.assertEqual(run.ask('/v1/clock', raw=b'{"action": ')[0], 400)

    def test_lds10_of_cells(self):
        """LDS-10."""
        self.passes(PACKAGES, 1)

    @pytest.mark.long
    def test_of_a_search(self):
        self.passes(os.path.join(SCENARIOS, 'sharks.yaml'), 0.01)

    def test_of_vehicles(self):
        self.passes(os.path.join(SCENARIOS, 'ring.yaml'), 1, '--set', 'time.clock=x20', steps=False)

    @pytest.mark.long
    def test_of_agents(self):
        self.passes(os.path.join(SCENARIOS, 'walkers.yaml'), 1, '--set', 'entities.0.as=agent', '--set', 'entities.0.count=50', '--set', 'time.clock=x5', '--set', 'time.end=10000',
                    steps=False)

    def test_a_world_stays_for_its_clients_and_does_what_it_would_do(self):
        with tempfile.TemporaryDirectory() as folder:
            plain = subprocess.run([SWARM, PACKAGES, '--out', folder], capture_output=True, text=True, timeout=60, check=True).stdout
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

    def test_signals_hold_a_world_of_cells(self):
        with Run(PACKAGES, '--set', 'time.clock=x20', steps=False) as run:
            run.process.send_signal(signal.SIGUSR1)
            begin = run.until(lambda now: now['held'])['time_s']
            run.process.send_signal(signal.SIGUSR2)
            now = run.until(lambda now: now['time_s'] > begin)
            self.assertEqual((now['time_s'], run.clock()['held']), (begin + 1, True))
            run.process.send_signal(signal.SIGUSR1)
            run.until(lambda now: now['time_s'] > begin + 3)

    def test_only_an_api(self):
        done = subprocess.run([SWARM, PACKAGES, '--set', 'links.group=25000'], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        assert_names(done.stderr, 'links api')


class Operator(unittest.TestCase):
    """Commands of step mode and tasks, asked for from outside."""

    def command(self, run, text):
        status, answer = run.ask('/v1/console', {'command': text})
        return answer['shown'] if status == 200 else (status, answer['error'])

    def steps(self, run, count):
        self.command(run, f'step {count}')
        return run.until(lambda now: now['held'])

    def test_lds10_what_is_said_on_stdin_may_be_said_here(self):
        """LDS-10: The commands of test_swarm_grid.test_lds10_a_person_changes_the_world give one run, whoever says them."""
        lines = ('add 0,1', 'block 5,12', 'set drone.1.battery 500', 'step 2', 'goto drone.2 1,1', 'target 9 0,0', 'step 20', 'release drone.2',
                 'step 110', 'play')
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run([SWARM, PACKAGES, '--step', '--out', folder], input='\n'.join(lines) + '\n', capture_output=True, text=True,
                                  timeout=60, check=True).stdout
        with Run(PACKAGES) as run:
            for line in lines:
                self.assertIsInstance(self.command(run, line), str)
                run.until(lambda now: now['held'] or now['idle'])
            out = run.end()
        self.assertEqual(re.search('hash +(.*)', out)[1], re.search('hash +(.*)', told)[1])
        self.assertRegex(out, r'cells +4\D+9\D+9\D')

    def test_lds10_a_world_is_shown(self):
        with Run(PACKAGES) as run:
            self.assertEqual(self.steps(run, 3)['time_s'], 3)
            world = run.ask('/v1/world')[1]
            self.assertEqual((world['kind'], world['tick'], world['size']), ('cells', 3, [24, 24, 1]))
            self.assertEqual([(d['name'], d['cell'], d['battery_mah'], d['task']) for d in world['drones']],
                             [('drone.1', [1, 2, 0], 2490, 1), ('drone.2', [1, 4, 0], 2490, 2), ('drone.3', [1, 6, 0], 2490, 3)])
            self.assertEqual([task['id'] for task in world['tasks']], list(range(1, 10)))
            rows = world['map'][0].splitlines()
            self.assertEqual((len(rows), [row[:2] for row in rows[-7:-1:2]]), (24, ['.3', '.2', '.1']))
            self.assertIn('drone.1          underway   at 1,2,0', self.command(run, 'show'))
            document = run.ask('/openapi.json')[1]['paths']
            schema = {path: document[path][method]['responses']['200']['content']['application/json']['schema']['properties']
                      for path, method in (('/v1/world', 'get'), ('/v1/tasks', 'post'), ('/v1/console', 'post'), ('/v1/clock', 'get'))}
            self.assertEqual(set(schema['/v1/world']), set(world))
            self.assertEqual(set(schema['/v1/clock']), set(run.clock()))
            request = document['/v1/tasks']['post']['requestBody']['content']['application/json']['schema']
            keys = subprocess.run([SWARM, '--keys'], capture_output=True, text=True, timeout=60, check=True).stdout
            of_tasks = re.search(r'\n  tasks  .*\n((?:    .*\n)*)', keys)[1]
            self.assertEqual((request['required'], set(request['properties'])), ([], set(re.findall(r'^    (\S+)', of_tasks, re.M))))
            self.assertEqual(document['/v1/console']['post']['requestBody']['content']['application/json']['schema']['required'], ['command'])
            self.assertEqual(set(document),
                             {'/docs', '/healthz', '/readyz', '/v1/clock', '/openapi.json', '/v1/world', '/v1/console', '/v1/tasks'})

    @pytest.mark.long
    def test_a_large_world_is_shown_as_far_as_it_fits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'large.yaml')
            with open(path, 'w', encoding='utf-8') as file:
                file.write('{swarm: 1, space: {cells: {size: [320, 320]}}, controllers: [{tasks: [{goto: [5, 5]}]}],\n'
                           ' entities: [{name: drone, count: 936, as: agent, body: cell, place: [1, 1]}]}')
            with Run(path) as run:
                self.steps(run, 1)
                world = run.ask('/v1/world')[1]
                self.assertEqual((len(world['drones']), world['map']), (936, []))
                shown = self.command(run, 'show')
                self.assertIn('drone.936 ', shown)
                self.assertIn('\n...', shown)

    def test_lds08_an_operator_gives_tasks(self):
        """To a drone of its own choice while the others are at work, and to a world that is idle already."""
        with Run(PACKAGES) as run:
            self.assertEqual(run.ask('/v1/tasks', {'goto': [3, 9], 'drone': 'drone.3', 'priority': 'high'}), (200, {'task': 10}))
            self.steps(run, 3)
            self.assertEqual([d['task'] for d in run.ask('/v1/world')[1]['drones']], [1, 2, 10])
            self.command(run, 'play')
            before = run.until(lambda now: now['idle'])['time_s']
            self.assertEqual(run.ask('/v1/tasks', {'do': [{'goto': [5, 5]}, {'wait': 3}, {'go_home': True}]}), (200, {'task': 11}))
            now = run.until(lambda now: now['idle'] and now['time_s'] > before)
            self.assertTrue(all(task['done'] for task in run.ask('/v1/world')[1]['tasks']))
            self.assertGreater(now['time_s'], before + 8)
            self.assertRegex(run.end(), r'cells +\d+\D+11\D+11\D')

    @pytest.mark.long
    def test_lds08_what_is_wrong_with_a_task(self):
        with Run(PACKAGES) as run:
            for body, status, text in (({'crry': 7, 'to': [1, 1]}, 422, 'crry carry'),
                                       ({'goto': [3, 99]}, 422, '[3, 99, 0] 24 x 24 x 1'),
                                       ({'grab': 'shoe'}, 422, 'grab shoe actuator'),
                                       ({'goto': [3, 9], 'drone': 'drone.7'}, 422, 'drone.7 drone'),
                                       ({'carry': 7}, 422, 'from carry to: [x, y]'),
                                       ({'carry': '${HOME}', 'to': [1, 1]}, 422, 'HOME'),
                                       ({}, 422, 'task goto from carry'), ([1], 422, 'task map'), ('x', 422, 'task map')):
                with self.subTest(body):
                    got, answer = run.ask('/v1/tasks', body)
                    self.assertEqual(got, status)
                    assert_names(answer['error'], text)
            for raw in (b'', b'{', b'{"goto": [3, 4]} x', b'\xff', b'goto: [3, 4]', b'{"goto": ' + b'[' * 500 + b']' * 500 + b'}'):
                with self.subTest(raw[:20]):
                    self.assertIn(run.ask('/v1/tasks', raw=raw, method='POST')[0], (400, 413, 422))
            for _ in range(64):
                self.assertEqual(run.ask('/v1/tasks', {'wait': 1})[0], 200)
            assert_names(str(run.ask('/v1/tasks', {'wait': 1})), '422 error 64 tasks')
            self.assertEqual(len(run.ask('/v1/world')[1]['tasks']), 73)

    def test_lds10_what_is_wrong_with_a_command(self):
        with Run(PACKAGES) as run:
            before = run.ask('/v1/world')
            for command, text in (('shwo', 'shwo show help'), ('run ls', 'run stdin'),
                                  ('goto drone.9 1,1', 'drone drone.9 drone.1'), ('add 1e300,nan', '1e300,nan'),
                                  ('add 0.5,1', '0.5,1'), ('set drone.1.battery -1', 'set ENTITY.KEY VALUE')):
                with self.subTest(command):
                    self.assertEqual(self.command(run, command)[0], 422)
                    assert_names(self.command(run, command)[1], text)
            status, text = self.command(run, 'x' * 255)
            self.assertEqual((status, 'x' * 100 in text), (422, True), text)
            for body in ({}, {'command': 7}, {'command': 'x' * 256}, {'comand': 'help'}, {'command': 'a', 'b': 1}):
                self.assertEqual(run.ask('/v1/console', body)[0], 422, body)
            self.assertEqual(run.ask('/v1/console', raw=b'{"command": ')[0], 400)
            self.assertEqual(run.ask('/v1/console', method='PUT', body={})[0], 405)
            self.assertEqual(run.ask('/v1/vehicles')[0], 404)
            self.assertEqual(run.ask('/v1/world'), before)
            self.command(run, 'exit')
            self.assertEqual(run.process.wait(PATIENCE_S), 1)       # its expectation does not hold

    @pytest.mark.long
    def test_uav01_an_operator_sends_a_searcher(self):
        with Run(os.path.join(SCENARIOS, 'sharks.yaml')) as run:
            self.steps(run, 2000)
            self.assertEqual(self.command(run, 'goto uav.1 500,400'), '')
            self.assertEqual(self.command(run, 'home uav.3'), '')
            for command, text in (('goto uav.9 5,5', 'member uav.9 uav.1'), ('goto uav.1 5000,5', '5000,5 space.boundary'),
                                  ('goto uav.1 5', '5 NORTH,EAST[,UP]'), ('goto uav.1 5,5,-1', '5,5,-1 ground'), ('task {wait: 1}', 'task help')):
                assert_names(self.command(run, command)[1], text)
            self.steps(run, 2400)           # 24 s at 20 m/s
            world = run.ask('/v1/world')[1]
            self.assertEqual((world['kind'], world['step'], len(world['objects'])), ('search', 4400, 16))
            third = world['members'][2]
            self.assertEqual(third['points_left'], 0)
            self.assertLess(abs(third['north_m']) + abs(third['east_m']), 30)
            self.command(run, 'play')
            run.until(lambda now: now['idle'])
            self.command(run, 'goto 1 100,100')         # it goes on from the end
            run.until(lambda now: not run.ask('/v1/world')[1]['members'][0]['points_left'] and now['idle'])
            first = run.ask('/v1/world')[1]['members'][0]
            self.assertLess(abs(first['north_m'] - 100) + abs(first['east_m'] - 100), 2)
            self.assertRegex(run.end(), r'\D0 points')
