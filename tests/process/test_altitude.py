# SPDX-License-Identifier: Apache-2.0
"""Altitudes and the models behind them, as users see them: --geoid and its kin, start log, recordings, and a flight
through a volume that was planned above the ellipsoid (SIM-040, SIM-041)."""
import functools
import json
import re
import struct
import subprocess
import unittest
import zlib

import pytest

from drone import Drone, run
from folder_case import FolderCase
from mavlink import GPS_RAW_INT
from names import assert_names
from paths import CONFORM, built
from recordings import RecordedCase, recording, records, replay, sent

HOME = (47.397742, 8.545594, 488.0)
UNDULATION = 47.2374        # EGM96 15' there, cubic, by GeographicLib's GeoidEval
BILINEAR_AT, CUBIC_AT, HASH = 192, 224, 32      # in the header of a pack


@functools.cache
def embedded():
    """The pack in the program, as bytes."""
    with open(built('made/egm96.c'), encoding='ascii') as f:
        return ''.join(re.findall(r'(?:\\\d{3})+', f.read())).encode().decode('unicode_escape').encode('latin-1')


def print_config(*args):
    return run('--print-config', *args)


class Settings(FolderCase):
    def refused(self, *args, what):
        result = run(*args)
        self.assertEqual(result.returncode, 2, (args, result.stderr))
        self.assertEqual(result.stderr.count('\n'), 1, result.stderr)
        assert_names(result.stderr.replace(self.folder + '/', ''), what)
        self.assertEqual(print_config(*args).returncode, 2)

    def test_sim040_the_model_is_told(self):
        fingerprint = embedded()[CUBIC_AT:CUBIC_AT + HASH].hex()
        told = f'geoid egm96, cubic, frame none, epoch none, fingerprint {fingerprint}, '
        result = print_config()
        self.assertEqual(result.returncode, 0)
        self.assertIn(f'# {told}', result.stdout)
        self.assertIn('geoid: ["egm96"]\n', result.stdout)
        self.assertAlmostEqual(float(result.stdout.split(told)[1].split(' m')[0]), UNDULATION, delta=0.002)
        with Drone() as drone:
            drone.port()
            drone.wait_for(f'^ +fingerprint {fingerprint},$')    # a line of its own: the greeting has narrow lines
        self.assertIn('# geoid none, 0.0000 m', print_config('--geoid', 'none').stdout)
        self.assertIn('# geoid constant, -7.5000 m', print_config('--geoid', 'constant:-7.5').stdout)

    def test_sim040_a_pack_in_a_file(self):
        pack = self.write('a.mfpk', embedded())
        same = print_config().stdout.splitlines()[-1]
        self.assertEqual(print_config('--geoid', f'egm96:{pack}').stdout.splitlines()[-1], same)

    def test_sim040_what_is_wrong_with_a_pack(self):
        good, pack = embedded(), self.path('a.mfpk')
        self.refused('--geoid', f'egm96:{pack}', what='--geoid egm96 a.mfpk No such file or directory geoid pack')
        for bad in (b'', b'MFPK', good[:259], good[:-1], good[:100] + b'x' + good[101:]):
            self.write('a.mfpk', bad)
            self.refused('--geoid', f'egm96:{pack}', what='--geoid egm96 a.mfpk geoid pack')
        self.write('a.mfpk', good)
        self.refused('--geoid', f'egm2008:{pack}', what='--geoid egm2008 a.mfpk egm96 egm96:a.mfpk')
        self.refused('--geoid', 'none,egm96', what='--geoid egm96 none')
        self.refused('--geoid', f'egm96,egm96:{pack}', what='--geoid egm96 egm96')
        index = 260     # where the tiles' data begin, and their checksums: all of them are wrong now
        tiles = struct.unpack_from('<I', good, index)[0]
        self.write('a.mfpk', good[:tiles] + bytes(b ^ 1 for b in good[tiles:]))
        self.refused('--geoid', f'egm96:{pack}', what='--geoid 47.3977420 8.5455940')

    def test_sim040_the_embedded_model_may_end_a_list(self):
        good = bytearray(embedded())
        good[64:96] = b'earth'.ljust(32, b'\0')     # another model's name, of the whole Earth
        good[256:260] = struct.pack('<I', zlib.crc32(good[:256]))
        pack = self.write('a.mfpk', good)
        result = print_config('--geoid', f'earth:{pack},egm96')
        self.assertEqual((result.returncode, result.stderr), (0, ''))
        self.assertIn('# geoid earth, cubic', result.stdout)
        self.refused('--geoid', f'egm96,earth:{pack}', what='--geoid earth egm96')

    def test_sim041_the_fingerprint_that_planning_has(self):
        good = embedded()
        bilinear, cubic = (good[at:at + HASH].hex() for at in (BILINEAR_AT, CUBIC_AT))
        service = ('--elevation-service', 'http://elevation')
        self.assertIn('cubic', print_config('--geoid-fingerprint', cubic).stdout.splitlines()[-1])
        self.assertIn('cubic', print_config('--geoid-fingerprint', cubic.upper()).stdout.splitlines()[-1])
        self.refused('--geoid-fingerprint', bilinear, what=f'--geoid-fingerprint {bilinear} egm96 cubic {cubic}')
        self.assertIn('bilinear', print_config('--geoid-fingerprint', bilinear, '--geoid-interpolation',
                                               'bilinear').stdout.splitlines()[-1])
        self.assertIn('egm96, bilinear', print_config('--geoid-fingerprint', bilinear, *service).stdout)
        self.refused('--geoid-fingerprint', bilinear, '--geoid-interpolation', 'cubic', *service,
                     what=f'--geoid-fingerprint {bilinear} egm96 cubic {cubic}')
        self.refused('--geoid-fingerprint', cubic, '--geoid', 'none', what=f'--geoid-fingerprint {cubic} none')


class Recordings(RecordedCase):
    @pytest.mark.long
    def test_sim041_sim042_a_recording_names_its_models(self):
        fingerprint = embedded()[CUBIC_AT:CUBIC_AT + HASH].hex()
        self.fly('--clock', 'fast', more=())
        self.assertIn(f'geoid=egm96 {fingerprint}', self.settings())
        self.replays()
        other = 'f' * 64
        self.write(self.flight, recording((kind, p.replace(fingerprint.encode(), other.encode())) for kind, p in records(self.recorded())))
        result = replay(self.flight)
        self.assertEqual(result.returncode, 2)
        assert_names(result.stderr, f'egm96 {other} {fingerprint}')

    def test_sim041_sim042_other_models_are_replayed_with_their_packs(self):
        pack = embedded().replace(b'egm96\0\0', b'egm07\0\0', 1)
        pack = pack[:256] + struct.pack('<I', zlib.crc32(pack[:256])) + pack[260:]
        path = self.write('a.mfpk', pack)
        self.fly('--clock', 'fast', '--geoid', f'egm07:{path}', '--geoid-interpolation', 'bilinear', more=())
        self.assertIn('geoid=egm07 ' + pack[BILINEAR_AT:CUBIC_AT].hex(), self.settings())
        result = replay(self.flight)
        self.assertEqual(result.returncode, 2)
        assert_names(result.stderr, 'egm07 --geoid egm07:FILE')
        self.replays('--geoid', f'egm07:{path}')
        for models in ('none', 'constant:12.3456789'):
            self.fly('--clock', 'fast', '--geoid', models, more=())
            self.replays()


def plan(places, alt_amsl):
    """A plan for QGroundControl with absolute altitudes: take off, visit the places, come back."""
    def item(number, command, lat, lon, alt):
        return {'type': 'SimpleItem', 'autoContinue': True, 'command': command, 'doJumpId': number, 'frame': 0,
                'params': [0, 0, 0, None, lat, lon, alt]}
    items = [item(1, 22, *places[0], alt_amsl)]
    items += [item(2 + i, 16, *place, alt_amsl) for i, place in enumerate(places)]
    items.append({'type': 'SimpleItem', 'autoContinue': True, 'command': 20, 'doJumpId': len(items) + 1, 'frame': 2,
                  'params': [0] * 7})
    return {'fileType': 'Plan', 'groundStation': 'QGroundControl', 'version': 1,
            'geoFence': {'circles': [], 'polygons': [], 'version': 2}, 'rallyPoints': {'points': [], 'version': 2},
            'mission': {'cruiseSpeed': 10, 'hoverSpeed': 5, 'firmwareType': 12, 'vehicleType': 2, 'version': 2,
                        'globalPlanAltitudeMode': 2, 'items': items, 'plannedHomePosition': list(HOME)}}


class Volumes(RecordedCase):
    """A planner has volumes in WGS84 and EGM96; it turns altitudes into those above the sea level by its own lookup,
    that of GeoidEval. Within 250 m of Zurich's place of reference the geoid falls by less than 5 cm."""
    CRUISE = 560.0                              # of all legs, above the ellipsoid
    PLACES = [(HOME[0], HOME[1]), (HOME[0] + 0.002, HOME[1]), (HOME[0] + 0.002, HOME[1] + 0.003),
              (HOME[0], HOME[1] + 0.003), (HOME[0], HOME[1])]
    COLUMN = (HOME[2] + UNDULATION - 0.5, CRUISE + 60.0)        # over home: up, and down from the return
    SLAB = (CRUISE - 0.25, CRUISE + 0.25)
    HOME_RADIUS = 1e-5                          # deg

    def samples(self):
        """(lat, lon, alt above the ellipsoid) of each GPS_RAW_INT that the drone sent."""
        found = []
        for _, message, fields in sent(self.recorded()):
            if message == GPS_RAW_INT:
                lat, lon, _ = struct.unpack_from('<3i', fields, 8)
                found.append((lat / 1e7, lon / 1e7, struct.unpack_from('<i', fields, 30)[0] / 1e3))
        return found

    def outside(self, sample):
        lat, lon, alt = sample
        over_home = abs(lat - HOME[0]) < self.HOME_RADIUS and abs(lon - HOME[1]) < self.HOME_RADIUS
        low, high = self.COLUMN if over_home else self.SLAB
        inside = (HOME[0] - self.HOME_RADIUS <= lat <= HOME[0] + 0.00201 and
                  HOME[1] - self.HOME_RADIUS <= lon <= HOME[1] + 0.00301)
        return not (inside and low <= alt <= high)

    def flown(self, geoid):
        path = self.write('a.plan', json.dumps(plan(self.PLACES, self.CRUISE - UNDULATION)))
        self.fly('--clock', 'fast', '--geoid', geoid, '--stream', 'GPS_RAW_INT=20', '--param', 'RTL_RETURN_ALT=60', more=(path,))
        samples = self.samples()
        self.assertGreater(len(samples), 1000)
        return samples

    def test_sim041_a_flight_conforms_to_a_volume_that_was_planned_by_the_same_model(self):
        self.assertEqual([s for s in self.flown('egm96') if self.outside(s)], [])

    def test_sim041_with_the_sea_level_at_the_ellipsoid_it_does_not(self):
        samples = self.flown('none')
        away = [s for s in samples if abs(s[0] - HOME[0]) > self.HOME_RADIUS]
        self.assertGreater(len(away), 500)
        self.assertTrue(all(self.outside(s) for s in samples))      # not one of them, not even on the ground
        for sample in away:
            self.assertAlmostEqual(sample[2], self.CRUISE - UNDULATION, delta=0.002)


class Sessions(unittest.TestCase):
    def conform(self, script, *args):
        return subprocess.run([CONFORM, *args, '-'], input=script, capture_output=True, text=True, timeout=60, check=False)

    def test_sim041_sessions_name_models_too(self):
        fingerprint = embedded()[BILINEAR_AT:CUBIC_AT].hex()
        for line in ('', 'set geoid=egm96\n', f'set geoid=egm96 {fingerprint}\n', 'set geoid=none\n',
                     'set geoid=constant:-3.25\n'):
            result = self.conform(line + 'boot\nopen 0 sim\nrun 1\n')
            self.assertEqual(result.returncode, 0, result.stderr)
        for line, what in ((f'geoid=egm96 {"0" * 64}', f'geoid egm96 {"0" * 64} {fingerprint}'),
                           ('geoid=egm96 12', 'geoid 12'), ('geoid=constant:x', 'constant x'), ('geoid=navd88', 'navd88 --geoid navd88:FILE')):
            result = self.conform(f'set {line}\nboot\n')
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, what)
        for value, what in (('egm96', '--geoid egm96 MODEL:FILE'), ('egm96:/dev/null', '/dev/null'), ('egm96:/nowhere', '/nowhere')):
            result = self.conform('boot\n', '--geoid', value)
            self.assertEqual(result.returncode, 2)
            assert_names(result.stderr, what)
