# SPDX-License-Identifier: Apache-2.0
"""The module for test authors (tools/pytest-mayfly) reads what build/mayfly says at its start. Its own tests need PyPI: make interop.
Programs of the bus (tools/python) without numpy."""
import os
import subprocess
import sys
import unittest

from paths import MAYFLY, TOP

sys.path.insert(0, os.path.join(TOP, 'tools', 'pytest-mayfly', 'src'))
from pytest_mayfly.drone import Drone  # noqa: E402


class Module(unittest.TestCase):
    def test_a_drone_starts_jumps_through_time_and_breaks(self):
        with Drone(binary=MAYFLY, clock='event') as drone:
            self.assertGreaterEqual(drone.sleep_sim(600), 600)
            drone.inject('gps_off')
            self.assertIsNone(drone.vehicle()['position'])


class WithoutNumpy(unittest.TestCase):
    """-S: Python without installed packages."""

    def run_program(self, *argv):
        done = subprocess.run([sys.executable, '-S', *argv], text=True, capture_output=True, timeout=60, check=False,
                              env={'PYTHONPATH': os.path.join(TOP, 'tools', 'python')})
        self.assertEqual((done.returncode, done.stdout), (1, ''))
        return done.stderr

    def test_sbe18_a_program_says_in_a_line_what_to_install(self):
        for argv in (['-m', 'mayfly_bus.fit', 'x.csv'], [os.path.join(TOP, 'examples', 'papers', 'simbeeotic', 'figure11.py')]):
            self.assertRegex(self.run_program(*argv), r'\A[^\n]*numpy[^\n]*pip install[^\n]*\n\Z')

    def test_an_import_fails_as_one_of_numpy(self):
        self.assertRegex(self.run_program('-c', 'import mayfly_bus'), r'\nImportError: [^\n]*numpy[^\n]*\n\Z')
