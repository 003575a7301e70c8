# SPDX-License-Identifier: Apache-2.0
"""The module for test authors (tools/pytest-mayfly) reads what build/mayfly says at its start. Its own tests need PyPI: make interop."""
import os
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
MAYFLY = os.path.abspath(os.environ.get('MAYFLY', 'build/mayfly'))
sys.path.insert(0, os.path.join(ROOT, 'tools', 'pytest-mayfly', 'src'))
from pytest_mayfly.drone import Drone


class Module(unittest.TestCase):
    def test_a_drone_starts_jumps_through_time_and_breaks(self):
        with Drone(binary=MAYFLY, clock='event') as drone:
            self.assertGreaterEqual(drone.sleep_sim(600), 600)
            drone.inject('gps_off')
            self.assertIsNone(drone.vehicle()['position'])
