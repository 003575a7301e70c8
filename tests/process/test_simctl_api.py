# SPDX-License-Identifier: Apache-2.0
"""The controller's API as its document has it: routes, parameters, refusals, metrics."""
import json
import os
import shutil
import subprocess
import unittest

from test_simctl import OPENER, Controller

PROMTOOL = os.environ.get('PROMTOOL') or shutil.which('promtool')
DOCUMENT = os.path.join(os.path.dirname(__file__), '..', '..', 'docs', 'controller-openapi.json')


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.controller = Controller()
        cls.addClassCleanup(cls.controller.stop)
        with open(DOCUMENT, encoding='utf-8') as file:
            cls.document = json.load(file)

    def text(self, path):
        with OPENER.open(self.controller.url + path, timeout=10) as answer:
            return answer.read().decode()

    def test_sim008_the_document_served_is_the_one_in_docs(self):
        self.assertEqual(self.controller.ask('GET', '/v1/openapi.json'), (200, self.document))

    def test_each_documented_path_refuses_other_methods(self):
        for path, operations in self.document['paths'].items():
            if path.endswith('/drone/'):
                continue  # the drone says which
            with self.subTest(path):
                status, refusal = self.controller.ask('PUT', path.replace('{id}', 'abc-0'))
                self.assertEqual((status, refusal['code']), (405, 'method'))
                for method in operations:
                    self.assertIn(method.upper(), refusal['error'])

    def test_parameters_are_taken_where_they_are_documented(self):
        names = {p['name'] for o in self.document['paths'].values() for m in o.values() for p in m['parameters'] if p['in'] == 'query'}
        self.assertEqual(len(names), 8)
        for path, operations in self.document['paths'].items():
            if 'get' not in operations or path in ('/v1/holds', '/v1/instances/{id}/drone/'):
                continue
            takes = {p['name']: p['schema'] for p in operations['get']['parameters'] if p['in'] == 'query'}
            for name in names:
                schema = takes.get(name, {})
                value = schema.get('enum', [int(schema.get('minimum', 1))])[0]
                with self.subTest(path=path, parameter=name):
                    status, answer = self.raw('GET', f"{path.replace('{id}', 'abc-0')}?{name}={value}")
                    self.assertEqual(status == 422, name not in takes, answer)

    def raw(self, method, path):
        try:
            status, answer = self.controller.ask(method, path)
        except json.JSONDecodeError:
            return 200, 'no JSON'
        return status, answer

    def test_what_is_sent_wrongly_is_said(self):
        for body, status, word in (({'template': 'none'}, 422, 'drone'), ({'count': 0}, 422, '1 to 500'), ({'count': 501}, 422, '1 to 500'),
                                   ({'lifetime': -1}, 422, 'lifetime'), ({'lifetime': '25h'}, 422, '86400'), ({'colour': 'red'}, 422, 'colour'),
                                   ({'values': {'homes': '1'}}, 422, 'home'), ({'labels': {'a': 1}}, 422, 'labels'), ([], 422, 'object')):
            with self.subTest(body=body):
                answered, refusal = self.controller.ask('POST', '/v1/instances', body)
                self.assertEqual(answered, status, refusal)
                self.assertIn(word, refusal['error'])
        self.assertEqual(self.controller.ask('POST', '/v1/instances', raw=b'{"count": 1')[0], 400)
        self.assertEqual(self.controller.ask('POST', '/v1/instances', raw=b'x' * (10 << 20))[0], 413)

    def test_what_cannot_be_started_whole_is_not_started_in_part(self):
        before = self.controller.ask('GET', '/v1/instances')[1]['instances']
        status, refusal = self.controller.ask('POST', '/v1/instances?wait=ready', {'count': 2, 'values': {'home': 'x' * 200000}})
        self.assertGreaterEqual(status, 400, refusal)
        after = [i for i in self.controller.ask('GET', '/v1/instances')[1]['instances'] if i['state'] != 'ended']
        self.assertEqual(len(after), len([i for i in before if i['state'] != 'ended']))

    def test_metrics_count(self):
        def value(line):
            return int(next(l for l in self.text('/metrics').splitlines() if l.startswith(line + ' ')).split()[-1])

        before = value('mayfly_controller_created_total'), value('mayfly_controller_ended_total')
        one, _ = self.controller.start(count=2)
        self.controller.ask('DELETE', '/v1/instances/' + one['id'])
        self.controller.wait_until(one, 'ended')
        self.assertEqual(value('mayfly_controller_created_total'), before[0] + 2)
        self.assertEqual(value('mayfly_controller_ended_total'), before[1] + 1)
        self.assertGreaterEqual(value('mayfly_instances{state="ready"}'), 1)
        self.assertGreaterEqual(value('mayfly_instances_ended{outcome="ended"}'), 1)
        self.assertEqual(value('mayfly_instances_expired_unreclaimed'), 0)

    @unittest.skipUnless(PROMTOOL, 'promtool is not here: the form of the metrics was not looked at (sh ci/promtool.sh FILE brings it)')
    def test_promtool_has_nothing_to_say(self):
        done = subprocess.run([PROMTOOL, 'check', 'metrics'], input=self.text('/metrics'), capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '', ''))


if __name__ == '__main__':
    unittest.main()
