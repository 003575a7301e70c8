# SPDX-License-Identifier: Apache-2.0
"""The controller's API as its document has it: routes, parameters, refusals, metrics."""
import hashlib
import json
import os
import re
import socket
import subprocess
import unittest
import urllib.error
import urllib.request

import http_client
from drone import PATIENCE_S
from folder_case import FolderCase
from http_client import everything
from local_controller import Controller, templates
from names import assert_names
from paths import SIMCTL, TOP
from programs import assert_metrics_are_good, needs_promtool
from waiting import wait_until

DOCUMENT = os.path.join(TOP, 'docs', 'controller-openapi.json')


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.controller = cls.enterClassContext(Controller())
        with open(DOCUMENT, encoding='utf-8') as file:
            cls.document = json.load(file)

    def test_sim008_the_document_served_is_the_one_in_docs(self):
        self.assertEqual(self.controller.ask('GET', '/v1/openapi.json'), (200, self.document))

    def test_pages_are_sent_once(self):
        """A browser that has one asks whether it is another one by now."""
        for path in ('/', '/v1/docs'):
            with self.subTest(path), urllib.request.urlopen(self.controller.url + path, timeout=PATIENCE_S) as page:
                self.assertIn("default-src 'none'", page.headers['Content-Security-Policy'])
                self.assertEqual((page.status, page.headers.get_content_type(), page.headers['Cache-Control']), (200, 'text/html', 'no-cache'))
                self.assertRegex(page.read(), rb'^<!doctype html>')
                again = urllib.request.Request(self.controller.url + path, headers={'If-None-Match': page.headers['ETag']})
                with self.assertRaises(urllib.error.HTTPError) as known:
                    urllib.request.urlopen(again, timeout=PATIENCE_S)
                self.assertEqual((known.exception.status, known.exception.read()), (304, b''))

    def test_each_documented_path_refuses_other_methods(self):
        for path, operations in self.document['paths'].items():
            if '/drone/' in path:
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
            if 'get' not in operations or path == '/v1/holds' or '/drone/' in path:
                continue
            takes = {p['name']: p['schema'] for p in operations['get']['parameters'] if p['in'] == 'query'}
            for name in names:
                schema = takes.get(name, {})
                value = schema.get('enum', [int(schema.get('minimum', 1))])[0]
                with self.subTest(path=path, parameter=name):
                    status, answer = self.controller.ask('GET', f"{path.replace('{id}', 'abc-0')}?{name}={value}")
                    self.assertEqual(status == 422, name not in takes, answer)

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
            return int(next(l for l in self.controller.text('/metrics').splitlines() if l.startswith(line + ' ')).split()[-1])

        def of(name, label=''):
            return value(f'{name}{{tenant="default",template="drone"{label}}}')

        before = of('mayfly_controller_created_total'), of('mayfly_controller_ended_total')
        one, _ = self.controller.start(count=2)
        self.controller.ask('DELETE', '/v1/instances/' + one['id'])
        self.controller.wait_until(one, 'ended')
        self.assertEqual(of('mayfly_controller_created_total'), before[0] + 2)
        self.assertEqual(of('mayfly_controller_ended_total'), before[1] + 1)
        self.assertGreaterEqual(of('mayfly_instances', ',state="ready"'), 1)
        self.assertGreaterEqual(of('mayfly_instances_ended', ',outcome="ended"'), 1)
        self.assertEqual(of('mayfly_instances_expired_unreclaimed'), 0)
        self.assertEqual(value('mayfly_controller_create_seconds_count'), value('mayfly_controller_create_seconds_bucket{le="+Inf"}'))
        self.assertGreaterEqual(value('mayfly_controller_create_seconds_bucket{le="60"}'), 1)
        self.assertGreater(value('process_resident_memory_bytes'), 1 << 20)

    @needs_promtool
    def test_promtool_has_nothing_to_say(self):
        assert_metrics_are_good(self, self.controller.text('/metrics'))


class Abuse(unittest.TestCase):
    """Requests that no client of good will sends: each has an answer, and the controller serves the next one."""

    @classmethod
    def setUpClass(cls):
        cls.controller = cls.enterClassContext(Controller())
        cls.port = cls.controller.port

    def tearDown(self):
        self.assertEqual(self.controller.ask('GET', '/healthz')[0], 200)
        self.assertEqual(self.controller.ask('GET', '/v1/instances')[1]['instances'], [])

    def send(self, data):
        """What is answered to these bytes until the end of the connection."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=PATIENCE_S) as s:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            return everything(s)

    def ask(self, method, path, body=None, headers=None):
        return http_client.ask(self.port, method, path, body, headers or {})

    def test_a_page_from_elsewhere_is_refused(self):
        """A browser of this machine shows it: its form may post without asking, its name may be resolved to this machine."""
        own = self.controller.url.split('//')[1]
        for headers, good in (({}, True), ({'Origin': f'http://{own}'}, True), ({'Host': own.replace('127.0.0.1', 'localhost')}, True),
                              ({'Origin': 'http://evil.example'}, False), ({'Origin': 'null'}, False),
                              ({'Host': 'evil.example'}, False), ({'Host': 'evil.example', 'Origin': 'http://evil.example'}, False),
                              ({'Host': 'facade.cafe:5790', 'Origin': 'http://facade.cafe:5790'}, False), ({'Host': '[::1]:5790'}, True)):
            with self.subTest(headers=headers):
                status, _, said = self.ask('POST', '/v1/instances', '{"template": "none"}', {'Content-Type': 'text/plain', **headers})
                self.assertEqual((status, json.loads(said)['code']), (422, 'unknown_template') if good else (403, 'origin'))

    def test_bodies_that_are_no_order(self):
        for body, status in ((b'', 400), (b'\0', 400), (b'\xff\xfe', 400), (b'{"a":"\xff"}', 400), (b'{"a":"\\u0000"}', 400), (b'{"a":1}x', 400),
                             (b'[' * 5000, 400), (b'{"a":' * 5000, 400), (b'{"count":1e999}', 400), (b'{"count":99999999999999999999}', 400),
                             (b'"text"', 400), (b'null', 400), (b'[]', 422), (b'{"count":1.5}', 422), (b'{"count":"1"}', 422),
                             (b'{"count":9223372036854775807}', 422), (b'{"count":-9223372036854775808}', 422), (b'{"count":null}', 422),
                             (b'{"lifetime":1e300}', 422), (b'{"lifetime":"nan"}', 422), (b'{"lifetime":"1e999s"}', 422), (b'{"lifetime":{}}', 422),
                             (b'{"values":[]}', 422), (b'{"values":{"home":{}}}', 422), (b'{"values":{"sysid":1e9}}', 422),
                             (b'{"labels":{"' + b'a' * 64 + b'":"x"}}', 422), (b'{"labels":{"a":"' + b'x' * 64 + b'"}}', 422),
                             (b'{"labels":"x"}', 422), (('{"labels":{"%s":"x"}}' % ('ä' * 40)).encode(), 422),
                             (('{"a%s":1}' % ('ä' * 40)).encode(), 422), (b'{"template":"../../etc/passwd"}', 422), (b'{"template":""}', 422),
                             (b'{"template":"' + b't' * 100000 + b'"}', 422), (b'{"' + b'n' * 100000 + b'":1}', 422)):
            with self.subTest(body=body[:40]):
                answered, _, text = self.ask('POST', '/v1/instances', body)
                refusal = json.loads(text)
                self.assertEqual((answered, set(refusal)), (status, {'code', 'error'}), refusal)
                self.assertTrue(15 < len(refusal['error']) < 256, refusal)

    def test_malformed_json_is_told_with_its_place(self):
        self.assertIn('line 2, column 9', json.loads(self.ask('POST', '/v1/instances', b'{\n"count" 1}')[2])['error'])

    def test_paths_and_parameters(self):
        for path, status in (('//', 404), ('/v1/instances/', 404), ('/v1/instances//', 404), ('/v1/instances/%00', 404), ('/v1/instances/..', 404),
                             ('/v1/instances/%2e%2e%2fpasswd', 404), ('/v1/instances/' + 'a' * 40, 404), ('/v1/instances/' + 'a' * 5000, 404),
                             ('/v1/instances/a/logs?container=../../x', 404), ('/v1/instances/a/logs?container=' + 'a' * 64, 422),
                             ('/v1/instances?limit=1e3', 200), ('/v1/instances?limit=1.5', 422), ('/v1/instances?limit=nan', 422),
                             ('/v1/instances?limit=', 422), ('/v1/instances?limit', 422), ('/v1/instances?state=readyx', 422), ('/v1/instances?state', 422),
                             ('/v1/instances?label', 422), ('/v1/instances?label=' + 'a' * 130, 422), ('/v1/instances?' + 'label=a&' * 9, 422),
                             ('/v1/instances?' + 'x&' * 20, 422), ('/v1/instances?' + 'label=a&' * 300, 414), ('/' + 'a' * 9000, 414),
                             ('/v1/instances/a?wait=ready&timeout=inf', 422), ('/v1/instances/a?timeout=601', 422), ('/%ff%fe', 404), ('/%', 404)):
            with self.subTest(path=path[:60]):
                answered, _, text = self.ask('GET', path)
                self.assertEqual(answered, status, text[:300])
                self.assertTrue(answered == 200 or json.loads(text)['code'])

    def test_semantics_of_http(self):
        status, headers, text = self.ask('PUT', '/v1/instances', b'{}')
        self.assertEqual((status, headers['Allow'], json.loads(text)['code']), (405, 'POST, GET, DELETE', 'method'))
        for path in ('/healthz', '/v1/instances', '/v1/openapi.json', '/metrics'):
            status, headers, text = self.ask('HEAD', path)
            self.assertEqual((status, text), (200, b''))
            self.assertEqual(headers['Content-Type'], self.ask('GET', path)[1]['Content-Type'])
        self.assertEqual(self.ask('HEAD', '/v1/instances/none')[0], 404)
        self.assertEqual(self.ask('BREW', '/healthz')[0], 405)

    def test_a_body_of_10_mb_is_refused(self):
        for headers in ({}, {'Transfer-Encoding': 'chunked'}):
            body = b' ' * (10 << 20)
            body = b'%x\r\n%s\r\n0\r\n\r\n' % (len(body), body) if headers else body
            with self.subTest(headers=headers):
                connection = http_client.connect(self.port)
                self.addCleanup(connection.close)
                connection.putrequest('POST', '/v1/instances')
                for name, value in (headers or {'Content-Length': str(len(body))}).items():
                    connection.putheader(name, value)
                connection.endheaders()
                connection.send(body)
                answer = connection.getresponse()
                self.assertEqual((answer.status, json.loads(answer.read())['code']), (413, 'body'))

    def test_bytes_that_are_no_request(self):
        for data in (b'', b'\0' * 1000, b'GET', b'GET / HTTP/9.9\r\n\r\n', b'GET  HTTP/1.1\r\n\r\n', b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + b'\0' * 200,
                     b'POST /v1/instances HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n', b'POST /v1/instances HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{}',
                     b'POST /v1/instances HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
                     b'GET / HTTP/1.1\r\n' + b'X: y\r\n' * 20000 + b'\r\n'):
            with self.subTest(data=data[:40]):
                try:
                    answer = self.send(data)
                except OSError:  # it has hung up
                    answer = b''
                self.assertNotRegex(answer, rb'^HTTP/1\.[01] 2')


class Audit(unittest.TestCase):
    """One line for each change on stderr: who, what, from where, and its result."""

    def test_sim008_changes_are_told_and_their_refusals(self):
        with Controller() as c:
            one, = c.start(labels={'a': 'b'})
            c.ask('POST', f"/v1/instances/{one['id']}/drone/v1/faults", {'fault': 'gps_off'})
            c.ask('POST', '/v1/instances', {'lifetime': -1})
            c.ask('DELETE', '/v1/instances/none%0a2026%20audit%20tenant=x')
            c.ask('GET', '/v1/instances/none')
            c.ask('DELETE', '/v1/instances/' + one['id'])
            c.wait_until(one, 'ended')
        lines = [line.split(' audit ', 1)[1] for line in c.errors.splitlines() if ' audit ' in line]
        who = 'tenant=default caller=local from=127.0.0.1 what='
        self.assertEqual(lines, [
            f"{who}create instance={one['id']} result=done",
            f"{who}\"drone POST /v1/faults\" instance={one['id']} result=200",
            f'{who}"POST /v1/instances" instance=- result=wrong_type',
            f'{who}"DELETE /v1/instances/none\\x0a2026 audit tenant=x" instance="none\\x0a2026 audit tenant=x" result=unknown_instance',
            f"{who}end instance={one['id']} result=done"])


class Cardinality(FolderCase):
    def test_metrics_have_so_many_series_and_no_more(self):
        """Pairs of tenant and template, PAIRS_MAX of metrics.c, and one for the rest."""
        config = self.write('config', json.dumps({'tenants': {f't{n}': {} for n in range(26)}}))
        bare = 'pod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}\n'
        with templates(a=bare, b=bare, c=bare) as folder, Controller('--config', config, '--templates', folder) as c:
            series = re.findall(r'^mayfly_controller_created_total\{tenant="(\w+)",template="(\w+)"\} 0$', c.text('/metrics'), re.M)
        self.assertEqual((len(series), len(set(series))), (101, 101))  # of 26 tenants with four templates each
        self.assertIn(('others', 'others'), series)
        self.assertIn(('t0', 'drone'), series)


class Tenants(FolderCase):
    """Tokens and what they reach."""

    def setUp(self):
        super().setUp()
        self.tokens = {name: f'mayfly_{name}_secret' for name in ('flight', 'lab')}
        self.config = self.write('config.yaml', 'tenants:\n' + ''.join(
            f'  {name}: {{tokens: {{ci: "sha256:{hashlib.sha256(token.encode()).hexdigest()}"}}}}\n' for name, token in self.tokens.items()))
        self.controller = self.enterContext(Controller('--config', self.config))

    def ask(self, token, method, path, body=None):
        status, headers, data = http_client.ask(self.controller.port, method, path, body, {'Authorization': 'Bearer ' + token} if token else {})
        return status, headers, json.loads(data)

    def test_sim008_each_tenant_has_its_own_instances(self):
        flight, lab = self.tokens['flight'], self.tokens['lab']
        status, _, made = self.ask(flight, 'POST', '/v1/instances', {'lifetime': '20s'})
        self.assertEqual(status, 201)
        path = '/v1/instances/' + made['instances'][0]['id']
        self.assertEqual(self.ask(flight, 'GET', path)[0], 200)
        for method, rest in (('GET', ''), ('DELETE', ''), ('POST', '/extend'), ('GET', '/logs'), ('GET', '/drone/v1/vehicle'), ('POST', '/drone/v1/faults')):
            with self.subTest(method=method, rest=rest):
                status, _, refusal = self.ask(lab, method, path + rest, {'lifetime': '9s'} if method == 'POST' else None)
                self.assertEqual((status, refusal['code']), (404, 'unknown_instance'))
        self.assertEqual(self.ask(lab, 'GET', '/v1/instances')[2]['instances'], [])
        self.assertEqual(self.ask(lab, 'GET', '/v1/capacity')[2]['instances']['starting'], 0)
        self.assertEqual(self.ask(flight, 'DELETE', path)[0], 200)

    def test_sim008_one_request_of_two_tenants_is_two_instances(self):
        """Both callers have one name, too."""
        made = [self.ask(self.tokens[name], 'POST', '/v1/instances?wait=ready', {'lifetime': '20s', 'request': 'nightly', 'labels': {'of': name}})[2]['instances'][0]
                for name in self.tokens]
        self.assertEqual([one['labels']['of'] for one in made], ['flight', 'lab'])
        self.assertEqual(len({one['id'] for one in made}), 2)
        self.assertEqual(len({one['connect']['tcp'] for one in made}), 2)
        for token, own in zip(self.tokens.values(), made):
            for one in made:
                self.assertEqual(self.ask(token, 'GET', '/v1/instances/' + one['id'])[0], 200 if one is own else 404)

    def test_tokens_as_plain_text_to_other_machines_are_told(self):
        for listen, config, told in (('0.0.0.0:0', True, True), ('0.0.0.0:0', False, False), ('127.0.0.1:0', True, False)):
            c = Controller('--listen', listen, *(('--config', self.config) if config else ()))
            c.stop()
            self.assertEqual('--certificate FILE --key FILE' in c.errors, told, c.errors)
        done = subprocess.run([SIMCTL, 'serve', '--certificate', self.config], capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual((done.returncode, done.stderr.count('\n')), (2, 1), done.stderr)
        assert_names(done.stderr, '--certificate --key')

    def hold(self, token):
        """(socket, status, code): a connection that holds, if the status is 200."""
        s = socket.create_connection(('127.0.0.1', self.controller.port), timeout=PATIENCE_S)
        self.addCleanup(s.close)
        s.sendall(f'GET /v1/holds?label=a=b HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n'.encode())
        return s, *re.match(rb'HTTP/1.1 (\d+) .*?(?:Retry-After: (\d+)|$)', s.recv(4096), re.S).groups()

    def test_a_tenant_takes_no_place_of_another(self):
        """256 open files are 64 + 4 per tenant, and (256 - 72) / 2 = 92 places; 81 are of tenants, 40 each."""
        with Controller('--config', self.config, files=256) as c:
            self.controller = c
            flight, lab = self.tokens['flight'], self.tokens['lab']
            held = [self.hold(flight) for _ in range(40)]
            self.assertEqual([status for _, status, _ in held], [b'200'] * 40)
            self.assertEqual(self.hold(flight)[1:], (b'503', b'1'))
            self.assertEqual(self.ask(flight, 'GET', '/v1/instances')[2]['code'], 'places')
            for path in ('/healthz', '/readyz'):
                self.assertEqual(self.ask('', 'GET', path)[0], 200)
            self.assertEqual(self.ask(flight, 'DELETE', '/v1/instances?label=x=y')[0], 200)
            self.assertEqual(self.ask(lab, 'GET', '/v1/instances')[0], 200)
            held += [self.hold(lab) for _ in range(40)]
            self.assertEqual([status for _, status, _ in held], [b'200'] * 80)
            self.assertEqual(self.ask('', 'GET', '/healthz')[0], 200)
            self.check_waiting_client(flight, held)
            for s, *_ in held:
                s.close()
            for _ in range(35):     # while instances that the others held are about to end
                wait_until(lambda: self.hold(lab)[1] == b'200', 'a place is free')
            self.assertEqual(self.ask('', 'GET', '/healthz')[0], 200)

    def check_waiting_client(self, token, held):
        """It prints why it waits, and goes on when there is a place."""
        client = subprocess.Popen([SIMCTL, 'ls', '--controller', self.controller.url, '--token', token], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        said = client.stderr.readline()
        assert_names(said, '40 flight 60')
        held[0][0].close()
        self.assertEqual((client.wait(PATIENCE_S), client.stderr.read()), (0, ''))
        client.communicate()

    def test_too_few_open_files_are_said(self):
        done = subprocess.run(['prlimit', '--nofile=128', SIMCTL, 'serve', '--listen', '127.0.0.1:0'], capture_output=True, text=True, timeout=PATIENCE_S,
                              check=False)
        self.assertEqual(done.returncode, 2)
        assert_names(done.stderr, '128 64 196')

    def test_what_has_no_token_or_another(self):
        for token in ('', 'wrong', self.tokens['lab'] + 'x', self.tokens['lab'][:-1], 'x' * 9000):
            status, headers, refusal = self.ask(token, 'POST', '/v1/instances', {})
            self.assertEqual((status, refusal['code'], headers['WWW-Authenticate']), (401, 'token', 'Bearer'), refusal)
        self.assertEqual(self.ask('', 'GET', '/healthz')[0], 200)
        for page, status in (('', 404), ('docs', 404), ('openapi.json', 401)):   # pages hold nothing
            self.assertEqual(self.ask('', 'GET', '/v1/instances/nobody-0/drone/' + page)[0], status, page)
        self.ask(self.tokens['lab'], 'POST', '/v1/instances', {'count': 0})
        self.controller.stop()
        errors = self.controller.errors
        self.assertEqual(len(re.findall('result=token', errors)), 5)
        self.assertIn('tenant=lab caller=ci from=127.0.0.1 what="POST /v1/instances" instance=- result=count', errors)
        for token in self.tokens.values():
            self.assertNotIn(token, errors)
