# SPDX-License-Identifier: Apache-2.0
"""Record and replay as users see them (SIM-042): build/mayfly --record, build/fly, build/replay, build/conform."""
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

import pytest

from drone import PATIENCE_S, QUIET, Drone, run
from http_client import everything
from mavlink import (ARM, AUTOPILOT_VERSION, COMMAND_LONG, GLOBAL_POSITION_INT, GROUND_STATION, HEARTBEAT, MISSION_ITEM_INT,
                     MISSION_ITEM_REACHED, MISSION_START, PARAM_VALUE, REBOOT, REQUEST_MESSAGE, TAKEOFF, WAYPOINT, command,
                     encode, frame, set_param, split)
from mission_client import ITEM, LAT, LON, MissionClient, item
from names import assert_names, one
from paths import CONFORM, REPLAY, TOP
from recordings import (BOOT, CLOCK, END, IN, JUMP, OUT, SAVED, SETTING, STORED, RecordedCase, record, recording, records,
                        replay, telemetry_log)

SESSIONS = os.path.join(TOP, 'tests', 'conform')
LOG_ENTRY, LOG_DATA, STORAGE_INFORMATION = 118, 120, 261


class Recorded(RecordedCase):
    @pytest.mark.long
    def test_sim042_a_flight_is_replayed_byte_for_byte_on_every_clock(self):
        for clock, motion in (('fast', 'constant'), ('event', 'constant'), ('x50', 'constant'), ('fast', 'physics'),
                              ('event', 'physics')):
            with self.subTest(clock=clock, motion=motion):
                self.fly('--clock', clock, '--motion', motion)
                self.replays()
                kinds = self.kinds()
                self.assertEqual(kinds[-1], END)
                self.assertEqual(JUMP in kinds, clock == 'event')

    def test_sim042_all_settings_are_in_the_recording(self):
        self.fly('--clock', 'fast', '--home', '-89.5,179.99999,-3.5,211', '--geoid', 'constant:-21.7', '--sysid', '42',
                 '--instance', '77', '--param', 'MPC_XY_CRUISE=17.3', '--param', 'RTL_RETURN_ALT=45', '--px4-strict',
                 '--faults', 'gps_off@20s+1s', '--gnss-warmup', '0.4', '--gnss-satellites', '13', '--epoch', '2026-03-01',
                 '--battery-voltage', '15.123', '--battery-remaining', '66.6', '--battery-current', '3.25',
                 '--stream', 'ATTITUDE=7', '--udp-out', '127.0.0.1:9', '--start-grid', '0', '--accel', '62.5', '--audit')
        self.replays()
        text = self.settings()
        for line in ('home.lat=-89.5', 'sysid=42', 'uid=0x4d4159460000004e', 'param.MPC_XY_CRUISE=17.300000000000001',
                     'fault=gps_off@20s+1s', 'px4_strict=1', 'audit=1', 'start_grid_us=0', 'motion=constant',
                     'accel=62.5'):
            self.assertIn(line, text)

    @pytest.mark.long
    def test_sim043_sim042_disturbances_are_replayed(self):
        for clock in ('fast', 'event'):
            with self.subTest(clock=clock):
                self.fly('--clock', clock, '--seed', '9', '--wind-speed', '6', '--wind-direction', '200', '--wind-gusts',
                         '2', '--gnss-noise', '0.5', '--gnss-drift', '1.5', '--battery-capacity', '900', '--instance', '3',
                         '--home-spread', '20')
                self.replays()
                text = self.settings()
                for line in ('seed=9', 'wind.gusts=2', 'gnss.drift_time=60', 'battery.capacity=900'):
                    self.assertIn(line, text)
                self.assertTrue(any(line.startswith('home.lon=8.54585893') for line in text), text)  # 20 m east of home

    def test_sim042_what_the_store_held_is_in_the_recording(self):
        state = self.path('state')
        os.mkdir(state)
        self.fly('--clock', 'fast', '--state', state)
        with Drone('--state', state, '--record', self.flight) as drone:
            peer = drone.tcp()
            peer.expect(HEARTBEAT)
            peer.send(set_param('RTL_RETURN_ALT', 31.5))
            self.assertIsNotNone(peer.expect(PARAM_VALUE))
            self.assertEqual(peer.command(REQUEST_MESSAGE, AUTOPILOT_VERSION), 0)
            time.sleep(0.3)
            drone.end()
        kinds = self.kinds()
        self.assertGreater(kinds.count(STORED), 3)  # the mission
        self.assertIn(SAVED, kinds)
        self.replays()

    def test_sim042_flight_logs_are_replayed_without_their_files(self):
        state = self.path('state')
        os.mkdir(state)
        self.fly('--clock', 'fast', '--state', state)
        self.replays()
        logs = [os.path.join(f, n) for f, _, names in os.walk(os.path.join(state, 'log')) for n in names]
        self.assertEqual(len(logs), 1)
        with Drone('--state', state, '--record', self.flight) as drone:
            peer = drone.tcp()
            peer.expect(HEARTBEAT)
            peer.send(command(REQUEST_MESSAGE, STORAGE_INFORMATION))
            total, used, free = struct.unpack_from('<3f', peer.expect(STORAGE_INFORMATION), 4)
            self.assertTrue(0 < free <= total)
            self.assertAlmostEqual(used, total - free, delta=total * 2**-22)        # of three rounded floats
            peer.send(encode('LOG_REQUEST_LIST', 0, last=65535, system=1, component=1))
            time_utc, size, number, count, _ = struct.unpack('<IIHHH', peer.expect(LOG_ENTRY).ljust(14, b'\0'))
            self.assertEqual((number, count, size), (0, 1, os.path.getsize(logs[0])))
            name = time.strftime('%Y-%m-%d/%H_%M_%S.ulg', time.gmtime(time_utc))
            self.assertTrue(logs[0].endswith(name))
            peer.send(encode('LOG_REQUEST_DATA', 0, count=180, system=1, component=1))
            with open(logs[0], 'rb') as f:
                for _ in range(2):
                    self.assertEqual(peer.expect(LOG_DATA)[7:].ljust(90, b'\0'), f.read(90))
            drone.end()
        shutil.rmtree(state)
        self.replays()

    def test_sim042_clients_that_come_and_go_and_a_reboot(self):
        with Drone('--udp', '0', '--record', self.flight, base=['--udp-out', 'none']) as drone:
            first, second = drone.tcp(), drone.udp()
            first.expect(HEARTBEAT)
            second.send(GROUND_STATION)
            second.expect(HEARTBEAT)
            first.send(b'\xfd\xff garbage' + command(ARM, 1) + os.urandom(3000))
            self.assertEqual(first.ack(ARM), 0)
            first.close()
            third = drone.tcp()
            third.expect(HEARTBEAT)
            self.assertEqual(third.command(ARM, 0), 0)
            third.send(command(REBOOT, 1))
            drone.wait_for('reboot')
            third.send(command(REQUEST_MESSAGE, AUTOPILOT_VERSION))
            time.sleep(0.3)
            drone.end()
        kinds = self.kinds()
        self.assertEqual(kinds.count(BOOT), 2)
        self.replays()

    def test_sim042_a_killed_drone_leaves_a_recording(self):
        self.fly('--clock', 'fast', end=signal.SIGKILL)
        kinds = self.kinds()
        self.assertNotEqual(kinds[-1], END)
        result = self.replays()
        assert_names(result.stderr, one(self.flight))
        whole = self.recorded()
        for n in (len(whole) - 1, len(whole) // 2 + 1, len(whole) // 3):
            self.write(self.flight, whole[:n])
            self.replays()

    def test_sim042_the_first_difference_is_found(self):
        """One bit of one field of one frame in the middle of a flight."""
        self.fly('--clock', 'fast')
        out, changed, vehicle_us = [], None, 0
        for kind, payload in records(self.recorded()):
            if kind == CLOCK:
                vehicle_us = struct.unpack_from('<q', payload)[0]
            # the link, the header of 10 bytes, time_boot_ms, lat
            if kind == OUT and payload[2 + 7] == GLOBAL_POSITION_INT and vehicle_us > 5000000 and changed is None:
                lat = struct.unpack_from('<i', payload, 2 + 10 + 4)[0]
                payload = payload[:16] + struct.pack('<i', lat ^ 4) + payload[20:]
                changed = lat, vehicle_us
            out.append((kind, payload))
        self.write(self.flight, recording(out))
        result = replay(self.flight)
        self.assertEqual(result.returncode, 1, result.stderr)
        lat, at_us = changed
        assert_names(result.stdout, f'{at_us / 1e6:.6f} 14 GLOBAL_POSITION_INT lat {lat ^ 4} {lat}')

    def test_inputs_that_were_changed_are_found_by_their_effect(self):
        self.fly('--clock', 'fast')
        out, removed = [], False
        for kind, payload in records(self.recorded()):
            if kind == IN and payload[2 + 7] == COMMAND_LONG and not removed:
                removed = True
                continue
            out.append((kind, payload))
        self.assertTrue(removed)
        self.write(self.flight, recording(out))
        result = replay(self.flight)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r'record \d+')

    @pytest.mark.long
    def test_damaged_and_foreign_files_are_named(self):
        self.fly('--clock', 'fast')
        whole = self.recorded()
        middle = len(whole) // 2
        for data, why in ((whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:], 'record'),
                          (b'', 'recording'), (b'hello world', 'recording'), (whole[:8], 'vehicle'),
                          (whole[:4] + b'\x07' + whole[5:], '7 1'),
                          (whole[:6] + b'\x01' + whole[7:], '6 7 0'),
                          (whole[:7] + b'\x80' + whole[8:], '6 7 0'),
                          (whole[:8] + record(99, b''), 'record 1 byte 8')):
            self.write(self.flight, data)
            for args in ([self.flight], ['--tlog', self.path('x.tlog'), self.flight],
                         ['--serve', '127.0.0.1:0', self.flight]):
                result = replay(*args)
                self.refused_in_one_line(result, why)
        for data, why in ((whole[:8] + record(SETTING, b'wings=2') + whole[8:], 'wings=2'),
                          (whole[:8] + record(SETTING, b'geoid=egm84 ' + b'0' * 64) + whole[8:], 'egm84')):
            self.write(self.flight, data)
            self.refused_in_one_line(replay(self.flight), why)
        self.assertEqual(replay('/nosuch.mfr').returncode, 2)
        self.assertEqual(replay().returncode, 2)
        self.assertEqual(replay('--speed', '-1', self.flight).returncode, 2)
        self.write(self.flight, whole)
        for port in ('65536', '-1', '', '5760x'):
            result = replay('--serve', '127.0.0.1:' + port, self.flight)
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, f'--serve port {port} 0 65535')
        result = replay('--link', '7', '--tlog', self.path('x.tlog'), self.flight)
        self.assertEqual(result.returncode, 2)
        assert_names(result.stderr, f'{one(self.flight)} link 7')

    def refused_in_one_line(self, result, why):
        self.assertEqual(result.returncode, 2, (result.stdout, result.stderr))
        self.assertEqual(result.stdout, '')
        self.assertEqual(result.stderr.count('\n'), 1, result.stderr)
        assert_names(result.stderr, f'{one(self.flight)} {why}')

    @pytest.mark.long
    def test_a_byte_that_was_flipped_anywhere_is_told_in_one_line(self):
        """Of the header each, of the records one in some thousand: never equal, unless its end is lost with it."""
        self.fly('--clock', 'fast')
        whole = self.recorded()
        for at in [*range(8), *range(8, len(whole), len(whole) // 15 + 1)]:
            with self.subTest(at=at):
                self.write(self.flight, whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
                result = replay(self.flight)
                if 'cut short' in result.stderr:    # a length that reaches beyond the end: what is before it is used
                    self.assertEqual(result.stderr.count('\n'), 1)
                else:
                    self.refused_in_one_line(result, '')

    def upload_and_fly(self):
        """Take-off and two waypoints, by hand: items that a test may change."""
        items = [item(0, TAKEOFF, LAT, LON, 5.0), item(1, WAYPOINT, LAT + 2000, LON, 5.0), item(2, WAYPOINT, LAT + 2000, LON + 4000, 5.0)]
        with Drone('--record', self.flight, '--clock', 'fast') as drone:
            client = drone.opened(MissionClient(drone.port()))
            self.assertEqual(client.upload(items), 0)
            client.send(command(MISSION_START))
            while client.next(MISSION_ITEM_REACHED)[1][:2] != struct.pack('<H', 2):
                pass
            drone.end()

    def test_sim042_a_mission_item_that_was_changed_is_named(self):
        """The drone's first different byte is a checksum, which says nothing; then it flies elsewhere on the way to item 2."""
        self.upload_and_fly()
        changed = []
        for kind, payload in records(self.recorded()):
            if kind == IN and payload[2 + 7] == MISSION_ITEM_INT and struct.unpack_from('<H', payload, 2 + 10 + 28)[0] == 2:
                fields = list(ITEM.unpack(payload[12:12 + payload[3]].ljust(ITEM.size, b'\0')))
                fields[5] += 1000     # y
                payload = payload[:2] + frame(MISSION_ITEM_INT, ITEM.pack(*fields))
            changed.append((kind, payload))
        path = self.write('changed.mfr', recording(changed))
        result = replay(path)
        self.assertEqual((result.returncode, result.stderr), (1, ''))
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), 3, result.stdout)
        self.assertRegex(lines[1], r'\d+ .*\bMISSION_ACK\b.*\bopaque_id\b.* \d+.* \d+$')
        self.assertRegex(lines[2], r'record \d+\b.* \d+\.\d+ s\b.* 2\b.* \d+ .*\b[A-Z_]+\b')
        # both recordings have what came in: there the item itself differs
        result = replay('--compare', path, self.flight)
        self.assertEqual((result.returncode, result.stderr), (1, ''))
        assert_names(result.stdout, 'MISSION_ITEM_INT seq 2 y 85459940 85460940')

    def test_a_telemetry_log_holds_both_directions_in_order(self):
        self.fly('--clock', 'fast', '--epoch', '1700000000')
        result = replay('--tlog', self.path('flight.tlog'), self.flight)
        self.assertEqual(result.returncode, 0, result.stderr)
        log = list(telemetry_log(self.bytes('flight.tlog')))
        times = [t for t, _ in log]
        self.assertEqual(times, sorted(times))
        self.assertEqual({sent[0] for _, sent in log}, {0xFD})
        self.assertGreater(len(log), 1000)
        self.assertEqual(len({sent[5] for _, sent in log}), 2)
        self.assertTrue(1700000020 < times[-1] / 1e6 < 1700000200, times[-1])

    def test_a_recording_is_served_as_a_vehicle(self):
        self.fly('--clock', 'fast')
        inputs = [struct.unpack_from('<H', p)[0] for kind, p in records(self.recorded()) if kind == IN]
        recorded = b''.join(p[2:] for kind, p in records(self.recorded()) if kind == OUT and p[:2] == struct.pack('<H', inputs[0]))
        server = subprocess.Popen([REPLAY, '--serve', '127.0.0.1:0', '--speed', '100', '--once', self.flight],
                                  stderr=subprocess.PIPE, text=True)
        with server:
            port = int(re.search(r':(\d+)$', server.stderr.readline())[1])
            start = time.monotonic()
            with socket.create_connection(('127.0.0.1', port), PATIENCE_S) as client:
                client.sendall(command(ARM, 1))
                got = everything(client)
            took = time.monotonic() - start
            self.assertEqual(server.wait(PATIENCE_S), 0)
        self.assertEqual(got, recorded)
        self.assertGreater(len(split(got)[0]), 500)
        self.assertGreater(took, 0.15)  # more than 20 s of flight, a hundred times as fast

    def test_a_file_that_cannot_be_written(self):
        result = run(*QUIET, '--tcp', '0', '--record', '/nosuch/flight.mfr')
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, 'mayfly: --record: /nosuch/flight.mfr: No such file or directory\n')

        result = run(*QUIET, '--tcp', '0', '--record', '/dev/full')
        self.assertEqual(result.stderr, 'mayfly: --record: /dev/full: No space left on device\n')

    def test_a_disk_that_fills_up_does_not_end_the_flight(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

        with Drone('--record', self.flight, preexec_fn=limit) as drone:
            peer = drone.tcp()
            drone.wait_for(r'\brecord +ERROR\b')
            self.assertIsNotNone(peer.expect(HEARTBEAT))
            self.assertEqual(drone.end()[0], 0)
        self.replays()


class Sessions(unittest.TestCase):
    """Sessions of tests/conform; `make determinism` compares them across builds."""

    @pytest.mark.long
    def test_sim042_each_session_replays_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in sorted(os.listdir(SESSIONS)):
                if not name.endswith('.txt'):
                    continue
                first, again = os.path.join(folder, 'first'), os.path.join(folder, 'again')
                lines = [subprocess.run([CONFORM, '--out', to, of], capture_output=True, text=True, timeout=60,
                                        check=True).stdout
                         for to, of in ((first, os.path.join(SESSIONS, name)), (again, first))]
                self.assertRegex(lines[0], r'^[0-9a-f]{64}  \d+ frames, \d+ bytes, [0-9.]+ s\n$')
                self.assertEqual(lines[0], lines[1])
                with open(first, 'rb') as a, open(again, 'rb') as b:
                    self.assertEqual(a.read(), b.read())

    def test_conform_says_once_where_a_recording_is_damaged(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.mfr')
            subprocess.run([CONFORM, '--out', path, '-'], input='boot\nopen 0 sim\nrun 1\n', text=True, timeout=60, check=True,
                           capture_output=True)
            with open(path, 'r+b') as f:
                f.seek(-8, os.SEEK_END)
                byte = f.read(1)
                f.seek(-1, os.SEEK_CUR)
                f.write(bytes([byte[0] ^ 1]))
            result = subprocess.run([CONFORM, path], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((result.returncode, result.stdout), (2, ''))
            self.assertRegex(result.stderr, r'\Aconform: record \d+ [^\n]*\d+[^\n]*\n\Z')

    def test_conform_names_the_line(self):
        result = subprocess.run([CONFORM, '-'], input='boot\nopen 0 sim\nsend 0 HEARTBEAT typ=3\n', capture_output=True,
                                text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 2)
        assert_names(result.stderr, '3 HEARTBEAT typ')
