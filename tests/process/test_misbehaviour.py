# SPDX-License-Identifier: Apache-2.0
"""Protocol misbehaviour (docs/misbehaviour.md) as clients meet it over real sockets, and its ways in: flag, environment, file and
control API. MAYFLY, FLY and REPLAY's folder BUILD name the binaries."""
import json
import os
import struct
import subprocess
import tempfile
import unittest

import pytest

from test_api import ApiDrone
from test_mission import ACK, COUNT, FLY, ITEM_INT, REQUEST_INT, Client, frame as mission_frame, waypoint
from test_process import (AUTOPILOT_VERSION, HEARTBEAT, PARAM_REQUEST_READ, PARAM_VALUE, Drone, command, frame, param_name,
                          run)

REPLAY = os.path.abspath(os.path.join(os.environ.get('BUILD', 'build'), 'replay'))
ARM, TAKEOFF, REQUEST, FTP = 400, 22, 512, 110
ACCEPTED, REJECTED, DENIED, IN_PROGRESS = 0, 1, 2, 5


def ask(peer, number, param1=0.0):
    peer.send(command(number, param1))
    return peer.ack(number)


class Ground(unittest.TestCase):
    """What fly says of a vehicle that misbehaves."""

    def fly(self, rule, *args):
        with Drone('--tcp', '0', '--clock', 'fast', '--misbehave', rule) as drone:
            return subprocess.run([FLY, f'tcp:127.0.0.1:{drone.port("tcp")}', *args], capture_output=True, text=True, timeout=60)

    @pytest.mark.long
    def test_its_patience_holds_for_transfers_too(self):
        for rule in 'mission_upload_timeout=2', 'mission_download_timeout=2':
            flown = self.fly(rule, '--timeout', '2')
            self.assertEqual(flown.returncode, 1)
            self.assertIn('not done in time (--timeout)', flown.stderr + flown.stdout)

    @pytest.mark.long
    def test_a_refusal_that_may_be_an_echo_is_told_in_the_end(self):
        flown = self.fly('mission_upload_refused=1', '--timeout', '3')
        self.assertIn('the vehicle answers error', flown.stderr + flown.stdout)


class Ways(unittest.TestCase):
    """Whichever way a rule comes, the same happens."""

    def denied(self, *args, **more):
        with Drone('--tcp', '0', *args, **more) as drone:
            peer = drone.tcp()
            self.assertEqual(ask(peer, TAKEOFF), DENIED)
            self.assertEqual(ask(peer, REQUEST, AUTOPILOT_VERSION), ACCEPTED)
            peer.close()

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
                'command_denid': "rule 'command_denid' is not known, did you mean command_denied?",
                'command_denied(takof)': "command_denied: 'takof' is no MAV_CMD that is known by name, did you mean takeoff?",
                'ftp_error=x': "ftp_error: 'x' is no ERROR, allowed: 1 .. 10"}.items():
            refused = run(env={'MAYFLY_MISBEHAVE': rule})
            self.assertEqual((refused.returncode, refused.stderr), (2, f'mayfly: MAYFLY_MISBEHAVE: {what}\n'))

    def test_sim046_the_api_adds_counts_and_ends_rules(self):
        with ApiDrone() as drone:
            peer = drone.tcp()
            self.assertEqual(ask(peer, TAKEOFF, 1.0), ACCEPTED)
            status, answer = drone.post('/v1/misbehaviour', {'rule': 'command_rejected(request)*2'})
            self.assertEqual(status, 200)
            self.assertEqual(answer['rules'], [{'id': 1, 'name': 'command_rejected', 'active': True, 'fired': 0,
                                                'rule': 'command_rejected(REQUEST_MESSAGE)*2'}])
            self.assertIn('command_late', [known['name'] for known in answer['known']])
            self.assertEqual([ask(peer, REQUEST, AUTOPILOT_VERSION) for _ in range(3)], [REJECTED, REJECTED, ACCEPTED])
            rule, = drone.get('/v1/misbehaviour')[1]['rules']
            self.assertEqual((rule['fired'], rule['active']), (2, False))
            for rule in 'command_denied(request)', 'command_denied(arm)', 'command_stalled':
                drone.post('/v1/misbehaviour', {'rule': rule})
            self.assertEqual(ask(peer, REQUEST, AUTOPILOT_VERSION), DENIED)
            self.assertEqual(ask(peer, 12345), IN_PROGRESS)
            status, answer = drone.ask('DELETE', '/v1/misbehaviour/command_denied')
            self.assertEqual([rule['id'] for rule in answer['rules']], [1, 4])
            status, answer = drone.ask('DELETE', '/v1/misbehaviour/1')
            self.assertEqual([rule['id'] for rule in answer['rules']], [4])
            self.assertEqual(drone.ask('DELETE', '/v1/misbehaviour/1')[0], 404)
            self.assertEqual(drone.ask('DELETE', '/v1/misbehaviour/nonsense')[0], 404)
            self.assertEqual(drone.ask('DELETE', '/v1/misbehaviour')[1]['rules'], [])
            self.assertEqual(ask(peer, REQUEST, AUTOPILOT_VERSION), ACCEPTED)
            self.assertEqual(drone.post('/v1/misbehaviour', {'rule': 'ftp_lost*0'}),
                             (422, {'error': "ftp_lost: '0' is no number of times, allowed: 1 .. 1000000"}))
            self.assertEqual(drone.post('/v1/misbehaviour', {})[0], 422)
            peer.close()


class Clients(unittest.TestCase):
    def test_a_late_answer_is_overtaken_under_every_clock(self):
        for clock in 'real', 'fast', 'event':
            with self.subTest(clock=clock), Drone('--tcp', '0', '--clock', clock, '--misbehave', 'command_late(arm)=500ms') as drone:
                peer = drone.tcp()
                peer.send(command(ARM, 1.0) + command(REQUEST, AUTOPILOT_VERSION))
                self.assertEqual(peer.ack(REQUEST), ACCEPTED)
                self.assertEqual(peer.ack(ARM), ACCEPTED)
                peer.close()

    def test_datagrams_and_parameters(self):
        with Drone('--udp', '127.0.0.1:0', '--misbehave', 'param_lost(MPC_XY_CRUISE),command_ignored(arm)*1',
                   base=['--udp-out', 'none', '--tcp', 'none']) as drone:
            peer = drone.udp()
            read = frame(PARAM_REQUEST_READ, struct.pack('<hBB', -1, 1, 1) + param_name('MPC_XY_CRUISE'))
            peer.send(read + command(REQUEST, AUTOPILOT_VERSION))   # one datagram
            self.assertEqual(peer.ack(REQUEST), ACCEPTED)
            peer.send(read)
            value = peer.expect(PARAM_VALUE)
            self.assertEqual(value[8:24].rstrip(b'\0'), b'MPC_XY_CRUISE')
            peer.send(command(ARM, 1.0))
            peer.send(command(ARM, 1.0) + command(REQUEST, AUTOPILOT_VERSION))
            self.assertEqual(peer.ack(ARM), ACCEPTED)
            peer.close()

    def test_requests_are_taken_and_nothing_comes(self):
        with Drone('--tcp', '0', '--misbehave', 'request_unanswered,message_silence(HEARTBEAT)@1h') as drone:
            peer = drone.tcp()
            self.assertEqual(ask(peer, REQUEST, AUTOPILOT_VERSION), ACCEPTED)
            self.assertEqual(ask(peer, TAKEOFF), ACCEPTED)
            self.assertNotIn(AUTOPILOT_VERSION, [found for found, _ in peer.frames.found])
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            peer.close()

    def test_numbers_have_no_gaps(self):
        with Drone('--tcp', '0', '--misbehave', 'message_silence(ATTITUDE),command_unsupported') as drone:
            peer = drone.tcp()
            data = b''
            while len(data) < 5000:
                if len(data) % 2 == 0:
                    peer.send(command(ARM, 1.0))
                data += peer.sock.recv(4096)
            numbers = []
            while len(data) >= 12 and len(data) >= data[1] + 12:
                self.assertEqual(data[0], 0xFD)
                numbers.append(data[4])
                data = data[data[1] + 12:]
            self.assertGreater(len(numbers), 100)
            self.assertEqual(numbers[1:], [(n + 1) % 256 for n in numbers[:-1]])
            peer.close()


class Missions(unittest.TestCase):
    def upload(self, rule):
        """What our own client makes of it, and the drone's items afterwards."""
        with Drone('--tcp', '0', '--misbehave', rule) as drone:
            done = subprocess.run([FLY, '--upload', '--json', f'tcp:127.0.0.1:{drone.port()}'], capture_output=True, text=True,
                                  timeout=60, check=False)
            client = Client(drone.port())
            items = len(client.download())
            client.close()
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
        items = [mission_frame(ITEM_INT, waypoint(seq)) for seq in range(4)]
        with Drone('--tcp', '0', '--misbehave', 'mission_upload_refused=2*1,mission_download_refused(fence)') as drone:
            client = Client(drone.port())
            self.assertEqual(client.upload(items), 1)    # ERROR
            self.assertEqual(client.download(), [])
            self.assertEqual(client.upload(items), 0)
            self.assertEqual(len(client.download()), 4)
            client.close()

    @pytest.mark.long
    def test_sim046_a_client_that_comes_again_is_served(self):
        """An upload that hangs leaves nothing behind: neither half a plan nor a drone that is busy."""
        items = [mission_frame(ITEM_INT, waypoint(seq)) for seq in range(4)]
        with Drone('--tcp', '0', '--misbehave', 'mission_upload_timeout=2*1') as drone:
            first, second = Client(drone.port()), Client(drone.port())
            first.sock.sendall(mission_frame(COUNT, struct.pack('<HBBB', 4, 1, 1, 0)) + items[0] + items[1])
            heard = [first.next(HEARTBEAT, REQUEST_INT, ACK)[0] for _ in range(5)]
            self.assertEqual(heard[-2:], [HEARTBEAT, HEARTBEAT])     # it asks four times a second
            self.assertEqual(second.download(), [])
            self.assertEqual(second.upload(items), 0)
            self.assertEqual(len(first.download()), 4)
            first.close()
            second.close()


class Recordings(unittest.TestCase):
    def test_sim042_a_recording_needs_no_rules(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'flight.mfr')
            rules = 'command_rejected(arm)*1,param_refused,mission_upload_reordered=1,message_silence(ATTITUDE)'
            with Drone('--tcp', '0', '--record', path, '--clock', 'fast', '--misbehave', rules) as drone:
                client = Client(drone.port())
                self.assertEqual(client.upload([mission_frame(ITEM_INT, waypoint(seq)) for seq in range(4)]), 0)
                client.close()
                peer = drone.tcp()
                self.assertEqual([ask(peer, ARM, 1.0) for _ in range(2)], [REJECTED, ACCEPTED])
                peer.close()
                self.assertEqual(drone.end()[0], 0)
            replayed = subprocess.run([REPLAY, path], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
