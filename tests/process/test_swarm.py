# SPDX-License-Identifier: Apache-2.0
"""build/mayfly-swarm as its users see it: a scenario file in, files and an exit code out."""
import errno
import functools
import json
import os
import re
import resource
import signal
import subprocess
import xml.etree.ElementTree as xml

import pytest

import documents
from drone import assert_replays
from names import assert_names
from paths import HAS_MATPLOTLIB, PLANS, SWARM, TOP
from recordings import telemetry_log
from swarm_case import SwarmCase, hash_of, options
from waiting import wait_until

SCENARIO = '''swarm: 1
seed: 3
entities:
  - {name: a, count: 20, place: {grid: [5, 4], spacing: 30}, plan: hop.waypoints, start: 2}
  - {name: b, body: physics, place: [-100, 0], plan: hop.waypoints}
'''


class Swarm(SwarmCase):
    def run_swarm(self, more='', *args, **how):
        return self.swarm(SCENARIO + more, *args, **how)

    def test_missions_are_complete_and_threads_change_nothing(self):
        """SBE-01: one hash for 1, 2 and 4 threads."""
        one = self.run_swarm()
        assert_names(one, 'vehicles 21 21 21 finished 0 refused 0 frozen')
        for threads in ('2', '4'):
            self.assertEqual(hash_of(self.run_swarm('', '--threads', threads)), hash_of(one))
        self.assertNotEqual(hash_of(self.run_swarm('', '--set', 'entities.0.count=19')), hash_of(one))

    @pytest.mark.long
    def test_weather_is_the_wind_of_vehicles(self):
        """A vehicle leans into the wind of its place as into that of settings; who is stepped has it once, by its body."""
        everywhere = 'space={weather: {wind: [6, 90]}}'
        region = 'space={weather: {regions: [{at: [-500, -500, -10], size: [1000, 1000, 200], wind: [6, 90]}]}}'
        def poses(*sets, body='constant'):
            self.run_swarm('outputs: {sensors: poses.csv}\n', *options(
                *sets, f'entities.0.body={body}', 'entities.0.sensors=[{kind: pose}]', 'time.end=30', 'entities.1.settings={}'))
            return hash(self.bytes('poses.csv'))    # a difference would be long
        calm = poses()
        windy = poses('entities.0.settings={wind.speed: 6, wind.direction: 90}')
        self.assertNotEqual(windy, calm)
        self.assertEqual(poses(everywhere), windy)
        self.assertEqual(poses(region), windy)
        rigid = '{kind: rigid, forces: [{kind: follow}, {kind: drag, area: 0.05}]}'
        self.assertEqual(poses(region, body=rigid), poses(everywhere, body=rigid))

    def test_expectations_make_a_scenario_a_test(self):
        """By hand: from 2 s on 30 m up at 3 m/s (12 s), 222.36 m at 10 m/s (34.236 s)."""
        good = '''expect:
  - {of: a, event: item, item: 0, between: [11.999, 12.001]}
  - {of: [a.1, a.20], event: item, item: 1, between: [34.23, 34.24]}
  - {event: finished, by: 120}
  - {never: failsafe}
  - {of: b, mode: mission, at: 10}
  - {of: a.2, position: [222.36, 30, 0], within: 0.1}
'''
        out = self.run_swarm(good)
        self.assertEqual(len(re.findall('^ok ', out, re.M)), 6)
        bad = good + '''  - {of: a, event: item, item: 1, by: 34}
  - {of: b, never: armed}
  - {of: a.3, position: [222.36, 60, 5], within: 1, at: 60}
  - {of: b, event: breach}
'''
        out = self.run_swarm(bad, '--junit', self.path('j.xml'), code=1)
        late, armed, _, breach = re.findall('^FAILED .*', out, re.M)
        self.assertRegex(late, r'\ba: item 1 by 34 s .*\b13\b.*\ba\.1\b.* 34\.23\d* .*\b20\b.*\b20$')
        assert_names(armed, 'b never armed 14 b 1.000000')
        assert_names(breach, 'b breach 16 b')
        suite = xml.parse(self.path('j.xml')).getroot()
        self.assertEqual((suite.get('tests'), suite.get('failures')), ('10', '4'))
        failures = [case.find('failure') for case in suite]
        self.assertEqual([failure is not None for failure in failures], [False] * 6 + [True] * 4)

    def test_a_report_that_cannot_be_written_is_told_before_the_run(self):
        for option in ('--junit', '--profile'):
            error = self.run_swarm('outputs: {events: e.csv}\n', option, self.path('nowhere/x'), code=2)
            assert_names(error, f":1 {option} {self.path('nowhere/x')} No such file or directory")
            self.assertFalse(os.path.exists(self.path('e.csv')))

    def test_an_output_that_takes_not_all_is_exit_code_2(self):
        world = self.scenario('gzuav: {listen: 0, tick: 0.01}\ntime: {end: 50}\nentities: [{name: v, plan: hop.waypoints}]\n')
        with open('/dev/full', 'w', encoding='utf-8') as full:
            for args in ((world,), ('--help',), ('--keys',)):
                assert_names(self.run_program(SWARM, *args, code=2, capture_output=False, stdout=full, stderr=subprocess.PIPE),
                             os.strerror(errno.ENOSPC))
        csv = ('--set', 'outputs.csv={file: t.csv, every: 0.01}')
        assert_names(self.swarm(world, '--trace', '/dev/full', code=2), 'outputs /dev/full ' + os.strerror(errno.ENOSPC))
        for name, args in (('/t:', ('--trace', self.path('t'))), ('/t.csv:', csv)):
            limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (20000, 20000))
            assert_names(self.swarm(world, *args, code=2, preexec_fn=limit), 'outputs ' + name + ' ' + os.strerror(errno.EFBIG))

    def test_a_check_looks_into_each_variation(self):
        good = 'variations: {plain: {}, slow: {entities.0.params.MPC_XY_CRUISE: 5}'
        self.run_swarm(good + '}\n', '--check')
        error = self.run_swarm(good + ', wrong: {entities.0.params.MPC_XY_CRUISE: fast}}\n', '--check', code=2)
        assert_names(error, ':6 entities.0.params fast --variation 2')
        self.run_swarm(good + ', wrong: {entities.0.cuont: 5}}\n', '--check', '--variation', 'slow')

    def test_nobody_crashed(self):
        """Motors that fail at 12 s, on the way up to 30 m; a is fine. Motors that work again before the ground catch it."""
        fault = '\n  - {{name: c, place: [50, 0], plan: hop.waypoints, faults: ["motor_off@12s{}"]}}\nexpect: [{{of: {}, never: crashed}}]\n'
        self.run_swarm(fault.format('', '[a, b]'), '--set', 'outputs.events=e.csv')
        events = self.text('e.csv')
        self.assertEqual(events.count(',crashed,'), 1)
        at = float(re.search(r'^([\d.]+),c,crashed,$', events, re.M)[1])
        self.assertIn(f'{at:.6f},c,landed,', events)
        self.assertTrue(13 < at < 16, at)
        assert_names(self.run_swarm(fault.format('', 'c'), code=1), 'FAILED c never crashed')
        self.run_swarm(fault.format('+0.5s', 'c'))

    def test_outputs(self):
        self.run_swarm('''time: {epoch: 2026-03-01}
outputs:
  csv: {file: s.csv, every: 10, of: [a.7, b]}
  kml: {file: s.kml, every: 10, of: a.7}
  czml: {file: s.czml, every: 10, of: [a.7, b]}
  geojson: {file: s.geojson, every: 10, of: [a.7, b]}
  events: e.csv
  record: {file: "r-%n.mfr", of: [a.7, b]}
  tlog: {file: "t-%n.tlog", of: a.7}
''')
        rows = self.rows('s.csv')
        self.assertEqual([(row['t_s'], row['member']) for row in rows[:4]],
                         [('0.000', 'a.7'), ('0.000', 'b'), ('10.000', 'a.7'), ('10.000', 'b')])
        # a.7 is in the second row of the grid, second column: 30 m north, 30 m east; 24 m up after 8 s of climb
        self.assertAlmostEqual(float(rows[2]['lat_deg']), 47.397742 + 30 / 111178, places=6)
        self.assertAlmostEqual(float(rows[2]['alt_amsl_m']), 512.0, places=2)
        self.assertEqual((rows[2]['mode'], rows[2]['armed']), ('Mission', '1'))
        events = self.text('e.csv').splitlines()
        self.assertEqual(events[:3], ['t_s,member,event,detail', '1.000000,b,armed,', '1.000000,b,mode,Mission'])
        times = [float(line.split(',')[0]) for line in events[1:]]
        self.assertEqual(times, sorted(times))
        track = xml.parse(self.path('s.kml')).getroot()
        points = [node.text for node in track.iter('{http://www.google.com/kml/ext/2.2}coord')]
        self.assertEqual(len(points), len([row for row in rows if row['member'] == 'a.7']))
        self.assertTrue(points[1].endswith(' 512.000'))
        self.assertIn('<when>2026-03-01T00:00:10.000Z</when>', self.text('s.kml'))
        # viewers of CZML and GeoJSON count heights from the ellipsoid: EGM96 has 47.24 m here
        document, first, second = json.loads(self.text('s.czml'))
        self.assertEqual((document['id'], document['version'], document['clock']['currentTime']), ('document', '1.0', '2026-03-01T00:00:00.000Z'))
        self.assertEqual((first['id'], second['id'], first['position']['epoch']), ('a.7', 'b', '2026-03-01T00:00:00.000Z'))
        places = first['position']['cartographicDegrees']
        self.assertEqual(places[0::4], [10.0 * k for k in range(len(points))])
        self.assertEqual([f'{lon:.7f} {lat:.7f}' for lon, lat in zip(places[1::4], places[2::4])], [p.rsplit(' ', 1)[0] for p in points])
        self.assertEqual({round(h - float(p.split()[2]), 1) for h, p in zip(places[3::4], points)}, {47.2})
        self.assertEqual(first['availability'], f'2026-03-01T00:00:00.000Z/2026-03-01T00:{(len(points) - 1) // 6:02}:{(len(points) - 1) % 6 * 10:02}.000Z')
        record, other = json.loads(self.text('s.geojson'))['features']
        self.assertEqual((record['id'], record['properties']['name'], record['properties']['kind'], other['id']), (7, 'a.7', 'vehicle', 21))
        self.assertEqual([x for p in record['geometry']['coordinates'] for x in p], [x for k, x in enumerate(places) if k % 4])
        self.assertEqual(record['properties']['coordTimes'][1], '2026-03-01T00:00:10.000Z')
        # members by their number in the swarm: a.7 is 7, b is 21
        for number in (7, 21):
            assert_replays(self, self.path(f'r-{number}.mfr'))
        first_us, said = next(telemetry_log(self.bytes('t-7.tlog')))
        self.assertEqual((first_us, said[0]), (1772323200 * 1000000, 0xFD))

    def test_the_costs_of_a_run_are_counted(self):
        """SBE-01: steps, missions and lines of the summary are those of the run, and the lines of --profile add up to them."""
        outputs = 'outputs: {csv: {file: s.csv, every: 10}, events: e.csv}\n'
        out = self.run_swarm(outputs, '--profile', self.path('costs.csv'))
        told = {word: (float(s), int(n)) for word, s, n in re.findall(r'(\w+) ([0-9.]+) s for (\d+) \w+', out)}
        lines = sum(len(self.text(name).splitlines()) - 1 for name in ('s.csv', 'e.csv'))
        steps = int(re.search(r'^steps +(\d+),', out, re.M)[1])
        self.assertEqual({word: n for word, (_, n) in told.items()}, {'bodies': steps, 'plans': 21, 'outputs': lines})
        rows = self.rows('costs.csv')
        for column, word in (('bodies_steps', 'bodies'), ('plans_missions', 'plans'), ('outputs_lines', 'outputs')):
            self.assertEqual(sum(int(row[column]) for row in rows), told[word][1])
        spent = sum(float(row[f'{word}_s']) for row in rows for word in told)
        self.assertLessEqual(spent, float(rows[-1]['wall_s']) + 0.001)
        self.assertEqual({row[f'{word}_s'] for row in rows for word in ('contacts', 'radio', 'sensors')}, {'0.000000'})
        self.assertIn('--profile nowhere/c.csv: No such file', self.run_swarm('', '--profile', 'nowhere/c.csv', code=2))

    def test_the_folder_of_outputs_is_made(self):
        self.run_swarm('outputs: {csv: s.csv}\n', '--out', self.path('new'))
        self.assertIn('a.1', self.text('new/s.csv'))
        self.assertIn('--out /proc/new: ', self.run_swarm('', '--out', '/proc/new', code=2))

    def test_files_that_were_written_are_named_with_their_size(self):
        said = self.run_swarm('outputs: {csv: s.csv, kml: s.kml, events: e.csv}\n', '--junit', self.path('j.xml'))
        found = {os.path.basename(path): int(size) for path, size in re.findall(r'^wrote +(.+), (\d+) bytes$', said, re.M)}
        small = {name: os.path.getsize(self.path(name)) for name in ('s.csv', 's.kml', 'e.csv', 'j.xml')}
        self.assertEqual(found, {name: size for name, size in small.items() if size < 1000})
        large = {os.path.basename(path): float(size) for path, size in re.findall(r'^wrote +(.+), ([\d.]+) kB$', said, re.M)}
        self.assertEqual({*found, *large}, {*small})
        for name, kb in large.items():
            self.assertAlmostEqual(kb, small[name] / 1000, delta=0.0501)

    def test_bad_input_is_one_line_and_exit_code_2(self):
        for more, what in (('entitys: 1\n', ':6 entitys entities'),
                           ('outputs: {csv: nowhere/s.csv}\n', ':6 outputs /nowhere/s.csv'),
                           ('outputs: {record: r.mfr}\n', ':6 outputs record of'),
                           ('expect: [{mode: Fast}]\n', ':6 expect Fast')):
            assert_names(self.refused(SCENARIO + more), what)
        for key, what in (('plan=none.plan', f"{self.path('none.plan')} No such file or directory"), ('count=0', 'entities.1.count 0 1'),
                          ('count=1000000000', 'entities.1.count 1000000000 1 1000000'), ('place=b', 'place b'), ('place=c', 'place c'),
                          ('params={MPC_XY_CRUSE: 1}', 'MPC_XY_CRUSE'), ('params={MPC_THR_MIN: 0.9, MPC_THR_MAX: 0.2}', 'MPC_THR_MIN MPC_THR_MAX'),
                          ('params={MPC_XY_CRUISE: -1}', '-1 MPC_XY_CRUISE'),
                          ('settings={seed: 1}', 'settings seed place'), ('faults=[gps_of]', 'faults gps_of gps_off'),
                          (f'plan={PLANS}/bad_cut.plan', f'{PLANS}/bad_cut.plan')):
            assert_names(self.refused(SCENARIO, '--set', f'entities.1.{key}'), what)
        self.run_swarm('', '--threads', '0', code=2)
        self.run_swarm('', '--variation', 'x', code=2)

    def test_settings_parameters_and_faults_reach_the_vehicles(self):
        out = self.run_swarm('''expect:
  - {of: a, event: item, item: 1, between: [56.46, 56.48]}
  - {of: b, event: failsafe, between: [9, 11.5]}
''', '--set', 'entities.0.params={MPC_XY_CRUISE: 5}', '--set', 'entities.1.faults=["gps_off@10s"]')
        self.assertEqual(len(re.findall('^ok ', out, re.M)), 2)

    def test_a_mission_that_is_refused_is_told(self):
        out = self.run_swarm('', '--set', 'entities.1.faults=[prearm=door]', code=1)
        assert_names(out, 'vehicles 21 20 21 finished 1 refused')

    @pytest.mark.long
    def test_the_commands_of_readme(self):
        lines = [line.split('#')[0].split() for line in documents.commands('README.md', 'Researchers')]
        self.assertEqual([line[0] for line in lines], ['make', 'sh'] + ['build/mayfly-swarm'] * 4)
        for line in lines[2:]:
            if line[1] != 'plot' or HAS_MATPLOTLIB:
                self.run_program(SWARM, *(word.replace('/tmp', self.folder) for word in line[1:]), cwd=TOP)
        self.assertEqual(self.text('ring.kml').count('<Placemark>'), 50)
        self.assertEqual([(row['variation'], row['finished']) for row in self.rows('sweep/runs.csv')],
                         [('plain', '50'), ('slow', '50'), ('physics', '50')])
        if HAS_MATPLOTLIB:
            self.assertEqual({name for name in os.listdir(self.path('sweep')) if name.endswith('.svg')},
                             {'ring-tracks.svg', 'ring-altitude.svg', 'ring-spacing.svg'})
        self.assertEqual(self.text('ring.csv').splitlines()[50].split(',')[:2], ['0.000', 'drone.50'])

    @pytest.mark.long
    def test_the_commands_of_the_tour(self):
        """docs/swarm.md but for what listens on ports. The tables have as many rows as it says."""
        lines = [line for line in documents.commands('docs/swarm.md', kind='') if line.startswith(('build/mayfly-swarm ', 'python3 '))]
        ends = [line for line in lines if 'reachable' not in line and 'outputs.page' not in line]
        self.assertEqual((len(ends), len(lines)), (8, 10))
        printed = [self.run_line(line) for line in ends if ' plot ' not in line or HAS_MATPLOTLIB]
        self.assertIn(hash_of(printed[0]), '\n'.join(documents.examples('docs/swarm.md', kind='')))
        self.assertEqual([row['variation'] for row in self.rows('ring/runs.csv')], ['plain', 'slow', 'physics'])
        self.assertEqual({row['receiver'] for row in self.rows('heard.csv')}, {'bee.1'})

    SWEEP = '''swarm: 1
entities:
  - {name: a, count: 3, place: {disc: [0, 0, 500]}, plan: hop.waypoints}
outputs: {csv: {file: s.csv, every: 20}, events: e.csv}
variations: {plain: {}, slow: {entities.0.params: {MPC_XY_CRUISE: 5}}}
sweep: {over: variations, for: {seed: [7, 9]}}
'''

    def sweep(self, folder, *args, code=0):
        return self.run_program(SWARM, 'sweep', self.write('sweep.yaml', self.SWEEP), '--out', self.path(folder), *args, code=code)

    def merged(self, folder):
        return [self.text(os.path.join(folder, name)) for name in ('runs.csv', 's.csv', 'e.csv')]

    def test_make_bench_holds_what_was_published(self):
        """SBE-12: limits of `make bench` are above Simbeeotic's figures of one core: 3,074 members in real time, 550 that all hear each
        other, and 20 times real time of the same; and above what a swarm of our own must reach, 30,000 walkers, 1,500 radios."""
        with open(os.path.join(TOP, 'ci', 'budgets'), encoding='utf-8') as f:
            limits = {name: float(limit) for name, limit in re.findall(r'^(\S+) +~?>=([0-9.e]+) ', f.read(), re.M)}
        for name, least in (('walk.vehicles', 30000), ('walk.agents', 30000), ('radio.members', 1500), ('radio.paper', 20),
                            ('bees.quiet.3074', 1), ('bees.broadcast.550', 1)):
            self.assertGreaterEqual(limits[name], least, name)

    @pytest.mark.long
    def test_a_sweep_is_merged_by_number_whatever_the_jobs_and_interruptions(self):
        said = self.sweep('one')
        self.assertEqual([os.path.relpath(path, self.path('one')) for path in re.findall('^wrote +(.+), ', said, re.M)],
                         ['runs.csv', 's.csv', 'e.csv', 'means.csv'])
        runs = self.rows('one/runs.csv')
        self.assertEqual([(row['run'], row['variation'], row['seed']) for row in runs],
                         [('0', 'plain', '7'), ('1', 'plain', '8'), ('2', 'plain', '9'),
                          ('3', 'slow', '7'), ('4', 'slow', '8'), ('5', 'slow', '9')])
        self.assertEqual({(row['code'], row['members'], row['finished']) for row in runs}, {('0', '3', '3')})
        self.assertEqual(len({row['hash'] for row in runs}), 6)
        # a leg of 222.36 m at 5 m/s lasts 22.236 s longer than at 10 m/s
        longer = float(runs[3]['simulated_s']) - float(runs[0]['simulated_s'])
        self.assertAlmostEqual(longer, 22.236, delta=0.01)
        self.assertEqual(sorted({row['run'] for row in self.rows('one/s.csv')}), ['0', '1', '2', '3', '4', '5'])
        self.assertEqual(self.text('one/s.csv').count('t_s'), 1)
        self.sweep('two', '--jobs', '2', '--threads', '2')
        self.assertEqual(self.merged('two'), self.merged('one'))
        # what a kill leaves: a run without its result, and one that never began
        os.remove(self.path('two/run-00004/result.csv'))
        os.rename(self.path('two/run-00001'), self.path('gone'))
        before = os.stat(self.path('two/run-00000/result.csv')).st_mtime_ns
        self.sweep('two')
        self.assertEqual(self.merged('two'), self.merged('one'))
        self.assertEqual(os.stat(self.path('two/run-00000/result.csv')).st_mtime_ns, before)

    def test_a_sweep_tells_its_worst_run_and_what_it_cannot_do(self):
        self.sweep('x', '--set', 'expect=[{event: finished, by: 50}]', code=1)
        self.assertEqual([row['code'] for row in self.rows('x/runs.csv')], ['0'] * 3 + ['1'] * 3)
        assert_names(self.sweep('x', '--set', 'sweep.for.seed=[3, 2]', code=2), 'sweep.for seed first last')
        assert_names(self.sweep('x', '--set', 'variations={}', code=2), 'sweep variations')
        assert_names(self.sweep('x', '--variation', 'slow', code=2), 'sweep --variation slow')

    def test_a_signal_ends_a_run_with_complete_outputs(self):
        swarm = self.start(self.scenario(SCENARIO + 'time: {clock: real, end: 1000}\n'
                                         'outputs: {csv: {file: s.csv, every: 0.1}, record: {file: "%n.mfr", of: b}}\n'), '--out', self.folder)
        wait_until(lambda: self.text('s.csv'), 'the first samples')
        swarm.send_signal(signal.SIGINT)
        out, _ = self.finish(swarm, 130)
        assert_names(out, 'scenario seed 3 signal')
        self.assertTrue(self.text('s.csv').endswith('\n'))
        assert_replays(self, self.path('21.mfr'))

    def test_a_clock_that_counts_with_the_wall_does_what_the_event_clock_does(self):
        event = self.run_swarm('', '--set', 'time.end=3')
        real = self.run_swarm('', '--set', 'time.end=3', '--set', 'time.clock=x20')
        self.assertEqual(hash_of(event), hash_of(real))
        self.assertIn('lateness', real)
