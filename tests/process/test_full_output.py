# SPDX-License-Identifier: Apache-2.0
"""A standard output that takes nothing is exit code 2 and one line, of all programs that print."""
import subprocess

from paths import BUILD

PROGRAMS = ['elevation', 'fly', 'geoid', 'mayfly-body', 'mayfly-generate', 'mayfly-swarm', 'mayfly-view', 'replay', 'simctl', 'standin']


def test_help_into_a_full_device():
    for name in PROGRAMS:
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([f'{BUILD}/{name}', '--help'], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr.count('\n'), done.stderr.split(':')[0]) == (2, 1, name), done
