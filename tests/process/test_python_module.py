# SPDX-License-Identifier: Apache-2.0
"""The module for test authors (tools/pytest-mayfly) reads what build/mayfly says at its start. Its own tests need PyPI: make interop."""
import os
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
