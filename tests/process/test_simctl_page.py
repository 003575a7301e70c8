# SPDX-License-Identifier: Apache-2.0
"""docs/controller.md as it is printed: its command lines for a laptop, in their order. tests/cluster/test_page.py runs those for a cluster."""
import os
import re
import socket
import sys

import pytest

import documents
import page_commands
from folder_case import FolderCase
from local_controller import Controller, templates
from page_commands import PAGE
from paths import BUILD, SIMCTL, TOP

LAPTOP = ('Simulation Controller', 'Commands', 'Recordings', 'Moving house')
CLUSTER = ('On Kubernetes', 'Upgrade and remove')
ELSEWHERE = ('make cluster-test', 'pytest --mayfly-controller', '$ simctl check')  # this test's own sibling; tools/pytest-mayfly/tests; test_simctl.py


class Page(FolderCase):
    """The controller listens on a port of the test instead of 5790, and so its clients ask there."""

    def setUp(self):
        super().setUp()
        with socket.create_server(('127.0.0.1', 0)) as s:
            self.port = s.getsockname()[1]
        os.mkdir(self.path('build'))
        for name in ('mayfly', 'replay'):
            os.symlink(os.path.join(BUILD, name), self.path('build/' + name))
        self.write('build/simctl', f'#!/bin/sh\n[ "$1" != serve ] || set -- "$@" --listen 127.0.0.1:{self.port}\nexec {SIMCTL} "$@"\n')
        os.chmod(self.path('build/simctl'), 0o755)
        self.environment = {'MAYFLY_CONTROLLER': f'http://127.0.0.1:{self.port}', 'PATH': f'{self.path("build")}:{os.environ["PATH"]}'}

    def run_page(self, lines, ports=()):
        return page_commands.run(lines, ports, self.folder, **self.environment)

    def test_each_command_of_the_page_is_run_by_a_test(self):
        of_tests = [b for heading in LAPTOP + CLUSTER for b in page_commands.blocks(heading)]
        left = [b for b in page_commands.blocks() if b not in of_tests and not b.startswith(ELSEWHERE)]
        self.assertEqual(left, [])
        self.assertGreater(len(of_tests), 8)

    @pytest.mark.long
    def test_the_first_commands_and_those_of_each_day(self):
        lines = [line for heading in LAPTOP[:2] for b in page_commands.blocks(heading) for line in b.splitlines()]
        said = self.run_page(lines, [self.port])
        self.assertEqual(len(re.findall(r'^\w+-\d ready tcpout://\S+ http://\S+$', said, re.M)), 6, said)  # five, and one later
        self.assertRegex(said, r'(?m)^tcpout://\S+ tcpout://\S+$')
        self.assertIn('"event":"start"', said)

    @pytest.mark.long
    def test_a_recording(self):
        line, = documents.commands(PAGE, 'Recordings', kind='')
        with templates(recorded='recording: 4M\npod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}\n') as folder, \
                Controller('--templates', folder) as c:
            one, = c.start(template='recorded')
            self.environment['MAYFLY_CONTROLLER'] = c.url
            self.run_page([re.sub(r'\bID\b', one['id'], line)])
        self.assertGreater(os.path.getsize(self.path('flight.mfr')), 0)

    @pytest.mark.long
    def test_moving_house(self):
        with open(os.path.join(TOP, PAGE), encoding='utf-8') as f:
            files = dict(re.findall(r'^```(template|weather\.py|onboard\.py)\n(.*?)^```$', f.read(), re.S | re.M))
        os.mkdir(self.path('templates'))
        self.write('templates/acme.yaml', files.pop('template').replace('[python3', f'[{sys.executable}'))
        for name, text in files.items():
            self.write(name, text)
        block, = page_commands.blocks('Moving house')
        serve, up, ls, logs = re.findall(r'^\$ (.*)', block, re.M)
        wait = "until simctl ls | grep -q ' ended '; do sleep 0.1; done"
        said = self.run_page([serve, up, wait, ls, re.sub(r'\w+-0', "$(simctl ls | tail -1 | cut -d' ' -f1)", logs)], [self.port])
        self.assertRegex(said, r'(?m)^\w+-0 +acme +ended +onboard_failed ')
        self.assertIn('\nwind 20\n', said)
