# SPDX-License-Identifier: Apache-2.0
"""Protocol misbehaviour (docs/misbehaviour.md) as clients meet it over real sockets, and its ways in: flag, environment, file and
control API. MAYFLY, FLY and REPLAY's folder BUILD name the binaries."""
import json
import os
import tempfile
import unittest

import pytest

from drone import ApiDrone, Drone, assert_replays, run
from mavlink import (ACCEPTED, ARM, AUTOPILOT_VERSION, DENIED, HEARTBEAT, IN_PROGRESS, MISSION_ACK, MISSION_ITEM_INT,
                     MISSION_REQUEST_INT, PARAM_VALUE, REJECTED, REQUEST_MESSAGE, TAKEOFF, command, frame, param_name,
                     read_param, split)
from mission_client import MissionClient, waypoint
from names import assert_names


class Ground(unittest.TestCase):
    """What fly says of a vehicle that misbehaves."""

    def fly(self, rule, *args):
        with Drone('--tcp', '0', '--clock', 'fast', '--misbehave', rule) as drone:
            return drone.fly(*args)

    @pytest.mark.long
    def test_its_patience_holds_for_transfers_too(self):
        for rule in 'mission_upload_timeout=2', 'mission_download_timeout=2':
            flown = self.fly(rule, '--timeout', '2')
            self.assertEqual(flown.returncode, 1)
            assert_names(flown.stderr + flown.stdout, '--timeout')

    @pytest.mark.long
    def test_a_refusal_that_may_be_an_echo_is_told_in_the_end(self):
        flown = self.fly('mission_upload_refused=1', '--timeout', '3')
        assert_names(flown.stderr + flown.stdout, 'error')


class Ways(unittest.TestCase):
    """Whichever way a rule comes, the same happens."""

    def denied(self, *args, **more):
        with Drone('--tcp', '0', *args, **more) as drone:
            peer = drone.tcp()
            self.assertEqual(peer.command(TAKEOFF), DENIED)
            self.assertEqual(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION), ACCEPTED)

    def test_sim046_flag_environment_and_file_are_alike(self):
        rule = 'command_denied(takeoff),param_lost(MPC_XY_CRUISE)*2@1s+1m'
        self.denied('--misbehave', rule)
        self.denied(env={'MAYFLY_MISBEHAVE': rule})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'drone.yaml')
            with open(path, 'w', encoding='utf-8') as f:
                f.write('misbehave:\n  - command_denied(takeoff)\n  - param_lost(MPC_XY_CRUISE)*2@1s+1m\n')
            self.denied('--config', path)
            printed = [line for line in run('--config', path, '--print-config').stdout.splitlines() if 'misbehave' in line]
            self.assertEqual(printed, ['misbehave: ["command_denied(NAV_TAKEOFF)", '
                                       '"param_lost(MPC_XY_CRUISE)*2@1s+1min"]'])
            with open(path, 'w', encoding='utf-8') as f:
                f.write(printed[0] + '\n')
            self.denied('--config', path)
            self.assertIn('misbehave: []', run('--config', path, '--misbehave', 'none', '--print-config').stdout)

    def test_wrong_ones_are_refused_with_their_place(self):
        for rule, what in {
                'command_denid': 'command_denid command_denied',
                'command_denied(takof)': 'command_denied takof MAV_CMD takeoff',
                'ftp_error=x': 'ftp_error x ERROR 1 10'}.items():
            refused = run(env={'MAYFLY_MISBEHAVE': rule})
            self.assertEqual(refused.returncode, 2)
            assert_names(refused.stderr, f'mayfly MAYFLY_MISBEHAVE {what}')

    def test_sim046_the_api_adds_counts_and_ends_rules(self):
        with ApiDrone() as drone:
            peer = drone.tcp()
            self.assertEqual(peer.command(TAKEOFF, 1.0), ACCEPTED)
            status, answer = drone.post('/v1/misbehaviour', {'rule': 'command_rejected(request)*2'})
            self.assertEqual(status, 200)
            self.assertEqual(answer['rules'], [{'id': 1, 'name': 'command_rejected', 'active': True, 'fired': 0,
                                                'rule': 'command_rejected(REQUEST_MESSAGE)*2'}])
            self.assertIn('command_late', [known['name'] for known in answer['known']])
            self.assertEqual([peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION) for _ in range(3)], [REJECTED, REJECTED, ACCEPTED])
            rule, = drone.get('/v1/misbehaviour')[1]['rules']
            self.assertEqual((rule['fired'], rule['active']), (2, False))
            for rule in 'command_denied(request)', 'command_denied(arm)', 'command_stalled':
                drone.post('/v1/misbehaviour', {'rule': rule})
            self.assertEqual(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION), DENIED)
            self.assertEqual(peer.command(12345), IN_PROGRESS)
            status, answer = drone.ask('DELETE', '/v1/misbehaviour/command_denied')
            self.assertEqual([rule['id'] for rule in answer['rules']], [1, 4])
            status, answer = drone.ask('DELETE', '/v1/misbehaviour/1')
            self.assertEqual([rule['id'] for rule in answer['rules']], [4])
            self.assertEqual(drone.ask('DELETE', '/v1/misbehaviour/1')[0], 404)
            self.assertEqual(drone.ask('DELETE', '/v1/misbehaviour/nonsense')[0], 404)
            self.assertEqual(drone.ask('DELETE', '/v1/misbehaviour')[1]['rules'], [])
            self.assertEqual(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION), ACCEPTED)
            assert_names(str(drone.post('/v1/misbehaviour', {'rule': 'ftp_lost*0'})), '422 error ftp_lost 0 1 1000000')
            self.assertEqual(drone.post('/v1/misbehaviour', {})[0], 422)


class Clients(unittest.TestCase):
    def test_a_late_answer_is_overtaken_under_every_clock(self):
        for clock in 'real', 'fast', 'event':
            with self.subTest(clock=clock), Drone('--tcp', '0', '--clock', clock, '--misbehave', 'command_late(arm)=500ms') as drone:
                peer = drone.tcp()
                peer.send(command(ARM, 1.0) + command(REQUEST_MESSAGE, AUTOPILOT_VERSION))
                self.assertEqual(peer.ack(REQUEST_MESSAGE), ACCEPTED)
                self.assertEqual(peer.ack(ARM), ACCEPTED)

    def test_datagrams_and_parameters(self):
        with Drone('--udp', '127.0.0.1:0', '--misbehave', 'param_lost(MPC_XY_CRUISE),command_ignored(arm)*1',
                   base=['--udp-out', 'none', '--tcp', 'none']) as drone:
            peer = drone.udp()
            read = read_param('MPC_XY_CRUISE')
            peer.send(read + command(REQUEST_MESSAGE, AUTOPILOT_VERSION))   # one datagram
            self.assertEqual(peer.ack(REQUEST_MESSAGE), ACCEPTED)
            peer.send(read)
            self.assertEqual(peer.expect(PARAM_VALUE)[8:24], param_name('MPC_XY_CRUISE'))
            peer.send(command(ARM, 1.0))
            peer.send(command(ARM, 1.0) + command(REQUEST_MESSAGE, AUTOPILOT_VERSION))
            self.assertEqual(peer.ack(ARM), ACCEPTED)

    def test_requests_are_taken_and_nothing_comes(self):
        with Drone('--tcp', '0', '--misbehave', 'request_unanswered,message_silence(HEARTBEAT)@1h') as drone:
            peer = drone.tcp()
            self.assertEqual(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION), ACCEPTED)
            self.assertEqual(peer.command(TAKEOFF), ACCEPTED)
            self.assertNotIn(AUTOPILOT_VERSION, [found for found, _ in peer.frames.found])
            self.assertIsNotNone(peer.expect(HEARTBEAT))

    def test_numbers_have_no_gaps(self):
        with Drone('--tcp', '0', '--misbehave', 'message_silence(ATTITUDE),command_unsupported') as drone:
            peer = drone.tcp()
            data = b''
            while len(data) < 5000:
                if len(data) % 2 == 0:
                    peer.send(command(ARM, 1.0))
                data += peer.sock.recv(4096)
            numbers = [one[4] for one in split(data, strict=True)[0]]
            self.assertGreater(len(numbers), 100)
            self.assertEqual(numbers[1:], [(n + 1) % 256 for n in numbers[:-1]])


class Missions(unittest.TestCase):
    def upload(self, rule):
        """What our own client makes of it, and the drone's items afterwards."""
        with Drone('--tcp', '0', '--misbehave', rule) as drone:
            done = drone.fly('--upload', '--json')
            items = len(drone.opened(MissionClient(drone.port())).download())
        return done, items

    def test_sim046_what_is_lost_or_out_of_order_arrives_at_last(self):
        for rule in ('mission_upload_lost=2', 'mission_upload_repeated=2', 'mission_upload_reordered=1', 'mission_ack_lost',
                     'mission_download_lost=1', 'mission_download_repeated=1', 'mission_download_reordered=1'):
            with self.subTest(rule=rule):
                done, items = self.upload(rule)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)['result'], 'uploaded')
                self.assertGreater(items, 2)

    def test_sim046_a_refusal_ends_the_upload(self):
        items = [waypoint(seq) for seq in range(4)]
        with Drone('--tcp', '0', '--misbehave', 'mission_upload_refused=2*1,mission_download_refused(fence)') as drone:
            client = drone.opened(MissionClient(drone.port()))
            self.assertEqual(client.upload(items), 1)    # ERROR
            self.assertEqual(client.download(), [])
            self.assertEqual(client.upload(items), 0)
            self.assertEqual(len(client.download()), 4)

    @pytest.mark.long
    def test_sim046_a_client_that_comes_again_is_served(self):
        """An upload that hangs leaves nothing behind: neither half a plan nor a drone that is busy."""
        items = [waypoint(seq) for seq in range(4)]
        with Drone('--tcp', '0', '--misbehave', 'mission_upload_timeout=2*1') as drone:
            first, second = drone.opened(MissionClient(drone.port())), drone.opened(MissionClient(drone.port()))
            first.begin_upload(4)
            first.send(b''.join(frame(MISSION_ITEM_INT, item) for item in items[:2]))
            heard = [first.next(HEARTBEAT, MISSION_REQUEST_INT, MISSION_ACK)[0] for _ in range(5)]
            self.assertEqual(heard[-2:], [HEARTBEAT, HEARTBEAT])     # it asks four times a second
            self.assertEqual(second.download(), [])
            self.assertEqual(second.upload(items), 0)
            self.assertEqual(len(first.download()), 4)


class Recordings(unittest.TestCase):
    def test_sim042_a_recording_needs_no_rules(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'flight.mfr')
            rules = 'command_rejected(arm)*1,param_refused,mission_upload_reordered=1,message_silence(ATTITUDE)'
            with Drone('--tcp', '0', '--record', path, '--clock', 'fast', '--misbehave', rules) as drone:
                client = drone.opened(MissionClient(drone.port()))
                self.assertEqual(client.upload([waypoint(seq) for seq in range(4)]), 0)
                peer = drone.tcp()
                self.assertEqual([peer.command(ARM, 1.0) for _ in range(2)], [REJECTED, ACCEPTED])
                self.assertEqual(drone.end()[0], 0)
            assert_replays(self, path)
