# SPDX-License-Identifier: Apache-2.0
"""What every controller does (tests/lib/controller_suite.py), of the one in the cluster."""
import unittest

import controller
import controller_suite


class Cluster(controller_suite.Suite, unittest.TestCase):
    def setUp(self):
        self.controller = controller.begin()
        super().setUp()
