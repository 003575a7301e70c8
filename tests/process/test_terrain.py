# SPDX-License-Identifier: Apache-2.0
"""Terrain as users see it: geoid pack, --terrain, what is refused at the start, and replay (SIM-029, SIM-040)."""
import re
import struct
import subprocess

from drone import Drone, run
from names import assert_names
from paths import GEOID
from recordings import RecordedCase, replay

HOME = ('--home', '47.397742,8.545594,500')


def geoid(*args):
    return subprocess.run((GEOID, *args), capture_output=True, text=True, check=False)


class Terrain(RecordedCase):
    def hgt(self, height=lambda row, column: 497, side=5):
        """N47E008: `side` rows from north, big-endian."""
        return self.write('N47E008.hgt', struct.pack(f'>{side * side}h', *(height(i // side, i % side) for i in range(side * side))))

    def pack(self, *args):
        result = geoid('pack', '--out', self.path('dem.mfpk'), *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.path('dem.mfpk')

    def refused(self, *args, what):
        result = run(*args)
        self.assertEqual((result.returncode, result.stderr.count('\n')), (2, 1), result.stderr)
        assert_names(result.stderr.replace(self.folder + '/', ''), f'mayfly --terrain {what}')
        self.assertEqual(run('--print-config', *args).returncode, 2)

    def ground(self, *args):
        """Where it says that it stands [m]."""
        result = run('--print-config', *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return float(re.search(r'terrain of .*? ([\d.]+) m', result.stdout).group(1))

    def test_sim029_home_stands_on_the_ground(self):
        pack = self.pack(self.hgt())
        self.assertEqual(self.ground('--terrain', pack, *HOME), 497)
        with Drone('--terrain', pack, *HOME) as drone:
            drone.port()
            drone.wait_for(r'terrain .* 497\.00 m, -3\.00 m ')

    def test_sim029_a_home_that_disagrees_is_refused(self):
        pack = self.pack(self.hgt())
        self.refused('--terrain', pack, '--home', '47.397742,8.545594,507.5',
                     what='507.50 47.3977420 8.5455940 497.00 home.alt home_terrain_tolerance')
        self.assertEqual(self.ground('--terrain', pack, '--home', '47.397742,8.545594,507.0'), 497)
        self.assertEqual(self.ground('--terrain', pack, '--home', '47.397742,8.545594,0',
                                     '--home-terrain-tolerance', '500'), 497)

    def test_sim029_between_nodes_by_hand(self):
        """Rows a quarter of a degree apart, 48 N first: 47.397742 is 0.409032 of a cell below 47.5."""
        pack = self.pack('--quantum', '0.001', self.hgt(lambda row, column: 490 + 10 * (row == 3)))
        self.assertAlmostEqual(self.ground('--terrain', pack, *HOME), 490 + 10 * 0.409032, delta=0.006)

    def test_voids_are_unknown(self):
        pack = self.pack(self.hgt(lambda row, column: -32768 if column == 2 else 497))
        shown = run('--print-config', '--terrain', pack, *HOME)
        self.assertEqual(shown.returncode, 0)
        assert_names(shown.stdout, 'terrain home 500.00')

    def test_heights_move_from_one_model_to_another(self):
        """EGM96's undulation at home, 47.2374 m, is what lies between heights above it and above the ellipsoid."""
        grid = self.hgt()
        at = geoid('at', '47.397742,8.545594')
        undulation = float(at.stdout)
        self.assertAlmostEqual(undulation, 47.2374, delta=0.002)
        side = 121      # nodes as near as the geoid needs to be linear between them
        grid = self.hgt(side=side)
        pack = self.pack('--quantum', '0.001', '--geoid', 'none', grid)
        self.assertAlmostEqual(self.ground('--geoid', 'none', '--terrain', pack, '--home', '47.397742,8.545594,544'),
                               497 + undulation, delta=0.006)
        pack = self.pack('--quantum', '0.001', '--heights-on', 'none', grid)
        self.assertAlmostEqual(self.ground('--terrain', pack, '--home', '47.397742,8.545594,450'), 497 - undulation, delta=0.006)
        self.refused('--geoid', 'none', '--terrain', pack, *HOME,
                     what='dem.mfpk egm96 geoid pack --geoid')

    def test_what_is_wrong_with_a_pack(self):
        self.refused('--terrain', self.path('no.mfpk'), what='no.mfpk geoid pack')
        self.refused('--terrain', self.hgt(), what='N47E008.hgt geoid pack')
        pack = self.pack(self.hgt())
        self.refused('--terrain', ','.join([pack] * 9), what='8')

    def test_a_recording_names_its_terrain(self):
        pack = self.pack(self.hgt())
        self.fly('--clock', 'fast', '--terrain', pack, *HOME, more=())
        self.replays('--terrain', pack)
        alone = replay(self.flight)
        self.assertNotEqual(alone.returncode, 0)
        self.assertIn('give --terrain FILE', alone.stderr + alone.stdout)
