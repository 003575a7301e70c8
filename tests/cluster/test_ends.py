# SPDX-License-Identifier: Apache-2.0
"""The controller as a pod: how instances end, and what is told of it. run.py prepares the cluster."""
import time
import unittest

import controller
from cluster import Refused, emulator, exists, kubectl, patch, pods_of, wait_until


class Ends(unittest.TestCase):
    """What becomes of an instance is told with its reason. Those that take their time begin together."""

    @classmethod
    def setUpClass(cls):
        cls.c = controller.begin()
        cls.one = {template: cls.c.start(template=template, wait=False, labels={'suite': 'ends'}, **body)[0] for template, body in (
            ('mission', {'lifetime': '120s', 'values': {'speed': 20}}),
            ('nowhere', {'lifetime': '5s'}),
            ('imageless', {'lifetime': '10s'}),
            ('brief', {'lifetime': '2s'}))}
        cls.addClassCleanup(lambda: cls.c.insist('DELETE', '/v1/instances?label=suite=ends'))

    def ended(self, template):
        return self.c.wait_for(self.one[template], 'ended')

    def test_0_an_image_that_is_not_there(self):
        wait_until(lambda: 'localhost/mayfly-nobody-has' in self.c.read(self.one['imageless'])['reason'], 'a reason')
        self.assertEqual(self.ended('imageless')['outcome'], 'image')

    def test_1_why_one_waits_for_a_node_is_told(self):
        waits = wait_until(lambda: [r for r in [self.c.read(self.one['nowhere'])['reason']] if r.startswith('unschedulable: ')], 'a reason')[0]
        self.assertIn("unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector", waits)
        self.assertEqual(self.ended('nowhere')['outcome'], 'unschedulable')

    def test_2_sim006_all_is_reclaimed_after_the_ttl(self):
        name = self.one['brief']['id']
        for kind in ('job', 'secret', 'service'):
            wait_until(lambda kind=kind: not exists(kind, name), f'{kind} is gone')
        wait_until(lambda: not pods_of(name), 'pod is gone')
        self.assertEqual(self.c.ask('GET', f'/v1/instances/{name}')[0], 404)

    def test_3_sim003_sim004_onboard_software_behind_an_auxiliary_simulator(self):
        ended = self.ended('mission')
        self.assertEqual(ended['outcome'], 'completed', ended)
        status, log = self.c.raw('GET', f'/v1/instances/{ended["id"]}/logs?container=onboard')
        self.assertEqual(status, 200)
        self.assertIn(b'flown: 5 items', log)

    def test_sim002_an_eviction_is_told_and_no_second_drone_begins(self):
        one, = self.c.start(template='fleet', lifetime='60s')
        pod, _ = emulator(one)
        name, namespace = pod['metadata']['name'], pod['metadata']['namespace']
        kubectl('create', '--raw', f'/api/v1/namespaces/{namespace}/pods/{name}/eviction', document={
            'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': name, 'namespace': namespace}})
        self.assertEqual(self.c.wait_for(one, 'ended')['outcome'], 'evicted')
        time.sleep(2)
        self.assertLessEqual({p['metadata']['name'] for p in pods_of(one['id'])}, {name})

    def test_sim008_an_administrator_cannot_end_it(self):
        one, = self.c.start(template='fleet', lifetime='60s')
        with self.assertRaises(Refused):
            patch('job', one['id'], {'spec': {'activeDeadlineSeconds': 1}})
        self.assertEqual(self.c.read(one)['state'], 'ready')
        self.c.end(one)
