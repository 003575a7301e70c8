# SPDX-License-Identifier: Apache-2.0
"""The control API of an instance's drone through the controller: as it is there, streams and the live picture included."""
import os
import unittest
import urllib.parse

import http_client
from local_controller import Controller
from waiting import wait_until

STREAMS = 50


class Passage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.controller = cls.enterClassContext(Controller())
        cls.instance, = cls.controller.start()
        cls.base = f"/v1/instances/{cls.instance['id']}/drone"

    def open(self, method, path, body=None, port=None, headers=None):
        """An answer whose body has not been read."""
        connection = http_client.connect(port or self.controller.port)
        self.addCleanup(connection.close)
        connection.request(method, path, body, headers or {})
        return connection.getresponse()

    def ask(self, method, path, body=None):
        return http_client.ask_document(self.controller.port, method, self.base + path, body)

    def test_sim002_answers_are_the_drones(self):
        status, vehicle = self.ask('GET', '/v1/vehicle')
        self.assertEqual((status, vehicle['mode']), (200, 'Hold'))
        status, faults = self.ask('POST', '/v1/faults', {'fault': 'gps_off'})
        self.assertEqual(status, 200, faults)
        self.assertIn('gps_off', [f['fault'] for f in self.ask('GET', '/v1/faults')[1]['faults'] if f['active']])
        self.assertEqual(self.ask('DELETE', '/v1/faults/gps_off')[0], 200)
        status, refusal = self.ask('POST', '/v1/faults', {'fault': 'gps_of'})
        self.assertEqual(status, 422)
        self.assertIn('gps_off', refusal['error'])

    def test_statuses_and_headers_pass(self):
        direct = urllib.parse.urlsplit(self.instance['connect']['api']).port
        for method, path in (('GET', '/'), ('GET', '/docs'), ('GET', '/v1/nothing'), ('DELETE', '/v1/vehicle'), ('HEAD', '/v1/vehicle'),
                             ('GET', '/metrics'), ('GET', '/v1/events?after=x'), ('POST', '/v1/faults'), ('GET', '/v1//vehicle')):
            with self.subTest(method=method, path=path):
                through, there = self.open(method, self.base + path), self.open(method, path, port=direct)
                through.read(), there.read()
                self.assertEqual(through.status, there.status)
                for name in ('Content-Type', 'Allow', 'ETag', 'Content-Security-Policy', 'Cache-Control'):
                    expected = there.getheader(name)
                    if name == 'Content-Security-Policy' and expected:  # the controller's own page shows it in a frame
                        expected = expected.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
                    self.assertEqual(through.getheader(name), expected, name)

    def test_page_asks_by_relative_paths(self):
        answer = self.open('GET', self.base)
        self.assertEqual((answer.status, answer.getheader('Location')), (308, 'drone/'))
        for path in ('/', '/docs'):
            page = self.open('GET', self.base + path).read().decode()
            self.assertIn('<html', page)
            self.assertNotRegex(page, r"""(fetch\(|href=)['"]/""")

    def test_events_come_while_they_happen(self):
        stream = self.open('GET', self.base + '/v1/events?after=0')
        self.assertEqual(stream.getheader('Content-Type'), 'text/event-stream')
        self.assertIn(b'boot', b''.join(stream.readline() for _ in range(3)))
        self.assertEqual(self.ask('POST', '/v1/faults', {'fault': 'baro_off'})[0], 200)
        for line in stream:
            if b'baro_off' in line:
                break
        else:
            self.fail('the stream ended before the fault was told')
        self.ask('DELETE', '/v1/faults/baro_off')

    def descriptors(self):
        return len(os.listdir(f'/proc/{self.controller.process.pid}/fd'))

    def test_fifty_streams_and_none_is_left(self):
        before = self.descriptors()
        streams = [self.open('GET', self.base + '/v1/events?after=0') for _ in range(STREAMS)]
        for stream in streams:
            self.assertIn(b'id', stream.readline())
        self.assertEqual(self.ask('GET', '/v1/vehicle')[0], 200)
        self.assertGreater(self.descriptors(), before + STREAMS)
        for stream in streams:
            stream.close()
        self.doCleanups()
        wait_until(lambda: self.descriptors() <= before + 8, f'no more than {before + 8} descriptors')

    def test_what_cannot_be_reached_is_told(self):
        self.assertEqual(self.open('GET', '/v1/instances/nobody-0/drone/v1/vehicle').status, 404)
        other, = self.controller.start()
        self.controller.ask('DELETE', '/v1/instances/' + other['id'])
        self.controller.wait_until(other, 'ended')
        status, refusal = self.controller.ask('GET', f"/v1/instances/{other['id']}/drone/v1/vehicle")
        self.assertEqual((status, refusal['code']), (410, 'ended'))
