# SPDX-License-Identifier: Apache-2.0
"""The control API as programs see it (docs/api.md): state, faults, clock, events, metrics; who may. What is malformed, long,
slow, or many: test_api_abuse.py."""
import base64
import contextlib
import email.utils
import hashlib
import json
import os
import re
import socket
import tempfile
import time
import unittest

import pytest

import http_client
from drone import PATIENCE_S, QUIET, ApiDrone, Drone, assert_replays, run
from http_client import JSON, everything
from json_schema import flaws, resolved
from mavlink import ANY, ARM, GPS_RAW_INT, GROUND_STATION, HEARTBEAT, REBOOT, SYSTEM_TIME, TAKEOFF, command
from names import assert_names
from paths import PLANS, TOP
from ports import free_instance
from waiting import wait_until

PLAN = os.path.join(PLANS, 'around.plan')


def page_file(name):
    """A page as ci/page.c embeds it: with the files that it includes, without indentation, empty lines and comments."""
    with open(os.path.join(TOP, name), encoding='utf-8') as f:
        whole = re.sub(r'^/\*include (.*)\*/\n', lambda m: page_file(m[1]), f.read(), flags=re.M)
    return ''.join(line for line in re.sub('^ +', '', whole, flags=re.M).splitlines(True) if line != '\n' and not line.startswith('//'))


class Answers(unittest.TestCase):
    def test_the_vehicle(self):
        with ApiDrone() as drone:
            status, v = drone.get('/v1/vehicle')
            self.assertEqual(status, 200)
            self.assertEqual((v['mode'], v['armed'], v['landed_state'], v['armable']), ('Hold', False, 'on_ground', True))
            self.assertEqual(v['position']['lat_deg'], 47.397742)
            self.assertEqual(v['truth']['alt_amsl_m'], 488)
            self.assertEqual(v['position']['alt_relative_m'], 0)
            self.assertEqual(v['home']['lon_deg'], 8.545594)
            self.assertTrue(all(part['healthy'] for part in v['health']))
            self.assertEqual(drone.get('/healthz'), (200, {'status': 'ok'}))
            self.assertEqual(drone.get('/readyz'), (200, {'status': 'ok'}))
            self.assertEqual(drone.end()[0], 0)

    def test_it_is_not_ready_without_a_fix(self):
        with ApiDrone('--gnss-warmup', '3000') as drone:
            self.assertEqual(drone.get('/readyz'), (503, {'status': 'Preflight Fail: no GNSS position'}))
            self.assertIsNone(drone.get('/v1/vehicle')[1]['position'])

    @pytest.mark.long
    def test_a_fault_is_seen_in_mavlink_and_ends(self):
        with ApiDrone() as drone:
            peer = drone.tcp()
            self.assertIsNotNone(peer.expect(GPS_RAW_INT, lambda p: p[28] == 3))
            status, answer = drone.post('/v1/faults', {'fault': 'gps_off'})
            self.assertEqual(status, 200)
            self.assertEqual([f['fault'] for f in answer['faults'] if f['active']], ['gps_off'])
            self.assertIsNotNone(peer.expect(GPS_RAW_INT, lambda p: p.ljust(30, b'\0')[28] == 0))
            status, answer = drone.ask('DELETE', '/v1/faults/gps_off')
            self.assertEqual([f['fault'] for f in answer['faults'] if f['active']], [])
            self.assertIsNotNone(peer.expect(GPS_RAW_INT, lambda p: p[28] == 3))

    def test_commands_fly_it_and_the_recording_flies_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'flight.mfr')
            with ApiDrone('--record', path, '--clock', 'x20') as drone:
                events = drone.events('/v1/events?after=0')
                for body, name in (({'command': 400, 'param1': 1}, 'accepted'), ({'command': 22}, 'accepted'),
                                   ({'command': 9999}, 'unsupported')):
                    status, answer = drone.post('/v1/commands', body)
                    self.assertEqual((status, answer['command'], answer['name']), (200, body['command'], name))
                events.wait_for('landed', landed_state='in_air')
                self.assertEqual(drone.post('/v1/commands', {'command': 21})[1]['name'], 'accepted')
                events.wait_for('armed', armed=False)
                links = drone.get('/v1/links')[1]['links']
                self.assertEqual([(link['transport'], link['port'], link['rx_frames']) for link in links], [('api', None, 4)])
                events.close()
            assert_replays(self, path)

    def test_values_of_faults(self):
        with ApiDrone() as drone:
            drone.post('/v1/faults', {'fault': 'gps_glitch', 'values': [100, -20.5]})
            found = {f['fault']: f for f in drone.get('/v1/faults')[1]['faults']}
            self.assertEqual(found['gps_glitch']['values'], [100, -20.5, 0])
            drone.post('/v1/faults', {'fault': 'battery', 'values': [7]})
            self.assertAlmostEqual(drone.get('/v1/vehicle')[1]['battery']['remaining'], 0.07)
            self.assertEqual(drone.ask('DELETE', '/v1/faults')[0], 200)
            self.assertFalse(any(f['active'] for f in drone.get('/v1/faults')[1]['faults']))
            for body, what in (({'fault': 'gps_of'}, 'gps_of gps_off'),
                               ({}, 'fault missing'),
                               ({'fault': 'battery', 'values': [101]}, 'battery 101 0 100 PERCENT'),
                               ({'fault': 'gps_off', 'values': [1]}, 'gps_off value'),
                               ({'fault': 'gps_glitch', 'values': [0]}, 'gps_glitch 0.02 NORTH:EAST:DOWN m'),
                               ({'fault': 'gps_off', 'text': 'x'}, 'gps_off text'),
                               ({'fault': 'gps_off', 'for': 1}, 'for fault values text spec'),
                               ({'fault': 5}, 'fault string'),
                               ({'fault': 'gps'}, 'gps docs/faults.md'),
                               ({'fault': 'battery', 'values': [1, 2]}, 'battery PERCENT'),
                               ({'fault': 'gps_satellites', 'values': [2.5]}, 'gps_satellites 2.5 0 60'),
                               ({'fault': 'prearm', 'text': ''}, 'text 1 47'),
                               ({'spec': 'mag_off,gps_of'}, 'gps_of gps_off')):
                assert_names(str(drone.post('/v1/faults', body)), f'422 error {what}')
            assert_names(str(drone.post('/v1/faults', {'fault': 'battery', 'values': ['18']})), '400 error values 1 number')
            self.assertFalse(any(f['active'] for f in drone.get('/v1/faults')[1]['faults']))
            found = {f['fault']: f for f in drone.post('/v1/faults', {'fault': 'prearm'})[1]['faults']}
            self.assertTrue(found['prearm']['text'])
            answer = drone.post('/v1/faults', {'spec': 'gps_off@99h,wind=3@98h+90s'})[1]
            self.assertEqual([p['spec'] for p in answer['schedule']], ['gps_off@99h', 'wind=3:0@98h+90s'])
            drone.ask('DELETE', '/v1/faults')
            assert_names(str(drone.post('/v1/faults', {'fault': 'battery', 'values': [100]})), '409 error battery')
            self.assertEqual(drone.ask('DELETE', '/v1/faults/nonsense')[0], 404)

    def test_what_is_asked_behind_a_question_mark(self):
        with ApiDrone() as drone:
            for path, what in (('/v1/vehicle?x=1', 'x'),
                               ('/v1/mission?form=3', 'form from count'),
                               ('/v1/mission?from', 'from from count'),
                               ('/v1/mission?from=x', 'from 0 65535'),
                               ('/v1/events?since=1', 'since after'),
                               ('/v1/events?after=-1', 'after -1 number'),
                               ('/v1/events?after=', "after '' number")):
                assert_names(str(drone.get(path)), f'422 error {what}')
            assert_names(str(drone.ask('GET', '/v1/events', headers={'Last-Event-ID': 'x'})), '422 error Last-Event-ID x number')
            self.assertEqual(drone.get('/healthz?verbose')[0], 200)
            self.assertEqual(drone.get('/v1/mission?from=0&count=1')[0], 200)

    def test_the_clock_stands_runs_and_resumes(self):
        with ApiDrone() as drone:
            events = drone.events()
            status, clock = drone.post('/v1/clock', {'action': 'hold'})
            self.assertEqual((status, clock['mode'], clock['rate']), (202, 'real', 1))
            _, stands = events.wait_for('clock', standing=True)
            time.sleep(0.2)
            clock = drone.get('/v1/clock')[1]
            self.assertEqual((clock['action'], clock['standing'], clock['vehicle_time_s']),
                             ('hold', True, stands['vehicle_time_s']))
            drone.post('/v1/clock', {'action': 'run', 'for_s': 0.25})
            _, later = events.wait_for('clock', standing=True)
            self.assertAlmostEqual(later['vehicle_time_s'] - stands['vehicle_time_s'], 0.25, places=6)
            drone.post('/v1/clock', {'action': 'run', 'until_s': 3600})
            drone.post('/v1/clock', {'rate': 10000})
            events.wait_for('clock', standing=True)
            self.assertEqual(drone.get('/v1/clock')[1]['vehicle_time_s'], 3600)
            drone.post('/v1/clock', {'action': 'resume', 'mode': 'fast'})
            events.wait_for('clock', standing=False)
            clock = drone.get('/v1/clock')[1]
            self.assertEqual((clock['action'], clock['mode'], clock['controllers']), ('resume', 'fast', 0))
            for body in ({}, {'action': 'jump'}, {'action': 'run'}, {'action': 'run', 'for_s': -1},
                         {'action': 'run', 'until_s': 1}, {'action': 'run', 'for_s': 1, 'event': True},
                         {'action': 'hold', 'for_s': 1}, {'for_s': 1}, {'mode': 'x'}, {'rate': 0},
                         {'mode': 'fast', 'rate': 2}, {'action': 'run', 'for_s': 1e200}):
                self.assertEqual(drone.post('/v1/clock', body)[0], 422, body)

    def test_links_and_configuration(self):
        with ApiDrone('--wind-speed', '3.5', '--api-token', 'secret-secret') as drone:
            peer = drone.tcp()
            peer.send(GROUND_STATION)
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            links = drone.get('/v1/links')[1]['links']
            self.assertEqual([(l['transport'], l['rx_frames'], l['version']) for l in links], [('tcp', 1, 2)])
            text = drone.get('/v1/config')[1]
            self.assertIn('\n  speed: 3.5', text)
            self.assertIn('\napi_token: "set"\n', text)
            self.assertNotIn('secret-secret', text)
            self.assertNotIn('secret-secret', ''.join(drone.lines))

    def test_missions_fences_and_rally_points(self):
        """A plan with all three, as a client uploads it; whoever looks sees by the tags that they are others."""
        with ApiDrone() as drone:
            empty = drone.get('/v1/vehicle')[1]
            self.assertEqual([empty[k]['count'] for k in ('mission', 'fence', 'rally')], [0, 0, 0])
            drone.fly('--upload', '--quiet', PLAN).check_returncode()
            now = drone.get('/v1/vehicle')[1]
            for kind in ('mission', 'fence', 'rally'):
                status, all_of_it = drone.get('/v1/' + kind)
                self.assertEqual(status, 200)
                self.assertNotEqual(now[kind]['tag'], empty[kind]['tag'])
                self.assertEqual([all_of_it[k] for k in ('count', 'tag', 'from')], [now[kind]['count'], now[kind]['tag'], 0])
                one_by_one = [drone.get(f'/v1/{kind}?from={i}&count=1')[1]['items'] for i in range(now[kind]['count'])]
                self.assertEqual([item for part in one_by_one for item in part], all_of_it['items'])
            mission, fence = drone.get('/v1/mission')[1]['items'], drone.get('/v1/fence')[1]['items']
            self.assertEqual([item['command'] for item in mission], [22, 16, 16, 16, 16, 20])
            self.assertEqual(mission[2], {'seq': 2, 'command': 16, 'frame': 3, 'param': [0, 0, 0, None], 'lat_deg': 47.3982816,
                                          'lon_deg': 8.5463903, 'alt_m': 15, 'alt_amsl_m': 503})
            self.assertEqual((mission[5]['lat_deg'], mission[5]['alt_amsl_m']), (None, None))
            self.assertEqual([(item['command'], item['param'][0]) for item in fence],
                             [(5001, 4)] * 4 + [(5002, 3)] * 3 + [(5004, 25.5)])
            assert_names(str(drone.get('/v1/mission?count=257')), '422 error count 0 256')

    def test_the_pages(self):
        for path, name in (('/', 'page.html'), ('/docs', 'docs.html')):
            with self.subTest(path), ApiDrone() as drone, contextlib.closing(drone.connect()) as c:
                self.page(c, path, page_file('host/api/' + name))

    def page(self, c, path, wanted):
        c.request('GET', path)
        answer = c.getresponse()
        text, tag = answer.read().decode(), answer.getheader('ETag')
        self.assertEqual((answer.status, answer.getheader('Content-Type'), answer.getheader('Cache-Control')),
                         (200, 'text/html; charset=utf-8', 'no-cache'))
        policy = answer.getheader('Content-Security-Policy')
        for word, element in (('script', 'script'), ('style', 'style')):
            inside = text.split(f'<{element}>')[1].split(f'</{element}>')[0]
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            self.assertIn(f"{word}-src 'sha256-{digest}';", policy)
        self.assertEqual(wanted, text)
        for method, headers, status, length in (('HEAD', {}, 200, str(len(text.encode()))),
                                                ('GET', {'If-None-Match': tag}, 304, None),
                                                ('GET', {'If-None-Match': '"x"'}, 200, str(len(text.encode())))):
            c.request(method, path, headers=headers)
            answer = c.getresponse()
            body = answer.read().decode()
            self.assertEqual((answer.status, answer.getheader('Content-Length'), body),
                             (status, length, text if (method, status) == ('GET', 200) else ''))

    def test_metrics(self):
        with ApiDrone('--faults', 'gps_off') as drone:
            peer = drone.tcp()
            peer.send(b'garbage' + command(ARM, 1))
            self.assertEqual(peer.ack(ARM), 1)
            status, text = drone.get('/metrics')
            self.assertEqual(status, 200)
            for line in ('mayfly_faults_active{fault="gps_off"} 1', 'mayfly_faults_active{fault="gps_jam"} 0',
                         'mayfly_commands_total{result="temporarily_rejected"} 1', 'mayfly_frames_received_total 1',
                         'mayfly_received_garbage_bytes_total 7', 'mayfly_armed 0', 'mayfly_links 1',
                         'mayfly_landed_state{state="on_ground"} 1', 'mayfly_http_connections 1'):
                self.assertIn('\n' + line + '\n', text)

    def test_the_document_is_true(self):
        """Every path that it names is served, with the members that it names; and it is the one in docs/."""
        with ApiDrone() as drone:
            status, document = drone.get('/openapi.json')
            self.assertEqual(status, 200)
            for path, methods in document['paths'].items():
                for method, about in methods.items():
                    content = about['responses'].get('200', about['responses'].get('202'))['content']
                    schema = content.get('application/json', {}).get('schema')
                    short = path.replace('/vehicles/{id}', '') if path != '/v1/vehicles/{id}' else '/v1/vehicle'
                    if short in ('/v1/events', '/openapi.json') or schema is None:
                        continue
                    body = {'/v1/faults': {'fault': 'gps_jam'}, '/v1/clock': {'rate': 1}, '/v1/commands': {'command': 520},
                            '/v1/misbehaviour': {'rule': 'ftp_lost'}, '/v1/parameters/{name}': {'value': 3}, '/v1/parameters': 'RTL_TYPE 3\n',
                            '/v1/mission': {'items': [{'command': 20, 'frame': 2, 'param': [0, 0, 0, 0]}]},
                            '/v1/links/{link}/quality': {'quality': 'lte'}}.get(short) if method in ('post', 'put') else None
                    status, answer = drone.ask(method.upper(), path.format(id=0, fault='gps_jam', rule='ftp_lost', link=0,
                                                                          name='RTL_TYPE'), body)
                    self.assertIn(status, (200, 202), (method, path, answer))
                    self.assertEqual(sorted(answer), sorted(resolved(document, schema)['properties']), (method, path))
            with open(os.path.join(TOP, 'docs', 'openapi.json'), encoding='utf-8') as f:
                self.assertEqual(json.load(f), document)

    def kept(self, drone, document, method, path, body=None, route=None, status=200):
        """An answer is what the document says of its status."""
        found, answer = drone.ask(method, path, body)
        self.assertEqual(found, status, (method, path, body, answer))
        about = document['paths'][route or path.split('?')[0]][method.lower()]['responses'][str(status)]
        schema = resolved(document, about)['content'].get('application/json', {}).get('schema')
        if schema is not None:
            self.assertEqual(flaws(document, schema, answer), [], (method, path))

    def test_the_document_tells_a_reader(self):
        """Every route has a group; every field a description; every JSON body an example, which fits its schema."""
        with open(os.path.join(TOP, 'docs', 'openapi.json'), encoding='utf-8') as f:
            document = json.load(f)
        schemas = dict(document['components']['schemas'])
        for path, methods in document['paths'].items():
            for method, about in methods.items():
                self.assertEqual(len(about['tags']), 1, (method, path))
                for parameter in about.get('parameters', ()):
                    self.assertGreater(len(parameter['description'].split()), 1, (method, path, parameter['name']))
                for content in [about.get('requestBody', {}).get('content', {})] + [r['content'] for code, r in about['responses'].items() if code in ('200', '202')]:
                    schema = content.get('application/json', {}).get('schema')
                    if schema is None or path in ('/openapi.json', '/healthz', '/readyz', '/v1/vehicles'):
                        continue
                    schemas[schema.get('$ref', path + method).rsplit('/', 1)[-1]] = schema = resolved(document, schema)
                    self.assertEqual(len(schema['examples']), 1, (method, path))
        for name, schema in schemas.items():
            for field, about in schema['properties'].items():
                self.assertGreater(len(about.get('description', '').split()), 0, (name, field))
            for example in schema.get('examples', ()):
                choices = [set(choice['required']) for choice in schema.get('anyOf', [{'required': []}])]
                self.assertTrue(any(choice <= set(example) for choice in choices), name)
                self.assertEqual(flaws(document, {key: value for key, value in schema.items() if key != 'anyOf'}, example), [], name)
        with ApiDrone() as drone:   # requests that readers copy
            for path, method in (('/v1/commands', 'post'), ('/v1/faults', 'post'), ('/v1/misbehaviour', 'post'), ('/v1/mission', 'put'), ('/v1/clock', 'post')):
                body = resolved(document, document['paths'][path][method]['requestBody']['content']['application/json']['schema'])['examples'][0]
                status, answer = drone.ask(method.upper(), path, body)
                self.assertIn(status, (200, 202), (path, answer))

    @pytest.mark.long
    def test_every_answer_is_what_the_document_says(self):
        """On the ground with nothing, in flight with everything, and what is refused."""
        with ApiDrone('--clock', 'x10', '--gnss-warmup', '5', '--link-quality', 'delay=1ms') as drone:
            document = drone.get('/openapi.json')[1]
            gets = [path for path, methods in document['paths'].items() if 'get' in methods and not path.endswith(('/events', '/', '/docs'))]
            for flown in (None, ['--upload', PLAN], ['--stay']):
                if flown:
                    wait_until(lambda: drone.get('/readyz')[0] == 200, 'it is ready')
                    drone.fly('--quiet', *flown).check_returncode()
                    drone.post('/v1/faults', {'spec': 'gps_satellites=9,wind=3@99h,mag_off@landing+1s'})
                    drone.post('/v1/misbehaviour', {'rule': 'param_lost'})
                with contextlib.closing(drone.tcp()) as peer:
                    peer.expect(HEARTBEAT)
                    for path in gets:
                        self.kept(drone, document, 'GET', path.format(id=0, link='all', name='RTL_TYPE'), route=path,
                                  status=503 if path == '/readyz' and not flown else 200)
                    link = drone.get('/v1/links')[1]['links'][0]
            vehicle = drone.get('/v1/vehicle')[1]
            self.assertTrue(vehicle['armed'] and vehicle['home'] and vehicle['gnss_utc'])
            self.assertTrue(link['quality'])
            for method, path, body, route, status in (
                    ('POST', '/v1/faults', '{', None, 400), ('POST', '/v1/faults', {'fault': 'x'}, None, 422),
                    ('POST', '/v1/faults', {'fault': 'gps_jam'}, None, 200),
                    ('POST', '/v1/faults', {'fault': 'gps_satellites', 'values': [8]}, None, 409),
                    ('POST', '/v1/faults', ' ' * 9000, None, 413),
                    ('DELETE', '/v1/faults/x', None, '/v1/faults/{fault}', 404),
                    ('GET', '/v1/vehicles/1', None, '/v1/vehicles/{id}', 404),
                    ('DELETE', '/v1/faults/wind', None, '/v1/faults/{fault}', 200), ('DELETE', '/v1/faults', None, None, 200),
                    ('POST', '/v1/misbehaviour', {'rule': 'x'}, None, 422), ('POST', '/v1/misbehaviour', {'rule': 'ftp_lost'}, None, 200),
                    ('DELETE', '/v1/misbehaviour/9', None, '/v1/misbehaviour/{rule}', 404),
                    ('DELETE', '/v1/misbehaviour', None, None, 200), ('POST', '/v1/clock', {'mode': 'x'}, None, 422),
                    ('POST', '/v1/clock', {'action': 'hold'}, None, 202), ('POST', '/v1/clock', {'action': 'resume'}, None, 202),
                    ('PUT', '/v1/links/9/quality', {'quality': 'lte'}, '/v1/links/{link}/quality', 404),
                    ('PUT', '/v1/links/0/quality', {'quality': 'lt'}, '/v1/links/{link}/quality', 422),
                    ('GET', '/v1/mission?from=x', None, None, 422), ('GET', '/v1/config?x=1', None, None, 422)):
                self.kept(drone, document, method, path, body, route, status)

    def test_a_vehicle_by_its_id(self):
        with ApiDrone('--instance', '3', '--tcp', '127.0.0.1:0', '--udp', 'none', '--udp-out', 'none') as drone:
            self.assertEqual(drone.get('/v1/vehicles'),
                             (200, {'vehicles': [{'id': 3, 'system_id': 4, 'path': '/v1/vehicles/3'}]}))
            status, vehicle = drone.get('/v1/vehicles/3')
            self.assertEqual((status, vehicle['system_id']), (200, 4))
            self.assertEqual(drone.post('/v1/vehicles/3/faults', {'fault': 'gps_off'})[0], 200)
            self.assertIn('gps_off', [f['fault'] for f in drone.get('/v1/faults')[1]['faults'] if f['active']])
            self.assertEqual(drone.ask('DELETE', '/v1/vehicles/3/faults/gps_off')[0], 200)
            assert_names(str(drone.get('/v1/vehicles/0/faults')), '404 error 0 GET /v1/vehicles')

    def test_events_come_in_order_and_again(self):
        with ApiDrone('--clock', 'event', '--event-gap', '0') as drone:
            events = drone.events()
            peer = drone.tcp()
            peer.send(command(ARM, 1) + command(TAKEOFF, 0, 0, 0, ANY, ANY, ANY, 508))
            seen = [events.wait_for('armed', armed=True), events.wait_for('command', command=400, result=0),
                    events.wait_for('mode', mode='Takeoff'), events.wait_for('command', command=22),
                    events.wait_for('landed', landed_state='takeoff'), events.wait_for('landed', landed_state='in_air'),
                    events.wait_for('mode', mode='Hold')]
            ids = [number for number, _ in seen]
            self.assertEqual(ids, sorted(ids))
            again = drone.events(headers=f'Last-Event-ID: {ids[0]}\r\n')
            self.assertEqual(again.next()[0], ids[0] + 1)
            self.assertEqual(again.wait_for('mode', mode='Hold'), seen[-1])
            other = drone.events(f'/v1/events?after={ids[-1] - 1}')
            self.assertEqual(other.next()[0], ids[-1])

    def test_who_comes_late_gets_the_last_128_events(self):
        with ApiDrone() as drone:
            for _ in range(66):
                self.assertEqual(drone.post('/v1/faults', {'fault': 'gyro_off'})[0], 200)
                self.assertEqual(drone.ask('DELETE', '/v1/faults/gyro_off')[0], 200)
            events = drone.events('/v1/events?after=0')
            found = [events.next() for _ in range(128)]
            events.close()
        self.assertGreater(found[0][0], 1, 'older ones are gone')
        self.assertEqual([number for number, _, _ in found], list(range(found[0][0], found[0][0] + 128)))
        self.assertEqual((found[-1][1], found[-1][2]['active']), ('fault', False))

    def test_a_scheduled_fault_is_told_with_its_own_instant(self):
        with ApiDrone('--faults', 'mag_off@500ms+100ms') as drone:
            events = drone.events('/v1/events?after=0')
            for active, at in (True, 0.5), (False, 0.6):
                self.assertEqual(events.wait_for('fault', fault='mag_off', active=active)[1]['vehicle_time_s'], at)

    def test_a_restart_begins_at_0_with_the_schedule_alone(self):
        with ApiDrone('--faults', 'mag_off,baro_off@1s') as drone:
            events, peer = drone.events(headers='Connection: close\r\n'), drone.tcp()
            for fault in ('wind', 'gps_off'):
                self.assertEqual(drone.post('/v1/faults', {'fault': fault})[0], 200)
                events.wait_for('fault', fault=fault, active=True)
            self.assertEqual(drone.ask('DELETE', '/v1/faults/mag_off')[0], 200)
            drone.post('/v1/clock', {'action': 'hold'})
            events.wait_for('clock', standing=True)
            peer.send(command(REBOOT, 1))
            events.wait_for('boot')
            events.wait_for('clock', standing=True)
            clock = drone.get('/v1/clock')[1]
            self.assertEqual((clock['vehicle_time_s'], clock['action'], clock['until_s']), (0, 'hold', 0))
            self.assertEqual(self.active(drone), ['mag_off'])
            drone.post('/v1/clock', {'action': 'run', 'for_s': 1})
            events.wait_for('clock', standing=True)
            self.assertEqual(drone.get('/v1/clock')[1]['vehicle_time_s'], 1)
            self.assertEqual(self.active(drone), ['mag_off', 'baro_off'])
            events.close()

    def active(self, drone):
        return [f['fault'] for f in drone.get('/v1/faults')[1]['faults'] if f['active']]

    def test_a_clock_in_lockstep_stands_until_somebody_grants_time(self):
        with ApiDrone() as drone, contextlib.closing(drone.tcp()) as peer:
            self.assertIsNotNone(peer.expect(HEARTBEAT))    # streams are due
            self.assertEqual(drone.post('/v1/clock', {'mode': 'lockstep'})[1]['mode'], 'lockstep')
            first = drone.get('/v1/vehicle')[1]['vehicle_time_s']
            events = drone.events()
            drone.post('/v1/clock', {'action': 'run', 'for_s': 1})
            self.assertEqual(events.wait_for('clock', standing=True)[1]['vehicle_time_s'], first + 1)
            drone.post('/v1/clock', {'action': 'resume'})
            events.wait_for('clock', standing=False)
            time.sleep(0.2)     # nobody grants any: it must not pass
            self.assertEqual(drone.get('/v1/vehicle')[1]['vehicle_time_s'], first + 1)

    def test_what_closed_links_counted_stays_in_the_sums(self):
        def sent(drone):
            return int(re.search(r'^mayfly_frames_sent_total (\d+)$', drone.get('/metrics')[1], re.MULTILINE)[1])
        with ApiDrone() as drone:
            with contextlib.closing(drone.tcp()) as peer:
                self.assertIsNotNone(peer.expect(SYSTEM_TIME))
                before = sent(drone)
            wait_until(lambda: not drone.get('/v1/links')[1]['links'], 'the link is closed')
            self.assertGreater(before, 0)
            self.assertGreaterEqual(sent(drone), before)

    def test_a_session_is_repeated_from_its_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.mfr')
            with ApiDrone('--record', path) as drone:
                peer = drone.tcp()
                self.assertIsNotNone(peer.expect(GPS_RAW_INT))
                drone.post('/v1/faults', {'fault': 'gps_glitch', 'values': [100.1, 0.3, -5]})
                drone.post('/v1/clock', {'rate': 20})
                drone.post('/v1/faults', {'fault': 'battery_low'})
                peer.expect(SYSTEM_TIME)
                drone.post('/v1/clock', {'action': 'hold'})
                drone.ask('DELETE', '/v1/faults/gps_glitch')
                drone.post('/v1/clock', {'action': 'resume'})
                peer.expect(SYSTEM_TIME)
                peer.close()
                self.assertEqual(drone.end()[0], 0)
            assert_replays(self, path)

    def test_sim046_a_schedule_by_time_and_by_event(self):
        """Each fault comes and goes at its exact time; the recording repeats it; what is cleared does not come."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.mfr')
            with ApiDrone('--clock', 'lockstep', '--faults', 'mag_off@55s+1s', '--record', path) as drone:
                events, peer = drone.events('/v1/events?after=0'), drone.tcp()
                for spec in ('gps_off@30s+10s', 'wind=7:90@arm:5s+2.5s', 'baro_off@50s', 'wind@waypoint3', 'baro_off@2h'):
                    self.assertEqual(drone.post('/v1/faults', {'spec': spec})[0], 200, spec)
                drone.ask('DELETE', '/v1/faults/baro_off')
                peer.send(command(ARM, 1))
                armed_s = events.wait_for('armed', armed=True)[1]['vehicle_time_s']
                drone.post('/v1/clock', {'action': 'run', 'until_s': 60})
                self.assertEqual(self.changes(events, 6), [
                    ('wind', True, round(armed_s + 5, 6)), ('wind', False, round(armed_s + 7.5, 6)),
                    ('gps_off', True, 30), ('gps_off', False, 40), ('mag_off', True, 55), ('mag_off', False, 56)])
                wait_until(lambda: drone.get('/v1/clock')[1]['vehicle_time_s'] >= 60, 'time stands at 60 s')
                self.assertEqual(drone.get('/v1/faults')[1]['schedule'], [
                    {'spec': 'wind=10:0@waypoint3:0s', 'fault': 'wind', 'active': False, 'from_s': None, 'to_s': None}])
                answer = drone.post('/v1/faults', {'spec': 'rc_lost+10s'})[1]['schedule']
                self.assertEqual([answer[1][k] for k in ('fault', 'active', 'from_s', 'to_s')], ['rc_lost', True, 60, 70])
                assert_names(str(drone.post('/v1/faults', {'spec': 'gps_off@59s+10s'})), '422 error gps_off@59s+10s 60.000000')
                for i in range(14):
                    self.assertEqual(drone.post('/v1/faults', {'spec': f'gps_jam@{100 + i}s+1s'})[0], 200)
                self.assertEqual(drone.post('/v1/faults', {'spec': 'gps_jam@1h'})[0], 409)
                answer = drone.ask('DELETE', '/v1/faults')[1]
                self.assertEqual((answer['schedule'], [f['fault'] for f in answer['faults'] if f['active']]), ([], []))
                drone.post('/v1/faults', {'spec': 'gps_jam@150s+1s'})
                drone.post('/v1/clock', {'action': 'run', 'until_s': 200})
                self.assertEqual(self.changes(events, 4), [('rc_lost', True, 60), ('rc_lost', False, 60), ('gps_jam', True, 150),
                                                           ('gps_jam', False, 151)])
                drone.post('/v1/faults', {'spec': 'gps_jam@300s'})
                peer.send(command(REBOOT, 1))    # a restart
                self.assertEqual(events.wait_for('boot')[1]['vehicle_time_s'], 0)
                self.assertEqual([p['fault'] for p in drone.get('/v1/faults')[1]['schedule']], ['mag_off'])
                events.close()
                peer.close()
                self.assertEqual(drone.end()[0], 0)
            assert_replays(self, path)

    def changes(self, events, count):
        """The next faults that come or go."""
        found = [events.wait_for('fault')[1] for _ in range(count)]
        return [(change['fault'], change['active'], change['vehicle_time_s']) for change in found]


class WhoMay(unittest.TestCase):
    EVERYWHERE = [('/', True), ('/docs', True), ('/healthz', True), ('/readyz', True), ('/metrics', True), ('/v1/vehicle', False), ('/v1/mission', False),
                  ('/v1/fence', False), ('/v1/rally', False), ('/v1/faults', False),
                  ('/v1/clock', False), ('/v1/links', False), ('/v1/config', False), ('/v1/events', False),
                  ('/openapi.json', False)]

    def test_without_a_token_others_see_what_is_free(self):
        with ApiDrone(api='0.0.0.0:0') as drone:
            drone.wait_for('--api-token .* /, /docs, /healthz, /readyz, /metrics ')
            for path, free in self.EVERYWHERE:
                self.assertEqual(drone.get(path)[0], 200 if free else 403, path)
            self.assertEqual(drone.post('/v1/faults', {'fault': 'gps_off'})[0], 403)

    def test_with_a_token_they_need_it(self):
        with tempfile.NamedTemporaryFile('w', suffix='.token') as f:
            f.write('correct-horse\n')
            f.flush()
            with ApiDrone('--api-token', f.name, api='0.0.0.0:0') as drone:
                good = {'Authorization': 'Bearer correct-horse', **JSON}
                for path, free in self.EVERYWHERE:
                    self.assertEqual(drone.get(path)[0], 200 if free else 401, path)
                    if path != '/v1/events':
                        self.assertEqual(drone.get(path, headers=good)[0], 200, path)
                for token in ('', 'correct-hors', 'correct-horsee', 'wrong-wrong-x', 'correct-horse '):
                    self.assertIn(drone.get('/v1/vehicle', headers={'Authorization': f'Bearer {token}'})[0],
                                  (401,) if token.strip() != 'correct-horse' else (200, 401))
                self.assertEqual(drone.get('/v1/vehicle', headers={'Authorization': 'Basic correct-horse'})[0], 401)
                self.assertEqual(drone.post('/v1/faults', {'fault': 'gps_off'}, headers=good)[0], 200)

    def test_tokens_that_are_none(self):
        for token in ('short', 'with space', 'x' * 200, '/nosuch/file'):
            result = run(*QUIET, '--tcp', '0', '--api', '0', '--api-token', token)
            self.assertEqual((result.returncode, result.stdout), (2, ''))
            self.assertTrue(result.stderr.startswith('mayfly: --api-token: '), result.stderr)

    def test_pages_of_other_sites_are_refused(self):
        with ApiDrone() as drone:
            here = f'127.0.0.1:{drone.api}'
            for headers, status in (({'Host': 'evil.example'}, 403), ({'Host': '127.evil.example'}, 403),
                                    ({'Origin': 'http://evil.example'}, 403), ({'Origin': 'null'}, 403),
                                    ({'Host': here, 'Origin': f'http://{here}'}, 200), ({'Host': 'localhost:1'}, 200),
                                    ({'Host': '[::1]:1'}, 200), ({'Host': 'LOCALHOST'}, 200)):
                self.assertEqual(drone.get('/v1/vehicle', headers=headers)[0], status, headers)
                self.assertEqual(drone.get('/healthz', headers=headers)[0], 200, headers)
            self.assertEqual(drone.post('/v1/faults', '{"fault":"gps_off"}', headers={'Content-Type': 'text/plain'})[0], 415)
            self.assertFalse(any(f['active'] for f in drone.get('/v1/faults')[1]['faults']))

    def test_a_port_that_is_taken(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            port = taken.getsockname()[1]
            result = run(*QUIET, '--tcp', '0', '--api', str(port))
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, f'127.0.0.1:{port}')
        instance = free_instance()
        with Drone('--instance', str(instance)) as one:
            self.assertEqual(one.api_port(), 5759 - instance)
            with Drone('--instance', str(instance)) as other:
                other.wait_for(rf'API: tcp 127\.0\.0\.1:{5759 - instance}: ')
                self.assertIsNotNone(other.tcp().expect(HEARTBEAT))
        with Drone('--tcp', '0', '--api', 'none') as drone:
            drone.port()
            self.assertFalse([line for line in drone.lines if 'http' in line])


class Http(unittest.TestCase):
    """What RFC 9110 and 9112 ask of a server."""

    def ask(self, drone, method, path, headers=None, body=None):
        return http_client.ask(drone.api, method, path, body, headers or {})

    def test_methods(self):
        with ApiDrone() as drone:
            for path, allowed in (('/', 'GET, HEAD, OPTIONS'), ('/v1/faults', 'GET, HEAD, POST, DELETE, OPTIONS'),
                                  ('/v1/faults/gps_off', 'DELETE, OPTIONS'), ('/v1/clock', 'GET, HEAD, POST, OPTIONS'),
                                  ('/v1/links/0/quality', 'GET, HEAD, PUT, OPTIONS')):
                for method, status in (('OPTIONS', 204), ('PATCH', 405), ('TRACE', 405)):
                    found, headers, body = self.ask(drone, method, path)
                    self.assertEqual((found, headers['Allow']), (status, allowed), path)
                    self.assertEqual(len(body) > 0, status == 405)
            self.assertEqual(self.ask(drone, 'OPTIONS', '*')[:1], (204,))
            self.assertEqual(self.ask(drone, 'OPTIONS', '/v1/nothing')[0], 404)
            document = drone.get('/openapi.json')[1]
            for path in document['paths']:
                changing = ('/events', '/metrics', '/v1/vehicle', '/v1/vehicles/{id}', '/v1/clock')
                if 'get' in document['paths'][path] and not path.endswith(changing):
                    there = path.format(id=0, link=0, name='RTL_TYPE')
                    get, head = self.ask(drone, 'GET', there), self.ask(drone, 'HEAD', there)
                    self.assertEqual((head[0], head[2]), (200, b''), path)
                    self.assertEqual(head[1]['Content-Length'], str(len(get[2])), path)
                    self.assertEqual(head[1]['Content-Type'], get[1]['Content-Type'])
            self.assertEqual(self.ask(drone, 'HEAD', '/v1/events')[0], 200)

    def test_paths(self):
        with ApiDrone() as drone:
            status, _, body = self.ask(drone, 'GET', '/v1/vehicle/')
            self.assertEqual(status, 404)
            assert_names(json.loads(body)['error'], '/ /v1/vehicle')
            self.assertEqual(self.ask(drone, 'GET', '//')[0], 404)
            for path in ('/v1/%76ehicle', f'http://127.0.0.1:{drone.api}/v1/vehicle', '/v1/vehicle?', '/healthz?a=b&c'):
                self.assertEqual(self.ask(drone, 'GET', path)[0], 200, path)
            for path in ('/v1%2Fvehicle', '/v1/vehicle%00', '/v1/./vehicle', '/V1/vehicle'):
                self.assertEqual(self.ask(drone, 'GET', path)[0], 404, path)
            self.assertEqual(self.ask(drone, 'GET', 'http://example.com/v1/vehicle')[0], 403)
            self.assertEqual(self.ask(drone, 'DELETE', '/v1/faults/gps%5Foff')[0], 200)

    def test_types(self):
        with ApiDrone() as drone:
            for headers, status in (({'Accept': 'text/html'}, 406), ({'Accept': 'application/json;q=0'}, 406),
                                    ({'Accept': 'text/html, */*;q=0.1'}, 200), ({'Accept': 'application/*'}, 200)):
                self.assertEqual(self.ask(drone, 'GET', '/v1/clock', headers)[0], status, headers)
            self.assertEqual(self.ask(drone, 'GET', '/metrics', {'Accept': 'application/openmetrics-text;version=1.0.0;q=0.8,'
                                                                 'text/plain;version=0.0.4;q=0.6,*/*;q=0.2'})[0], 200)
            good = 'application/json; charset=utf-8'
            for headers, status in (({}, 415), ({'Content-Type': 'text/plain'}, 415), ({'Content-Type': good}, 200),
                                    ({'Content-Type': good, 'Content-Encoding': 'gzip'}, 415)):
                self.assertEqual(self.ask(drone, 'POST', '/v1/faults', headers, b'{"fault": "gps_off"}')[0], status, headers)
            tag = self.ask(drone, 'GET', '/')[1]['ETag']
            for known in (tag, f'W/{tag}', f'"other", {tag}', '*'):
                self.assertEqual(self.ask(drone, 'GET', '/', {'If-None-Match': known})[0], 304, known)
            self.assertEqual(self.ask(drone, 'GET', '/', {'If-None-Match': '"other"'})[0], 200)

    def test_answers_are_dated(self):
        with ApiDrone() as drone:
            dates = [self.ask(drone, 'GET', path)[1]['Date'] for path in ('/healthz', '/v1/nothing')]
            for date in dates:
                self.assertAlmostEqual(email.utils.parsedate_to_datetime(date).timestamp(), time.time(), delta=PATIENCE_S)

    def test_connections(self):
        with ApiDrone() as drone:
            for version, more, stays in (('1.1', '', True), ('1.1', 'Connection: close\r\n', False), ('1.0', '', False),
                                         ('1.0', 'Connection: keep-alive\r\n', False)):
                request = f'GET /healthz HTTP/{version}\r\nHost: localhost\r\n{more}\r\n'.encode()
                with contextlib.closing(drone.raw(request)) as sock:
                    if stays:
                        self.assertIn(b'{"status":"ok"}', sock.recv(65536))
                        sock.sendall(request.replace(b'\r\n\r\n', b'\r\nConnection: close\r\n\r\n'))
                    self.assertIn(b'\r\nConnection: close\r\n', everything(sock))
            chunked = (b'POST /v1/clock HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
                       b'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n8\r\n{"action\r\n8\r\n":"hold"\r\n1\r\n}\r\n0\r\n\r\n')
            with contextlib.closing(drone.raw(chunked)) as sock:
                self.assertIn(b' 202 Accepted', everything(sock))
            with contextlib.closing(drone.raw(b'POST /v1/faults HTTP/1.1\r\nHost: localhost\r\nContent-Length: 19\r\n'
                                              b'Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n')) as sock:
                self.assertEqual(sock.recv(65536), b'HTTP/1.1 100 Continue\r\n\r\n')
                sock.sendall(b'{"fault":"gps_off"}')
                self.assertIn(b' 200 OK', sock.recv(65536))
