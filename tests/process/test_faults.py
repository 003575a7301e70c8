# SPDX-License-Identifier: Apache-2.0
"""Faults that wait for events, by the environment, under every clock: the same instants of the flight. What is told of a
fault: causes first. What the control API accepts: the same by name and by specification. MAYFLY names the binary."""
import contextlib
import json
import re
import struct
import unittest

import pytest

from cases import cases
from drone import ApiDrone, Drone
from mavlink import (ANY, ARM, GLOBAL_POSITION_INT, HEARTBEAT, LAND, MISSION_START, SYS_STATUS, TAKEOFF, WAYPOINT, command)
from mission_client import LON, MissionClient, item
from names import assert_names
from waiting import wait_until

CLOCKS = 'x20', 'fast', 'event'

# when the fault begins, and a line of the log that is so many seconds before: topic, beginning of the text
EVENTS = {
    'arm:1.25': ('armed', 'yes', 1.25),
    'takeoff:0.5': ('landed', 'takeoff', 0.5),
    'landing:1s': ('landed', 'on ground', 1.0),
    'disarm:2s': ('armed', 'no', 2.0),
    'waypoint1:0.25': ('landed', 'takeoff', None),   # the same under every clock
}


MISSION = [item(0, TAKEOFF, 473977420, LON, 5.0), item(1, WAYPOINT, 473978420, LON, 5.0), item(2, LAND, 473978420, LON, 0.0)]


def microseconds(t):
    return round(t * 1e6)


class Events(unittest.TestCase):
    def fly(self, clock, when):
        """Log lines of the flight up to the fault: microseconds, topic, text."""
        with Drone('--clock', clock, '--log', 'json', env={'MAYFLY_FAULTS': f'motor_off@{when}'}) as drone:
            client = drone.opened(MissionClient(drone.port()))
            self.assertEqual(client.upload(MISSION), 0)
            client.send(command(MISSION_START))
            drone.wait_for('"event":"motors"')
            lines = [json.loads(line) for line in drone.lines]
        found = [(microseconds(line['t']), line['event'], line.get('text', '')) for line in lines]
        return found[:[event for _, event, _ in found].index('motors') + 1]

    @pytest.mark.long
    def test_sim046_faults_by_event_come_at_the_same_instants_under_every_clock(self):
        for when, (topic, text, later_s) in EVENTS.items():
            took = set()
            for clock in CLOCKS:
                with self.subTest(when=when, clock=clock):
                    lines = self.fly(clock, when)
                    since = [t for t, at, what in lines if at == topic and what.startswith(text)]
                    took.add(lines[-1][0] - since[-1])
            self.assertEqual(len(took), 1, (when, took))
            if later_s is not None:
                self.assertEqual(took, {microseconds(later_s)}, when)


class Told(unittest.TestCase):
    """In the air at 20 m, with a fence of 50 m."""
    LEADS_TO = {'battery_low': 'Low battery', 'battery_critical': 'Critical battery', 'battery_emergency': 'Emergency battery level',
                'gps_off': 'GNSS data fusion stopped', 'motor_off': 'Motor failure detected',
                'breach_teleport': 'Geofence: exceeding maximum distance to Home'}

    @contextlib.contextmanager
    def hovering(self, *args):
        with ApiDrone('--clock', 'x20', '--param', 'GF_MAX_HOR_DIST=50', *args) as drone:
            peer, events = drone.tcp(), drone.events()
            peer.send(command(ARM, 1) + command(TAKEOFF, 0, 0, 0, ANY, ANY, ANY, 508))
            events.wait_for('mode', mode='Takeoff')
            events.wait_for('mode', mode='Hold')
            yield drone, peer, events

    @pytest.mark.long
    def test_sim046_a_fault_is_told_before_what_it_leads_to(self):
        for fault, text in self.LEADS_TO.items():
            for spec in (fault, fault + '@takeoff:9s'):
                with self.subTest(spec=spec), self.hovering(*([] if spec == fault else ['--faults', spec])) as (drone, _, events):
                    if spec == fault:
                        drone.post('/v1/faults', {'fault': fault})
                    seen = []
                    while text not in seen:
                        _, name, data = events.next()
                        seen.append(data['fault'] if name == 'fault' else data.get('text', name))
                    self.assertEqual(seen[0], fault, seen)

    def test_sim047_without_home_the_height_is_that_of_global_position_int(self):
        with self.hovering() as (drone, peer, _):
            self.assertEqual(drone.post('/v1/faults', {'fault': 'home_lost'})[0], 200)
            v = drone.get('/v1/vehicle')[1]
            self.assertIsNone(v['home'])
            self.assertAlmostEqual(v['position']['alt_relative_m'], 20, delta=0.001)
            later = peer.expect(GLOBAL_POSITION_INT, lambda p: struct.unpack_from('<I', p)[0] > v['vehicle_time_s'] * 1e3)
            said = struct.unpack_from('<i', later.ljust(28, b'\0'), 16)[0]
            self.assertAlmostEqual(v['position']['alt_relative_m'] * 1e3, said, delta=1)

    def test_the_log_is_in_order_and_peers_are_those_of_mavlink(self):
        with ApiDrone() as drone:
            for peer in (drone.tcp(), drone.tcp()):
                self.assertIsNotNone(peer.expect(HEARTBEAT))
                peer.close()
            self.assertIsNotNone(drone.tcp().expect(HEARTBEAT))
            wait_until(lambda: len(drone.get('/v1/links')[1]['links']) == 1, 'two links are closed')
            self.assertIn('\nmayfly_peers_opened_total 3\n', drone.get('/metrics')[1])
            self.assertEqual(drone.end()[0], 0)
            assert_names(next(line for line in drone.lines if 'peers' in line), 'net 3 2')
            last = [float(m[1]) for m in (re.match(r' *(\d+\.\d{3}) ', line) for line in drone.lines) if m][-4:]
            self.assertEqual(last, sorted(last))


class Accepted(unittest.TestCase):
    """Time stands, on the ground. Whether what is accepted shows, for every pair: tests/sim/test_fault_pairs.c."""
    CLEARS_PREARM = ('gps_off', 'gps_no_fix', 'gps_jam', 'battery_critical', 'battery_emergency', 'battery_off', 'gyro_off', 'gyro_stuck',
                     'accel_off', 'accel_stuck', 'mag_off', 'mag_stuck', 'baro_off', 'baro_stuck', 'motor_off')

    @contextlib.contextmanager
    def standing(self):
        with ApiDrone('--clock', 'lockstep') as drone:
            events = drone.events()
            drone.post('/v1/clock', {'action': 'run', 'until_s': 10})
            events.wait_for('clock', standing=True)
            yield drone

    def both_ways(self, drone, name, *values, connection=None):
        """(status, error or None), the same by name and by specification; it is over again afterwards."""
        bodies = ({'fault': name, **({'values': list(values)} if values else {})},
                  {'spec': name + ('=' + ':'.join(map(str, values)) if values else '')})
        answers = []
        for body in bodies:
            status, answer = drone.post('/v1/faults', body, connection=connection)
            answers.append((status, answer.get('error')))
            self.assertEqual([f['active'] for f in answer.get('faults', ()) if f['fault'] == name], [True] * (status == 200))
            self.assertEqual(drone.ask('DELETE', '/v1/faults/' + name, connection=connection)[0], 200)
        self.assertEqual(*answers, f'by name, by specification: {bodies}')
        return answers[0]

    @pytest.mark.long
    def test_sim047_a_fault_that_changes_nothing_is_refused_either_way(self):
        with self.standing() as drone:
            shown, hidden = set(), set()    # reasons behind the fault's name: one for what it shows already, one for what another hides
            for name, value in ('battery', 100), ('battery_voltage', 16.2), ('gps_satellites', 10), ('battery', 99.99):
                status, error = self.both_ways(drone, name, value)
                self.assertEqual(status, 409, name)
                shown.add(error.removeprefix(name))
            for first, second, reasons in (('gps_off', 'gps_glitch', hidden), ('battery_off', 'battery_low', hidden),
                                           *((first, 'prearm', shown) for first in self.CLEARS_PREARM)):
                self.assertEqual(drone.post('/v1/faults', {'fault': first})[0], 200, first)
                status, error = self.both_ways(drone, second)
                self.assertEqual(status, 409, first)
                reasons.add(error.removeprefix(second))
                drone.ask('DELETE', '/v1/faults')
                self.assertEqual(self.both_ways(drone, second), (200, None))
            self.assertEqual([len(reasons) for reasons in (shown, hidden, shown | hidden)], [1, 1, 2])
            self.assertTrue(all(reason.startswith(':') for reason in shown | hidden))

    def test_sim047_a_schedule_that_begins_later_is_accepted_all_the_same(self):
        with self.standing() as drone:
            for spec in 'battery=100@11s', 'battery=100@arm', 'gps_off,gps_glitch@10.000001s':
                self.assertEqual(drone.post('/v1/faults', {'spec': spec})[0], 200, spec)
            self.assertEqual(drone.post('/v1/faults', {'spec': 'gps_glitch@10s'})[0], 409)     # that is now

    def test_sim047_five_millivolts_are_seen(self):
        """16.2 V x (8/9 + 1/9 x 0.997) = 16.1946 V: not the charge, which is rounded up, but the voltage shows 99.7 %."""
        for body in {'fault': 'battery', 'values': [99.7]}, {'spec': 'battery=99.7'}:
            with self.standing() as drone, contextlib.closing(drone.tcp()) as peer:
                drone.post('/v1/clock', {'action': 'run', 'for_s': 3})
                self.assertIsNotNone(peer.expect(SYS_STATUS, lambda p: (p[14:16], p[30]) == (struct.pack('<H', 16200), 100)))
                self.assertEqual(drone.post('/v1/faults', body)[0], 200)
                drone.post('/v1/clock', {'action': 'run', 'for_s': 3})
                self.assertIsNotNone(peer.expect(SYS_STATUS, lambda p: (p[14:16], p[30]) == (struct.pack('<H', 16195), 100)))

    @pytest.mark.long
    def test_sim047_every_pair_of_faults_is_answered_alike_either_way(self):
        """A third of the pairs, with each fault before and after others; with MF_LONG=1 all."""
        step = cases(3, 1)
        with self.standing() as drone:
            names = [f['fault'] for f in drone.get('/v1/faults')[1]['faults']]
            seen, kept = set(), drone.connect()
            kept.close = lambda: None   # thousands of requests, one connection
            for k, first in enumerate(names):
                status = drone.post('/v1/faults', {'fault': first})[0]
                self.assertEqual(status, 200, first)
                for second in names[k % step::step]:
                    if second != first:
                        seen.add(self.both_ways(drone, second, connection=kept)[0])
                drone.ask('DELETE', '/v1/faults')
            self.assertEqual(seen, {200, 409})
            kept.sock.close()
