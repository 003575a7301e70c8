# SPDX-License-Identifier: Apache-2.0
"""A controller whose token the API server does not take any more."""
import json
import os

from backend import Case
from cluster import kubectl, wait_until


class Tokens(Case):
    def make_token(self):
        kubectl('create', 'serviceaccount', 'renewed', namespace=self.namespace)
        token = kubectl('create', 'token', 'renewed', '--duration', '1h', namespace=self.namespace)
        os.replace(self.write('token.new', token), self.path('token'))

    def test_sim008_it_is_read_again(self):
        """With its account, which is then made anew, the first token is nobody's: 401."""
        kubectl('create', 'rolebinding', 'renewed', '--clusterrole=cluster-admin', f'--serviceaccount={self.namespace}:renewed', namespace=self.namespace)
        self.make_token()
        config = json.loads(kubectl('config', 'view', '--raw', '--flatten', '-o', 'json', namespace=None))
        config['users'][0]['user'] = {'tokenFile': 'token'}
        type(self).options = [*self.options, '--kubeconfig', self.write('config', json.dumps(config))]
        c = self.controller()
        first = c.start('alone')
        self.assertEqual(first['state'], 'ready')
        kubectl('delete', 'serviceaccount', 'renewed', namespace=self.namespace)
        refused = wait_until(lambda: (lambda said: said if said[0] == 503 else None)(c.ask('POST', '/v1/instances', {'template': 'brief'})), 'a refusal')
        self.assertEqual(refused[1]['code'], 'kubernetes')
        self.assertIn('does not let the controller do this (401)', refused[1]['error'])
        self.make_token()
        second = wait_until(lambda: (lambda said: said[1]['instances'][0] if said[0] == 201 else None)(
            c.ask('POST', '/v1/instances?wait=ready', {'template': 'alone', 'request': 'renewed'})), 'an instance')
        self.assertEqual(second['state'], 'ready')
        for one in (first, second):
            c.end(one)
            self.assertEqual(c.ended(one)['outcome'], 'ended')
