# SPDX-License-Identifier: Apache-2.0
"""The time socket as test authors see it (docs/time.md): lockstep, barriers on every clock, controllers that come and go."""
import hashlib
import os
import random
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import pytest

from drone import PATIENCE_S, Drone, TimeDrone, assert_replays, run
from mavlink import (ACCEPTED, ANY, ARM, BARRIER, COMMAND_ACK, GLOBAL_POSITION_INT, HEARTBEAT, HOLD, IN_PROGRESS, LAND, REBOOT,
                     REPOSITION, REQUEST_MESSAGE, RUN, STATUSTEXT, SYSTEM_TIME, TAKEOFF, command)
from names import assert_names
from paths import TOP
from time_socket import S, TimeController
from waiting import wait_until


def fly(drone, pause, steps):
    """From arming to disarming, stepped by grants. Returns the telemetry and when it ended."""
    time_, peer = drone.controller(), drone.client()
    seen, now = [], 0

    def sent(data, number):
        peer.send(data)
        while True:
            assert select.select([peer.fd], [], [], PATIENCE_S)[0]
            new = peer.take_everything()
            seen.extend(new)
            if any(m == COMMAND_ACK and p[0] | p[1] << 8 == number for m, p in new):
                return

    def go(to, until_landed=False):
        nonlocal now
        while now < to:
            now = min(to, now + next(steps))
            state = time_.ask(f'go {now}')
            assert int(state['at']) == now
            seen.extend(peer.take_everything())
            pause()
            if until_landed and state['armed'] == '0':
                break
        return now

    assert peer.command(BARRIER, HOLD) == ACCEPTED  # MAVLink's barriers and grants go together
    assert peer.command(BARRIER, 0) == ACCEPTED
    go(2 * S)
    sent(command(ARM, 1), ARM)
    sent(command(TAKEOFF, -1, 0, 0, ANY, ANY, ANY, 498), TAKEOFF)
    go(9 * S)
    sent(command(REPOSITION, -1, 1, 0, ANY, 47.398, 8.5459, 500), REPOSITION)
    go(12 * S)
    sent(command(LAND, 0, 0, 0, ANY, ANY, ANY, 0), LAND)
    ended = time_.ask('event')
    while ended['armed'] == '1':
        seen.extend(peer.take_everything())
        pause()
        ended = time_.ask('event')
    seen.extend(peer.take_everything())
    return [(m, p) for m, p in seen if m != HEARTBEAT], int(ended['at'])


class Lockstep(unittest.TestCase):
    def test_lockstep_needs_somebody_who_grants_time(self):
        for args in (['--clock', 'lockstep'], ['--clock', 'lockstep', '--time-socket', '5', '--time-socket', 'none']):
            result = run(*args)
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, 'lockstep --time-socket PORT --time-server HOST:PORT --api PORT')
        assert_names(run('--time-socket', 'x').stderr, '--time-socket x [HOST:]PORT')
        self.assertEqual(run('--time-server', '5', env={}).returncode, 2)
        self.assertEqual(run('--print-config', env={'MAYFLY_CLOCK': 'lockstep',
                                                    'MAYFLY_TIME_SERVER': 'localhost:5'}).returncode, 0)

    def test_sim042_grants_alone_decide_the_flight(self):
        dice = random.Random(1)
        runs = ((lambda: None, lambda: 100000), (lambda: time.sleep(dice.uniform(0, 0.004)), lambda: 100000),
                (lambda: time.sleep(0.001), lambda: 250000), (lambda: None, lambda: dice.randrange(1, 400000)))
        results = []
        for pause, step in runs:
            with TimeDrone('--clock', 'lockstep') as drone:
                telemetry, ended = fly(drone, pause, iter(step, None))
            kinds = [m for m, _ in telemetry]
            self.assertGreater(kinds.count(GLOBAL_POSITION_INT), 150)
            texts = b''.join(p for m, p in telemetry if m == STATUSTEXT)
            for text in (b'Takeoff detected', b'Landing detected', b'Disarmed'):
                self.assertIn(text, texts)
            digest = hashlib.sha256()
            for m, p in telemetry:
                digest.update(struct.pack('<IB', m, len(p)) + p)
            results.append((ended, len(telemetry), digest.hexdigest()))
        self.assertEqual(len(set(results)), 1, results)

    def test_whoever_watches_is_told_the_truth(self):
        with TimeDrone('--clock', 'lockstep', '--home', '47.5,8.25,500,90') as drone:
            time_of, other = drone.controller(), drone.controller()
            home = {'lat': '47.500000000', 'lon': '8.250000000', 'alt': '500.0000', 'vn': '0.0000', 've': '0.0000', 'vd': '0.0000', 'yaw': '1.570796'}
            self.assertEqual({k: v for k, v in time_of.ask('watch', 'now').items() if k in home}, home)
            peer = drone.client()
            time_of.at('go 10000000')
            self.assertEqual(peer.command(ARM, 1, 21196), ACCEPTED)
            self.assertEqual(peer.command(TAKEOFF, ANY, 0, 0, ANY, ANY, ANY, 510), ACCEPTED)
            climbing = time_of.ask('go 13000000')
            self.assertLess(float(climbing['vd']), -0.5)
            self.assertEqual((climbing['lat'], climbing['lon']), (home['lat'], home['lon']))
            self.assertAlmostEqual(float(time_of.ask('go 40000000')['alt']), 510, delta=0.01)
            self.assertNotIn('lat', other.ask('now', 'now'))    # who did not ask is told what it always was

    @pytest.mark.long
    def test_time_stands_without_a_grant_and_the_drone_answers_all_the_same(self):
        with TimeDrone('--clock', 'lockstep') as drone:
            peer = drone.client()
            for _ in range(3):
                self.assertEqual(peer.command(REQUEST_MESSAGE, 33), ACCEPTED)
                self.assertIsNotNone(peer.expect(HEARTBEAT))
            time_ = drone.controller()
            self.assertEqual(time_.hello, 'mayfly 1 sysid 1 clock lockstep')
            first = dict(time_.first)
            self.assertGreater(int(first.pop('in')), 40)  # a client, its HEARTBEAT and three commands
            self.assertGreater(int(first.pop('out')), 100)
            self.assertEqual(first, {'now': '0', 'next': '100000', 'events': '0', 'armed': '0', 'landed': '1'})
            self.assertEqual(time_.at('hold'), 0)
            self.assertTrue(time_.quiet())

    def test_what_was_sent_before_a_grant_is_served_before_it(self):
        with TimeDrone('--clock', 'lockstep', '--profile', 'min') as drone:
            time_, peer = drone.controller(), drone.client()
            for i in range(300):
                peer.send(command(REQUEST_MESSAGE, SYSTEM_TIME))
                time_.say(f'go {(i + 1) * 1000}')
                answer = peer.expect(SYSTEM_TIME)
                self.assertEqual(struct.unpack('<I', (answer + bytes(12))[8:12])[0], i)
                self.assertEqual(time_.expect('at')['at'], str((i + 1) * 1000))

    def test_the_vehicle_says_when_its_wish_changes(self):
        with TimeDrone('--clock', 'lockstep', '--profile', 'min') as drone:
            time_ = drone.controller()
            self.assertEqual(time_.first['next'], 'never')
            self.assertEqual(time_.ask('go 2000000')['next'], 'never')
            peer = drone.client()
            self.assertRegex(time_.line(), r'^next \d+$')
            peer.close()

    def test_a_controller_that_goes_leaves_time_standing(self):
        with TimeDrone('--clock', 'lockstep') as drone:
            peer, time_ = drone.client(), drone.controller()
            time_.say('go 900000000000')
            time_.close()
            other = drone.controller()
            stood = other.at('hold')
            other.ask('leave', 'now')
            self.assertEqual(peer.command(ARM, 1), ACCEPTED)
            self.assertEqual(other.at('hold'), stood)
            self.assertEqual(other.at(f'go {stood + S}'), stood + S)
            self.assertEqual(drone.end()[0], 0)

    def test_mavlink_barriers_work_along(self):
        with TimeDrone('--clock', 'lockstep') as drone:
            peer, time_ = drone.client(), drone.controller()
            self.assertEqual(time_.at('go 1000000'), S)
            self.assertEqual(peer.command(BARRIER, RUN, 0.5), IN_PROGRESS)
            time_.say('go 3000000')
            self.assertEqual(peer.ack(BARRIER), ACCEPTED)
            self.assertTrue(time_.quiet())  # it stands at 1.5 s: the client's barrier is the stricter one
            self.assertEqual(time_.ask('now', 'now')['now'], '1500000')
            self.assertEqual(peer.command(BARRIER, 0), ACCEPTED)
            self.assertEqual(time_.expect('at')['at'], '3000000')

    def test_start_connect_waits_for_a_client_too(self):
        with TimeDrone('--clock', 'lockstep', '--start', 'connect') as drone:
            time_ = drone.controller()
            time_.say('go 1000000')
            self.assertTrue(time_.quiet())
            drone.client()
            self.assertEqual(time_.expect('at')['at'], '1000000')

    def test_reboot_begins_anew(self):
        with TimeDrone('--clock', 'lockstep') as drone:
            peer, time_, watcher = drone.client(), drone.controller(), drone.controller()
            self.assertEqual(time_.at('go 1000000'), S)
            time_.say('go 5000000')
            time_.expect('at')
            peer.send(command(REBOOT, 1))
            self.assertEqual(' '.join(time_.expect('mayfly').values()), '1 1 lockstep')
            self.assertEqual(time_.expect('now')['now'], '0')
            self.assertEqual(time_.expect('at')['at'], '0')
            self.assertEqual(watcher.line(), 'mayfly 1 sysid 1 clock lockstep')
            self.assertEqual(time_.at('go 100000'), 100000)

    def test_sim042_a_lockstep_flight_is_replayed_byte_for_byte(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'flight.mfr')
            with TimeDrone('--clock', 'lockstep', '--record', path) as drone:
                fly(drone, lambda: None, iter(lambda: 130000, None))
                drone.end()
            assert_replays(self, path)


class Barriers(unittest.TestCase):
    def test_hold_go_event_leave_on_every_clock(self):
        for clock in ('real', 'x20', 'fast', 'event', 'lockstep'):
            with self.subTest(clock=clock), TimeDrone('--clock', clock) as drone:
                time_, peer = drone.controller(), drone.client()
                stood = time_.at('hold')
                self.assertEqual(peer.command(ARM, 1), ACCEPTED)
                self.assertEqual(peer.command(TAKEOFF, -1, 0, 0, ANY, ANY, ANY, 490), ACCEPTED)
                self.assertEqual(time_.at('hold'), stood)
                begun = (stood // 100000 + 1) * 100000
                self.assertEqual(time_.at(f'go {begun + 333333}'), begun + 333333)
                climbing = time_.ask('hold')
                self.assertEqual((climbing['armed'], climbing['landed']), ('1', '0'))
                reached = time_.ask('event')
                self.assertGreater(int(reached['events']), int(climbing['events']))
                self.assertLess(int(reached['at']), begun + 4 * S)
                self.assertIn(GLOBAL_POSITION_INT, [m for m, _ in peer.take_everything()])
                left = time_.ask('leave', 'now')
                self.assertGreaterEqual(int(left['now']), int(reached['at']))
                if clock != 'lockstep':
                    wait_until(lambda: int(time_.ask('now', 'now')['now']) != int(left['now']), 'time goes on')

    def test_a_run_ends_though_the_vehicle_wants_nothing(self):
        with TimeDrone('--clock', 'real') as drone:
            time_ = drone.controller()
            stood = time_.ask('hold')
            self.assertEqual(stood['next'], 'never')
            self.assertEqual(time_.at(f'go {int(stood["at"]) + 30000}'), int(stood['at']) + 30000)

    def test_sim038_an_hour_on_the_ground_is_not_waited_for(self):
        for clock in 'fast', 'event':
            with self.subTest(clock=clock), TimeDrone('--clock', clock) as drone:
                controller = drone.controller()
                controller.ask('hold')
                self.assertEqual(controller.at('go 3600000000'), 3600000000)

    def test_a_controller_that_goes_holds_nothing(self):
        with TimeDrone('--clock', 'x20') as drone:
            first, second = drone.controller(), drone.controller()
            stood = first.at('hold')
            first.close()
            wait_until(lambda: int(second.ask('now', 'now')['now']) > stood, 'time goes on')

    def test_the_strictest_of_several_counts(self):
        with TimeDrone('--clock', 'lockstep') as drone:
            a, b, c, d = (drone.controller() for _ in range(4))
            b.at('hold')  # takes part from now on
            a.say('go 3000000')
            self.assertTrue(a.quiet())
            b.say('go 2000000')
            self.assertEqual(b.expect('at')['at'], '2000000')
            self.assertTrue(a.quiet())
            c.ask('hold')
            b.ask('leave', 'now')
            self.assertTrue(a.quiet())
            c.close()
            self.assertEqual(a.expect('at')['at'], '3000000')
            self.assertTrue(d.quiet())  # who says nothing has no part in it
            c = drone.controller()
            with self.assertRaises((AssertionError, ConnectionError)):
                drone.controller()  # a fifth is turned away
            a.close()
            wait_until(drone.controller, 'the drone notices that there is room', errors=(AssertionError, ConnectionError))

    def test_bad_lines_change_nothing(self):
        allowed, times = 'leave hold go T event now watch', '1000000000000000 us'
        bad = {
            '': f"'' {allowed}",
            'GO 5': f"'GO 5' {allowed}",
            'until 5': f"'until 5' {allowed}",
            ' hold': f"' hold' {allowed}",
            'go': f"go '' 0 {times}",
            'go -1': f"go '-1' 0 {times}",
            'go  7': f"go ' 7' 0 {times}",
            'go 1e6': f"go '1e6' 0 {times}",
            'go 1000000000000001': f"go '1000000000000001' 0 {times}",
            'go 99999999999999999999999999999999': f"go '999999999999999999999999' 0 {times}",
            'go 999': f'go 999 1000 {times}',
            'hold on': 'hold',
            'a\0\xff\x1b[2J': f"'a???[2J' {allowed}",
            'x' * 5000: '63',
        }
        with TimeDrone('--clock', 'lockstep') as drone:
            time_, other = drone.controller(), drone.controller()
            self.assertEqual(time_.at('go 1000'), 1000)
            other.at('hold')
            time_.say('go 5000')
            for line, error in bad.items():
                assert_names(time_.ask(line, 'error'), error)
            self.assertTrue(time_.quiet())
            other.ask('leave', 'now')
            self.assertEqual(time_.expect('at')['at'], '5000')
            time_.sock.sendall(b'ho')
            time.sleep(0.02)
            time_.sock.sendall(b'ld\r\nnow\ngo 60')
            self.assertEqual(time_.expect('at')['at'], '5000')
            self.assertEqual(time_.expect('now')['now'], '5000')
            time_.sock.sendall(b'00\nnow\n')
            self.assertEqual(time_.expect('at')['at'], '6000')
            time_.expect('now')
            self.assertTrue(time_.quiet())

    def test_who_does_not_read_is_let_go(self):
        with TimeDrone('--clock', 'lockstep') as drone:
            deaf, other = drone.controller(), drone.controller()
            deaf.at('hold')
            deaf.sock.settimeout(0.5)
            with self.assertRaises(OSError):
                for _ in range(20000):
                    deaf.sock.sendall(b'?\n' * 1000)
            self.assertEqual(other.at('go 1000000'), S)
            drone.wait_for(r'\bdropped\b')


class Example(unittest.TestCase):
    def test_the_example_of_the_page_runs(self):
        with open(os.path.join(TOP, 'docs', 'time.md'), encoding='utf-8') as page:
            code = re.search(r'```python\n(.*?)```', page.read(), re.DOTALL)[1]
        with TimeDrone('--clock', 'lockstep') as drone:
            result = subprocess.run([sys.executable, '-S', '-E', '-c', code, str(drone.time_port())], capture_output=True, text=True,
                                    timeout=PATIENCE_S, check=False)
            self.assertEqual((result.stderr, result.stdout),
                             ('', 'drone 1 stands at 60000000 and next wants to run at never\n'))


class Server(unittest.TestCase):
    def test_one_server_steps_several_drones_and_comes_back(self):
        with socket.create_server(('127.0.0.1', 0)) as server:
            port = server.getsockname()[1]
            address = f'127.0.0.1:{port}'
            args = ('--tcp', '0', '--clock', 'lockstep', '--time-server', address)
            with Drone(*args, '--instance', '0') as a, Drone(*args, '--instance', '1') as b:
                server.settimeout(PATIENCE_S)
                drones = [TimeController(server.accept()[0]) for _ in range(2)]
                self.assertEqual({c.hello for c in drones}, {f'mayfly 1 sysid {i} clock lockstep' for i in (1, 2)})
                for i in range(1, 6):
                    for c in drones:
                        c.say(f'go {i * S}')
                    self.assertEqual([c.expect('at')['at'] for c in drones], [str(i * S)] * 2)
                for c in drones:
                    c.close()
                drones = [TimeController(server.accept()[0]) for _ in range(2)]
                self.assertEqual([c.first['now'] for c in drones], [str(5 * S)] * 2)
                for c in drones:
                    c.close()
                self.assertEqual([d.end()[0] for d in (a, b)], [0, 0])
