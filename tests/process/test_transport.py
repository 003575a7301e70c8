# SPDX-License-Identifier: Apache-2.0
"""--transport vehicle: what the wall counts elsewhere is counted in granted time (docs/time.md)."""
import hashlib
import os
import select
import socket
import struct
import tempfile
import time
import unittest

import pytest

import http_client
from drone import TimeDrone, assert_replays, run
from mavlink import (ACCEPTED, ANY, ARM, COMMAND_ACK, GROUND_STATION, HEARTBEAT, LAND, MISSION_COUNT, MISSION_REQUEST,
                     MISSION_REQUEST_INT, REBOOT, REQUEST_MESSAGE, SET_MODE, SET_POSITION_TARGET_LOCAL_NED, STATUSTEXT,
                     SYSTEM_TIME, TAKEOFF, command, frame)
from names import assert_names
from time_socket import S

OFFBOARD, RETURN = 6 << 16, 4 << 16 | 5 << 24    # PX4's custom modes, as HEARTBEAT has them
LOCKSTEP = ('--clock', 'lockstep', '--transport', 'vehicle')


def setpoint():
    return frame(SET_POSITION_TARGET_LOCAL_NED, struct.pack('<I11fHBBB', 0, 0, 0, -10, *[0] * 8, 0xDF8, 1, 1, 1))


def modes(frames):
    return [struct.unpack('<I', (p + bytes(9))[:4])[0] for m, p in frames if m == HEARTBEAT]


class PromptDrone(TimeDrone):
    """What a client sends has arrived before what a controller says after it."""

    def tcp(self, host='127.0.0.1'):
        peer = super().tcp(host)
        peer.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return peer


def settled(time_, peer):
    """What the drone has sent by now, once it has served all that it got."""
    time_.ask('now', 'now')
    return peer.take_everything()


class Bytes:
    """A client that keeps each byte, and knows where an acknowledgement ends its waiting."""

    def __init__(self, peer):
        self.peer, self.data = peer, b''

    def take(self):
        while select.select([self.peer.fd], [], [], 0)[0]:
            self.data += os.read(self.peer.fd, 65536)

    def sent(self, data, time_):
        """Time goes on in steps until the drone has acknowledged it."""
        before = len(self.data)
        self.peer.send(data)
        now = int(time_.ask('now', 'now')['now'])
        self.take()
        while bytes([COMMAND_ACK, 0, 0]) not in self.data[before:]:
            now = time_.at(f'go {now + 10000}')
            self.take()


def flight_bytes(pause_s, *args):
    """All bytes of a flight, from arming to disarming; it pauses once in the air, and once while time stands."""
    with PromptDrone(*LOCKSTEP, *args) as drone:
        time_ = drone.controller()
        time_.at('go 1000000')
        client = Bytes(drone.tcp())
        for number, params, until in ((ARM, (1,), 3), (TAKEOFF, (-1, 0, 0, ANY, ANY, ANY, 498), 9),
                                      (LAND, (0, 0, 0, ANY, ANY, ANY, 0), 30)):
            client.sent(command(number, *params), time_)
            time.sleep(pause_s)
            state = {'at': '0', 'armed': '1'}
            while int(state['at']) < until * S and (number != LAND or state['armed'] == '1'):
                now = int(time_.ask('now', 'now')['now'])
                state = time_.ask(f'go {now + 100000}')
                client.take()
        client.take()
        assert drone.end()[0] == 0
    assert state['armed'] == '0'
    return int(state['at']), hashlib.sha256(client.data).hexdigest(), len(client.data)


class Granted(unittest.TestCase):
    def test_gz09_a_setpoint_stream_that_falls_silent_is_lost_after_its_second(self):
        """GZ-09: COM_OF_LOSS_T is 1 s; without sticks the vehicle returns (COM_OBL_RC_ACT 0 needs a position of sticks)."""
        found = {}
        for transport in 'wall', 'vehicle':
            with PromptDrone('--clock', 'lockstep', '--transport', transport) as drone:
                time_, peer = drone.controller(), drone.client()
                now = int(time_.ask('go 1000000')['at'])
                self.assertEqual(peer.command(ARM, 1), ACCEPTED)
                self.assertEqual(peer.command(TAKEOFF, -1, 0, 0, ANY, ANY, ANY, 498), ACCEPTED)
                now = int(time_.ask(f'go {9 * S}')['at'])
                for step in range(40):
                    peer.send(setpoint())
                    if step == 10:
                        self.assertEqual(peer.command(SET_MODE, 1, 6), ACCEPTED)
                    last = now
                    now = int(time_.ask(f'go {now + 50000}')['at'])
                self.assertEqual(modes(peer.take_everything())[-1], OFFBOARD)
                while now < last + 20 * S and transport not in found:
                    now = time_.at(f'go {now + 1000 if transport == "vehicle" else last + 20 * S}')
                    if RETURN in modes(peer.take_everything()):
                        found[transport] = now - last
        self.assertEqual(found, {'vehicle': S})

    @pytest.mark.long
    def test_pauses_of_the_wall_change_no_byte(self):
        quick, slow = flight_bytes(0.0), flight_bytes(2.5)
        self.assertGreater(quick[2], 10000)
        self.assertEqual(quick, slow)

    def test_gz09_a_delay_is_one_of_vehicle_time(self):
        """GZ-09."""
        for way in 'in', 'out':
            with self.subTest(way=way), PromptDrone(*LOCKSTEP, '--link-quality', f'{way}:delay=200ms') as drone:
                time_ = drone.controller()
                peer = drone.tcp()
                time_.at('go 1234567')
                peer.send(command(REQUEST_MESSAGE, SYSTEM_TIME))
                time.sleep(0.3)  # of the wall, which counts for nothing
                self.assertNotIn(COMMAND_ACK, [m for m, _ in settled(time_, peer)])
                for at, there in ((1434566, False), (1434567, True)):
                    time_.at(f'go {at}')
                    self.assertEqual(COMMAND_ACK in [m for m, _ in settled(time_, peer)], there)

    def test_mission_requests_are_repeated_and_given_up_in_granted_time(self):
        with PromptDrone(*LOCKSTEP, '--profile', 'min') as drone:
            time_, peer = drone.controller(), drone.client()
            time_.at('go 1000000')
            peer.send(frame(MISSION_COUNT, struct.pack('<HBBB', 3, 1, 1, 0)))
            self.assertIsNotNone(peer.expect(MISSION_REQUEST_INT))
            time.sleep(0.6)
            self.assertNotIn(MISSION_REQUEST_INT, [m for m, _ in settled(time_, peer)])
            repeated, texts, now = 0, b'', S
            while b'Operation timeout' not in texts and now < 20 * S:
                now = time_.at(f'go {now + 10000}')
                new = peer.take_everything()
                repeated += sum(m in (MISSION_REQUEST, MISSION_REQUEST_INT) for m, _ in new)
                texts += b''.join(p for m, p in new if m == STATUSTEXT)
            self.assertEqual((now, repeated), (6 * S, 19))  # every 250 ms, for 5 s

    def test_a_udp_peer_is_forgotten_after_ten_granted_seconds(self):
        with PromptDrone(*LOCKSTEP, '--udp', '127.0.0.1:0') as drone:
            time_ = drone.controller()
            peer = drone.udp()
            time_.at('go 500000')
            peer.send(GROUND_STATION)
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            time_.at('go 10499999')
            time.sleep(0.05)
            self.assertFalse([line for line in drone.lines if 'forgotten' in line])
            time_.at('go 60000000')
            drone.wait_for(r'^ *10\.500 .* 10 s')

    def test_a_reboot_goes_on_from_the_present(self):
        with PromptDrone(*LOCKSTEP) as drone:
            time_, peer = drone.controller(), drone.client()
            time_.at('go 90000000')
            self.assertEqual(peer.command(REBOOT, 1), ACCEPTED)
            self.assertEqual(time_.expect('mayfly')['clock'], 'lockstep')
            self.assertEqual(time_.expect('now')['now'], '0')
            self.assertEqual(time_.expect('at')['at'], '0')
            peer.take_everything()
            self.assertEqual(time_.at('go 2000000'), 2 * S)
            self.assertEqual([m for m, _ in peer.take_everything()].count(HEARTBEAT), 2)

    def test_sim042_it_is_replayed_byte_for_byte(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'flight.mfr')
            flight_bytes(0.0, '--record', path, '--link-quality', 'delay=20ms,jitter=10ms')
            assert_replays(self, path)


class Refused(unittest.TestCase):
    def test_clocks_that_nobody_grants(self):
        for clock in 'real', 'x5', 'fast', 'event':
            result = run('--clock', clock, '--transport', 'vehicle')
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, 'mayfly transport vehicle --clock lockstep')

    def test_the_api_leaves_the_clock_as_it_is(self):
        with PromptDrone(*LOCKSTEP, '--api', '0') as drone:
            for mode, status in (('real', 409), ('lockstep', 202)):
                self.assertEqual(http_client.ask(drone.api_port(), 'POST', '/v1/clock', {'mode': mode})[0], status)
