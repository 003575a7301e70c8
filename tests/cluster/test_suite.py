#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What every controller does (tests/lib/controller_suite.py), of the one in the cluster."""
import os
import sys
import unittest

import controller
from cluster import TOP

sys.path.insert(0, os.path.join(TOP, 'tests', 'lib'))
import controller_suite  # noqa: E402


class Cluster(controller_suite.Suite, unittest.TestCase):
    def setUp(self):
        self.controller = controller.begin()
        super().setUp()


if __name__ == '__main__':
    unittest.main()
