# SPDX-License-Identifier: Apache-2.0
"""Metrics against what a client counts itself, and their form by promtool (PROMTOOL names it; .ci/run brings one)."""
import contextlib
import os
import re
import select
import time
import unittest

from drone import ApiDrone
from mavlink import ANY, ARM, GROUND_STATION, REBOOT, TAKEOFF, command, content, frame
from programs import NO_PROMTOOL, PROMTOOL, assert_metrics_are_good
from waiting import wait_until

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


def held(drone):
    """Time stands: what is sent now is only the HEARTBEAT of each second."""
    drone.post('/v1/clock', {'action': 'hold'})


def everything_sent(drone, peers):
    """Metrics, and the frames that each peer has got up to then: none comes between."""
    counts = [0] * len(peers)

    def look():
        before, _ = metrics(drone)
        while select.select([p.fd for p in peers], [], [], 0.1)[0]:
            for i, peer in enumerate(peers):
                counts[i] += len(peer.take_everything())
        after, _ = metrics(drone)
        sent = [k for k in after if k.startswith('mayfly_link_sent_frames_total')]
        return after if all(before.get(k) == after[k] for k in sent) else None
    return wait_until(look, 'nothing is sent'), counts


class Counts(unittest.TestCase):
    def test_frames_are_those_that_a_client_counts(self):
        with ApiDrone('--clock', 'x20') as drone:
            peers = [drone.tcp(), drone.tcp()]
            bad = bytearray(GROUND_STATION)
            bad[-1] ^= 1
            peers[0].send(GROUND_STATION + frame(*content(GROUND_STATION), seq=4))  # 3 are missing
            peers[0].send(b'rubbish' + command(2000, seq=5) + command(2001, seq=6) + bytes(bad))
            peers[1].send(GROUND_STATION + command(ARM, 1.0, seq=1))
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
                    peer.send(b'x' * turn + command(ARM, float(turn % 2)) + command(2000))
                    drone.post('/v1/faults', {'fault': 'gps_off'})
                    look()
                    drone.ask('DELETE', '/v1/faults')
                    look()
            total = seen['mayfly_frames_sent_total']
            self.assertGreater(total, 0)
            drone.post('/v1/clock', {'rate': 1})
            for _ in range(10):  # the way in loses some
                stays.send(command(ARM, 0.0, 21196.0) + command(REBOOT, 1.0))
            drone.wait_for('reboot')
            found, _ = metrics(drone)
            self.assertLess(found['mayfly_frames_sent_total'], total)


class Form(unittest.TestCase):
    def test_promtool_has_nothing_to_say(self):
        """In flight, with faults, and on links with a quality."""
        with ApiDrone('--clock', 'x20', '--faults', 'gps_satellites=9,wind=5:90', '--link-quality', 'out:loss=5%,delay=1ms,'
                      'reorder=2%,duplicate=2%,corrupt=1%') as drone:
            peer, *_ = (drone.tcp() for _ in range(3))
            peer.send(command(ARM, 1.0) + command(TAKEOFF, 0, 0, 0, ANY, ANY, ANY, 520.0))
            wait_until(lambda: drone.get('/v1/vehicle')[1]['landed_state'] == 'in_air', 'it flies')
            found, text = metrics(drone)
            for name, label in ASKED_FOR:
                self.assertTrue([k for k in found if re.match(rf'{name}({{.*\b{label}=|$)', k)], (name, label))
            self.assertEqual(found['mayfly_faults_active{fault="wind"}'], 1)
            self.assertEqual(found['mayfly_landed_state{state="in_air"}'], 1)
        if not PROMTOOL:
            self.skipTest(NO_PROMTOOL)
        assert_metrics_are_good(self, text)
