#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The controller as a pod: how instances end and what is told of it, who may ask for them, and what is refused.

run.py prepares the cluster.
"""
import os
import time
import unittest

import controller
from cluster import CLIENTS, SMALL, Refused, emulator, exists, kubectl, patch, pods_of, read, wait_until
from controller import Controller, token


class Ends(unittest.TestCase):
    """What becomes of an instance is told with its reason."""

    @classmethod
    def setUpClass(cls):
        cls.c = controller.begin()

    def outcome(self, template, **body):
        one, = self.c.start(template=template, wait=False, **body)
        return one, self.c.wait_for(one, 'ended')

    def test_sim002_an_eviction_is_told_and_no_second_drone_begins(self):
        one, = self.c.start(template='fleet', lifetime='60s')
        pod, _ = emulator(one)
        name, namespace = pod['metadata']['name'], pod['metadata']['namespace']
        kubectl('create', '--raw', f'/api/v1/namespaces/{namespace}/pods/{name}/eviction', document={
            'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': name, 'namespace': namespace}})
        self.assertEqual(self.c.wait_for(one, 'ended')['outcome'], 'evicted')
        time.sleep(2)
        self.assertLessEqual({p['metadata']['name'] for p in pods_of(one['id'])}, {name})

    def test_why_one_waits_for_a_node_is_told(self):
        one, = self.c.start(template='nowhere', lifetime='5s', wait=False)
        waits = wait_until(lambda: self.c.read(one)['reason'], 'a reason')
        self.assertIn("unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector", waits)
        self.assertIn(self.c.wait_for(one, 'ended')['outcome'], ('unschedulable', 'expired'))

    def test_an_image_that_is_not_there(self):
        _, ended = self.outcome('imageless', lifetime='8s')
        self.assertEqual(ended['outcome'], 'image')
        self.assertIn('localhost/mayfly-nobody-has', ended['reason'])

    def test_sim003_sim004_onboard_software_behind_an_auxiliary_simulator(self):
        one, ended = self.outcome('mission', lifetime='120s', values={'speed': 10})
        self.assertEqual(ended['outcome'], 'completed', ended)
        status, log = self.c.raw('GET', f'/v1/instances/{one["id"]}/logs?container=onboard')
        self.assertEqual(status, 200)
        self.assertIn(b'flown: 5 items', log)

    def test_sim006_all_is_reclaimed_after_the_ttl(self):
        one, _ = self.outcome('brief', lifetime='2s')
        for kind in ('job', 'secret', 'service'):
            wait_until(lambda kind=kind: not exists(kind, one['id']), f'{kind} is gone')
        wait_until(lambda: not pods_of(one['id']), 'pod is gone')

    def test_sim008_an_administrator_cannot_end_it(self):
        one, = self.c.start(template='fleet', lifetime='60s')
        with self.assertRaises(Refused):
            patch('job', one['id'], {'spec': {'activeDeadlineSeconds': 1}})
        self.assertEqual(self.c.read(one)['state'], 'ready')
        self.c.end(one)


class Callers(unittest.TestCase):
    """ServiceAccounts speak for tenants, and each tenant has a namespace with a quota."""

    @classmethod
    def setUpClass(cls):
        cls.c = controller.begin()

    def ask(self, bearer, method='GET', path='/v1/instances', body=None):
        status, answer = Controller(bearer).ask(method, path, body)
        return status, answer.get('code')

    def test_a_token_must_be_a_callers(self):
        self.assertEqual(self.ask('nobody'), (401, 'token'))
        self.assertEqual(self.ask(token(audience='https://kubernetes.default.svc')), (401, 'token'))
        self.assertEqual(self.ask(token('stranger')), (403, 'tenant'))
        self.assertEqual(self.ask(token('other')), (200, None))

    def test_a_deleted_accounts_token_is_nobodys(self):
        bearer = token('leaver')
        self.assertEqual(self.ask(bearer)[0], 200)
        kubectl('delete', 'serviceaccount', 'leaver', namespace=CLIENTS)
        wait_until(lambda: self.ask(bearer) == (401, 'token'), 'the token is refused')

    def test_sim002_tenants_do_not_see_each_other(self):
        small = Controller(token('small'))
        one, = self.c.start(template='fleet', lifetime='60s')
        self.addCleanup(self.c.end, one)
        for method, path in (('GET', ''), ('DELETE', ''), ('GET', '/logs')):
            status, answer = small.ask(method, f'/v1/instances/{one["id"]}{path}')
            self.assertEqual((status, answer['code']), (404, 'unknown_instance'))
        self.assertNotIn(one['id'], [i['id'] for i in small.ask('GET', '/v1/instances')[1]['instances']])

    def test_a_quota_is_429_with_its_name(self):
        """Three Jobs fit into the quota, one pod of them."""
        small = Controller(token('small'))
        self.addCleanup(lambda: small.insist('DELETE', '/v1/instances?label=who=quota'))
        wait_until(lambda: not read('jobs', namespace=SMALL), 'room in the quota')
        status, answer = small.ask('POST', '/v1/instances', {'template': 'brief', 'count': 4, 'lifetime': '10s', 'labels': {'who': 'quota'}})
        self.assertEqual((status, answer['code']), (429, 'quota'), answer)
        self.assertIn('instances', answer['error'])

    def test_the_same_request_again_is_the_same_instance(self):
        body = {'template': 'fleet', 'request': f'again {os.getpid()}', 'count': 2, 'lifetime': '30s', 'labels': {'who': 'again'}}
        first = self.c.ask('POST', '/v1/instances', body)[1]['instances']
        self.addCleanup(lambda: self.c.insist('DELETE', '/v1/instances?label=who=again'))
        again = self.c.ask('POST', '/v1/instances', body)[1]['instances']
        self.assertEqual([i['id'] for i in first], [i['id'] for i in again])
        status, answer = self.c.ask('POST', '/v1/instances', dict(body, lifetime='31s'))
        self.assertEqual((status, answer['code']), (409, 'conflict'))
        status, answer = Controller(token('other')).ask('POST', '/v1/instances', body)
        self.assertEqual(status, 201)
        self.assertFalse({i['id'] for i in first} & {i['id'] for i in answer['instances']}, 'another caller, other instances')


if __name__ == '__main__':
    unittest.main()
