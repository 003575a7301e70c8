# SPDX-License-Identifier: Apache-2.0
"""Templates that the cluster would refuse."""
import os

from backend import Case, TEMPLATES, WRONG
from cluster import read


class Templates(Case):
    def test_one_that_could_not_run_is_refused_when_it_is_read(self):
        for name, (text, expected) in WRONG.items():
            with open(os.path.join(self.templates, name + '.yaml'), 'w', encoding='utf-8') as f:
                f.write(text)
        c = self.controller()
        self.assertEqual({t['name'] for t in c.ask('GET', '/v1/templates')[1]['templates']}, {'drone', *TEMPLATES})
        for name, (_, expected) in WRONG.items():
            status, answer = c.ask('POST', '/v1/instances', {'template': name})
            self.assertEqual((status, answer['code']), (422, 'template'))
            self.assertIn(f'template {name} cannot be used: namespace {self.namespace}: ', answer['error'])
            self.assertIn(expected, answer['error'])
        self.assertEqual(read('jobs', namespace=self.namespace), [], 'trying one makes nothing')
