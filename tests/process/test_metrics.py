# SPDX-License-Identifier: Apache-2.0
"""Metrics against what a client counts itself, and their form by promtool (PROMTOOL names it; .ci/run brings one)."""
import contextlib
import os
import re
import select
import shutil
import struct
import subprocess
import time
import unittest

from test_api import ApiDrone
from test_process import COMMAND_LONG, HEARTBEAT, PATIENCE_S, command, frame

PROMTOOL = os.environ.get('PROMTOOL') or shutil.which('promtool')
REBOOT, ARM, TAKEOFF, LAND = 246, 400, 22, 21
# What Prometheus is to see of a drone, each with a label that it must have, or none.
ASKED_FOR = [('mayfly_frames_received_total', ''), ('mayfly_frames_sent_total', ''), ('mayfly_frames_rejected_total', 'reason'),
             ('mayfly_link_queue_bytes', 'link'), ('mayfly_link_lost_frames_total', 'link'),
             ('mayfly_link_quality_effects_total', 'effect'), ('mayfly_commands_total', 'result'), ('mayfly_mode', 'mode'),
             ('mayfly_landed_state', 'state'), ('mayfly_vehicle_time_seconds', ''), ('mayfly_wall_time_seconds', ''),
             ('mayfly_overruns_total', ''), ('mayfly_clock_rate', ''), ('mayfly_clock_lost_seconds_total', 'reason'),
             ('mayfly_faults_active', 'fault'), ('mayfly_passes_total', ''),
             ('process_resident_memory_bytes', '')]


def metrics(drone):
    """{series: value}, and the text."""
    status, text = drone.get('/metrics')
    assert status == 200
    found = {}
    for line in text.splitlines():
        if not line.startswith('#'):
            series, value = line.rsplit(' ', 1)
            assert series not in found, line
            found[series] = float(value)
    return found, text


def counters(text):
    return set(re.findall(r'^# TYPE (\S+) counter$', text, re.M))


def is_counter(series, names):
    return series.split('{')[0] in names


def long_command(number, *params, seq=0):
    return frame(COMMAND_LONG, struct.pack('<7fHBBB', *(list(params) + [0.0] * 7)[:7], number, 1, 1, 0), seq)


def held(drone):
    """Time stands: what is sent now is only the HEARTBEAT of each second."""
    drone.post('/v1/clock', {'action': 'hold'})


def everything_sent(drone, peers):
    """Metrics, and the frames that each peer has got up to then: none comes between."""
    counts = [0] * len(peers)
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        before, _ = metrics(drone)
        while any(select.select([p.fd], [], [], 0.1)[0] and (p.frames.feed(os.read(p.fd, 65536)) or True) for p in peers):
            pass
        for i, peer in enumerate(peers):
            counts[i] += len(peer.frames.found)
            peer.frames.found.clear()
        after, _ = metrics(drone)
        sent = [k for k in after if k.startswith('mayfly_link_sent_frames_total')]
        if all(before.get(k) == after[k] for k in sent):
            return after, counts
    raise AssertionError('something is sent all the time')


class Counts(unittest.TestCase):
    def test_frames_are_those_that_a_client_counts(self):
        with ApiDrone('--clock', 'x20') as drone:
            peers = [drone.tcp(), drone.tcp()]
            beat = frame(HEARTBEAT, struct.pack('<IBBBBB', 0, 6, 8, 0, 0, 3))
            bad = bytearray(beat)
            bad[-1] ^= 1
            peers[0].send(beat + frame(HEARTBEAT, struct.pack('<IBBBBB', 0, 6, 8, 0, 0, 3), seq=4))  # 3 are missing
            peers[0].send(b'rubbish' + long_command(2000, seq=5) + long_command(2001, seq=6) + bytes(bad))
            peers[1].send(beat + long_command(ARM, 1.0, seq=1))
            time.sleep(0.5)
            held(drone)
            found, counts = everything_sent(drone, peers)
            link = {i: next(k for k in found if k.startswith(f'mayfly_link_sent_frames_total{{link="{i}"')) for i in (0, 1)}
            self.assertEqual([int(found[link[i]]) for i in (0, 1)], counts)
            self.assertGreater(counts[0], 100)
            self.assertEqual(found['mayfly_frames_sent_total'], sum(counts) - found['mayfly_frames_forwarded_total'])
            self.assertEqual(found['mayfly_frames_received_total'], 6)
            self.assertEqual(found['mayfly_frames_lost_total'], 3)
            self.assertEqual(found['mayfly_frames_rejected_total{reason="bad_crc"}'], 1)
            self.assertEqual(found['mayfly_received_garbage_bytes_total'], 7 + len(bad))
            self.assertEqual(found['mayfly_commands_total{result="unsupported"}'], 2)
            self.assertEqual(found['mayfly_commands_total{result="accepted"}'], 1)
            self.assertEqual(found['mayfly_armed'], 1)
            with open(f'/proc/{drone.process.pid}/statm', encoding='ascii') as f:
                pages = int(f.read().split()[1])
            self.assertAlmostEqual(found['process_resident_memory_bytes'] / (pages * os.sysconf('SC_PAGESIZE')), 1, delta=0.05)
            for peer in peers:
                peer.close()

    def test_quality_is_what_a_client_sees_of_it(self):
        with ApiDrone('--clock', 'x20', '--link-quality', 'in:loss=30%,out:loss=20%,out:duplicate=10%') as drone:
            peer = drone.tcp()
            for n in range(50):
                peer.send(command(2000 + n) + b'stray')
            time.sleep(0.5)
            held(drone)
            found, (count,) = everything_sent(drone, [peer])
            quality = drone.get('/v1/links')[1]['links'][0]['quality']
            way = quality['out']
            self.assertGreater(min(way['lost'], way['duplicated']), 0)
            self.assertEqual(way['frames'] - way['lost'] + way['duplicated'], count)
            way = quality['in']
            self.assertEqual((way['frames'], way['stray'], way['under_way_bytes']), (50, 250, 0))
            self.assertEqual(found['mayfly_frames_received_total'], 50 - way['lost'])
            for name, way in quality.items():
                for key, value in way.items():
                    series = [v for k, v in found.items() if f'way="{name}"' in k
                              and (f'effect="{key}"' in k or re.match(rf'mayfly_link_quality_{key}(_bytes)?(_total)?{{', k))]
                    self.assertEqual([int(v) for v in series], [value], (name, key))
            peer.close()

    def test_counters_never_go_down_but_at_a_restart(self):
        with ApiDrone('--clock', 'x50', '--link-quality', 'loss=5%,delay=2ms') as drone:
            seen = {}
            stays = drone.tcp()

            def look():
                found, text = metrics(drone)
                names = counters(text)
                for series, value in found.items():
                    if is_counter(series, names):
                        self.assertGreaterEqual(value, seen.get(series, 0), series)
                        seen[series] = value
            for turn in range(8):
                with contextlib.closing(drone.tcp()) as peer:
                    peer.send(b'x' * turn + long_command(ARM, float(turn % 2)) + command(2000))
                    drone.post('/v1/faults', {'fault': 'gps_off'})
                    look()
                    drone.ask('DELETE', '/v1/faults')
                    look()
            total = seen['mayfly_frames_sent_total']
            self.assertGreater(total, 0)
            drone.post('/v1/clock', {'rate': 1})
            for _ in range(10):  # the way in loses some
                stays.send(long_command(ARM, 0.0, 21196.0) + long_command(REBOOT, 1.0))
            drone.wait_for('reboot')
            found, _ = metrics(drone)
            self.assertLess(found['mayfly_frames_sent_total'], total)
            stays.close()


class Form(unittest.TestCase):
    def test_promtool_has_nothing_to_say(self):
        """In flight, with faults, and on links with a quality."""
        with ApiDrone('--clock', 'x20', '--faults', 'gps_satellites=9,wind=5:90', '--link-quality', 'out:loss=5%,delay=1ms,'
                      'reorder=2%,duplicate=2%,corrupt=1%') as drone:
            peers = [drone.tcp() for _ in range(3)]
            nan = float('nan')
            peers[0].send(long_command(ARM, 1.0) + long_command(TAKEOFF, 0, 0, 0, nan, nan, nan, 520.0))
            end = time.monotonic() + PATIENCE_S
            while drone.get('/v1/vehicle')[1]['landed_state'] != 'in_air':
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)
            found, text = metrics(drone)
            for name, label in ASKED_FOR:
                self.assertTrue([k for k in found if re.match(rf'{name}({{.*\b{label}=|$)', k)], (name, label))
            self.assertEqual(found['mayfly_faults_active{fault="wind"}'], 1)
            self.assertEqual(found['mayfly_landed_state{state="in_air"}'], 1)
            for peer in peers:
                peer.close()
        if PROMTOOL is None:
            self.skipTest('promtool is not here: the form of the metrics was not looked at (sh ci/promtool.sh FILE brings it)')
        check = subprocess.run([PROMTOOL, 'check', 'metrics'], input=text, text=True, capture_output=True, check=False)
        self.assertEqual((check.returncode, check.stdout + check.stderr), (0, ''))
