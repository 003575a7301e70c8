# SPDX-License-Identifier: Apache-2.0
"""build/mayfly-body, a quadrotor with motors for autopilots that speak ArduPilot's JSON interface."""
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import unittest

import pytest

from autopilot import Autopilot
from body import BODY, RATE, STILL, Body, packet
from folder_case import FolderCase
from names import assert_names, one
from ports import free_port


def distance(state, target):
    return math.dist(state['position'], target)


class Interface(unittest.TestCase):
    def test_an_answer_is_what_ardupilot_scans(self):
        with Body() as body:
            data = body.ask(packet(1, STILL))
        self.assertTrue(data.startswith(b'\n{"timestamp":0.004') and data.endswith(b'}\n'), data)
        self.assertNotIn(b' ', data)
        state = json.loads(data)
        self.assertEqual(state['imu'], {'gyro': [0, 0, 0], 'accel_body': [0, 0, -9.80665]})
        self.assertEqual(state['position'], [0, 0, 0])
        self.assertEqual(state['quaternion'], [1, 0, 0, 0])
        self.assertEqual(state['velocity'], [0, 0, 0])

    def test_the_command_of_an_autopilot_is_printed(self):
        """An ArduCopter without --home is in Canberra, and without --serial0 it waits for a client; instance N has port 9002 + 10 N."""
        ports = iter(free_port, None)
        for last, instance in ((2, '-I%d '), (5, '')):
            port = next(port for port in ports if port % 10 == last)
            with Body('--port', str(port), '--yaw', '90') as body:
                command = instance % ((port - 9002) / 10) if instance else ''
                self.assertIn(f':{port} ', body.said)
                self.assertIn(f'arducopter --model JSON:127.0.0.1 {command}--home 47.397742,8.545594,488,90 --serial0 tcp:0\n', body.said)

    def test_golden_bytes_of_the_autopilot(self):
        golden = bytes.fromhex('1a48' 'fa00' '07000000' + 'dc05' * 4 + 'e803' * 12)
        self.assertEqual(packet(7, [1500] * 4 + [1000] * 12), golden)
        with Body() as body:
            self.assertEqual(json.loads(body.ask(golden))['timestamp'], 0.004)
            wide = struct.pack('<HHI32H', 29569, RATE, 8, *STILL, *STILL)
            self.assertEqual(json.loads(body.ask(wide))['timestamp'], 0.008)

    def test_gz20_a_frame_that_comes_again_is_answered_and_not_stepped(self):
        """GZ-20."""
        with Body() as body:
            for frame in range(1, 400):
                data = body.ask(packet(frame, [1700] * 16))
            self.assertLess(json.loads(data)['position'][2], -0.5)
            self.assertEqual(body.ask(packet(399, [1700] * 16)), data)
            self.assertNotEqual(body.ask(packet(400, [1700] * 16)), data)

    def test_an_autopilot_that_begins_anew_finds_the_body_at_its_start(self):
        with Body() as body:
            first = body.ask(packet(0, [1700] * 16))
            for frame in range(1, 400):
                body.ask(packet(frame, [1700] * 16))
            self.assertEqual(body.ask(packet(0, [1700] * 16)), first)
        self.assertIn('1 restarts', body.said)

    def test_what_is_no_packet_is_refused_and_counted(self):
        with Body() as body:
            for wrong in (b'', b'hello', packet(1, STILL)[:-1], packet(1, STILL) + b'x', packet(1, STILL, magic=1),
                          packet(1, STILL, rate=0), packet(1, STILL, rate=10), packet(1, STILL, rate=20000)):
                body.socket.send(wrong)
            self.assertEqual(body.step()['timestamp'], 0.004)
            said = body.end()
        assert_names(said, '40 18458')
        assert_names(said, '8 datagrams refused')

    def test_wrong_options(self):
        for args, why in ((['--wind', '3'], '--wind --bind'), (['--mass', '0'], '--mass 0.1 100 0'), (['--mass'], '--mass'),
                          (['--bind', 'here'], '--bind IPv4 here'), (['fly'], 'fly'), (['--wind-sped', '3'], '--wind-sped --wind-speed')):
            done = subprocess.run([BODY, *args], capture_output=True, text=True, timeout=20, check=False)
            assert_names(done.stderr, why)
            self.assertIn(done.returncode, (1, 2))
        with Body() as body:
            done = subprocess.run([BODY, '--port', str(body.port)], capture_output=True, text=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 1)
            assert_names(done.stderr, f'{body.port} --instance --port')


class Flight(FolderCase):
    @pytest.mark.long
    def test_gz20_take_off_a_square_and_a_landing_within_half_a_metre(self):
        """GZ-20: by JSON"""
        pilot = Autopilot()
        with Body() as body:
            state = body.fly(pilot, 1, body.step())
            pilot.on = True
            for corner in ((0, 0, -4), (5, 0, -4), (5, 5, -4), (0, 5, -4), (0, 0, -4)):
                pilot.target = corner
                state = body.fly(pilot, 5, state)
                self.assertLess(distance(state, corner), 0.5)
            pilot.target = (0, 0, 3)
            state = body.fly(pilot, 5, state)
            pilot.on = False
            state = body.fly(pilot, 1, state)
        self.assertLess(distance(state, (0, 0, 0)), 0.5)
        self.assertEqual(state['velocity'], [0, 0, 0])
        self.assertEqual(state['imu']['accel_body'], [0, 0, -9.80665])

    def hold(self, seconds, *args):
        """The greatest distance from a place in the air for some time, and the trace."""
        pilot = Autopilot()
        worst = 0.0

        def look(state):
            nonlocal worst
            worst = max(worst, distance(state, pilot.target))
        trace = self.path('trace')
        with Body('--trace', trace, '--wind-speed', '8', '--wind-direction', '240', '--wind-gusts', '1.5',
                  '--noise-gyro', '0.01', '--noise-accel', '0.1', *args) as body:
            pilot.on, pilot.target = True, (0, 0, -4)
            state = body.fly(pilot, min(8, seconds), body.step())
            body.fly(pilot, seconds - 8, state, look)
            body.end()
        return worst, self.bytes('trace')

    @pytest.mark.long
    def test_gz20_wind_of_8_mps_moves_the_hovering_body_by_less_than_a_metre(self):
        worst, trace = self.hold(18)
        self.assertLess(worst, 1.0)
        self.assertGreater(worst, 0.01)
        self.assertTrue(trace.startswith(self.hold(5)[1]))
        other = self.hold(3, '--seed', '2')[1]
        self.assertFalse(trace.startswith(other))


class Ticks(FolderCase):
    """gzuav's ticks: BEGIN-TICK-AC is 23 doubles, END-TICK-AC 19 floats."""

    def begin_body(self, *args):
        self.body = self.enterContext(Body('--ac', self.path('ac'), '--ac-rate', str(RATE), *args))
        assert_names(self.body.said, one(self.path('ac')))

    def connect(self, name=b'copter'):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        link.settimeout(20)
        link.connect(self.path('ac'))
        link.send(name)
        self.addCleanup(link.close)
        return link

    @staticmethod
    def begin(link):
        data = link.recv(1024)
        assert len(data) == 184
        return struct.unpack('<23d', data)

    @pytest.mark.long
    def test_gz20_the_reference_autopilot_flies_a_square_over_ticks(self):
        """GZ-20."""
        self.begin_body()
        link, pilot = self.connect(), Autopilot()
        pilot.on = True

        def fly(seconds):
            for _ in range(int(seconds * RATE)):
                t = self.begin(link)
                state = {'imu': {'gyro': t[4:7], 'accel_body': t[7:10]}, 'quaternion': t[10:14], 'velocity': t[14:17], 'position': t[17:20]}
                self.assertEqual(t[1:4], (t[18], t[17], -t[19]))  # the same place, east, north, up
                motors = [(us - 1000) / 1000 for us in pilot.pulses(state, 1 / RATE)]
                link.send(struct.pack('<16f3f', *motors, *[0.0] * (16 - len(motors)), 0, 0, 0))
            return t
        for corner in ((0, 0, -2), (2, 0, -2), (2, 2, -2), (0, 0, -2)):
            pilot.target = corner
            last = fly(3)
            self.assertLess(math.dist(last[17:20], corner), 0.5)
        self.assertAlmostEqual(last[0], 12 - 1 / RATE, places=6)

    def test_the_socket_of_a_body_that_lives_is_refused_and_a_stale_one_replaced(self):
        self.begin_body()
        second = subprocess.run([BODY, '--ac', self.path('ac')], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(second.returncode, 1)
        assert_names(second.stderr, f"{one(self.path('ac'))} another program")
        self.assertEqual(self.begin(self.connect())[0], 0.0)
        self.body.end(signal.SIGKILL)
        self.assertTrue(os.path.exists(self.path('ac')))
        self.begin_body()
        self.assertEqual(self.begin(self.connect())[0], 0.0)
        os.unlink(self.path('ac'))
        self.write('ac', 'notes')
        self.body.end()
        self.assertTrue(os.path.exists(self.path('ac')))

    def test_free_fall_begins_anew_for_each_autopilot_and_wrong_packets_end_one(self):
        self.begin_body()
        for bad in (b'x' * 75, struct.pack('<19f', 1.5, *[0.0] * 18), struct.pack('<19f', math.nan, *[0.0] * 18)):
            link = self.connect(b'bad')
            first = self.begin(link)
            self.assertEqual(first[0], 0.0)
            self.assertAlmostEqual(first[9], -9.80665)  # it stands on the ground: specific force upwards
            link.send(struct.pack('<19f', *[0.0] * 19))
            self.assertAlmostEqual(self.begin(link)[0], 1 / RATE)
            link.send(bad)
            self.assertEqual(link.recv(1024), b'')
        said = self.body.end()
        self.assertEqual(said.count("'bad'"), 6)     # each comes and goes
        assert_names(said, "'bad' 76 'bad'")
        self.assertEqual(len(re.findall(r'\bmotor\b.*\b0\b.*\b1\b', said)), 2)
        self.assertFalse(os.path.exists(self.path('ac')))
