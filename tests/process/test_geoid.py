# SPDX-License-Identifier: Apache-2.0
"""build/geoid as its users see it (SIM-039 .. 041): packs of published grids, places, checks, damage.

What needs the grids and oracles of ../shared/data/geoid is skipped, and says so, where they are not;
test_geoid_published.py packs the large ones.
"""
import hashlib
import math
import os
import struct
import tempfile

import pytest

from geoid_case import GEOID99, GeoidCase, at, data, geoid, gtx, needs_grids, noaa_bin
from names import assert_names

EGM96_GTX = '/usr/share/proj/egm96_15.gtx'
HEADER_BYTES = 260  # of a pack: docs/geoid.md


def geotiff(path, north, west, size, epsg, target_epsg, value=lambda row, column: 20.0, first='north'):
    """One strip of float32, a minute apart, as PROJ's: points, and GDAL's metadata if there is a target. `value` counts rows from north;
    `first` is the first row of the file: 'north', 'south' by a negative scale, or 'south, transformed' as GDAL writes it."""
    rows_, columns = size
    xml = b'<GDALMetadata>\n  <Item name="target_crs_epsg_code">%d</Item>\n</GDALMetadata>\0' % target_epsg if target_epsg else b''
    keys = struct.pack('<16H', 1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, epsg)
    up = first == 'north'
    place = ({34264: (12, struct.pack('<16d', 1 / 60, 0, 0, west, 0, 1 / 60, 0, north - (rows_ - 1) / 60, *[0] * 7, 1))} if ',' in first else
             {33550: (12, struct.pack('<3d', 1 / 60, 1 / 60 if up else -1 / 60, 0.0)),
              33922: (12, struct.pack('<6d', 0, 0, 0, west, north if up else north - (rows_ - 1) / 60, 0))})
    extras = {**place, 34735: (3, keys), 42112: (2, xml)}
    pixels = b''.join(struct.pack('<f', value(row if up else rows_ - 1 - row, column)) for row in range(rows_) for column in range(columns))
    entries = [(256, 4, 1, columns), (257, 4, 1, rows_), (258, 3, 1, 32), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 0), (277, 3, 1, 1),
               (278, 4, 1, rows_), (279, 4, 1, len(pixels)), (339, 3, 1, 3)]
    at_byte = 8 + 2 + 12 * (len(entries) + sum(1 for _, data_ in extras.values() if data_)) + 4
    tail = b''
    for tag, (kind, data_) in extras.items():
        if data_:
            entries.append((tag, kind, len(data_) // {12: 8, 3: 2, 2: 1}[kind], at_byte + len(tail)))
            tail += data_ + b'\0' * (len(data_) % 2)
    entries[5] = (273, 4, 1, at_byte + len(tail))
    with open(path, 'wb') as out:
        out.write(struct.pack('<2sHIH', b'II', 42, 8, len(entries)))
        for entry in entries:
            out.write(struct.pack('<HHII', *entry))
        out.write(struct.pack('<I', 0) + tail + pixels)
    return path


def pgm(path, size=(19, 36), value=lambda row, column: 0, comments=('Offset -108', 'Scale 0.003', 'Origin 90N 0E'), top=65535):
    """GeographicLib's: 16 bits, big-endian, rows from the north pole, columns from Greenwich."""
    with open(path, 'wb') as out:
        out.write(b'P5\n# Geoid file in PGM format for the GeographicLib::Geoid class\n# Description WGS84 EGM96, 10-degree grid\n')
        out.write(''.join(f'# {comment}\n' for comment in comments).encode() + b'# Vertical_Datum WGS84\n')
        out.write(f'{size[1]}   {size[0]}\n{top}\n'.encode())
        out.write(struct.pack(f'>{size[0] * size[1]}H', *(value(row, column) for row in range(size[0]) for column in range(size[1]))))
    return path


def by_the_document(path, *interpolations):
    """Fingerprints of a GTX of the Earth, in millimetres, as docs/geoid.md defines it and a foreign service computes it."""
    with open(path, 'rb') as file:
        head, nodes = file.read(40), file.read()
    _, west, _, step, rows_, columns = struct.unpack('>ddddii', head)
    values = struct.unpack(f'>{rows_ * columns}f', nodes)
    fraction = f'1/{round(1 / step)}'
    grid = hashlib.sha256(f'mayfly grid 1\nnorth_e9 90000000000\nwest_e9 -180000000000\nlat_step {fraction}\nlon_step {fraction}\n'
                          f'rows {rows_}\ncolumns {columns}\nwraps 1\nquantum_um 1000\n'.encode())
    turn = round((-180 - west) / step) % columns
    for row in reversed(range(rows_)):
        line = values[row * columns:(row + 1) * columns]
        grid.update(struct.pack(f'<{columns}i', *(math.floor(v * 1e3 + 0.5) for v in line[turn:] + line[:turn])))
    return [hashlib.sha256(f'mayfly geoid fingerprint 1\ngrid {grid.hexdigest()}\ninterpolation {interpolation}\n'
                           'frame none\nepoch none\n'.encode()).hexdigest() for interpolation in interpolations]


class At(GeoidCase):
    """EGM96 is built in: by PROJ and by GeographicLib's GeoidEval."""
    PLACES = ['47.3769,8.5417', '-33.9,18.4', '0,0', '90,123', '-90,0', '-15,180', '-15,-180', '-15,540']

    def test_sim039_places_as_arguments(self):
        run = geoid('at', *self.PLACES)
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertRegex(run.stdout, r'\A(-?\d+\.\d{4}\n){8}\Z')
        values = [float(line) for line in run.stdout.splitlines()]
        self.assertAlmostEqual(values[2], 17.16, delta=0.01)
        self.assertAlmostEqual(values[3], 13.605, delta=0.01)
        self.assertEqual(len(set(values[5:])), 1)

    def test_sim039_places_a_line_each(self):
        arguments = geoid('at', *self.PLACES).stdout
        lines = ('\r\n\n'.join(self.PLACES) + '\r\n', ''.join(p.replace(',', ' , ') + '\n' for p in self.PLACES), '\n'.join(self.PLACES))
        self.assertEqual(geoid('at', text=''.join(lines)).stdout, arguments * 3)
        self.assertEqual(geoid('at', '--model=egm96', '--interp=cubic', '--', *self.PLACES).stdout, arguments)
        run = geoid('at', text='')
        self.assertEqual((run.returncode, run.stdout), (0, ''))

    def test_interpolations_differ(self):
        place = '46.5,8.1'
        values = [geoid('at', '--interp', how, place).stdout for how in ('cubic', 'bilinear')]
        self.assertEqual(values[0], geoid('at', place).stdout)
        self.assertNotEqual(*values)

    def test_a_place_without_an_answer_is_named_and_the_others_answered(self):
        run = geoid('at', text='47,8\n91,8\n\nZurich\n47,8\n')
        self.assertEqual(run.returncode, 1)
        lines = run.stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[1:3], ['nan', 'nan'])
        self.assertEqual(lines[0], lines[3])
        latitude, syntax = run.stderr.splitlines()
        assert_names(latitude, '2 91,8 -90..90')
        assert_names(syntax, '4 Zurich LAT,LON')

    def test_a_place_outside_is_never_zero(self):
        _, pack = self.pack('part.mfpk', '--model', 'part', gtx(self.path('part.gtx'), 40.0, 0.0, (1.0, 1.0), (11, 11)))
        run = geoid('at', '--model', pack, '45,5', '45,-5', '39.9,5')
        self.assertEqual((run.returncode, run.stdout), (1, '5.6250\nnan\nnan\n'))
        assert_names(run.stderr, '2 45,-5')

    def test_sim040_a_list_of_models_serves_in_its_order(self):
        _, part = self.pack('part.mfpk', '--model', 'part', gtx(self.path('part.gtx'), 40.0, 0.0, (1.0, 1.0), (11, 11)))
        run = geoid('at', '--model', f'part:{part},egm96', '45,5', '0,0')
        self.assertEqual(run.stdout, '5.6250\n' + geoid('at', '0,0').stdout)
        self.refused(geoid('at', '--model', f'navd88:{part}', '45,5'), part, "'part'", "'navd88'")

    @pytest.mark.long
    def test_wrong_usage(self):
        self.refused(geoid('at', '--model', 'egm84', '0,0'), "'egm84'", 'egm96')
        self.refused(geoid('at', '--interp', 'spline', '0,0'), "'spline'")
        self.refused(geoid('at', '--modell', 'egm96', '0,0'), '--modell')
        self.refused(geoid('at', '--model', EGM96_GTX, '0,0'), EGM96_GTX, 'geoid pack')
        self.refused(geoid('at', '--model', self.folder, '0,0'), 'Is a directory')
        self.refused(geoid('fly'), "'fly'")
        self.assertEqual(geoid().returncode, 2)
        self.assertEqual(geoid('--help').returncode, 0)


class Pack(GeoidCase):
    def test_sim040_a_gtx_of_ones_own(self):
        info = self.info('--model', 'mine', '--interp', 'bilinear', '--quantum', '0.002', gtx(self.path('g.gtx')))
        self.assertEqual(info['model'], 'mine')
        self.assertEqual((info['frame'], info['epoch'], info['interpolation']), ('none', 'none', 'bilinear'))
        self.assertEqual(info['rows x columns'], '19 x 36')
        self.assertEqual(info['quantum [m]'], '0.002')
        self.assertIn('verified', geoid('info', self.path('info.mfpk')).stdout)
        self.assertAlmostEqual(at(self.path('info.mfpk'), [(5, 5)])[0], 9.5 + 18.5 / 8, delta=0.001)

    @pytest.mark.long
    def test_sim041_the_built_in_one_says_its_fingerprint(self):
        run = geoid('info', 'egm96')
        self.assertEqual(run.returncode, 0, run.stderr)
        for fingerprint in by_the_document(EGM96_GTX, 'cubic', 'bilinear'):
            self.assertIn(fingerprint, run.stdout)
        self.assertIn('verified', run.stdout)

    @pytest.mark.long
    def test_sim040_egm96_of_the_same_grid_is_the_built_in_one(self):
        info = self.info(EGM96_GTX)
        self.assertEqual((info['model'], info['interpolation'], info['quantum [m]']), ('egm96', 'cubic', '0.001'))
        places = [(lat / 7, lon / 3) for lat in range(-600, 600, 97) for lon in range(-540, 540, 89)]
        self.assertEqual(at(self.path('info.mfpk'), places), at('egm96', places))
        run = geoid('check', self.path('info.mfpk'), '--against', EGM96_GTX, '--tolerance', '0.0006', '--points', '4000')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r'^n 4000, max 0\.000\d m at .*, rms 0\.000\d m, 0 ')

    @pytest.mark.long
    def test_sim040_noaa_bin_gets_the_shift_of_nad83(self):
        name = noaa_bin(self.path('g2018u3.bin'))
        info = self.info(name)
        self.assertEqual((info['model'], info['frame'], info['epoch']), ('navd88', 'itrf2014', '2026.00'))
        shifted = at(self.path('info.mfpk'), [(38.5, -104.5)])[0]
        none = self.info('--frame', 'none', name)
        self.assertEqual((none['frame'], none['epoch']), ('none', 'none'))
        plain = at(self.path('info.mfpk'), [(38.5, -104.5)])[0]
        self.assertAlmostEqual(plain, -20.3, delta=0.001)
        self.assertAlmostEqual(shifted - plain, -0.89, delta=0.05)  # Pikes Peak 0.883, Denver 0.860: towards 0.9
        self.info('--frame', 'none', noaa_bin(self.path('g2018u3.bin'), '>'))
        self.assertEqual(at(self.path('info.mfpk'), [(38.5, -104.5)])[0], plain)

    @pytest.mark.long
    def test_sim041_the_fingerprint_covers_grid_frame_epoch_and_interpolation(self):
        name = noaa_bin(self.path('g2018u3.bin'))
        seen = {}
        for settings in ((), ('--epoch', '2025'), ('--frame', 'none'), ('--quantum', '0.01'),
                         ('--datum', 'nad83_pa11')):
            info = self.info(*settings, name)
            seen[settings] = info['fingerprint bilinear'], info['fingerprint cubic']
            self.assertEqual(info, self.info(*settings, name))  # the same again
        prints = [one for pair in seen.values() for one in pair]
        self.assertEqual(len(set(prints)), 10, seen)
        self.assertEqual(self.info('--model', 'other', name)['grid sha256'], self.info(name)['grid sha256'])
        noaa_bin(name, value=lambda row, column: -20 + row / 100 - column / 50 + (row == column == 7) * 0.002)
        self.assertNotEqual(self.info(name)['fingerprint bilinear'], seen[()][0])

    @pytest.mark.long
    def test_sim040_navd88_is_not_the_name_of_what_lies_elsewhere(self):
        """PROJ's grid of Hawaii says NAVD88, which nobody levelled over there."""
        hawaii = geotiff(self.path('us_noaa_g2012bh0.tif'), 24.0, 199.0, (361, 421), 6321, 5703)
        for name in hawaii, noaa_bin(self.path('g2018u9.bin'), south=18.0, west=199.0):
            self.refused(geoid('pack', '--out', self.path('x.mfpk'), name), name, 'navd88', '--model')
        self.refused(geoid('pack', '--out', self.path('x.mfpk'), geotiff(self.path('east.tif'), 21.0, 289.0, (361, 421), 6319, 5703)),
                     'navd88', '--model')   # Puerto Rico
        self.assertFalse(os.path.exists(self.path('x.mfpk')))
        self.assertEqual([self.info('--model', 'hawaii', hawaii)[f] for f in ('model', 'frame')], ['hawaii', 'itrf2014'])
        self.assertEqual(self.info('--model', 'navd88', hawaii)['model'], 'navd88')    # its user says so
        for north, west in ((58.0, 230.0), (72.0, 172.0), (55.0, 180.0), (25.0, -100.0), (33.0, 241.0)):
            part = geotiff(self.path('part.tif'), north, west, (61, 61), 6319, 5703)
            self.assertEqual(self.info(part)['model'], 'navd88', (north, west))

    @pytest.mark.long
    def test_sim040_noaa_bins_of_islands_are_on_their_plates_datum(self):
        """g2012bh is Hawaii, on NAD83(PA11): as its GeoTIFF says, its .bin says by its name."""
        place = [(19.5, 204.5)]
        as_tiff = self.info('--model', 'x', geotiff(self.path('a.tif'), 20.0, 204.0, (61, 61), 6321, 0))
        self.assertEqual(as_tiff['frame'], 'itrf2014')
        wanted = at(self.path('info.mfpk'), place)
        info = self.info('--model', 'x', noaa_bin(self.path('g2012bh0.bin'), south=19.0, west=204.0, size=(61, 61), value=lambda row, column: 20))
        self.assertEqual((info['frame'], at(self.path('info.mfpk'), place)), ('itrf2014', wanted))
        self.assertNotAlmostEqual(wanted[0], 20.0, delta=0.1)

    def test_geographiclibs_pgm(self):
        """The pack of a .pgm is that of the same nodes as GTX, which begins in the south-west."""
        def value(row, column):    # from north, from Greenwich; the poles are one node
            return 36000 + 100 * row + (7 * column if 0 < row < 18 else 0)
        there = self.info(gtx(self.path('egm96.gtx'), value=lambda row, column: -108 + 0.003 * value(18 - row, (column + 18) % 36)))
        here = self.info(pgm(self.path('egm96-600.pgm'), value=value))
        self.assertEqual((here['model'], here['grid sha256']), ('egm96', there['grid sha256']))
        self.refused(geoid('pack', '--out', self.path('x'), pgm(self.path('p.pgm'), comments=('Offset -108',))), 'Scale')
        self.refused(geoid('pack', '--out', self.path('x'), pgm(self.path('p.pgm'), comments=('Offset a', 'Scale 1'))), 'Offset')
        self.refused(geoid('pack', '--out', self.path('x'), pgm(self.path('p.pgm'), top=255)), '16 bits')
        self.refused(geoid('pack', '--out', self.path('x'), pgm(self.path('p.pgm'), comments=('Offset 0', 'Scale 1', 'Origin 0N 0E'))), '90N 0E')
        with open(pgm(self.path('p.pgm')), 'rb') as file:
            whole = file.read()
        for data in (whole[:-1], whole + b'x', whole[:40], b'P5\n1 1\n65535\n', b'P5 99999999999 2 65535 ', b'P5#' + b'x' * 600):
            with open(self.path('p.pgm'), 'wb') as out:
                out.write(data)
            self.refused(geoid('pack', '--out', self.path('x'), self.path('p.pgm')), 'p.pgm')

    def test_a_raster_whose_first_row_is_south(self):
        def value(row, column):
            return 20 + row + column / 8
        north = self.info(geotiff(self.path('n.tif'), 48.0, 8.0, (5, 7), 4326, 5773, value))
        for first in ('south', 'south, transformed'):
            self.assertEqual(self.info(geotiff(self.path('s.tif'), 48.0, 8.0, (5, 7), 4326, 5773, value, first))['grid sha256'], north['grid sha256'])

    def test_sim040_the_order_of_files_does_not_matter(self):
        south = noaa_bin(self.path('g2018u1.bin'), south=37.0, value=lambda row, column: -30 + row / 64)
        north = noaa_bin(self.path('g2018u2.bin'), south=38.0, value=lambda row, column: -30 + (60 + row) / 64)
        one = self.info(south, north)
        self.assertEqual(one, self.info(north, south))
        self.assertEqual(one['rows x columns'], '121 x 91')

    def test_terrain_changes_from_one_geoid_to_another(self):
        name = self.write('N47E008.hgt', struct.pack('>9h', *([500] * 9)))
        info = self.info(name)
        self.assertEqual((info['kind'], info['model'], info['quantum [m]']), ('terrain', 'egm96', '0.1'))
        self.refused(geoid('at', '--model', self.path('info.mfpk'), '47.5,8.5'), 'terrain')
        _, other = self.pack('other.mfpk', '--model', 'other', gtx(self.path('o.gtx'), value=lambda row, column: 7.0))
        self.assertEqual(self.info('--geoid', other, name)['model'], 'other')

    # ---- what goes wrong

    def nothing_written(self, before):
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    @pytest.mark.long
    def test_truncated_and_damaged_grids_leave_nothing_behind(self):
        whole = {   # and what their heads take
            'cut.gtx': (self.bytes(gtx(self.path('cut.gtx'))), 40),
            'cut.bin': (self.bytes(noaa_bin(self.path('cut.bin'))), 44),
        }
        for name, (content, head) in whole.items():
            for length in (0, head - 1, len(content) - 1):
                self.write(name, content[:length])
                before = sorted(os.listdir(self.folder))
                self.refused(geoid('pack', '--model', 'x', '--out', self.path('out.mfpk'), self.path(name)), name)
                self.nothing_written(before)

    def test_an_old_pack_stays_when_a_new_one_fails(self):
        _, pack = self.pack('keep.mfpk', '--model', 'x', gtx(self.path('g.gtx')))
        before = self.bytes(pack)
        with open(self.path('g.gtx'), 'ab') as out:
            out.truncate(500)
        self.refused(geoid('pack', '--model', 'x', '--out', pack, self.path('g.gtx')), 'g.gtx')
        self.assertEqual(self.bytes(pack), before)

    def test_what_is_no_pack_is_not_written_over(self):
        name = gtx(self.path('precious.gtx'))
        before = self.bytes(name)
        self.refused(geoid('pack', '--model', 'x', '--out', name, name), name)
        self.assertEqual(self.bytes(name), before)

    @pytest.mark.long
    def test_wrong_usage(self):
        name = gtx(self.path('g.gtx'))
        out = ('--out', self.path('out.mfpk'))
        before = sorted(os.listdir(self.folder))
        self.refused(geoid('pack', *out, name), 'g.gtx', '--model')
        self.refused(geoid('pack', name), '--out')
        self.refused(geoid('pack', *out), 'grids')
        self.refused(geoid('pack', *out, self.path('missing.tif')), 'missing.tif', 'No such file')
        self.refused(geoid('pack', *out, '--model', 'x', '--frame', 'itrf2014', name), '--frame none')
        self.refused(geoid('pack', *out, '--model', 'x', '--frame', 'etrs89', name), "'etrs89'")
        self.refused(geoid('pack', *out, '--model', 'x', '--epoch', '2025', name), '--epoch')
        self.refused(geoid('pack', *out, '--model', 'navd88', '--epoch', 'now', name), '--epoch')
        self.refused(geoid('pack', *out, '--model', 'x', '--datum', 'ed50', name), "'ed50'")
        self.refused(geoid('pack', *out, '--model', 'x', '--quantum', '0', name), '--quantum')
        self.refused(geoid('pack', *out, '--model', 'No Spaces', name))
        self.refused(geoid('pack', '--out', '/nowhere/out.mfpk', '--model', 'x', name), '/nowhere/out.mfpk')
        high = gtx(self.path('high.gtx'), value=lambda row, column: 500.0)
        before.append('high.gtx')
        self.refused(geoid('pack', *out, '--model', 'x', high), '--heights-on')
        self.nothing_written(sorted(before))

    @pytest.mark.long
    def test_a_damaged_pack_is_found(self):
        _, pack = self.pack('p.mfpk', '--model', 'x', gtx(self.path('g.gtx')))
        content = self.bytes(pack)
        self.assertEqual(geoid('info', pack).returncode, 0)
        for i in [*range(0, HEADER_BYTES, 39), *range(HEADER_BYTES, len(content), 87)]:  # each bit: tests/unit/world/test_pack.c
            self.write(pack, content[:i] + bytes([content[i] ^ 0x10]) + content[i + 1:])
            run = geoid('info', pack)
            self.assertIn(run.returncode, (1, 2), f'byte {i}: {run.stdout}')
            self.assertIn('p.mfpk', run.stderr)
        for length in (0, 3, HEADER_BYTES - 1, HEADER_BYTES, len(content) - 1):
            self.write(pack, content[:length])
            self.assertNotEqual(geoid('info', pack).returncode, 0, length)
            self.refused(geoid('at', '--model', pack, '0,0'), 'p.mfpk')


class Check(GeoidCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.grid, cls.made = gtx(os.path.join(folder, 'grid one.gtx')), os.path.join(folder, 'p.mfpk')  # file names may have blanks
        run = geoid('pack', '--out', cls.made, '--model', 'x', '--interp', 'bilinear', cls.grid)
        assert run.returncode == 0, run.stderr

    def table(self, text):
        return self.write('points.csv', text)

    def test_against_proj(self):
        run = geoid('check', self.made, '--against', self.grid, '--points', '500')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r'^n 500, max 0\.000\d m')
        other = gtx(self.path('other.gtx'), value=lambda row, column: row + column / 8 + (row == column == 9))
        self.refused(geoid('check', self.made, '--against', other), 'tolerance', code=1)

    def test_a_missing_grid_is_never_passed_over(self):
        here = os.getcwd()
        try:
            os.chdir('/')  # PROJ would look in its own folders and in this one
            self.refused(geoid('check', self.made, '--against', 'egm96_15.gtx'), 'egm96_15.gtx', 'No such file')
        finally:
            os.chdir(here)
        self.write('no.gtx', b'nothing')
        self.refused(geoid('check', self.made, '--against', self.path('no.gtx')), 'no.gtx')

    def test_a_grid_that_covers_less_is_a_difference(self):
        part = gtx(self.path('part.gtx'), 0.0, 0.0, (10.0, 10.0), (5, 5), lambda row, column: row + 9 + (column + 18) / 8)
        run = geoid('check', self.made, '--against', part)
        self.refused(run, code=1)
        self.assertRegex(run.stderr, r'^geoid: [1-9]\d* ')

    @pytest.mark.long
    def test_against_a_table(self):
        name = self.table('name,phi,lambda,n,model\n"a, b",5,5,11.8125,x\n,15,-5,12.6875,x\n,0,0,99,y\n')
        columns = ('--columns', 'phi,lambda,n')
        run = geoid('check', self.made, '--csv', name, *columns, '--where', 'model=x')
        self.assertEqual((run.returncode, run.stdout.split(',')[0]), (0, 'n 2'), run.stderr)
        self.assertEqual(geoid('check', self.made, '--csv', name, '--columns', '2,3,4', '--where', '5=x').stdout, run.stdout)
        self.refused(geoid('check', self.made, '--csv', name, *columns), '87.7500 m', 'tolerance', code=1)
        self.assertEqual(geoid('check', self.made, '--csv', name, *columns, '--tolerance', '88').returncode, 0)
        self.refused(geoid('check', self.made, '--csv', name), "'lat'", '--columns')
        self.refused(geoid('check', self.made, '--csv', name, *columns, '--where', 'model=z'), 'nothing', code=1)

    @pytest.mark.long
    def test_sim041_against_another_pack_node_by_node(self):
        """Two roundings of one model: the nodes that lie on half a quantum differ by one, and so do the fingerprints."""
        def value(row, column):
            return row + column / 8 + (0.004 if (row, column) in ((3, 4), (18, 35)) else 0.0)
        near = gtx(self.path('near.gtx'), value=value)
        _, other = self.pack('near.mfpk', '--model', 'y', '--interp', 'bilinear', near)
        run = geoid('check', self.made, '--nodes', other, '--tolerance', '0.004')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        north, south, summary = run.stdout.splitlines()     # rows are counted from the south here; the pack has the north first
        assert_names(north, '90.000000 170.000000 22.3750 22.3790')
        assert_names(south, '-60.000000 -140.000000 3.5000 3.5040')
        assert_names(summary, '2 684 0.0040 90.000000 170.000000 0 fingerprints differ')
        self.refused(geoid('check', self.made, '--nodes', other, '--tolerance', '0.0039'), 'tolerance', code=1)
        self.refused(geoid('check', self.made, '--nodes', other, '--tolerance', '0'), 'tolerance', code=1)
        _, again = self.pack('again.mfpk', '--model', 'z', '--interp', 'bilinear', self.grid)
        run = geoid('check', self.made, '--nodes', again, '--tolerance', '0')
        self.assertEqual(run.returncode, 0)
        assert_names(run.stdout, '0 684 0.0000 0 fingerprints equal')
        _, part = self.pack('part.mfpk', '--model', 'x', gtx(self.path('part.gtx'), 0.0, 0.0, (10.0, 10.0), (5, 5)))
        self.refused(geoid('check', self.made, '--nodes', part), part)
        self.refused(geoid('check', self.made, '--nodes', near), near)
        self.refused(geoid('check', self.made, '--nodes', other, '--against', self.grid), '--nodes')

    def test_sim041_void_on_one_side_is_a_difference(self):
        packs = []
        for name, south in ('a', 38.0), ('b', 39.5):    # two files with a gap between them: nodes that none covers are void
            parts = [noaa_bin(self.path(f'g2018u{i}.bin'), south=at_, size=(31, 31), value=lambda row, column: -20)
                     for i, at_ in enumerate((south, 41.5, 37.0))]
            packs.append(self.pack(f'{name}.mfpk', '--frame', 'none', *parts)[1])
        run = geoid('check', packs[0], '--nodes', packs[1])
        self.assertEqual(run.returncode, 1)
        # 37 N to 42 N: 301 rows of 31; 31 x 31 nodes of each are void in the other
        assert_names(run.stdout, '0 9331 0.0000 1922 fingerprints differ')

    @pytest.mark.long
    def test_broken_tables_and_usage(self):
        self.refused(geoid('check', self.made, '--csv', self.table('lat,lon,undulation_m\n1,2\n')), 'line 2')
        self.refused(geoid('check', self.made, '--csv', self.table('lat,lon,undulation_m\n1,2,x\n')), 'line 2')
        self.refused(geoid('check', self.made, '--csv', self.table('')), 'points.csv')
        self.refused(geoid('check', self.made, '--csv', self.path('missing.csv')), 'missing.csv')
        self.refused(geoid('check', self.made), '--against')
        self.refused(geoid('check', self.made, '--against', self.grid, '--interp', 'cubic'), '--csv')


@needs_grids
class Published(GeoidCase):
    """Grids as they are published, and what other programs make of them."""
    @pytest.mark.long
    def test_sim039_egm96_to_a_centimetre(self):
        self.agree('egm96', 'oracle_egm96.csv', 'undulation_m', 0.01, '--interp', 'bilinear')
        self.agree('egm96', 'oracle_egm96.csv', 'geoideval_bilinear_m', 0.01, '--interp', 'bilinear')
        self.agree('egm96', 'oracle_egm96.csv', 'geoideval_cubic_m', 0.01)

    @pytest.mark.long
    def test_sim040_islands_on_datums_of_their_own(self):
        hawaii, puerto_rico = data('other/us_noaa_g2012bh0.tif'), data('other/us_noaa_g2018p0.tif')
        for path in hawaii, puerto_rico:
            self.refused(geoid('pack', '--out', self.path('x.mfpk'), path), path, '--model')
        self.assertEqual(os.listdir(self.folder), [])
        for path, model, datum in (hawaii, 'hawaii', 'nad83_pa11'), (puerto_rico, 'prvd02', 'nad83_2011'):
            fields = self.info('--model', model, path)
            self.assertEqual((fields['model'], fields['frame']), (model, 'itrf2014'))
            run = geoid('check', self.path('info.mfpk'), '--against', path, '--datum', datum, '--tolerance', '0.002')
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    @pytest.mark.long
    def test_a_geotiff_that_is_cut_off(self):
        content = self.bytes(GEOID99[0])
        for length in (2, 8, 300, 1000, len(content) // 2, len(content) - 1):
            self.write('cut.tif', content[:length])
            self.refused(geoid('pack', '--model', 'x', '--out', self.path('out.mfpk'), self.path('cut.tif')), 'cut.tif')
            self.assertEqual(os.listdir(self.folder), ['cut.tif'])
