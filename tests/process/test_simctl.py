# SPDX-License-Identifier: Apache-2.0
"""build/simctl as its users see it: the controller's API and commands over processes of this machine (docs/controller.md)."""
import contextlib
import ctypes
import filecmp
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest

import pytest

import controller_suite
from drone import PATIENCE_S
from folder_case import FolderCase
from local_controller import Controller, templates
from names import assert_names
from paths import MAYFLY, SIMCTL, TIME_LIBRARY, TOP
from process_table import children, is_alive
from programs import build_outsider
from waiting import wait_until

SO_ATTACH_FILTER = 26

ONBOARD = '''\
description: onboard software behind an auxiliary simulator
lifetime: {default: 30s, max: 40s}
ttl: 0
onboard: onboard
values:
  code: {env: CODE, container: onboard, type: integer, min: 0, max: 9, default: 0}
  image: {image: onboard, patterns: ["localhost/acme/*"]}
local:
  weather: {command: [python3, -c, "import http.server,os;http.server.HTTPServer(('127.0.0.1',int(os.environ['WEATHER'])),http.server.SimpleHTTPRequestHandler).serve_forever()"], port: WEATHER}
  onboard: {command: [sh, -c, 'echo "$MAYFLY_TCP_PORT $WEATHER $WHO $1"; exit "$CODE"', sh]}
pod:
  spec:
    initContainers:
    - {name: emulator, image: localhost/mayfly, restartPolicy: Always}
    - {name: weather, image: localhost/acme/weather, restartPolicy: Always}
    containers:
    - {name: onboard, image: localhost/acme/onboard, args: [hello], env: [{name: WHO, value: me}]}
'''


HUNG = '''\
#!/usr/bin/env python3
import os, signal, socket
server = socket.create_server(('127.0.0.1', 0))
print('http://127.0.0.1:%d/' % server.getsockname()[1], flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
signal.pause()
'''


RECORDED = 'recording: 2M\npod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}\n'
LONG = '''\
lifetime: {default: 10s, max: 30s, extend: true}
pod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}
'''


def drones(controller):
    """Process ids of drones that a controller began."""
    return children(controller.process.pid, os.path.basename(MAYFLY))


class Local(controller_suite.Suite, unittest.TestCase):
    """What every controller does."""

    def setUp(self):
        self.controller = self.enterContext(Controller('--templates', self.enterContext(templates(recorded=RECORDED))))
        super().setUp()


class Recordings(FolderCase):
    def test_sim042_simctl_saves_one_and_leaves_the_file_of_before_where_it_cannot(self):
        with templates(recorded=RECORDED) as folder, Controller('--templates', folder) as c:
            one, = c.start(template='recorded')
            plain, = c.start()
            path = self.path('flight.mfr')
            assert_names(c.run('recording', plain['id'], path, code=1), plain['id'] + ' recording')
            self.assertEqual(os.listdir(self.folder), [])
            c.run('recording', one['id'], path)
            before = self.bytes('flight.mfr')
            self.assertEqual(before[:4], b'MFRC')
            c.run('recording', plain['id'], path, code=1)
            self.assertEqual(self.bytes('flight.mfr'), before)
            self.assertEqual(os.listdir(self.folder), ['flight.mfr'])
            assert_names(c.run('recording', one['id'], self.path('none', 'x'), code=1), self.path('none', 'x.part'))


class Instances(unittest.TestCase):
    """Of the template that needs no file, as processes."""

    def setUp(self):
        self.controller = self.enterContext(Controller())

    @pytest.mark.long
    def test_sim006_a_lifetime_is_extended_where_the_template_lets_it(self):
        plain, = self.controller.start(lifetime='5s')
        status, answer = self.controller.ask('POST', f'/v1/instances/{plain["id"]}/extend', {'lifetime': '25s'})
        self.assertEqual((status, answer['code']), (403, 'extend'))
        with templates(long=LONG) as folder, Controller('--templates', folder) as c:
            self.check_extension(c)

    def check_extension(self, c):
        one, = c.start(template='long', lifetime='2s')
        status, answer = c.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '31s'})
        self.assertEqual(status, 422)
        assert_names(answer['error'], 'lifetime 1 s 30 s')
        status, longer = c.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '25s'})
        self.assertEqual(status, 200)
        self.assertGreater(longer['times']['ends'], one['times']['ends'])
        time.sleep(2.5)
        self.assertEqual(c.read(one)['state'], 'ready')
        status, answer = c.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '2s'})
        self.assertEqual((status, answer['code'], c.read(one)['state']), (422, 'lifetime', 'ready'), 'that is over already')
        status, shorter = c.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': 8})
        self.assertEqual((status, c.wait_until(one, 'ended')['outcome']), (200, 'expired'))

    def test_flags_of_callers_stay_within_the_instance(self):
        c = self.controller
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'config.yaml')
            with open(path, 'w', encoding='utf-8') as f:
                f.write('tenants: {}\n')
            for text in ('--record=' + path, '--state=' + folder, '--config=' + path, '--tcp=127.0.0.1:1', '--home', '--', 'sh'):
                status, answer = c.ask('POST', '/v1/instances', {'values': {'arguments': [text]}})
                self.assertEqual((status, answer['code']), (422, 'value'), text)
                assert_names(answer['error'], 'values.arguments ' + text.split('=')[0])
            self.assertEqual(os.listdir(folder), ['config.yaml'])
        one, = c.start(values={'arguments': ['--record=flight.mfr', '--sysid=9']})
        self.assertEqual(c.ask('GET', f'/v1/instances/{one["id"]}/recording')[1][:4], b'MFRC')
        self.assertIn('--sysid', c.run('templates', '--json'))

    def test_a_drone_that_dies_is_told(self):
        c = self.controller
        one, = c.start()
        pid, = drones(c)
        os.kill(pid, signal.SIGKILL)
        ended = c.wait_until(one, 'ended')
        self.assertEqual(ended['outcome'], 'emulator_failed')
        assert_names(ended['reason'], 'signal 9')

    def test_what_is_wrong_is_said_with_what_is_allowed(self):
        c = self.controller
        for body, code, part in (
                ({'template': 'drohne'}, 'unknown_template', 'drohne drone'),
                ({'values': {'spped': 1}}, 'unknown_value', 'drone home motion'),
                ({'values': {'motion': 'warp'}}, 'value', 'values.motion constant physics event'),
                ({'values': {'sysid': 255}}, 'value', 'values.sysid 1 254'),
                ({'values': {'sysid': 'x'}}, 'wrong_type', 'values.sysid integer'),
                ({'lifetime': '-5s'}, 'wrong_type', 'lifetime 90s'),
                ({'lifetime': '25h'}, 'lifetime', 'lifetime 1 s 86400 s'),
                ({'lifetime': 0}, 'lifetime', 'lifetime 1 s'),
                ({'count': 0}, 'count', 'count 1 500'),
                ({'labels': {'a': 1}}, 'labels', 'labels.a'),
                ({'labels': {'who': 'Anna & Bob'}}, 'labels', 'labels.who'),
                ({'labels': {'mayfly.dev/instance': 'x'}}, 'labels', 'labels.mayfly.dev/instance'),
                ({'tempate': 'drone'}, 'unknown_member', 'tempate template'),
                ([1], 'wrong_type', 'object')):
            status, answer = c.ask('POST', '/v1/instances', body)
            self.assertEqual((status, answer['code']), (422, code), answer)
            assert_names(answer['error'], part)
        for method, path, raw, status, code in (
                ('POST', '/v1/instances', b'{"a":', 400, 'json'),
                ('POST', '/v1/instances', b'{"count":1,"count":2}', 400, 'json'),
                ('POST', '/v1/instances', b' ' * 300000, 413, 'body'),
                ('GET', '/v1/instances/nobody', None, 404, 'unknown_instance'),
                ('DELETE', '/v1/instances/nobody', None, 404, 'unknown_instance'),
                ('GET', '/v1/instances/nobody/logs', None, 404, 'unknown_instance'),
                ('PUT', '/v1/instances', b'', 405, 'method'),
                ('GET', '/v2', None, 404, 'unknown_path'),
                ('GET', '/v1/instances?limit=0', None, 422, 'parameter'),
                ('GET', '/v1/instances?colour=red', None, 422, 'parameter')):
            self.assertEqual((method, path, c.ask(method, path, raw=raw)[0]), (method, path, status))
            self.assertEqual(c.ask(method, path, raw=raw)[1]['code'], code)
        self.assertEqual(c.ask('GET', '/v1/instances')[1]['instances'], [])

    def test_an_orderly_end_ends_all(self):
        c = self.controller
        c.start(count=5)
        pids = drones(c)
        self.assertEqual(len(pids), 5)
        c.stop()
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])


class Hung(FolderCase):
    @pytest.mark.long
    def test_a_drone_that_hangs_holds_nobody_up(self):
        program = self.write('hung', HUNG)
        os.chmod(program, 0o755)
        c = self.enterContext(Controller('--mayfly', program))
        one, = c.start(wait=False)
        c.wait_until(one, 'starting')
        pid, = children(c.process.pid)
        self.addCleanup(lambda: is_alive(pid) and os.kill(pid, signal.SIGKILL))
        end = time.monotonic() + PATIENCE_S
        for _ in range(80):  # each waited for a question to the drone, of 0.3 s
            self.assertEqual(c.ask('GET', '/v1/instances')[1]['instances'][0]['state'], 'starting')
        self.assertLess(time.monotonic(), end)
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'emulator_failed')


class Onboard(FolderCase):
    """Templates with onboard software and auxiliary simulators, as commands."""

    def setUp(self):
        super().setUp()
        self.controller = self.enterContext(Controller('--templates', self.enterContext(templates(mission=ONBOARD)), '--state', self.path('state')))

    def end_of(self, **values):
        """Instance and log of the onboard software, before its TTL, which is 0, is over."""
        c = self.controller
        one, = c.start(template='mission', wait=False, values=values)
        log = ''
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            status, now = c.ask('GET', '/v1/instances/' + one['id'])
            if status == 404:
                return one, log
            one = now
            with contextlib.suppress(OSError):
                log = self.text('state', one['id'], 'onboard.log') or log
            time.sleep(0.005)
        raise AssertionError(one)

    @pytest.mark.long
    def test_sim003_sim004_the_end_of_the_onboard_software_is_the_instances(self):
        one, log = self.end_of()
        self.assertRegex(log, r'^\d+ \d+ me hello\n')
        tcp, weather = log.split()[:2]
        self.assertEqual(one['connect']['tcp'].split(':')[1], tcp)
        with self.assertRaises(OSError):   # the auxiliary simulator has ended with it
            socket.create_connection(('127.0.0.1', int(weather)), timeout=1).close()

    @pytest.mark.long
    def test_the_onboard_softwares_error_is_told(self):
        c = self.controller
        with templates(mission=ONBOARD.replace('ttl: 0', 'ttl: 1m')) as folder, Controller('--templates', folder) as c:
            one, = c.start(template='mission', values={'code': 3}, wait=False)
            ended = c.wait_until(one, 'ended')
            self.assertEqual(ended['outcome'], 'onboard_failed')
            assert_names(ended['reason'], 'onboard 3')
            other, = c.start(template='mission', wait=False)
            self.assertEqual(c.wait_until(other, 'ended')['outcome'], 'completed')
            self.assertIn('me hello', c.logs(other))
            self.assertEqual(c.ask('GET', f'/v1/instances/{other["id"]}/logs?container=../order')[0], 404)

    @pytest.mark.long
    def test_the_example_of_the_documentation(self):
        """Moving house: the files that docs/controller.md shows."""
        with open(os.path.join(TOP, 'docs', 'controller.md'), encoding='utf-8') as f:
            files = dict(re.findall(r'^```(template|weather\.py|onboard\.py)\n(.*?)^```$', f.read(), re.S | re.M))
        text = files.pop('template')
        self.assertEqual(len(files), 2)
        for name, content in files.items():
            text = text.replace(name, self.write(name, content))
        with templates(acme=text) as folder, Controller('--templates', folder) as c:
            for wind, outcome in ((14, 'completed'), (15, 'onboard_failed')):
                one, = c.start(template='acme', values={'wind': wind}, wait=False)
                self.assertEqual(c.wait_until(one, 'ended')['outcome'], outcome)
                self.assertEqual(c.logs(one), f'wind {wind}\n')

    @pytest.mark.long
    def test_virtual_time_is_the_onboard_softwares_too(self):
        """Ten minutes pass on the drone's clock; the auxiliary simulator has it, too, as a child of the drone."""
        text = ONBOARD.replace('ttl: 0', 'ttl: 1m\nvirtualTime: true').replace('echo "$MAYFLY_TCP_PORT $WEATHER $WHO $1"', 'sleep 600; date -u +%FT%H:%M')
        with templates(mission=text) as folder, Controller('--templates', folder) as c:
            one, = c.start(template='mission', wait=False)
            self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'completed')
            self.assertEqual(c.logs(one), '2026-01-01T00:10\n')

    @pytest.mark.long
    def test_onboard_software_that_leaves_virtual_time_has_failed(self):
        """A child of it sleeps by the wall, and its own code is 0 all the same."""
        program = build_outsider(self.folder)
        text = ONBOARD.replace('ttl: 0', 'ttl: 1m\nvirtualTime: true').replace('echo "$MAYFLY_TCP_PORT $WEATHER $WHO $1"', f'{program} /bin/sleep 3600')
        with templates(mission=text) as folder, Controller('--templates', folder) as c:
            one, = c.start(template='mission', wait=False)
            self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'onboard_failed')

    def test_the_library_of_virtual_time_is_copied_for_a_pod(self):
        copied = subprocess.run([SIMCTL, 'copy-virtual-time', self.folder], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual((copied.returncode, copied.stdout, copied.stderr), (0, '', ''))
        self.assertTrue(filecmp.cmp(self.path('libmayflytime.so'), TIME_LIBRARY, shallow=False))
        nowhere = subprocess.run([SIMCTL, 'copy-virtual-time', self.path('no')], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(nowhere.returncode, 1)
        assert_names(nowhere.stderr, f"{TIME_LIBRARY} {self.path('no/libmayflytime.so')}:")

    @pytest.mark.long
    def test_a_ttl_of_0_leaves_nothing(self):
        one, _ = self.end_of()
        self.assertEqual(os.listdir(self.path('state')), [])
        self.assertEqual(self.controller.ask('GET', '/v1/instances/' + one['id'])[0], 404)

    def test_a_request_after_the_ttl_is_another_instance(self):
        order = {'template': 'mission', 'request': 'nightly', 'labels': {'a': 'b'}}
        first, = self.controller.start(wait=False, **order)
        path = '/v1/instances/' + first['id']
        wait_until(lambda: self.controller.ask('GET', path)[0] == 404, 'the TTL of 0 s is over')
        second, = self.controller.start(wait=False, **order)
        self.assertNotEqual(second['id'], first['id'])
        self.assertEqual(self.controller.ask('GET', path)[0], 404)

    def test_values_are_text(self):
        """No shell, no drone and no simctl finds a variable in one; in a cluster the unit tests of templates tell."""
        with templates(said=ONBOARD.replace('code: {', 'who: {env: WHO, container: onboard}\n  code: {').replace('ttl: 0', 'ttl: 1m')) as folder, \
                Controller('--templates', folder) as c:
            one, = c.start(template='said', wait=False, values={'who': '$(HOME) $$ $HOME `id`'})
            self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'completed')
            self.assertEqual(c.ask('GET', f'/v1/instances/{one["id"]}/logs?container=onboard')[1].decode().split(maxsplit=2)[2], '$(HOME) $$ $HOME `id` hello\n')

    def test_an_image_must_match_a_pattern(self):
        status, answer = self.controller.ask('POST', '/v1/instances', {'template': 'mission', 'values': {'image': 'evil/x'}})
        self.assertEqual(status, 422)
        assert_names(answer['error'], 'values.image localhost/acme/*')

    def test_a_container_without_a_command_is_refused(self):
        with templates(bare=ONBOARD.split('local:')[0] + 'pod:' + ONBOARD.split('pod:')[1]) as folder, \
                Controller('--templates', folder) as c:
            status, answer = c.ask('POST', '/v1/instances', {'template': 'bare'})
            self.assertEqual((status, answer['code']), (422, 'no_local_command'))
            self.assertIn('local.weather.command', answer['error'])

    def test_templates_that_could_not_run_are_refused_by_name(self):
        """simctl check fails, and the controller serves the others."""
        wrong = {}
        for old, new, part in (
                ('onboard: onboard', 'onboard: onbord', 'onboard onbord pod.spec.containers'),
                ('container: onboard', 'container: nobody', 'container nobody'),
                ('lifetime: {default: 30s', 'lifetime: {defualt: 30s', 'lifetime.defualt default'),
                ('default: 30s', 'default: 50s', 'lifetime.default 1 s lifetime.max'),
                ('default: 0}', 'default: 12}', 'values.code 0 9'),
                ('{image: onboard, patterns: ["localhost/acme/*"]}', '{image: onboard}', 'patterns'),
                ('image: localhost/mayfly, restartPolicy: Always', 'image: localhost/mayfly', 'restartPolicy Always'),
                ('env: [{name: WHO, value: me}]', 'env: {WHO: me}', 'pod.spec.containers[0].env name: value:'),
                ('env: [{name: WHO, value: me}]', 'environment: {WHO: me}', 'pod.spec.containers[0] environment env'),
                ('args: [hello]', 'ports: ["8001:8001"]', 'pod.spec.containers[0].ports[0] containerPort'),
                ('args: [hello]', 'depends_on: [weather]', 'depends_on initContainers'),
                ('ttl: 0', 'ttl: [0', '4')):
            self.assertIn(old, ONBOARD)
            wrong[f't{len(wrong)}'] = (ONBOARD.replace(old, new, 1), part)
        with templates(good=ONBOARD, **{name: text for name, (text, _) in wrong.items()}) as folder:
            done = subprocess.run([SIMCTL, 'check', folder], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.returncode, done.stdout.count('\n'), done.stderr.count('\n')), (1, 1, len(wrong)), done)
            for name in sorted(wrong):
                assert_names(next(line for line in done.stderr.splitlines() if f'/{name}.yaml' in line), wrong[name][1])
            self.assertEqual(subprocess.run([SIMCTL, 'check', folder + '/good.yaml'], capture_output=True, timeout=PATIENCE_S, check=False).returncode, 0)
            with Controller('--templates', folder) as c:
                told = c.ask('GET', '/v1/templates')[1]
                self.assertEqual([t['name'] for t in told['templates']], ['drone', 'good'])
                self.assertEqual([t['name'] for t in told['refused']], sorted(wrong))
                for name, (_, part) in wrong.items():
                    status, answer = c.ask('POST', '/v1/instances', {'template': name})
                    self.assertEqual((status, answer['code']), (422, 'template'))
                    assert_names(answer['error'], f'{name} {part}')
            self.assertEqual(c.errors.count('simctl: template '), len(wrong))

    def test_check_says_what_it_has_not_found(self):
        for words in (['/nonexistent'], [self.folder], []):
            done = subprocess.run([SIMCTL, 'check', *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ''), done)

    def test_a_template_for_a_laptop_needs_no_pod(self):
        text = ONBOARD.split('values:')[0] + 'values: {who: {env: WHO, container: onboard}, words: {args: onboard}}\nlocal:' \
            + ONBOARD.split('local:')[1].split('pod:')[0]
        with templates(bare=text.replace('ttl: 0', 'ttl: 1m').replace('"$CODE"', '0')) as folder, Controller('--templates', folder) as c:
            one, = c.start(template='bare', wait=False, values={'who': 'me', 'words': ['hello']})
            self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'completed')
            self.assertRegex(c.ask('GET', f'/v1/instances/{one["id"]}/logs?container=onboard')[1].decode(), r'^\d+ \d+ me hello\n$')


class Folder(FolderCase):
    """A folder of templates that changes, as a kubelet changes a ConfigMap that is mounted."""

    def setUp(self):
        super().setUp()
        self.put(long=LONG)
        self.controller = self.enterContext(Controller('--templates', self.folder))

    def put(self, **texts):
        """A folder of its own, and a symbolic link to it that is swapped; names are symbolic links through that one."""
        fresh = tempfile.mkdtemp(prefix='..', dir=self.folder)
        for name, text in texts.items():
            with open(os.path.join(fresh, name + '.yaml'), 'w', encoding='utf-8') as f:
                f.write(text)
            with contextlib.suppress(FileExistsError):
                os.symlink(os.path.join('..data', name + '.yaml'), self.path(name + '.yaml'))
        os.symlink(os.path.basename(fresh), self.path('..data_tmp'))
        os.rename(self.path('..data_tmp'), self.path('..data'))
        for link in os.listdir(self.folder):
            if link.endswith('.yaml') and link[:-5] not in texts:
                os.unlink(self.path(link))

    def wait_for(self, **expected):
        """Templates, and their descriptions."""
        def found():
            return {t['name']: t['description'] for t in self.controller.ask('GET', '/v1/templates')[1]['templates']}
        wait_until(lambda: found() == {'drone': 'a drone alone', **expected}, expected)

    @pytest.mark.long
    def test_what_is_added_changed_wrong_and_taken_away(self):
        c = self.controller
        one, = c.start(template='long')
        self.put(long='description: another\n' + LONG, short=LONG)
        self.wait_for(long='another', short='')
        self.put(long='lifetime: {defualt: 1s}\n' + LONG, fresh='pod: [', short='description: still read\n' + LONG)
        self.wait_for(long='another', short='still read')
        status, answer = c.ask('POST', '/v1/instances', {'template': 'fresh'})
        self.assertEqual((status, answer['code']), (422, 'template'))
        assert_names(answer['error'], 'template fresh')
        self.put(short=LONG)
        self.wait_for(short='')
        self.assertEqual(c.ask('POST', '/v1/instances', {'template': 'long'})[1]['code'], 'unknown_template')
        self.assertEqual(c.read(one)['state'], 'ready')     # it keeps what it was made of
        c.ask('DELETE', '/v1/instances/' + one['id'])
        self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'ended')
        c.stop()
        self.assertRegex(c.errors, r'template long .*long\.yaml:\d+: .*lifetime')
        self.assertRegex(c.errors, r'template fresh .*fresh\.yaml:2')

    @pytest.mark.long
    def test_many_threads(self):
        """Requests go on while the folder changes, each with one catalogue."""
        failures, done = [], threading.Event()

        def ask():
            while not done.is_set():
                status, answer = self.controller.ask('GET', '/v1/templates')
                names = [t['name'] for t in answer['templates']]
                if status != 200 or names not in (['drone', 'long'], ['drone', 'long', 'short']):
                    failures.append((status, names))
                time.sleep(0.2)    # forty a second in all
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for t in threads:
            t.start()
        for n in range(3):
            self.put(long=LONG, **({'short': LONG} if n % 2 == 0 else {}))
            time.sleep(1.1)
        done.set()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])


class Restarts(unittest.TestCase):
    """The controller dies, and begins again."""

    def test_sim006_kill_9_leaves_lifetimes_and_a_restart_takes_instances_up(self):
        with tempfile.TemporaryDirectory() as folder:
            c = Controller('--state', folder)
            long, other = c.start(lifetime='60s', count=2, labels={'a': 'b'}, request='r')
            short, = c.start(lifetime='1s')
            pids = drones(c)
            c.kill()
            self.assertEqual(len([pid for pid in pids if is_alive(pid)]), 3)
            time.sleep(1.5)
            self.assertEqual(len([pid for pid in pids if is_alive(pid)]), 2)  # its own lifetime ended one
            with Controller('--state', folder) as c:
                self.assertEqual(c.wait_until(long, 'ready')['connect'], long['connect'])
                self.assertEqual(c.read(long)['labels'], {'a': 'b'})
                self.assertEqual(c.wait_until(short, 'ended')['outcome'], 'expired')
                again = c.start(lifetime='60s', count=2, labels={'a': 'b'}, request='r')
                self.assertEqual([i['id'] for i in again], [long['id'], other['id']])
                c.ask('DELETE', '/v1/instances/' + long['id'])
                self.assertEqual(c.wait_until(long, 'ended')['outcome'], 'ended')
            self.assertEqual([pid for pid in pids if is_alive(pid)], [])


class Commands(unittest.TestCase):
    """simctl as a client."""

    def setUp(self):
        self.controller = self.enterContext(Controller())

    @pytest.mark.long
    def test_up_ls_show_logs_and_rm(self):
        c = self.controller
        lines = c.run('up', '--n', '2', '--lifetime', '30s', '--label', 'who=me', '--set', 'motion=physics').splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r'^\S+-0 ready tcpout://127\.0\.0\.1:\d+ http://127\.0\.0\.1:\d+$')
        one = lines[0].split()[0]
        self.assertIn(f'{one}     drone            ready     -', c.run('ls'))
        self.assertEqual(json.loads(c.run('show', one))['values'], {'motion': 'physics'})
        self.assertEqual(json.loads(c.run('wait', one, '--ready'))['state'], 'ready')
        self.assertIn('"event":"start"', c.run('logs', one))
        self.assertEqual(c.run('events', one), '')  # a cluster has some to tell
        self.assertRegex(c.run('templates'), r'(?m)^drone: .+\n  home  .*HEADING.*\n  motion +constant, physics, event$')
        self.assertRegex(c.run('templates'), r'(?m)^  sysid +integer 1 .. 254\n  arguments +list of .*--home .*; .*mayfly$')
        c.run('rm', '--label', 'who=me')
        assert_names(c.run('up', '--template', 'x', code=1), 'template x drone')
        self.assertIn('NAME=VALUE', c.run('up', '--set', 'motion', code=1))
        assert_names(c.run('fly', code=2), 'fly')

    @pytest.mark.long
    def test_a_label_chooses(self):
        c, label = self.controller, 'acme.example/who=Anna_and.Bob-1'
        one = c.run('up', '--lifetime', '30s', '--label', label).split()[0]
        c.run('up', '--lifetime', '30s')
        self.assertEqual([line.split()[0] for line in c.run('ls', '--label', label).splitlines()[1:]], [one])
        c.run('rm', '--label', label)
        self.assertEqual(c.wait_until({'id': one}, 'ended')['outcome'], 'ended')
        self.assertEqual(c.run('ls').count('ready'), 1)
        assert_names(c.run('show', '../x y', code=1), '/v1/instances')

    def test_run_holds_instances_as_long_as_its_command(self):
        c = self.controller
        told = c.run('run', '--n', '2', '--', 'sh', '-c', 'echo $MAYFLY_INSTANCES $MAYFLY_MAVSDK_URL $MAYFLY_TCP_1').split()
        self.assertEqual(told[0], '2')
        self.assertRegex(told[1], r'^tcpout://127\.0\.0\.1:\d+$')
        c.run('run', '--', 'sh', '-c', 'exit 7', code=7)
        for one in c.ask('GET', '/v1/instances')[1]['instances']:
            self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'ended')

    @pytest.mark.long
    def test_280_runs_at_once(self):
        """Each holds its instance and waits for it: 560 places; a request without one waits, and says so once."""
        runs = [subprocess.Popen([SIMCTL, 'run', '--timeout', '5m', '--controller', self.controller.url, '--', 'true'], stderr=subprocess.PIPE)
                for _ in range(280)]
        said = [run.communicate(timeout=5 * PATIENCE_S)[1].decode() for run in runs]
        self.assertEqual([run.returncode for run in runs], [0] * 280, set(said))
        self.assertLessEqual({line.count('\n') for line in said}, {0, 1, 2}, set(said))

    def test_errors_say_what_to_do(self):
        c = self.controller
        self.assertIn('NAME=VALUE', c.run('run', '--label', 'x', '--', 'true', code=1))
        assert_names(c.run('run', '--request', 'x', '--', 'true', code=2), '--request up')
        assert_names(c.run('run', code=2), 'run -- COMMAND')
        assert_names(c.run('run', '--set', 'sysid=300', '--', 'true', code=1), 'values.sysid 1 254')
        assert_names(c.run('show', 'nobody', code=1), 'instance nobody')
        self.assertIn('--ca', c.run('ls', '--ca', '/nonexistent', '--controller', c.url.replace('http:', 'https:'), code=1))

    def test_without_a_controller(self):
        done = subprocess.run([SIMCTL, 'ls', '--controller', 'http://127.0.0.1:1'], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        assert_names(done.stderr, 'http://127.0.0.1:1 simctl serve --controller')


class Held(unittest.TestCase):
    """Instances live as long as a connection."""

    def setUp(self):
        self.controller = self.enterContext(Controller())
        self.free, = self.controller.start(labels={'hold': 'other'})

    def hold(self, label='hold=me'):
        """A connection that holds."""
        s = socket.create_connection(('127.0.0.1', self.controller.port), timeout=PATIENCE_S)
        self.addCleanup(s.close)
        s.sendall(f'GET /v1/holds?label={label} HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode())
        self.assertIn(b'200 OK', s.recv(4096))
        return s

    def all_end(self, instances):
        for one in instances:
            ended = self.controller.wait_until(one, 'ended')
            self.assertEqual(ended['outcome'], 'ended')
            assert_names(ended['reason'], 'connection')
        self.assertEqual(self.controller.read(self.free)['state'], 'ready')

    @pytest.mark.long
    def test_sim006_simctl_run_is_killed(self):
        c = self.controller
        run = subprocess.Popen([SIMCTL, 'run', '--controller', c.url, '--n', '3', '--lifetime', '10m', '--', 'sh', '-c', 'echo $$; exec sleep 1000'],
                               stdout=subprocess.PIPE, text=True)
        pid = int(run.stdout.readline())
        held = [i for i in c.ask('GET', '/v1/instances?label=hold&state=ready')[1]['instances'] if i['id'] != self.free['id']]
        self.assertEqual(len(held), 3)
        run.kill()
        run.communicate()
        self.all_end(held)
        self.assertFalse(is_alive(pid))     # nor does what it ran live on

    @pytest.mark.long
    def test_sim006_the_network_is_cut(self):
        s = self.hold()
        held = self.controller.start(labels={'hold': 'me'}, count=2)
        # Its kernel drops whatever arrives: nothing is confirmed, nothing refused.
        nothing = ctypes.create_string_buffer(struct.pack('HBBI', 0x06, 0, 0, 0))
        try:
            s.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack('HP', 1, ctypes.addressof(nothing)))
        except PermissionError:
            self.skipTest('this kernel lets only root filter a socket: "sudo make process"')
        self.all_end(held)

    @pytest.mark.long
    def test_what_is_held_again_in_time_goes_on(self):
        first = self.hold()
        held = self.controller.start(labels={'hold': 'me'})
        first.close()
        second = self.hold()
        time.sleep(3.5)
        self.assertEqual(self.controller.read(held[0])['state'], 'ready')
        second.close()
        self.all_end(held)

    @pytest.mark.long
    def test_what_is_created_while_its_client_goes_ends_too(self):
        self.hold().close()
        time.sleep(2.2)
        self.all_end(self.controller.start(labels={'hold': 'me'}, wait=False))

    def test_a_hold_needs_a_label(self):
        self.assertEqual(self.controller.ask('GET', '/v1/holds')[1]['code'], 'label')

    @pytest.mark.long
    def test_a_folder_is_one_controllers(self):
        with tempfile.TemporaryDirectory() as folder, Controller('--state', folder):
            done = subprocess.run([SIMCTL, 'serve', '--listen', '127.0.0.1:0', '--state', folder], capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, 2)
            assert_names(done.stderr, f'{folder} simctl --state')

    @pytest.mark.long
    def test_the_controller_starts_again(self):
        with tempfile.TemporaryDirectory() as folder:
            c = Controller('--state', folder)
            run = subprocess.Popen([SIMCTL, 'run', '--controller', c.url, '--', 'sh', '-c', 'echo $MAYFLY_INSTANCE_0; read line; exit 7'],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            one = {'id': run.stdout.readline().strip()}
            c.kill()
            with Controller('--state', folder, '--listen', c.url.split('//')[1]) as c:
                c.wait_until(one, 'ready')
                assert_names(run.stderr.readline(), 'simctl connection')
                time.sleep(4)
                self.assertEqual(c.read(one)['state'], 'ready')
                run.communicate('x\n')
                self.assertEqual(run.returncode, 7)
                self.assertEqual(c.wait_until(one, 'ended')['outcome'], 'ended')
