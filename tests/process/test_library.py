# SPDX-License-Identifier: Apache-2.0
"""make lib, as a program outside the tree uses it: an installed library, its headers, pkg-config, and nothing else."""
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest

import pytest

import calls
from paths import BUILD, TOP
from programs import CC, needs

ROOMS = ('mavlink', 'math', 'hal', 'firmware', 'world', 'drone')
EXAMPLE = os.path.join(TOP, 'tests', 'lib', 'pair.c')
FLOWN = ['drone 1: 47.397742, 8.545594, 498.0 m', 'drone 2: 47.398742, 8.545594, 508.0 m']


def call(argv, **more):
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=300, **more).stdout


@needs('pkg-config')
class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix='mayfly-lib-'))
        env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
        call(['make', 'lib', 'DEPS=no', f'BUILD={os.path.relpath(BUILD, TOP)}', f'CC={" ".join(CC)}',
              f'DESTDIR={cls.folder}', 'PREFIX=/opt/mayfly'], cwd=TOP, env=env)

    def flags(self, prefix):
        path = os.path.join(prefix, 'lib', 'pkgconfig')
        return shlex.split(call(['pkg-config', '--cflags', '--libs', 'mayfly'], env=dict(os.environ, PKG_CONFIG_PATH=path)))

    def fly(self, prefix, name):
        shutil.copy(EXAMPLE, self.folder)
        program = os.path.join(self.folder, name)
        call(CC + ['-std=c11', '-Wall', '-Wextra', '-Werror', 'pair.c', *self.flags(prefix), '-o', program], cwd=self.folder)
        return call([program], cwd=self.folder).splitlines()

    @pytest.mark.long
    def test_a_program_outside_the_tree_flies_two_drones(self):
        self.assertEqual(self.fly(os.path.join(self.folder, 'opt/mayfly'), 'pair'), FLOWN)

    @pytest.mark.long
    def test_what_was_installed_may_be_moved(self):
        moved = os.path.join(self.folder, 'elsewhere')
        shutil.copytree(os.path.join(self.folder, 'opt/mayfly'), moved)
        self.assertEqual(self.fly(moved, 'moved'), FLOWN)
        self.assertFalse([flag for flag in self.flags(moved) if TOP in flag])

    def test_all_that_the_rooms_offer_is_in_it(self):
        said = call(['nm', '-g', '--defined-only', '--format=posix', os.path.join(self.folder, 'opt/mayfly/lib/libmayfly.a')])
        there = {line.split()[0] for line in said.splitlines()}
        offered = {name for room in ROOMS for path in calls.sources(room) if path.endswith('.c') for name in calls.defined(path)}
        self.assertIn('mf_drone_step', offered)
        self.assertEqual(offered - there, set())
        self.assertIn('mf_egm96_pack', there)
