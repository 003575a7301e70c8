# SPDX-License-Identifier: Apache-2.0
"""What every controller does, whatever its instances run on: one suite for both backends (docs/controller.md).

A test file derives a class of Suite and unittest.TestCase, whose controller has the templates drone and recorded. MAYFLY_CONTROLLER names a controller that runs already (with
MAYFLY_CONTROLLER_TOKEN and MAYFLY_CONTROLLER_CA), or setUp() sets `controller`, an object with ask(method, path, body) ->
(status, document), start(wait=..., **order) -> instances and read(instance).
"""
import re
import socket
import tempfile
import time
import uuid

import pytest

from controller_client import from_environment, wait_for_state
from recordings import replay

PATIENCE_S = 60.0


def hears_heartbeat(instance):
    """Whether a MAVLink 2 HEARTBEAT comes."""
    host, port = instance['connect']['tcp'].rsplit(':', 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as s:
        s.settimeout(PATIENCE_S)
        data = b''
        while len(data) < 4096:
            data += s.recv(4096)
            if re.search(rb'\xfd.{6}\x00\x00\x00', data, re.S):
                return True
    return False


class Suite:
    """Each test has instances of its own, with a label of its own, and leaves none."""
    controller = None

    def setUp(self):
        self.controller = self.controller or from_environment()
        if self.controller is None:
            self.skipTest('no controller: MAYFLY_CONTROLLER=URL names one')
        self.label = uuid.uuid4().hex
        self.addCleanup(self.end_all)

    def start(self, **order):
        return self.controller.start(**{**order, 'labels': {'suite': self.label, **order.get('labels', {})}})

    def listed(self, query=''):
        return self.controller.ask('GET', f'/v1/instances?label=suite={self.label}{query}')[1]

    def end_all(self):
        self.controller.ask('DELETE', f'/v1/instances?label=suite={self.label}')
        for one in self.listed()['instances']:
            wait_for_state(self.controller, one, 'ended')

    # ---- start and end

    def test_sim002_sim007_one_instance_from_start_to_end(self):
        one, = self.start(values={'sysid': 7}, lifetime='60s', labels={'who': 'me'})
        self.assertEqual((one['state'], one['template'], one['outcome']), ('ready', 'drone', None))
        self.assertEqual(one['labels'], {'who': 'me', 'suite': self.label})
        self.assertRegex(one['id'], r'^[a-z][a-z2-7]{11}-0$')
        self.assertTrue(hears_heartbeat(one))
        times = one['times']
        self.assertTrue(times['asked'] <= times['started'] <= times['ready'] < times['ends'], times)
        status, told = self.controller.ask('DELETE', '/v1/instances/' + one['id'])
        self.assertEqual(status, 200)
        self.assertIn(told['state'], ('ending', 'ended'))
        ended = wait_for_state(self.controller, one, 'ended')
        self.assertEqual((ended['outcome'], ended['reason']), ('ended', 'ended by a caller'))
        self.assertEqual(self.controller.ask('DELETE', '/v1/instances/' + one['id'])[1]['state'], 'ended')  # once more: nothing

    @pytest.mark.long
    def test_sim006_a_lifetime_ends_one_and_leaves_others(self):
        short, = self.start(lifetime='5s')
        long, = self.start(lifetime='120s')
        self.assertEqual(wait_for_state(self.controller, short, 'ended')['outcome'], 'expired')
        self.assertEqual(self.controller.read(long)['state'], 'ready')

    def test_sim041_another_geoid_than_plannings_ends_the_instance(self):
        one, = self.start(values={'geoid_fingerprint': 'ab' * 32})
        self.assertEqual((one['state'], one['outcome']), ('ended', 'geoid_mismatch'), one)

    def test_sim008_an_instance_is_reached_through_the_controller(self):
        one, = self.start(values={'sysid': 9})
        path = f'/v1/instances/{one["id"]}/drone'
        self.assertEqual(self.controller.ask('GET', path + '/v1/vehicles')[1]['vehicles'][0]['system_id'], 9)
        self.assertEqual(self.controller.ask('POST', path + '/v1/faults', {'fault': 'gps_off'})[0], 200)
        self.assertIsNone(self.controller.ask('GET', path + '/v1/vehicle')[1]['position'])

    # ---- capacity

    def test_what_bounds_a_tenant_is_told(self):
        self.start(count=2)
        status, told = self.controller.ask('GET', '/v1/capacity')
        self.assertEqual(status, 200)
        self.assertGreaterEqual(told['instances']['ready'], 2)
        self.assertTrue(told['limits'])
        for one in told['limits']:
            self.assertTrue(one['name'] and set(one['used']) <= set(one['hard']), one)

    # ---- recordings

    def recording(self, instance, more_than):
        """What is recorded so far, once that is more than some bytes."""
        end = time.monotonic() + PATIENCE_S
        while True:
            status, data = self.controller.ask('GET', f'/v1/instances/{instance["id"]}/recording')
            if status == 200 and len(data) > more_than:
                return data
            self.assertEqual(status, 200, data)
            self.assertLess(time.monotonic(), end, len(data))
            time.sleep(0.1)

    def test_sim042_what_is_recorded_can_be_had_while_it_flies_and_after(self):
        one, = self.start(template='recorded')
        self.assertTrue(hears_heartbeat(one))
        early = self.recording(one, 100)
        self.assertEqual(early[:4], b'MFRC')
        self.assertEqual(self.controller.ask('DELETE', f'/v1/instances/{one["id"]}?logs=keep')[0], 200)
        wait_for_state(self.controller, one, 'ended')
        whole = self.recording(one, len(early))
        self.assertTrue(whole.startswith(early))
        with tempfile.NamedTemporaryFile(suffix='.mfr') as f:
            f.write(whole)
            f.flush()
            said = replay(f.name)
        self.assertEqual(said.returncode, 0, said)
        self.assertIn('equal', said.stdout)

    def test_of_others_nothing_is_recorded(self):
        one, = self.start()
        status, answer = self.controller.ask('GET', f'/v1/instances/{one["id"]}/recording')
        self.assertEqual((status, answer['code']), (404, 'no_recording'))

    # ---- requests

    def test_the_same_request_again_is_the_same_instance(self):
        request = 'build ' + self.label
        first = self.start(request=request, count=2)
        again = self.start(request=request, count=2)
        self.assertEqual([i['id'] for i in first], [i['id'] for i in again])
        self.assertEqual(len(self.listed()['instances']), 2)
        order = {'request': request, 'count': 2, 'lifetime': '5s', 'labels': {'suite': self.label}}
        status, answer = self.controller.ask('POST', '/v1/instances', order)
        self.assertEqual((status, answer['code']), (409, 'conflict'))

    def test_lists_are_chosen_and_paged(self):
        self.start(count=3, labels={'part': 'a'})
        self.start(count=2, labels={'part': 'b'})
        page = self.listed('&label=part=a&limit=2')
        self.assertEqual((len(page['instances']), page['left']), (2, 1))
        rest = self.listed(f'&label=part=a&after={page["next"]}')
        self.assertEqual((len(rest['instances']), rest['left'], rest['next']), (1, 0, None))
        self.assertEqual(len(self.listed('&state=ready')['instances']), 5)
        status, answer = self.controller.ask('DELETE', f'/v1/instances?label=suite={self.label}&label=part=b')
        self.assertEqual((status, answer), (200, {'ended': 2, 'left': 0}))
        self.assertEqual(len(self.listed('&label=part=a&state=ready')['instances']), 3)

    def test_what_is_wrong_is_said(self):
        for body, code, part in (
                ({'template': 'drohne'}, 'unknown_template', "no template 'drohne', there are: "),
                ({'values': {'spped': 1}}, 'unknown_value', 'drone takes home, motion'),
                ({'values': {'sysid': 255}}, 'value', 'values.sysid must be 1 .. 254'),
                ({'lifetime': '-5s'}, 'wrong_type', 'lifetime must be a time such as 90s'),
                ({'lifetime': '25h'}, 'lifetime', 'lifetime must be 1 s to 86400 s'),
                ({'count': 0}, 'count', 'count must be 1 to 500'),
                ({'tempate': 'drone'}, 'unknown_member', "tempate is not known, did you mean 'template'?")):
            status, answer = self.controller.ask('POST', '/v1/instances', body)
            self.assertEqual((status, answer['code']), (422, code), answer)
            self.assertIn(part, answer['error'])
        for method, path, status, code in (('GET', '/v1/instances/nobody', 404, 'unknown_instance'),
                                           ('DELETE', '/v1/instances/nobody', 404, 'unknown_instance'),
                                           ('GET', '/v2', 404, 'unknown_path'),
                                           ('GET', '/v1/instances?limit=0', 422, 'parameter')):
            said = self.controller.ask(method, path)
            self.assertEqual((method, path, said[0], said[1]['code']), (method, path, status, code))
        one, = self.start()
        status, answer = self.controller.ask('POST', f'/v1/instances/{one["id"]}/extend', {'lifetime': '25s'})
        self.assertEqual((status, answer['code']), (403, 'extend'))
