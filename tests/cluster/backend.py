# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes backend from outside the cluster: two controllers by a kubeconfig, beside each other, in a namespace of each script's own.

Needs no deployment; run.py prepares the cluster.
"""
import calendar
import contextlib
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from cluster import TOP, Refused, exists, kubectl, pods_of, wait_until

NAMESPACE = 'mayfly-' + os.path.basename(sys.argv[0])[5:-3].replace('_', '-')
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
