# SPDX-License-Identifier: Apache-2.0
"""Instances begin once and end in time, whatever dies meanwhile: the controller, its API server, the whole control plane.

Stops parts of the cluster; run.py runs it by itself.
"""
import contextlib
import os
import signal
import subprocess
import time
import unittest

import controller
from cluster import exists, kubectl, pods_of, read, wait_until
from process_table import is_alive

STATE = os.environ.get('STATE', '/var/lib/mayfly-cluster')


class Component:
    """A process of the control plane, which stops and starts again as it was."""

    def __init__(self, name):
        self.name, self.path = name, f'{STATE}/log/{name}.pid'
        with open(self.path, encoding='ascii') as f:
            self.pid = int(f.read())
        with open(f'/proc/{self.pid}/cmdline', 'rb') as f:
            self.command = f.read().decode().split('\0')[:-1]

    def stop(self):
        os.kill(self.pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(self.pid), f'{self.name} is dead', pause_s=0.02)

    def start(self):
        with open(f'{STATE}/log/{self.name}.log', 'ab') as log:
            self.process = subprocess.Popen(self.command, cwd=STATE, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.pid = self.process.pid
        self.process.returncode = 0  # it outlives this test
        with open(self.path, 'w', encoding='ascii') as f:
            f.write(f'{self.pid}\n')


@contextlib.contextmanager
def stopped(*names):
    components = [Component(name) for name in names]
    for component in components:
        component.stop()
    try:
        yield
    finally:
        for component in components:  # the API server first: the others would wait for it ever longer
            component.start()
            wait_until(lambda: 'Ready' in kubectl('get', 'nodes', timeout_s=5), 'API server answers')


class Dead(unittest.TestCase):
    """Lifetimes are kept by nobody of ours."""

    def setUp(self):
        self.c = controller.begin()

    def test_1_sim006_without_a_controller(self):
        one, = self.c.start(template='brief', lifetime='8s')
        other, = self.c.start(template='fleet', lifetime='120s')
        controller.scale(0)
        self.addCleanup(lambda: self.c.end(other))
        self.addCleanup(controller.scale, 2)
        wait_until(lambda: not exists('job', one['id']) and not exists('secret', one['id']) and not pods_of(one['id']), 'all of it is gone')
        self.assertTrue(exists('job', other['id']))

    def test_2_sim006_without_a_control_plane(self):
        """The kubelet alone keeps a pod's deadline."""
        one, = self.c.start(template='fleet', lifetime='8s')
        with stopped('api', 'kcm', 'sched'):
            begin = time.monotonic()
            host, port = controller.address(one)
            wait_until(lambda: not self.answers(host, port), 'the drone has gone', timeout_s=30)
            lived = time.monotonic() - begin
        print(f'figure: a lifetime of 8 s ended {lived:.1f} s after the control plane had died')
        self.assertEqual(self.c.wait_for(one, 'ended')['outcome'], 'expired')

    def answers(self, host, port):
        with contextlib.suppress(OSError, AssertionError):
            return controller.heartbeat(host, port, timeout_s=1.5)
        return None

    def test_3_a_restart_of_the_api_server_is_survived(self):
        one, = self.c.start(template='fleet', lifetime='120s')
        self.addCleanup(lambda: self.c.end(one))
        replicas = sorted(controller.processes())
        with stopped('api'):
            host, port = controller.address(one)
            self.assertTrue(self.answers(host, port))
            status, answer = self.c.ask('POST', '/v1/instances', {'request': 'unreachable'}, timeout_s=30)
            self.assertEqual((status, answer['code']), (503, 'kubernetes'))
        other = self.c.insist('POST', '/v1/instances?wait=ready', {'template': 'fleet', 'request': f'after-{os.getpid()}', 'lifetime': '60s'})['instances'][0]
        self.assertEqual(self.c.wait_for(other, 'ready', 'ended')['state'], 'ready')
        self.assertEqual(self.c.read(one)['state'], 'ready')
        self.assertEqual(sorted(controller.processes()), replicas, 'the controller itself went on')
        self.c.end(other)

    def test_4_a_watch_that_the_server_has_forgotten_begins_anew(self):
        """Many changes, and a compaction of etcd's history, while the controller is stopped: its watches get 410."""
        one, = self.c.start(template='fleet', lifetime='120s')
        self.addCleanup(lambda: self.c.end(one))
        pids = controller.processes()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            with stopped('api'):
                pass  # it forgets what it had in its cache of changes
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        other, = self.c.insist('POST', '/v1/instances', {'template': 'fleet', 'lifetime': '60s', 'request': f'forgotten-{os.getpid()}'})['instances']
        self.assertEqual(self.c.wait_for(other, 'ready')['state'], 'ready')
        self.c.end(other)


class Left(unittest.TestCase):
    """After all that."""

    def test_no_pod_runs_that_no_instance_owns(self):
        jobs = {j['metadata']['labels'].get('mayfly.dev/instance') for j in read('jobs')}
        orphans = [p['metadata']['name'] for p in read('pods') if p['metadata']['labels'].get('mayfly.dev/instance') not in jobs
                   and not p['metadata'].get('deletionTimestamp')]
        self.assertEqual(orphans, [])
