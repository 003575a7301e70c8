# SPDX-License-Identifier: Apache-2.0
"""simctl and pytest as a caller's, who asks the controller in the cluster. run.py prepares the cluster."""
import json
import os
import subprocess
import tempfile
import unittest

import controller
from cluster import wait_until
from paths import FLY, MAYFLY, SIMCTL, TOP, built

PYTHON = built('venv/bin/python')
PATIENCE_S = 120.0


class Commands(unittest.TestCase):
    """By the address of the Service, with a token from a file and the CA of the certificate."""

    @classmethod
    def setUpClass(cls):
        cls.c = controller.begin()
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        path = os.path.join(cls.folder, 'token')
        with open(path, 'w', encoding='ascii') as f:
            f.write(cls.c.bearer + '\n')
        cls.environment = dict(os.environ, MAYFLY_CONTROLLER=f'https://{cls.c.host}', MAYFLY_CONTROLLER_TOKEN=path,
                               MAYFLY_CONTROLLER_CA=os.path.join(controller.WORK, 'tls.crt'))

    def simctl(self, *words, code=0):
        done = subprocess.run([SIMCTL, *words], env=self.environment, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_the_same_as_on_a_laptop(self):
        self.addCleanup(self.c.insist, 'DELETE', '/v1/instances?label=suite=commands')
        lines = self.simctl('up', '--template', 'fleet', '--n', '2', '--lifetime', '90s', '--label', 'suite=commands').splitlines()
        one, state, mavsdk, api = lines[0].split()
        self.assertEqual((len(lines), state), (2, 'ready'))
        self.assertRegex(mavsdk + ' ' + api, r'^tcpout://10\.88\.77\.\d+:5760 http://10\.88\.77\.\d+:5759$')
        self.assertIn(f'{one}     fleet            ready     -', self.simctl('ls', '--label', 'suite=commands'))
        self.assertEqual(json.loads(self.simctl('wait', one, '--ready'))['state'], 'ready')
        self.assertEqual(json.loads(self.simctl('show', one))['labels'], {'suite': 'commands'})
        self.assertIn('"event":"start"', self.simctl('logs', one))
        self.assertIn('SuccessfulCreate: Created pod', self.simctl('events', one))
        self.assertIn('fleet: a drone alone', self.simctl('templates'))
        self.simctl('extend', one, '--lifetime', '2m', code=1)
        self.simctl('rm', '--label', 'suite=commands')
        self.assertEqual([i['outcome'] for i in self.c.all_ended(suite='commands')], ['ended', 'ended'])

    def test_a_command_reaches_a_drone_by_a_port_of_the_node(self):
        """Outside of the cluster its environment has the addresses that are outside, too."""
        fly = 'echo $MAYFLY_TCP; exec "$FLY" --takeoff-alt 3 --side 10 --timeout 60 --quiet tcp:$MAYFLY_TCP'
        self.environment['FLY'] = FLY
        said = self.simctl('run', '--template', 'outside', '--lifetime', '90s', '--label', 'suite=node', '--', 'sh', '-c', fly)
        self.assertRegex(said, r'^10\.88\.77\.1:3\d{4}\n')
        self.assertEqual([i['outcome'] for i in self.c.all_ended(suite='node')], ['ended'])

    def test_sim006_simctl_run_is_killed(self):
        run = subprocess.Popen([SIMCTL, 'run', '--template', 'fleet', '--n', '3', '--lifetime', '5m',
                                '--label', 'suite=held', '--', 'sh', '-c', 'echo $MAYFLY_INSTANCES; exec sleep 1000'],
                               env=self.environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), '3\n')
        self.assertEqual([i['state'] for i in self.c.list(suite='held')], ['ready'] * 3)
        run.kill()
        wait_until(lambda: all(i['reason'] == 'the connection that held it ended' for i in self.c.list(suite='held')), 'all are told to end')
        self.assertEqual([i['outcome'] for i in self.c.all_ended(suite='held')], ['ended'] * 3)

    @unittest.skipUnless(os.access(PYTHON, os.X_OK), f'no {PYTHON}, which has pytest: "make interop" installs it')
    def test_fixtures_of_pytest(self):
        tests = [f'test_controller.py::{name}' for name in ('test_fixtures', 'test_what_a_failure_leaves', 'test_an_instance_that_ends_fails_its_test',
                                                            'test_a_pytest_that_is_killed_leaves_nothing')]
        folder = os.path.join(TOP, 'tools', 'pytest-mayfly')
        done = subprocess.run([PYTHON, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'pytest_mayfly.plugin', *tests], cwd=os.path.join(folder, 'tests'),
                              env=dict(self.environment, PYTHONPATH=os.path.join(folder, 'src'), MAYFLY=MAYFLY),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
