# SPDX-License-Identifier: Apache-2.0
"""tests/cluster/scale.py stops the cluster that it measures, and so must not touch one that others use."""
import os
import subprocess
import sys

from folder_case import FolderCase
from paths import TOP

# Without a look at the machine, whose tools are those of a cluster.
RUN = 'import run, scale, sys; run.missing, run.machine = lambda: None, dict; sys.argv[1:] = ["--count", "1"]; %s; sys.exit(scale.main())'


class Scale(FolderCase):
    def scale(self, before='pass'):
        """(exit code, what the program that starts clusters was told)"""
        environment = dict(os.environ, CLUSTER=self.path('cluster'), STATE=self.path('state'), PYTHONPATH=os.path.join(TOP, 'tests', 'cluster'))
        done = subprocess.run([sys.executable, '-c', RUN % before], env=environment, capture_output=True, text=True, timeout=60, check=False)
        with open(self.path('told'), encoding='ascii') as f:
            return done.returncode, f.read()

    def test_a_cluster_that_runs_already_is_left_alone(self):
        self.write('told', '')
        self.write('cluster', f'#!/bin/sh\necho $1 >>{self.path("told")}\n[ $1 = down ]\n')  # none can be started
        os.chmod(self.path('cluster'), 0o755)
        foreign = subprocess.Popen(['sh', '-c', 'read x', self.path('state/etcd')], stdin=subprocess.PIPE)
        self.assertEqual(self.scale(), (1, ''))
        foreign.communicate()
        self.assertEqual(self.scale('run.processes = set'), (1, 'down\nup\n'))  # whatever runs on this machine
