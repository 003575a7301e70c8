# SPDX-License-Identifier: Apache-2.0
"""mayfly-swarm sweep --kubernetes: the pods of its Job leave what a sweep on one machine leaves. run.py prepares the cluster."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from cluster import TOP, create, exists, kubectl, read, wait_until

sys.path.insert(0, os.path.join(TOP, 'tests', 'lib'))
import hop  # noqa: E402

SWARM = os.path.join(os.environ['BUILD'], 'mayfly-swarm')
NAMESPACE, NAME = 'mayfly-sweep', 'mayfly-hop'     # of the objects, as the manifest has it
SCENARIO = '''swarm: 1
entities: [{name: a, count: 20, plan: ../plans/hop.waypoints, place: {disc: [0, 0, 100]}, params: {MPC_XY_CRUISE: "${SPEED:10}"}}]
outputs: {csv: {file: hop.csv, every: 5}, events: events.csv}
expect: [{event: finished, by: 200}]
variations: {calm: {}, windy: {entities.0.settings: {wind.speed: 8}}}
sweep: {over: variations, each: {SPEED: [5, 10]}}
'''


def volume(path):
    """What many may write into, on a cluster of one node: a folder of it."""
    spec = {'accessModes': ['ReadWriteMany'], 'storageClassName': ''}
    return [{'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': NAME},
             'spec': {**spec, 'capacity': {'storage': '1Gi'}, 'hostPath': {'path': path, 'type': 'Directory'}}},
            {'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': NAME},
             'spec': {**spec, 'volumeName': NAME, 'resources': {'requests': {'storage': '1Gi'}}}}]


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (('plans/hop.waypoints', hop.PLAN), ('swarms/hop.yaml', SCENARIO)):
            os.makedirs(os.path.dirname(self.path(name)))
            with open(self.path(name), 'w', encoding='utf-8') as f:
                f.write(text)
        os.mkdir(self.path('runs'))
        os.chmod(self.path('runs'), 0o777)      # pods are no root
        self.addCleanup(self.delete)
        create({'apiVersion': 'v1', 'kind': 'Namespace',
                'metadata': {'name': NAMESPACE, 'labels': {'pod-security.kubernetes.io/enforce': 'restricted'}}}, namespace=None)
        for document in volume(self.path('runs')):
            create(document, namespace=NAMESPACE if document['kind'].endswith('Claim') else None)

    def delete(self):
        kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', namespace=None)
        kubectl('delete', 'persistentvolume', NAME, '--ignore-not-found', namespace=None)
        wait_until(lambda: not exists('namespace', NAMESPACE, namespace=None), 'its objects are gone')

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def sweep(self, *args):
        done = subprocess.run([SWARM, 'sweep', self.path('swarms/hop.yaml'), *args], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def merged(self, folder):
        found = {}
        for name in ('runs.csv', 'hop.csv', 'events.csv'):
            with open(self.path(folder, name), 'rb') as f:
                found[name] = f.read()
        return found

    def test_an_indexed_job_leaves_what_a_sweep_on_one_machine_leaves(self):
        """Two variations at two speeds, two pods at a time, under the strictest of Kubernetes' standards for pods."""
        kubectl('apply', document=json.loads(self.sweep('--kubernetes', '--jobs', '2')), namespace=NAMESPACE)

        def ended():
            status = read('job', NAME, namespace=NAMESPACE)['status']
            return [c for c in status.get('conditions', []) if c['type'] in ('Complete', 'Failed')] and status
        status = wait_until(ended, 'the Job ends', timeout_s=180, pause_s=1)
        self.assertEqual((status.get('succeeded'), status.get('failed', 0), status.get('completedIndexes')), (4, 0, '0-3'))
        self.sweep('--merge', self.path('runs'))
        self.sweep('--out', self.path('here'))
        here = self.merged('here')
        self.assertEqual(self.merged('runs'), here)
        self.assertEqual(here['runs.csv'].count(b'\n'), 5)
        self.assertGreater(here['hop.csv'].count(b'\n'), 4 * 20 * 10)


if __name__ == '__main__':
    unittest.main()
