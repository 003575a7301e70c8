# SPDX-License-Identifier: Apache-2.0
"""A flight as a page (build/replay --html), and where replay's options and files may stand. The page in a browser is
tests/page/flight.test.cjs."""
import json
import os
import re
import subprocess

import pytest

from names import assert_names, one
from paths import CONFORM, REPLAY
from recordings import RecordedCase, recording, records, replay

SETTLED = ('--clock', 'fast', '--epoch', '2026-03-01T12:34:56Z')
MINUTES_60 = '''set motion=physics
set gnss.noise=1.5
set gnss.noise_vertical=2
boot 1772323200
open 0 sim
run 1
send 0 COMMAND_LONG command=400 param1=1
send 0 COMMAND_LONG command=22 param4=nan param5=nan param6=nan param7=520
run 30
send 0 COMMAND_INT command=34 frame=5 param1=40 param2=5 param3=0 x=473977420 y=85455940 z=520
run 3569
'''


class Read(RecordedCase):
    def page(self, *args, code=0):
        """(the flight in the page, standard error); nothing in it leads elsewhere."""
        result = replay('--html', *args)
        self.assertEqual(result.returncode, code, result.stderr)
        return self.flight_of(result.stdout), result.stderr

    def flight_of(self, text):
        shell, data = re.fullmatch(r'(?s)(.*<script type="application/json" id="data">.*</script>\n<script>.*</html>\n)',
                                   text)[1], re.search(r'(?s)id="data">(.*?)</script>', text)[1]
        for word in ('<link', 'src=', 'href=', 'url(', '@import', 'fetch(', 'import('):
            for at in re.finditer(re.escape(word), shell.replace(data, '')):
                self.assertIn('data:image/svg', shell[at.start():at.start() + 60])
        return json.loads(data)


class Page(Read):
    @pytest.mark.long
    def test_an_hour_stays_below_two_megabytes(self):
        made = subprocess.run([CONFORM, '--out', self.flight, '--quiet', self.write('hour.txt', MINUTES_60)], capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        result = replay('--html', self.flight)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(len(result.stdout), 2e6)
        flight = self.flight_of(result.stdout)
        self.assertGreater(flight['tolerance_m'], 0.05)
        self.assertGreater(len(flight['boots'][0]['samples']), 3000)
        self.assertEqual(len([e for e in flight['boots'][0]['events'] if e['event'] == 'command']), 3)
        self.assertGreater(flight['boots'][0]['samples'][-1][0], 3_599_000)

    def test_it_says_where_the_vehicle_was_and_where_it_believed_to_be(self):
        self.fly(*SETTLED, '--faults', 'gps_glitch=30:40:5@4+3')
        flight, errors = self.page(self.flight)
        self.assertEqual((flight['name'], flight['truth'], flight['notes'], flight['tolerance_m'], len(flight['boots'])),
                         ('flight.mfr', True, [], 0.05, 1))
        self.assertRegex(errors, r'^-: \d+\D+\d+\D+ 0\.05 m\n$')
        boot = flight['boots'][0]
        at = {s[0]: s for s in boot['samples']}
        inside = [s for t, s in at.items() if 4000 < t < 7000]
        outside = [s for t, s in at.items() if t < 4000 or t > 7000]
        self.assertTrue(inside)
        for s in inside:   # 30 m north, 40 m east, 5 m down
            self.assertAlmostEqual(s[6], 30 / 111175 * 1e7, delta=20)
            self.assertAlmostEqual(s[7], 40 / 75450 * 1e7, delta=40)
            self.assertEqual(s[8], -500)
        self.assertEqual({len(s) for s in outside}, {6})
        times = list(at)
        self.assertEqual(times, sorted(times))
        events = boot['events']
        self.assertEqual([(e['active'], e['t_s']) for e in events if e['event'] == 'fault'], [(True, 4), (False, 7)])
        self.assertEqual([e['mode'] for e in events if e['event'] == 'mode'], ['Hold', 'Mission', 'Hold', 'Return', 'Land', 'Hold'])
        self.assertIn((400, 'COMPONENT_ARM_DISARM', 0), [(e['command'], e['name'], e['result']) for e in events if e['event'] == 'command'])
        self.assertEqual([e['item'] for e in events if e['event'] == 'waypoint'], [0, 1, 2, 3, 4])
        missions = [e for e in events if e['event'] == 'mission']
        self.assertEqual((missions[0]['count'], len(missions[0]['items'])), (5, 5))
        self.assertEqual(missions[0]['items'][0][0], 22)
        self.assertEqual(len([e for e in events if e['event'] == 'boot']), 1)

    def test_positions_lie_on_those_that_messages_told(self):
        self.fly(*SETTLED)
        flight, _ = self.page(self.flight)
        told = json.loads(replay('--json', self.flight).stdout)['boots'][0]['samples']
        track = flight['boots'][0]['samples']
        self.assertLess(len(track), len(told) / 3)
        k = 0
        for sample in told:
            t_ms = sample['t_s'] * 1e3
            while k + 2 < len(track) and track[k + 1][0] <= t_ms:
                k += 1
            a, b = track[k], track[k + 1]
            part = (t_ms - a[0]) / (b[0] - a[0])
            for i, value in ((1, sample['lat_deg'] * 1e7), (2, sample['lon_deg'] * 1e7), (3, sample['alt_amsl_m'] * 1e2)):
                self.assertAlmostEqual(a[i] + (b[i] - a[i]) * part, value, delta=8, msg=sample)

    def test_figures_are_those_that_messages_told(self):
        """Velocity of GLOBAL_POSITION_INT [cm/s]; frames only grow in number, and the battery is what SYS_STATUS has at its start."""
        self.fly(*SETTLED, '--motion', 'physics')
        flight, _ = self.page(self.flight)
        told = json.loads(replay('--json', self.flight).stdout)['boots'][0]['samples']
        figures = flight['boots'][0]['figures']
        at = {f[0]: f for f in figures}
        same = [(at[round(s['t_s'] * 1e3)], s) for s in told if round(s['t_s'] * 1e3) in at]
        self.assertGreater(len(same), 20)
        self.assertGreater(max(abs(f[4]) for f in figures), 20)   # [0.1 deg]: it rolls
        for f, s in same:
            for i in range(3):
                self.assertAlmostEqual(f[1 + i], s['vel_ned_mps'][i] * 100, delta=1.01, msg=s)
        self.assertEqual((figures[0][6], figures[0][7]), (1000, 1620))
        for counter in (8, 9, 10):
            counts = [f[counter] for f in figures]
            self.assertEqual(counts, sorted(counts))
        self.assertGreater(figures[-1][8], len(told))

    def test_equal_recordings_give_equal_bytes(self):
        self.fly(*SETTLED)
        first = replay('--html', self.flight).stdout
        self.assertEqual(replay('--html', self.flight).stdout, first)
        self.assertEqual(replay('--html', self.path('f.html'), self.flight).returncode, 0)
        self.assertEqual(self.text('f.html'), first)

    def test_what_is_there_of_a_recording_that_is_not_whole(self):
        self.fly(*SETTLED)
        data = self.recorded()
        half = len(data) // 2
        for name, some, code, chapters in (('cut', data[:half], 0, 1), ('damaged', data[:half] + bytes(64) + data[half + 64:], 2, 1),
                                           ('header', data[:8], 2, 0), ('empty', b'', 2, 0)):
            with self.subTest(name):
                flight, errors = self.page(self.write(name, some), code=code)
                self.assertEqual(len(flight['boots']), chapters)
                self.assertEqual(len(flight['notes']), 1)
                assert_names(errors, one(self.path(name)))
                self.assertIn(flight['notes'][0], errors)
                if chapters:
                    self.assertAlmostEqual(int(re.search(r'record \d+ at byte (\d+)', flight['notes'][0])[1]), half, delta=200)
                    self.assertGreater(len(flight['boots'][0]['samples']), 4)
        result = replay('--html', self.path('x.html'), self.write('text', 'no recording'))
        self.assertEqual((result.returncode, result.stdout), (2, ''))
        assert_names(result.stderr, one(self.path('text')))

    def test_without_conform_the_page_shows_what_a_link_heard(self):
        self.fly(*SETTLED)
        flight, errors = self.page(self.flight, '--conform', '/bin/false')
        self.assertEqual(len(flight['notes']), 1)
        self.assertIn(flight['notes'][0], errors)
        self.assertFalse(flight['truth'])
        events = flight['boots'][0]['events']
        self.assertGreater(len(flight['boots'][0]['samples']), 10)
        self.assertEqual([e['item'] for e in events if e['event'] == 'waypoint'], [0, 1, 2, 3, 4])
        self.assertEqual([e['mode'] for e in events if e['event'] == 'mode'][:2], ['HOLD', 'MISSION'])

    def test_another_flight_than_the_recorded_one_is_said(self):
        self.fly(*SETTLED, '--param', 'MPC_XY_CRUISE=4')
        told = [(kind, p.replace(b'MPC_XY_CRUISE=4', b'MPC_XY_CRUISE=6')) for kind, p in records(self.recorded())]
        self.write(self.flight, recording(told))
        flight, errors = self.page(self.flight)
        self.assertEqual(len(flight['notes']), 1)
        assert_names(flight['notes'][0], 'record link 0 LOCAL_POSITION_NED x')
        self.assertIn(flight['notes'][0], errors)


class Orders(RecordedCase):
    def setUp(self):
        super().setUp()
        self.fly(*SETTLED)

    def test_options_and_files_in_any_order(self):
        wanted = replay('--json', '-', self.flight).stdout
        self.assertEqual(json.loads(wanted)['format'], 'mayfly-flight')
        out = self.path('f.json')
        for args in (['--json', self.flight], [self.flight, '--json'], [self.flight, '--json', '-'], ['--json=-', self.flight]):
            result = replay(*args)
            self.assertEqual((result.returncode, result.stdout), (0, wanted), args)
            self.assertRegex(result.stderr, r'^-: \d+\D+\d+\D+ link 0')
        for args in (['--json', out, self.flight], [self.flight, '--json', out], ['--link', '0', self.flight, '--json', out]):
            result = replay(*args)
            self.assertEqual((result.returncode, result.stderr), (0, ''), args)
            self.assertEqual(self.text('f.json'), wanted)
            os.unlink(out)
        both = replay('--kml', self.path('f.kml'), '--json', self.flight)
        self.assertEqual((both.returncode, both.stdout), (0, wanted))

    def test_errors_say_what_would_be_right(self):
        data = self.recorded()
        for args, why in ((['--json', self.flight, self.flight], '--json ' + one(self.flight)),
                          (['--json', self.path('nosuch.mfr')], one(self.path('nosuch.mfr')) + ' --json'),
                          (['--json', '-', '--kml', '-', self.flight], '--json --kml'),
                          ([self.flight, self.flight], f'{one(self.flight)} {one(self.flight)} --compare'),
                          (['--jsn', self.flight], '--jsn'), ([self.flight, '--link'], '--link'),
                          ([], 'usage replay')):
            result = replay(*args)
            self.assertEqual((result.returncode, result.stdout), (2, ''), args)
            assert_names(result.stderr, why)
        self.assertEqual(self.recorded(), data)

    def test_a_page_that_cannot_be_written(self):
        for out in '/nosuch/f.html', '/dev/full':
            result = replay('--html', out, self.flight)
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, out)
        with open('/dev/full', 'w', encoding='utf-8') as full:
            self.assertEqual(subprocess.run([REPLAY, '--html', self.flight], stdout=full, capture_output=False, stderr=subprocess.DEVNULL,
                                            check=False).returncode, 2)
