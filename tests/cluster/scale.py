#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scale.py [--count N] [--qps N]: so many instances on a real control plane whose nodes are pretended, and what they cost.

Nodes without a kubelet: this program keeps them Ready (their leases), and says of each pod that is bound to one that it runs, or that
it has gone. Everything else is as always: API server, etcd, scheduler, Job controller, and build/simctl beside them. The controller
manager asks the API server 20 times a second and no more by its default, which is then what is measured; --qps lets it ask more.
CLUSTER, STATE, BUILD and DEMAND are those of run.py. The cluster is this program's own: one that runs already, of whomever, is left as
it is, and the program ends with 1. Nothing is left behind.

Exit code 0: done, or left out for a reason that is printed.
"""
import argparse
import base64
import concurrent.futures
import contextlib
import http.client
import json
import os
import queue
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import run
from cluster import kubectl, wait_until
from paths import SIMCTL

NAMESPACE = 'mayfly-scale'
PODS_PER_NODE = 250
BATCH = 500  # instances of one request: what a controller takes
WORKERS = 4
LEASE_S = 10.0
TEMPLATE = ('{description: on a node that is none, lifetime: {default: 6h, max: 6h}, ttl: 0, pod: {spec: {nodeSelector: {mayfly.dev/fake: "yes"}, '
            'containers: [{name: emulator, image: localhost/mayfly, resources: {requests: {cpu: 1m, memory: 1M}}}]}}}\n')
MERGE = 'application/merge-patch+json'


def utc(fraction=''):
    return time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime()) + fraction + 'Z'


class Api:
    """The API server, one connection for each thread."""

    def __init__(self, folder):
        config = json.loads(subprocess.run(['kubectl', 'config', 'view', '--raw', '--flatten', '-o', 'json'], capture_output=True, check=True).stdout)
        files = {}
        for name, text in (('ca', config['clusters'][0]['cluster']['certificate-authority-data']),
                           ('crt', config['users'][0]['user']['client-certificate-data']), ('key', config['users'][0]['user']['client-key-data'])):
            files[name] = os.path.join(folder, name)
            with open(files[name], 'wb') as f:
                f.write(base64.b64decode(text))
        self.address = urllib.parse.urlsplit(config['clusters'][0]['cluster']['server']).netloc
        self.tls = ssl.create_default_context(cafile=files['ca'])
        self.tls.load_cert_chain(files['crt'], files['key'])
        self.mine = threading.local()

    def open(self, timeout_s=60):
        return http.client.HTTPSConnection(self.address, timeout=timeout_s, context=self.tls)

    def ask(self, method, path, document=None, kind='application/json'):
        for _ in range(3):
            connection = getattr(self.mine, 'connection', None) or self.open()
            self.mine.connection = connection
            try:
                connection.request(method, path, None if document is None else json.dumps(document), {'Content-Type': kind})
                answer = connection.getresponse()
                return answer.status, answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                self.mine.connection = None
        raise ConnectionError(f'{method} {path}')


class Nodes:
    """Nodes that are none."""

    def __init__(self, api, count):
        self.api, self.names, self.stop = api, [f'fake-{n}' for n in range(count)], threading.Event()
        self.work, self.phase, self.seen = queue.Queue(), {}, 0
        for name in self.names:
            room = {'cpu': '64', 'memory': '256Gi', 'pods': str(PODS_PER_NODE)}
            api.ask('POST', '/api/v1/nodes', {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': name, 'labels': {'mayfly.dev/fake': 'yes'}}})
            ready = {'type': 'Ready', 'status': 'True', 'reason': 'KubeletReady', 'lastHeartbeatTime': utc(), 'lastTransitionTime': utc()}
            api.ask('PATCH', f'/api/v1/nodes/{name}/status', {'status': {'capacity': room, 'allocatable': room, 'conditions': [ready]}}, MERGE)
        self.threads = [threading.Thread(target=target, daemon=True) for target in (self.keep_ready, self.watch, *[self.serve] * WORKERS)]
        for thread in self.threads:
            thread.start()

    def keep_ready(self):
        while not self.stop.is_set():
            for name in self.names:
                path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
                lease = {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': name},
                         'spec': {'holderIdentity': name, 'leaseDurationSeconds': 40, 'renewTime': utc('.000000')}}
                with contextlib.suppress(OSError):  # a server that is too busy now has the lease a little later
                    if self.api.ask('PATCH', f'{path}/{name}', {'spec': lease['spec']}, MERGE)[0] == 404:
                        self.api.ask('POST', path, lease)
            self.stop.wait(LEASE_S)

    def watch(self):
        version = ''
        while not self.stop.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                connection = self.api.open(timeout_s=30)
                connection.request('GET', f'/api/v1/namespaces/{NAMESPACE}/pods?watch=1&timeoutSeconds=300&resourceVersion={version}')
                for line in connection.getresponse():
                    event = json.loads(line)
                    if event['type'] == 'ERROR':
                        version = ''
                        break
                    version = event['object']['metadata']['resourceVersion']
                    self.take(event['object'], event['type'] == 'DELETED')

    def take(self, pod, gone):
        name = pod['metadata']['name']
        if gone:
            self.phase.pop(name, None)
            return
        wanted = 'gone' if pod['metadata'].get('deletionTimestamp') else 'runs' if pod['spec'].get('nodeName') else None
        if wanted and self.phase.get(name) != wanted:
            self.phase[name] = wanted
            self.work.put((name, pod['spec'].get('nodeName'), wanted))

    def serve(self):
        while not self.stop.is_set():
            with contextlib.suppress(queue.Empty):
                name, node, wanted = self.work.get(timeout=1)
                path = f'/api/v1/namespaces/{NAMESPACE}/pods/{name}'
                try:
                    if wanted == 'gone':
                        self.api.ask('DELETE', path, {'gracePeriodSeconds': 0})
                    else:
                        self.seen += 1
                        self.api.ask('PATCH', f'{path}/status', {'status': self.running()}, MERGE)
                except OSError:
                    self.work.put((name, node, wanted))

    def running(self):
        now, n = utc(), self.seen
        address = f'10.{200 + n // 65536}.{n // 256 % 256}.{n % 256}'
        return {'phase': 'Running', 'startTime': now, 'podIP': address, 'podIPs': [{'ip': address}], 'hostIP': '10.255.0.1',
                'conditions': [{'type': kind, 'status': 'True', 'lastTransitionTime': now} for kind in ('Initialized', 'ContainersReady', 'Ready')],
                'containerStatuses': [{'name': 'emulator', 'ready': True, 'started': True, 'restartCount': 0, 'image': 'localhost/mayfly', 'imageID': 'x',
                                       'containerID': f'fake://{n}', 'state': {'running': {'startedAt': now}}}]}


class Process:
    """What a process has used."""

    def __init__(self, pid):
        self.pid, self.begun_s = pid, self.cpu_s(pid)

    def cpu_s(self, pid):
        with open(f'/proc/{pid}/stat', encoding='ascii') as f:
            fields = f.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def spent_s(self):
        return self.cpu_s(self.pid) - self.begun_s

    def memory_mb(self):
        with open(f'/proc/{self.pid}/statm', encoding='ascii') as f:
            return int(f.read().split()[1]) * os.sysconf('SC_PAGESIZE') / 1e6


class Controller:
    def __init__(self, folder):
        os.mkdir(os.path.join(folder, 'templates'))
        with open(os.path.join(folder, 'templates', 'fake.yaml'), 'w', encoding='utf-8') as f:
            f.write(TEMPLATE)
        self.process = subprocess.Popen([SIMCTL, 'serve', '--listen', '127.0.0.1:0', '--kubeconfig', os.environ['KUBECONFIG'],
                                         '--namespace', NAMESPACE, '--templates', os.path.join(folder, 'templates'),
                                         '--drone-key', os.path.join(folder, 'drone.key')], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[1].rstrip(':')
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        wait_until(lambda: self.get('/readyz'), 'the controller is ready')

    def ask(self, method, path, document=None):
        request = urllib.request.Request(self.url + path, method=method, data=None if document is None else json.dumps(document).encode())
        with self.opener.open(request, timeout=600) as answer:
            return answer.read()

    def get(self, path):
        try:
            return json.loads(self.ask('GET', path))
        except OSError:
            return None

    def ready(self):
        return (self.get('/v1/capacity') or {'instances': {'ready': 0}})['instances']['ready']


def said(name, value, unit):
    print(f'figure: scale.{name} {value:.4g} {unit}', flush=True)


def until(holds, what, patience_s):
    end = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f'not within {patience_s:.0f} s: {what}')
        time.sleep(0.5)


def watched():
    """Events that the API server has sent so far to all who watch, and their bytes."""
    lines = kubectl('get', '--raw', '/metrics', namespace=None).splitlines()
    return [sum(float(line.split()[-1]) for line in lines if line.startswith(f'apiserver_watch_events_{name}{{')) for name in ('total', 'sizes_sum')]


def measure(count, c, parts):
    events, size = watched()
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:  # two callers
        list(pool.map(lambda n: c.ask('POST', '/v1/instances', {'template': 'fake', 'count': min(BATCH, count - n), 'labels': {'suite': 'scale'}}),
                      range(0, count, BATCH)))
    asked_s = time.monotonic() - begin
    until(lambda: c.ready() >= count, f'{count} are ready, not {c.ready()}', 60 + count)
    ready_s = time.monotonic() - begin
    said('asked', count / asked_s, 'instances/s')
    said('ready', count / ready_s, 'instances/s')
    for name, process in parts.items():
        said(f'{name}.begin', 1000 * process.spent_s() / count, 'ms of a processor for an instance that begins')
        said(f'{name}.memory', process.memory_mb(), 'MB')
    now = watched()
    said('watch.events', (now[0] - events) / count, 'events to all who watch for an instance that begins')
    said('watch.bytes', (now[1] - size) / count, 'bytes of them')
    for limit in (1000, 5000):
        seconds = []
        for _ in range(5):
            begin = time.monotonic()
            page = c.ask('GET', f'/v1/instances?limit={limit}')
            seconds.append(time.monotonic() - begin)
        said(f'list.{limit}', 1000 * statistics.median(seconds), 'ms')
        said(f'list.{limit}.bytes', len(page), 'bytes')
    before = {name: process.spent_s() for name, process in parts.items()}
    time.sleep(20)
    for name, process in parts.items():
        said(f'{name}.idle', 100 * (process.spent_s() - before[name]) / 20, '% of a core while nothing is asked')
    begin = time.monotonic()
    while json.loads(c.ask('DELETE', '/v1/instances?label=suite=scale'))['left']:
        pass
    said('ended', count / (time.monotonic() - begin), 'instances/s told to end')
    until(lambda: not json.loads(kubectl('get', '--raw', f'/api/v1/namespaces/{NAMESPACE}/pods?limit=1', namespace=None))['items'] and
          not json.loads(kubectl('get', '--raw', f'/apis/batch/v1/namespaces/{NAMESPACE}/jobs?limit=1', namespace=None))['items'],
          'Jobs and pods are gone', 60 + count)
    said('reclaimed', count / (time.monotonic() - begin), 'instances/s')


def pid_of(part):
    with open(f'{run.STATE}/log/{part}.pid', encoding='ascii') as f:
        return int(f.read())


def hurry(qps):
    """The controller manager again, with leave to ask more often; `down` ends it as it would have ended the first."""
    pid = pid_of('kcm')
    with open(f'/proc/{pid}/cmdline', 'rb') as f:
        command = [word.decode() for word in f.read().split(b'\0')[:-1]]
    os.kill(pid, signal.SIGTERM)
    with open(f'{run.STATE}/log/kcm.log', 'ab') as log:
        again = subprocess.Popen([*command, f'--kube-api-qps={qps}', f'--kube-api-burst={2 * qps}'], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    with open(f'{run.STATE}/log/kcm.pid', 'w', encoding='ascii') as f:
        f.write(str(again.pid))


def scale(count):
    with tempfile.TemporaryDirectory() as folder:
        kubectl('create', 'namespace', NAMESPACE, namespace=None)
        api = Api(folder)
        nodes = Nodes(api, (count + PODS_PER_NODE - 1) // PODS_PER_NODE)
        c = Controller(folder)
        try:
            measure(count, c, {'controller': Process(c.process.pid), **{part: Process(pid_of(part)) for part in ('api', 'etcd', 'kcm', 'sched')}})
        finally:  # its objects go with the cluster
            c.process.terminate()
            c.process.wait()
            nodes.stop.set()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=5000)
    parser.add_argument('--qps', type=int, help='what the controller manager may ask of the API server in a second (20)')
    options = parser.parse_args()
    os.makedirs(run.WORK, exist_ok=True)
    reason = run.missing()
    if reason:
        print(f'cluster-scale: left out: {reason}')
        return 1 if os.environ.get('DEMAND') == 'yes' else 0
    os.environ['KUBECONFIG'] = f'{run.STATE}/admin.conf'
    if run.processes():
        print(f'cluster-scale: a cluster of {run.STATE} runs already, and this one would end it: "{os.path.relpath(run.PROGRAM)} down" first')
        return 1
    run.stop()
    before = run.machine()
    run.program('up')
    try:
        if options.qps:
            hurry(options.qps)
        scale(options.count)
    finally:
        run.stop()
    left = run.left_on(before)
    for what in left:
        print(f'cluster-scale: left on the machine: {what}')
    return 1 if left else 0


if __name__ == '__main__':
    sys.exit(main())
