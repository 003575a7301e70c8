# SPDX-License-Identifier: Apache-2.0
"""Requests: repeated, left half made, refused; what an instance's Secret holds."""
import base64
import concurrent.futures
import re
import subprocess

import cluster
from backend import Case, quota
from cluster import jobs_of, kubectl, patch, pods_of, read, wait_until


class Requests(Case):
    def test_the_same_request_of_many_at_once_begins_it_once(self):
        body = {'request': 'many', 'count': 3, 'template': 'alone'}
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: (self.a, self.b)[n % 2].ask('POST', '/v1/instances', body), range(8)))
        self.assertEqual([status for status, _ in answers], [201] * 8)
        ids = {tuple(i['id'] for i in answer['instances']) for _, answer in answers}
        self.assertEqual(len(ids), 1)
        for name in ids.pop():
            self.assertEqual(len(wait_until(lambda name=name: pods_of(name, namespace=self.namespace), 'pod')), 1)
            self.assertEqual(read('secret', name, namespace=self.namespace)['metadata']['ownerReferences'][0]['uid'],
                             jobs_of(name, namespace=self.namespace)[0]['metadata']['uid'])
            self.a.end({'id': name})
        status, answer = self.b.ask('POST', '/v1/instances', dict(body, lifetime='30s'))
        self.assertEqual((status, answer['code']), (409, 'conflict'))

    def test_what_a_controller_left_half_made_is_finished(self):
        """The quota stops it between its Job and its Secret."""
        cluster.create(quota(**{'count/secrets': '0'}), namespace=self.namespace)
        wait_until(lambda: read('resourcequota', 'tight', namespace=self.namespace)['status'].get('hard'), 'quota')
        body = {'request': 'half', 'template': 'alone', 'lifetime': '50s'}
        status, answer = self.a.ask('POST', '/v1/instances', body)
        self.assertEqual((status, answer['code']), (429, 'quota'), answer)
        self.assertIn('tight', answer['error'])
        brief = self.a.ask('POST', '/v1/instances', {'request': 'left', 'template': 'brief', 'labels': {'left': 'alone'}})
        self.assertEqual(brief[0], 429)
        left = wait_until(lambda: self.b.ask('GET', '/v1/instances?label=left=alone')[1]['instances'], 'the half of it is told')[0]
        self.assertEqual(left['state'], 'pending')
        wait_until(lambda: not jobs_of(left['id'], namespace=self.namespace), 'its lifetime takes it away')
        kubectl('delete', 'resourcequota', 'tight', namespace=self.namespace)
        status, answer = self.b.ask('POST', '/v1/instances?wait=ready', body)
        self.assertEqual((status, answer['instances'][0]['state']), (201, 'ready'), answer)
        self.b.end(answer['instances'][0])

    def test_a_request_of_before_begins_anew_when_its_instance_is_gone(self):
        body = {'request': 'again', 'template': 'brief', 'lifetime': '50s'}
        uids, ids, tokens = set(), set(), set()
        for c in (self.a, self.b, self.a):
            status, answer = c.ask('POST', '/v1/instances?wait=ready', body)
            self.assertEqual((status, answer['instances'][0]['state']), (201, 'ready'), answer)
            one = answer['instances'][0]
            uids.add(jobs_of(one['id'], namespace=self.namespace)[0]['metadata']['uid'])
            ids.add(one['id'])
            tokens.add(read('secret', one['id'], namespace=self.namespace)['data']['token'])
            c.end(one)
            wait_until(lambda one=one: not jobs_of(one['id'], namespace=self.namespace), 'job is gone')
        self.assertEqual((len(uids), len(ids), len(tokens)), (3, 3, 3))

    def test_sim005_certificates(self):
        one = self.a.start('certified', wait=False)
        data = {k: base64.b64decode(v) for k, v in read('secret', one['id'], namespace=self.namespace)['data'].items()}
        for name in ('tls.crt', 'ca.crt'):
            self.write(name, data[name])
        said = subprocess.run(['openssl', 'verify', '-CAfile', f'{self.folder}/ca.crt', f'{self.folder}/tls.crt'], capture_output=True, text=True, check=True)
        self.assertIn('OK', said.stdout)
        text = subprocess.run(['openssl', 'x509', '-noout', '-ext', 'subjectAltName', '-in', f'{self.folder}/tls.crt'], capture_output=True, text=True,
                              check=True).stdout
        self.assertEqual(re.findall(r'DNS:([^,\s]+)', text), [one['id'], f'{one["id"]}.example'])
        self.assertNotIn('PRIVATE KEY', kubectl('get', 'job', one['id'], '-o', 'yaml', namespace=self.namespace))
        self.a.wait_for(one, lambda i: i['state'] == 'ready', 'ready')
        self.a.end(one)

    def test_a_value_reaches_the_program_as_text(self):
        """The kubelet makes a variable's value of $(NAME), as in the template itself, and $(NAME) of $$(NAME)."""
        texts = ['$(API_KEY)', '$$(API_KEY) $$ 5$']
        one = self.a.start('valued', values={'note': texts[1], 'words': ['--uas-id', texts[0]]})
        pid = self.process(one, '--uas-id')
        with open(f'/proc/{pid}/cmdline', 'rb') as line, open(f'/proc/{pid}/environ', 'rb') as variables:
            words, environment = line.read().split(b'\0'), dict(v.split(b'=', 1) for v in variables.read().split(b'\0') if v)
        self.assertEqual(words[words.index(b'--uas-id') + 1].decode(), texts[0])
        self.assertEqual(environment[b'NOTE'].decode(), texts[1])
        self.assertEqual(environment[b'OWN'], b'of-the-container')
        self.a.end(one)

    def test_a_job_of_somebody_else_is_no_instance(self):
        cluster.create(cluster.job('stranger', deadline_s=30, ttl_s=0), namespace=self.namespace)
        self.addCleanup(patch, 'job', 'stranger', {'spec': {'activeDeadlineSeconds': 1}}, namespace=self.namespace)
        for method in ('GET', 'DELETE'):
            status, answer = self.a.ask(method, '/v1/instances/stranger')
            self.assertEqual((status, answer['code']), (404, 'unknown_instance'))
