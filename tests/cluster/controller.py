# SPDX-License-Identifier: Apache-2.0
"""A client of the controller's API in the cluster, by the Service's address, and what a drone tells its clients."""
import contextlib
import http.client
import json
import os
import socket
import ssl
import subprocess
import time

import mavlink
from cluster import CLIENTS, SYSTEM, kubectl, read, wait_until
from paths import FLY, built

WORK = built('cluster')  # run.py's: certificate of the API, drones' key
AUDIENCE = 'mayfly'
SERVICE = f'simctl.{SYSTEM}.svc'
LIVING = ('pending', 'starting', 'ready', 'degraded')


def token(account='tester', namespace=CLIENTS, audience=AUDIENCE, duration='1h'):
    """Of a ServiceAccount, as a pod of its gets one."""
    return kubectl('create', 'token', account, f'--audience={audience}', f'--duration={duration}', namespace=namespace).strip()


class Controller:
    """One caller. Requests may be repeated, and are, while the controller or its API server is away."""

    def __init__(self, bearer=None):
        self.host = wait_until(lambda: read('service', 'simctl', namespace=SYSTEM)['spec'].get('clusterIP'), 'address of the Service')
        self.bearer = bearer or token()
        self.tls = ssl.create_default_context(cafile=os.path.join(WORK, 'tls.crt'))

    def raw(self, method, path, body=None, timeout_s=70.0, headers=None):
        """(status, bytes); OSError where nobody answers"""
        connection = http.client.HTTPSConnection(SERVICE, timeout=timeout_s, context=self.tls)
        # the name is the certificate's; the address is that of the Service, since no name is resolved here
        connection._create_connection = lambda address, *rest: socket.create_connection((self.host, address[1]), *rest)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, data, {'Authorization': f'Bearer {self.bearer}', 'Content-Type': 'application/json', **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise ConnectionError(f'{method} {path}: {error!r}') from error
        finally:
            connection.close()

    def ask(self, method, path, body=None, **options):
        """(status, document)"""
        status, data = self.raw(method, path, body, **options)
        try:
            return status, json.loads(data) if data else None
        except ValueError:
            return status, data  # of a recording

    def insist(self, method, path, body=None, timeout_s=60.0, good=(200, 201)):
        """The answer, however often the request has to be repeated: the controller may be killed meanwhile."""
        def once():
            status, answer = self.ask(method, path, body, timeout_s=10)
            if status in good:
                return answer
            if status < 500 and status not in (429,):
                raise AssertionError((method, path, status, answer))
            raise ConnectionError((status, answer))
        return wait_until(once, f'{method} {path}', timeout_s)

    def start(self, wait=True, **body):
        status, answer = self.ask('POST', '/v1/instances' + ('?wait=ready' if wait else ''), body)
        if status != 201:
            raise AssertionError((status, answer))
        return answer['instances']

    def read(self, instance):
        status, answer = self.ask('GET', '/v1/instances/' + instance['id'], timeout_s=5)  # its replica may have died
        if status >= 500:
            raise ConnectionError((status, answer))
        if status != 200:
            raise AssertionError((status, answer))
        return answer

    def all_ended(self, **labels):
        """Those with these labels, once all have ended."""
        def over():
            found = self.list(**labels)
            return found if all(i['state'] == 'ended' for i in found) else None
        return wait_until(over, f'all of {labels} have ended')

    def list(self, **labels):
        query = '&'.join(f'label={name}={value}' for name, value in labels.items())
        return self.insist('GET', f'/v1/instances?{query}')['instances']

    def wait_for(self, instance, *states, timeout_s=60.0):
        def reached():
            now = self.read(instance)
            return now if now['state'] in states else None
        return wait_until(reached, f'{instance["id"]} is {" or ".join(states)}', timeout_s)

    def end(self, instance, query=''):
        return self.insist('DELETE', f'/v1/instances/{instance["id"]}{query}')


def begin():
    """The controller, once it answers as a pod."""
    controller = Controller()
    wait_until(lambda: controller.ask('GET', '/v1/capacity')[0] == 200, 'the controller answers')
    return controller


# ---------------------------------------------------------------- drones

def address(instance):
    host, port = instance['connect']['tcp'].rsplit(':', 1)
    return host, int(port)


def heartbeat(host, port, timeout_s=20.0, pause_s=0.01):
    """Time of the first HEARTBEAT that a client of this address reads."""
    limit = time.time() + timeout_s
    while time.time() < limit:
        with contextlib.suppress(OSError):
            # a SYN that nobody takes yet is repeated after a second only
            socket.create_connection((host, port), timeout=0.03).close()
            client = mavlink.Client('tcp', port, host)
            try:
                while time.time() < limit:
                    if any(m.name == 'HEARTBEAT' for m in client.read()):
                        return time.time()
                    time.sleep(0.001)
            finally:
                client.close()
        time.sleep(pause_s)
    raise AssertionError(f'{host}:{port}: no HEARTBEAT within {timeout_s} s')


def fly(instances):
    """Each flies build/fly's square, all at the same time. @return those that failed, with what fly said"""
    flights = [(i, subprocess.Popen([FLY, '--takeoff-alt', '3', '--side', '10', '--timeout', '60', '--quiet', 'tcp:' + i['connect']['tcp']],
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)) for i in instances]
    said = [(i, p.communicate()[0], p.returncode) for i, p in flights]
    return [(i['id'], code, text) for i, text, code in said if code != 0]


# ---------------------------------------------------------------- its own pods

def pods():
    return [p for p in read('pods', '-l', 'app.kubernetes.io/name=simctl', namespace=SYSTEM) if not p['metadata'].get('deletionTimestamp')]


def processes():
    """Process ids of simctl in these pods, on this machine."""
    uids = {p['metadata']['uid'] for p in pods()}
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError):
            with open(f'/proc/{pid}/comm', encoding='ascii') as f:
                if f.read().strip() != 'simctl':
                    continue
            with open(f'/proc/{pid}/cgroup', encoding='ascii') as f:
                groups = f.read()
            if any(uid in groups for uid in uids):
                found.append(int(pid))
    return found


def scale(replicas):
    kubectl('scale', 'deployment/simctl', f'--replicas={replicas}', namespace=SYSTEM)
    if replicas == 0:
        wait_until(lambda: not processes(), 'the controller has gone')
    else:
        kubectl('rollout', 'status', 'deployment/simctl', '--timeout=60s', namespace=SYSTEM, timeout_s=70)
