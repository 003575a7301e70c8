# SPDX-License-Identifier: Apache-2.0
"""Flying by HTTP (docs/api.md, "Flying"): actions, plans and parameters, by the handlers that MAVLink's clients reach."""
import json
import math
import os
import re
import struct
import unittest

import pytest

from drone import ApiDrone, run
from http_client import JSON
from mavlink import ATTITUDE
from names import assert_names
from paths import PLANS, TOP


def plan(name):
    with open(os.path.join(PLANS, name), 'rb') as f:
        return f.read()


def act(drone, action, **members):
    return drone.post('/v1/commands', {'action': action, **members})


def take_off(drone, mode='Hold'):
    """Arm and climb 20 m. @return its events, after that of the mode"""
    events = drone.events()
    act(drone, 'arm')
    act(drone, 'takeoff', alt_m=20)
    events.wait_for('mode', mode=mode)
    return events


class Actions(unittest.TestCase):
    def test_a_flight(self):
        with ApiDrone('--clock', 'event') as drone:
            events = drone.events()
            self.assertEqual(act(drone, 'arm')[1]['name'], 'accepted')
            self.assertEqual(act(drone, 'takeoff', alt_m=20)[1]['name'], 'accepted')
            events.wait_for('landed', landed_state='in_air')
            events.wait_for('mode', mode='Hold')
            self.assertAlmostEqual(drone.get('/v1/vehicle')[1]['position']['alt_relative_m'], 20, 3)    # above home
            status, answer = act(drone, 'goto', lat_deg=47.398, lon_deg=8.546, alt_m=30, heading_deg=90, speed_mps=5)
            self.assertEqual((status, answer['name']), (200, 'accepted'))
            self.assertEqual(drone.post('/v1/clock', {'action': 'run', 'for_s': 60})[0], 202)
            events.wait_for('clock', standing=True)
            position = drone.get('/v1/vehicle')[1]['position']
            self.assertAlmostEqual(position['lat_deg'], 47.398, 6)
            self.assertAlmostEqual(position['alt_relative_m'], 30, 3)
            self.assertAlmostEqual(position['heading_deg'], 90, 3)
            drone.post('/v1/clock', {'action': 'resume'})
            act(drone, 'goto', lat_deg=47.398, lon_deg=8.546, alt_m=520, frame='amsl')
            self.assertEqual(act(drone, 'hold')[1]['name'], 'accepted')
            self.assertEqual(act(drone, 'return')[1]['name'], 'accepted')
            events.wait_for('mode', mode='Return')
            self.assertEqual(act(drone, 'land')[1]['name'], 'accepted')
            events.wait_for('landed', landed_state='on_ground')
            events.wait_for('armed', armed=False)
            events.close()
            track = drone.get('/v1/track')[1]
            self.assertTrue(track['events'][0]['event'] == 'boot' and not track['more'])
            told = [(e['event'], e.get('armed'), e.get('landed_state')) for e in track['events']]
            self.assertLess(told.index(('armed', True, None)), told.index(('landed', None, 'in_air')))
            self.assertIn(('armed', False, None), told)
            ids, times = ([e[key] for e in track['events']] for key in ('id', 'vehicle_time_s'))
            self.assertEqual((ids, times), (sorted(set(ids)), sorted(times)))
            rest = drone.get(f'/v1/track?after={times[told.index(("landed", None, "in_air"))]}')[1]['events']
            self.assertEqual(rest, [e for e in track['events'] if e['vehicle_time_s'] > times[told.index(('landed', None, 'in_air'))]])

    def test_attitude(self):
        """At a steady 5 m/s against a drag of 1/s it leans forward by atan(5 / 9.80665) = 27.01 degrees."""
        with ApiDrone('--clock', 'event', '--motion', 'physics') as drone:
            peer, events = drone.tcp(), take_off(drone)
            act(drone, 'goto', lat_deg=47.41, lon_deg=8.545594, alt_m=20, speed_mps=5)
            drone.post('/v1/clock', {'action': 'run', 'for_s': 60})
            events.wait_for('clock', standing=True)
            for pose in (drone.get('/v1/vehicle')[1][key] for key in ('position', 'truth')):
                self.assertAlmostEqual(pose['pitch_deg'], -27.01, delta=0.05)
                self.assertAlmostEqual(pose['roll_deg'], 0, delta=0.05)
            drone.post('/v1/clock', {'action': 'resume'})
            self.assertIsNotNone(peer.expect(ATTITUDE, lambda p: abs(math.degrees(struct.unpack_from('<f', p.ljust(28, b'\0'), 8)[0]) + 27.01) < 0.05))

    def test_a_place_outside_the_fence(self):
        """SIM-047: accepted, as by PX4, but not flown to; the answer has the text that says so. With GF_ACTION 1 it is flown to."""
        with ApiDrone('--clock', 'event', '--param', 'GF_MAX_HOR_DIST=100') as drone:
            take_off(drone)
            answer = act(drone, 'goto', lat_deg=47.41, lon_deg=8.5456)[1]
            self.assertEqual((answer['name'], answer['reason']), ('accepted', 'Reposition is outside geofence'))
            self.assertAlmostEqual(drone.get('/v1/vehicle')[1]['truth']['lat_deg'], 47.397742, 9)
            self.assertIsNone(act(drone, 'goto', lat_deg=47.3978, lon_deg=8.5456)[1]['reason'])
            self.assertEqual(drone.ask('PUT', '/v1/parameters/GF_ACTION', b'{"value": 1}', headers=JSON)[0], 200)
            self.assertIsNone(act(drone, 'goto', lat_deg=47.41, lon_deg=8.5456)[1]['reason'])

    def test_the_reason_of_a_refusal_is_whole(self):
        with ApiDrone('--faults', 'gps_off@2s', '--clock', 'event') as drone:
            take_off(drone, 'Descend')
            answer = act(drone, 'goto', lat_deg=47.41, lon_deg=8.5456)[1]
            self.assertEqual((answer['name'], answer['reason'].split(': ')[-1]), ('temporarily_rejected', 'no local position'))

    def test_what_is_refused(self):
        with ApiDrone() as drone:
            for body, text in (({}, 'action arm command'), ({'action': 'arm', 'command': 400}, 'action arm command'), ({'action': 'fly'}, 'action arm fly'),
                               ({'action': 'arm', 'alt_m': 3}, 'arm alt_m'), ({'action': 'arm', 'param1': 0}, 'arm param1'),
                               ({'action': 'goto', 'lat_deg': 47}, 'goto lat_deg lon_deg'),
                               ({'action': 'goto', 'lat_deg': 91, 'lon_deg': 0}, 'lat_deg -90 90'),
                               ({'action': 'land', 'frame': 'amsl'}, 'land frame')):
                status, answer = drone.post('/v1/commands', body)
                self.assertEqual(status, 422, (body, answer))
                assert_names(answer['error'], text)
            self.assertFalse(drone.get('/v1/vehicle')[1]['armed'])


STORED = {'mission': 0, 'fence': 0, 'rally': 0, 'stored': True, 'feasible': True, 'reason': None}


class Plans(unittest.TestCase):
    def put(self, drone, data, path='/v1/mission', headers=None):
        return drone.ask('PUT', path, data, headers=headers if headers is not None else JSON)

    def test_a_plan_is_flown(self):
        with ApiDrone('--clock', 'event') as drone:
            events = drone.events()
            self.assertEqual(self.put(drone, plan('square.plan')), (200, STORED | {'mission': 6}))
            self.assertEqual(act(drone, 'arm')[0], 200)
            self.assertEqual(act(drone, 'start_mission')[1]['name'], 'accepted')
            events.wait_for('waypoint', item=4)
            events.wait_for('armed', armed=False)

    def test_what_get_gives_can_be_put(self):
        with ApiDrone() as drone:
            self.put(drone, plan('jump.plan'))
            before = drone.get('/v1/mission')[1]
            self.assertEqual(self.put(drone, json.dumps(before).encode())[0], 200)
            self.assertEqual(drone.get('/v1/mission')[1]['items'], before['items'])

    def test_files_of_other_kinds_and_their_fence(self):
        with ApiDrone() as drone:
            self.assertEqual(self.put(drone, plan('text.waypoints'), headers={'Content-Type': 'text/plain'}),
                             (200, STORED | {'mission': 4}))
            self.assertEqual(self.put(drone, plan('around.plan'), headers={})[1], STORED | {'mission': 6, 'fence': 8, 'rally': 2})
            self.put(drone, plan('square.plan'))     # has neither: they stay
            self.assertEqual(drone.ask('DELETE', '/v1/fence'), (200, {'mission': 6, 'fence': 0, 'rally': 2}))
            self.assertEqual(drone.ask('DELETE', '/v1/rally')[1], {'mission': 6, 'fence': 0, 'rally': 0})
            self.assertEqual(drone.ask('DELETE', '/v1/mission')[1], {'mission': 0, 'fence': 0, 'rally': 0})

    @pytest.mark.long
    def test_ten_thousand_items(self):
        items = [{'command': 16, 'frame': 6, 'param': [0, 0, 0, None], 'lat_deg': 47.39 + i * 1e-6, 'lon_deg': 8.5, 'alt_m': 20}
                 for i in range(10000)]
        with ApiDrone() as drone:
            self.assertEqual(self.put(drone, json.dumps({'items': items}).encode()), (200, STORED | {'mission': 10000}))
            self.assertEqual(drone.get('/v1/mission?from=9999')[1]['items'][0]['lat_deg'], 47.399999)
            items.append(items[0])
            assert_names(str(self.put(drone, json.dumps({'items': items}).encode())), '422 error items[10000] 10000')
            self.assertEqual(drone.get('/v1/vehicle')[1]['mission']['count'], 10000)
            status, answer = self.put(drone, b' ' * (2 * 1024 * 1024 + 1))
            self.assertEqual((status, '2097152' in answer['error']), (413, True))

    def test_what_is_refused_leaves_the_mission(self):
        with ApiDrone() as drone:
            self.put(drone, plan('square.plan'))
            for data, status, text in ((plan('bad_jump.plan'), 422, 'mission.items 9'),
                                       (plan('bad_syntax.plan'), 422, "23:17 ',' '}'"), (b'', 400, 'body'),
                                       (plan('square.plan').replace(b'"command": 16', b'"command": 9999'), 409, 'mission item 1 9999')):
                found, answer = self.put(drone, data)
                self.assertEqual(found, status, answer)
                assert_names(answer['error'], text)
            self.assertEqual(drone.get('/v1/vehicle')[1]['mission']['count'], 6)

    def test_a_lost_answer_is_told_and_the_upload_ends(self):
        with ApiDrone('--misbehave', 'mission_ack_lost*1') as drone:
            status, answer = self.put(drone, plan('square.plan'))
            self.assertEqual((status, 'misbehaviour' in answer['error']), (409, True))
            self.assertEqual(self.put(drone, plan('square.plan'))[0], 200)

    def test_nobody_uploads_without_the_token(self):
        with ApiDrone('--api-token', 'secret-token', api='0.0.0.0:0') as drone:
            data, token = plan('square.plan'), {'Authorization': 'Bearer secret-token'}
            self.assertEqual(self.put(drone, data, headers={})[0], 401)
            self.assertEqual(self.put(drone, data + b' ' * 20000, headers={})[0], 413)   # has no claim to the room of plans
            self.assertEqual(self.put(drone, data + b' ' * 20000, headers=token)[0], 200)


class Parameters(unittest.TestCase):
    def test_reading_and_setting(self):
        with ApiDrone() as drone:
            listed = {p['name']: p for p in drone.get('/v1/parameters')[1]['parameters']}
            self.assertEqual(listed['MPC_XY_CRUISE'], {'name': 'MPC_XY_CRUISE', 'type': 'float', 'value': 10, 'default': 10,
                                                       'min': 0.1, 'max': 100})
            status, answer = drone.ask('PUT', '/v1/parameters/MPC_XY_CRUISE', {'value': 12.5})
            self.assertEqual((status, answer['value']), (200, 12.5))
            self.assertEqual(drone.get('/v1/parameters/MPC_XY_CRUISE')[1]['value'], 12.5)
            self.assertEqual(drone.ask('PUT', '/v1/parameters/RTL_TYPE', {'value': 3})[1]['value'], 3)
            for name, body, status, text in (('MPC_XY_CRUISE', {'value': 101}, 422, 'MPC_XY_CRUISE 0.1 100'), ('RTL_TYPE', {'value': 1.5}, 422, 'value number'),
                                             ('NO_SUCH', {'value': 1}, 404, 'NO_SUCH GET /v1/parameters'), ('MF_GEOID_HASH', {'value': 1}, 409, 'MF_GEOID_HASH'),
                                             ('RTL_TYPE', {}, 422, 'value')):
                found, answer = drone.ask('PUT', f'/v1/parameters/{name}', body)
                self.assertEqual(found, status, answer)
                assert_names(answer['error'], text)


class Readme(unittest.TestCase):
    def test_the_square_of_the_readme(self):
        """The lines for operators, as they stand but for the port."""
        with open(os.path.join(TOP, 'README.md'), encoding='utf-8') as f:
            script = re.search(r'```sh\n(export API=.*?)```', f.read(), re.S)[1]
        script = script.replace('http://127.0.0.1:5759/v1', '$MAYFLY_API_URL/v1')
        done = run('exec', '--', 'sh', '-ec', script)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('{"mission":6,', done.stdout)
        self.assertEqual(done.stdout.count('"accepted"'), 2)
        self.assertIn('"mode":"Mission"', done.stdout)
