# SPDX-License-Identifier: Apache-2.0
"""What tests of mayfly-swarm share: a plan of one leg, a folder with it, and the hash of a run."""
import os
import re
import tempfile
import unittest

# 47.397742 deg: a degree of latitude is 111,178 m (WGS84), so that the leg is 222.36 m
PLAN = '''QGC WPL 110
0 0 3 22 0 0 0 0 47.397742 8.545594 30 1
1 0 3 16 0 0 0 0 47.399742 8.545594 30 1
2 0 3 21 0 0 0 0 47.399742 8.545594 0 1
'''


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write('hop.waypoints', PLAN)

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def write(self, name, text):
        with open(self.path(name), 'w', encoding='utf-8') as f:
            f.write(text)
        return self.path(name)

    def bytes(self, *names):
        with open(self.path(*names), 'rb') as f:
            return f.read()

    def text(self, *names):
        return self.bytes(*names).decode()

    def hash_of(self, output):
        return re.search(r'^hash +([0-9a-f]{16})$', output, re.M)[1]
