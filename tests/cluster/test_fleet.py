# SPDX-License-Identifier: Apache-2.0
"""The controller as a pod: instances begin, fly, fail as they are told, expire and end; how fast and what it costs, against ci/budgets.

run.py prepares the cluster and runs this file by itself, since it measures.
"""
import calendar
import contextlib
import json
import re
import statistics
import subprocess
import threading
import time
import unittest

import controller
import figures
from cluster import emulator, read, wait_until
from controller import address, heartbeat

SOCKET = '/run/mayfly-containerd/containerd.sock'
CREATES, SERVICES, FLEET = 7, 3, 20
START = re.compile(r'^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)? \+0000 UTC \S+ /tasks/start (\{.*\})')
FIGURES = figures.Figures()


class Watch:
    """When containers started, by containerd's own events (a pod's status has whole seconds), and when each address that a pod
    has got began to send HEARTBEATs on its MAVLink port."""

    def __enter__(self):
        self.started, self.heard, self.threads = {}, {}, {}
        self.events = subprocess.Popen(['ctr', '-a', SOCKET, '-n', 'k8s.io', 'events'], stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()
        return self

    def follow(self):
        for line in self.events.stdout:
            found = START.match(line)
            if found:
                event = json.loads(found[4])
                whole = calendar.timegm(time.strptime(f'{found[1]} {found[2]} UTC', '%Y-%m-%d %H:%M:%S %Z'))
                self.started[event['container_id']] = whole + float(found[3] or 0)
                self.listen_at(event['pid'])

    def listen_at(self, pid):
        """The first container of a pod is its sandbox: the network is there, and the drone is not. Asked earlier, it would be
        asked again a second later only (ARP)."""
        with contextlib.suppress(OSError), open(f'/proc/{pid}/net/fib_trie', encoding='ascii') as f:
            for one in set(re.findall(r'-- (10\.\S+)\n\s+/32 host LOCAL', f.read())) - set(self.threads):
                self.threads[one] = threading.Thread(target=self.listen, args=(one,))
                self.threads[one].start()

    def listen(self, one):
        with contextlib.suppress(AssertionError):
            self.heard[one] = heartbeat(one, 5760, timeout_s=15)

    def __exit__(self, *_):
        self.events.terminate()
        self.events.wait()
        self.thread.join()
        for thread in self.threads.values():
            thread.join()
        self.events.stdout.close()


def processor_ns(pid):
    with open(f'/proc/{pid}/schedstat', encoding='ascii') as f:
        return int(f.read().split()[0])


def private_mb(pid):
    """Memory of a process that it shares with no other. What it shares, and what the kernel keeps of files, depends on the machine."""
    with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as f:
        return sum(1024 * int(line.split()[1]) for line in f if line.startswith('Private_')) / 1e6


def median(values):
    return statistics.median(values) if values else None


class Fleet(unittest.TestCase):
    """Twenty instances at once."""

    @classmethod
    def setUpClass(cls):
        controller.scale(0)  # the memory of a new one is that of these tests, and not of those before
        controller.scale(2)
        cls.c = controller.begin()
        cls.addClassCleanup(lambda: cls.c.insist('DELETE', '/v1/instances?label=suite'))

    def test_1_sim013_one_after_the_other(self):
        """From the request to the first HEARTBEAT, and from the start of the container."""
        whole, cold = [], []
        for _ in range(CREATES):
            with Watch() as watch:
                begin = time.time()
                one, = self.c.start(template='fleet', lifetime='60s', labels={'suite': 'one'}, wait=False)
                host = wait_until(lambda one=one: (self.c.read(one)['connect'] or {}).get('tcp'), 'address').rsplit(':', 1)[0]
                wait_until(lambda: host in watch.heard, 'HEARTBEAT')
                _, container = emulator(one)
                whole.append(watch.heard[host] - begin)
                cold.append(max(0.0, watch.heard[host] - watch.started[container]))  # the event comes after the start
                self.c.end(one)
        print('figure: create to HEARTBEAT', ' '.join(f'{s:.2f}' for s in sorted(whole)))
        print('figure: container start to HEARTBEAT', ' '.join(f'{s:.2f}' for s in sorted(cold)))
        FIGURES.add('cluster.heartbeat', median(whole), 's')
        FIGURES.add('cluster.cold', median(cold), 's')
        FIGURES.add('cluster.cold.longest', max(cold), 's')

    def test_2_sim013_through_the_service(self):
        seconds = []
        for _ in range(SERVICES):
            begin = time.time()
            one, = self.c.start(template='outside', lifetime='60s', labels={'suite': 'node'}, wait=False)
            outside = wait_until(lambda: (self.c.read(one).get('outside') or {}).get('tcp'), 'address outside', pause_s=0.02)
            host, port = outside.rsplit(':', 1)
            seconds.append(heartbeat(host, int(port)) - begin)
            self.c.end(one)
        print('figure: create to HEARTBEAT through the Service', ' '.join(f'{s:.2f}' for s in sorted(seconds)))
        FIGURES.add('cluster.service', median(seconds), 's')

    def test_3_sim001_sim002_twenty_at_once(self):
        begin = time.monotonic()
        instances = self.c.start(template='fleet', count=FLEET, lifetime='5m', labels={'suite': 'fleet'})
        FIGURES.add('cluster.ready', time.monotonic() - begin, 's')
        type(self).fleet = instances
        self.assertEqual([i['state'] for i in instances], ['ready'] * FLEET)
        self.assertEqual(len({i['connect']['tcp'] for i in instances}), FLEET)
        for kind in ('job', 'pod', 'secret'):
            found = {o['metadata']['labels']['mayfly.dev/instance'] for o in read(kind, '-l', 'mayfly.dev/instance')}
            self.assertLessEqual({i['id'] for i in instances}, found, f'a {kind} bears no instance')
        for instance in instances:
            pod, _ = emulator(instance)
            drone, = [c for c in pod['spec']['containers'] if c['name'] == 'emulator']
            self.assertEqual(drone['resources']['limits'], {'cpu': '250m', 'memory': '256M'})  # SIM-012

    def test_4_sim012_each_flies_a_mission(self):
        pids = [self.pid_of(i) for i in self.fleet]
        before, begin = [processor_ns(pid) for pid in pids], time.monotonic()
        self.assertEqual(controller.fly(self.fleet), [])
        spent = [100e-9 * (processor_ns(pid) - then) / (time.monotonic() - begin) for pid, then in zip(pids, before)]
        print(f'figure: processor of a drone in flight, at most {max(spent):.2f} %')
        FIGURES.add('cluster.drone.cpu', median(spent), '%')
        FIGURES.add('cluster.drone.memory', max(map(private_mb, pids)), 'MB')
        FIGURES.add('cluster.controller.memory', max(map(private_mb, controller.processes())), 'MB')

    def pid_of(self, instance):
        _, container = emulator(instance)
        return int(subprocess.run(['ctr', '-a', SOCKET, '-n', 'k8s.io', 'tasks', 'ls'], capture_output=True, text=True, check=True)
                   .stdout.split(container, 1)[1].split()[0])

    def test_5_a_lost_gps_is_seen_within_one_cycle(self):
        one = self.fleet[0]
        client = controller.mavlink.Client('tcp', address(one)[1], address(one)[0])
        self.addCleanup(client.close)

        def fixes():
            return [m.fix for m in client.read() if m.name == 'GPS_RAW_INT']
        wait_until(lambda: 3 in fixes(), 'a fix', pause_s=0.001)
        status, answer = self.c.ask('POST', f'/v1/instances/{one["id"]}/drone/v1/faults', {'fault': 'gps_off'})
        self.assertEqual(status, 200, answer)
        fixes()  # what came before the answer may have been sent before the fault
        first = wait_until(fixes, 'GPS_RAW_INT', pause_s=0.001)
        self.assertIn(first[0], (0, 1), 'the first GPS_RAW_INT after the answer has no fix')

    def test_6_sim006_sim007_one_expires_one_is_ended_others_do_not_notice(self):
        before = {i['id']: emulator(i)[1] for i in self.fleet[2:]}
        short, = self.c.start(template='fleet', lifetime='4s', labels={'suite': 'short'})
        self.c.end(self.fleet[1])
        ended = self.c.wait_for(self.fleet[1], 'ended')
        self.assertEqual((ended['outcome'], ended['reason']), ('ended', 'ended by a caller'))
        self.assertEqual(self.c.wait_for(short, 'ended')['outcome'], 'expired')
        for instance in self.fleet[2:]:
            now = self.c.read(instance)
            self.assertEqual((now['state'], now['restarts'], emulator(instance)[1]), ('ready', 0, before[instance['id']]))

    def test_7_sim007_all_with_a_label_are_ended(self):
        self.c.insist('DELETE', '/v1/instances?label=suite=fleet')
        self.assertEqual({i['outcome'] for i in self.c.all_ended(suite='fleet')}, {'ended'})

    def test_8_limits_are_kept(self):
        self.assertEqual(FIGURES.broken, [])
