# SPDX-License-Identifier: Apache-2.0
"""The controller as a pod: who may ask for instances, and what is refused. run.py prepares the cluster."""
import base64
import json
import os
import subprocess
import unittest

import pytest

import controller
from cluster import CLIENTS, kubectl, wait_until
from controller import Controller, token

STATE = os.environ.get('STATE', '/var/lib/mayfly-cluster')


def expired(good):
    """The same token, as the cluster had signed it two hours ago for one."""
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b'=')
    header, claims, _ = good.encode().split(b'.')
    claims = json.loads(base64.urlsafe_b64decode(claims + b'=='))
    claims.update({name: claims[name] - 7200 for name in ('exp', 'iat', 'nbf')})
    signed = header + b'.' + part(json.dumps(claims).encode())
    signature = subprocess.run(['openssl', 'dgst', '-sha256', '-sign', os.path.join(STATE, 'pki', 'sa.key')], input=signed, capture_output=True, check=True)
    return (signed + b'.' + part(signature.stdout)).decode()


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
        self.assertEqual(self.ask(expired(token())), (401, 'token'))
        self.assertEqual(self.ask(token('other')), (200, None))

    @pytest.mark.long
    def test_a_deleted_accounts_token_is_nobodys(self):
        """The API server remembers for a minute that a token was good."""
        bearer = token('leaver')
        self.assertEqual(self.ask(bearer)[0], 200)
        kubectl('delete', 'serviceaccount', 'leaver', namespace=CLIENTS)
        wait_until(lambda: self.ask(bearer) == (401, 'token'), 'the token is refused', timeout_s=100, pause_s=5)

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
