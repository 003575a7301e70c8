# SPDX-License-Identifier: Apache-2.0
"""A team that searches an area, as a scenario: figures as published (docs/papers.md), and what is refused."""
import ctypes
import ctypes.util
import math
import os
import re
import stat
import unittest
import xml.etree.ElementTree

import pytest

from names import assert_names
from paths import FLY, MAYFLY, SCENARIOS, SWARM
from swarm_case import SwarmCase, hash_of, options

UAVSIM = os.path.join(os.path.dirname(SCENARIOS), 'papers', 'uavsim')
SHARKS = os.path.join(SCENARIOS, 'sharks.yaml')
VARIATIONS = ('bcd', 'avbcd', 'bdbcd', 'corrected', 'vehicles', 'published_vehicles')
GEOS = ctypes.util.find_library('geos_c')
# The corrected team over a field that takes a minute.
FIELD = ('--variation', 'corrected', '--set', 'space.boundary=[[0, 0], [240, 0], [240, 180], [0, 180]]')
# Objects placed in four ways; bruce swims, the rocks lie below the water.
OBJECTS = '''swarm: 1
time: {step: 0.1, end: 20}
space: {boundary: [[0, 0], [300, 0], [300, 300], [0, 300]]}
entities:
  - {name: uav, as: agent, place: station, seeks: shark, body: {kind: thrust}}
  - {name: bruce, thing: object, type: shark, place: [100, 200, -3], velocity: [1, 0.5, 0.1]}
  - {name: pack, count: 2, thing: object, type: shark, place: {list: [[10, 20], [30, 40, 5]]}, speed: 0}
  - {name: rock, count: 4, thing: object, place: {at: [50, 60], grid: [2, 2], spacing: 7}, speed: 0, height: -1}
  - {name: fish, count: 3, thing: object, place: {disc: [100, 100, 20]}, velocity: [0, 0]}
plan: {kind: bcd, altitude: 30, speed: 15}
'''
COLUMNS = ['Name', 'Precision', 'Recall', 'F1', 'Energy_Used', 'PCT_Covered', 'PCT_Spotted']


class Search(SwarmCase):
    def fly(self, *args, **more):
        return self.swarm(SHARKS, *args, **more)

    def rows(self, name='sharks.csv'):
        return super().rows(name)

    def total(self, *args):
        """The row of all, and what was printed."""
        out = self.fly(*args)
        return self.rows()[-1], out

    def compare(self, team, fleet, *settings, kinds=('bcd', 'avbcd', 'bdbcd')):
        for kind in kinds:
            with self.subTest(f'{kind}, {team}'):
                plan = *settings, '--set', f'plan.kind={kind}', '--set', 'outputs.coverage.cell=2'
                agents, _ = self.total('--variation', team, *plan)
                vehicles, out = self.total('--variation', fleet, *plan)
                self.assertAlmostEqual(float(vehicles['PCT_Covered']), float(agents['PCT_Covered']), delta=0.01)
                self.assertEqual(vehicles['Energy_Used'], '')
                self.assertRegex(out, r'\D0 points')

    def test_uav02_published_figures(self):
        out = self.fly()
        rows = self.rows()
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([row['Name'] for row in rows], ['uav.1', 'uav.2', 'uav.3', 'Total'])
        self.assertEqual([round(float(row['Energy_Used'])) for row in rows], [11001, 12722, 12906, 36630])
        self.assertEqual([f'{float(row["PCT_Covered"]):.3f}' for row in rows], ['0.325', '0.345', '0.348', '0.949'])
        self.assertRegex(out, r'time +358\.070 s')
        self.assertRegex(out, r'steps +35807\D')

    def test_uav02_the_lookers_of_table_v(self):
        """UAV-02: Of BDBCD's three drones two only look. Where the third, which chance sends about, is home before them, their energies
        are those of rows 1 and 2 of Table V; where it is not, the first one hovers for 480.06 - 470.70 s longer, at 9.81 N."""
        for seed in (2, 3, 5):
            self.fly('--variation', 'bdbcd', '--set', f'seed={seed}', '--set', 'outputs.coverage.cell=0')
            self.assertEqual([float(row['Energy_Used']) for row in self.rows()[:2]], [14545.71, 15982.995])
        self.assertRegex(self.fly('--variation', 'bdbcd', '--set', 'seed=1', '--set', 'outputs.coverage.cell=0'), r'steps +48006\D')
        self.assertAlmostEqual(float(self.rows()[0]['Energy_Used']), 14545.71 + 9.36 * 9.81, delta=0.01)

    def test_uav08_statistics_agree(self):
        self.fly('--variation', 'avbcd', '--set', 'outputs.coverage.cell=0')
        for row in self.rows():
            self.assertEqual(row['PCT_Covered'], '')
            if row['F1']:
                p, r = float(row['Precision']), float(row['Recall'])
                self.assertAlmostEqual(float(row['F1']), 2 * p * r / (p + r), places=5)

    def test_an_end_in_seconds_leaves_points(self):
        out = self.fly('--set', 'time.end=100')
        self.assertRegex(out, r'time +100\.000 s')
        self.assertGreater(int(re.search(r'([0-9]+) points', out).group(1)), 100)

    def test_equal_seeds_give_equal_files(self):
        hashes = set()
        for seed in (1, 1, 2):
            hashes.add(hash_of(self.fly('--variation', 'bdbcd', *FIELD[2:], '--set', f'seed={seed}')))
        self.assertEqual(len(hashes), 2)

    @pytest.mark.long
    def test_a_sweep_merges_statistics(self):
        self.run_program(SWARM, 'sweep', SHARKS, '--out', self.folder, '--jobs', '2', *options(
            'sweep.for.seed=[1, 2]', 'outputs.coverage.cell=0', 'space.boundary=[[0, 0], [90, 0], [90, 60], [0, 60]]'))
        rows = self.rows()
        self.assertEqual(len(rows), 6 * 2 * 4)
        self.assertEqual({row['run'] for row in rows}, {str(run) for run in range(12)})
        self.assertEqual([row['variation'] for row in self.rows('runs.csv')], [v for v in VARIATIONS for _ in range(2)])

    @pytest.mark.long
    def test_bad_input_is_one_line(self):
        for args, text in (
                (('--set', 'space.boundary=[[0, 0], [1, 1]]'), 'space.boundary 3 64'),
                (('--set', 'space.boundary=[[0, 0], [9, 9], [9, 0], [0, 9]]'), 'space.boundary 1 3'),
                (('--set', 'outputs.sensors=s.csv'), 'outputs csv stats coverage counts detections overhead video'),
                (('--set', 'outputs.contacts=s.csv'), 'outputs csv stats coverage counts detections overhead video'),
                (('--variation', 'vehicles', '--set', 'entities.0.params={MPC_THR_MIN: 0.9, MPC_THR_MAX: 0.2}'), 'params MPC_THR_MIN MPC_THR_MAX'),
                (('--set', 'plan.altitude=0.1'), '100000 squares'),
                (('--set', 'outputs.coverage.cell=0.05'), '100000000 cells'),
                (('--set', 'space.boundary=[[0, 0], [0, 9], [0, 4]]'), 'plan square'),
                (('--set', 'entities.0.seeks=whale'), 'object whale'),
                (('--set', 'entities.0.as=vehicle'), 'as: agent body: thrust as: vehicle'),
                (('--set', 'entities.1.place={geo: [47, 8, 400]}'), 'shark place metres'),
                (('--set', 'entities.1.velocity=[1, 0]'), 'shark speed velocity'),
                (('--set', 'plan.kind=bdbcd', '--set', 'plan.base=shark.1'), 'base shark.1'),
                (('--set', 'plan.kind=bdbcd', '--set', 'plan.base=uav'), 'plan base'),
                (('--set', 'plan.kind=bdbcd', '--set', 'entities.0.count=1'), 'plan'),
                (('--set', 'expect=[{never: breach}]'), 'expect'),
                (('--set', 'outputs.kml.file=x.kml'), 'outputs csv stats coverage counts detections overhead video'),
                (('--junit', self.path('x')), '--junit'),
                (('--checkpoint', self.path('x'), '--set', 'outputs.video=x.ppm'), 'outputs video outputs.plots'),
                (('--replay', self.path('x')), '--replay'),
                (('--set', 'hosts.start=1'), 'hosts'),
        ):
            for check in ((), ('--check',)):
                assert_names(self.refused(SHARKS, *args, *check), text)

    @pytest.mark.long
    @unittest.skipUnless(GEOS, 'no libgeos_c: "apt-get install libgeos-dev" installs it')
    def test_uav07_coverage_is_the_union_of_the_pictures(self):
        """GEOS unites the rectangles of all pictures exactly; the raster of 0.5 m differs by less than 0.001."""
        geos = ctypes.CDLL(GEOS)
        for name in ('GEOSGeomFromWKT', 'GEOSUnaryUnion', 'GEOSIntersection'):
            getattr(geos, name).restype = ctypes.c_void_p
        geos.GEOSUnaryUnion.argtypes = [ctypes.c_void_p]
        geos.GEOSIntersection.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        geos.GEOSArea.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double)]
        geos.initGEOS(None, None)
        field = '--set', 'space.boundary=[[0, 0], [250, 0], [250, 100], [100, 250], [0, 250]]'
        total, _ = self.total(*field, '--set', 'outputs.csv.file=way.csv', '--set', 'outputs.csv.every=0.04')
        frames = []
        for row in self.rows('way.csv'):
            e, n, h = float(row['east_m']), float(row['north_m']), float(row['up_m']) * math.tan(0.785)
            heading = math.radians(float(row['heading_deg']))
            ahead, right = (h * math.sin(heading), h * math.cos(heading)), (h * math.cos(heading), -h * math.sin(heading))
            ring = [(e + i * ahead[0] + k * right[0], n + i * ahead[1] + k * right[1]) for i, k in ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 1))]
            if h > 0:
                frames.append('POLYGON((' + ','.join(f'{x:.9f} {y:.9f}' for x, y in ring) + '))')
        seen = geos.GEOSUnaryUnion(geos.GEOSGeomFromWKT(f'GEOMETRYCOLLECTION({",".join(frames)})'.encode()))
        area = geos.GEOSGeomFromWKT(b'POLYGON((0 0, 0 250, 100 250, 250 100, 250 0, 0 0))')
        size, all_of_it = ctypes.c_double(), ctypes.c_double()
        self.assertEqual(geos.GEOSArea(geos.GEOSIntersection(seen, area), ctypes.byref(size)), 1)
        self.assertEqual(geos.GEOSArea(area, ctypes.byref(all_of_it)), 1)
        self.assertEqual(all_of_it.value, 250 * 250 - 150 * 150 / 2)
        self.assertGreater(len(frames), 1000)
        self.assertAlmostEqual(float(total['PCT_Covered']), size.value / all_of_it.value, delta=0.001)

    def test_uav08_the_identity_of_f1_in_what_uavsim_published(self):
        """Rows of the statistics that its repository holds: the same identity."""
        for precision, recall, f1 in ((0.1206896551724138, 0.7, 0.2058823529411765), (0.05357142857142857, 1.0, 0.10169491525423728),
                                      (0.08771929824561403, 0.7692307692307693, 0.15748031496062992)):
            self.assertAlmostEqual(f1, 2 * precision * recall / (precision + recall), places=12)

    @pytest.mark.long
    def test_vehicles_cover_what_agents_cover(self):
        """Over a field, from point to point, and as published by velocities with turns that overshoot."""
        small = '--set', 'space.boundary=[[0, 0], [160, 0], [160, 120], [0, 120]]'
        self.compare('corrected', 'vehicles', *small)
        self.compare('bcd', 'published_vehicles', *FIELD[2:], kinds=('bcd',))
        hashes = {hash_of(self.fly('--variation', 'vehicles', *small, '--set', 'time.end=30')) for _ in range(2)}
        self.assertEqual(len(hashes), 1)

    @pytest.mark.long
    def test_vehicles_cover_a_square_kilometre_as_agents_do(self):
        """As published by velocities, with turns that overshoot; the visitor of BDBCD takes off when it is needed."""
        self.compare('bcd', 'published_vehicles')

    @pytest.mark.long
    def test_a_visitor_takes_off_when_it_is_needed_and_lands(self):
        """With the whole firmware: on the ground without a path, in the air with one, on the ground again."""
        self.fly('--variation', 'vehicles', '--set', 'plan.kind=bdbcd', '--set', 'outputs.csv={file: flown.csv, every: 1}')
        up = [float(row['up_m']) for row in self.rows('flown.csv') if row['name'] == 'uav.3']
        flights = sum(before < 0.5 <= after for before, after in zip(up, up[1:]))
        self.assertGreater(flights, 1)
        self.assertLess(up[0], 0.5)

    def test_exported_plans_are_flown(self):
        plans = self.path('plans')
        out = self.fly(*FIELD, '--export-plans', plans)
        self.assertEqual(sorted(os.listdir(plans)), ['uav.1.plan', 'uav.2.plan', 'uav.3.plan'])
        self.assertEqual(re.findall(r'uav\.[123]\.plan, ([0-9]+) points', out), ['8', '8', '7'])  # 5 x 4 squares, and the station
        command = f'"{FLY}" --land "$MAYFLY_PYMAVLINK_URL" "{plans}/uav.2.plan"'
        self.run_program(MAYFLY, 'exec', '--clock', 'fast', '--', 'sh', '-c', command)
        error = self.fly('--set', 'plan.kind=bcd', '--export-plans', '/dev/null', code=2)
        self.assertIn('--export-plans', error)

    @pytest.mark.long
    def test_uav10_frames_of_a_video_by_hand(self):
        """UAV-10: Without ffmpeg: a picture for each half second. 240 x 180 m are 600 x 450 pixels with 20 around; where the station is stands a
        drone at first; the boundary is dark."""
        out = self.fly(*FIELD, '--set', 'outputs.video=team.mp4', '--set', 'plan.speed=10', env={**os.environ, 'PATH': self.folder})
        seconds = float(re.search(r'time +([0-9.]+) s', out)[1])
        frames = sorted(name for name in os.listdir(self.folder) if name.endswith('.ppm'))
        self.assertEqual(len(frames), int(seconds / 0.5))
        assert_names(out, f'ffmpeg {len(frames)} team-00001.ppm')
        header, pixels = self.bytes(frames[0]).split(b'\n255\n', 1)
        self.assertEqual(header, b'P6\n490 640')
        self.assertEqual(len(pixels), 490 * 640 * 3)
        self.assertEqual(pixels[(20 * 490 + 245) * 3:][:3].hex(), '303030')  # the northern boundary
        self.assertEqual(pixels[(10 * 490 + 245) * 3:][:3].hex(), 'ffffff')  # beyond it

    @pytest.mark.long
    def test_uav10_ffmpeg_gets_the_frames(self):
        """UAV-10."""
        env = {**os.environ, 'PATH': f'{self.folder}:{os.environ["PATH"]}'}
        fake = self.write('ffmpeg', '#!/bin/sh\nfor last; do :; done\necho "$@" >"$last"\nwc -c >>"$last"\n')
        os.chmod(fake, os.stat(fake).st_mode | stat.S_IXUSR)
        out = self.fly(*FIELD, '--set', 'outputs.video={file: team.mp4, every: 1, fps: 10}', env=env)
        frames = int(float(re.search(r'time +([0-9.]+) s', out)[1]))
        arguments, count = self.text('team.mp4').splitlines()
        self.assertIn('-framerate 10', arguments)
        self.assertEqual(int(count), frames * (len('P6\n490 640\n255\n') + 490 * 640 * 3))
        self.write('ffmpeg', '#!/bin/sh\ncat >/dev/null; exit 1\n')
        assert_names(self.fly(*FIELD, '--set', 'outputs.video=team.mp4', env=env, code=2), 'video')

    @pytest.mark.long
    def test_uav16_plots_have_a_switch(self):
        """UAV-16: Off, no file is there, and the run is the same; the report has Table VI's columns: simulated and real time, steps a second."""
        plots = '--set', 'outputs.overhead=team.svg', '--set', 'outputs.video=team.ppm'
        drawn = self.fly(*FIELD, *plots)
        self.assertIn('team-00001.ppm', os.listdir(self.folder))
        svg = xml.etree.ElementTree.parse(self.path('team.svg'))
        kinds = [element.tag.split('}')[1] for element in svg.iter()]
        self.assertEqual([kinds.count('polyline'), kinds.count('polygon'), kinds.count('circle')], [3, 1, 5 + 3 + 8 + 1])
        for name in os.listdir(self.folder):
            os.unlink(self.path(name))
        plain = self.fly(*FIELD, *plots, '--set', 'outputs.plots=false')
        self.assertEqual(os.listdir(self.folder), ['sharks.csv'])
        self.assertEqual(hash_of(drawn), hash_of(plain))
        simulated, _, cpu = map(float, re.search(r'time +([0-9.]+) s\D+([0-9.]+) s\D+([0-9.]+) s', plain).groups())
        steps, rate = map(int, re.search(r'steps +([0-9]+), ([0-9]+) ', plain).groups())
        self.assertAlmostEqual(steps, simulated / 0.01, delta=0.5)
        self.assertAlmostEqual(steps / rate, cpu, delta=0.001)

    def test_uav11_the_report_says_steps_a_second(self):
        """UAV-11: Their limits stand in ci/budgets (make bench): search.detection, search.coverage."""
        self.assertRegex(self.fly(*FIELD), r'steps +[0-9]+, [0-9]+ ')

    def test_uav14_objects_of_a_file(self):
        """UAV-14: Objects have a place, as any entity, a velocity, a height, a type and a name: by hand after 10 s. A team seeks all of a
        type, whatever their entities are called; show lists them."""
        shown = self.swarm(OBJECTS, '--step', input='show\nstep 100\nshow\n')
        first, then = shown.split('step 0> ')[1:2], shown.split('step 100> ')[1]
        for name, line in (('bruce', 'at 100.0,200.0,-3.0 shark'), ('pack.1', 'at 10.0,20.0,0.0 shark'), ('pack.2', 'at 30.0,40.0,5.0 shark'),
                           ('rock.4', 'at 57.0,67.0,-1.0 rock')):
            self.assertRegex(first[0], rf'(?m)^(?:step 0> )?{re.escape(name)} +{line.replace(" ", " +")}, not spotted')
        self.assertRegex(then, r'(?m)^bruce +at 110\.0,205\.0,-2\.0 +shark')
        for e, n in re.findall(r'(?m)^fish\.\d +at ([0-9.]+),([0-9.]+),0\.0 ', then):
            self.assertLess(math.hypot(float(e) - 100, float(n) - 100), 20.1)
        self.assertEqual(len(re.findall('(?m)^fish', then)), 3)

    def test_uav08_detections_are_listed_and_counted(self):
        """UAV-08: A row per detection, whose sums are the counts of each searcher, of which precision and recall follow. No run changes."""
        out = self.fly('--variation', 'avbcd', '--set', 'outputs.coverage.cell=0', '--set', 'outputs.detections=seen.csv', '--set',
                       'outputs.counts=counts.csv')
        plain = self.fly('--variation', 'avbcd', '--set', 'outputs.coverage.cell=0', out='plain')
        self.assertEqual(hash_of(out), hash_of(plain))
        seen = self.rows('seen.csv')
        self.assertEqual(list(seen[0]), ['time_s', 'name', 'object', 'type', 'north_m', 'east_m', 'up_m', 'report'])
        for counts, row in zip(self.rows('counts.csv'), self.rows()):
            self.assertEqual(counts['Name'], row['Name'])
            mine = [one for one in seen if row['Name'] in ('Total', one['name'])]
            right, wrong = (sum(one['report'] == what for one in mine) for what in ('right', 'wrong'))
            self.assertEqual([int(counts[key]) for key in ('True_Positives', 'False_Positives')], [right, wrong])
            self.assertAlmostEqual(float(row['Precision']), right / (right + wrong), places=6)
            self.assertAlmostEqual(float(row['Recall']), right / (right + int(counts['False_Negatives'])), places=6)
            self.assertGreater(int(counts['True_Negatives']), 0)
        self.assertEqual({one['type'] for one in seen if one['report'] == 'right'}, {'shark'})
        self.assertTrue({one['type'] for one in seen if one['report'] == 'wrong'} <= {'fish', 'rock'})
        self.assertTrue(all(one['object'].startswith(one['type'] + '.') for one in seen))
        self.assertEqual(seen, sorted(seen, key=lambda one: float(one['time_s'])))
        assert_names(self.refused(SHARKS, '--set', 'outputs.detections=a.csv', '--set', 'outputs.counts=a.csv'), 'outputs a.csv')

    def test_examples_of_the_paper(self):
        """UAV-05, UAV-13, UAV-14: As they stand, with a picture each: a wind of 9 m/s, objects of all kinds, two base drones."""
        for name, members, things in (('wind', 3, 5), ('objects', 2, 10), ('bases', 4, 8)):
            out = self.swarm(os.path.join(UAVSIM, name + '.yaml'))
            self.assertRegex(out, r'\D0 points')
            kinds = [element.tag.split('}')[1] for element in xml.etree.ElementTree.parse(self.path(name + '.svg')).iter()]
            self.assertEqual([kinds.count('polyline'), kinds.count('circle')], [members, things + 1])
        self.assertEqual({row['type'] for row in self.rows('detections.csv')}, {'shark', 'rock', 'fish'})

    def test_uav05_several_bases_visit(self):
        """UAV-05: Two of four visit, as a list names them: both fly low. As published the first one takes all reports, and the other stays."""
        for team, flies in (('corrected', True), ('bcd', False)):
            self.fly('--variation', team, *options('plan.kind=bdbcd', 'plan.base=[uav.3, uav.4]', 'entities.0.count=4', 'outputs.coverage.cell=0',
                                                   'outputs.csv={file: way.csv, every: 0.5}'))
            way = self.rows('way.csv')
            lowest = {name: [float(row['up_m']) for row in way if row['name'] == name and float(row['north_m']) + float(row['east_m']) > 200]
                      for name in ('uav.3', 'uav.4')}
            self.assertTrue(any(14 < up < 16 for up in lowest['uav.3']), team)
            self.assertEqual(any(14 < up < 16 for up in lowest['uav.4']), flies, team)
            self.assertEqual(float(self.rows()[3]['Energy_Used']) > 0, flies)

    def test_uav13_wind_and_obstacles_of_a_file(self):
        calm, _ = self.total(*FIELD)
        windy, _ = self.total(*FIELD, '--set', 'space.weather.wind=[8, 270]')
        self.assertGreater(float(windy['Energy_Used']), 1.05 * float(calm['Energy_Used']))
        walls = '--set', 'space.obstacles=[{at: [60, 70, 0], size: [60, 20, 50]}, {kind: cylinder, at: [180, 120, 0], radius: 8, height: 60}]'
        _, out = self.total(*FIELD, *walls, '--set', 'outputs.csv={file: way.csv, every: 0.05}', '--set', 'plan.clearance=20')
        self.assertGreater(int(re.search(r'([0-9]+) refused', out)[1]), 0)
        for row in self.rows('way.csv'):
            e, n, u = (float(row[key]) for key in ('east_m', 'north_m', 'up_m'))
            self.assertFalse(70 < e < 90 and 60 < n < 120 and u < 50, row)
            self.assertFalse(math.hypot(e - 120, n - 180) < 8 and u < 60, row)

    def test_uav13_a_body_flies_as_far_as_its_limits(self):
        """UAV-13: Against a wind that is stronger than the thrust of its back, 9 m/s, a team covers its field. What a body of 2 kg,
        40 N and 23.33 m/s cannot do is refused before the start, and what only shows in flight ends the run, with the limit."""
        total, out = self.total(*FIELD, '--set', 'space.weather.wind=[9, 0]')
        self.assertRegex(out, r'\D0 points')
        self.assertGreater(float(total['PCT_Covered']), 0.999)
        for change, what in (('plan.speed=25', ':19 plan.speed 25 23.33 uav 40'), ('space.weather.wind=[24, 0]', 'space.weather.wind uav 23.33 24'),
                             ('entities.0.body.up=19', ':8 uav body.up 19 19.62')):
            for check in ((), ('--check',)):
                assert_names(self.refused(SHARKS, *FIELD, '--set', change, *check), what)
        assert_names(self.fly('--set', 'space.weather.wind=[25, 0]', code=2), ':19 plan member 1 60 s wind 25.0 23.3')

    def test_sbe01_another_process_goes_on(self):
        """SBE-01: The samples of both are those of one process, and so are statistics and hash; with vehicles, too, which fly at 9.5 s."""
        checkpoint = self.path('search.checkpoint')
        for field in (FIELD, ('--variation', 'vehicles', *FIELD[2:])):
            args = (*field, '--set', 'time.end=30', '--set', 'outputs.csv={file: way.csv, every: 0.5}')
            whole = self.fly(*args, out='whole')
            self.fly(*args, '--checkpoint', checkpoint, '--at', '9.504', out='first')
            out = self.fly(*args, '--resume', checkpoint, out='second')
            self.assertEqual(hash_of(out), hash_of(whole))
            self.assertEqual(self.text('second', 'sharks.csv'), self.text('whole', 'sharks.csv'))
            self.assertEqual(self.text('first', 'way.csv') + self.text('second', 'way.csv').split('\n', 1)[1], self.text('whole', 'way.csv'))

    def test_a_profile_counts_steps(self):
        out = self.fly(*FIELD, '--set', 'time.end=5', '--profile', self.path('costs.csv'))
        self.assertEqual(sum(int(row['bodies_steps']) for row in self.rows('costs.csv')), 500)
        self.assertRegex(out, r'steps +500,')

    def test_what_does_not_fit_is_said(self):
        for rest, why in (('time: {end: 20}, space: {weather: {wind: [-5, 90]}}, entities: [{name: v}]', 'space.weather.wind 0'),
                          ('time: {end: 1}, entities: [{name: v}], outputs: {video: a.mp4}', 'outputs video plan'),
                          ('time: {end: 1}, entities: [{seeks: shark}]', 'seeks battery plan planner space.cells')):
            with self.subTest(why):
                assert_names(self.swarm(f'{{swarm: 1, {rest}}}\n', code=2), why)
