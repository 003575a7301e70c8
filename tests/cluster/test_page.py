# SPDX-License-Identifier: Apache-2.0
"""docs/controller.md on a new cluster: the commands of "On Kubernetes" as they are printed, from top to bottom. run.py runs it before
it deploys anything. tests/process/test_simctl_page.py runs those for a laptop."""
import os
import re
import shutil
import tempfile
import unittest

import page_commands
from cluster import CLIENTS, SYSTEM, TENANT, exists
from paths import BUILD, TOP

PORT = 5791  # of the page


class Page(unittest.TestCase):
    def test_the_commands_in_their_order(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copytree(os.path.join(TOP, 'deploy'), os.path.join(folder, 'deploy'))
        lines = [line for heading in ('On Kubernetes', 'Upgrade and remove') for b in page_commands.blocks(heading) for line in b.splitlines()]
        self.assertGreater(len(lines), 20)
        said = page_commands.run(lines, [PORT], folder, 580, PATH=f'{os.path.abspath(BUILD)}:{os.environ["PATH"]}')
        print(said)
        one, = set(re.findall(r'^ *"id": *"(\w+-0)"', said, re.M))
        self.assertRegex(said, rf'(?m)^secret/{one} ')                 # of its label
        self.assertIn('"event":"start"', said)                          # its log
        self.assertRegex(said, rf'(?m)^{one}-\w+ +1/1 +Running ')        # by the caller's label
        for reason in ('Created', 'Extended', 'Ended'):
            self.assertRegex(said, rf'(?m)^ +Normal +{reason} .* simctl ')
        self.assertEqual([name for name in (SYSTEM, TENANT, CLIENTS) if exists('namespace', name, namespace=None)], [])
