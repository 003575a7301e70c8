# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes backend from outside the cluster: two controllers by a kubeconfig, beside each other, in a namespace of each test module's own.

Needs no deployment; run.py prepares the cluster.
"""
import calendar
import contextlib
import glob
import os
import signal
import tempfile
import time

import local_controller
from certificates import authority
from cluster import Refused, exists, kubectl, pods_of, wait_until
from folder_case import FolderCase

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
    'valued': 'ttl: 60s\nvalues: {note: {env: NOTE}, words: {args: emulator, flags: [--uas-id]}}\n' + ALONE.replace(
        'image:', 'env: [{name: API_KEY, value: of-the-container}, {name: OWN, value: $(API_KEY)}], image:', 1),
    'nowhere': 'ttl: 60s\npod: {spec: {nodeSelector: {disk: none}, containers: [{name: emulator, ' + DRONE + '}]}}\n',
    'certified': 'ttl: 60s\ncertificates: {names: ["{id}.example"]}\n' + behind(FOREVER),
}
WRONG = {
    'privileged': (ALONE.replace('{containers', '{hostNetwork: true, containers'), 'violates PodSecurity'),
    'mistyped': (ALONE.replace('image:', 'ports: [{containerPort: 99999}], image:', 1), 'containerPort'),
}


class Controller(local_controller.Controller):
    def __init__(self, namespace, folder, *args):
        super().__init__('--kubeconfig', os.environ['KUBECONFIG'], '--namespace', namespace, '--drone-key', os.path.join(folder, 'drone.key'), *args)

    def start(self, template, wait=True, **body):
        return super().start(wait, template=template, **body)[0]

    def wait_for(self, one, condition, what, timeout_s=30.0):
        def reached():
            now = self.read(one)
            return now if condition(now) else None
        return wait_until(reached, f'{one["id"]}: {what}', timeout_s)

    def ended(self, one, timeout_s=30.0):
        return self.wait_for(one, lambda i: i.get('state') == 'ended', 'ended', timeout_s)

    def end(self, one, query=''):
        return self.ask('DELETE', f'/v1/instances/{one["id"]}{query}')


def seconds(text):
    """UTC of a time that the API tells."""
    return calendar.timegm(time.strptime(text[:19], '%Y-%m-%dT%H:%M:%S'))


def quota(**hard):
    return {'apiVersion': 'v1', 'kind': 'ResourceQuota', 'metadata': {'name': 'tight'}, 'spec': {'hard': hard}}


class Case(FolderCase):
    @classmethod
    def setUpClass(cls):
        cls.namespace = 'mayfly-' + cls.__module__.removeprefix('test_').replace('_', '-')
        with contextlib.suppress(Refused):
            kubectl('delete', 'namespace', cls.namespace, namespace=None)
        kubectl('create', 'namespace', cls.namespace, namespace=None)
        cls.addClassCleanup(kubectl, 'delete', 'namespace', cls.namespace, '--wait=false', namespace=None)
        kubectl('label', 'namespace', cls.namespace, 'pod-security.kubernetes.io/enforce=restricted', namespace=None)
        wait_until(lambda: exists('serviceaccount', 'default', namespace=cls.namespace), 'ServiceAccount')
        cls.shared = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.templates = cls.enterClassContext(local_controller.templates(**TEMPLATES))
        certificate, key = authority(cls.shared)
        cls.options = ['--templates', cls.templates, '--ca-certificate', certificate, '--ca-key', key]
        cls.a, cls.b = cls.controller(), cls.controller()

    def processes(self, one):
        """{process id: words} of an instance's containers on this machine, without pause, which holds the network of a pod."""
        uids = [p['metadata']['uid'] for p in pods_of(one['id'], namespace=self.namespace)]
        found = {}
        for path in glob.glob('/proc/[0-9]*'):
            with contextlib.suppress(OSError), open(f'{path}/cmdline', 'rb') as line, open(f'{path}/cgroup', encoding='ascii') as groups:
                text, words = groups.read(), line.read().decode(errors='replace').split('\0')[:-1]
                if words not in ([], ['/pause']) and any(uid in text or uid.replace('-', '_') in text for uid in uids):
                    found[int(path.split('/')[2])] = words
        return found

    def process(self, one, command):
        """Process id of a command line."""
        pid, = wait_until(lambda: [pid for pid, words in self.processes(one).items() if command in ' '.join(words)], f'{command} runs')
        return pid

    def kill(self, one, command):
        os.kill(self.process(one, command), signal.SIGKILL)

    @classmethod
    def controller(cls):
        c = cls.enterClassContext(Controller(cls.namespace, cls.shared, *cls.options))
        wait_until(lambda: c.ask('GET', '/readyz')[0] == 200, 'ready')
        return c
