# SPDX-License-Identifier: Apache-2.0
"""mayfly-swarm sweep --kubernetes: the pods of its Job leave what a sweep on one machine leaves. run.py prepares the cluster.
MF_LONG=1 sweeps 64 seeds of examples/scenarios/gradient.yaml, too (SBE-23)."""
import json
import os
import subprocess

import pytest

from cluster import create, exists, kubectl, read, wait_until
from folder_case import FolderCase
from paths import SCENARIOS, SWARM
from swarm_case import HOP

NAMESPACE = 'mayfly-sweep'
SCENARIO = '''swarm: 1
entities: [{name: a, count: 20, plan: ../plans/hop.waypoints, place: {disc: [0, 0, 100]}, params: {MPC_XY_CRUISE: "${SPEED:10}"}}]
outputs: {csv: {file: hop.csv, every: 5}, events: events.csv}
expect: [{event: finished, by: 200}]
variations: {calm: {}, windy: {entities.0.settings: {wind.speed: 8}}}
sweep: {over: variations, each: {SPEED: [5, 10]}}
'''


def volume(name, path):
    """What many may write into, on a cluster of one node: a folder of it. @param name  of the objects, as the manifest has it"""
    spec = {'accessModes': ['ReadWriteMany'], 'storageClassName': ''}
    return [{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': name},
             'spec': {**spec, 'capacity': {'storage': '1Gi'}, 'hostPath': {'path': path, 'type': 'Directory'}}},
            {'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': name},
             'spec': {**spec, 'volumeName': name, 'resources': {'requests': {'storage': '1Gi'}}}}]


class Sweep(FolderCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path('runs'))
        os.chmod(self.path('runs'), 0o777)      # pods are no root
        create({'apiVersion': 'v1', 'kind': 'Namespace',
                'metadata': {'name': NAMESPACE, 'labels': {'pod-security.kubernetes.io/enforce': 'restricted'}}}, namespace=None)

    def prepare(self, name, files):
        """A volume for the Job of a scenario, whose files are written."""
        self.name, self.scenario = f'mayfly-{name}', self.path('swarms', f'{name}.yaml')
        for path, text in files.items():
            os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
            self.write(path, text)
        self.addCleanup(self.delete)
        for document in volume(self.name, self.path('runs')):
            create(document, namespace=NAMESPACE if document['kind'].endswith('Claim') else None)

    def delete(self):
        kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', namespace=None)
        kubectl('delete', 'persistentvolume', self.name, '--ignore-not-found', namespace=None)
        wait_until(lambda: not exists('namespace', NAMESPACE, namespace=None), 'its objects are gone')

    def sweep(self, *args):
        done = subprocess.run([SWARM, 'sweep', self.scenario, *args], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def merged(self, folder, names):
        return {name: self.bytes(folder, name) for name in names}

    def run_both(self, runs, files, timeout_s):
        """As a Job, two pods at a time, and here. @return the merged files, which are equal"""
        kubectl('apply', document=json.loads(self.sweep('--kubernetes', '--jobs', '2')), namespace=NAMESPACE)

        def ended():
            status = read('job', self.name, namespace=NAMESPACE)['status']
            return [c for c in status.get('conditions', []) if c['type'] in ('Complete', 'Failed')] and status
        status = wait_until(ended, 'the Job ends', timeout_s=timeout_s, pause_s=1)
        self.assertEqual((status.get('succeeded'), status.get('failed', 0), status.get('completedIndexes')), (runs, 0, f'0-{runs - 1}'))
        self.sweep('--merge', self.path('runs'))
        self.sweep('--out', self.path('here'))
        here = self.merged('here', files)
        self.assertEqual(self.merged('runs', files), here)
        self.assertEqual(here['runs.csv'].count(b'\n'), runs + 1)
        return here

    def test_an_indexed_job_leaves_what_a_sweep_on_one_machine_leaves(self):
        """Two variations at two speeds, under the strictest of Kubernetes' standards for pods."""
        self.prepare('hop', {'plans/hop.waypoints': HOP, 'swarms/hop.yaml': SCENARIO})
        here = self.run_both(4, ('runs.csv', 'hop.csv', 'events.csv'), 180)
        self.assertGreater(here['hop.csv'].count(b'\n'), 4 * 20 * 10)

    @pytest.mark.long
    @pytest.mark.timeout(1200)
    def test_sbe23_64_gradient_walks_as_an_indexed_job(self):
        """Each of 64 seeds: five bees at an edge and back, exit code 0."""
        with open(os.path.join(SCENARIOS, 'gradient.yaml'), encoding='utf-8') as f:
            self.prepare('gradient', {'swarms/gradient.yaml': f.read()})
        here = self.run_both(64, ('runs.csv', 'gradient.csv', 'events.csv'), 900)
        self.assertEqual([row.split(b',')[3] for row in here['runs.csv'].splitlines()[1:]], [b'0'] * 64)
