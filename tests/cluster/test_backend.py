#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes backend from outside the cluster: two controllers by a kubeconfig, beside each other, in a namespace of their own.

What becomes of instances in each way that they can end, what is finished where a controller died in between, and what is refused.
Needs no deployment; run.py prepares the cluster.
"""
import base64
import calendar
import concurrent.futures
import contextlib
import glob
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

import cluster
from cluster import TOP, Refused, exists, kubectl, patch, pods_of, read, wait_until

NAMESPACE = 'mayfly-backend'
BUILD = os.path.abspath(os.environ.get('BUILD', os.path.join(TOP, 'build')))
SIMCTL = os.path.join(BUILD, 'simctl')
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
DRONE = 'image: localhost/mayfly, imagePullPolicy: IfNotPresent, resources: {requests: {cpu: 10m, memory: 16M}, limits: {cpu: 250m, memory: 256M}}'
TOOLS = 'image: localhost/mayfly-tools, imagePullPolicy: IfNotPresent, resources: {requests: {cpu: 10m, memory: 16M}, limits: {cpu: 250m, memory: 64M}}'
ALONE = f'pod: {{spec: {{containers: [{{name: emulator, {DRONE}}}]}}}}\n'
BEHIND = f'''\
onboard: onboard
pod:
  spec:
    initContainers: [{{name: emulator, restartPolicy: Always, {DRONE}}}AUXILIARY]
    containers: [{{name: onboard, command: COMMAND, {TOOLS}}}]
'''
ELEVATION = f''', {{name: elevation, restartPolicy: Always, command: [elevation, --listen, "0.0.0.0:8089"],
      startupProbe: {{httpGet: {{path: /v1, port: 8089}}, periodSeconds: 1}}, {TOOLS}}}'''
FOREVER = '[elevation, --listen, "0.0.0.0:8088"]'


def behind(command, auxiliary=''):
    return BEHIND.replace('COMMAND', command).replace('AUXILIARY', auxiliary)


TEMPLATES = {
    'alone': 'lifetime: {default: 60s, max: 2m}\nttl: 60s\n' + ALONE,
    'brief': 'lifetime: {default: 3s, max: 60s}\nttl: 0\n' + ALONE,
    'longer': 'lifetime: {default: 60s, max: 2m, extend: true}\nttl: 60s\n' + ALONE,
    'succeeds': 'ttl: 60s\n' + behind('[fly, --help]'),
    'fails': 'ttl: 60s\n' + behind('[fly, --nonsense]'),
    'starved': 'ttl: 60s\n' + behind(FOREVER).replace('memory: 16M}, limits: {cpu: 250m, memory: 64M}', 'memory: 1M}, limits: {cpu: 250m, memory: 1M}'),
    'degrades': 'ttl: 60s\n' + behind(FOREVER, ELEVATION),
    'ends': 'restarted: ended\nttl: 60s\n' + behind(FOREVER, ELEVATION),
    'planned': f'geoid: {"f" * 64}\nttl: 60s\n' + ALONE,
    'nowhere': 'ttl: 60s\npod: {spec: {nodeSelector: {disk: none}, containers: [{name: emulator, ' + DRONE + '}]}}\n',
    'certified': 'ttl: 60s\ncertificates: {names: ["{id}.example"]}\n' + behind(FOREVER),
}
WRONG = {
    'privileged': (ALONE.replace('{containers', '{hostNetwork: true, containers'), 'violates PodSecurity'),
    'mistyped': (ALONE.replace('image:', 'ports: [{containerPort: 99999}], image:', 1), 'containerPort'),
}


class Controller:
    """build/simctl serve on a free port."""

    def __init__(self, folder, *args):
        self.log = open(os.path.join(folder, f'serve-{id(self)}.log'), 'w+', encoding='utf-8')
        self.process = subprocess.Popen([SIMCTL, 'serve', '--listen', '127.0.0.1:0', '--kubeconfig', os.environ['KUBECONFIG'],
                                         '--namespace', NAMESPACE, '--drone-key', os.path.join(folder, 'drone.key'), *args],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith('simctl: http://'):
            self.process.wait()
            self.log.seek(0)
            self.said, self.url = self.log.read(), None
            self.stop()
        else:
            self.url = line.split()[1].rstrip(':')

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def ask(self, method, path, body=None, timeout_s=70.0):
        """(status, document or text)"""
        request = urllib.request.Request(self.url + path, method=method, data=None if body is None else json.dumps(body).encode())
        try:
            with OPENER.open(request, timeout=timeout_s) as answer:
                status, data = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                status, data = error.code, error.read()
        try:
            return status, json.loads(data)
        except ValueError:
            return status, data.decode()

    def start(self, template, wait=True, **body):
        status, answer = self.ask('POST', '/v1/instances' + ('?wait=ready' if wait else ''), dict(body, template=template))
        if status != 201:
            raise AssertionError((status, answer))
        return answer['instances'][0]

    def read(self, one):
        return self.ask('GET', f'/v1/instances/{one["id"]}')[1]

    def wait_for(self, one, condition, what, timeout_s=30.0):
        def reached():
            now = self.read(one)
            return now if condition(now) else None
        return wait_until(reached, f'{one["id"]}: {what}', timeout_s)

    def ended(self, one, timeout_s=30.0):
        return self.wait_for(one, lambda i: i.get('state') == 'ended', 'ended', timeout_s)

    def end(self, one, query=''):
        return self.ask('DELETE', f'/v1/instances/{one["id"]}{query}')


def processes(one, command):
    """Process ids of a command line in an instance's pod, on this machine."""
    uids = [p['metadata']['uid'] for p in pods_of(one['id'], namespace=NAMESPACE)]
    found = []
    for path in glob.glob('/proc/[0-9]*'):
        with contextlib.suppress(OSError), open(f'{path}/cmdline', 'rb') as line, open(f'{path}/cgroup', encoding='ascii') as groups:
            text = groups.read()
            if command in line.read().replace(b'\0', b' ').decode() and any(uid in text for uid in uids):
                found.append(int(path.split('/')[2]))
    return found


def kill(one, command):
    pid, = wait_until(lambda: processes(one, command), f'{command} runs')
    os.kill(pid, signal.SIGKILL)


def seconds(text):
    """UTC of a time that the API tells."""
    return calendar.timegm(time.strptime(text[:19], '%Y-%m-%dT%H:%M:%S'))


def quota(**hard):
    return {'apiVersion': 'v1', 'kind': 'ResourceQuota', 'metadata': {'name': 'tight'}, 'spec': {'hard': hard}}


def make_ca(folder):
    """--ca-certificate and --ca-key"""
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=test',
                    '-keyout', f'{folder}/ca.key', '-out', f'{folder}/ca.crt'], check=True, capture_output=True)
    return ['--ca-certificate', f'{folder}/ca.crt', '--ca-key', f'{folder}/ca.key']


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with contextlib.suppress(Refused):
            kubectl('delete', 'namespace', NAMESPACE, namespace=None)
        kubectl('create', 'namespace', NAMESPACE, namespace=None)
        cls.addClassCleanup(kubectl, 'delete', 'namespace', NAMESPACE, '--wait=false', namespace=None)
        kubectl('label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted', namespace=None)
        wait_until(lambda: exists('serviceaccount', 'default', namespace=NAMESPACE), 'ServiceAccount')
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.templates = os.path.join(cls.folder, 'templates')
        os.mkdir(cls.templates)
        for name, text in TEMPLATES.items():
            with open(os.path.join(cls.templates, name + '.yaml'), 'w', encoding='utf-8') as f:
                f.write(text)
        cls.options = ['--templates', cls.templates, *make_ca(cls.folder)]
        cls.a, cls.b = cls.controller(), cls.controller()

    @classmethod
    def controller(cls):
        c = Controller(cls.folder, *cls.options)
        if c.url is None:
            raise AssertionError(c.said)
        cls.addClassCleanup(c.stop)
        wait_until(lambda: c.ask('GET', '/readyz')[0] == 200, 'ready')
        return c


class Ends(Case):
    def test_sim001_sim007_a_caller_ends_it_and_all_controllers_tell(self):
        one = self.a.start('alone')
        self.assertEqual(one['state'], 'ready', one)
        times = one['times']
        self.assertTrue(times['asked'] <= times['scheduled'] <= times['started'] <= times['ready'] < times['ends'], times)
        self.assertEqual(self.b.read(one)['state'], 'ready')
        status, after = self.b.end(one)
        self.assertEqual((status, after['state'] in ('ending', 'ended')), (200, True), after)
        for c in (self.a, self.b):
            after = c.ended(one)
            self.assertEqual((after['outcome'], after['reason']), ('ended', 'ended by a caller'))
        self.assertEqual(self.a.end(one)[0], 200, 'once more, it is as it was')
        wait_until(lambda: not pods_of(one['id'], namespace=NAMESPACE), 'pod is gone')
        status, answer = self.a.ask('GET', f'/v1/instances/{one["id"]}/logs')
        self.assertEqual((status, answer['code']), (404, 'no_logs'))

    def test_sim007_logs_are_kept_where_they_are_wanted(self):
        one = self.a.start('longer')
        self.b.end(one, '?logs=keep')
        self.assertEqual(self.b.ended(one)['outcome'], 'ended')
        status, log = self.a.ask('GET', f'/v1/instances/{one["id"]}/logs')
        self.assertEqual(status, 200)
        self.assertIn('Mayfly', log)

    def test_sim006_lifetimes(self):
        one = self.a.start('brief', lifetime='2s', wait=False)
        longer = self.a.start('longer', lifetime='3s', wait=False)
        status, answer = self.b.ask('POST', f'/v1/instances/{longer["id"]}/extend', {'lifetime': '100s'})
        self.assertEqual(status, 200, answer)
        self.assertEqual(read('job', longer['id'], namespace=NAMESPACE)['spec']['activeDeadlineSeconds'], 110)
        for lifetime, code in (('3m', 'lifetime'), ('-1s', 'wrong_type')):
            status, answer = self.b.ask('POST', f'/v1/instances/{longer["id"]}/extend', {'lifetime': lifetime})
            self.assertEqual(status, 422, (lifetime, code, answer))
        self.assertEqual(self.b.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '50s'})[0], 403)
        for kind in ('job', 'secret'):
            wait_until(lambda kind=kind: not exists(kind, one['id'], namespace=NAMESPACE), f'{kind} is gone')
        wait_until(lambda: self.a.ask('GET', f'/v1/instances/{one["id"]}')[0] == 404, 'the API says so')
        time.sleep(max(0.0, 15 - (time.time() - seconds(longer['times']['asked']))))
        self.assertEqual(self.b.read(longer)['state'], 'ready', 'its first lifetime and the grace of its Job are over')
        self.b.end(longer)
        status, answer = self.a.ask('POST', f'/v1/instances/{longer["id"]}/extend', {'lifetime': '110s'})
        self.assertEqual((status, answer['code']), (409, 'ended'))
        self.assertEqual(self.a.ended(longer)['outcome'], 'ended')

    def test_sim006_it_expires_and_its_logs_stay(self):
        one = self.a.start('alone', lifetime='3s', wait=False)
        ended = self.b.ended(one)
        self.assertEqual((ended['outcome'], ended['reason']), ('expired', 'its lifetime is over'))
        self.assertEqual(self.b.ask('GET', f'/v1/instances/{one["id"]}/logs')[0], 200)

    def test_sim003_onboard_software_ends_it(self):
        good, bad = (self.a.start(template, wait=False) for template in ('succeeds', 'fails'))
        ended = self.a.ended(good)
        self.assertEqual((ended['outcome'], ended['reason']), ('completed', 'the onboard software ended with 0'))
        ended = self.a.ended(bad)
        self.assertEqual(ended['outcome'], 'onboard_failed')
        self.assertRegex(ended['reason'], '^container onboard ended with exit code 2: .*')

    def test_sim012_too_little_memory(self):
        ended = self.a.ended(self.a.start('starved', wait=False))
        self.assertEqual((ended['outcome'], ended['reason']), ('out_of_memory', 'container onboard needed more memory than it may have'))

    def test_a_drone_that_dies(self):
        one = self.a.start('alone')
        kill(one, 'mayfly')
        ended = self.a.ended(one)
        self.assertEqual(ended['outcome'], 'emulator_failed')
        self.assertIn('exit code 137', ended['reason'])

    def test_sim041_another_geoid_than_plannings(self):
        ended = self.a.ended(self.a.start('planned', wait=False))
        self.assertEqual(ended['outcome'], 'geoid_mismatch', ended)
        self.assertIn('f' * 64 + ' is wanted', ended['reason'])

    def test_sim003_a_sidecar_that_restarted_is_told(self):
        one = self.a.start('degrades')
        kill(one, 'elevation --listen 0.0.0.0:8089')
        now = self.b.wait_for(one, lambda i: i['state'] == 'degraded', 'degraded')
        self.assertEqual(now['restarts'], 1)
        kill(one, 'mayfly')
        self.b.wait_for(one, lambda i: i['state'] == 'degraded' and i['restarts'] == 2, 'degraded twice')
        self.b.end(one)

    def test_sim003_or_ends_the_instance(self):
        one = self.a.start('ends')
        kill(one, 'elevation --listen 0.0.0.0:8089')
        ended = self.b.ended(one)
        self.assertEqual(ended['outcome'], 'onboard_failed', ended)
        self.assertIn('container elevation ended with exit code 137', ended['reason'])
        self.assertEqual(self.b.ask('GET', f'/v1/instances/{one["id"]}/logs?container=elevation')[0], 200)

    def test_sim002_an_eviction_is_told_for_as_long_as_the_job_is_there(self):
        one = self.a.start('alone')
        name = pods_of(one['id'], namespace=NAMESPACE)[0]['metadata']['name']
        kubectl('create', '--raw', f'/api/v1/namespaces/{NAMESPACE}/pods/{name}/eviction', document={
            'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': name, 'namespace': NAMESPACE}})
        wait_until(lambda: not pods_of(one['id'], namespace=NAMESPACE), 'pod is gone')
        for c in (self.a, self.b, self.controller()):
            ended = c.ended(one)
            self.assertEqual(ended['outcome'], 'evicted', ended)
            self.assertIn('EvictionByEvictionAPI', ended['reason'])

    def test_what_an_instance_waits_for(self):
        one = self.a.start('nowhere', wait=False)
        now = self.b.wait_for(one, lambda i: i['reason'] != '', 'reason')
        self.assertEqual(now['state'], 'pending')
        self.assertIn('unschedulable: 0/1 nodes are available', now['reason'])
        said = wait_until(lambda: [e for e in self.b.ask('GET', f'/v1/instances/{one["id"]}/events')[1]['events'] if e['reason'] == 'FailedScheduling'],
                          'event')
        self.assertIn('0/1 nodes', said[0]['message'])
        self.b.end(one)
        self.assertEqual(self.a.ended(one)['outcome'], 'ended')


class Requests(Case):
    def test_the_same_request_of_many_at_once_begins_it_once(self):
        body = {'request': 'many', 'count': 3, 'template': 'alone'}
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: (self.a, self.b)[n % 2].ask('POST', '/v1/instances', body), range(8)))
        self.assertEqual([status for status, _ in answers], [201] * 8)
        ids = {tuple(i['id'] for i in answer['instances']) for _, answer in answers}
        self.assertEqual(len(ids), 1)
        for name in ids.pop():
            self.assertEqual(len(wait_until(lambda name=name: pods_of(name, namespace=NAMESPACE), 'pod')), 1)
            self.assertEqual(read('secret', name, namespace=NAMESPACE)['metadata']['ownerReferences'][0]['uid'],
                             read('job', name, namespace=NAMESPACE)['metadata']['uid'])
            self.a.end({'id': name})
        status, answer = self.b.ask('POST', '/v1/instances', dict(body, lifetime='30s'))
        self.assertEqual((status, answer['code']), (409, 'conflict'))

    def test_what_a_controller_left_half_made_is_finished(self):
        """The quota stops it between its Job and its Secret."""
        cluster.create(quota(**{'count/secrets': '0'}), namespace=NAMESPACE)
        wait_until(lambda: read('resourcequota', 'tight', namespace=NAMESPACE)['status'].get('hard'), 'quota')
        body = {'request': 'half', 'template': 'alone', 'lifetime': '50s'}
        status, answer = self.a.ask('POST', '/v1/instances', body)
        self.assertEqual((status, answer['code']), (429, 'quota'), answer)
        self.assertIn('tight', answer['error'])
        brief = self.a.ask('POST', '/v1/instances', {'request': 'left', 'template': 'brief', 'labels': {'left': 'alone'}})
        self.assertEqual(brief[0], 429)
        left = wait_until(lambda: self.b.ask('GET', '/v1/instances?label=left=alone')[1]['instances'], 'the half of it is told')[0]
        self.assertEqual(left['state'], 'pending')
        wait_until(lambda: not exists('job', left['id'], namespace=NAMESPACE), 'its lifetime takes it away')
        kubectl('delete', 'resourcequota', 'tight', namespace=NAMESPACE)
        status, answer = self.b.ask('POST', '/v1/instances?wait=ready', body)
        self.assertEqual((status, answer['instances'][0]['state']), (201, 'ready'), answer)
        self.b.end(answer['instances'][0])

    def test_a_request_of_before_begins_anew_when_its_instance_is_gone(self):
        body = {'request': 'again', 'template': 'brief', 'lifetime': '50s'}
        seen = set()
        for c in (self.a, self.b, self.a):
            status, answer = c.ask('POST', '/v1/instances?wait=ready', body)
            self.assertEqual((status, answer['instances'][0]['state']), (201, 'ready'), answer)
            one = answer['instances'][0]
            seen.add(read('job', one['id'], namespace=NAMESPACE)['metadata']['uid'])
            c.end(one)
            wait_until(lambda one=one: not exists('job', one['id'], namespace=NAMESPACE), 'job is gone')
        self.assertEqual(len(seen), 3)

    def test_sim005_certificates(self):
        one = self.a.start('certified', wait=False)
        data = {k: base64.b64decode(v) for k, v in read('secret', one['id'], namespace=NAMESPACE)['data'].items()}
        for name in ('tls.crt', 'ca.crt'):
            with open(os.path.join(self.folder, name), 'wb') as f:
                f.write(data[name])
        said = subprocess.run(['openssl', 'verify', '-CAfile', f'{self.folder}/ca.crt', f'{self.folder}/tls.crt'], capture_output=True, text=True, check=True)
        self.assertIn('OK', said.stdout)
        text = subprocess.run(['openssl', 'x509', '-noout', '-ext', 'subjectAltName', '-in', f'{self.folder}/tls.crt'], capture_output=True, text=True,
                              check=True).stdout
        self.assertEqual(re.findall(r'DNS:([^,\s]+)', text), [one['id'], f'{one["id"]}.example'])
        self.assertNotIn('PRIVATE KEY', kubectl('get', 'job', one['id'], '-o', 'yaml', namespace=NAMESPACE))
        self.a.wait_for(one, lambda i: i['state'] == 'ready', 'ready')
        self.a.end(one)

    def test_a_job_of_somebody_else_is_no_instance(self):
        cluster.create(cluster.job('stranger', deadline_s=30, ttl_s=0), namespace=NAMESPACE)
        self.addCleanup(patch, 'job', 'stranger', {'spec': {'activeDeadlineSeconds': 1}}, namespace=NAMESPACE)
        for method in ('GET', 'DELETE'):
            status, answer = self.a.ask(method, '/v1/instances/stranger')
            self.assertEqual((status, answer['code']), (404, 'unknown_instance'))


class Templates(Case):
    def test_one_that_could_not_run_is_refused_when_it_is_read(self):
        for name, (text, expected) in WRONG.items():
            with open(os.path.join(self.templates, name + '.yaml'), 'w', encoding='utf-8') as f:
                f.write(text)
        c = self.controller()
        self.assertEqual({t['name'] for t in c.ask('GET', '/v1/templates')[1]['templates']}, {'drone', *TEMPLATES})
        for name, (_, expected) in WRONG.items():
            status, answer = c.ask('POST', '/v1/instances', {'template': name})
            self.assertEqual((status, answer['code']), (422, 'template'))
            self.assertIn(f'template {name} cannot be used: namespace {NAMESPACE}: ', answer['error'])
            self.assertIn(expected, answer['error'])
        self.assertEqual(read('jobs', namespace=NAMESPACE), [], 'trying one makes nothing')


if __name__ == '__main__':
    unittest.main()
