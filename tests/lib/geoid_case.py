# SPDX-License-Identifier: Apache-2.0
"""Tests of build/geoid: grids of other people's, and the packs that it makes of them."""
import glob
import os
import re
import struct
import subprocess
import unittest

from folder_case import FolderCase
from paths import GEOID, GEOID_DATA

GEOID99 = sorted(glob.glob(os.path.join(GEOID_DATA, 'navd88_geoid99', '*.tif')))
needs_grids = unittest.skipUnless(os.path.isdir(GEOID_DATA), f'no published grids: they belong into {GEOID_DATA}')


def data(name):
    return os.path.join(GEOID_DATA, name)


def geoid(*args, text=None):
    return subprocess.run([GEOID, *args], input=text, capture_output=True, text=True, timeout=280, check=False)


def at(model, places, *args):
    """Undulations of (lat, lon), through standard input."""
    run = geoid('at', '--model', model, *args, text=''.join(f'{lat},{lon}\n' for lat, lon in places))
    assert run.returncode == 0, run.stderr
    return [float(line) for line in run.stdout.splitlines()]


def gtx(path, south=-90.0, west=-180.0, step=(10.0, 10.0), size=(19, 36), value=lambda row, column: row + column / 8):
    """Big-endian; rows from the south."""
    with open(path, 'wb') as out:
        out.write(struct.pack('>ddddii', south, west, *step, *size))
        for row in range(size[0]):
            out.write(struct.pack(f'>{size[1]}f', *(value(row, column) for column in range(size[1]))))
    return path


def noaa_bin(path, order='<', south=38.0, west=255.0, size=(61, 91), value=lambda row, column: -20 + row / 100 - column / 50):
    with open(path, 'wb') as out:
        out.write(struct.pack(order + 'ddddiii', south, west, 1 / 60, 1 / 60, *size, 1))
        for row in range(size[0]):
            out.write(struct.pack(f'{order}{size[1]}f', *(value(row, column) for column in range(size[1]))))
    return path


class GeoidCase(FolderCase):
    def pack(self, out, *args):
        run = geoid('pack', '--out', self.path(out), *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, '')
        return dict(re.findall(r'^(.{21})\s(.*)$', run.stdout, re.M)), self.path(out)

    def info(self, *args):
        fields, _ = self.pack('info.mfpk', *args)
        return {name.strip(): value for name, value in fields.items()}

    def refused(self, run, *words, code=2):
        """One clear line, and what it says."""
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)

    def agree(self, pack, name, column, tolerance, *args):
        run = geoid('check', pack, '--csv', data(name), '--columns', f'lat,lon,{column}', '--tolerance', str(tolerance), *args)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        print(f'figure: {name} {column}: {run.stdout.strip()}')
