# SPDX-License-Identifier: Apache-2.0
"""mayfly-swarm plot: plots of the tables of a run and of a sweep, as SVG."""
import importlib.util
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as xml

from names import assert_names, one
from paths import HAS_MATPLOTLIB, SCENARIOS, SWARM, TOP
from swarm_case import SwarmCase

PROGRAM = os.path.join(TOP, 'tools', 'plot', 'plot.py')
SVG = '{http://www.w3.org/2000/svg}'
ENTITIES = '''entities:
  - {name: a, count: 2, place: {list: [[0, 0], [0, 40]]}, plan: hop.waypoints}
  - {name: b, place: [300, 0], plan: hop.waypoints}
'''


def texts(path):
    """The words of a picture: title, axes, legend."""
    return [''.join(text.itertext()).strip() for text in xml.parse(path).getroot().iter(SVG + 'text')]


@unittest.skipUnless(HAS_MATPLOTLIB, 'python3-matplotlib is not installed: "sh ci/deps.sh plot" installs it')
class Plots(SwarmCase):
    def plot(self, *args, code=0):
        """The files that it has written; of exit code 2 its line."""
        said = self.run_program(SWARM, 'plot', *args, code=code)
        return said if code else [os.path.relpath(path, self.folder) for path in re.findall(r'^wrote +(.+), [\d.]+ kB$', said, re.M)]

    def test_each_table_has_its_plots(self):
        self.swarm(ENTITIES + 'outputs: {csv: s.csv, events: e.csv, kml: s.kml}\n', '--profile', self.path('p.csv'))
        self.write('other.csv', 'a,b\n1,2\n')
        self.assertEqual(self.plot(self.folder), ['e-events.svg', 'p-cost.svg', 's-tracks.svg', 's-altitude.svg', 's-spacing.svg'])
        self.assertLessEqual({'Tracks from above of s.csv', 'east of the start of a.1 [m]', 'north of the start of a.1 [m]', 'a', 'b'}, set(texts(self.path('s-tracks.svg'))))
        self.assertLessEqual({'landed', 'finished', 'number so far'}, set(texts(self.path('e-events.svg'))))
        first = self.text('s-tracks.svg')
        self.assertEqual(self.plot(self.path('s.csv'), 'tracks'), ['s-tracks.svg'])
        self.assertEqual(self.text('s-tracks.svg'), first)     # the same bytes each time

    def test_runs_of_a_sweep_have_the_names_of_their_variations(self):
        self.run_program(SWARM, 'sweep', os.path.join(SCENARIOS, 'ring.yaml'), '--set', 'entities.0.count=3', '--out', self.path('sweep'))
        self.assertEqual(self.plot(self.path('sweep'), 'tracks'), ['sweep/ring-tracks.svg'])
        names = {'run 0 plain', 'run 1 slow', 'run 2 physics'}
        self.assertLessEqual(names, set(texts(self.path('sweep/ring-tracks.svg'))))
        self.run_program('python3', os.path.join(SCENARIOS, 'picture.py'), self.path('sweep/ring.csv'), self.path('ring.svg'))
        self.assertLessEqual(names, set(texts(self.path('ring.svg'))))

    def test_searches_radios_sensors_and_worlds_of_cells(self):
        self.run_program(SWARM, os.path.join(SCENARIOS, 'sharks.yaml'), '--out', self.folder, '--set', 'outputs.plots=false', '--set', 'outputs.csv=ways.csv',
                         '--set', 'outputs.detections=found.csv', '--set', 'outputs.counts=counts.csv')
        for name in ('radios', 'sensors', 'package_delivery'):
            self.run_program(SWARM, os.path.join(SCENARIOS, f'{name}.yaml'), '--out', self.folder)
        drawn = {name.rsplit('-', 1)[1] for name in self.plot(self.folder)}
        self.assertLessEqual({f'{name}.svg' for name in ('coverage', 'counts', 'detections', 'radio', 'sensors', 'tasks', 'tracks', 'altitude', 'spacing')},
                             drawn)
        self.assertLessEqual({'uav.1', 'Total', 'area covered'}, set(texts(self.path('sharks-coverage.svg'))))

    def test_what_cannot_be_plotted_is_one_line(self):
        self.write('other.csv', 'a,b\n1,2\n')
        for args, what in (((self.path('none'),), f'{one(self.path("none"))} No such file or directory'), ((self.folder,), f'{one(self.folder)} --out'),
                           ((self.folder, 'track'), 'track tracks altitude')):
            said = subprocess.run([SWARM, 'plot', *args], capture_output=True, text=True, check=False)
            self.assertEqual((said.returncode, said.stderr.count('\n')), (2, 1), said.stderr)
            assert_names(said.stderr.replace(',', ' '), what)

    def test_figures(self):
        """Against WGS84 (0.002 deg of latitude at 47.4 deg are 222.36 m, as the tests of missions have it) and every pair of 300 places."""
        spec = importlib.util.spec_from_file_location('plot', PROGRAM)
        plot = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(plot)
        head = ['t_s', 'member', 'lat_deg', 'lon_deg', 'alt_amsl_m']
        table = plot.Table('s.csv', head, [('0', 'a', '47.397742', '8.545594', '488'), ('0', 'b', '47.399742', '8.545594', '518'),
                                           ('1', 'a', '47.397742', '8.547594', '488')])
        east, north, up = plot.places(table)
        self.assertAlmostEqual(north[1], 222.36, delta=0.01)
        self.assertAlmostEqual(east[2], 150.98, delta=0.05)      # cos(47.397742 deg) * 2e-3 deg * 6,389,946 m, the normal's radius there
        self.assertEqual((east[0], north[0], list(up)), (0, 0, [488, 518, 488]))
        places = [[(7 * i * i) % 211, (13 * i) % 97, i % 5] for i in range(300)]
        least = sorted(min(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for k, q in enumerate(places) if k != i) for i, p in enumerate(places))
        for found, expected in zip(sorted(plot.nearest(plot.np.array(places, dtype=float))), least):
            self.assertAlmostEqual(found, expected, places=9)


class Without(SwarmCase):
    def test_without_the_program_it_is_named(self):
        shutil.copy(SWARM, self.path('mayfly-swarm'))
        said = subprocess.run([self.path('mayfly-swarm'), 'plot', '.'], capture_output=True, text=True, check=False, env={'PATH': self.folder})
        self.assertEqual((said.returncode, said.stderr.count('\n')), (2, 1))
        assert_names(said.stderr, 'plot mayfly-swarm-plot No such file or directory')
